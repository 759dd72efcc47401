// Projection (document 001, section 4.1; document 004, appendix). A plain step, then
//
//     min |dq|_W   with   J(q) dq = -phi(t, q)          repeated with J at the new q until |phi| <=
//     tolerance min |dv|_W   with   J(q) dv = -(J v + phi_t)      once, at the projected q
//
// Nonholonomic rows psi(t, q, v) = 0 take part in the second line, and in the first as J dq = 0.
//
// W = M (norm 1, mass-orthogonal: no kinetic energy is spent beyond what the constraint asks for)
// or W = 1. J and M are taken at the projected q before the velocities are touched: with redundant
// constraints anything else locks the mechanism (errata of document 004).
#include "schemes/projection.hpp"

#include <cmath>

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kNorm, kTolerance, kIterations };

enum class Rows { all, position_rows };

bool solve_for_change(StepContext& context, const ProjectionSettings& settings, Rows rows) {
  System& system = context.system;
  const double* side = context.constraint_side;
  if (!settings.mass_norm)
    return system.solve_euclidean(side, context.change, rows == Rows::position_rows);
  if (rows == Rows::position_rows)
    return system.solve_positions(side, context.change, context.lambda);
  for (int i = 0; i < system.nv; ++i) context.force_side[i] = 0;
  return system.solve(context.force_side, side, context.change, context.lambda);
}

}  // namespace

bool project_positions(StepContext& context, const ProjectionSettings& settings, double t,
                       double* q, const double* v) {
  System& system = context.system;
  double previous = HUGE_VAL;
  // A displacement obeys the nonholonomic rows as a velocity does: it neither slips nor turns what
  // is driven by its velocity. Where that leaves no way back, it need not.
  Rows rows = settings.obeys_velocity_rows ? Rows::all : Rows::position_rows;
  for (int iteration = 0;; ++iteration) {
    system.evaluate_kinematics(t, q, v);
    const double error = largest(system.phi(), system.nc);
    if (error <= settings.tolerance) return true;
    // rounding is reached where another iteration no longer halves a tiny error
    if (error < 1e3 * settings.tolerance && error > 0.5 * previous) return true;
    if (!std::isfinite(error) || iteration == settings.iterations)
      return context.failure.set(
          "t=%.9g: %s is not met, |phi| = %.3g after %d iterations of the projection", t,
          system.worst_constraint(system.phi()), error, iteration);
    if (!system.model.position_rows_only && error > 0.5 * previous) rows = Rows::position_rows;
    previous = error;
    for (int i = 0; i < system.nc; ++i) context.constraint_side[i] = -system.phi()[i];
    if (!solve_for_change(context, settings, rows))
      return fail_not_finite(context, t, "the projection of the positions");
    system.move(q, context.change);
  }
}

bool project_velocities(StepContext& context, const ProjectionSettings& settings, double t,
                        const double* q, double* v) {
  System& system = context.system;
  // once, unless rows are nonlinear in v: then Newton's method, each time with J at the new v
  double previous = HUGE_VAL;
  for (int iteration = 0;; ++iteration) {
    system.residual_rate(v, context.constraint_side);
    if (system.model.nonlinear_rows) {
      const double error = largest(context.constraint_side, system.nc);
      const double rounding = 1e-14 * (1 + largest(v, system.nv));
      if (error <= settings.tolerance || (error < 1e3 * rounding && error > 0.5 * previous))
        return true;
      if (!std::isfinite(error) || iteration == settings.iterations)
        return context.failure.set(
            "t=%.9g: %s is not met, |psi| = %.3g after %d iterations of the projection", t,
            system.worst_constraint(context.constraint_side), error, iteration);
      previous = error;
    }
    for (int i = 0; i < system.nc; ++i) context.constraint_side[i] = -context.constraint_side[i];
    if (!solve_for_change(context, settings, Rows::all))
      return fail_not_finite(context, t, "the projection of the velocities");
    for (int i = 0; i < system.nv; ++i) v[i] += context.change[i];
    if (!system.model.nonlinear_rows) return true;
    system.evaluate_kinematics(t, q, v);
  }
}

bool complete_with_projection(StepContext& context, double t, double* q, double* v) {
  if (context.system.nc == 0) return true;
  const double* p = context.parameters;
  const ProjectionSettings settings{p[kNorm] < 1.5, p[kTolerance],
                                    static_cast<int>(p[kIterations])};
  context.system.statistics()[kProjections] += 1;
  return project_positions(context, settings, t, q, v) &&
         project_velocities(context, settings, t, q, v);
}

namespace {

constexpr double kNear = 0.005;  // of calc_weakness(): a singular pose is near

bool prepare_near_singular_pose(StepContext& context, double t, double* q, double* v) {
  return !is_stage_near_singular_pose(context) || complete_with_projection(context, t, q, v);
}

}  // namespace

bool is_stage_near_singular_pose(StepContext& context) {
  return context.adaptive && context.stage++ > 0 && context.system.calc_weakness() <= kNear;
}

void leave_free_part(StepContext& context, double t, const double* q, const double* v, double size,
                     double* dq, double* dv) {
  constexpr double kSmallerThanDistance = 0.1;
  System& system = context.system;
  if (system.nc == 0 || system.calc_weakness() > kNear) return;
  system.evaluate_kinematics(t, q, v);
  const double distance = std::sqrt(system.calc_weakness());
  if (!(size < kSmallerThanDistance * distance)) return;
  double* end = context.scratch.q[0];
  double* change = context.scratch.v[0];
  double* removed = context.change;
  const auto remove = [&](double* d) {
    system.jacobian_times(d, context.constraint_side);
    for (int i = 0; i < system.nv; ++i) context.force_side[i] = 0;
    if (!system.solve(context.force_side, context.constraint_side, removed, context.lambda))
      return false;
    for (int i = 0; i < system.nv; ++i) d[i] -= removed[i];
    return true;
  };
  for (int i = 0; i < system.nq; ++i) end[i] = q[i] + dq[i];
  system.displacement(q, end, change);
  if (remove(change)) system.position_rate(q, change, dq);
  remove(dv);
}

const Scheme scheme_projection = {.id = "projection",
                                  .accelerate = accelerate_unstabilised,
                                  .complete_step = complete_with_projection,
                                  .prepare_stage = prepare_near_singular_pose,
                                  .reduce_error = leave_free_part};

}  // namespace mechfmu::runtime
