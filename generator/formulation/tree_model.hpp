// Kinematics of a tree of elementary motions, as graph expressions.
//
// Every joint is a chain of elementary motions (turn about an axis, slide along one, turn freely,
// none), each a node of its own; bodies are welded to nodes. So there is one recursion for all
// joints and for both formulations: `joint` hangs the bodies on their real joints, `absolute` hangs
// every body on the ground by a free or planar one.
//
// Notation: P inboard node, C this node, W world. R_PC turns C components into P components; p_PC
// is the position of C's origin from P's, in P axes; w_C, alpha_C angular velocity and acceleration
// in C axes; v_W, a_W velocity and acceleration of C's origin in world axes. Accelerations contain
// the symbols of dv/dt.
#pragma once
#include <vector>

#include "formulation/rotation.hpp"
#include "graph/vector3.hpp"

namespace mechfmu {

struct Pose {
  Vec3 p;
  Mat3 R;
};
Pose identity_pose(Graph& graph);
Pose compose(const Pose& a, const Pose& b);  // b given in a
Pose invert(const Pose& a);

enum class MotionKind { rotate, translate, ball, weld };

struct Motion {
  MotionKind kind = MotionKind::rotate;
  Vec3 axis;             // unit vector; unused by ball and weld
  double direction = 1;  // -1 where the tree runs through the joint from child to parent
  Expr pitch = {};       // rotate: travel along the axis per radian, none if unset
  [[nodiscard]] bool is_screw() const { return pitch.graph() != nullptr; }
};

// Coordinates, rates and accelerations of one motion: 1 each, 4 / 3 / 3 for a ball, none for a
// weld.
struct MotionState {
  std::vector<Expr> q, v, a;
};

struct TreeNode {
  int parent = -1;  // -1: the world
  Motion motion;
  MotionState state;
  int first_velocity = -1;  // index of its first velocity in v
  // relative
  Pose pose_PC;
  Vec3 slide_axis_P;  // travel of the origin per unit of the coordinate, in P axes
  Vec3 slide_rate_P;  // d(p_PC)/dt in P axes
  // absolute
  Pose pose_W;
  Vec3 w, alpha;  // in C axes
  Vec3 v_W, a_W;
  // what recursive dynamics needs: acceleration of the origin relative to P's origin, in P axes
  Vec3 relative_acceleration_P;
};

struct FrameMotion {  // of a frame fixed to a node, or of the world itself
  Pose pose;          // in world axes
  Vec3 v, w;          // velocity in world axes, angular velocity in frame axes
  Vec3 a, alpha;      // likewise
};

class TreeModel {
 public:
  explicit TreeModel(Graph& graph) : graph_(&graph) {}

  // Adds a motion after `before`, the pose of the motion's zero frame in the parent node. Returns
  // the node's index.
  int add(int parent, const Pose& before, const Motion& motion, MotionState state,
          int first_velocity);

  [[nodiscard]] const std::vector<TreeNode>& nodes() const { return nodes_; }
  [[nodiscard]] FrameMotion frame(int node,
                                  const Pose& in_node) const;  // node -1: fixed in the world
  [[nodiscard]] Graph& graph() const { return *graph_; }

 private:
  Graph* graph_;
  std::vector<TreeNode> nodes_;
};

}  // namespace mechfmu
