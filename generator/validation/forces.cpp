// Rules about forces: check_force_targets, check_force_coefficients.
#include <fmt/format.h>

#include <algorithm>

#include "readers/units.hpp"
#include "support/number_text.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

namespace {

std::string label_of(const Force& force) { return fmt::format("force '{}'", force.name.text); }

// Unit of the motion a force acts on: "rad", "m", or "" for either.
std::string_view motion_unit(const ForceType& type) {
  if (type.id == "joint_torque" || type.id == "torsion_spring") return "rad";
  if (type.id == "joint_force") return "m";
  return {};
}

std::string_view motion_word(std::string_view unit) { return unit == "rad" ? "turn" : "slide"; }

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

// Adds the resolved coordinate, so that later stages find it whether it was written or not.
void set_coordinate(Force& force, std::string_view name) {
  for (Argument& argument : force.arguments.list) {
    if (argument.attribute->name != "coordinate") continue;
    argument.text = std::string(name);
    return;
  }
  const auto row = std::find_if(force.type->attributes.begin(), force.type->attributes.end(),
                                [](const Attribute& a) { return a.name == "coordinate"; });
  Argument argument;
  argument.attribute = &*row;
  argument.span = force.span;
  argument.text = std::string(name);
  auto& list = force.arguments.list;
  const auto joint = std::find_if(list.begin(), list.end(), [](const Argument& a) {
    return a.attribute->kind == AttributeKind::joint;
  });
  list.insert(joint + 1, std::move(argument));
}

// The coordinate a force on a joint acts on; nullptr (and an error) if there is none or no telling
// which.
const Coordinate* check_coordinate(Force& force, const Joint& joint, RuleContext& context) {
  const std::string_view unit = motion_unit(*force.type);
  std::vector<const Coordinate*> usable;
  std::string names;
  for (const Coordinate& c : joint.type->coordinates) {
    if (!unit.empty() && c.unit != unit) continue;
    usable.push_back(&c);
    names += fmt::format("{}\"{}\"", names.empty() ? "" : " or ", c.name);
  }
  if (usable.empty()) {
    context.diagnostics.error("E221", force.arguments["joint"].span,
                              unit.empty() || joint.type->coordinates.empty()
                                  ? fmt::format("{}: {} joint '{}' has no coordinate to act on",
                                                label_of(force), joint.type->id, joint.name.text)
                                  : fmt::format("{}: {} joint '{}' does not {}", label_of(force),
                                                joint.type->id, joint.name.text, motion_word(unit)),
                              alternative_hint(force, joint));
    return nullptr;
  }
  const Argument* given = force.arguments.find("coordinate");
  if (given == nullptr) {
    if (usable.size() > 1) {
      context.diagnostics.error("E222", force.arguments["joint"].span,
                                fmt::format("{}: {} joint '{}' has several coordinates to act on",
                                            label_of(force), joint.type->id, joint.name.text),
                                fmt::format("add coordinate={}", names));
      return nullptr;
    }
    return usable.front();
  }
  if (given->text.empty()) return nullptr;  // not a word of the language; reported
  for (const Coordinate* c : usable)
    if (c->name == given->text) return c;
  context.diagnostics.error(
      "E221", given->span,
      fmt::format("{}: {} joint '{}' has no such coordinate '{}'", label_of(force), joint.type->id,
                  joint.name.text, given->text),
      fmt::format("write coordinate={}", names));
  return nullptr;
}

// Friction takes N or N.m, depending on the coordinate.
void check_friction_units(const Force& force, const Coordinate& coordinate, RuleContext& context) {
  const bool turns = coordinate.unit == "rad";
  const std::pair<std::string_view, std::string_view> expected[] = {
      {"coulomb", turns ? "N.m" : "N"},
      {"viscous", turns ? "N.m.s/rad" : "N.s/m"},
      {"velocity", turns ? "rad/s" : "m/s"}};
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
  const Coordinate* coordinate = check_coordinate(force, joint, context);
  if (coordinate == nullptr) return;
  set_coordinate(force, coordinate->name);
  if (force.type->id == "friction") check_friction_units(force, *coordinate, context);
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
  }
}

}  // namespace mechfmu
