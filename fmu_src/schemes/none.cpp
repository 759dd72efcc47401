// No stabilisation (document 003, augmented form):
//
//     M a + J^T lambda = f        J a = -gamma
//
// Rounding and truncation errors of phi grow like t^2: the baseline that every other scheme is
// compared with. Use it for open chains in joint coordinates, which have no constraints, or to see
// what a scheme is worth.
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

bool accelerate_unstabilised(StepContext& context, double t, const double* q, const double* v,
                             double* a) {
  System& system = context.system;
  system.evaluate_dynamics(t, q, v);
  if (system.accelerate(a, context.lambda)) {
    note_multiplier(context, t, context.lambda);
    return true;
  }
  return fail_not_finite(context, t, "the accelerations");
}

const Scheme scheme_none = {"none", accelerate_unstabilised};

}  // namespace mechfmu::runtime
