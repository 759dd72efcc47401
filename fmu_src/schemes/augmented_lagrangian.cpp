// Augmented Lagrangian, variant 1 of document 004: constraints by penalties with multipliers that
// are iterated, stabilised by omega and mu (frequency and damping ratio; the document's text swaps
// the two).
#include "schemes/augmented_lagrangian.hpp"

#include <cmath>

namespace mechfmu::runtime {

const double* fill_compliance(StepContext& context) {
  double* compliance = context.scratch.constraint[4];
  for (int i = 0; i < context.system.nc; ++i) compliance[i] = 1 / context.parameters[kPenalty];
  return compliance;
}

bool solve_augmented(StepContext& context, const double* force, const double* b, double tolerance,
                     double* x, double* lambda) {
  System& system = context.system;
  const double alpha = context.parameters[kPenalty];
  const int iterations = static_cast<int>(context.parameters[kMostIterations]);
  double* side = context.scratch.constraint[3];
  double* residual = context.scratch.constraint[2];
  const double* compliance = fill_compliance(context);
  double previous = HUGE_VAL;
  for (int k = 0; k < iterations; ++k) {
    for (int i = 0; i < system.nc; ++i) side[i] = -b[i] - lambda[i] / alpha;
    if (!system.solve_compliant(force, side, compliance, x, lambda)) return false;
    system.jacobian_times(x, residual);
    for (int i = 0; i < system.nc; ++i) residual[i] += b[i];
    // relative to what is balanced; where rounding is reached nothing is gained any more
    const double error = largest(residual, system.nc);
    const double size = 1 + largest(b, system.nc);
    if (error <= tolerance * size || (error < 1e3 * tolerance * size && error > 0.5 * previous))
      return true;
    previous = error;
  }
  return true;
}

bool accelerate_augmented(StepContext& context, double t, const double* q, const double* v,
                          double* a) {
  System& system = context.system;
  const double omega = context.parameters[kOmega];
  const double damping = 2 * omega * context.parameters[kMu];
  double* b = context.scratch.constraint[0];
  double* lambda = context.scratch.constraint[1];
  system.evaluate_dynamics(t, q, v);
  system.residual_rate(v, b);
  for (int i = 0; i < system.nc; ++i) {
    const bool positions = system.model.row_level[i] == RowLevel::position;
    b[i] = system.gamma()[i] + (positions ? damping : omega) * b[i] +
           (positions ? omega * omega * system.phi()[i] : 0);
    lambda[i] = 0;
  }
  if (!solve_augmented(context, system.force(), b, context.parameters[kAccelerationTolerance], a,
                       lambda))
    return fail_not_finite(context, t, "the accelerations");
  for (int i = 0; i < system.nc; ++i) context.lambda[i] = lambda[i];
  note_multiplier(context, t, lambda);
  return true;
}

const Scheme scheme_augmented_lagrangian = {"augmented_lagrangian", accelerate_augmented};

}  // namespace mechfmu::runtime
