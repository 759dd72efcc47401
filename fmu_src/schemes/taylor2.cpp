// The second-order predictor-corrector scheme of document 000 (equation 44, and 43 in three
// dimensions): see taylor_step.hpp. `literal` takes the printed 3-D scheme, which is of first
// order.
//
// The propagator of constraint errors has the eigenvalues 0 and -1: position errors end in one
// step, a velocity error is never damped but changes its sign. Start velocities must be consistent,
// or `project_velocity` takes the error out after each step.
#include "schemes/projection.hpp"
#include "schemes/taylor_step.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kLiteral, kProjectVelocity };

bool step(StepContext& context, double t, double h, double* q, double* v) {
  const bool literal = is_yes(context.parameters[kLiteral]);
  return taylor_step(context, literal ? TaylorOrder::printed : TaylorOrder::second, t, h, q, v);
}

bool complete_step(StepContext& context, double t, double* q, double* v) {
  if (context.system.nc == 0 || !is_yes(context.parameters[kProjectVelocity])) return true;
  context.system.evaluate_kinematics(t, q, v);
  return project_velocities(context, {true, 1e-12, 20}, t, q, v);
}

}  // namespace

const Scheme scheme_taylor2 = {.id = "taylor2", .complete_step = complete_step, .step = step};

}  // namespace mechfmu::runtime
