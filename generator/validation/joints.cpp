// Rules about joints: check_joint_sides, check_axes, check_lengths, check_connections.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/number_text.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

namespace {

constexpr double kSquareTolerance =
    1e-6;  // |cos| of the angle between the two axes of a universal joint
constexpr double kOppositeTolerance =
    1e-6;  // [rad] below it the shortest turn from axis to child_axis is arbitrary
constexpr double kShortestAxis = 1e-100;  // squares of anything shorter vanish

std::string label_of(const Joint& joint) { return fmt::format("joint '{}'", joint.name.text); }

double length_of(const std::vector<double>& v) { return std::hypot(v[0], v[1], v[2]); }
double calc_cosine(const std::vector<double>& a, const std::vector<double>& b) {
  const double la = length_of(a);
  const double lb = length_of(b);
  return (a[0] / la) * (b[0] / lb) + (a[1] / la) * (b[1] / lb) + (a[2] / la) * (b[2] / lb);
}

// The axis if it has a direction.
std::optional<std::vector<double>> check_direction(const Argument* axis, const std::string& label,
                                                   RuleContext& context) {
  if (axis == nullptr) return std::nullopt;
  std::optional<std::vector<double>> v = context.find_values(axis->values);
  if (!v || length_of(*v) > kShortestAxis) return v;
  context.diagnostics.error("E214", axis->span,
                            fmt::format("{}: {} has no direction", label, axis->attribute->name),
                            "an axis may have any length but zero: 0 0 1");
  return std::nullopt;
}

void check_joint_axes(const Joint& joint, RuleContext& context) {
  const std::string label = label_of(joint);
  const auto axis = check_direction(joint.arguments.find("axis"), label, context);
  const auto child_axis = check_direction(joint.arguments.find("child_axis"), label, context);
  const auto axis2 = check_direction(joint.arguments.find("axis2"), label, context);
  check_direction(joint.arguments.find("normal"), label, context);
  if (axis && axis2) {
    const double cosine = calc_cosine(*axis, *axis2);
    if (std::abs(cosine) > kSquareTolerance) {
      const double degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::acos(-1.0);
      const Argument& argument = joint.arguments["axis2"];
      context.diagnostics.error(
          "E215", argument.given ? argument.span : joint.arguments["axis"].span,
          fmt::format("{}: axis and axis2 are at {:.4g} deg, not square to each other", label,
                      degrees),
          "the cross of a universal joint has a right angle");
    }
  }
  // perpendicular and angle are about the angle between the two
  const bool same_axis =
      joint.type != nullptr && joint.type->id != "perpendicular" && joint.type->id != "angle";
  if (axis && child_axis && same_axis) {
    // distance of the unit vectors from opposite: |a + b|, which is the missing angle when small
    std::vector<double> sum(3);
    for (std::size_t i = 0; i < 3; ++i)
      sum[i] = (*axis)[i] / length_of(*axis) + (*child_axis)[i] / length_of(*child_axis);
    if (length_of(sum) < kOppositeTolerance)
      context.diagnostics.error(
          "E216", joint.arguments["child_axis"].span,
          fmt::format("{}: child_axis is opposite to axis, so position 0 is not defined", label),
          "turn the child's frame with rpy instead");
  }
}

// Union-find over the bodies; the ground is the last element.
class Components {
 public:
  explicit Components(std::size_t bodies) : parent_(bodies + 1) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) { parent_[find(index_of(a))] = find(index_of(b)); }
  bool is_grounded(std::size_t body) { return find(body) == find(parent_.size() - 1); }

 private:
  std::size_t index_of(int body) const {
    return body == kGround ? parent_.size() - 1 : static_cast<std::size_t>(body);
  }
  std::vector<std::size_t> parent_;
};

