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
  Vec3 axis2;         // universal: second axis, in the child frame
  Expr length;        // distance
};

struct JointPhysics {
  std::string_view id;
  // motion k is coordinate k of joints.def where the joint has scalar coordinates
  std::vector<Motion> (*motions)(const JointGeometry& geometry);
  std::vector<Expr> (*residuals)(const JointGeometry& geometry, const FramePair& frames);
  std::vector<Expr> (*coordinates)(const JointGeometry& geometry, const FramePair& frames);
};

const JointPhysics& find_joint_physics(std::string_view id);  // asserts that the row has a file

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
std::vector<Expr> join(std::vector<Expr> a, const std::vector<Expr>& b);

}  // namespace residual

}  // namespace mechfmu
