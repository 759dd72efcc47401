#include "formulation/articulated.hpp"

#include <numeric>

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Wrench (torque about the origin, force) = [J H; H^T M] (angular acceleration, acceleration of the
// origin); J and M symmetric.
struct Inertia {
  Mat3 J, H, M;
};

Mat3 zero_matrix(Graph& g) {
  const Vec3 zero = zero_vector(g);
  return make_columns(zero, zero, zero);
}

Inertia make_rigid(Graph& g, const MassProperties& m) {
  Mat3 mass = zero_matrix(g);
  for (std::size_t i = 0; i < 3; ++i) mass[i][i] = m.mass;
  return {m.inertia, skew(m.moment), mass};
}

// The upper triangle of a symmetric matrix, mirrored: what is equal is one node.
template <class Entry>
Mat3 make_symmetric(Entry entry) {
  Mat3 m;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) m[i][j] = m[j][i] = entry(i, j);
  return m;
}

Expr row_times_column(const Mat3& a, std::size_t i, const Mat3& b, std::size_t j) {
  return a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

// R X R^T of a symmetric X
Mat3 turn_symmetric(const Mat3& R, const Mat3& X) {
  const Mat3 RX = R * X, Rt = transpose(R);
  return make_symmetric(
      [&](std::size_t i, std::size_t j) { return row_times_column(RX, i, Rt, j); });
}

// The same inertia about the parent's origin in the parent's axes.
Inertia transform(const Pose& pose, const Inertia& own) {
  const Mat3& R = pose.R;
  const Mat3 J = turn_symmetric(R, own.J), M = turn_symmetric(R, own.M);
  const Mat3 H = R * own.H * transpose(R);
  const Mat3 d = skew(pose.p);
  const Mat3 moved_H = H + d * M;
  // J - H d + d (H^T - M d) = J - H d + d moved_H^T, with d^T = -d
  const Mat3 Hd = H * d, dH = d * transpose(moved_H);
  return {
      make_symmetric([&](std::size_t i, std::size_t j) { return J[i][j] - Hd[i][j] + dH[i][j]; }),
      moved_H, M};
}

Inertia operator+(const Inertia& a, const Inertia& b) { return {a.J + b.J, a.H + b.H, a.M + b.M}; }

std::vector<ArticulatedFreedom> make_freedoms(Graph& g, const TreeNode& n) {
  const Vec3 zero = zero_vector(g);
  const auto make = [&](int k, const Vec3& spin, const Vec3& slide) {
    return ArticulatedFreedom{n.first_velocity + k, spin, slide, zero, zero};
  };
  switch (n.motion.kind) {
    case MotionKind::rotate: {
      const Vec3 spin = n.motion.direction * n.motion.axis;
      return {make(0, spin, n.motion.is_screw() ? n.motion.pitch * spin : zero)};
    }
    case MotionKind::translate:
      return {make(0, zero, n.motion.direction * n.motion.axis)};
    case MotionKind::weld:
      return {};
    case MotionKind::ball:
      break;
  }
  return {make(0, make_vector(g, 1, 0, 0), zero), make(1, make_vector(g, 0, 1, 0), zero),
          make(2, make_vector(g, 0, 0, 1), zero)};
}

// Takes the freedom out: U / D, 1 / D, and the inertia that is left.
void eliminate(ArticulatedFreedom& f, Inertia& inertia, Expr& inverse_pivot) {
  const Vec3 torque = inertia.J * f.spin + inertia.H * f.slide;
  const Vec3 force = transposed_product(inertia.H, f.spin) + inertia.M * f.slide;
  const Expr pivot = dot(f.spin, torque) + dot(f.slide, force);
  inverse_pivot = 1.0 / pivot;
  // along a coordinate axis one of them is the pivot itself: its row of I_A becomes zero by folding
  const auto by_pivot = [&](Expr u) {
    return u == pivot    ? u.graph()->number(1)
           : u == -pivot ? u.graph()->number(-1)
                         : inverse_pivot * u;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    f.torque[i] = by_pivot(torque[i]);
    f.force[i] = by_pivot(force[i]);
  }
  inertia.J = make_symmetric(
      [&](std::size_t i, std::size_t j) { return inertia.J[i][j] - f.torque[i] * torque[j]; });
  inertia.M = make_symmetric(
      [&](std::size_t i, std::size_t j) { return inertia.M[i][j] - f.force[i] * force[j]; });
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) inertia.H[i][j] = inertia.H[i][j] - f.torque[i] * force[j];
}

}  // namespace

