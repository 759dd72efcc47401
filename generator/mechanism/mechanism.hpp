// A mechanism as written: plain structs, SI units, source spans, no derived quantities. The reader
// fills it, the validation resolves the references (indices) and refuses what cannot be; every
// later stage takes it as const.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mechanism/catalogue.hpp"
#include "mechanism/expression.hpp"
#include "support/span.hpp"

namespace mechfmu {

using VectorExpression = std::array<Expression, 3>;

// A name in the file together with the place where it stands.
struct Name {
  std::string text;
  Span span;
};

inline constexpr int kGround = -1;       // body index of the ground
inline constexpr int kOriginFrame = -1;  // frame index of a body's own origin frame

// "crank.tip", resolved by validation.
struct FrameReference {
  Name name;
  int body = kGround;
  int frame = kOriginFrame;
};

// One attribute of a joint, force or solid, in the order of its type's table. Absent optional ones
// are not stored; absent ones with a fallback are, with given = false.
struct Argument {
  const Attribute* attribute = nullptr;
  bool given = false;
  Span span;                       // of the value in the file (or of the element, if not given)
  std::vector<Expression> values;  // scalar 1, vector 3, inertia 3 or 6, signal 1
  std::string text;                // choice, boolean, joint (name), frame (name)
  std::string unit;         // SI name of the unit that was written after the number, "" if none
  std::string unit_text;    // that unit as it was written
  std::vector<Name> words;  // AttributeKind::words
  FrameReference frame;     // AttributeKind::frame
  int joint = -1;           // AttributeKind::joint, resolved by validation
};

struct Arguments {
  std::vector<Argument> list;
  [[nodiscard]] const Argument* find(std::string_view name) const;  // nullptr if absent
  [[nodiscard]] const Argument& operator[](
      std::string_view name) const;  // asserts that it is there
};

struct Parameter {
  Name name;
  Expression value;
  std::string unit;       // "" if the value carried none and no unit= was given
  std::string unit_text;  // as the value has it: "mm"
  std::string description;
  std::optional<Expression> min, max;
};

struct Input {
  Name name;
  std::string unit;
  Expression start;             // constant
  double time_constant = 0.01;  // [s] of the reference filter, where a constraint follows the input
  std::string description;
};

struct CarriedFile {    // beside the mechanism file
  std::string name;     // as written: relative, below its folder
  std::string content;  // as it was read
};

struct Table {  // a function of one number in expressions
  Name name;
  Span span;
  std::string interpolation;  // "akima" or "linear"
  std::string extrapolation;  // "linear", "hold" or "periodic"
  std::vector<double> x, y;
  std::optional<CarriedFile> file;  // where the points come from, unless they are inline
};

struct Output {
  Name name;
  Expression value;
  std::string unit;  // "" = as the expression's sensor has it, if it is a bare sensor
  std::string description;
};

struct Frame {
  Name name;
  VectorExpression xyz;
  VectorExpression rpy;
};

struct Solid {
  const SolidType* type = nullptr;
  Span span;
  Arguments arguments;
};

struct Visual {       // drawn, never part of the dynamics
  std::string shape;  // box, cylinder, sphere
  VectorExpression size, xyz, rpy;
  std::string color;
};

struct Body {
  Name name;
  Span span;
  std::string description;
  std::vector<Solid> solids;
  std::vector<Frame> frames;
  std::vector<Visual> visuals;
  struct Pose {
    VectorExpression xyz, rpy;
  };
  std::optional<Pose> pose;  // a guess for the assembly
};

struct Start {                     // one attribute of a joint's <start>
  std::string name;                // "position", "velocity", "angle", "rpy", ...
  std::vector<Expression> values;  // 1 or 3
  bool fixed = false;
  Span span;
};

struct Joint {
  Name name;
  Span span;
  const JointType* type = nullptr;
  FrameReference parent, child;
  Arguments arguments;
  std::vector<Start> starts;
  bool cut = false;  // cut="true": the user wants the loop opened here
  std::string description;
  [[nodiscard]] const Start* find_start(std::string_view name) const;
  // gears and couplers connect motions of joints, not frames
  [[nodiscard]] bool connects_frames() const { return type == nullptr || type->connects_frames(); }
};

struct Force {
  Name name;
  Span span;
  const ForceType* type = nullptr;
  Arguments arguments;
  std::string description;
};

struct Drive {  // prescribes the motion of a joint or frame; arguments as in elements.def
  Name name;
  Span span;
  Arguments arguments;
  std::string description;
};

struct ExpressionConstraint {  // <holonomic> or <nonholonomic>: the value is zero
  Name name;
  Span span;
  bool holonomic = true;
  Expression value;
  std::string description;
};

struct EquationCoordinate {
  Name name;
  Span span;
  std::optional<Expression> mass;
  Expression start, velocity;
  bool start_fixed = false, velocity_fixed = false;
  std::string unit;  // SI, "" = none
  std::string description;
};

struct MassEntry {
  Name row, column;
  Span span;
  Expression value;
};

struct EquationForce {
  Name on;
  Expression value;
};

// What the dialect <equations> has instead of bodies, joints and forces:
// M(q) a + J^T lambda = f(t, q, v), or Lagrange's equations of a kinetic energy.
struct Equations {
  std::vector<EquationCoordinate> coordinates;
  std::vector<MassEntry> masses;
  std::optional<Expression> kinetic_energy, energy;
  std::vector<EquationForce> forces;
  [[nodiscard]] int find(std::string_view coordinate) const;  // -1 if there is none
};

struct Block {  // of a controller; its type is the name of its element
  Name name;
  Span span;
  std::string type;           // "pid"
  Arguments arguments;        // as in elements.def
  std::vector<Name> outputs;  // names of what it gives: its own name, unless it has several
};

// What the dialect <controller> has instead of bodies: blocks that run every `sample` seconds.
struct Controller {
  double sample = 0;  // [s]
  Span sample_span;
  std::vector<Block> blocks;
  // The block and the number of its output; nothing if there is none.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> find(
      std::string_view output) const;
};

