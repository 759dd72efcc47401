// Corrections by generalised inverses (document 002, equations 3 to 5 as corrected there). With the
// metric of M, R^-1 C^+ b is the change of least kinetic energy with A x = b, so that
//
//     q_dot = v + x_q       J x_q = -(J v + phi_t) - phi / h                 (position rows)
//     v_dot = a             J a = -gamma - (J v + phi_t) / h                 (all rows)
//           + x_e           along the motion that the constraints leave, with d(E)/dt = -(E - E0) /
//           h
//
// The document does not say when the errors are taken inside a Runge-Kutta step:
//   stage    in every stage: literal, but stages are off by h^2 and the order falls to two
//   frozen   once at the beginning of the step, added to every stage: the order is kept
//   post     a plain step, then q and v (and the energy) are corrected: errors of rounding only
#include <cmath>

#include "schemes/projection.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kCorrection, kEnergy, kTolerance };
enum class Correction : int { stage = 1, frozen = 2, post = 3 };
constexpr double kLeastMotion = 1e-6;  // v M v below which the energy cannot be corrected

Correction correction(const StepContext& context) {
  return static_cast<Correction>(context.parameters[kCorrection]);
}
bool keeps_energy(const StepContext& context) {
  return is_yes(context.parameters[kEnergy]) && context.system.model.has_energy;
}
double& step_length(StepContext& context) { return context.memory[0]; }

double calc_energy(StepContext& context, double t, const double* q, const double* v) {
  System& system = context.system;
  double time = t;
  double energy = 0;
  const double** in = system.arrays();
  in[kTime] = &time;
  in[kPosition] = q;
  in[kVelocity] = v;
  system.model.energy.run(system.model.energy.context, in, &energy);
  system.rebind_time();
  return energy;
}

// x += the change along the motion with A_e x = rate, A_e = v M; the system is evaluated at (t, q,
// v).
bool add_energy_change(StepContext& context, const double* v, double rate, double* x) {
  System& system = context.system;
  double* gradient = context.force_side;
  double* direction = context.change;
  system.mass_times(v, gradient);
  double square = 0;
  for (int i = 0; i < system.nv; ++i) square += gradient[i] * v[i];
  if (!(square > kLeastMotion)) return true;
  for (int i = 0; i < system.nc; ++i) context.constraint_side[i] = 0;
  if (!system.solve(gradient, context.constraint_side, direction, context.lambda)) return false;
  double slope = 0;
  for (int i = 0; i < system.nv; ++i) slope += gradient[i] * direction[i];
  if (!(slope > kLeastMotion)) return true;
  for (int i = 0; i < system.nv; ++i) x[i] += rate / slope * direction[i];
  return true;
}

// x_q at the last evaluation: with J x = -(J v + phi_t) - weight phi / h.
bool find_position_change(StepContext& context, double weight, double h, const double* v,
                          double* x) {
  System& system = context.system;
  double* side = context.constraint_side;
  system.residual_rate(v, side);
  for (int i = 0; i < system.nc; ++i)
    side[i] = system.model.row_level[i] == RowLevel::position
                  ? -side[i] - weight * system.phi()[i] / h
                  : 0;
  return system.solve_positions(side, x, context.lambda);
}

bool fail(StepContext& context, double t) { return fail_not_finite(context, t, "the corrections"); }

bool begin_step(StepContext& context, double t, double h, const double* q, const double* v) {
  System& system = context.system;
  step_length(context) = h;
  if (correction(context) != Correction::frozen) return true;
  double* x_q = context.scratch.v[0];
  double* x_v = context.scratch.v[1];
  system.evaluate_dynamics(t, q, v);
  double* side = context.constraint_side;
  for (int i = 0; i < system.nc; ++i) side[i] = -system.phi()[i] / h;
  if (!system.solve_positions(side, x_q, context.lambda)) return fail(context, t);
  system.residual_rate(v, side);
  for (int i = 0; i < system.nc; ++i) side[i] = -side[i] / h;
  for (int i = 0; i < system.nv; ++i) context.force_side[i] = 0;
  if (!system.solve(context.force_side, side, x_v, context.lambda)) return fail(context, t);
  if (!keeps_energy(context)) return true;
  // what the correction of the velocities does to the energy is taken back, too
  double* momentum = context.scratch.v[2];
  system.mass_times(v, momentum);
  double rate = -(calc_energy(context, t, q, v) - context.start_energy) / h;
  for (int i = 0; i < system.nv; ++i) rate -= momentum[i] * x_v[i];
  return add_energy_change(context, v, rate, x_v) || fail(context, t);
}

