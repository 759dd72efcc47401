// Rules about numbers and expressions: check_parameters, check_values, and check_expression() for
// both.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

#include "readers/expression_parser.hpp"
#include "readers/functions.hpp"
#include "readers/units.hpp"
#include "readers/value_parser.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"
#include "validation/parameter_order.hpp"
#include "validation/parameter_values.hpp"
#include "validation/rules.hpp"
#include "validation/sensors.hpp"

namespace mechfmu {

namespace {

// Walks one expression; the first problem is enough.
class ExpressionCheck {
 public:
  ExpressionCheck(Scope scope, const std::string& subject, RuleContext& context)
      : scope_(scope), subject_(subject), context_(context) {}

  bool check(const Expression& e) {
    if (e.kind == Expression::Kind::name) return check_name(e);
    if (e.kind == Expression::Kind::call && e.text == "der") return check_der(e);
    if (e.kind == Expression::Kind::call && find_function_type(e.text) == nullptr)
      return check_table(e);
    if (e.kind == Expression::Kind::call && e.text == "norm" && e.arguments.size() == 1 &&
        e.arguments[0].kind == Expression::Kind::name && is_vector(e.arguments[0].text))
      return check_level(e.arguments[0]);
    for (const Expression& argument : e.arguments)
      if (!check(argument)) return false;
    return true;
  }

  // Whether the value is known before the mechanism moves.
  [[nodiscard]] bool is_constant() const { return is_constant_; }
  // A parameter without value, reported at the parameter, spoils what uses it.
  [[nodiscard]] bool is_spoilt() const { return is_spoilt_; }

 private:
  [[nodiscard]] bool allows_time() const {
    return scope_ == Scope::drive || scope_ == Scope::holonomic || scope_ == Scope::signal ||
           scope_ == Scope::output;
  }
  // Whether something that follows from positions (velocities, ...) may be used.
  [[nodiscard]] bool allows(SensorLevel level) const {
    switch (scope_) {
      case Scope::parameters:
      case Scope::drive:
        return false;
      case Scope::potential:
      case Scope::holonomic:
        return level == SensorLevel::position;
      case Scope::kinetic:
      case Scope::signal:
        return level == SensorLevel::position || level == SensorLevel::velocity;
      case Scope::output:
        break;
    }
    return true;
  }

  bool check_der(const Expression& e) {
    if (!context_.mechanism.equations)
      return fail(e, "E417", "der() is for coordinates of <equations>",
                  "rates are sensors: A.velocity");
    const Expression* inner = &e.arguments[0];
    const bool twice = inner->kind == Expression::Kind::call;
    if (twice) inner = &inner->arguments[0];
    const auto it = context_.names.find(inner->text);
    if (inner->text == "time" || inner->text == "pi")
      return fail(*inner, "E417", fmt::format("der() takes a coordinate, not '{}'", inner->text),
                  "");
    if (it == context_.names.end()) return fail_unknown(*inner);
    if (it->second.kind != NamedThing::Kind::coordinate)
      return fail(*inner, "E417",
                  fmt::format("der() takes a coordinate, '{}' is a {}", inner->text,
                              kind_word(it->second.kind)),
                  "");
    is_constant_ = false;
    if (allows(twice ? SensorLevel::acceleration : SensorLevel::velocity)) return true;
    if (twice && scope_ == Scope::signal)
      return fail(e, "E418", "accelerations follow from the forces and cannot be used here",
                  "use positions and velocities; outputs may use accelerations");
    if (scope_ == Scope::parameters)
      return fail(e, "E418",
                  fmt::format("the velocity of '{}' changes with time and cannot be used here",
                              inner->text),
                  "only parameters can");
    return fail_scope(e, twice ? "accelerations" : "velocities");
  }