void report_floating(const std::vector<std::size_t>& members, RuleContext& context) {
  const std::vector<Body>& bodies = context.mechanism.bodies;
  const Body& first = bodies[members.front()];
  const std::string hint = fmt::format(
      "if this is meant: <joint name=\"...\" type=\"free\" parent=\"ground\" child=\"{}\"/>",
      first.name.text);
  if (members.size() == 1) {
    context.diagnostics.error("E217", first.name.span,
                              fmt::format("body '{}' is in no joint", first.name.text), hint);
    return;
  }
  std::string list;
  for (std::size_t i = 0; i < members.size() && i < 6; ++i)
    list += fmt::format("{}'{}'", i == 0 ? "" : ", ", bodies[members[i]].name.text);
  if (members.size() > 6) list += ", ...";
  context.diagnostics.error(
      "E218", first.name.span,
      fmt::format("bodies {} are connected to each other but not to the ground", list), hint);
}

}  // namespace

void check_joint_sides(RuleContext& context) {
  for (const Joint& joint : context.mechanism.joints) {
    if (!joint.connects_frames() || joint.parent.body == kUnresolved ||
        joint.parent.body != joint.child.body)
      continue;
    context.diagnostics.error(
        "E213", joint.child.name.span,
        fmt::format(
            "{} connects {} to itself", label_of(joint),
            joint.parent.body == kGround
                ? std::string("the ground")
                : fmt::format("body '{}'",
                              context.mechanism.bodies[static_cast<std::size_t>(joint.parent.body)]
                                  .name.text)),
        "parent and child must be on different bodies");
  }
}

void check_axes(RuleContext& context) {
  for (const Joint& joint : context.mechanism.joints) check_joint_axes(joint, context);
  for (const Drive& drive : context.mechanism.drives)
    check_direction(drive.arguments.find("axis"), fmt::format("drive '{}'", drive.name.text),
                    context);
  for (const Body& body : context.mechanism.bodies)
    for (const Solid& solid : body.solids)
      check_direction(solid.arguments.find("axis"), fmt::format("body '{}'", body.name.text),
                      context);
}

void check_lengths(RuleContext& context) {
  constexpr double kPi = 3.14159265358979323846;
  for (const Joint& joint : context.mechanism.joints) {
    if (joint.type == nullptr) continue;
    const auto refuse = [&](std::string_view name, std::string_view rule, const std::string& hint,
                            const auto& is_good, bool in_degrees = false) {
      const Argument* argument = joint.arguments.find(name);
      if (argument == nullptr) return;
      const std::optional<double> value = context.find_value(argument->values[0]);
      if (!value || is_good(*value)) return;
      context.diagnostics.error(
          "E206", argument->span,
          fmt::format(
              "{}: {} must be {}, got {}", label_of(joint), name, rule,
              in_degrees ? fmt::format("{:.6g} deg", *value * 180 / kPi) : number_text(*value)),
          hint);
    };
    const auto is_positive = [](double x) { return x > 0; };
    const auto is_nonzero = [](double x) { return x != 0; };
    refuse("length", "> 0", "to hold two points together use a spherical joint", is_positive);
    refuse("pitch", "other than 0", "a screw that does not advance is a revolute joint",
           is_nonzero);
    refuse("ratio", "other than 0", "", is_nonzero);
    if (joint.type->id == "angle")
      refuse(
          "angle", "between 0 and 180 deg", "for parallel axes use a parallel joint",
          [](double x) { return x > 0 && x < kPi; }, true);
    if (joint.connects_frames())
      refuse("radius", "> 0", "", is_positive);
    else
      refuse("radius", "other than 0", "", is_nonzero);
  }
}

void check_connections(RuleContext& context) {
  const Mechanism& m = context.mechanism;
  Components components(m.bodies.size());
  for (const Joint& joint : m.joints) {
    if (!joint.connects_frames()) continue;
    // with a side missing nothing can be said about what is connected
    if (joint.parent.body == kUnresolved || joint.child.body == kUnresolved) return;
    components.join(joint.parent.body, joint.child.body);
  }
  std::vector<std::vector<std::size_t>> members(m.bodies.size() + 1);
  for (std::size_t i = 0; i < m.bodies.size(); ++i)
    if (!components.is_grounded(i)) members[components.find(i)].push_back(i);
  for (const std::vector<std::size_t>& group : members)
    if (!group.empty()) report_floating(group, context);
}

}  // namespace mechfmu
