// The physics of a joint type, one file in joints/ each: the motions it allows (when it carries a
// body), the residuals that vanish where it holds (when it closes a loop), and how its coordinates
// are read off two frames. Rates, Jacobians, velocity terms and reactions are derived from these by
// the graph.
//
// Both frames are the joint's own: the child frame is turned so that the axis has the same
// components in both.
#pragma once
#include <string_view>
#include <vector>

#include "formulation/frame_function.hpp"
#include "formulation/tree_model.hpp"

namespace mechfmu {

struct JointGeometry {
  Graph* graph = nullptr;
  Vec3 axis;          // unit vector in the joint's frames
  Vec3 side1, side2;  // axis, side1, side2 are a right-handed set: side1 x side2 = axis
  Vec3 axis2;         // universal: second axis; perpendicular, angle: axis; in the child frame
  Vec3 normal;        // rolling joints, blade: of the plane, in the parent frame
  Vec3 tangent1, tangent2;  // in that plane, square to each other
  // attributes of these names, 0 where a type has none; pitch in metres per radian
  Expr length, pitch, radius, angle, ratio, offset;
};

struct JointPhysics {
  std::string_view id;
  // motion k is coordinate k of joints.def where the joint has scalar coordinates
  std::vector<Motion> (*motions)(const JointGeometry& geometry);
  std::vector<Expr> (*residuals)(const JointGeometry& geometry, const FramePair& frames);
  std::vector<Expr> (*coordinates)(const JointGeometry& geometry, const FramePair& frames);

  // What few joints have besides. Residuals of velocities (nonholonomic rows):
  std::vector<Expr> (*rate_residuals)(const JointGeometry& geometry,
                                      const MotionPair& frames) = nullptr;
  // A residual of two positions: of the joint's own coordinates where it has two, else of the
  // motions that joint1 and joint2 name.
  Expr (*coupling)(const JointGeometry& geometry, Expr first, Expr second) = nullptr;
  // child_axis is not brought onto axis: the angle between them is what the joint is about
  bool keeps_axes_apart = false;
};

const JointPhysics& find_joint_physics(std::string_view id);  // asserts that the row has a file

// What joints without motions, residuals or coordinates have instead.
inline std::vector<Motion> no_motions(const JointGeometry&) { return {}; }
inline std::vector<Expr> no_functions(const JointGeometry&, const FramePair&) { return {}; }

// Building blocks that several joints share.
namespace residual {

// Origins coincide: three rows, in world axes (parent axes would only cost more).
std::vector<Expr> same_point(const FramePair& frames);
// The child's origin seen from the parent frame.
Vec3 relative_position(const FramePair& frames);
// The axis has the same direction in both frames: two rows.
std::vector<Expr> same_axis(const JointGeometry& geometry, const FramePair& frames);
// The frames have the same orientation: three rows.
std::vector<Expr> same_orientation(const FramePair& frames);
// Turn of the child about the common axis, in (-pi, pi].
Expr angle_about_axis(const JointGeometry& geometry, const FramePair& frames);
// Velocity of the child's material point at `lever` from its origin (world axes) as seen from the
// parent's body, in world axes.
Vec3 relative_velocity(const MotionPair& frames, const Vec3& lever);
// No such velocity along the plane with the joint's normal: two rows.
std::vector<Expr> no_slip(const JointGeometry& geometry, const MotionPair& frames,
                          const Vec3& lever);
// first = ratio second + offset
Expr in_proportion(const JointGeometry& geometry, Expr first, Expr second);
std::vector<Expr> join(std::vector<Expr> a, const std::vector<Expr>& b);

}  // namespace residual

}  // namespace mechfmu
