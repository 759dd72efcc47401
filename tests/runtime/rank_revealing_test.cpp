// Semi-definite systems of known rank, made as A A^T with a random A, against Eigen's
// pseudo-inverse.
#include "solvers/rank_revealing.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A factor with its memory.
struct Factored {
  explicit Factored(const MatrixXd& S, int largest_rank = std::numeric_limits<int>::max(),
                    double cutoff = runtime::kRankCutoff)
      : matrix(S), scale(S.rows()), order(S.rows()) {
    runtime::factor_pivoted(factor, static_cast<int>(S.rows()), largest_rank, cutoff, matrix.data(),
                            scale.data(), order.data());
  }
  VectorXd solve(const VectorXd& g, bool minimum_norm) const {
    const auto n = static_cast<std::size_t>(g.size());
    VectorXd x(g.size());
    std::vector<double> work(n + n * n);
    runtime::solve_basic(factor, g.data(), x.data(), work.data());
    if (minimum_norm) runtime::remove_null_part(factor, x.data(), work.data());
    return x;
  }
  RowMajor matrix;
  VectorXd scale, order;
  runtime::PivotedFactor factor;
};

class RandomMatrices {
 public:
  MatrixXd make(int rows, int columns) {
    MatrixXd A(rows, columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) A(i, j) = uniform_(random_);
    return A;
  }

 private:
  std::mt19937 random_{11};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// Every size up to 8 with every rank, ten matrices each.
template <typename Check>
void for_random_matrices(Check check) {
  RandomMatrices random;
  for (int n = 1; n <= 8; ++n)
    for (int rank = 0; rank <= n; ++rank)
      for (int k = 0; k < 10; ++k) {
        const MatrixXd A = random.make(n, rank);
        const MatrixXd S = A * A.transpose();
        const VectorXd g = S * random.make(n, 1);
        check(S, g, rank);
      }
}

TEST(RankRevealing, FindsTheRank) {
  for_random_matrices([](const MatrixXd& S, const VectorXd&, int rank) {
    EXPECT_EQ(Factored(S).factor.rank, rank) << S;
  });
}

// Errors grow with the condition of the part that is there; random matrices of this size stay below
// 1e6, so 1e-8 is far above rounding and far below the size of a wrong solution.
TEST(RankRevealing, SolvesConsistentRows) {
  for_random_matrices([](const MatrixXd& S, const VectorXd& g, int) {
    const VectorXd x = Factored(S).solve(g, false);
    EXPECT_LE((S * x - g).norm(), tol(1e-8) * (1 + g.norm()));
  });
}

TEST(RankRevealing, MinimumNormIsThatOfThePseudoInverse) {
  for_random_matrices([](const MatrixXd& S, const VectorXd& g, int rank) {
    if (rank == 0) return;
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> reference;
    reference.setThreshold(1e-9);
    reference.compute(S);
    const VectorXd expected = reference.solve(g);
    const VectorXd x = Factored(S).solve(g, true);
    EXPECT_LE((x - expected).norm(), tol(1e-5) * (1 + expected.norm())) << "rank " << rank << "\n"
                                                                        << S;
    EXPECT_LE((S * x - g).norm(), tol(1e-8) * (1 + g.norm()));
  });
}

TEST(RankRevealing, JudgesRowsInSmallUnitsLikeTheOthers) {
  RandomMatrices random;
  const MatrixXd A = random.make(5, 5);
  VectorXd unit(5);
  unit << 1, 1e-7, 1e3, 1e-4, 1;
  const MatrixXd S = unit.asDiagonal() * A * A.transpose() * unit.asDiagonal();
  EXPECT_EQ(Factored(S).factor.rank, 5);
}

// Off the constraint manifold redundant rows look slightly independent; more rank than the analysis
// found would lock the mechanism.
TEST(RankRevealing, NeverUsesMoreThanTheRankOfTheAnalysis) {
  RandomMatrices random;
  const MatrixXd A = random.make(6, 4), noise = 1e-4 * random.make(6, 2);
  const MatrixXd S = A * A.transpose();
  const VectorXd g = S * random.make(6, 1);
  const MatrixXd noisy = S + noise * noise.transpose();
  EXPECT_EQ(Factored(noisy).factor.rank, 6);
  const Factored capped(noisy, 4);
  EXPECT_EQ(capped.factor.rank, 4);
  const VectorXd expected = Factored(S).solve(g, true);
  // the noise is 1e-8 of the matrix
  EXPECT_LE((capped.solve(g, true) - expected).norm(), tol(1e-5) * expected.norm());
}

TEST(RankRevealing, GivesZeroForAMatrixOfZeros) {
  const Factored zero(MatrixXd::Zero(3, 3));
  EXPECT_EQ(zero.factor.rank, 0);
  EXPECT_EQ(zero.solve(VectorXd::Ones(3), true).norm(), 0);
}

TEST(RankRevealing, TakesNoPivotThatIsNotANumber) {
  EXPECT_EQ(
      Factored(MatrixXd::Constant(3, 3, std::numeric_limits<double>::quiet_NaN())).factor.rank, 0);
}

}  // namespace
}  // namespace mechfmu::testing