  bool check_table(const Expression& e) {
    const auto it = context_.names.find(e.text);
    const Span name{e.span.begin, e.span.begin + e.text.size()};
    if (it == context_.names.end() || it->second.kind != NamedThing::Kind::table) {
      std::vector<std::string_view> known;
      for (const Table& table : context_.mechanism.tables) known.push_back(table.name.text);
      for (const FunctionType& type : function_types()) known.push_back(type.name);
      const bool is_number =
          it != context_.names.end() && (it->second.kind == NamedThing::Kind::parameter ||
                                         it->second.kind == NamedThing::Kind::input ||
                                         it->second.kind == NamedThing::Kind::coordinate);
      context_.diagnostics.error(
          "E410", name,
          is_number ? fmt::format("{}: '{}' is a number, not a function", subject_, e.text)
                    : fmt::format("{}: there is no function '{}'", subject_, e.text),
          is_number ? fmt::format("a product is written {}*(...)", e.text)
                    : did_you_mean(e.text, known, "functions"));
      return false;
    }
    if (e.arguments.size() != 1)
      return fail(e, "E411",
                  fmt::format("{}() takes 1 argument, got {}", e.text, e.arguments.size()),
                  fmt::format("{}: a table is a function of one number", e.text));
    if (scope_ == Scope::parameters)
      return fail(e, "E418", fmt::format("the table '{}' cannot be used here", e.text),
                  "only parameters and numbers can");
    if (context_.mechanism.tables[it->second.index].x.empty()) is_spoilt_ = true;
    is_constant_ = false;  // what a table gives is always finite
    return check(e.arguments[0]);
  }

  // Something moves that must not at this place.
  bool fail_scope(const Expression& e, std::string_view what) {
    switch (scope_) {
      case Scope::drive:
        return fail(e, "E418", fmt::format("a drive cannot depend on {}", what),
                    "only time, inputs and parameters can prescribe a motion");
      case Scope::holonomic:
        return fail(e, "E418", fmt::format("a holonomic constraint cannot depend on {}", what),
                    "write <nonholonomic> for a constraint on velocities");
      case Scope::potential:
        return fail(e, "E418", fmt::format("this cannot depend on {}", what),
                    "only positions and parameters can be used here");
      case Scope::kinetic:
        return fail(e, "E418", fmt::format("this cannot depend on {}", what),
                    "only coordinates, velocities and parameters can be used here");
      default:
        return fail_moving(e);
    }
  }

  bool fail(const Expression& e, std::string code, const std::string& message, std::string hint) {
    context_.diagnostics.error(std::move(code), e.span, fmt::format("{}: {}", subject_, message),
                               std::move(hint));
    return false;
  }

  bool is_vector(const std::string& name) const {
    const std::optional<Sensor> sensor = find_sensor(context_.mechanism, name);
    return sensor && sensor->size > 1 && sensor->component == 0;
  }

  bool check_name(const Expression& e) {
    if (e.text == "pi") return true;
    if (e.text == "time") {
      is_constant_ = false;
      return allows_time() || fail_scope(e, "time");
    }
    if (e.text.find_first_of(".[") != std::string::npos) return check_sensor_name(e);
    const auto it = context_.names.find(e.text);
    if (it == context_.names.end()) return fail_unknown(e);
    switch (it->second.kind) {
      case NamedThing::Kind::parameter:
        if (!context_.parameter_values.empty() &&
            std::isnan(context_.parameter_values[it->second.index]))
          is_spoilt_ = true;
        return true;
      case NamedThing::Kind::input:
        is_constant_ = false;
        return allows_time() || fail_scope(e, "inputs");
      case NamedThing::Kind::block:
        is_constant_ = false;
        return allows_time() || fail_scope(e, "blocks");
      case NamedThing::Kind::coordinate:
        is_constant_ = false;
        return allows(SensorLevel::position) || fail_scope(e, "coordinates");
      case NamedThing::Kind::drive:
        return fail(e, "E413", fmt::format("'{}' is a drive, not a number", e.text),
                    fmt::format("for example {}.effort", e.text));
      case NamedThing::Kind::constraint:
        return fail(e, "E413", fmt::format("'{}' is a constraint, not a number", e.text),
                    fmt::format("for example {}.multiplier", e.text));
      case NamedThing::Kind::table:
        return fail(e, "E413", fmt::format("'{}' is a table, not a number", e.text),
                    fmt::format("for example {}(time)", e.text));
      case NamedThing::Kind::output:
        return fail(e, "E413",
                    fmt::format("'{}' is an output and cannot be used in expressions", e.text),
                    "repeat its expression");
      case NamedThing::Kind::body:
        return fail(e, "E413", fmt::format("'{}' is a body, not a number", e.text),
                    fmt::format("for example {}.position[1]", e.text));
      case NamedThing::Kind::joint:
        return fail(e, "E413", fmt::format("'{}' is a joint, not a number", e.text),
                    joint_hint(context_.mechanism.joints[it->second.index]));
      case NamedThing::Kind::force:
        return fail(e, "E413", fmt::format("'{}' is a force, not a number", e.text), "");
    }
    return true;
  }

