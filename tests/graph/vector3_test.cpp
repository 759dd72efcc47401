// Vectors of expressions: structure that must vanish, and numbers against Eigen.
#include "graph/vector3.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "graph/program.hpp"

namespace mechfmu {
namespace {

class Vectors : public ::testing::Test {
 protected:
  Graph g;
  int next = 0;
  std::vector<double> point;

  Expr symbol(double value) {
    point.push_back(value);
    return g.symbol(0, next++);
  }
  Vec3 vector(const Eigen::Vector3d& v) { return {{symbol(v[0]), symbol(v[1]), symbol(v[2])}}; }
  Mat3 matrix(const Eigen::Matrix3d& m) {
    return make_columns(vector(m.col(0)), vector(m.col(1)), vector(m.col(2)));
  }
  double run(Expr e) {
    const double* in[] = {point.data()};
    double out = 0;
    std::vector<double> scratch;
    interpret(make_program(g, std::span(&e, 1)), in, &out, scratch);
    return out;
  }
  Eigen::Vector3d run(const Vec3& v) { return {run(v[0]), run(v[1]), run(v[2])}; }
  Eigen::Matrix3d run(const Mat3& m) {
    Eigen::Matrix3d r;
    for (int j = 0; j < 3; ++j) r.col(j) = run(m.column(static_cast<std::size_t>(j)));
    return r;
  }
};

// Reference: Eigen. Three products of numbers below 4: rounding below 1e-14.
TEST_F(Vectors, ComputeWhatEigenComputes) {
  const Eigen::Vector3d a(0.3, -1.2, 2.5), b(-0.7, 0.4, 1.1);
  Eigen::Matrix3d A, B;
  A << 0.1, 0.2, -0.3, 1.4, -0.5, 0.6, 0.7, 0.8, 0.9;
  B << -1.1, 0.3, 0.4, 0.2, 0.9, -0.6, 1.7, 0.5, 0.1;
  const Vec3 va = vector(a), vb = vector(b);
  const Mat3 mA = matrix(A), mB = matrix(B);
  const double tolerance = 1e-14;
  EXPECT_NEAR(run(dot(va, vb)), a.dot(b), tolerance);
  EXPECT_NEAR(run(norm(va)), a.norm(), tolerance);
  EXPECT_NEAR((run(cross(va, vb)) - a.cross(b)).norm(), 0, tolerance);
  EXPECT_NEAR((run(va + vb) - (a + b)).norm(), 0, tolerance);
  EXPECT_NEAR((run(va - vb) - (a - b)).norm(), 0, tolerance);
  EXPECT_NEAR((run(-va) + a).norm(), 0, tolerance);
  EXPECT_NEAR((run(2.5 * va) - 2.5 * a).norm(), 0, tolerance);
  EXPECT_NEAR((run(va[2] * vb) - a[2] * b).norm(), 0, tolerance);
  EXPECT_NEAR((run(mA * va) - A * a).norm(), 0, tolerance);
  EXPECT_NEAR((run(transposed_product(mA, va)) - A.transpose() * a).norm(), 0, tolerance);
  EXPECT_NEAR((run(mA * mB) - A * B).norm(), 0, tolerance);
  EXPECT_NEAR((run(mA + mB) - (A + B)).norm(), 0, tolerance);
  EXPECT_NEAR((run(transpose(mA)) - A.transpose()).norm(), 0, tolerance);
  EXPECT_NEAR((run(skew(va) * vb) - a.cross(b)).norm(), 0, tolerance);
}

TEST_F(Vectors, ParallelVectorsHaveNoCrossProduct) {
  const Vec3 a = vector({1, 2, 3});
  const Vec3 c = cross(a, symbol(2) * a);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(c[i].is_zero());
}

TEST_F(Vectors, TheIdentityLeavesNoTrace) {
  const Vec3 a = vector({1, 2, 3});
  const Vec3 b = identity_matrix(g) * a;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(a[i], b[i]);
}

// A planar rotation: R^T R is the identity, and so is the length of a turned vector, without a
// numerical residue.
TEST_F(Vectors, APlanarRotationIsOrthogonalByFolding) {
  const Expr q = symbol(0.4);
  Mat3 R = identity_matrix(g);
  R[0] = {cos(q), -sin(q), g.number(0)};
  R[1] = {sin(q), cos(q), g.number(0)};
  const Mat3 product = transpose(R) * R;
  const Mat3 identity = identity_matrix(g);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(product[i][j], identity[i][j]) << i << j;
  const Vec3 arm = {{symbol(2), g.number(0), g.number(0)}};
  EXPECT_EQ(dot(R * arm, R * arm), arm[0] * arm[0]);
  EXPECT_TRUE((R * arm)[2].is_zero());
}

// Points on one body: their difference does not know where the body is.
TEST_F(Vectors, TheDifferenceOfTwoPointsOfABodyLosesItsPosition) {
  const Vec3 p = vector({1, 2, 3});
  const Vec3 a = {{symbol(1), g.number(0), g.number(0)}};
  const Vec3 b = {{g.number(0), symbol(1), g.number(0)}};
  const Vec3 d = (p + a) - (p + b);
  EXPECT_EQ(d[0], a[0]);
  EXPECT_EQ(d[1], -b[1]);
  EXPECT_TRUE(d[2].is_zero());
}

}  // namespace
}  // namespace mechfmu
