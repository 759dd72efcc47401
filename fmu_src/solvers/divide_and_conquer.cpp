#include "solvers/divide_and_conquer.hpp"

#include <cmath>
#include <initializer_list>

#include "solvers/rank_revealing.hpp"

namespace mechfmu::runtime {
namespace {

// What one body adds: the sum over its accelerations of L_rj D_j L_cj.
void assemble_leaf(const EliminationTables& t, const Front& front, int nv, const double* lower,
                   const double* pivot, double* matrix) {
  const int* local = t.front_map + front.map;
  for (int j = front.first_column; j < front.first_column + front.columns; ++j) {
    int first = t.column_start[j];
    const int last = t.column_start[j + 1];
    while (first < last && t.column_row[first] < nv) ++first;  // rows ascend: M before J
    for (int r = 0; r < last - first; ++r) {
      const double value = lower[first + r] * pivot[j];
      for (int c = 0; c <= r; ++c) {
        const int i = local[r];
        const int k = local[c];
        matrix[i > k ? i * front.size + k : k * front.size + i] += value * lower[first + c];
      }
    }
    local += last - first;
  }
}

// What a child has left after its own rows were eliminated.
const int* assemble_child(const Front& front, const Front& child, const int* local,
                          const double* child_matrix, double* matrix) {
  const int left = child.size - child.eliminated;
  for (int r = 0; r < left; ++r)
    for (int c = 0; c <= r; ++c) {
      const int i = local[r];
      const int k = local[c];
      matrix[i > k ? i * front.size + k : k * front.size + i] +=
          child_matrix[(child.eliminated + r) * child.size + child.eliminated + c];
    }
  return local + left;
}

// Cholesky's method on the first `eliminated` columns of the lower triangle.
bool eliminate(const Front& front, const int* rows, const double* schur_diagonal,
               const double* compliance, double* matrix) {
  const int n = front.size;
  for (int k = 0; k < front.eliminated; ++k) {
    double* pivot_row = matrix + k * n;
    // S is positive semi-definite: no pivot of S + C is smaller than what C has there
    const double softness = compliance[rows[k]];
    if (pivot_row[k] < softness) pivot_row[k] = softness;
    const double least = softness > 0 ? 0 : kRankCutoff * schur_diagonal[rows[k]];
    if (!(pivot_row[k] > least)) return false;  // also if it is nan
    const double root = std::sqrt(pivot_row[k]);
    pivot_row[k] = root;
    for (int i = k + 1; i < n; ++i) matrix[i * n + k] /= root;
    for (int i = k + 1; i < n; ++i) {
      const double factor = matrix[i * n + k];
      if (factor == 0) continue;
      for (int j = k + 1; j <= i; ++j) matrix[i * n + j] -= factor * matrix[j * n + k];
    }
  }
  return true;
}

}  // namespace

bool factor_front(const EliminationTables& t, int f, int nv, const double* lower,
                  const double* pivot, const double* schur_diagonal, const double* compliance,
                  double* fronts) {
  const Front& front = t.fronts[f];
  double* matrix = fronts + front.matrix;
  for (int i = 0; i < front.size * front.size; ++i) matrix[i] = 0;
  if (front.left < 0) {
    assemble_leaf(t, front, nv, lower, pivot, matrix);
  } else {
    const int* local = t.front_map + front.map;
    for (const int c : {front.left, front.right})
      local = assemble_child(front, t.fronts[c], local, fronts + t.fronts[c].matrix, matrix);
  }
  const int* rows = t.front_rows + front.rows;
  for (int k = 0; k < front.eliminated; ++k) matrix[k * front.size + k] += compliance[rows[k]];
  return eliminate(front, rows, schur_diagonal, compliance, matrix);
}

void reduce_front(const EliminationTables& t, int f, const double* fronts, double* x) {
  const Front& front = t.fronts[f];
  const double* matrix = fronts + front.matrix;
  const int* rows = t.front_rows + front.rows;
  for (int k = 0; k < front.eliminated; ++k) {
    const double value = x[rows[k]] /= matrix[k * front.size + k];
    for (int i = k + 1; i < front.size; ++i) x[rows[i]] -= matrix[i * front.size + k] * value;
  }
}

void expand_front(const EliminationTables& t, int f, const double* fronts, double* x) {
  const Front& front = t.fronts[f];
  const double* matrix = fronts + front.matrix;
  const int* rows = t.front_rows + front.rows;
  for (int k = front.eliminated - 1; k >= 0; --k) {
    double sum = x[rows[k]];
    for (int i = k + 1; i < front.size; ++i) sum -= matrix[i * front.size + k] * x[rows[i]];
    x[rows[k]] = sum / matrix[k * front.size + k];
  }
}

bool factor_tree(const EliminationTables& t, int nv, const double* lower, const double* pivot,
                 const double* schur_diagonal, const double* compliance, double* fronts) {
  for (int f = 0; f < t.n_fronts; ++f)
    if (!factor_front(t, f, nv, lower, pivot, schur_diagonal, compliance, fronts)) return false;
  return true;
}

void solve_tree(const EliminationTables& t, const double* fronts, double* x) {
  for (int f = 0; f < t.n_fronts; ++f) reduce_front(t, f, fronts, x);
  for (int f = t.n_fronts - 1; f >= 0; --f) expand_front(t, f, fronts, x);
}

}  // namespace mechfmu::runtime
