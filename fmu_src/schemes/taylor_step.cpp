#include "schemes/taylor_step.hpp"

namespace mechfmu::runtime {
namespace {

// Euler parameters of the predictor, backwards (equation 17): e+ = (e + h G(w) e) / (1 + h^2 w^2 /
// 4); of the corrector, by the trapezoid rule (equation 36): ((1 - k) e + h G(w) e) / (1 + k) with
// k = h^2 w^2 / 16 and w the mean, which keeps their length exactly. G(w) e is the rate of e.
void move_positions(const System& system, bool corrector, double h, const double* q,
                    const double* w, double* q_rate, double* q_end) {
  system.position_rate(q, w, q_rate);
  for (int i = 0; i < system.nq; ++i) q_end[i] = q[i] + h * q_rate[i];
  for (int s = 0; s < system.model.n_quaternions; ++s) {
    const double* e = q + system.model.quaternions[s].q;
    const double* rate = q_rate + system.model.quaternions[s].q;
    const double* spin = w + system.model.quaternions[s].v;
    double* end = q_end + system.model.quaternions[s].q;
    const double square = h * h * (spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
    const double k = corrector ? square / 16 : square / 4;
    const double kept = corrector ? 1 - k : 1;
    for (int i = 0; i < 4; ++i) end[i] = (kept * e[i] + h * rate[i]) / (1 + k);
  }
  // the predictor leaves them too short by h^2 w^2 / 8 (equation 22 mends that)
  system.normalise(q_end);
}

bool solve(StepContext& context, double t, double* x) {
  System& system = context.system;
  if (system.solve(system.force(), context.constraint_side, x, context.lambda)) return true;
  return fail_not_finite(context, t, "the accelerations");
}

}  // namespace

bool taylor_step(StepContext& context, TaylorOrder order, double t, double h, double* q,
                 double* v) {
  System& system = context.system;
  const int nq = system.nq;
  const int nv = system.nv;
  const int nc = system.nc;
  double* side = context.constraint_side;
  double* x = context.change;
  double* q_rate = context.scratch.q[0];
  double* q_p = context.scratch.q[1];
  double* q_h = context.scratch.q[2];
  double* v_p = context.scratch.v[0];
  double* v_h = context.scratch.v[1];
  double* v_end = context.scratch.v[2];
  double* phi_p = context.scratch.constraint[0];

  system.evaluate_dynamics(t, q, v);
  system.residual_rate(v, side);
  for (int i = 0; i < nc; ++i) side[i] = -(system.phi()[i] / h + side[i]) / h;
  if (!solve(context, t, x)) return false;
  for (int i = 0; i < nv; ++i) v_p[i] = v[i] + h * x[i];
  move_positions(system, false, h, q, v_p, q_rate, q_p);
  if (order == TaylorOrder::first) {
    for (int i = 0; i < nq; ++i) q[i] = q_p[i];
    for (int i = 0; i < nv; ++i) v[i] = v_p[i];
    note_multiplier(context, t, context.lambda);
    return true;
  }

  system.evaluate_kinematics(t + h, q_p, v_p);
  for (int i = 0; i < nc; ++i) phi_p[i] = system.phi()[i];
  for (int i = 0; i < nq; ++i) q_h[i] = 0.5 * (q[i] + q_p[i]);
  system.normalise(q_h);
  for (int i = 0; i < nv; ++i) v_end[i] = v_p[i];
  const int solutions = order == TaylorOrder::second ? 2 : 1;
  for (int k = 0; k < solutions; ++k) {
    for (int i = 0; i < nv; ++i) {
      v_h[i] = 0.5 * (v[i] + v_end[i]);
      x[i] = v[i] - v_p[i];
    }
    system.evaluate_dynamics(t + 0.5 * h, q_h, v_h);
    system.jacobian_times(x, side);
    for (int i = 0; i < nc; ++i) side[i] = -2 * (phi_p[i] / h + side[i]) / h;
    if (!solve(context, t + 0.5 * h, x)) return false;
    for (int i = 0; i < nv; ++i) v_end[i] = v[i] + h * x[i];
  }
  for (int i = 0; i < nv; ++i) {
    v_h[i] = 0.5 * (v[i] + v_end[i]);
    v[i] = v_end[i];
  }
  move_positions(system, true, h, q, v_h, q_rate, q_h);
  for (int i = 0; i < nq; ++i) q[i] = q_h[i];
  note_multiplier(context, t + 0.5 * h, context.lambda);
  return true;
}

}  // namespace mechfmu::runtime
