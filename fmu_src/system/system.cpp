#include "system/system.hpp"

#include <cmath>
#include <cstring>

#include "platform/elementary.hpp"
#include "solvers/rank_revealing.hpp"

namespace mechfmu::runtime {

double largest(const double* x, int n) {
  double result = 0;
  for (int i = 0; i < n; ++i) {
    const double a = std::fabs(x[i]);
    if (!(a <= result)) result = a;  // a nan stays: nothing is <= nan, and nan is not <= anything
    if (a != a) return a;
  }
  return result;
}

namespace {

// Copies; false if something is not finite.
bool copy(const double* from, int n, double* to) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += to[i] = from[i];
  return std::fabs(sum) < HUGE_VAL || all_finite(to, n);
}

}  // namespace

// 0 x is 0 for every finite x and not a number for the others.
bool all_finite(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += 0 * x[i];
  return sum == 0;
}

System::System(const Model& m, Arena& arena)
    : model(m), nq(m.nq), nv(m.nv), nc(m.nc), factor_(m, arena), in_{} {
  for (int b = 0; b < m.n_blocks; ++b)
    if (m.blocks[b].size > largest_block_) largest_block_ = m.blocks[b].size;
  for (int i = 0; i < nc; ++i) largest_scale_ = std::fmax(largest_scale_, m.row_scale[i]);
  const int n = largest_block_;
  moves_as_it_is_ = nq == nv;
  for (int i = 0; i < nv; ++i) moves_as_it_is_ &= m.position_of_velocity[i] == i;
  constants_ = arena.take(m.n_constants);
  work_ = arena.take(m.work.size);
  solution_ = arena.take(nv + nc);
  reduced_ = arena.take(nv + nc);
  dense_ = arena.take(n * n);
  scratch_ = arena.take(4 * n + n * n);
  pivots_ = arena.take(nc);
  side_ = arena.take(nc);
  input_ = arena.take(m.nu);
  reference_ = arena.take(3 * m.nu);
  zeros_ = arena.take(nv);
  indicators_ = arena.take(2 * m.n_indicators);
  const std::size_t before = arena.used();
  rates_ = {arena.take(1),
            arena.take(nq),
            arena.take(nv),
            arena.take(m.nu),
            arena.take(3 * m.nu),
            arena.take(m.nu),
            arena.take(m.n_parameters),
            arena.take(m.n_starts),
            arena.take(nv),
            arena.take(nc)};
  rates_size_ = static_cast<int>(arena.used() - before);
  tangent_ = arena.take(nv + nc);
  reference_third_ = arena.take(m.nu);
  in_[kReferenceThird] = reference_third_;
  in_[kTimeRate] = rates_.time;
  in_[kPositionRate] = rates_.position;
  in_[kVelocityRate] = rates_.velocity;
  in_[kInputRate] = rates_.input;
  in_[kReferenceRate] = rates_.reference;
  in_[kReferenceThirdRate] = rates_.reference_third;
  in_[kParameterRate] = rates_.parameter;
  in_[kStartRate] = rates_.start;
  in_[kAccelerationRate] = rates_.acceleration;
  in_[kMultiplierRate] = rates_.multiplier;
  compliance_ = arena.take(nc);
  no_multiplier_ = arena.take(nc);
  in_[kInput] = input_;
  in_[kReference] = reference_;
  in_[kTime] = &time_;
  in_[kConstant] = constants_;
  in_[kScratch] = arena.take(m.n_scratch);
  in_[kWork] = work_;
}

void System::bind(const double* parameters, const double* starts, const InputSignals* inputs,
                  const double* memory, double* statistics, double* modes) {
  in_[kParameter] = parameters;
  in_[kStart] = starts;
  inputs_ = inputs;
  for (int i = 0; i < nv; ++i) zeros_[i] = 0;
  in_[kMemory] = memory;
  in_[kStatistics] = statistics;
  statistics_ = statistics;
  in_[kMode] = modes_ = modes;
}

void System::prepare() { model.prepare.run(model.prepare.context, in_, constants_); }

void System::evaluate_inputs(double t) {
  if (model.nu > 0 && !inputs_held_) inputs_->evaluate(t, input_, reference_, reference_third_);
}

const double* System::evaluate_indicators(double t, const double* q, const double* v) {
  time_ = t;
  evaluate_inputs(t);
  in_[kPosition] = q;
  in_[kVelocity] = v;
  model.indicators.run(model.indicators.context, in_, indicators_);
  return indicators_;
}

