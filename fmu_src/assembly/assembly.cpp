#include "assembly/assembly.hpp"

#include <cmath>
#include <initializer_list>

#include "solvers/rank_revealing.hpp"

namespace mechfmu::runtime {
namespace {

constexpr int kMaxIterations = 100;
constexpr int kMaxTries = 40;
constexpr double kLargestStep = 0.5;  // [rad, m]: Newton's method must not jump to another branch
constexpr double kAccepted = 1e-9;    // residual at which a start that stalls is still good
constexpr double kRowCutoff = 1e-14;  // on the square of what is left of a row: 1e-7 of its length
constexpr double kSoftness =
    1e-8;  // regularisation of the least squares, relative to a row's square

// A reproducible number in [-1, 1) for try k, coordinate i (splitmix64).
double pseudo_random(unsigned k, unsigned i) {
  unsigned long long x = 0x9e3779b97f4a7c15ULL * (k * 1000003ULL + i + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1;
}

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Assembly::Assembly(const Model& model, Arena& arena) : model_(model) {
  int rows = 0, numbers = 0, most_rows = 0, most_columns = 0;
  for (int g = 0; g < model.n_groups; ++g) {
    const AssemblyGroup& group = model.groups[g];
    rows += group.rows;
    numbers += group.rows * group.columns;
    most_rows = group.rows > most_rows ? group.rows : most_rows;
    most_columns = group.columns > most_columns ? group.columns : most_columns;
  }
  for (Rows* set : {&hard_, &soft_}) {
    set->matrix = arena.take(numbers);
    set->residual = arena.take(rows);
    set->source = reinterpret_cast<int*>(arena.take(rows));
    set->count = reinterpret_cast<int*>(arena.take(model.n_groups));
  }
  rates_ = arena.take(model.nc);
  condition_values_ = arena.take(model.n_conditions + model.condition_jacobian.count);
  new_memory_ = arena.take(model.n_memory);
  first_q_ = arena.take(model.nq);
  best_q_ = arena.take(model.nq + model.n_memory);  // also what the guess kernel fills
  step_ = arena.take(model.nv);
  local_ = arena.take(most_columns);
  gram_ = arena.take(most_rows * most_rows);
  soft_gram_ = arena.take(most_rows * most_rows);
  checks_ = arena.take(model.n_checks);
  tangent_ = arena.take(2 * model.nc + model.n_conditions);
  vectors_ = arena.take(8 * most_rows);
}

double* Assembly::add_row(Rows& rows, int source, double residual) const {
  const int g = model_.row_group[source];
  const AssemblyGroup& group = model_.groups[g];
  const int i = rows.count[g]++;
  double* row = rows.matrix + group.matrix + i * group.columns;
  for (int j = 0; j < group.columns; ++j) row[j] = 0;
  rows.residual[group.first_row + i] = residual;
  rows.source[group.first_row + i] = source;
  return row;
}

template <class Act>
void Assembly::for_each_row(const Rows& rows, Act act) const {
  for (int g = 0; g < model_.n_groups; ++g) {
    const AssemblyGroup& group = model_.groups[g];
    for (int i = 0; i < rows.count[g]; ++i)
      act(group.first_row + i, rows.source[group.first_row + i],
          rows.matrix + group.matrix + i * group.columns, group);
  }
}

double Assembly::largest_residual() const {
  double most = 0;
  for_each_row(hard_, [&](int row, int, const double*, const AssemblyGroup&) {
    const double size = std::fabs(hard_.residual[row]);
    if (!(size <= most)) most = size;
  });
  return most;
}

void Assembly::evaluate(System& system, double t, const double* q, const double* v,
                        bool velocity_level) {
  const Model& m = model_;
  for (int g = 0; g < m.n_groups; ++g) hard_.count[g] = soft_.count[g] = 0;
  system.evaluate_kinematics(t, q, v);
  if (velocity_level) system.residual_rate(v, rates_);
  for (int i = 0, k = 0; i < m.nc; ++i) {
    // entries of the Jacobian are sorted by row
    const bool wanted = m.row_level[i] == RowLevel::position ||
                        (velocity_level && m.row_level[i] == RowLevel::velocity);
    double* row =
        wanted ? add_row(hard_, i, velocity_level ? rates_[i] : system.phi()[i]) : nullptr;
    for (; k < m.jacobian.count && m.jacobian.row[k] == i; ++k)
      if (row != nullptr) row[m.column_place[m.jacobian.column[k]]] = system.jacobian()[k];
  }

  system.arrays()[kPosition] = q;
  system.arrays()[kVelocity] = v;
  m.starts.run(m.starts.context, system.arrays(), condition_values_);
  const double* entries = condition_values_ + m.n_conditions;
  for (int c = 0, k = 0; c < m.n_conditions; ++c) {
    const bool wanted = m.conditions[c].velocity == velocity_level;
    Rows& rows = m.conditions[c].fixed && !fixed_are_guesses_ ? hard_ : soft_;
    double* row = wanted ? add_row(rows, m.nc + c, condition_values_[c]) : nullptr;
    for (; k < m.condition_jacobian.count && m.condition_jacobian.row[k] == c; ++k)
      if (row != nullptr) row[m.column_place[m.condition_jacobian.column[k]]] = entries[k];
  }
}

bool Assembly::calc_step(bool with_guesses) {
  for (int g = 0; g < model_.n_groups; ++g) {
    const AssemblyGroup& group = model_.groups[g];
    calc_step_of(group, with_guesses);
    for (int j = 0; j < group.columns; ++j)
      step_[model_.assembly_columns[group.first_column + j]] = local_[j];
  }
  return all_finite(step_, model_.nv);
}

void Assembly::calc_step_of(const AssemblyGroup& group, bool with_guesses) {
  const int nv = group.columns;
  const int rows = group.rows;
  const auto g = static_cast<int>(&group - model_.groups);
  const double* hard_matrix = hard_.matrix + group.matrix;
  double* step = local_;
  double* weight = vectors_ + 2 * rows;
  double* work = vectors_ + 3 * rows;
  for (int i = 0; i < nv; ++i) step[i] = 0;

  // hard rows: step = -H^T (H H^T)^-1 r, the independent ones exactly
  const int n = hard_.count[g];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      gram_[i * n + j] = gram_[j * n + i] = dot(hard_matrix + i * nv, hard_matrix + j * nv, nv);
  PivotedFactor hard;
  factor_pivoted(hard, n, n, kRowCutoff, gram_, vectors_, vectors_ + rows);
  solve_basic(hard, hard_.residual + group.first_row, weight, work);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < nv; ++j) step[j] -= hard_matrix[i * nv + j] * weight[i];
  const int s = soft_.count[g];
  if (!with_guesses || s == 0) return;

  // soft rows: what they still want, and the part of each row that leaves the hard ones alone
  double* soft_matrix = soft_.matrix + group.matrix;
  double* soft_residual = soft_.residual + group.first_row;
  double longest = 0;
  double* along = vectors_ + 4 * rows;
  for (int i = 0; i < s; ++i) {
    double* row = soft_matrix + i * nv;
    longest = std::fmax(longest, dot(row, row, nv));
    soft_residual[i] += dot(row, step, nv);
    for (int k = 0; k < n; ++k) along[k] = dot(hard_matrix + k * nv, row, nv);
    solve_basic(hard, along, weight, work);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < nv; ++j) row[j] -= hard_matrix[k * nv + j] * weight[k];
  }
  for (int i = 0; i < s; ++i) {
    for (int j = 0; j <= i; ++j)
      soft_gram_[i * s + j] = soft_gram_[j * s + i] =
          dot(soft_matrix + i * nv, soft_matrix + j * nv, nv);
    soft_gram_[i * s + i] += kSoftness * longest;
  }
  PivotedFactor soft;
  factor_pivoted(soft, s, s, 0, soft_gram_, vectors_ + 5 * rows, vectors_ + 6 * rows);
  solve_basic(soft, soft_residual, vectors_ + 7 * rows, work);
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < nv; ++j) step[j] -= soft_matrix[i * nv + j] * vectors_[7 * rows + i];
}

