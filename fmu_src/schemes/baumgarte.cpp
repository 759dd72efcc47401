// Baumgarte stabilisation (document 003, stabilisation slide; document 000, eqs. 45-51): phi_ddot =
// 0 is replaced by
//
//     phi_ddot + 2 alpha phi_dot + beta^2 phi = 0          psi_dot + alpha psi = 0
//
// (the second for nonholonomic rows psi(t, q, v) = 0, whose error then decays at the same rate).
// Drift is bounded, not removed; alpha = beta is critically damped. Large gains make the equations
// stiff: keep alpha * step <= 1 with explicit integrators. The automatic gains are 1/step, less for
// multistep methods, whose stability asks for it, and 1/time_constant where the integrator chooses
// the step.
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kAlpha, kBeta, kTimeConstant };

bool accelerate(StepContext& context, double t, const double* q, const double* v, double* a) {
  System& system = context.system;
  const double automatic = context.gain > 0 ? context.gain : 1 / context.parameters[kTimeConstant];
  const double alpha = context.parameters[kAlpha] > 0 ? context.parameters[kAlpha] : automatic;
  const double beta = context.parameters[kBeta] > 0 ? context.parameters[kBeta] : automatic;

  system.evaluate_dynamics(t, q, v);
  double* side = context.constraint_side;
  system.residual_rate(v, side);
  for (int i = 0; i < system.nc; ++i)
    side[i] = system.model.row_level[i] == RowLevel::position
                  ? -system.gamma()[i] - 2 * alpha * side[i] - beta * beta * system.phi()[i]
                  : -system.gamma()[i] - alpha * side[i];
  if (system.solve(system.force(), side, a, context.lambda)) {
    note_multiplier(context, t, context.lambda);
    return true;
  }
  return fail_not_finite(context, t, "the accelerations");
}

}  // namespace

const Scheme scheme_baumgarte = {"baumgarte", accelerate};

}  // namespace mechfmu::runtime
