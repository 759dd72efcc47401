// Implicit Euler method (document 003): y+ = y + h F(t + h, y+), first order, stable whatever the
// step. The unknown is v+; positions move with it, q+ = q along h v+:
//
//     r(v+) = v+ - v - h a(t + h, q + h v+, v+) = 0
//
// Newton's method with dr/dv+ by differences, taken at the beginning of the iteration and again if
// it does not settle.
#include <cmath>

#include "integrators/integrator.hpp"
#include "solvers/dense_lu.hpp"

namespace mechfmu::runtime {
namespace {

constexpr int kMostIterations = 30;
constexpr int kFreshMatrix = 8;  // iterations after which the matrix is made anew

bool calc_residual(StepContext& context, const Scheme& scheme, const StageMemory& m, double t,
                   double h, const double* q, const double* v, const double* end, double* r) {
  const System& system = context.system;
  for (int i = 0; i < system.nq; ++i) m.q[i] = q[i];
  for (int i = 0; i < system.nv; ++i) {
    m.w[i] = h * end[i];
    m.v[i] = end[i];
  }
  system.move(m.q, m.w);
  if (!evaluate_rates(context, scheme, t + h, m.q, m.v, m.w, m.q_rate, m.v_rate)) return false;
  for (int i = 0; i < system.nv; ++i) r[i] = end[i] - v[i] - h * m.v_rate[i];
  return true;
}

bool step(StepContext& context, const Scheme& scheme, const StageMemory& m, const StepSettings&,
          double t, double h, double* q, double* v) {
  const System& system = context.system;
  const int nv = system.nv;
  double* end = m.v_new;
  double* residual = context.scratch.v[4];
  double* shifted = context.scratch.v[5];
  double* order = m.v_rate + nv;  // stages after the first are not used
  for (int i = 0; i < nv; ++i) end[i] = v[i];
  for (int k = 0;; ++k) {
    if (!calc_residual(context, scheme, m, t, h, q, v, end, residual)) return false;
    if (k % kFreshMatrix == 0) {
      for (int j = 0; j < nv; ++j) {
        const double kept = end[j];
        const double d = 1e-7 * (1 + std::fabs(kept));
        end[j] = kept + d;
        if (!calc_residual(context, scheme, m, t, h, q, v, end, shifted)) return false;
        end[j] = kept;
        for (int i = 0; i < nv; ++i) m.dense[i * nv + j] = (shifted[i] - residual[i]) / d;
      }
      factor_lu(nv, m.dense, order);
    }
    solve_lu(nv, m.dense, order, residual, shifted);
    double change = 0, size = 0;
    for (int i = 0; i < nv; ++i) {
      end[i] -= shifted[i];
      change = std::fmax(change, std::fabs(shifted[i]));
      size = std::fmax(size, std::fabs(end[i]));
    }
    if (change <= 1e-13 * (1 + size)) break;
    if (!std::isfinite(change) || k == kMostIterations) {
      if (change <= 1e-7 * (1 + size)) break;  // as good as rounding lets a redundant loop be
      return context.failure.set(
          "t=%.9g: Newton's method of the implicit Euler step does not settle; try a smaller "
          "solver.step",
          t + h);
    }
  }
  for (int i = 0; i < nv; ++i) {
    v[i] = end[i];
    m.w[i] = h * end[i];
  }
  system.move(q, m.w);
  return true;
}

}  // namespace

const Integrator integrator_implicit_euler = {
    .id = "implicit_euler", .order = 1, .step = step, .needs_matrix = true};

}  // namespace mechfmu::runtime
