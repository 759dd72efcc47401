// Compliant constraints, springs and dampers taken implicitly (document 001, section 5; equations
// 29, 31 and 32 corrected): with c = h k + d for stiffness k and damping d,
//
//     (M + h c J^T J) v+ = M v* - h J^T (k phi + c phi_t),        q+ = q + h N v+
//
// solved as M dv + J^T lambda' = 0, J dv - lambda' / (h c) = -(J v* + phi_t) - k phi / c, whose
// matrix is regular whatever the rank of J. A joint, drive or constraint may have k and d of its
// own (<compliance>). k to infinity is velocity_baumgarte with tau = h.
#include "schemes/velocity_step.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kStiffness, kDamping, kPredictor };

bool step(StepContext& context, double t, double h, double* q, double* v) {
  System& system = context.system;
  const auto predictor = static_cast<Predictor>(context.parameters[kPredictor]);
  double* q_end = context.scratch.q[0];
  double* v_end = context.scratch.v[0];
  double* phi = context.scratch.constraint[0];
  double* compliance = context.scratch.constraint[1];
  if (!predict(context, predictor, t, h, q, v, q_end, v_end)) return false;
  for (int i = 0; i < system.nc; ++i) phi[i] = system.phi()[i];

  system.evaluate_kinematics(t + h, q, v_end);
  double* side = context.constraint_side;
  system.residual_rate(v_end, side);
  for (int i = 0; i < system.nc; ++i) {
    const int own_stiffness = system.model.row_stiffness[i];
    const int own_damping = system.model.row_damping[i];
    const double k =
        own_stiffness < 0 ? context.parameters[kStiffness] : context.values[own_stiffness];
    const double d = own_damping < 0 ? context.parameters[kDamping] : context.values[own_damping];
    const double c = h * k + d;
    side[i] = -side[i] - k / c * phi[i];
    compliance[i] = 1 / (h * c);
  }
  for (int i = 0; i < system.nv; ++i) context.force_side[i] = 0;
  if (!system.solve_compliant(context.force_side, side, compliance, context.change, context.lambda))
    return fail_not_finite(context, t + h, "the velocities");
  note_multiplier(context, t + h, context.lambda, 1 / h);
  move_after(system, predictor, h, q_end, v_end, context.change, q, v, context.scratch.v[1]);
  return true;
}

}  // namespace

const Scheme scheme_compliant = {.id = "compliant", .step = step};

}  // namespace mechfmu::runtime