  static std::string joint_hint(const Joint& joint) {
    if (joint.type == nullptr) return {};
    if (joint.type->coordinates.empty())
      return fmt::format("for example {}.force[1]", joint.name.text);
    return fmt::format("for example {}.{}", joint.name.text, joint.type->coordinates[0].name);
  }

  bool fail_unknown(const Expression& e) {
    std::vector<std::string_view> known;
    for (const Parameter& p : context_.mechanism.parameters) known.push_back(p.name.text);
    if (allows_time()) {
      for (const Input& i : context_.mechanism.inputs) known.push_back(i.name.text);
      known.push_back("time");
    }
    if (context_.mechanism.controller && allows_time())
      for (const Block& block : context_.mechanism.controller->blocks)
        for (const Name& name : block.outputs) known.push_back(name.text);
    if (context_.mechanism.equations && allows(SensorLevel::position))
      for (const EquationCoordinate& c : context_.mechanism.equations->coordinates)
        known.push_back(c.name.text);
    known.push_back("pi");
    std::string hint = did_you_mean(e.text, known, "names");
    if (find_similar(e.text, known).empty() && find_unit(e.text))
      hint = fmt::format("'{}' is a unit and can only follow plain numbers, all components given",
                         e.text);
    return fail(e, "E413", fmt::format("there is no '{}'", e.text), hint);
  }

  bool fail_moving(const Expression& e) {
    return fail(e, "E418", fmt::format("'{}' changes with time and cannot be used here", e.text),
                "only parameters can");
  }

  bool check_sensor_name(const Expression& e) {
    // a joint whose type is unknown has been reported; what it offers is not known
    for (const Joint& joint : context_.mechanism.joints)
      if (joint.type == nullptr && joint.name.text == e.text.substr(0, e.text.find('.')))
        return is_spoilt_ = true;
    if (const std::optional<SensorProblem> problem = check_sensor(context_.mechanism, e.text))
      return fail(e, problem->code, problem->message, problem->hint);
    return check_level(e);
  }

  bool check_level(const Expression& e) {
    is_constant_ = false;
    const std::optional<Sensor> sensor = find_sensor(context_.mechanism, e.text);
    if (!sensor || allows(sensor->level)) return true;
    if (scope_ != Scope::signal)
      return fail_scope(e, sensor->level == SensorLevel::position ? "positions"
                           : sensor->level == SensorLevel::velocity
                               ? "velocities"
                               : "what the equations of motion give");
    if (sensor->level == SensorLevel::acceleration)
      return fail(e, "E418",
                  fmt::format("'{}' follows from the forces and cannot be used here", e.text),
                  "use positions and velocities; outputs may use it");
    if (sensor->level == SensorLevel::report)
      return fail(e, "E418", fmt::format("'{}' is for outputs only", e.text), "");
    return true;
  }

