// Velocity-level splitting, then projection of positions and velocities (document 001, sections 3
// and 4.1): see velocity_step.hpp and projection.cpp. The document leaves the velocities as they
// are after the projection of the positions; they are projected here, too, or J v would stay O(h).
#include "schemes/projection.hpp"
#include "schemes/velocity_step.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kNorm, kTolerance, kIterations, kPredictor };

bool step(StepContext& context, double t, double h, double* q, double* v) {
  return velocity_step(context, static_cast<Predictor>(context.parameters[kPredictor]), 0, t, h, q,
                       v);
}

bool complete_step(StepContext& context, double t, double* q, double* v) {
  if (context.system.nc == 0) return true;
  const double* p = context.parameters;
  const ProjectionSettings settings{p[kNorm] < 1.5, p[kTolerance],
                                    static_cast<int>(p[kIterations])};
  context.system.statistics()[kProjections] += 1;
  return project_positions(context, settings, t, q, v) &&
         project_velocities(context, settings, t, q, v);
}

}  // namespace

const Scheme scheme_velocity_projection = {
    .id = "velocity_projection", .complete_step = complete_step, .step = step};

}  // namespace mechfmu::runtime
