#include "formulation/scales.hpp"

#include <algorithm>
#include <cmath>

#include "readers/units.hpp"
#include "validation/parameter_values.hpp"

namespace mechfmu {
namespace {

class LargestLength {
 public:
  LargestLength(const Mechanism& mechanism, const std::vector<double>& values)
      : mechanism_(mechanism), values_(values) {}

  double find() {
    for (const Body& body : mechanism_.bodies) {
      for (const Frame& frame : body.frames)
        for (const Expression& e : frame.xyz) note(e);
      for (const Solid& solid : body.solids) note(solid.arguments);
    }
    for (const Joint& joint : mechanism_.joints) note(joint.arguments);
    return largest_;
  }

 private:
  void note(const Arguments& arguments) {
    for (const Argument& argument : arguments.list)
      if (argument.attribute->unit == "m")
        for (const Expression& e : argument.values) note(e);
  }
  void note(const Expression& e) {
    const double value = std::fabs(evaluate_at(e, mechanism_, values_));
    if (std::isfinite(value)) largest_ = std::max(largest_, value);
  }

  const Mechanism& mechanism_;
  const std::vector<double>& values_;
  double largest_ = 0;
};

}  // namespace

Scales find_scales(const Formulated& system, const Mechanism& mechanism,
                   const std::vector<double>& parameter_values) {
  Scales scales;
  if (mechanism.equations || mechanism.controller) return scales;
  if (const double length = LargestLength(mechanism, parameter_values).find(); length > 0)
    scales.length = length;
  double mass = 0;
  for (const MassProperties& m : system.node_mass)
    if (m.mass.graph() != nullptr) mass = std::max(mass, nominal_value(system, mechanism, m.mass));
  if (mass > 0) scales.mass = mass;
  double fall = 0;
  for (const Expression& g : mechanism.gravity)
    fall = std::hypot(fall, evaluate_at(g, mechanism, parameter_values));
  if (fall > 0) scales.time = std::sqrt(scales.length / fall);
  return scales;
}

std::optional<double> find_nominal(const Scales& scales, const std::string& unit) {
  const std::optional<Unit> found = unit.empty() ? std::nullopt : find_unit(unit);
  if (!found) return std::nullopt;
  const auto& [kg, m, s, ampere, kelvin, mole, candela, radian] = found->exponents;
  if (ampere != 0 || kelvin != 0 || mole != 0 || candela != 0) return std::nullopt;
  if (kg == 0 && m == 0 && s == 0 && radian == 0) return std::nullopt;
  const double value = kg * std::log10(scales.mass) + m * std::log10(scales.length) +
                       s * std::log10(scales.time) - std::log10(found->factor());
  constexpr double kLargest = 18;
  return std::pow(10.0, std::clamp(std::round(value), -kLargest, kLargest));
}

}  // namespace mechfmu
