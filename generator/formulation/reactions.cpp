#include "formulation/reactions.hpp"

#include <algorithm>

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct WorldWrench {
  Vec3 force, torque;  // world axes, at the origin of the frame concerned
};

// What the constraint rows of a joint exert on its parent (0) or child (1) frame: -J^T lambda.
Wrench multiplier_wrench(const Formulated& s, const FormulatedJoint& joint, std::size_t side) {
  Graph& g = *s.graph;
  Wrench sum{zero_vector(g), zero_vector(g)};
  for (const int row : joint.rows) {
    const Expr lambda = g.symbol(runtime::kMultiplier, row);
    const Wrench& unit = s.rows[at(row)].f.wrench[side];
    sum.force = sum.force - lambda * unit.force;
    sum.torque = sum.torque - lambda * unit.torque;
  }
  return sum;
}

// What the tree carries through the joint's outermost motion, less joint forces along its motions.
WorldWrench tree_wrench(const Formulated& s, const FormulatedJoint& joint,
                        const InverseDynamics& dynamics) {
  Graph& g = *s.graph;
  const std::vector<TreeNode>& nodes = s.tree->nodes();
  const auto axes_of_parent = [&](const TreeNode& n) {
    return n.parent < 0 ? identity_matrix(g) : nodes[at(n.parent)].pose_W.R;
  };
  const int outer = *std::max_element(joint.motion_nodes.begin(), joint.motion_nodes.end());
  const TreeNode& last = nodes[at(outer)];
  const TransmittedWrench& t = dynamics.transmitted[at(outer)];
  WorldWrench w{axes_of_parent(last) * t.force_P, last.pose_W.R * t.torque};
  for (std::size_t k = 0; k < joint.coordinates.size(); ++k) {
    const Expr applied = joint.coordinates[k].applied;
    const TreeNode& n = nodes[at(joint.motion_nodes[k])];
    if (n.motion.kind == MotionKind::rotate)
      w.torque = w.torque - applied * (n.motion.direction * (n.pose_W.R * n.motion.axis));
    if (n.motion.kind == MotionKind::translate)
      w.force = w.force - applied * (axes_of_parent(n) * n.slide_axis_P);
  }
  return w;
}

}  // namespace

void add_reactions(Formulated& s, const Mechanism& mechanism, const SpanningTree&) {
  // constraint forces load the tree like any other force
  std::vector<Load> loads = s.loads;
  const auto add_load = [&](int node, const Pose& in_node, const Wrench& w) {
    if (node < 0) return;
    const Mat3& R = s.tree->nodes()[at(node)].pose_W.R;
    loads[at(node)].force_W = loads[at(node)].force_W + w.force;
    loads[at(node)].torque = loads[at(node)].torque + in_node.R * w.torque +
                             cross(in_node.p, transposed_product(R, w.force));
  };
  for (const FormulatedJoint& joint : s.joints) {
    add_load(joint.parent_node, joint.parent_in_node, multiplier_wrench(s, joint, 0));
    add_load(joint.child_node, joint.child_in_node, multiplier_wrench(s, joint, 1));
  }
  const InverseDynamics dynamics =
      calc_inverse_dynamics(*s.tree, s.node_mass, loads, s.gravity, s.nv);

  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    FormulatedJoint& joint = s.joints[j];
    WorldWrench on_child;
    if (!joint.in_tree) {
      const Wrench w = multiplier_wrench(s, joint, 1);
      on_child = {w.force, joint.child.pose.R * w.torque};
    } else {
      on_child = tree_wrench(s, joint, dynamics);
      if (joint.reversed) {
        // the tree gives the wrench on the joint's parent at the parent frame; the child feels the
        // opposite
        const Vec3 lever = joint.parent.pose.p - joint.child.pose.p;
        on_child = {-on_child.force, -on_child.torque - cross(lever, on_child.force)};
      }
    }
    joint.reaction = {transposed_product(joint.parent.pose.R, on_child.force),
                      transposed_product(joint.parent.pose.R, on_child.torque)};
  }
}

}  // namespace mechfmu
