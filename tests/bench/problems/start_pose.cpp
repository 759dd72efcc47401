#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

Matrix3d turn(const Vector3d& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

}  // namespace

BodyState state_of(const std::vector<BodyState>& bodies, int body) {
  return body == kWorld ? BodyState() : bodies[static_cast<std::size_t>(body)];
}

std::vector<BodyState> start_pose(const Problem& problem) {
  std::vector<BodyState> bodies(problem.bodies.size());
  for (const Joint& joint : problem.joints) {
    if (joint.closes_loop) continue;
    const BodyState parent = state_of(bodies, joint.parent);
    BodyState& child = bodies[static_cast<std::size_t>(joint.child)];
    const Vector3d axis = parent.rotation * joint.axis;
    Vector3d pin = parent.at(joint.in_parent);
    Vector3d pin_velocity = parent.velocity_at(joint.in_parent);
    child.angular = parent.angular;
    switch (joint.kind) {
      case JointKind::revolute:
        child.rotation = parent.rotation * turn(joint.axis, joint.start[0]);
        child.angular += joint.speed * axis;
        break;
      case JointKind::prismatic:
        child.rotation = parent.rotation;
        pin += joint.start[0] * axis;
        pin_velocity += joint.speed * axis + parent.angular.cross(joint.start[0] * axis);
        break;
      case JointKind::universal:
        child.rotation =
            parent.rotation * turn(joint.axis, joint.start[0]) * turn(joint.axis2, joint.start[1]);
        break;
      case JointKind::spherical:
        child.rotation = parent.rotation * joint.start_rotation;
        break;
    }
    const Vector3d arm = child.rotation * joint.in_child;
    child.origin = pin - arm;
    child.velocity = pin_velocity - child.angular.cross(arm);
  }
  return bodies;
}

double largest_gap(const Problem& problem, const std::vector<BodyState>& bodies) {
  double largest = 0;
  for (const Joint& joint : problem.joints) {
    const Vector3d gap = state_of(bodies, joint.parent).at(joint.in_parent) -
                         state_of(bodies, joint.child).at(joint.in_child);
    if (joint.closes_loop) largest = std::max(largest, gap.norm());
  }
  return largest;
}

Vector3d marker_position(const Problem& problem, const std::vector<BodyState>& bodies) {
  return state_of(bodies, problem.marker_body).at(problem.marker);
}

}  // namespace mechfmu::bench
