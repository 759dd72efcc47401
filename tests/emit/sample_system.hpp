// A system made by hand with every kind of variable that modelDescription.xml can hold: what the
// emitter does must not depend on what the analysis happens to produce today.
#pragma once
#include "formulation/system_model.hpp"

namespace mechfmu::test {

// Positions in the list below.
enum SampleVariable : int {
  kCrank,
  kStart,
  kNorm,
  kIterations,
  kTolerance,
  kTorque,
  kFlow,
  kAngle,
  kSpeed,
  kLoad,
  kMode,
  kTotalMass,
  kResidual,
  kScale,
  kSampleVariables
};

inline SystemModel make_sample_system() {
  using enum Causality;
  using enum Variability;
  SystemModel system;
  system.name = "Sample";
  system.description = "A sample";
  system.experiment = {0, 10, 0.01, {}};
  system.scheme = "projection";
  system.integrator = "rk4";
  system.solver = "auto";
  system.step = 1e-3;

  const auto add = [&](InterfaceVariable variable) {
    system.interface.variables.push_back(std::move(variable));
  };
  const auto real = [](std::string name, unsigned reference, Causality causality,
                       Variability variability, std::string unit) {
    InterfaceVariable variable;
    variable.name = std::move(name);
    variable.value_reference = reference;
    variable.causality = causality;
    variable.variability = variability;
    variable.unit = std::move(unit);
    return variable;
  };

  InterfaceVariable v = real("crank", 0, parameter, fixed, "m");
  v.start = 0.1;
  v.min = 0;
  v.description = "crank length";
  v.display_unit = "mm";
  add(v);
  v = real("start.A.position", 1, parameter, fixed, "rad");
  v.start = 1.0471975511965976;
  add(v);
  v = real("scheme.norm", 0, parameter, fixed, "");
  v.type = ValueType::enumeration;
  v.items = {"mass", "euclidean"};
  v.start = 2;
  v.min = 1;
  v.max = 2;
  add(v);
  v = real("scheme.iterations", 1, parameter, fixed, "");
  v.type = ValueType::integer;
  v.start = 20;
  v.min = 1;
  v.max = 1000;
  add(v);
  v = real("solver.tolerance", 2, parameter, tunable, "");
  v.start = 1e-8;
  v.min = 1e-15;
  v.max = 1e-2;
  add(v);
  v = real("tau", 3, input, continuous, "N.m");
  v.start = -0.30000000000000004;  // does not survive 16 digits
  add(v);
  v = real("flow", 4, input, discrete, "kg/s");
  v.start = 0;
  add(v);
  v = real("crank_angle", 5, output, continuous, "rad");
  v.initially_depends_on = {kStart, kCrank};
  v.nominal = 0.1;
  add(v);
  v = real("der(crank_angle)", 6, output, continuous, "rad/s");
  v.initially_depends_on = {};
  add(v);
  v = real("D.force[1]", 7, output, continuous, "N");
  v.depends_on = {{kFlow}, {kTorque}};  // neither sorted nor unique: the emitter must do that
  v.initially_depends_on = {kTorque, kStart, kCrank, kTorque};
  v.needs_acceleration = true;
  add(v);
  v = real("mode", 2, output, discrete, "");
  v.type = ValueType::integer;
  add(v);
  v = real("total_mass", 8, calculated_parameter, fixed, "kg");
  v.initially_depends_on = {kCrank};
  add(v);
  v = real("constraint.residual", 9, local, continuous, "1");
  add(v);
  v = real("scale", 10, local, constant, "1/s");
  v.start = 3;
  add(v);

  system.analysis.bodies = 3;
  system.analysis.joints = 4;
  system.analysis.mobility = 1;
  system.analysis.mobility_at_start = 1;
  system.analysis.coordinates = 3;
  system.analysis.equations = 2;
  system.analysis.rank = 2;
  system.analysis.formulation = "joint";
  system.analysis.loops.push_back({"A-B-C-D",
                                   {"A", "B", "C", "D"},
                                   {},
                                   5,
                                   3,
                                   "planar: 3 of 5 closure equations are redundant"});
  system.analysis.cut_joints = {"D"};
  return system;
}

}  // namespace mechfmu::test