struct SchemeChoice {  // from <solve> or --scheme NAME:p=v,...
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::optional<Span> span;
};

// Of adaptive integrators.
inline constexpr double kLeastTolerance = 1e-14, kMostTolerance = 1e-1;

struct Solve {
  std::optional<SchemeChoice> scheme;
  std::optional<Name> integrator, solver, coordinates;
  std::optional<double> step;  // [s]
  bool start_as_given = false;
};

struct Exposure {     // a sensor that becomes a variable of the FMU
  std::string owner;  // "A", "crank.tip"
  Name quantity;      // "position", "force[2]", "all"
};

struct Compliance {  // of one joint, drive or constraint, with scheme compliant
  Name on;
  double stiffness = 0, damping = 0;
  Span stiffness_span, damping_span;
};

struct Experiment {
  double start = 0;            // [s]
  double stop = 10;            // [s]
  std::optional<double> step;  // [s] communication step
  std::optional<double> tolerance;
};

struct Mechanism {
  Name name;
  std::string description;
  VectorExpression gravity;  // [m/s^2], default 0 0 -9.81
  std::vector<Parameter> parameters;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Frame> ground_frames;
  std::vector<Visual> ground_visuals;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Force> forces;
  std::vector<Table> tables;
  std::vector<Drive> drives;
  std::vector<Compliance> compliances;
  std::vector<Exposure> exposures;
  std::vector<ExpressionConstraint> constraints;
  std::vector<CarriedFile> imports;      // files whose bodies and joints are among these
  std::optional<Equations> equations;    // set: the file is of the dialect <equations>
  std::optional<Controller> controller;  // set: of the dialect <controller>
  Solve solve;
  Experiment experiment;
};

}  // namespace mechfmu