  Scope scope_;
  const std::string& subject_;
  RuleContext& context_;
  bool is_constant_ = true;
  bool is_spoilt_ = false;
};

void check_bounds(const Parameter& p, double value, RuleContext& context) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double min = p.min ? context.find_value(*p.min).value_or(-kInfinity) : -kInfinity;
  const double max = p.max ? context.find_value(*p.max).value_or(kInfinity) : kInfinity;
  const std::string subject = fmt::format("parameter '{}'", p.name.text);
  if (min > max)
    context.diagnostics.error(
        "E420", p.min->span,
        fmt::format("{}: min {} is above max {}", subject, number_text(min), number_text(max)));
  else if (value < min)
    context.diagnostics.error(
        "E420", p.value.span,
        fmt::format("{}: value {} is below min {}", subject, number_text(value), number_text(min)));
  else if (value > max)
    context.diagnostics.error(
        "E420", p.value.span,
        fmt::format("{}: value {} is above max {}", subject, number_text(value), number_text(max)));
}

void report_cycles(RuleContext& context) {
  std::set<std::size_t> reported;
  for (const std::vector<std::size_t>& cycle : find_parameter_order(context.mechanism).cycles) {
    bool is_new = true;
    for (const std::size_t i : cycle) is_new = reported.insert(i).second && is_new;
    if (!is_new) continue;
    std::string path;
    for (std::size_t k = 0; k < cycle.size() && k < 8; ++k)
      path += context.mechanism.parameters[cycle[k]].name.text + " -> ";
    if (cycle.size() > 8) path += "... -> ";
    const Parameter& first = context.mechanism.parameters[cycle.front()];
    context.diagnostics.error("E419", first.value.span,
                              fmt::format("parameter '{}' depends on itself: {}{}", first.name.text,
                                          path, first.name.text));
  }
}

void check_vector(VectorExpression& vector, const std::string& subject, RuleContext& context) {
  for (Expression& e : vector) check_expression(e, Scope::parameters, subject, context);
}

void check_arguments(Arguments& arguments, const std::string& label, RuleContext& context,
                     Scope scope = Scope::signal) {
  for (Argument& argument : arguments.list) {
    const AttributeKind kind = argument.attribute->kind;
    const bool is_signal = kind == AttributeKind::signal || kind == AttributeKind::signals;
    const Scope signals = argument.attribute->unit == "J" ? Scope::potential : scope;
    const std::string subject = fmt::format("{}: {}", label, argument.attribute->name);
    for (Expression& e : argument.values)
      check_expression(e, is_signal ? signals : Scope::parameters, subject, context);
  }
}

void check_equation_values(RuleContext& context) {
  Equations& equations = *context.mechanism.equations;
  for (EquationCoordinate& c : equations.coordinates) {
    const std::string label = fmt::format("coordinate '{}': ", c.name.text);
    check_expression(c.start, Scope::parameters, label + "start", context);
    check_expression(c.velocity, Scope::parameters, label + "velocity", context);
    if (c.mass) check_expression(*c.mass, Scope::potential, label + "mass", context);
  }
  for (MassEntry& mass : equations.masses)
    check_expression(mass.value, Scope::potential,
                     fmt::format("mass '{}', '{}': value", mass.row.text, mass.column.text),
                     context);
  for (EquationForce& force : equations.forces)
    check_expression(force.value, Scope::signal, fmt::format("force on '{}': value", force.on.text),
                     context);
  if (equations.kinetic_energy)
    check_expression(*equations.kinetic_energy, Scope::kinetic, "kinetic_energy: value", context);
  if (equations.energy)
    check_expression(*equations.energy, Scope::kinetic, "energy: value", context);
}

void check_frame_values(std::vector<Frame>& frames, const std::string& body, RuleContext& context) {
  for (Frame& frame : frames) {
    const std::string label = fmt::format("frame '{}.{}'", body, frame.name.text);
    check_vector(frame.xyz, label + ": xyz", context);
    check_vector(frame.rpy, label + ": rpy", context);
  }
}

void check_visuals(std::vector<Visual>& visuals, const std::string& label, RuleContext& context) {
  for (Visual& visual : visuals) {
    check_vector(visual.size, label + ": visual size", context);
    check_vector(visual.xyz, label + ": visual xyz", context);
    check_vector(visual.rpy, label + ": visual rpy", context);
  }
}

}  // namespace