void System::set_place(double t, const double* q, const double* v) {
  if (model.n_modes > 0 && !held_) {
    const double* conditions = evaluate_indicators(t, q, v) + model.n_indicators;
    for (int i = 0; i < model.n_modes; ++i) modes_[i] = conditions[i];
    return;
  }
  time_ = t;
  evaluate_inputs(t);
  in_[kPosition] = q;
  in_[kVelocity] = v;
}

void System::evaluate_kinematics(double t, const double* q, const double* v) {
  set_place(t, q, v);
  model.kinematics.run(model.kinematics.context, in_, work_);
  factored_ = Factored::nothing;
}

void System::evaluate_dynamics(double t, const double* q, const double* v) {
  set_place(t, q, v);
  model.dynamics.run(model.dynamics.context, in_, work_);
  factored_ = Factored::nothing;
  statistics_[kEvaluations] += 1;
}

void System::jacobian_times(const double* v, double* result) const {
  const double* entry = jacobian();
  for (int i = 0; i < nc; ++i) result[i] = 0;
  for (int k = 0; k < model.jacobian.count; ++k)
    result[model.jacobian.row[k]] += entry[k] * v[model.jacobian.column[k]];
}

void System::add_jacobian_transposed(const double* lambda, double* result) const {
  const double* entry = jacobian();
  for (int k = 0; k < model.jacobian.count; ++k)
    result[model.jacobian.column[k]] += entry[k] * lambda[model.jacobian.row[k]];
}

void System::residual_rate(const double* v, double* result) const {
  jacobian_times(v, result);
  for (int i = 0; i < nc; ++i)
    result[i] = model.row_level[i] == RowLevel::acceleration ? 0 : result[i] + phi_time()[i];
}

void System::get_schur_diagonal(double* diagonal) {
  if (model.elimination != nullptr) {
    factor_mass();
    for (int i = 0; i < nc; ++i) diagonal[i] = factor_.schur_diagonal(i);
    return;
  }
  for (int i = 0; i < nc; ++i) diagonal[i] = 0;
  for (int k = 0; k < model.schur.count; ++k)
    if (model.schur.row[k] == model.schur.column[k]) diagonal[model.schur.row[k]] = schur()[k];
}

// No more than the least pivot of S in units of its row.
double System::bound_weakness() const {
  if (model.elimination == nullptr) return work_[model.work.weakness] / largest_scale_;
  if (factored_ == Factored::compliant) return 1;  // says nothing about S alone
  return factored_ == Factored::rigid ? factor_.least_pivot(model.row_scale) : 0;
}

double System::calc_weakness() {
  constexpr double kLarge = 0.1;
  constexpr int kSmallBlock = 12;  // whose pivots are cheaper than to be mistaken
  if (nc == 0) return 1;
  if (!model.rank_revealing) {
    const double bound = bound_weakness();
    const bool exact = model.elimination != nullptr || largest_block_ > kSmallBlock;
    if (bound > kLarge || exact) return std::fmax(bound, 0);
  }
  double least = 1;
  int next = 0;
  for (int b = 0; b < model.n_blocks; ++b) {
    const SchurBlock& block = model.blocks[b];
    next = fill_block(block, next, false);
    PivotedFactor factor;
    factor_pivoted(factor, block.size, block.rank, 0, dense_, scratch_, scratch_ + block.size,
                   nullptr, model.row_scale + block.first);
    least = std::fmin(least, factor.last_pivot(block.rank, model.row_scale + block.first));
  }
  return least;
}

bool System::solve(const double* force_side, const double* constraint_side, double* a,
                   double* lambda) {
  // written so that a nan weakness counts as weak
  const bool direct =
      !model.rank_revealing &&
      (model.elimination != nullptr ? factor_multipliers(nullptr) : work_[model.work.weakness] > 0);
  if (!direct) {
    if (!model.rank_revealing) statistics_[kRankLosses] += 1;
    return solve_rank_revealing(force_side, constraint_side, a, lambda, false);
  }
  if (model.elimination != nullptr) {
    reduce(force_side, constraint_side);
    solve_multipliers(lambda);
    expand(lambda, a);
    return all_finite(a, nv) && all_finite(lambda, nc);
  }
  in_[kForceSide] = force_side;
  in_[kConstraintSide] = constraint_side;
  model.solve.run(model.solve.context, in_, solution_);
  return copy(solution_, nv, a) && copy(solution_ + nv, nc, lambda);
}

