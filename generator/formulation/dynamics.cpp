#include "formulation/dynamics.hpp"

#include <algorithm>

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A unit rate of one velocity: angular velocity in node axes, velocity of the origin in parent
// axes.
struct Freedom {
  int velocity;
  Vec3 spin, slide_P;
};

std::vector<Freedom> freedoms(Graph& g, const TreeNode& n) {
  const Vec3 zero = zero_vector(g);
  switch (n.motion.kind) {
    case MotionKind::rotate:
      return {{n.first_velocity, n.motion.direction * n.motion.axis, n.slide_axis_P}};
    case MotionKind::translate:
      return {{n.first_velocity, zero, n.slide_axis_P}};
    case MotionKind::weld:
      return {};
    case MotionKind::ball:
      break;
  }
  return {{n.first_velocity, make_vector(g, 1, 0, 0), zero},
          {n.first_velocity + 1, make_vector(g, 0, 1, 0), zero},
          {n.first_velocity + 2, make_vector(g, 0, 0, 1), zero}};
}

// Power of a wrench (force in parent axes, torque in node axes) at a unit rate.
Expr project(const Freedom& f, const Vec3& force_P, const Vec3& torque) {
  return dot(f.spin, torque) + dot(f.slide_P, force_P);
}

}  // namespace

InverseDynamics calc_inverse_dynamics(const TreeModel& tree,
                                      const std::vector<MassProperties>& mass,
                                      const std::vector<Load>& loads, const Vec3& gravity, int nv) {
  Graph& g = tree.graph();
  const std::vector<TreeNode>& nodes = tree.nodes();
  const std::size_t count = nodes.size();

  // acceleration of each origin less gravity, in parent axes and in own axes
  std::vector<Vec3> acceleration_P(count), acceleration(count);
  for (std::size_t i = 0; i < count; ++i) {
    const TreeNode& n = nodes[i];
    const Vec3 base = n.parent < 0 ? -gravity : acceleration[at(n.parent)];
    acceleration_P[i] = base + n.relative_acceleration_P;
    acceleration[i] = transposed_product(n.pose_PC.R, acceleration_P[i]);
  }

  InverseDynamics result;
  result.generalised.assign(at(nv), g.number(0));
  result.transmitted.resize(count);
  std::vector<Vec3> force(count, zero_vector(g)),
      torque(count, zero_vector(g));  // from outboard nodes, own axes
  for (std::size_t i = count; i-- > 0;) {
    const TreeNode& n = nodes[i];
    const MassProperties& m = mass[i];
    const Mat3& R = n.pose_PC.R;
    const Vec3 own = force[i] + cross(n.alpha, m.moment) + cross(n.w, cross(n.w, m.moment));
    const Mat3 R_WP = n.parent < 0 ? identity_matrix(g) : nodes[at(n.parent)].pose_W.R;
    const Vec3 force_P =
        m.mass * acceleration_P[i] + R * own - transposed_product(R_WP, loads[i].force_W);
    const Vec3 momentum = m.inertia * n.w;
    const Vec3 torque_C = torque[i] + m.inertia * n.alpha + cross(n.w, momentum) +
                          cross(m.moment, acceleration[i]) - loads[i].torque;
    result.transmitted[i] = {force_P, torque_C};
    for (const Freedom& f : freedoms(g, n))
      result.generalised[at(f.velocity)] = project(f, force_P, torque_C);
    if (n.parent >= 0) {
      force[at(n.parent)] = force[at(n.parent)] + force_P;
      torque[at(n.parent)] = torque[at(n.parent)] + R * torque_C + cross(n.pose_PC.p, force_P);
    }
  }
  return result;
}

double count_mass_entries(const TreeModel& tree) {
  double sum = 0;
  std::vector<double> inboard(tree.nodes().size());  // velocities at a node and before it
  for (std::size_t i = 0; i < inboard.size(); ++i) {
    const TreeNode& n = tree.nodes()[i];
    const double before = n.parent < 0 ? 0 : inboard[at(n.parent)];
    const auto own = static_cast<double>(n.state.v.size());
    inboard[i] = before + own;
    sum += own * before + own * (own + 1) / 2;
  }
  return sum;
}

std::vector<SparseEntry> calc_mass_matrix(const TreeModel& tree,
                                          const std::vector<MassProperties>& mass) {
  Graph& g = tree.graph();
  const std::vector<TreeNode>& nodes = tree.nodes();
  std::vector<MassProperties> composite = mass;
  for (std::size_t i = nodes.size(); i-- > 0;)
    if (nodes[i].parent >= 0)
      composite[at(nodes[i].parent)] =
          composite[at(nodes[i].parent)] + transform(nodes[i].pose_PC, composite[i]);

  std::vector<SparseEntry> entries;
  const auto add = [&](int i, int j, Expr value) {
    if (!value.is_zero()) entries.push_back({std::max(i, j), std::min(i, j), value});
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const TreeNode& n = nodes[i];
    const MassProperties& m = composite[i];
    const std::vector<Freedom> own = freedoms(g, n);
    for (std::size_t k = 0; k < own.size(); ++k) {
      // momentum of the composite body at a unit rate, then seen from node after node towards the
      // ground
      Vec3 force_P = m.mass * own[k].slide_P + n.pose_PC.R * cross(own[k].spin, m.moment);
      Vec3 torque = m.inertia * own[k].spin +
                    cross(m.moment, transposed_product(n.pose_PC.R, own[k].slide_P));
      for (std::size_t l = 0; l <= k; ++l)
        add(own[k].velocity, own[l].velocity, project(own[l], force_P, torque));
      const TreeNode* below = &n;
      while (below->parent >= 0) {
        const TreeNode& p = nodes[at(below->parent)];
        const Vec3 force = force_P;
        torque = below->pose_PC.R * torque + cross(below->pose_PC.p, force);
        force_P = p.pose_PC.R * force;
        for (const Freedom& f : freedoms(g, p))
          add(own[k].velocity, f.velocity, project(f, force_P, torque));
        below = &p;
      }
    }
  }
  std::sort(entries.begin(), entries.end(), [](const SparseEntry& a, const SparseEntry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  return entries;
}

Expr calc_kinetic_energy(const TreeModel& tree, const std::vector<MassProperties>& mass) {
  Graph& g = tree.graph();
  Expr sum = g.number(0);
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const TreeNode& n = tree.nodes()[i];
    const MassProperties& m = mass[i];
    sum = sum + 0.5 * (m.mass * dot(n.v_W, n.v_W)) + dot(n.v_W, n.pose_W.R * cross(n.w, m.moment)) +
          0.5 * dot(n.w, m.inertia * n.w);
  }
  return sum;
}

}  // namespace mechfmu
