// Derivatives in one direction of what a System evaluates and solves.
#include "solvers/rank_revealing.hpp"
#include "system/system.hpp"

namespace mechfmu::runtime {

void System::clear_rates() {
  for (int i = 0; i < rates_size_; ++i) rates_.time[i] = 0;
}

void System::set_position_rate(const double* q, const double* dq) {
  if (dq != nullptr) {
    position_rate(q, dq, rates_.position);
    return;
  }
  for (int i = 0; i < nq; ++i) rates_.position[i] = 0;
}

// The differentiated equations have the matrix of the equations themselves:
//
//     M da + J^T dlambda = d(f - M a - J^T lambda)        J da = -d(gamma + J a)
void System::calc_tangent_rows(const double* a, const double* lambda) {
  in_[kAcceleration] = a;
  in_[kMultiplier] = lambda;
  model.tangent_rows.run(model.tangent_rows.context, in_, tangent_);
}

bool System::solve_tangent(const double* lambda) {
  const double rank_losses = statistics_[kRankLosses];
  // a direction that leaves the constraints makes redundant rows contradict each other
  const bool before = meets_all_rows_;
  meets_all_rows_ = true;
  const bool solved = solve(tangent_, tangent_ + nv, rates_.acceleration, rates_.multiplier);
  meets_all_rows_ = before;
  statistics_[kRankLosses] = rank_losses;
  if (solved && model.rank_revealing) add_null_tangent(lambda);
  return solved;
}

// Multipliers of redundant rows are those of minimum norm, Z^T lambda = 0 for all Z with J^T Z = 0.
// As the null space turns, dlambda has a part in it: with lambda = J w,
//
//     Z^T dlambda = -dZ^T lambda = Z^T dJ w
void System::add_null_tangent(const double* lambda) {
  double* w = reduced_;
  double* turned = reduced_ + nv;  // -(dJ w): tangent rows at a = w less those at a = 0
  if (!solve_euclidean(lambda, w, false)) return;
  in_[kAcceleration] = w;
  model.tangent_rows.run(model.tangent_rows.context, in_, tangent_);
  for (int i = 0; i < nc; ++i) turned[i] = -tangent_[nv + i];
  in_[kAcceleration] = zeros_;
  model.tangent_rows.run(model.tangent_rows.context, in_, tangent_);
  for (int i = 0; i < nc; ++i) turned[i] += tangent_[nv + i];

  int next = 0;
  for (int b = 0; b < model.n_blocks; ++b) {
    const SchurBlock& block = model.blocks[b];
    const int n = block.size;
    next = fill_block(block, next, false);
    PivotedFactor factor;
    factor_pivoted(factor, n, block.rank, kRankCutoff, dense_, scratch_, scratch_ + n);
    if (factor.rank == n) continue;
    double* part = scratch_ + 2 * n;
    for (int i = 0; i < n; ++i) part[i] = turned[block.first + i];
    remove_null_part(factor, part, scratch_ + 4 * n);
    for (int i = 0; i < n; ++i)
      rates_.multiplier[block.first + i] += turned[block.first + i] - part[i];
  }
}

}  // namespace mechfmu::runtime