std::optional<double> RuleContext::find_value(const Expression& expression) const {
  const double value = evaluate_at(expression, mechanism, parameter_values);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::vector<double>> RuleContext::find_values(
    const std::vector<Expression>& expressions) const {
  std::vector<double> values;
  for (const Expression& e : expressions) {
    const std::optional<double> value = find_value(e);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

void check_expression(Expression& expression, Scope scope, const std::string& subject,
                      RuleContext& context) {
  if (is_poisoned(expression)) return;
  ExpressionCheck check(scope, subject, context);
  bool is_good = check.check(expression) && !check.is_spoilt();
  if (is_good && check.is_constant() && !context.find_value(expression)) {
    const double value = evaluate_at(expression, context.mechanism, context.parameter_values);
    context.diagnostics.error(
        "E409", expression.span,
        std::isnan(value) ? fmt::format("{}: this has no value at the parameters given", subject)
                          : fmt::format("{}: this is infinite at the parameters given", subject),
        "look for a division by zero, a root or logarithm of a negative number, an overflow");
    is_good = false;
  }
  if (!is_good) expression = make_poison(expression.span);
}

void check_parameters(RuleContext& context) {
  Mechanism& m = context.mechanism;
  // first the names: values can be computed only when every one is known
  for (Parameter& p : m.parameters) {
    if (is_poisoned(p.value)) continue;
    const std::string subject = fmt::format("parameter '{}': value", p.name.text);
    if (!ExpressionCheck(Scope::parameters, subject, context).check(p.value))
      p.value = make_poison(p.value.span);
  }
  report_cycles(context);
  context.parameter_values = calc_parameter_values(m);

  // in the order of need, so that what has no value is reported once and silences what depends on
  // it
  for (const std::size_t i : find_parameter_order(m).order) {
    Parameter& p = m.parameters[i];
    const std::string label = fmt::format("parameter '{}': ", p.name.text);
    const double value = context.parameter_values[i];
    if (!std::isfinite(value)) {
      check_expression(p.value, Scope::parameters, label + "value", context);
      context.parameter_values[i] = std::numeric_limits<double>::quiet_NaN();
    }
    if (p.min) check_expression(*p.min, Scope::parameters, label + "min", context);
    if (p.max) check_expression(*p.max, Scope::parameters, label + "max", context);
    if (std::isfinite(value)) check_bounds(p, value, context);
  }
}

void check_values(RuleContext& context) {
  Mechanism& m = context.mechanism;
  if (m.equations) check_equation_values(context);
  for (ExpressionConstraint& c : m.constraints)
    check_expression(c.value, c.holonomic ? Scope::holonomic : Scope::signal,
                     fmt::format("constraint '{}': value", c.name.text), context);
  for (Drive& drive : m.drives)
    check_arguments(drive.arguments, fmt::format("drive '{}'", drive.name.text), context,
                    Scope::drive);
  check_vector(m.gravity, fmt::format("mechanism '{}': gravity", m.name.text), context);
  check_frame_values(m.ground_frames, "ground", context);
  check_visuals(m.ground_visuals, "ground", context);
  for (Body& body : m.bodies) {
    const std::string label = fmt::format("body '{}'", body.name.text);
    for (Solid& solid : body.solids) check_arguments(solid.arguments, label, context);
    check_frame_values(body.frames, body.name.text, context);
    check_visuals(body.visuals, label, context);
    if (!body.pose) continue;
    check_vector(body.pose->xyz, label + ": pose xyz", context);
    check_vector(body.pose->rpy, label + ": pose rpy", context);
  }
  for (Joint& joint : m.joints) {
    const std::string label = fmt::format("joint '{}'", joint.name.text);
    check_arguments(joint.arguments, label, context);
    for (Start& start : joint.starts)
      for (Expression& e : start.values)
        check_expression(e, Scope::parameters, fmt::format("{}: start {}", label, start.name),
                         context);
  }
  if (m.controller)
    for (Block& block : m.controller->blocks)
      check_arguments(block.arguments, fmt::format("{} '{}'", block.type, block.name.text),
                      context);
  for (Force& force : m.forces)
    check_arguments(force.arguments, fmt::format("force '{}'", force.name.text), context);
  for (Output& output : m.outputs)
    check_expression(output.value, Scope::output,
                     fmt::format("output '{}': value", output.name.text), context);
}

}  // namespace mechfmu