bool System::accelerate(double* a, double* lambda) {
  if (model.work.motion >= 0 && work_[model.work.weakness] > 0) {
    const double* motion = work_ + model.work.motion;
    return copy(motion, nv, a) && copy(motion + nv, nc, lambda);
  }
  for (int i = 0; i < nc; ++i) side_[i] = -gamma()[i];
  return solve(force(), side_, a, lambda);
}

bool System::solve_positions(const double* constraint_side, double* x, double* lambda) {
  if (model.position_rows_only) return solve(zeros_, constraint_side, x, lambda);
  return solve_rank_revealing(zeros_, constraint_side, x, lambda, true);
}

// The block of S as a dense matrix; returns where the entries of the next block begin.
int System::fill_block(const SchurBlock& block, int next, bool position_rows_only) {
  const int n = block.size;
  std::memset(dense_, 0, sizeof(double) * static_cast<std::size_t>(n * n));
  if (model.elimination != nullptr) {
    factor_.fill_schur(block.first, n, dense_);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (!takes(block.first + i, position_rows_only) ||
            !takes(block.first + j, position_rows_only))
          dense_[i * n + j] = 0;
    return next;
  }
  for (; next < model.schur.count && model.schur.row[next] < block.first + n; ++next) {
    const int row = model.schur.row[next];
    const int column = model.schur.column[next];
    // a row of zeros gets a multiplier of zero
    if (!takes(row, position_rows_only) || !takes(column, position_rows_only)) continue;
    const int i = row - block.first;
    const int j = column - block.first;
    dense_[i * n + j] = dense_[j * n + i] = schur()[next];
  }
  return next;
}

void System::factor_mass() {
  if (factored_ != Factored::nothing) return;
  factor_.eliminate_accelerations(work_);
  factored_ = Factored::mass;
}

// Null: rows that do not give way. False: weak pivots, S is singular or nearly so.
bool System::factor_multipliers(const double* compliance) {
  factor_mass();
  const bool rigid = compliance == nullptr;
  if (factored_ == (rigid ? Factored::rigid : Factored::compliant)) {
    bool same = true;
    for (int i = 0; i < nc && !rigid; ++i) same &= compliance[i] == compliance_[i];
    if (same) return true;
  }
  factored_ = Factored::mass;
  if (!factor_.factor_multipliers(compliance)) return false;
  factored_ = rigid ? Factored::rigid : Factored::compliant;
  for (int i = 0; i < nc && !rigid; ++i) compliance_[i] = compliance[i];
  return true;
}

bool System::solve_multipliers(double* lambda) {
  factor_.solve_multipliers(reduced_ + nv, lambda);
  return all_finite(lambda, nc);
}

void System::reduce(const double* force_side, const double* constraint_side) {
  if (model.elimination != nullptr) {
    factor_mass();
    factor_.reduce(force_side, constraint_side, reduced_, reduced_ + nv);
    return;
  }
  in_[kForceSide] = force_side;
  in_[kConstraintSide] = constraint_side;
  model.reduce.run(model.reduce.context, in_, reduced_);
}

void System::expand(const double* lambda, double* a) {
  if (model.elimination != nullptr) {
    factor_.expand(reduced_, lambda, a);
    return;
  }
  in_[kForceSide] = reduced_;
  in_[kConstraintSide] = lambda;
  model.expand.run(model.expand.context, in_, solution_);
  for (int i = 0; i < nv; ++i) a[i] = solution_[i];
}

