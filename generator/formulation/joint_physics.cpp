#include "formulation/joint_physics.hpp"

#include <string>

#include "support/assert.hpp"

namespace mechfmu {

#define JOINT(id, ...) extern const JointPhysics joint_##id;
#include "formulation/joints.def"
#undef JOINT

const JointPhysics& find_joint_physics(std::string_view id) {
  static const JointPhysics* const kTypes[] = {
#define JOINT(id, ...) &joint_##id,
#include "formulation/joints.def"
#undef JOINT
  };
  for (const JointPhysics* type : kTypes)
    if (type->id == id) return *type;
  fail_assertion(__FILE__, __LINE__, "no physics for joint type '" + std::string(id) + "'");
}

namespace residual {

std::vector<Expr> same_point(const FramePair& f) {
  const Vec3 d = f.child.p - f.parent.p;
  return {d[0], d[1], d[2]};
}

Vec3 relative_position(const FramePair& f) {
  return transposed_product(f.parent.R, f.child.p - f.parent.p);
}

std::vector<Expr> same_axis(const JointGeometry& g, const FramePair& f) {
  const Vec3 axis = f.parent.R * g.axis;
  return {dot(axis, f.child.R * g.side1), dot(axis, f.child.R * g.side2)};
}

std::vector<Expr> same_orientation(const FramePair& f) {
  const auto dot_of = [&](std::size_t i, std::size_t j) {
    return dot(f.parent.R.column(i), f.child.R.column(j));
  };
  return {dot_of(1, 0), dot_of(2, 1), dot_of(0, 2)};
}

Expr angle_about_axis(const JointGeometry& g, const FramePair& f) {
  const Vec3 side = f.child.R * g.side1;
  return atan2(dot(f.parent.R * g.side2, side), dot(f.parent.R * g.side1, side));
}

Vec3 relative_velocity(const MotionPair& f, const Vec3& lever) {
  const Vec3 point = f.child.pose.p + lever;
  const Vec3 of_child = f.child.v + cross(f.child.pose.R * f.child.w, lever);
  const Vec3 of_parent = f.parent.v + cross(f.parent.pose.R * f.parent.w, point - f.parent.pose.p);
  return of_child - of_parent;
}

std::vector<Expr> no_slip(const JointGeometry& g, const MotionPair& f, const Vec3& lever) {
  const Vec3 slip = relative_velocity(f, lever);
  return {dot(f.parent.pose.R * g.tangent1, slip), dot(f.parent.pose.R * g.tangent2, slip)};
}

Expr in_proportion(const JointGeometry& g, Expr first, Expr second) {
  return first - g.ratio * second - g.offset;
}

std::vector<Expr> join(std::vector<Expr> a, const std::vector<Expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace residual

}  // namespace mechfmu
