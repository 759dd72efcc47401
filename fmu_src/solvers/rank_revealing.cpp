#include "solvers/rank_revealing.hpp"

#include <cmath>

namespace mechfmu::runtime {
namespace {

// On the diagonal of S: rows 1e13 times shorter than the longest are the rounding errors of rows
// that vanish, as in a planar loop whose plane is not along the axes.
constexpr double kZeroRow = 1e-26;
constexpr double kWorn = 1e-3;  // of the largest: a pivot that is not held any longer

void swap_values(double& a, double& b) {
  const double c = a;
  a = b;
  b = c;
}

}  // namespace

void factor_pivoted(PivotedFactor& f, int n, int largest_rank, double cutoff, double* matrix,
                    double* scale, double* order, const double* held, const double* unit) {
  f.size = n;
  f.rank = 0;
  f.matrix = matrix;
  f.scale = scale;
  f.order = order;
  const auto at = [&](int i, int j) -> double& { return matrix[i * n + j]; };

  double largest = 0;
  for (int i = 0; i < n; ++i)
    if (at(i, i) > largest) largest = at(i, i);
  for (int i = 0; i < n; ++i) {
    if (unit != nullptr) {
      scale[i] = std::sqrt(unit[i]);
      order[i] = i;
      continue;
    }
    // a row of zeros, or of what rounding left of zeros, stays one and is never a pivot
    scale[i] = std::sqrt(at(i, i) > kZeroRow * largest ? at(i, i) : largest);
    if (!(scale[i] > 0)) scale[i] = 1;
    order[i] = i;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) at(i, j) /= scale[i] * scale[j];

  for (int k = 0; k < n && k < largest_rank; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (at(i, i) > at(pivot, pivot)) pivot = i;
    for (int i = k; i < n && held != nullptr; ++i)
      if (order[i] == held[k] && at(i, i) > kWorn * at(pivot, pivot)) {
        pivot = i;
        break;
      }
    if (!(at(pivot, pivot) > cutoff)) break;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) swap_values(at(k, j), at(pivot, j));
      for (int i = 0; i < n; ++i) swap_values(at(i, k), at(i, pivot));
      swap_values(order[k], order[pivot]);
    }
    const double root = std::sqrt(at(k, k));
    at(k, k) = root;
    for (int i = k + 1; i < n; ++i) at(i, k) /= root;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j <= i; ++j) {
        at(i, j) -= at(i, k) * at(j, k);
        at(j, i) = at(i, j);
      }
    f.rank = k + 1;
  }
}

double PivotedFactor::last_pivot(int full_rank, const double* unit) const {
  if (rank < full_rank) return 0;
  double least = 1;
  for (int k = 0; k < rank; ++k) {
    const int row = static_cast<int>(order[k]);
    const double root = matrix[k * (size + 1)] * scale[row];
    least = std::fmin(least, root * root / unit[row]);
  }
  return least;
}

void solve_basic(const PivotedFactor& f, const double* g, double* x, double* work) {
  const int n = f.size;
  const int r = f.rank;
  const auto at = [&](int i, int j) { return f.matrix[i * n + j]; };
  const auto row = [&](int k) { return static_cast<int>(f.order[k]); };
  // L y = D^-1 g, L^T z = y, x = D^-1 z
  for (int k = 0; k < r; ++k) {
    double sum = g[row(k)] / f.scale[row(k)];
    for (int j = 0; j < k; ++j) sum -= at(k, j) * work[j];
    work[k] = sum / at(k, k);
  }
  for (int k = r - 1; k >= 0; --k) {
    double sum = work[k];
    for (int i = k + 1; i < r; ++i) sum -= at(i, k) * work[i];
    work[k] = sum / at(k, k);
  }
  for (int k = 0; k < n; ++k) x[row(k)] = k < r ? work[k] / f.scale[row(k)] : 0;
}

namespace {

// Orthonormal vectors that S maps to zero, one after the other in pivot order, of the scaled S or
// of S itself; returns how many.
int make_null_basis(const PivotedFactor& f, bool scaled, double* basis) {
  const int n = f.size;
  const int r = f.rank;
  const auto at = [&](int i, int j) { return f.matrix[i * n + j]; };
  int count = 0;
  for (int c = r; c < n; ++c) {
    // S' z = 0 with z_c = 1: L11^T z_basic = -L21_c^T
    double* z = basis + count * n;
    for (int k = 0; k < n; ++k) z[k] = 0;
    for (int k = r - 1; k >= 0; --k) {
      double sum = -at(c, k);
      for (int i = k + 1; i < r; ++i) sum -= at(i, k) * z[i];
      z[k] = sum / at(k, k);
    }
    z[c] = 1;
    for (int k = 0; k < n && !scaled; ++k) z[k] /= f.scale[static_cast<int>(f.order[k])];
    for (int pass = 0; pass < 2; ++pass)  // twice is enough for orthogonality (Kahan)
      for (int other = 0; other < count; ++other) {
        const double* b = basis + other * n;
        double along = 0;
        for (int k = 0; k < n; ++k) along += b[k] * z[k];
        for (int k = 0; k < n; ++k) z[k] -= along * b[k];
      }
    double norm = 0;
    for (int k = 0; k < n; ++k) norm += z[k] * z[k];
    norm = std::sqrt(norm);
    if (!(norm > 0)) continue;
    for (int k = 0; k < n; ++k) z[k] /= norm;
    ++count;
  }
  return count;
}

}  // namespace

void reach_nearest(const PivotedFactor& f, double* g, double* work) {
  const int n = f.size;
  const int count = make_null_basis(f, true, work);
  const auto row = [&](int k) { return static_cast<int>(f.order[k]); };
  for (int v = 0; v < count; ++v) {
    const double* b = work + v * n;
    double along = 0;
    for (int k = 0; k < n; ++k) along += b[k] * g[row(k)] / f.scale[row(k)];
    for (int k = 0; k < n; ++k) g[row(k)] -= along * b[k] * f.scale[row(k)];
  }
}

void remove_null_part(const PivotedFactor& f, double* x, double* work) {
  const int n = f.size;
  const int count = make_null_basis(f, false, work);
  const auto row = [&](int k) { return static_cast<int>(f.order[k]); };
  for (int v = 0; v < count; ++v) {
    const double* b = work + v * n;
    double along = 0;
    for (int k = 0; k < n; ++k) along += b[k] * x[row(k)];
    for (int k = 0; k < n; ++k) x[row(k)] -= along * b[k];
  }
}

}  // namespace mechfmu::runtime