bool System::solve_rank_revealing(const double* force_side, const double* constraint_side,
                                  double* a, double* lambda, bool position_rows_only) {
  reduce(force_side, constraint_side);
  double* g = reduced_ + nv;
  for (int i = 0; i < nc; ++i)
    if (!takes(i, position_rows_only)) g[i] = 0;

  int next = 0;  // entries of the Schur complement are stored block by block
  for (int b = 0; b < model.n_blocks; ++b) {
    const SchurBlock& block = model.blocks[b];
    const int n = block.size;
    next = fill_block(block, next, position_rows_only);
    PivotedFactor factor;
    const bool holds = holds_pivots_ && !position_rows_only;
    double* held = pivots_ + block.first;
    factor_pivoted(factor, n, block.rank, kRankCutoff, dense_, scratch_, scratch_ + n,
                   holds && has_pivots_ ? held : nullptr);
    for (int i = 0; i < n && holds; ++i) held[i] = factor.order[i];
    if (factor.rank < block.rank && !position_rows_only && lost_rank_ == nullptr) {
      lost_rank_ = block.name;
      lost_rank_time_ = time_;
    }
    // Off the constraint manifold, in the stages of a step, redundant rows are slightly
    // independent: accelerations that jump with the choice of pivots would cost the integrator two
    // orders, so the choice is held during a step, and lambda is that of minimum norm.
    // Meeting all rows in the least-squares sense is smoother still, but near singular poses it
    // adds to the weak direction (1e-10 became 1e-6 on the coupling rod): only for derivatives, and
    // for hosts that leave the constraints on their own.
    if (factor.rank < n && meets_all_rows_)
      reach_nearest(factor, g + block.first, scratch_ + 4 * n);
    solve_basic(factor, g + block.first, lambda + block.first, scratch_ + 2 * n);
    if (factor.rank < n) remove_null_part(factor, lambda + block.first, scratch_ + 4 * n);
  }
  if (!position_rows_only) has_pivots_ = holds_pivots_;
  expand(lambda, a);
  return all_finite(a, nv) && all_finite(lambda, nc);
}

bool System::solve_compliant(const double* force_side, const double* constraint_side,
                             const double* compliance, double* a, double* lambda) {
  reduce(force_side, constraint_side);
  if (model.elimination != nullptr) {
    if (!factor_multipliers(compliance) || !solve_multipliers(lambda)) return false;
  } else {
    const double* g = reduced_ + nv;
    int next = 0;
    for (int b = 0; b < model.n_blocks; ++b) {
      const SchurBlock& block = model.blocks[b];
      const int n = block.size;
      next = fill_block(block, next, false);
      for (int i = 0; i < n; ++i) dense_[i * n + i] += compliance[block.first + i];
      PivotedFactor factor;
      factor_pivoted(factor, n, n, 0, dense_, scratch_, scratch_ + n);
      solve_basic(factor, g + block.first, lambda + block.first, scratch_ + 2 * n);
    }
  }
  expand(lambda, a);
  return all_finite(a, nv) && all_finite(lambda, nc);
}

bool System::solve_mass(const double* force_side, double* a) {
  for (int i = 0; i < nc; ++i) no_multiplier_[i] = 0;
  reduce(force_side, no_multiplier_);
  expand(no_multiplier_, a);
  return all_finite(a, nv);
}

void System::mass_times(const double* v, double* result) {
  if (model.mass.count == 0) {
    in_[kAcceleration] = v;
    model.mass_times.run(model.mass_times.context, in_, result);
    return;
  }
  for (int i = 0; i < nv; ++i) result[i] = 0;
  for (int k = 0; k < model.mass.count; ++k) {
    const int i = model.mass.row[k];
    const int j = model.mass.column[k];
    result[i] += mass()[k] * v[j];
    if (i != j) result[j] += mass()[k] * v[i];
  }
}

bool System::solve_euclidean(const double* side, double* x, bool position_rows_only) {
  const double* entry = jacobian();
  for (int i = 0; i < nv; ++i) x[i] = 0;
  for (int b = 0; b < model.n_blocks; ++b) {
    const SchurBlock& block = model.blocks[b];
    const int n = block.size;
    const auto inside = [&](int row) {
      return row >= block.first && row < block.first + n && takes(row, position_rows_only);
    };
    std::memset(dense_, 0, sizeof(double) * static_cast<std::size_t>(n * n));
    // J J^T of the block; the entries are sorted by row
    for (int k = 0; k < model.jacobian.count; ++k) {
      if (!inside(model.jacobian.row[k])) continue;
      for (int l = 0; l < model.jacobian.count; ++l)
        if (inside(model.jacobian.row[l]) && model.jacobian.column[l] == model.jacobian.column[k])
          dense_[(model.jacobian.row[k] - block.first) * n + model.jacobian.row[l] - block.first] +=
              entry[k] * entry[l];
    }
    PivotedFactor factor;
    factor_pivoted(factor, n, block.rank, kRankCutoff, dense_, scratch_, scratch_ + n);
    solve_basic(factor, side + block.first, scratch_ + 2 * n, scratch_ + 3 * n);
    for (int k = 0; k < model.jacobian.count; ++k)
      if (inside(model.jacobian.row[k]))
        x[model.jacobian.column[k]] +=
            entry[k] * scratch_[2 * n + model.jacobian.row[k] - block.first];
  }
  return all_finite(x, nv);
}

