// Compliant constraints, springs and dampers taken implicitly (document 001, section 5; equations
// 29, 31 and 32 corrected): with c = h k + d for stiffness k and damping d,
//
//     (M + h c J^T J) v+ = M v* - h J^T (k phi + c phi_t),        q+ = q + h N v+
//
// solved as M dv + J^T lambda' = 0, J dv - lambda' / (h c) = -(J v* + phi_t) - k phi / c, whose
// matrix is regular whatever the rank of J. k to infinity is velocity_baumgarte with tau = h.
#include "schemes/velocity_step.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kStiffness, kDamping, kPredictor };

bool step(StepContext& context, double t, double h, double* q, double* v) {
  System& system = context.system;
  const double stiffness = context.parameters[kStiffness];
  const double c = h * stiffness + context.parameters[kDamping];
  const auto predictor = static_cast<Predictor>(context.parameters[kPredictor]);
  double* q_end = context.scratch.q[0];
  double* v_end = context.scratch.v[0];
  double* phi = context.scratch.constraint[0];
  if (!predict(context, predictor, t, h, q, v, q_end, v_end)) return false;
  for (int i = 0; i < system.nc; ++i) phi[i] = system.phi()[i];

  system.evaluate_kinematics(t + h, q, v_end);
  double* side = context.constraint_side;
  system.residual_rate(v_end, side);
  for (int i = 0; i < system.nc; ++i) side[i] = -side[i] - stiffness / c * phi[i];
  for (int i = 0; i < system.nv; ++i) context.force_side[i] = 0;
  if (!system.solve_compliant(context.force_side, side, 1 / (h * c), context.change,
                              context.lambda))
    return context.failure.set("t=%.9g: the velocities are not finite", t + h);
  note_multiplier(context, t + h, context.lambda, 1 / h);
  move_after(system, predictor, h, q_end, v_end, context.change, q, v, context.scratch.v[1]);
  return true;
}

}  // namespace

const Scheme scheme_compliant = {.id = "compliant", .step = step};

}  // namespace mechfmu::runtime