ArticulatedFactor factor_articulated(const TreeModel& tree, const std::vector<MassProperties>& mass,
                                     int nv) {
  Graph& g = tree.graph();
  ArticulatedFactor factor;
  factor.size = nv;
  factor.order.resize(at(nv));
  std::iota(factor.order.begin(), factor.order.end(), 0);
  factor.inverse_pivot.assign(at(nv), g.number(0));
  std::vector<Inertia> inertia;
  for (const MassProperties& m : mass) inertia.push_back(make_rigid(g, m));
  for (const TreeNode& n : tree.nodes())
    factor.nodes.push_back({n.parent, n.pose_PC, make_freedoms(g, n)});
  for (std::size_t i = factor.nodes.size(); i-- > 0;) {
    ArticulatedNode& n = factor.nodes[i];
    for (ArticulatedFreedom& f : n.freedoms)
      eliminate(f, inertia[i], factor.inverse_pivot[at(f.velocity)]);
    if (n.parent >= 0)
      inertia[at(n.parent)] = inertia[at(n.parent)] + transform(n.pose, inertia[i]);
  }
  return factor;
}

void solve_lower(const ArticulatedFactor& factor, std::vector<Expr>& x) {
  if (factor.nodes.empty()) return;
  Graph& g = *factor.inverse_pivot[0].graph();
  const Vec3 zero = zero_vector(g);
  std::vector<Vec3> torque(factor.nodes.size(), zero), force(factor.nodes.size(), zero);
  for (std::size_t i = factor.nodes.size(); i-- > 0;) {
    const ArticulatedNode& n = factor.nodes[i];
    for (const ArticulatedFreedom& f : n.freedoms) {
      Expr& y = x[at(f.velocity)];
      y = y - (dot(f.spin, torque[i]) + dot(f.slide, force[i]));
      torque[i] = torque[i] + y * f.torque;
      force[i] = force[i] + y * f.force;
    }
    if (n.parent < 0) continue;
    const Vec3 force_P = n.pose.R * force[i];
    force[at(n.parent)] = force[at(n.parent)] + force_P;
    torque[at(n.parent)] = torque[at(n.parent)] + n.pose.R * torque[i] + cross(n.pose.p, force_P);
  }
}

void solve_upper(const ArticulatedFactor& factor, std::vector<Expr>& x) {
  if (factor.nodes.empty()) return;
  Graph& g = *factor.inverse_pivot[0].graph();
  const Vec3 zero = zero_vector(g);
  std::vector<Vec3> spin(factor.nodes.size(), zero), slide(factor.nodes.size(), zero);
  for (std::size_t i = 0; i < factor.nodes.size(); ++i) {
    const ArticulatedNode& n = factor.nodes[i];
    if (n.parent >= 0) {
      const Vec3& above = spin[at(n.parent)];
      spin[i] = transposed_product(n.pose.R, above);
      slide[i] = transposed_product(n.pose.R, slide[at(n.parent)] + cross(above, n.pose.p));
    }
    // the last freedom that was taken out is the first that is known
    for (std::size_t k = n.freedoms.size(); k-- > 0;) {
      const ArticulatedFreedom& f = n.freedoms[k];
      Expr& a = x[at(f.velocity)];
      a = a - (dot(f.torque, spin[i]) + dot(f.force, slide[i]));
      spin[i] = spin[i] + a * f.spin;
      slide[i] = slide[i] + a * f.slide;
    }
  }
}

ArticulatedFactor map_factor(const ArticulatedFactor& factor,
                             const std::function<Expr(Expr)>& stored) {
  ArticulatedFactor f = factor;
  const auto store = [&](Vec3& v) {
    for (Expr& e : v.e) e = stored(e);
  };
  for (std::size_t i = f.nodes.size(); i-- > 0;) {
    ArticulatedNode& n = f.nodes[i];
    if (n.parent >= 0) {  // nothing goes on to the ground
      store(n.pose.p);
      for (auto& row : n.pose.R.e)
        for (Expr& e : row) e = stored(e);
    }
    for (ArticulatedFreedom& freedom : n.freedoms) {
      for (Vec3* v : {&freedom.spin, &freedom.slide, &freedom.torque, &freedom.force}) store(*v);
      Expr& pivot = f.inverse_pivot[static_cast<std::size_t>(freedom.velocity)];
      pivot = stored(pivot);
    }
  }
  return f;
}

}  // namespace mechfmu
