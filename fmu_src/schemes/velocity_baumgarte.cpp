// Velocity-level splitting with Baumgarte's term phi / tau (document 001, section 4.2): see
// velocity_step.hpp. tau = h, the automatic choice, ends a linear error in one step (dead-beat);
// the residual is O(h^2). Smaller ones overshoot.
#include "schemes/velocity_step.hpp"

namespace mechfmu::runtime {
namespace {

enum Parameter : int { kTau, kPredictor };

bool step(StepContext& context, double t, double h, double* q, double* v) {
  const double tau = context.parameters[kTau] > h ? context.parameters[kTau] : h;
  return velocity_step(context, static_cast<Predictor>(context.parameters[kPredictor]), 1 / tau, t,
                       h, q, v);
}

}  // namespace

const Scheme scheme_velocity_baumgarte = {.id = "velocity_baumgarte", .step = step};

}  // namespace mechfmu::runtime
