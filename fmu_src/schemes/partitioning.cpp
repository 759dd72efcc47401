// Coordinate partitioning (document 003, embedding technique): of the coordinates as many are
// dependent as there are independent constraint rows, found by elimination with full pivoting; only
// the others are integrated. At every stage the dependent ones follow from them,
//
//     phi(t, q_i, q_d) = 0          by Newton's method from where they are,    J_d dq_d = -phi
//     J_d v_d = -(J_i v_i + phi_t)  (with the nonholonomic rows)
//
// so that positions and velocities hold the constraints to rounding. (The printed q_d = -C_qd^-1
// C_qi q_i is for linear constraints.) The accelerations of a consistent state are those of the
// whole equations; q_i'' of B_i^T M B_i q_i'' = B_i^T (Q - M gamma) is among them. Pivots are
// chosen at the beginning of every step, or kept until one of them has become small (`repivot`).
#include <cmath>
#include <initializer_list>

#include "schemes/scheme.hpp"
#include "solvers/dense_lu.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kTolerance, kRepivot };
constexpr double kWhenNeeded = 1.5;          // choices are numbered from 1: each step, when needed
constexpr double kSmallPivot = 1e-10;        // of the largest: a row that follows from others
constexpr double kClearlyLarger = 1 + 1e-6;  // equal ones are not told apart by their rounding
constexpr double kWorn = 0.05;  // of its size when it was chosen: a pivot to be replaced
constexpr int kMostIterations = 30;

// What is kept from step to step, for positions and for velocities: how many pivots, how good they
// were when they were chosen, their rows and columns.
struct Pivots {
  double& count;
  double& quality;
  double* rows;
  double* columns;
  [[nodiscard]] int size() const { return static_cast<int>(count); }
  [[nodiscard]] int row(int k) const { return static_cast<int>(rows[k]); }
  [[nodiscard]] int column(int k) const { return static_cast<int>(columns[k]); }
};

bool is_row_of(const System& system, int row, bool positions) {
  const RowLevel level = system.model.row_level[row];
  return level == RowLevel::position || (!positions && level == RowLevel::velocity);
}

Pivots find_pivots(const StepContext& context, bool positions) {
  const int nc = context.system.nc;
  double* memory = context.memory + (positions ? 0 : 2 + 2 * nc);
  return {memory[0], memory[1], memory + 2, memory + 2 + nc};
}

void fill_jacobian(const System& system, double* dense) {
  for (int i = 0; i < system.nc * system.nv; ++i) dense[i] = 0;
  for (int k = 0; k < system.model.jacobian.count; ++k)
    dense[system.model.jacobian.row[k] * system.nv + system.model.jacobian.column[k]] =
        system.jacobian()[k];
}

// Gaussian elimination with full pivoting of the rows of this level.
void choose_pivots(StepContext& context, bool positions) {
  const System& system = context.system;
  const int nv = system.nv;
  double* a = context.scratch.matrix;
  Pivots p = find_pivots(context, positions);
  fill_jacobian(system, a);
  int count = 0;
  double smallest_pivot = 0;
  double largest_pivot = 0;
  const auto is_taken = [&](const double* list, int number) {
    for (int k = 0; k < count; ++k)
      if (static_cast<int>(list[k]) == number) return true;
    return false;
  };
  for (;;) {
    int row = -1, column = -1;
    double best = kSmallPivot * largest_pivot;
    for (int i = 0; i < system.nc; ++i) {
      if (!is_row_of(system, i, positions) || is_taken(p.rows, i)) continue;
      for (int j = 0; j < nv; ++j)
        if (std::fabs(a[i * nv + j]) > kClearlyLarger * best && !is_taken(p.columns, j)) {
          best = std::fabs(a[i * nv + j]);
          row = i;
          column = j;
        }
    }
    if (row < 0) break;
    if (count == 0) largest_pivot = best;
    smallest_pivot = best;
    p.rows[count] = row;
    p.columns[count] = column;
    ++count;
    for (int i = 0; i < system.nc; ++i) {
      if (!is_row_of(system, i, positions) || is_taken(p.rows, i)) continue;
      const double factor = a[i * nv + column] / a[row * nv + column];
      if (factor == 0) continue;
      for (int j = 0; j < nv; ++j) a[i * nv + j] -= factor * a[row * nv + j];
    }
  }
  p.count = count;
  p.quality = count > 0 ? smallest_pivot / largest_pivot : 1;
}

