#include "analysis/poles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mechfmu {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kZero = 1e-13;      // singular values of A with rows of equal size
constexpr double kNoise = 1e-13;     // of a row, relative to the norm of A: rounding only
constexpr double kRounding = 1e-12;  // of a real part, relative to the norm of A

// Rows of equal size have the same null vectors, and a stiff one does not hide a soft one.
MatrixXd scale_rows(MatrixXd A, double norm) {
  for (int i = 0; i < A.rows(); ++i) {
    const double size = A.row(i).cwiseAbs().maxCoeff();
    A.row(i) *= size > kNoise * norm ? 1 / size : 0;
  }
  return A;
}

// d with diag(1/d) A diag(d) balanced; powers of two, so that nothing is rounded.
VectorXd balance(MatrixXd& A) {
  const auto n = static_cast<int>(A.rows());
  VectorXd d = VectorXd::Ones(n);
  for (int pass = 0, changed = 1; changed != 0 && pass < 100; ++pass) {
    changed = 0;
    for (int i = 0; i < n; ++i) {
      double row = 0, column = 0;
      for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        row += std::fabs(A(i, j));
        column += std::fabs(A(j, i));
      }
      if (row == 0 || column == 0) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (factor == 1 || !std::isfinite(factor)) continue;
      if (row / factor + column * factor > 0.95 * (row + column)) continue;
      d(i) *= factor;
      A.row(i) /= factor;
      A.col(i) *= factor;
      changed = 1;
    }
  }
  return d;
}

// A = Q [T11 T12; 0 T22] Q^T, T11 strictly upper triangular by blocks, T22 regular.
struct Staircase {
  MatrixXd Q, T;
  int zeros = 0;         // columns of T11
  int null_vectors = 0;  // of A itself: the first block
};

Staircase take_zeros_out(const MatrixXd& A) {
  const auto n = static_cast<int>(A.rows());
  Staircase s{MatrixXd::Identity(n, n), A, 0, 0};
  const double norm = A.norm();
  while (s.zeros < n) {
    const int rest = n - s.zeros;
    const Eigen::JacobiSVD<MatrixXd> svd(scale_rows(s.T.bottomRightCorner(rest, rest), norm),
                                         Eigen::ComputeFullV);
    int rank = 0;
    while (rank < rest && svd.singularValues()(rank) > kZero * svd.singularValues()(0)) ++rank;
    if (rank == rest) break;
    // null vectors first
    MatrixXd turn = MatrixXd::Identity(n, n);
    turn.bottomRightCorner(rest, rest) << svd.matrixV().rightCols(rest - rank),
        svd.matrixV().leftCols(rank);
    s.T = turn.transpose() * s.T * turn;
    s.Q = s.Q * turn;
    s.T.block(s.zeros, s.zeros, rest, rest - rank).setZero();
    if (s.zeros == 0) s.null_vectors = rest - rank;
    s.zeros += rest - rank;
  }
  return s;
}

void describe(Pole& pole, double norm) {
  const double size = std::abs(pole.value);
  // what rounding leaves of an undamped pair
  if (pole.is_pair() && std::fabs(pole.value.real()) < kRounding * norm)
    pole.value = {0, pole.value.imag()};
  pole.frequency = pole.is_pair() ? size / (2 * kPi) : 0;
  pole.damping = size > 0 ? -pole.value.real() / size : 0;
  pole.time_constant =
      pole.value.real() != 0 ? -1 / pole.value.real() : std::numeric_limits<double>::infinity();
}

}  // namespace

Poles calc_poles(const MatrixXd& A) {
  Poles poles;
  const auto n = static_cast<int>(A.rows());
  if (n == 0) return poles;
  const Staircase s = take_zeros_out(A);
  const int rest = n - s.zeros;
  MatrixXd regular = s.T.bottomRightCorner(rest, rest);
  const VectorXd d = balance(regular);
  const double norm = std::max(regular.norm(), 1e-300);

  for (int k = 0; k < s.zeros; ++k) {
    Pole pole;
    describe(pole, norm);
    if (k < s.null_vectors) pole.shape = s.Q.col(k).cast<std::complex<double>>();
    poles.list.push_back(std::move(pole));
  }
  if (s.zeros > 0) poles.stability = Stability::neutral;
  if (rest == 0) return poles;

  const Eigen::EigenSolver<MatrixXd> solver(regular);
  if (solver.info() != Eigen::Success) {
    poles.found = false;
    return poles;
  }
  std::vector<Pole> found;
  for (int k = 0; k < rest; ++k) {
    Pole pole;
    pole.value = solver.eigenvalues()(k);
    if (pole.value.imag() < 0) continue;
    VectorXcd y(n);
    y.tail(rest) = d.asDiagonal() * solver.eigenvectors().col(k);
    if (s.zeros > 0) {
      MatrixXcd left = s.T.topLeftCorner(s.zeros, s.zeros).cast<std::complex<double>>();
      left.diagonal().array() -= pole.value;
      y.head(s.zeros) =
          left.partialPivLu().solve(-(s.T.topRightCorner(s.zeros, rest) * y.tail(rest)));
    }
    pole.shape = s.Q * y;
    describe(pole, norm);
    found.push_back(std::move(pole));
  }
  std::stable_sort(found.begin(), found.end(), [](const Pole& a, const Pole& b) {
    return std::abs(a.value) * (1 + 1e-9) < std::abs(b.value);
  });
  for (const Pole& pole : found) {
    if (pole.value.real() > 0) poles.stability = Stability::unstable;
    if (pole.value.real() == 0 && poles.stability == Stability::stable)
      poles.stability = Stability::neutral;
  }
  poles.list.insert(poles.list.end(), found.begin(), found.end());
  return poles;
}

void add_poles(Poles& poles, double value, int count, const std::string& of) {
  Pole pole;
  pole.value = value;
  pole.of = of;
  describe(pole, std::fabs(value));
  poles.list.insert(poles.list.end(), static_cast<std::size_t>(count), pole);
}

}  // namespace mechfmu
