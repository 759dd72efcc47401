#include "solvers/elimination.hpp"

#include <cmath>

#include "solvers/divide_and_conquer.hpp"
#include "solvers/rank_revealing.hpp"

namespace mechfmu::runtime {

EliminationFactor::EliminationFactor(const Model& model, Arena& arena)
    : tables_(model.elimination), nv_(model.nv), nc_(model.nc) {
  if (tables_ == nullptr) return;
  const int n = nv_ + nc_;
  lower_ = arena.take(tables_->column_start[n]);
  pivot_ = arena.take(n);
  row_ = arena.take(n);
  schur_diagonal_ = arena.take(nc_);
  fronts_ = arena.take(tables_->front_memory);
  x_ = arena.take(n);
}

// Row `row` of L up to `last_column`, by the rows before it: row_ holds the row of the matrix.
// Columns in ascending order are in an order in which each is complete when it is reached.
void EliminationFactor::eliminate_row(int row, int last_column, const double* work) {
  const EliminationTables& t = *tables_;
  for (int k = t.entry_start[row]; k < t.entry_start[row + 1]; ++k)
    row_[t.entry_column[k]] = work[t.entry_source[k]];
  double pivot = row_[row];
  row_[row] = 0;
  for (int k = t.row_start[row]; k < t.row_start[row + 1]; ++k) {
    const int column = t.row_column[k];
    if (column >= last_column) break;
    const double value = row_[column];
    row_[column] = 0;
    // entries of this column that belong to rows before this one
    for (int s = t.column_start[column]; s < t.row_slot[k]; ++s) {
      if (t.column_row[s] >= last_column) break;
      row_[t.column_row[s]] -= lower_[s] * value;
    }
    const double l = value / pivot_[column];
    pivot -= l * value;
    lower_[t.row_slot[k]] = l;
  }
  pivot_[row] = pivot;
}

void EliminationFactor::eliminate_accelerations(const double* work) {
  for (int i = 0; i < nv_ + nc_; ++i) row_[i] = 0;
  for (int i = 0; i < nv_; ++i) eliminate_row(i, nv_, work);
  for (int r = 0; r < nc_; ++r) {
    eliminate_row(nv_ + r, nv_, work);
    schur_diagonal_[r] = -pivot_[nv_ + r];
  }
}

bool EliminationFactor::factor_multipliers(const double* compliance) {
  const EliminationTables& t = *tables_;
  for (int i = 0; i < nc_; ++i)
    x_[t.place[nv_ + i] - nv_] = compliance != nullptr ? compliance[i] : 0;
  if (has_tree()) return factor_tree(t, nv_, lower_, pivot_, schur_diagonal_, x_, fronts_);
  for (int r = 0; r < nc_; ++r) {
    const int row = nv_ + r;
    double pivot = -schur_diagonal_[r] - x_[r];
    const double size = -pivot;
    // what the accelerations left of the row, then the multipliers before it
    for (int k = t.row_start[row]; k < t.row_start[row + 1]; ++k) {
      const int column = t.row_column[k];
      if (column < nv_) {
        const double value = lower_[t.row_slot[k]] * pivot_[column];
        for (int s = t.column_start[column]; s < t.row_slot[k]; ++s)
          if (t.column_row[s] >= nv_) row_[t.column_row[s]] -= lower_[s] * value;
        continue;
      }
      const double value = row_[column];
      row_[column] = 0;
      for (int s = t.column_start[column]; s < t.row_slot[k]; ++s)
        row_[t.column_row[s]] -= lower_[s] * value;
      const double l = value / pivot_[column];
      pivot -= l * value;
      lower_[t.row_slot[k]] = l;
    }
    // S is positive semi-definite: no pivot of S + C is smaller than what C has there
    if (-pivot < x_[r]) pivot = -x_[r];
    pivot_[row] = pivot;
    if (!(-pivot > (x_[r] > 0 ? 0 : kRankCutoff * size))) {  // also if it is nan
      for (int i = 0; i < nc_; ++i) row_[nv_ + i] = 0;
      return false;
    }
  }
  return true;
}

double EliminationFactor::least_pivot(const double* unit) const {
  const EliminationTables& t = *tables_;
  double least = 1;
  double* unit_of = x_;  // by place
  for (int i = 0; i < nc_; ++i) unit_of[t.place[nv_ + i] - nv_] = unit[i];
  if (!has_tree())
    for (int r = 0; r < nc_; ++r) least = std::fmin(least, -pivot_[nv_ + r] / unit_of[r]);
  for (int f = 0; f < t.n_fronts; ++f) {
    const Front& front = t.fronts[f];
    const int* rows = t.front_rows + front.rows;
    for (int k = 0; k < front.eliminated; ++k) {
      const double root = fronts_[front.matrix + k * (front.size + 1)];
      least = std::fmin(least, root * root / unit_of[rows[k]]);
    }
  }
  return least;
}

void EliminationFactor::reduce(const double* f, const double* b, double* y, double* g) {
  const EliminationTables& t = *tables_;
  for (int i = 0; i < nv_; ++i) x_[t.place[i]] = f[i];
  for (int i = 0; i < nc_; ++i) x_[t.place[nv_ + i]] = b[i];
  for (int j = 0; j < nv_; ++j)
    for (int s = t.column_start[j]; s < t.column_start[j + 1]; ++s)
      x_[t.column_row[s]] -= lower_[s] * x_[j];
  for (int i = 0; i < nv_; ++i) y[i] = x_[i];
  for (int i = 0; i < nc_; ++i) g[i] = -x_[t.place[nv_ + i]];
}

void EliminationFactor::solve_multipliers(const double* g, double* lambda) {
  const EliminationTables& t = *tables_;
  double* x = x_ + nv_;
  for (int i = 0; i < nc_; ++i) x[t.place[nv_ + i] - nv_] = g[i];
  if (has_tree()) {
    solve_tree(t, fronts_, x);
  } else {
    for (int j = nv_; j < nv_ + nc_; ++j)
      for (int s = t.column_start[j]; s < t.column_start[j + 1]; ++s)
        x_[t.column_row[s]] -= lower_[s] * x_[j];
    for (int j = nv_ + nc_ - 1; j >= nv_; --j) {
      x_[j] /= -pivot_[j];
      for (int s = t.column_start[j]; s < t.column_start[j + 1]; ++s)
        x_[j] -= lower_[s] * x_[t.column_row[s]];
    }
  }
  for (int i = 0; i < nc_; ++i) lambda[i] = x[t.place[nv_ + i] - nv_];
}

void EliminationFactor::expand(const double* y, const double* lambda, double* a) {
  const EliminationTables& t = *tables_;
  for (int i = 0; i < nc_; ++i) x_[t.place[nv_ + i]] = lambda[i];
  for (int j = nv_ - 1; j >= 0; --j) {
    x_[j] = y[j] / pivot_[j];
    for (int s = t.column_start[j]; s < t.column_start[j + 1]; ++s)
      x_[j] -= lower_[s] * x_[t.column_row[s]];
  }
  for (int i = 0; i < nv_; ++i) a[i] = x_[t.place[i]];
}

void EliminationFactor::fill_schur(int first, int n, double* dense) const {
  const EliminationTables& t = *tables_;
  // rows of this block by their places; all that share a column are in one block
  for (int i = 0; i < n; ++i) x_[t.place[nv_ + first + i]] = i;
  for (int i = 0; i < n; ++i) {
    const int row = t.place[nv_ + first + i];
    for (int k = t.row_start[row]; k < t.row_start[row + 1] && t.row_column[k] < nv_; ++k) {
      const int column = t.row_column[k];
      const double value = lower_[t.row_slot[k]] * pivot_[column];
      for (int s = t.column_start[column]; s < t.column_start[column + 1]; ++s)
        if (t.column_row[s] >= nv_)
          dense[i * n + static_cast<int>(x_[t.column_row[s]])] += value * lower_[s];
    }
  }
}

}  // namespace mechfmu::runtime
