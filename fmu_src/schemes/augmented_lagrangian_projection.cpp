// Augmented Lagrangian with mass-orthogonal projections, variant 2 of document 004 (section 3.3 and
// appendix, corrected): after each step, with q* and v* what the integrator left,
//
//     positions    K dq = -M (q - q*) - J^T (lambda + alpha phi(q)),     lambda += alpha (J dq +
//     phi(q)) velocities   K v = M v* - J^T (lambda + alpha phi_t),              lambda += alpha (J
//     v + phi_t)
//
// phi is that of the present iterate (with that of q*, as printed, the iteration stalls). J and M
// are taken again at the projected q before the velocities are touched: with redundant rows
// anything else locks the mechanism.
#include <cmath>

#include "schemes/augmented_lagrangian.hpp"

namespace mechfmu::runtime {
namespace {

bool project_positions_augmented(StepContext& context, double t, double* q, const double* v) {
  System& system = context.system;
  const double alpha = context.parameters[kPenalty];
  const double tolerance = context.parameters[kProjectionTolerance];
  const int iterations = 10 * static_cast<int>(context.parameters[kMostIterations]);
  double* moved = context.scratch.v[0];  // q - q* in velocity space
  double* force = context.force_side;
  double* lambda = context.scratch.constraint[0];
  double* side = context.constraint_side;
  for (int i = 0; i < system.nv; ++i) moved[i] = 0;
  for (int i = 0; i < system.nc; ++i) lambda[i] = 0;
  const double* compliance = fill_compliance(context);
  double previous = HUGE_VAL;
  for (int k = 0;; ++k) {
    system.evaluate_kinematics(t, q, v);
    const double error = largest(system.phi(), system.nc);
    if (error <= tolerance || (error < 1e3 * tolerance && error > 0.5 * previous)) return true;
    if (!std::isfinite(error) || k == iterations)
      return context.failure.set(
          "t=%.9g: %s is not met, |phi| = %.3g after %d iterations of the projection", t,
          system.worst_constraint(system.phi()), error, k);
    previous = error;
    system.mass_times(moved, force);
    for (int i = 0; i < system.nv; ++i) force[i] = -force[i];
    for (int i = 0; i < system.nc; ++i) side[i] = -system.phi()[i] - lambda[i] / alpha;
    if (!system.solve_compliant(force, side, compliance, context.change, lambda))
      return fail_not_finite(context, t, "the projection of the positions");
    system.move(q, context.change);
    for (int i = 0; i < system.nv; ++i) moved[i] += context.change[i];
  }
}

bool project_velocities_augmented(StepContext& context, double t, double* v) {
  System& system = context.system;
  double* b = context.scratch.constraint[0];
  double* lambda = context.scratch.constraint[1];
  double* momentum = context.scratch.v[0];
  system.mass_times(v, momentum);
  for (int i = 0; i < system.nc; ++i) {
    b[i] = system.phi_time()[i];
    lambda[i] = 0;
  }
  if (solve_augmented(context, momentum, b, context.parameters[kProjectionTolerance],
                      context.change, lambda)) {
    for (int i = 0; i < system.nv; ++i) v[i] = context.change[i];
    return true;
  }
  return fail_not_finite(context, t, "the projection of the velocities");
}

bool complete_step(StepContext& context, double t, double* q, double* v) {
  if (context.system.nc == 0) return true;
  context.system.statistics()[kProjections] += 1;
  return project_positions_augmented(context, t, q, v) &&
         project_velocities_augmented(context, t, v);
}

}  // namespace

const Scheme scheme_augmented_lagrangian_projection = {"augmented_lagrangian_projection",
                                                       accelerate_augmented, complete_step};

}  // namespace mechfmu::runtime
