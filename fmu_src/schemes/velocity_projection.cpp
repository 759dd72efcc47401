// Velocity-level splitting, then projection of positions and velocities (document 001, sections 3
// and 4.1): see velocity_step.hpp and projection.cpp. The document leaves the velocities as they
// are after the projection of the positions; they are projected here, too, or J v would stay O(h).
#include "schemes/projection.hpp"
#include "schemes/velocity_step.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kPredictor = 3 };  // after those of the projection

bool step(StepContext& context, double t, double h, double* q, double* v) {
  return velocity_step(context, static_cast<Predictor>(context.parameters[kPredictor]), 0, t, h, q,
                       v);
}

}  // namespace

const Scheme scheme_velocity_projection = {
    .id = "velocity_projection", .complete_step = complete_with_projection, .step = step};

}  // namespace mechfmu::runtime