// LU factors of J_d in the scratch; how the smallest of the pivots compares with the largest.
double factor_dependent(StepContext& context, const Pivots& p, double* order) {
  const System& system = context.system;
  const int n = p.size();
  double* jacobian = context.scratch.matrix;
  double* square = jacobian + system.nc * system.nv;
  fill_jacobian(system, jacobian);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) square[i * n + j] = jacobian[p.row(i) * system.nv + p.column(j)];
  factor_lu(n, square, order);
  double least = HUGE_VAL, most = 0;
  for (int i = 0; i < n; ++i) {
    least = std::fmin(least, std::fabs(square[i * n + i]));
    most = std::fmax(most, std::fabs(square[i * n + i]));
  }
  return n > 0 ? least / most : 1;
}

// x of the dependent columns with J_d x = side; the others are zero. False: singular.
bool solve_dependent(StepContext& context, bool positions, const double* side, double* x) {
  const System& system = context.system;
  const Pivots p = find_pivots(context, positions);
  const int n = p.size();
  double* order = context.lambda;
  double* chosen = context.constraint_side;
  double* solution = context.scratch.constraint[1];
  factor_dependent(context, p, order);
  for (int i = 0; i < n; ++i) chosen[i] = side[p.row(i)];
  solve_lu(n, context.scratch.matrix + system.nc * system.nv, order, chosen, solution);
  for (int j = 0; j < system.nv; ++j) x[j] = 0;
  for (int j = 0; j < n; ++j) x[p.column(j)] = solution[j];
  return all_finite(x, system.nv);
}

bool make_consistent(StepContext& context, double t, double* q, double* v) {
  System& system = context.system;
  const double tolerance = context.parameters[kTolerance];
  double* side = context.scratch.constraint[0];
  double* x = context.change;
  double previous = HUGE_VAL;
  for (int k = 0;; ++k) {
    system.evaluate_kinematics(t, q, v);
    const double error = largest(system.phi(), system.nc);
    if (error <= tolerance || (error < 1e3 * tolerance && error > 0.5 * previous)) break;
    if (!std::isfinite(error) || k == kMostIterations)
      return context.failure.set(
          "t=%.9g: %s is not met, |phi| = %.3g after %d iterations for the dependent coordinates",
          t, system.worst_constraint(system.phi()), error, k);
    previous = error;
    for (int i = 0; i < system.nc; ++i) side[i] = -system.phi()[i];
    if (!solve_dependent(context, true, side, x))
      return fail_not_finite(context, t, "the dependent coordinates");
    system.move(q, x);
  }
  system.residual_rate(v, side);
  for (int i = 0; i < system.nc; ++i) side[i] = -side[i];
  if (!solve_dependent(context, false, side, x))
    return fail_not_finite(context, t, "the dependent velocities");
  for (int i = 0; i < system.nv; ++i) v[i] += x[i];
  return true;
}

bool begin_step(StepContext& context, double t, double, const double* q, const double* v) {
  context.system.evaluate_kinematics(t, q, v);
  for (const bool positions : {true, false}) {
    const Pivots p = find_pivots(context, positions);
    const bool keep = context.parameters[kRepivot] > kWhenNeeded && p.size() > 0 &&
                      factor_dependent(context, p, context.lambda) > kWorn * p.quality;
    if (!keep) choose_pivots(context, positions);
  }
  return true;
}

bool complete_step(StepContext& context, double t, double* q, double* v) {
  return context.system.nc == 0 || make_consistent(context, t, q, v);
}

bool prepare_stage(StepContext& context, double t, double* q, double* v) {
  return context.system.nc == 0 || make_consistent(context, t, q, v);
}

}  // namespace

const Scheme scheme_partitioning = {.id = "partitioning",
                                    .accelerate = accelerate_unstabilised,
                                    .complete_step = complete_step,
                                    .begin_step = begin_step,
                                    .prepare_stage = prepare_stage,
                                    .needs_matrix = true};

}  // namespace mechfmu::runtime
