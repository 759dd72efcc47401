#include "formulation/tree_model.hpp"

namespace mechfmu {

Pose identity_pose(Graph& graph) { return {zero_vector(graph), identity_matrix(graph)}; }
Pose compose(const Pose& a, const Pose& b) { return {a.p + a.R * b.p, a.R * b.R}; }
Pose invert(const Pose& a) {
  const Mat3 R = transpose(a.R);
  return {-(R * a.p), R};
}

int TreeModel::add(int parent, const Pose& before, const Motion& motion, MotionState state,
                   int first_velocity) {
  Graph& g = *graph_;
  const Vec3 zero = zero_vector(g);
  TreeNode n;
  n.parent = parent;
  n.motion = motion;
  n.first_velocity = first_velocity;
  n.state = std::move(state);
  n.slide_axis_P = n.slide_rate_P = zero;
  const double sign = motion.direction;

  n.pose_PC = before;
  Vec3 spin = zero, spin_rate = zero;  // relative angular velocity and its rate, in C axes
  Vec3 slide_acceleration = zero;
  switch (motion.kind) {
    case MotionKind::rotate:
      n.pose_PC.R = before.R * rotation_about(motion.axis, sign * n.state.q[0]);
      spin = (sign * n.state.v[0]) * motion.axis;
      spin_rate = (sign * n.state.a[0]) * motion.axis;
      if (motion.is_screw()) {
        n.slide_axis_P = (sign * motion.pitch) * (before.R * motion.axis);
        n.pose_PC.p = before.p + n.state.q[0] * n.slide_axis_P;
        n.slide_rate_P = n.state.v[0] * n.slide_axis_P;
        slide_acceleration = n.state.a[0] * n.slide_axis_P;
      }
      break;
    case MotionKind::translate:
      n.slide_axis_P = sign * (before.R * motion.axis);
      n.pose_PC.p = before.p + n.state.q[0] * n.slide_axis_P;
      n.slide_rate_P = n.state.v[0] * n.slide_axis_P;
      slide_acceleration = n.state.a[0] * n.slide_axis_P;
      break;
    case MotionKind::ball:
      n.pose_PC.R = before.R * rotation_from_quaternion(
                                   {n.state.q[0], n.state.q[1], n.state.q[2], n.state.q[3]});
      spin = {{n.state.v[0], n.state.v[1], n.state.v[2]}};
      spin_rate = {{n.state.a[0], n.state.a[1], n.state.a[2]}};
      break;
    case MotionKind::weld:
      break;
  }

  const FrameMotion P = frame(parent, identity_pose(g));
  const Vec3 w_P_in_C = transposed_product(n.pose_PC.R, P.w);
  n.w = w_P_in_C + spin;
  n.alpha = transposed_product(n.pose_PC.R, P.alpha) + cross(w_P_in_C, spin) + spin_rate;
  const Vec3& d = n.pose_PC.p;
  n.relative_acceleration_P = cross(P.alpha, d) + cross(P.w, cross(P.w, d)) +
                              2.0 * cross(P.w, n.slide_rate_P) + slide_acceleration;
  n.pose_W = compose(P.pose, n.pose_PC);
  n.v_W = P.v + P.pose.R * (cross(P.w, d) + n.slide_rate_P);
  n.a_W = P.a + P.pose.R * n.relative_acceleration_P;
  nodes_.push_back(std::move(n));
  return static_cast<int>(nodes_.size()) - 1;
}

FrameMotion TreeModel::frame(int node, const Pose& in_node) const {
  const Vec3 zero = zero_vector(*graph_);
  if (node < 0) return {in_node, zero, zero, zero, zero};
  const TreeNode& n = nodes_[static_cast<std::size_t>(node)];
  const Vec3& s = in_node.p;
  FrameMotion f;
  f.pose = compose(n.pose_W, in_node);
  f.v = n.v_W + n.pose_W.R * cross(n.w, s);
  f.a = n.a_W + n.pose_W.R * (cross(n.alpha, s) + cross(n.w, cross(n.w, s)));
  f.w = transposed_product(in_node.R, n.w);
  f.alpha = transposed_product(in_node.R, n.alpha);
  return f;
}

}  // namespace mechfmu
