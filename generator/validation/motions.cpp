// resolve_motion(), and the rules check_drives and check_couplings.
#include "validation/motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "readers/element_types.hpp"
#include "readers/units.hpp"
#include "readers/value_parser.hpp"

namespace mechfmu {

namespace {

std::string_view motion_word(std::string_view unit) { return unit == "rad" ? "turn" : "slide"; }

void write_motion(Arguments& arguments, const std::vector<Attribute>& table,
                  const MotionRequest& request, std::string_view motion) {
  for (Argument& argument : arguments.list) {
    if (argument.attribute->name != request.attribute) continue;
    argument.text = std::string(motion);
    return;
  }
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const Attribute& a) { return a.name == request.attribute; });
  const auto joint =
      std::find_if(arguments.list.begin(), arguments.list.end(),
                   [&](const Argument& a) { return a.attribute->name == request.joint_attribute; });
  Argument argument;
  argument.attribute = &*row;
  argument.span = joint->span;
  argument.text = std::string(motion);
  arguments.list.insert(joint + 1, std::move(argument));
}

const Coordinate* find_motion(const Arguments& arguments, const Joint& joint,
                              const MotionRequest& request, RuleContext& context) {
  const Argument& joint_argument = arguments[request.joint_attribute];
  std::vector<const Coordinate*> usable;
  std::string names;
  for (const Coordinate& c : joint.type->coordinates) {
    if (!request.unit.empty() && c.unit != request.unit) continue;
    usable.push_back(&c);
    names += fmt::format("{}\"{}\"", names.empty() ? "" : " or ", c.name);
  }
  if (usable.empty()) {
    context.diagnostics.error(
        "E221", joint_argument.span,
        request.unit.empty() || joint.type->coordinates.empty()
            ? fmt::format("{}: {} joint '{}' has no coordinate to act on", request.label,
                          joint.type->id, joint.name.text)
            : fmt::format("{}: {} joint '{}' does not {}", request.label, joint.type->id,
                          joint.name.text, motion_word(request.unit)),
        request.hint);
    return nullptr;
  }
  const Argument* given = arguments.find(request.attribute);
  if (given == nullptr) {
    if (usable.size() == 1) return usable.front();
    context.diagnostics.error("E222", joint_argument.span,
                              fmt::format("{}: {} joint '{}' has several coordinates to act on",
                                          request.label, joint.type->id, joint.name.text),
                              fmt::format("add {}={}", request.attribute, names));
    return nullptr;
  }
  if (given->text.empty()) return nullptr;  // not a word of the language; reported
  for (const Coordinate* c : usable)
    if (c->name == given->text) return c;
  context.diagnostics.error(
      "E221", given->span,
      fmt::format("{}: {} joint '{}' has no such coordinate '{}'", request.label, joint.type->id,
                  joint.name.text, given->text),
      fmt::format("write {}={}", request.attribute, names));
  return nullptr;
}

// The unit that was written must measure the driven motion.
void check_drive_unit(const Argument& value, std::string_view position_unit,
                      const std::string& label, RuleContext& context) {
  if (value.unit.empty()) return;
  std::string expected(position_unit);
  if (value.attribute->name == "velocity") expected += "/s";
  if (value.attribute->name == "acceleration") expected += "/s2";
  if (is_compatible(*find_unit(value.unit), *find_unit(expected))) return;
  context.diagnostics.error("E408", value.span,
                            fmt::format("{}: {}: '{}' does not convert to {}", label,
                                        value.attribute->name, value.unit, expected));
}