void Assembly::update_memory(System& system, const double* q, double* memory) {
  if (model_.n_memory == 0 || model_.sample > 0) return;
  system.arrays()[kPosition] = q;
  model_.memory.run(model_.memory.context, system.arrays(), new_memory_);
  for (int i = 0; i < model_.n_memory; ++i) memory[i] = new_memory_[i];
}

double Assembly::find_pose(System& system, double t, double* q, const double* v, double* memory,
                           int& iterations) {
  double error = HUGE_VAL;
  double previous = HUGE_VAL;
  bool guesses = true;
  for (int i = 0; i < kMaxIterations; ++i, ++iterations) {
    evaluate(system, t, q, v, false);
    error = largest_residual();
    if (!std::isfinite(error)) return HUGE_VAL;
    const bool met = error <= kAssemblyTolerance || (error < kAccepted && error > 0.5 * previous);
    // guesses have their say until they ask for nothing more; then only the hard rows are polished
    if (met && !guesses) break;
    previous = error;
    if (!calc_step(guesses)) return HUGE_VAL;
    double size = largest(step_, model_.nv);
    if (guesses && ((met && size < 1e-9) || i > kMaxIterations / 2)) {
      guesses = false;
      previous = HUGE_VAL;
    }
    if (size > kLargestStep)
      for (int j = 0; j < model_.nv; ++j) step_[j] *= kLargestStep / size;
    system.move(q, step_);
    update_memory(system, q, memory);
  }
  return error;
}

