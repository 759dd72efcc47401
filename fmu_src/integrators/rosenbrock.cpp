// An L-stable Rosenbrock method of order 3(2) for stiff springs, dampers and bushings (Rodas3:
// Sandu, Verwer and others 1997; Hairer and Wanner 1996, section IV.7): linearly implicit, four
// stages, one factorisation a step and no iteration.
//
//     (1 / (h gamma) - F_y) k_i = F(t + alpha_i h, y + sum_j a_ij k_j) + sum_j c_ij / h k_j + h
//     gamma_i F_t y+ = y + sum_i m_i k_i,   error = k_4
//
// F = (N(q) v, a). Its Jacobian is exact: the derivatives of the equations of motion at fixed a and
// lambda come from the graph (kernel `linearise`), and
//
//     M da + J^T dlambda = d(f - M a - J^T lambda),    J da = -d(gamma + J a)
//
// is solved column by column with the factor that is there.
#include <algorithm>
#include <cmath>

#include "integrators/integrator.hpp"
#include "solvers/dense_lu.hpp"

namespace mechfmu::runtime {
namespace {

constexpr int kStages = 4;
constexpr double kGamma = 0.5;
constexpr double kA[kStages][kStages] = {{0}, {0}, {2, 0}, {2, 0, 1}};
constexpr double kC[kStages][kStages] = {{0}, {4}, {1, -1}, {1, -1, -8.0 / 3}};
constexpr double kM[kStages] = {2, 0, 1, 1};
constexpr double kAlpha[kStages] = {0, 0, 1, 1};
constexpr double kGammaSum[kStages] = {0.5, 1.5, 0, 0};

// A vector (q part, v part) as two pieces.
struct Pair {
  double* q;
  double* v;
};

// Column `column` of the linearised right-hand sides into (da); y in (q, v), then time.
bool solve_column(StepContext& context, const double* entries, int column, double* da) {
  System& system = context.system;
  const SparsePattern& pattern = system.model.linear;
  double* force = context.force_side;
  double* constraint = context.constraint_side;
  for (int i = 0; i < system.nv; ++i) force[i] = 0;
  for (int i = 0; i < system.nc; ++i) constraint[i] = 0;
  bool any = false;
  for (int k = 0; k < pattern.count; ++k) {
    if (pattern.column[k] != column) continue;
    const int row = pattern.row[k];
    (row < system.nv ? force[row] : constraint[row - system.nv]) = entries[k];
    any = true;
  }
  if (any) return system.solve(force, constraint, da, context.scratch.constraint[5]);
  for (int i = 0; i < system.nv; ++i) da[i] = 0;
  return true;
}

// 1 / (h gamma) - F_y into memory.dense, F_t (velocity part) into `time_rate`; the system is
// evaluated at (q, v) and its accelerations and multipliers are known.
bool fill_matrix(StepContext& context, const StageMemory& m, double h, const double* q,
                 const double* v, const double* a, double* time_rate) {
  System& system = context.system;
  const int nq = system.nq;
  const int nv = system.nv;
  const int n = nq + nv;
  const double** in = system.arrays();
  in[kPosition] = q;
  in[kVelocity] = v;
  in[kAcceleration] = a;
  in[kMultiplier] = context.lambda;
  system.model.linearise.run(system.model.linearise.context, in, m.entries);
  double* column = context.scratch.v[4];
  double* unit = context.scratch.v[5];
  double* rate = context.scratch.q[4];
  double* q_unit = context.scratch.q[5];
  for (int j = 0; j <= n; ++j) {
    if (!solve_column(context, m.entries, j, column)) return false;
    if (j == n) break;
    for (int i = 0; i < nv; ++i) m.dense[(nq + i) * n + j] = -column[i];
    // N(q) v is linear in either
    for (int i = 0; i < nq; ++i) rate[i] = 0;
    if (j < nq) {
      for (int i = 0; i < nq; ++i) q_unit[i] = i == j ? 1 : 0;
      system.position_rate(q_unit, v, rate);
      // of plain coordinates the rate is v whatever q is
      for (int i = 0; i < nv; ++i)
        if (system.model.position_of_velocity[i] >= 0)
          rate[system.model.position_of_velocity[i]] = 0;
    } else {
      for (int i = 0; i < nv; ++i) unit[i] = i == j - nq ? 1 : 0;
      system.position_rate(q, unit, rate);
    }
    for (int i = 0; i < nq; ++i) m.dense[i * n + j] = -rate[i];
    m.dense[j * n + j] += 1 / (h * kGamma);
  }
  for (int i = 0; i < nv; ++i) time_rate[i] = column[i];
  return true;
}

bool attempt(StepContext& context, const Scheme& scheme, const StageMemory& m,
             const StepSettings& settings, double t, double& h, const double* q, const double* v,
             double& error) {
  System& system = context.system;
  const int nq = system.nq;
  const int nv = system.nv;
  const int n = nq + nv;
  double* rates = m.work;              // F of the stage
  double* side = m.work + n;           // right-hand side, then k
  double* time_rate = m.work + 2 * n;  // F_t of the velocities
  const auto k = [&](int i) { return Pair{m.q_rate + i * nq, m.v_rate + i * nv}; };

  for (int i = 0; i < kStages; ++i) {
    // stage 1 has the place of stage 0
    if (i != 1) {
      for (int l = 0; l < nq; ++l) m.q[l] = q[l];
      for (int l = 0; l < nv; ++l) m.v[l] = v[l];
      for (int j = 0; j < i; ++j) {
        if (kA[i][j] == 0) continue;
        for (int l = 0; l < nq; ++l) m.q[l] += kA[i][j] * k(j).q[l];
        for (int l = 0; l < nv; ++l) m.v[l] += kA[i][j] * k(j).v[l];
      }
      if (!evaluate_rates(context, scheme, t + kAlpha[i] * h, m.q, m.v, m.w, rates, rates + nq))
        return false;
    }
    if (i == 0) {
      if (!fill_matrix(context, m, h, m.q, m.v, rates + nq, time_rate))
        return fail_not_finite(context, t, "the derivatives");
      factor_lu(n, m.dense, m.order);
    }
    for (int l = 0; l < n; ++l) {
      double sum = rates[l] + (l >= nq ? h * kGammaSum[i] * time_rate[l - nq] : 0);
      for (int j = 0; j < i; ++j)
        if (kC[i][j] != 0) sum += kC[i][j] / h * (l < nq ? k(j).q[l] : k(j).v[l - nq]);
      side[l] = sum;
    }
    solve_lu(n, m.dense, m.order, side, m.work + 3 * n);
    for (int l = 0; l < nq; ++l) k(i).q[l] = m.work[3 * n + l];
    for (int l = 0; l < nv; ++l) k(i).v[l] = m.work[3 * n + nq + l];
  }
  for (int l = 0; l < nq; ++l) {
    m.q_new[l] = q[l];
    for (int i = 0; i < kStages; ++i) m.q_new[l] += kM[i] * k(i).q[l];
  }
  for (int l = 0; l < nv; ++l) {
    m.v_new[l] = v[l];
    for (int i = 0; i < kStages; ++i) m.v_new[l] += kM[i] * k(i).v[l];
  }
  error = std::max(scaled_error(k(3).q, q, m.q_new, nq, settings.tolerance),
                   scaled_error(k(3).v, v, m.v_new, nv, settings.tolerance));
  system.normalise(m.q_new);
  return true;
}

}  // namespace

const Integrator integrator_rosenbrock = {.id = "rosenbrock",
                                          .order = 3,
                                          .attempt = attempt,
                                          .needs_matrix = true,
                                          .needs_derivatives = true};

}  // namespace mechfmu::runtime
