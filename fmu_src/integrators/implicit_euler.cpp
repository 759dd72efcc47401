// Implicit Euler method (document 003): y+ = y + h F(t + h, y+), first order, stable whatever the
// step. The unknown is v+; positions move with it, q+ = q along h v+:
//
//     r(v+) = v+ - v - h a(t + h, q + h v+, v+) = 0
//
// Newton's method with dr/dv+ by differences, taken once.
#include <cmath>

#include "integrators/integrator.hpp"
#include "solvers/dense_lu.hpp"

namespace mechfmu::runtime {
namespace {

constexpr int kMostIterations = 30;
constexpr double kSmallBesideStep = 1e-4;  // of h a

// a at time t, positions q moved along `move` and velocities w.
bool calc_acceleration(StepContext& context, const Scheme& scheme, const StageMemory& m, double t,
                       const double* q, const double* move, const double* w) {
  const System& system = context.system;
  for (int i = 0; i < system.nq; ++i) m.q[i] = q[i];
  for (int i = 0; i < system.nv; ++i) m.v[i] = w[i];
  system.move(m.q, move);
  return evaluate_rates(context, scheme, t, m.q, m.v, m.w, m.q_rate, m.v_rate);
}

bool calc_residual(StepContext& context, const Scheme& scheme, const StageMemory& m, double t,
                   double h, const double* q, const double* v, const double* end, double* r) {
  const int nv = context.system.nv;
  for (int i = 0; i < nv; ++i) context.change[i] = h * end[i];
  if (!calc_acceleration(context, scheme, m, t + h, q, context.change, end)) return false;
  for (int i = 0; i < nv; ++i) r[i] = end[i] - v[i] - h * m.v_rate[i];
  return true;
}

// dr/dv+ = 1 - h (h da/dq + da/dv) by differences at the beginning of the step, where the state
// holds the constraints: elsewhere the accelerations of redundant loops jump with the choice of
// pivots, and differences would see nothing but the jumps.
bool fill_matrix(StepContext& context, const Scheme& scheme, const StageMemory& m, double t,
                 double h, const double* q, const double* v, double* base, double* shifted) {
  const int nv = context.system.nv;
  double* move = context.scratch.v[3];
  for (int i = 0; i < nv; ++i) {
    move[i] = 0;
    shifted[i] = v[i];
  }
  if (!calc_acceleration(context, scheme, m, t, q, move, shifted)) return false;
  for (int i = 0; i < nv; ++i) base[i] = m.v_rate[i];
  for (int j = 0; j < nv; ++j) {
    const double d = 1e-7 * (1 + std::fabs(v[j]));
    move[j] = h * d;
    shifted[j] = v[j] + d;
    if (!calc_acceleration(context, scheme, m, t, q, move, shifted)) return false;
    move[j] = 0;
    shifted[j] = v[j];
    for (int i = 0; i < nv; ++i)
      m.dense[i * nv + j] = (i == j ? 1 : 0) - h * (m.v_rate[i] - base[i]) / d;
  }
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
  if (!fill_matrix(context, scheme, m, t, h, q, v, residual, shifted)) return false;
  factor_lu(nv, m.dense, order);
  double previous = HUGE_VAL;
  for (int k = 0;; ++k) {
    if (!calc_residual(context, scheme, m, t, h, q, v, end, residual)) return false;
    solve_lu(nv, m.dense, order, residual, shifted);
    for (int i = 0; i < nv; ++i) end[i] -= shifted[i];
    const double change = largest(shifted, nv);
    const double size = largest(end, nv);
    if (change <= 1e-13 * (1 + size)) break;
    // The accelerations of redundant loops jump a little with the choice of pivots: where Newton's
    // method no longer gains and what is left is small beside the error of a first-order step, it
    // is done.
    const bool gains = change < 0.5 * previous;
    previous = change;
    if (!gains && k > 2 && change <= kSmallBesideStep * h * largest(m.v_rate, nv)) break;
    if (!std::isfinite(change) || k == kMostIterations) {
      return context.failure.set(
          "t=%.9g: Newton's method of the implicit Euler step does not settle%s%s; try a smaller "
          "solver.step",
          t + h, system.nc > 0 ? ", the largest residual is that of " : "",
          system.worst_constraint(system.phi()));
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