// Power that constraint forces take out of the motion where it violates the constraints: lambda J
// v.
double calc_constraint_power(StepContext& context, const double* v) {
  double* rates = context.scratch.constraint[0];
  context.system.jacobian_times(v, rates);
  double power = 0;
  for (int i = 0; i < context.system.nc; ++i) power += context.lambda[i] * rates[i];
  return power;
}

bool accelerate(StepContext& context, double t, const double* q, const double* v, double* a) {
  System& system = context.system;
  const bool stage = correction(context) == Correction::stage;
  const double h = step_length(context);
  system.evaluate_dynamics(t, q, v);
  double* side = context.constraint_side;
  if (stage) system.residual_rate(v, side);
  for (int i = 0; i < system.nc; ++i) side[i] = -system.gamma()[i] - (stage ? side[i] / h : 0);
  if (!system.solve(system.force(), side, a, context.lambda))
    return fail_not_finite(context, t, "the accelerations");
  note_multiplier(context, t, context.lambda);
  if (correction(context) == Correction::frozen)
    for (int i = 0; i < system.nv; ++i) a[i] += context.scratch.v[1][i];
  if (correction(context) == Correction::post || !keeps_energy(context)) return true;
  double rate = calc_constraint_power(context, v);
  if (stage) rate -= (calc_energy(context, t, q, v) - context.start_energy) / h;
  return add_energy_change(context, v, rate, a) || fail(context, t);
}

bool move_positions(StepContext& context, double t, const double*, const double* v, double* w) {
  System& system = context.system;
  switch (correction(context)) {
    case Correction::post:
      for (int i = 0; i < system.nv; ++i) w[i] = v[i];
      return true;
    case Correction::frozen:
      if (!find_position_change(context, 0, 1, v, w)) return fail(context, t);
      for (int i = 0; i < system.nv; ++i) w[i] += v[i] + context.scratch.v[0][i];
      return true;
    case Correction::stage:
      break;
  }
  if (!find_position_change(context, 1, step_length(context), v, w)) return fail(context, t);
  for (int i = 0; i < system.nv; ++i) w[i] += v[i];
  return true;
}

bool project(StepContext& context, double t, double* q, double* v) {
  const ProjectionSettings settings{true, context.parameters[kTolerance], 20, false};
  context.system.statistics()[kProjections] += 1;
  return context.system.nc == 0 || (project_positions(context, settings, t, q, v) &&
                                    project_velocities(context, settings, t, q, v));
}

bool prepare_stage(StepContext& context, double t, double* q, double* v) {
  if (correction(context) != Correction::post || !is_stage_near_singular_pose(context)) return true;
  return project(context, t, q, v);
}

void reduce_error(StepContext& context, double t, const double* q, const double* v, double size,
                  double* dq, double* dv) {
  if (correction(context) == Correction::post) leave_free_part(context, t, q, v, size, dq, dv);
}

bool complete_step(StepContext& context, double t, double* q, double* v) {
  if (correction(context) != Correction::post) return true;
  System& system = context.system;
  if (!project(context, t, q, v)) return false;
  if (!keeps_energy(context)) return true;
  // quadratic in v: Newton's method, three times is to rounding
  for (int k = 0; k < 3; ++k) {
    const double rate = -(calc_energy(context, t, q, v) - context.start_energy);
    system.evaluate_kinematics(t, q, v);
    if (!add_energy_change(context, v, rate, v)) return fail(context, t);
  }
  return true;
}

}  // namespace

const Scheme scheme_pseudoinverse = {.id = "pseudoinverse",
                                     .accelerate = accelerate,
                                     .complete_step = complete_step,
                                     .begin_step = begin_step,
                                     .prepare_stage = prepare_stage,
                                     .move_positions = move_positions,
                                     .reduce_error = reduce_error};

}  // namespace mechfmu::runtime
