#include "schemes/velocity_step.hpp"

namespace mechfmu::runtime {
namespace {

bool accelerate_freely(StepContext& context, double t, const double* q, const double* v,
                       double* a) {
  System& system = context.system;
  system.evaluate_dynamics(t, q, v);
  if (system.solve_mass(system.force(), a)) return true;
  return fail_not_finite(context, t, "the accelerations");
}

// One classical Runge-Kutta step of the unconstrained motion; trapezoid: one of Heun's.
bool integrate_freely(StepContext& context, Predictor predictor, double t, double h,
                      const double* q, const double* v, double* q_end, double* v_end) {
  System& system = context.system;
  const int nq = system.nq;
  const int nv = system.nv;
  const int stages = predictor == Predictor::rk4 ? 4 : 2;
  constexpr double kPlaces[2][4] = {{0, 1, 0, 0}, {0, 0.5, 0.5, 1}};
  constexpr double kWeights[2][4] = {{0.5, 0.5, 0, 0}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};
  const double* place = kPlaces[predictor == Predictor::rk4];
  const double* weight = kWeights[predictor == Predictor::rk4];
  double* q_stage = context.scratch.q[2];
  double* q_rate = context.scratch.q[3];
  double* v_stage = context.scratch.v[2];
  double* a = context.scratch.v[3];
  for (int i = 0; i < nq; ++i) q_end[i] = q[i];
  for (int i = 0; i < nv; ++i) v_end[i] = v[i];
  for (int s = 0; s < stages; ++s) {
    // a and q_rate are those of the stage before
    for (int i = 0; i < nq; ++i) q_stage[i] = q[i] + (s > 0 ? h * place[s] * q_rate[i] : 0);
    for (int i = 0; i < nv; ++i) v_stage[i] = v[i] + (s > 0 ? h * place[s] * a[i] : 0);
    system.normalise(q_stage);
    if (!accelerate_freely(context, t + place[s] * h, q_stage, v_stage, a)) return false;
    system.position_rate(q_stage, v_stage, q_rate);
    for (int i = 0; i < nq; ++i) q_end[i] += h * weight[s] * q_rate[i];
    for (int i = 0; i < nv; ++i) v_end[i] += h * weight[s] * a[i];
  }
  system.normalise(q_end);
  return true;
}

}  // namespace

bool predict(StepContext& context, Predictor predictor, double t, double h, const double* q,
             const double* v, double* q_end, double* v_end) {
  System& system = context.system;
  if (predictor != Predictor::euler) {
    if (!integrate_freely(context, predictor, t, h, q, v, q_end, v_end)) return false;
    system.evaluate_dynamics(t, q, v);
    return true;
  }
  double* a = context.scratch.v[3];
  if (!accelerate_freely(context, t, q, v, a)) return false;
  for (int i = 0; i < system.nq; ++i) q_end[i] = q[i];
  for (int i = 0; i < system.nv; ++i) v_end[i] = v[i] + h * a[i];
  return true;
}

void move_after(const System& system, Predictor predictor, double h, const double* q_end,
                const double* v_end, const double* dv, double* q, double* v, double* scratch) {
  const bool euler = predictor == Predictor::euler;
  for (int i = 0; i < system.nv; ++i) {
    v[i] = v_end[i] + dv[i];
    scratch[i] = euler ? h * v[i] : 0.5 * h * dv[i];
  }
  for (int i = 0; i < system.nq; ++i) q[i] = q_end[i];
  system.move(q, scratch);
}

bool velocity_step(StepContext& context, Predictor predictor, double decay, double t, double h,
                   double* q, double* v) {
  System& system = context.system;
  const int nc = system.nc;
  double* q_end = context.scratch.q[0];
  double* v_end = context.scratch.v[0];
  double* phi = context.scratch.constraint[0];
  if (!predict(context, predictor, t, h, q, v, q_end, v_end)) return false;
  for (int i = 0; i < nc; ++i) phi[i] = system.phi()[i];

  system.evaluate_kinematics(t + h, q, v_end);
  double* side = context.constraint_side;
  system.residual_rate(v_end, side);
  for (int i = 0; i < nc; ++i) side[i] = -(side[i] + decay * phi[i]);
  for (int i = 0; i < system.nv; ++i) context.force_side[i] = 0;
  if (!system.solve(context.force_side, side, context.change, context.lambda))
    return fail_not_finite(context, t + h, "the velocities");
  note_multiplier(context, t + h, context.lambda, 1 / h);
  move_after(system, predictor, h, q_end, v_end, context.change, q, v, context.scratch.v[1]);
  return true;
}

}  // namespace mechfmu::runtime