void System::position_rate(const double* q, const double* v, double* q_dot) const {
  if (moves_as_it_is_) {
    for (int i = 0; i < nv; ++i) q_dot[i] = v[i];
    return;
  }
  for (int i = 0; i < nv; ++i)
    if (model.position_of_velocity[i] >= 0) q_dot[model.position_of_velocity[i]] = v[i];
  for (int k = 0; k < model.n_quaternions; ++k) {
    const double* e = q + model.quaternions[k].q;
    const double* w = v + model.quaternions[k].v;
    double* rate = q_dot + model.quaternions[k].q;
    // e_dot = 1/2 e * (0, w), w in the rotating axes (document 000, eq. 9 transposed as its erratum
    // says)
    rate[0] = -0.5 * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]);
    rate[1] = 0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]);
    rate[2] = 0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]);
    rate[3] = 0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]);
  }
}

void System::move(double* q, const double* step) const {
  for (int i = 0; i < nv; ++i)
    if (model.position_of_velocity[i] >= 0) q[model.position_of_velocity[i]] += step[i];
  for (int k = 0; k < model.n_quaternions; ++k) {
    double* e = q + model.quaternions[k].q;
    const double* w = step + model.quaternions[k].v;
    // e <- e * exp(w/2)
    const double half = 0.5 * std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    double sine_half, d0;
    sine_cosine(half, &sine_half, &d0);
    const double s = half > 1e-8 ? 0.5 * sine_half / half : 0.5;
    const double d1 = s * w[0], d2 = s * w[1], d3 = s * w[2];
    const double e0 = e[0], e1 = e[1], e2 = e[2], e3 = e[3];
    e[0] = e0 * d0 - e1 * d1 - e2 * d2 - e3 * d3;
    e[1] = e0 * d1 + e1 * d0 + e2 * d3 - e3 * d2;
    e[2] = e0 * d2 + e2 * d0 + e3 * d1 - e1 * d3;
    e[3] = e0 * d3 + e3 * d0 + e1 * d2 - e2 * d1;
  }
  normalise(q);
}

void System::displacement(const double* from, const double* to, double* step) const {
  for (int i = 0; i < nv; ++i)
    if (const int k = model.position_of_velocity[i]; k >= 0) step[i] = to[k] - from[k];
  for (int k = 0; k < model.n_quaternions; ++k) {
    const double* e = from + model.quaternions[k].q;
    const double* d = to + model.quaternions[k].q;
    double* w = step + model.quaternions[k].v;
    // twice the vector part of e^-1 d
    w[0] = 2 * (e[0] * d[1] - e[1] * d[0] - e[2] * d[3] + e[3] * d[2]);
    w[1] = 2 * (e[0] * d[2] - e[2] * d[0] - e[3] * d[1] + e[1] * d[3]);
    w[2] = 2 * (e[0] * d[3] - e[3] * d[0] - e[1] * d[2] + e[2] * d[1]);
  }
}

void System::normalise(double* q) const {
  for (int k = 0; k < model.n_quaternions; ++k) {
    double* e = q + model.quaternions[k].q;
    const double norm = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int i = 0; i < 4; ++i) e[i] /= norm;
  }
}

const char* System::find_culprit() const {
  for (int i = 0; i < nc; ++i)
    if (!std::isfinite(phi()[i]) || !std::isfinite(phi_time()[i])) return model.constraint_names[i];
  for (int k = 0; k < model.jacobian.count; ++k)
    if (!std::isfinite(jacobian()[k])) return model.constraint_names[model.jacobian.row[k]];
  for (int i = 0; i < nc; ++i)
    if (!std::isfinite(gamma()[i])) return model.constraint_names[i];
  return nullptr;
}

const char* System::worst_constraint(const double* residual) const {
  int worst = 0;
  for (int i = 1; i < nc; ++i)
    if (!(std::fabs(residual[i]) <= std::fabs(residual[worst]))) worst = i;
  return nc > 0 ? model.constraint_names[worst] : "";
}

}  // namespace mechfmu::runtime
