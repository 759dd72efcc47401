#include "problems/mechanism_text.hpp"

#include <fmt/format.h>

#include <map>

#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

std::string text(const Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

// Points of a body that something hangs on, each with a name; the origin needs none.
class Frames {
 public:
  explicit Frames(const Problem& problem) : problem_(problem) {}

  std::string place(int body, const Vector3d& point) {
    const std::string owner =
        body == kWorld ? "ground" : problem_.bodies[static_cast<std::size_t>(body)].name;
    if (point.isZero(0)) return owner;
    std::vector<Vector3d>& points = points_[body];
    std::size_t k = 0;
    while (k < points.size() && points[k] != point) ++k;
    if (k == points.size()) points.push_back(point);
    return fmt::format("{}.p{}", owner, k + 1);
  }
  [[nodiscard]] std::string list(int body) const {
    std::string lines;
    const auto found = points_.find(body);
    if (found == points_.end()) return lines;
    for (std::size_t k = 0; k < found->second.size(); ++k)
      lines += fmt::format("    <frame name=\"p{}\" xyz=\"{}\"/>\n", k + 1, text(found->second[k]));
    return lines;
  }

 private:
  const Problem& problem_;
  std::map<int, std::vector<Vector3d>> points_;
};

std::string solid(const Body& body) {
  const Matrix3d& i = body.inertia;
  std::string inertia = fmt::format("{} {} {}", i(0, 0), i(1, 1), i(2, 2));
  if (!i.isDiagonal(0)) inertia += fmt::format(" {} {} {}", i(0, 1), i(0, 2), i(1, 2));
  return fmt::format("    <inertial mass=\"{}\" com=\"{}\" inertia=\"{}\"/>\n", body.mass,
                     text(body.com), inertia);
}

std::string start(const Joint& joint) {
  if (joint.closes_loop || joint.kind == JointKind::spherical) return {};
  const std::string velocity =
      joint.is_given ? fmt::format(" velocity=\"{}\" fixed=\"true\"", joint.speed) : "";
  if (joint.kind == JointKind::universal)
    return fmt::format("<start angle1=\"{}\" angle2=\"{}\"/>", joint.start[0], joint.start[1]);
  return fmt::format("<start position=\"{}\"{}/>", joint.start[0], velocity);
}

std::string joint_text(const Joint& joint, Frames& frames) {
  static const std::map<JointKind, const char*> types = {{JointKind::revolute, "revolute"},
                                                         {JointKind::prismatic, "prismatic"},
                                                         {JointKind::universal, "universal"},
                                                         {JointKind::spherical, "spherical"}};
  std::string line =
      fmt::format("  <joint name=\"{}\" type=\"{}\" parent=\"{}\" child=\"{}\"", joint.name,
                  types.at(joint.kind), frames.place(joint.parent, joint.in_parent),
                  frames.place(joint.child, joint.in_child));
  if (joint.kind != JointKind::spherical) line += fmt::format(" axis=\"{}\"", text(joint.axis));
  if (joint.kind == JointKind::universal) line += fmt::format(" axis2=\"{}\"", text(joint.axis2));
  return line + ">" + start(joint) + "</joint>\n";
}

}  // namespace

std::string mechanism_text(const Problem& problem) {
  Frames frames(problem);
  std::string joints, forces, outputs;
  for (const Joint& joint : problem.joints) {
    joints += joint_text(joint, frames);
    if (joint.torque != 0)
      forces += fmt::format(
          "  <force name=\"{0}_motor\" type=\"joint_torque\" joint=\"{0}\" value=\"{1}\"/>\n",
          joint.name, joint.torque);
  }
  for (const Spring& spring : problem.springs)
    forces += fmt::format(
        "  <force name=\"{}\" type=\"spring_damper\" from=\"{}\" to=\"{}\" stiffness=\"{}\" "
        "length=\"{}\"/>\n",
        spring.name, frames.place(spring.body_a, spring.point_a),
        frames.place(spring.body_b, spring.point_b), spring.stiffness, spring.length);
  const std::string marker = frames.place(problem.marker_body, problem.marker);
  for (int k = 0; k < (problem.is_planar ? 2 : 3); ++k)
    outputs += fmt::format("  <output name=\"marker_{}\" value=\"{}.position[{}]\" unit=\"m\"/>\n",
                           "xyz"[k], marker, k + 1);

  const std::vector<BodyState> placed = start_pose(problem);
  std::string bodies;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    bodies += fmt::format("  <body name=\"{}\">\n", problem.bodies[i].name);
    bodies += solid(problem.bodies[i]) + frames.list(static_cast<int>(i));
    for (const Joint& joint : problem.joints)
      if (joint.kind == JointKind::spherical && !joint.closes_loop &&
          joint.child == static_cast<int>(i))
        bodies += fmt::format("    <pose xyz=\"{}\"/>\n", text(placed[i].origin));
    bodies += "  </body>\n";
  }
  return fmt::format(
      "<mechanism name=\"{}\" gravity=\"{}\">\n  <ground>\n{}  </ground>\n{}{}{}{}  <experiment "
      "stop=\"{}\" step=\"{}\"/>\n</mechanism>\n",
      problem.name, text(problem.gravity), frames.list(kWorld), bodies, joints, forces, outputs,
      problem.duration, problem.interval());
}

}  // namespace mechfmu::bench
