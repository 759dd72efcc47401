#include "formulation/reactions.hpp"

#include <algorithm>

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct WorldWrench {
  Vec3 force, torque;  // world axes, at the origin of the frame concerned
};

// What the constraint rows of a joint exert on its child frame: -J^T lambda.
Wrench multiplier_wrench(const Formulated& s, const FormulatedJoint& joint) {
  Graph& g = *s.graph;
  Wrench sum{zero_vector(g), zero_vector(g)};
  for (const int row : joint.rows) {
    const Expr lambda = g.symbol(runtime::kMultiplier, row);
    for (const FrameAction& action : s.rows[at(row)].effort.frames) {
      if (!action.on_child) continue;
      sum.force = sum.force - lambda * action.wrench.force;
      sum.torque = sum.torque - lambda * action.wrench.torque;
    }
  }
  return sum;
}

// What the tree carries through the joint's outermost motion, less what acts along its motions.
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
    const TreeNode& n = nodes[at(joint.motion_nodes[std::min(k, joint.motion_nodes.size() - 1)])];
    const Vec3 axis_W = n.motion.direction * (n.pose_W.R * n.motion.axis);
    if (joint.coordinates[k].turns)
      w.torque = w.torque - applied * axis_W;
    else
      w.force = w.force - applied * axis_W;
  }
  return w;
}

}  // namespace

void add_reactions(Formulated& s, const Mechanism& mechanism, const SpanningTree&) {
  // constraint forces load the tree like any other force; what is added here is taken back below
  const std::vector<Load> loads = s.loads;
  std::vector<std::vector<Expr>> applied;
  for (const FormulatedJoint& joint : s.joints) {
    applied.emplace_back();
    for (const JointCoordinate& c : joint.coordinates) applied.back().push_back(c.applied);
  }
  for (std::size_t r = 0; r < s.rows.size(); ++r)
    exert(s, s.rows[r].effort, -s.graph->symbol(runtime::kMultiplier, static_cast<int>(r)));
  const InverseDynamics dynamics =
      calc_inverse_dynamics(*s.tree, s.node_mass, s.loads, s.gravity, s.nv);

  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    FormulatedJoint& joint = s.joints[j];
    if (!mechanism.joints[j].connects_frames()) continue;
    WorldWrench on_child;
    if (!joint.in_tree) {
      const Wrench w = multiplier_wrench(s, joint);
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
  s.loads = loads;
  for (std::size_t j = 0; j < s.joints.size(); ++j)
    for (std::size_t k = 0; k < applied[j].size(); ++k)
      s.joints[j].coordinates[k].applied = applied[j][k];
}

}  // namespace mechfmu
