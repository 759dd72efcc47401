// Rules about forces: check_force_targets, check_force_coefficients.
#include <fmt/format.h>

#include "readers/units.hpp"
#include "support/number_text.hpp"
#include "validation/motions.hpp"

namespace mechfmu {

namespace {

std::string label_of(const Force& force) { return fmt::format("force '{}'", force.name.text); }

// Unit of the motion a force acts on: "rad", "m", or "" for either.
std::string_view motion_unit(const ForceType& type) {
  if (type.id == "joint_torque" || type.id == "torsion_spring") return "rad";
  if (type.id == "joint_force") return "m";
  return {};
}

std::string alternative_hint(const Force& force, const Joint& joint) {
  if (joint.type->coordinates.empty())
    return joint.type->freedom == 0 || joint.type->id == "distance"
               ? "it acts on joints with a coordinate of their own"
               : "use <force type=\"torque\" at=\"...\"> or <force type=\"force\" at=\"...\">";
  if (force.type->id == "joint_torque") return "use type=\"joint_force\"";
  if (force.type->id == "joint_force") return "use type=\"joint_torque\"";
  if (force.type->id == "torsion_spring") return "use type=\"spring_damper\" between two frames";
  return {};
}

// Friction and stops take N or N.m, depending on the coordinate.
void check_motion_units(const Force& force, const Coordinate& coordinate, RuleContext& context) {
  const bool turns = coordinate.unit == "rad";
  const std::pair<std::string_view, std::string_view> expected[] = {
      {"coulomb", turns ? "N.m" : "N"},
      {"viscous", turns ? "N.m.s/rad" : "N.s/m"},
      {"velocity", turns ? "rad/s" : "m/s"},
      {"lower", coordinate.unit},
      {"upper", coordinate.unit},
      {"transition", coordinate.unit},
      {"stiffness", turns ? "N.m/rad" : "N/m"},
      {"damping", turns ? "N.m.s/rad" : "N.s/m"}};
  for (const auto& [name, unit] : expected) {
    const Argument* argument = force.arguments.find(name);
    if (argument == nullptr || argument->unit.empty()) continue;
    if (is_compatible(*find_unit(argument->unit), *find_unit(unit))) continue;
    context.diagnostics.error("E408", argument->span,
                              fmt::format("{}: {}: '{}' does not convert to {}", label_of(force),
                                          name, argument->unit, unit));
  }
}

void check_on_joint(Force& force, RuleContext& context) {
  const int index = force.arguments["joint"].joint;
  if (index < 0) return;
  const Joint& joint = context.mechanism.joints[static_cast<std::size_t>(index)];
  if (joint.type == nullptr) return;
  const Coordinate* coordinate =
      resolve_motion(force.arguments, force.type->attributes,
                     {label_of(force), "joint", "coordinate", motion_unit(*force.type),
                      alternative_hint(force, joint)},
                     context);
  if (coordinate == nullptr) return;
  if (force.type->id == "friction" || force.type->id == "joint_limit")
    check_motion_units(force, *coordinate, context);
}

void check_between(const Force& force, RuleContext& context) {
  const FrameReference& from = force.arguments["from"].frame;
  const FrameReference& to = force.arguments["to"].frame;
  if (from.body == kUnresolved || from.body != to.body) return;
  const bool same_point = from.frame == to.frame;
  context.diagnostics.error(
      "E223", force.arguments["to"].span,
      same_point
          ? fmt::format("{}: both ends are at '{}'", label_of(force), to.name.text)
          : fmt::format("{}: both ends are on the same body, so it does nothing", label_of(force)),
      "connect frames of different bodies");
}

void check_coefficient(const Force& force, std::string_view attribute, bool zero_allowed,
                       RuleContext& context) {
  const Argument* argument = force.arguments.find(attribute);
  if (argument == nullptr) return;
  const std::optional<double> value = context.find_value(argument->values[0]);
  if (!value || *value > 0 || (zero_allowed && *value == 0)) return;
  context.diagnostics.error("E225", argument->span,
                            fmt::format("{}: {} must be {} 0, got {}", label_of(force), attribute,
                                        zero_allowed ? ">=" : ">", number_text(*value)));
}

void check_stops(const Force& force, RuleContext& context) {
  check_coefficient(force, "stiffness", true, context);
  check_coefficient(force, "damping", true, context);
  check_coefficient(force, "transition", false, context);
  const Argument* lower = force.arguments.find("lower");
  const Argument* upper = force.arguments.find("upper");
  if (lower == nullptr && upper == nullptr) {
    context.diagnostics.error("E225", force.span,
                              fmt::format("{}: there is no limit", label_of(force)),
                              "give lower, upper or both");
    return;
  }
  if (lower == nullptr || upper == nullptr) return;
  const std::optional<double> low = context.find_value(lower->values[0]);
  const std::optional<double> high = context.find_value(upper->values[0]);
  if (low && high && !(*low < *high))
    context.diagnostics.error("E225", upper->span,
                              fmt::format("{}: upper must be above lower, got {} and {}",
                                          label_of(force), number_text(*high), number_text(*low)));
}

}  // namespace

void check_force_targets(RuleContext& context) {
  for (Force& force : context.mechanism.forces) {
    if (force.type == nullptr) continue;
    if (force.arguments.find("joint") != nullptr) check_on_joint(force, context);
    if (force.arguments.find("from") != nullptr) check_between(force, context);
    const Argument* at = force.arguments.find("at");
    if (at != nullptr && at->frame.body == kGround)
      context.diagnostics.error(
          "E224", at->span,
          fmt::format("{} acts on the ground, so it does nothing", label_of(force)),
          "name a body or a frame of a body");
  }
}

void check_force_coefficients(RuleContext& context) {
  for (const Force& force : context.mechanism.forces) {
    if (force.type == nullptr) continue;
    if (force.type->id == "friction") {
      check_coefficient(force, "coulomb", true, context);
      check_coefficient(force, "viscous", true, context);
      check_coefficient(force, "velocity", false, context);
    }
    if (force.type->id == "spring_damper") check_coefficient(force, "length", true, context);
    if (force.type->id == "joint_limit") check_stops(force, context);
  }
}

}  // namespace mechfmu
