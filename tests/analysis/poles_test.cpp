// Poles of matrices whose eigenvalues are known.
#include "analysis/poles.hpp"

#include <gtest/gtest.h>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::MatrixXd;

TEST(Poles, OfADampedOscillator) {
  MatrixXd A(2, 2);
  A << 0, 1, -25, -6;  // -3 +- 4i
  const Poles p = calc_poles(A);
  ASSERT_EQ(1u, p.list.size());
  EXPECT_NEAR(-3, p.list[0].value.real(), tol(1e-13));
  EXPECT_NEAR(4, p.list[0].value.imag(), tol(1e-13));
  EXPECT_NEAR(0.6, p.list[0].damping, tol(1e-13));
  EXPECT_NEAR(5 / (2 * std::acos(-1.0)), p.list[0].frequency, tol(1e-13));
  EXPECT_NEAR(1.0 / 3, p.list[0].time_constant, tol(1e-13));
  EXPECT_EQ(Stability::stable, p.stability);
  EXPECT_NEAR(0, (A * p.list[0].shape - p.list[0].value * p.list[0].shape).norm(), tol(1e-13));
}

// Free motions beside stiff ones, in a basis that hides them: zeros stay zeros.
TEST(Poles, AtZeroAreExactAndOthersKeepTheirDigits) {
  MatrixXd A = MatrixXd::Zero(6, 6);
  A(0, 1) = 1;  // a free coordinate: a double pole with one vector
  A(2, 3) = 1;
  A(3, 2) = -1e8;  // fast, undamped
  A(4, 4) = -0.02;
  A(5, 5) = 0.03;
  MatrixXd T = MatrixXd::Identity(6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j) T(i, j) = 0.3 * (i - 2 * j) / (1.0 + i);
  const Poles p = calc_poles(T * A * T.inverse());
  ASSERT_EQ(5u, p.list.size());
  EXPECT_EQ(0.0, p.list[0].value);
  EXPECT_EQ(0.0, p.list[1].value);
  EXPECT_GT(p.list[0].shape.size(), 0);
  EXPECT_EQ(0, p.list[1].shape.size());
  EXPECT_NEAR(-0.02, p.list[2].value.real(), tol(1e-6));
  EXPECT_NEAR(0.03, p.list[3].value.real(), tol(1e-6));
  EXPECT_NEAR(1e4, p.list[4].value.imag(), tol(1e-4));
  EXPECT_EQ(0.0, p.list[4].value.real());
  EXPECT_EQ(Stability::unstable, p.stability);
}

TEST(Poles, OfNothing) {
  const Poles p = calc_poles(MatrixXd(0, 0));
  EXPECT_TRUE(p.found);
  EXPECT_TRUE(p.list.empty());
}

// Every shape is an eigenvector of the matrix as it was given, whatever was done to it.
TEST(Poles, ShapesAreEigenvectors) {
  MatrixXd A(5, 5);
  A << 0, 0, 1, 0, 0,     //
      0, 0, 0, 1e3, 0,    //
      0, -2, -0.1, 0, 4,  //
      0, -7e-3, 0, 0, 0,  //
      0, 0, 0, 0, -8;
  const Poles p = calc_poles(A);
  std::size_t count = 0;
  for (const Pole& pole : p.list) {
    count += pole.is_pair() ? 2 : 1;
    if (pole.shape.size() == 0) continue;
    EXPECT_NEAR(0, (A * pole.shape - pole.value * pole.shape).norm() / pole.shape.norm(),
                tol(1e-10));
  }
  EXPECT_EQ(5u, count);
}

}  // namespace
}  // namespace mechfmu::testing