bool Assembly::solve_positions(System& system, double t, double* q, double* v, double* memory,
                               AssemblyReport& report) {
  const Model& m = model_;
  for (int i = 0; i < m.nq; ++i) first_q_[i] = q[i];
  double best = HUGE_VAL;
  for (int attempt = 0; attempt < kMaxTries; ++attempt) {
    // try 0 is the guess itself; later ones begin farther and farther away from it
    for (int i = 0; i < m.nq; ++i) q[i] = first_q_[i];
    const double spread = 0.1 * attempt;
    for (int j = 0; j < m.nv; ++j)
      step_[j] = spread * pseudo_random(static_cast<unsigned>(attempt), static_cast<unsigned>(j));
    if (attempt > 0) system.move(q, step_);
    const double error = find_pose(system, t, q, v, memory, report.iterations);
    if (error < best || attempt == 0) {
      best = error;
      for (int i = 0; i < m.nq; ++i) best_q_[i] = q[i];
    }
    if (error < kAccepted) break;
  }
  for (int i = 0; i < m.nq; ++i) q[i] = best_q_[i];
  evaluate(system, t, q, v, false);
  report.position_residual = largest_residual();
  return report.position_residual < kAccepted;
}

// Velocities as the conditions say; the constraints have no say.
bool Assembly::take_start_velocities(System& system, double t, const double* q, double* v) {
  for (int pass = 0; pass < 2; ++pass) {
    evaluate(system, t, q, v, true);
    for_each_row(hard_, [&](int i, int source, double* row, const AssemblyGroup& group) {
      if (source >= model_.nc) return;
      hard_.residual[i] = 0;
      for (int j = 0; j < group.columns; ++j) row[j] = 0;
    });
    if (!calc_step(true)) return false;
    for (int j = 0; j < model_.nv; ++j) v[j] += step_[j];
  }
  return true;
}

bool Assembly::solve_velocities(System& system, double t, const double* q, double* v,
                                AssemblyReport& report) {
  for (int j = 0; j < model_.nv; ++j) v[j] = 0;
  // Newton's method needs a first guess where rows are nonlinear in v
  if (model_.nonlinear_rows && !take_start_velocities(system, t, q, v)) return false;
  // linear: the second pass makes up for what the regularisation kept from the guesses, the last
  // one removes rounding
  const int passes = model_.nonlinear_rows ? kMaxIterations : 3;
  for (int pass = 0; pass < passes; ++pass) {
    evaluate(system, t, q, v, true);
    const bool guesses = pass < 2 || (pass < passes / 2 && largest(step_, model_.nv) > 1e-9);
    if (!calc_step(guesses)) return false;
    for (int j = 0; j < model_.nv; ++j) v[j] += step_[j];
    if (!guesses && pass > 2 && largest(step_, model_.nv) <= 1e-15 * largest(v, model_.nv)) break;
  }
  evaluate(system, t, q, v, true);
  report.velocity_residual = largest_residual();
  return report.velocity_residual < kAccepted * (1 + largest(v, model_.nv));
}

bool Assembly::calc_tangent_level(System& system, double t, const double* q, const double* v,
                                  bool velocity_level, double* change) {
  const Model& m = model_;
  for (int j = 0; j < m.nv; ++j) change[j] = 0;
  // as with velocities, the second pass makes up for what the regularisation kept from the guesses
  for (int pass = 0; pass < 3; ++pass) {
    evaluate(system, t, q, v, velocity_level);
    m.tangent_conditions.run(m.tangent_conditions.context, system.arrays(), tangent_);
    for (Rows* rows : {&hard_, &soft_})
      for_each_row(*rows, [&](int i, int source, double* row, const AssemblyGroup& group) {
        if (m.start_as_given && source < m.nc) {
          for (int j = 0; j < group.columns; ++j) row[j] = 0;
          rows->residual[i] = 0;
          return;
        }
        double along = 0;
        for (int j = 0; j < group.columns; ++j)
          along += row[j] * change[m.assembly_columns[group.first_column + j]];
        rows->residual[i] =
            tangent_[source >= m.nc || velocity_level ? m.nc + source : source] + along;
      });
    if (!calc_step(pass < 2)) return false;
    for (int j = 0; j < m.nv; ++j) change[j] += step_[j];
  }
  return true;
}