void check_drive(Drive& drive, RuleContext& context) {
  const std::string label = fmt::format("drive '{}'", drive.name.text);
  Arguments& arguments = drive.arguments;
  std::vector<const Argument*> values;
  for (const std::string_view name : {"position", "velocity", "acceleration"})
    if (const Argument* value = arguments.find(name)) values.push_back(value);
  if (values.size() != 1)
    context.diagnostics.error(
        "E231", values.empty() ? drive.span : values[1]->span,
        values.empty() ? fmt::format("{}: nothing is prescribed", label)
                       : fmt::format("{}: {} and {} are both prescribed", label,
                                     values[0]->attribute->name, values[1]->attribute->name),
        "give one of position, velocity and acceleration; the others follow");
  const Argument* joint = arguments.find("joint");
  const Argument* frame = arguments.find("frame");
  if ((joint == nullptr) == (frame == nullptr)) {
    context.diagnostics.error("E231", joint != nullptr ? frame->span : drive.span,
                              joint != nullptr
                                  ? fmt::format("{}: both a joint and a frame are given", label)
                                  : fmt::format("{}: nothing is driven", label),
                              "write joint=\"...\", or frame=\"...\" axis=\"0 0 1\"");
    return;
  }
  if (frame != nullptr) {
    if (arguments.find("axis") == nullptr)
      context.diagnostics.error("E231", frame->span,
                                fmt::format("{}: a frame is driven along an axis", label),
                                "add axis=\"0 0 1\", a direction in world axes");
    if (frame->frame.body == kGround)
      context.diagnostics.error("E224", frame->span,
                                fmt::format("{}: the ground cannot be driven", label),
                                "name a body or a frame of a body");
    if (const Argument* coordinate = arguments.find("coordinate"))
      context.diagnostics.error(
          "E231", coordinate->span,
          fmt::format("{}: coordinates belong to joints, not to frames", label),
          "remove the coordinate");
    if (values.size() == 1) check_drive_unit(*values[0], "m", label, context);
    return;
  }
  if (const Argument* axis = arguments.find("axis"))
    context.diagnostics.error("E231", axis->span,
                              fmt::format("{}: the joint has its own axis", label),
                              "remove the axis");
  // before the arguments grow and move
  const std::optional<Argument> value =
      values.size() == 1 ? std::optional(*values[0]) : std::nullopt;
  const Coordinate* motion =
      resolve_motion(arguments, find_element_type("drive").attributes,
                     {label, "joint", "coordinate", "",
                      "drive a joint with a coordinate, or a frame along an axis"},
                     context);
  if (motion != nullptr && value) check_drive_unit(*value, motion->unit, label, context);
}

void check_coupling(Joint& joint, RuleContext& context) {
  const bool rack = joint.type->id == "rack_and_pinion";
  const bool gear = joint.type->id == "gear";
  const std::string label = fmt::format("joint '{}'", joint.name.text);
  const auto make_hint = [&](std::string_view attribute) -> std::string {
    const int other = joint.arguments[attribute].joint;
    const JointType* type =
        other < 0 ? nullptr : context.mechanism.joints[static_cast<std::size_t>(other)].type;
    return type == nullptr || type->coordinates.empty()
               ? "couple joints that turn or slide, such as revolute and prismatic ones"
               : "use type=\"coupler\" for motions of other kinds";
  };
  const std::string_view first = rack ? "rack" : "joint1", second = rack ? "pinion" : "joint2";
  const MotionRequest requests[] = {
      {label, first, "coordinate1",
       rack   ? "m"
       : gear ? "rad"
              : "",
       make_hint(first)},
      {label, second, "coordinate2", rack || gear ? "rad" : "", make_hint(second)}};
  const Coordinate* motions[2] = {};
  for (int i = 0; i < 2; ++i)
    motions[i] = resolve_motion(joint.arguments, joint.type->attributes, requests[i], context);
  if (motions[0] == nullptr || motions[1] == nullptr) return;
  if (motions[0] == motions[1] && joint.arguments[requests[0].joint_attribute].joint ==
                                      joint.arguments[requests[1].joint_attribute].joint)
    context.diagnostics.error("E223", joint.arguments[requests[1].joint_attribute].span,
                              fmt::format("{}: a motion is coupled to itself", label),
                              "name two different motions");
}

}  // namespace

const Coordinate* resolve_motion(Arguments& arguments, const std::vector<Attribute>& table,
                                 const MotionRequest& request, RuleContext& context) {
  const int index = arguments[request.joint_attribute].joint;
  if (index < 0) return nullptr;
  const Joint& joint = context.mechanism.joints[static_cast<std::size_t>(index)];
  if (joint.type == nullptr) return nullptr;
  const Coordinate* motion = find_motion(arguments, joint, request, context);
  if (motion != nullptr) write_motion(arguments, table, request, motion->name);
  return motion;
}

void check_drives(RuleContext& context) {
  for (Drive& drive : context.mechanism.drives) check_drive(drive, context);
}

void check_couplings(RuleContext& context) {
  for (Joint& joint : context.mechanism.joints)
    if (joint.type != nullptr && !joint.connects_frames()) check_coupling(joint, context);
}

}  // namespace mechfmu
