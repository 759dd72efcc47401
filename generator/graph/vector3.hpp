// Vectors and 3x3 matrices of graph expressions. Everything is unrolled into nodes; zeros and ones
// vanish on the way.
#pragma once
#include <array>
#include <cstddef>

#include "graph/graph.hpp"

namespace mechfmu {

struct Vec3 {
  std::array<Expr, 3> e;
  Expr& operator[](std::size_t i) { return e[i]; }
  const Expr& operator[](std::size_t i) const { return e[i]; }
};

struct Mat3 {
  std::array<std::array<Expr, 3>, 3> e;  // row major
  std::array<Expr, 3>& operator[](std::size_t i) { return e[i]; }
  const std::array<Expr, 3>& operator[](std::size_t i) const { return e[i]; }
  [[nodiscard]] Vec3 column(std::size_t j) const { return {{e[0][j], e[1][j], e[2][j]}}; }
};

inline Vec3 make_vector(Graph& g, double x, double y, double z) {
  return {{g.number(x), g.number(y), g.number(z)}};
}
inline Vec3 zero_vector(Graph& g) { return make_vector(g, 0, 0, 0); }

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}
inline Vec3 operator-(const Vec3& a) { return {{-a[0], -a[1], -a[2]}}; }
inline Vec3 operator*(Expr s, const Vec3& a) { return {{s * a[0], s * a[1], s * a[2]}}; }
inline Vec3 operator*(double s, const Vec3& a) { return {{s * a[0], s * a[1], s * a[2]}}; }
inline Expr dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
inline Expr norm(const Vec3& a) { return sqrt(dot(a, a)); }

inline Mat3 make_columns(const Vec3& x, const Vec3& y, const Vec3& z) {
  Mat3 m;
  for (std::size_t i = 0; i < 3; ++i) m[i] = {x[i], y[i], z[i]};
  return m;
}
inline Mat3 identity_matrix(Graph& g) {
  return make_columns(make_vector(g, 1, 0, 0), make_vector(g, 0, 1, 0), make_vector(g, 0, 0, 1));
}
inline Mat3 transpose(const Mat3& m) {
  Mat3 t;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) t[i][j] = m[j][i];
  return t;
}
inline Vec3 operator*(const Mat3& m, const Vec3& a) {
  Vec3 r;
  for (std::size_t i = 0; i < 3; ++i) r[i] = m[i][0] * a[0] + m[i][1] * a[1] + m[i][2] * a[2];
  return r;
}
inline Vec3 transposed_product(const Mat3& m, const Vec3& a) { return transpose(m) * a; }
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      r[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return r;
}
inline Mat3 operator+(const Mat3& a, const Mat3& b) {
  Mat3 r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r[i][j] = a[i][j] + b[i][j];
  return r;
}
// a~ with a~ b = a x b
inline Mat3 skew(const Vec3& a) {
  const Expr zero = a[0].graph()->number(0);
  Mat3 m;
  m[0] = {zero, -a[2], a[1]};
  m[1] = {a[2], zero, -a[0]};
  m[2] = {-a[1], a[0], zero};
  return m;
}

}  // namespace mechfmu
