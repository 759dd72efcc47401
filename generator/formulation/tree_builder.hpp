// Hangs the bodies of a mechanism on the motions of their tree joints. Used three times: with the
// symbols of q for the system itself, with start values for the first guess, and with zeros to see
// in which plane everything lies.
#pragma once
#include <functional>
#include <vector>

#include "formulation/formulated.hpp"

namespace mechfmu {

// Geometry of a joint from its arguments; child_turn is what turns the child frame onto the
// parent's axis.
struct JointSetting {
  JointGeometry geometry;
  Mat3 child_turn;
};
JointSetting make_joint_setting(const Formulated& system, const Mechanism& mechanism, int joint);

// Frame pose in its body ("crank.tip"), identity for an origin frame.
Pose pose_in_body(const Formulated& system, const Mechanism& mechanism, int body, int frame);
// The joint's own frames in their bodies.
Pose parent_frame_in_body(const Formulated& system, const Mechanism& mechanism, int joint);
Pose child_frame_in_body(const Formulated& system, const Mechanism& mechanism, int joint);

struct BuiltTree {
  TreeModel model;
  std::vector<int> body_node;
  std::vector<Pose> body_pose;
  std::vector<std::vector<int>> motion_nodes;  // per joint (tree joints): node of motion k
};

// Which coordinates motion `k` of the tree joint has. `joint` -1: the floating body of the edge.
// `inboard` is the pose of the joint's frame on the inboard side in the world.
using StateOfMotion = std::function<MotionState(const TreeEdge& edge, int k, const Motion& motion,
                                                const Pose& inboard)>;
using VelocityOfMotion = std::function<int(const TreeEdge& edge, int k)>;

std::vector<Motion> motions_of(const Formulated& system, const Mechanism& mechanism,
                               int joint);  // -1: free

BuiltTree build_tree(const Formulated& system, const Mechanism& mechanism, const SpanningTree& tree,
                     const StateOfMotion& state, const VelocityOfMotion& first_velocity);

// With all coordinates zero.
BuiltTree build_at_zero(const Formulated& system, const Mechanism& mechanism,
                        const SpanningTree& tree);
Pose body_in_world(const BuiltTree& built, std::size_t body);

// Coordinates at rest.
MotionState resting_state(Graph& graph, const Motion& motion, std::vector<Expr> q);

}  // namespace mechfmu
