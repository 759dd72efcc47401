// Velocity-level splitting without stabilisation (document 001, section 3, equation 12 corrected:
// the matrix is J M^-1 J^T): see velocity_step.hpp. First order; positions drift with O(h).
#include "schemes/velocity_step.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kPredictor };

bool step(StepContext& context, double t, double h, double* q, double* v) {
  return velocity_step(context, static_cast<Predictor>(context.parameters[kPredictor]), 0, t, h, q,
                       v);
}

}  // namespace

const Scheme scheme_velocity = {.id = "velocity", .step = step};

}  // namespace mechfmu::runtime
