#include "formulation/rotation.hpp"

#include <cmath>

namespace mechfmu {

namespace {
// sin and cos of a rounded multiple of 90 degrees are off by a rounding error
double snap(double x) {
  const double nearest = std::nearbyint(x);
  return std::fabs(x - nearest) < 1e-15 ? nearest : x;
}
}  // namespace

Mat3 rotation_about(const Vec3& a, Expr angle) {
  Graph& g = *angle.graph();
  Expr s = sin(angle);
  Expr c = cos(angle);
  if (angle.is_constant()) {  // "90 deg" must give an exact 0 and 1, or nothing folds behind it
    s = g.number(snap(s.constant()));
    c = g.number(snap(c.constant()));
  }
  // written as c I + s a~ + (1 - c) a a^T; for a unit axis along a coordinate, 1 - c cancels with c
  Mat3 R;
  const Mat3 K = skew(a);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Expr aa = a[i] * a[j];
      const Expr symmetric =
          i != j ? (1.0 - c) * aa : (aa.is_constant(1) ? g.number(1) : aa + c * (1.0 - aa));
      R[i][j] = symmetric + s * K[i][j];
    }
  return R;
}

Mat3 rotation_from_rpy(const Vec3& rpy) {
  Graph& g = *rpy[0].graph();
  return rotation_about(make_vector(g, 0, 0, 1), rpy[2]) *
         rotation_about(make_vector(g, 0, 1, 0), rpy[1]) *
         rotation_about(make_vector(g, 1, 0, 0), rpy[0]);
}

Vec3 rpy_from_rotation(const Mat3& R) {
  const Expr across = sqrt(R[0][0] * R[0][0] + R[1][0] * R[1][0]);
  return {{atan2(R[2][1], R[2][2]), atan2(-R[2][0], across), atan2(R[1][0], R[0][0])}};
}

Mat3 rotation_from_quaternion(const Quaternion& e) {
  // A = (2 e0^2 - 1) I + 2 (v v^T + e0 v~), in the form that stays orthogonal to first order off
  // the unit sphere
  Mat3 R;
  const Expr one = e[0].graph()->number(1);
  R[0] = {one - 2.0 * (e[2] * e[2] + e[3] * e[3]), 2.0 * (e[1] * e[2] - e[0] * e[3]),
          2.0 * (e[1] * e[3] + e[0] * e[2])};
  R[1] = {2.0 * (e[1] * e[2] + e[0] * e[3]), one - 2.0 * (e[1] * e[1] + e[3] * e[3]),
          2.0 * (e[2] * e[3] - e[0] * e[1])};
  R[2] = {2.0 * (e[1] * e[3] - e[0] * e[2]), 2.0 * (e[2] * e[3] + e[0] * e[1]),
          one - 2.0 * (e[1] * e[1] + e[2] * e[2])};
  return R;
}

Quaternion quaternion_from_rotation(const Mat3& R) {
  Graph& g = *R[0][0].graph();
  const Expr trace = R[0][0] + R[1][1] + R[2][2];
  // candidate k assumes that part k is not small; 4 e_k^2 = d_k
  const std::array<Expr, 4> d = {1.0 + trace, 1.0 + 2.0 * R[0][0] - trace,
                                 1.0 + 2.0 * R[1][1] - trace, 1.0 + 2.0 * R[2][2] - trace};
  const Expr w1 = R[2][1] - R[1][2], w2 = R[0][2] - R[2][0], w3 = R[1][0] - R[0][1];
  const Expr s12 = R[0][1] + R[1][0], s13 = R[0][2] + R[2][0], s23 = R[1][2] + R[2][1];
  const std::array<Quaternion, 4> top = {
      Quaternion{d[0], w1, w2, w3}, Quaternion{w1, d[1], s12, s13}, Quaternion{w2, s12, d[2], s23},
      Quaternion{w3, s13, s23, d[3]}};
  Quaternion best = top[0];
  Expr largest = d[0];
  for (std::size_t k = 1; k < 4; ++k) {
    const Expr larger = less(largest, d[k]);
    for (std::size_t i = 0; i < 4; ++i) best[i] = select(larger, top[k][i], best[i]);
    largest = select(larger, d[k], largest);
  }
  const Expr scale = g.number(0.5) / sqrt(largest);
  for (Expr& part : best) part = scale * part;
  return best;
}

Quaternion quaternion_rate(const Quaternion& e, const Vec3& w) {
  return {-0.5 * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]),
          0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]),
          0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]),
          0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0])};
}

Mat3 shortest_rotation(const Vec3& from, const Vec3& to) {
  Graph& g = *from[0].graph();
  // R = I + v~ + v~ v~ / (1 + c), v = from x to, c = from . to; opposite vectors have no shortest
  // way and the caller (validation) refuses them
  const Vec3 v = cross(from, to);
  const Expr c = dot(from, to);
  if (c.is_constant(1)) return identity_matrix(g);
  const Mat3 K = skew(v);
  const Mat3 KK = K * K;
  Mat3 R = identity_matrix(g) + K;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) R[i][j] = R[i][j] + KK[i][j] / (1.0 + c);
  return R;
}

}  // namespace mechfmu
