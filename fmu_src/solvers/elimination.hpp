// [M J^T; J -C] eliminated with numbers, along tables made when the FMU was built (see
// EliminationTables): work and memory grow with the entries of the factor, which for chains and
// loops in absolute coordinates means in proportion to the bodies. No pivot is searched.
//
// First the accelerations, M = L D L^T, which leaves (S + C) lambda = g with S = J M^-1 J^T. Then
// the multipliers, in one of two ways:
//
//   sparse              the factorisation goes on, fewest neighbours first
//   divide_and_conquer  assembly and disassembly over a binary tree of bodies, see
//                       divide_and_conquer.hpp
#pragma once
#include "system/arena.hpp"
#include "system/model.hpp"

namespace mechfmu::runtime {

class EliminationFactor {
 public:
  EliminationFactor(const Model& model, Arena& arena);

  // M and J are read from the workspace of the kernels.
  void eliminate_accelerations(const double* work);
  // C = diag(compliance), null: 0. False: a pivot is nan or, of a row that does not give way, below
  // 1e-10 of what S has there.
  bool factor_multipliers(const double* compliance);

  // The least pivot of S in units of its rows, after factor_multipliers(nullptr).
  [[nodiscard]] double least_pivot(const double* unit) const;
  [[nodiscard]] double schur_diagonal(int row) const {
    return schur_diagonal_[tables_->place[nv_ + row] - nv_];
  }

  // y [nv] = L^-1 f and g [nc] = J M^-1 f - b; a = M^-1 (f - J^T lambda) from y
  void reduce(const double* f, const double* b, double* y, double* g);
  void solve_multipliers(const double* g, double* lambda);
  void expand(const double* y, const double* lambda, double* a);

  // Rows first .. first + n of S as a dense matrix.
  void fill_schur(int first, int n, double* dense) const;

 private:
  [[nodiscard]] bool has_tree() const { return tables_->n_fronts > 0; }
  void eliminate_row(int row, int last_column, const double* work);

  const EliminationTables* tables_;
  int nv_, nc_;
  double* lower_;           // [entries of L]
  double* pivot_;           // [nv + nc] D
  double* row_;             // [nv + nc] scratch, zero between rows
  double* schur_diagonal_;  // [nc] by row
  double* fronts_;          // [front_memory]
  double* x_;               // [nv + nc] scratch
};

}  // namespace mechfmu::runtime