bool Assembly::calc_tangent(System& system, double t, const double* q, const double* v, double* dq,
                            double* dv) {
  system.set_position_rate(q, nullptr);
  if (!calc_tangent_level(system, t, q, v, false, dq)) return false;
  system.set_position_rate(q, dq);
  return calc_tangent_level(system, t, q, v, true, dv);
}

bool Assembly::fail(const char* level, Failure& failure) const {
  int worst = 0;
  double most = -1;
  for_each_row(hard_, [&](int i, int, const double*, const AssemblyGroup&) {
    if (std::fabs(hard_.residual[i]) <= most) return;
    most = std::fabs(hard_.residual[i]);
    worst = i;
  });
  const int source = hard_.source[worst];
  if (source >= model_.nc)
    return fail_start(level, source - model_.nc, hard_.residual[worst], failure);
  if (model_.row_level[source] == RowLevel::velocity)
    return failure.set("%s cannot be met: its residual is %.3g at the nearest velocities found",
                       model_.constraint_names[source], hard_.residual[worst]);
  return failure.set("%s cannot be closed: its %s residual is %.3g at the nearest pose found",
                     model_.constraint_names[source], level, hard_.residual[worst]);
}

bool Assembly::fail_start(const char* level, int condition, double error, Failure& failure) const {
  return failure.set(
      "the start %s '%s' cannot be kept: off by %.3g; it contradicts the other fixed starts or the "
      "loops",
      level, model_.conditions[condition].name, error);
}

bool Assembly::fail_positions(System& system, double t, double* q, double* v, double* memory,
                              Failure& failure) {
  fail("position", failure);
  bool any_fixed = false;
  for (int c = 0; c < model_.n_conditions; ++c)
    any_fixed |= model_.conditions[c].fixed && !model_.conditions[c].velocity;
  if (!any_fixed) return false;

  // if the loops close once fixed starts may move, the starts were the contradiction
  for (int i = 0; i < model_.nq; ++i) q[i] = first_q_[i];
  fixed_are_guesses_ = true;
  AssemblyReport unused;
  if (solve_positions(system, t, q, v, memory, unused)) {
    int worst = -1;
    for (int c = 0; c < model_.n_conditions; ++c) {
      const StartCondition& condition = model_.conditions[c];
      if (condition.velocity || !condition.fixed) continue;
      if (worst < 0 || std::fabs(condition_values_[c]) > std::fabs(condition_values_[worst]))
        worst = c;
    }
    fail_start("position", worst, condition_values_[worst], failure);
  }
  fixed_are_guesses_ = false;
  return false;
}

bool Assembly::run(System& system, double t, double* q, double* v, double* memory,
                   AssemblyReport& report, Failure& failure) {
  const Model& m = model_;
  report = {};
  m.guess.run(m.guess.context, system.arrays(), best_q_);
  for (int i = 0; i < m.nq; ++i) q[i] = best_q_[i];
  for (int i = 0; i < m.n_memory; ++i) memory[i] = best_q_[m.nq + i];
  for (int j = 0; j < m.nv; ++j) v[j] = 0;
  system.normalise(q);
  update_memory(system, q, memory);

  if (m.start_as_given) {
    // nothing is moved: velocities are those of the conditions, which are one per coordinate then
    if (!take_start_velocities(system, t, q, v))
      return failure.set("the start velocities are not finite");
    system.evaluate_kinematics(t, q, v);
    report.position_residual = largest(system.phi(), m.nc);
    system.residual_rate(v, rates_);
    report.velocity_residual = largest(rates_, m.nc);
    return all_finite(q, m.nq) || failure.set("the start positions are not finite");
  }

  if (m.n_checks > 0) {
    m.checks.run(m.checks.context, system.arrays(), checks_);
    for (int i = 0; i < m.n_checks; ++i)
      if (!(std::fabs(checks_[i]) < kAccepted))
        return failure.set("%s cannot be closed: no motion changes its residual of %.3g",
                           m.check_names[i], checks_[i]);
  }
  if (!solve_positions(system, t, q, v, memory, report))
    return fail_positions(system, t, q, v, memory, failure);
  if (!solve_velocities(system, t, q, v, report)) return fail("velocity", failure);
  return true;
}

}  // namespace mechfmu::runtime
