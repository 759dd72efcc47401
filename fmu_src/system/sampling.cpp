// Sampled controllers. Sample k is taken at t_k = start + k * sample, computed and not summed up,
// when a communication step reaches t_k: at the end of the step that ends there, with the inputs as
// they are at t_k (set before the step, and moved along by their derivatives if the host gave any).
// The first one, t_0, belongs to the initialization. Outputs are held in between.
//
// A step that ends within a millionth of a sample before t_k has reached it: hosts add up times.
#include <cmath>

#include "platform/portable_math.hpp"
#include "system/simulation.hpp"

namespace mechfmu::runtime {
namespace {

constexpr double kReached = 1e-6;  // of a sample

}  // namespace

bool Simulation::begin_sampling(double t) {
  sampling_[0] = 0;
  sampling_[1] = t;
  return take_sample(t, t);
}

// `t` is the time of the sample, `at` where the inputs are read: never beyond the step.
bool Simulation::take_sample(double t, double at) {
  const double** in = system_.arrays();
  in[kTime] = &t;
  system_.evaluate_inputs(at);
  in[kPosition] = q_;
  in[kVelocity] = v_;
  model_.memory.run(model_.memory.context, in, new_memory_);
  system_.rebind_time();
  if (!all_finite(new_memory_, model_.n_memory))
    return failure_.set("t=%.9g: a block of the controller is not finite", t);
  for (int i = 0; i < model_.n_memory; ++i) memory_[i] = new_memory_[i];
  sampling_[0] += 1;
  return true;
}

bool Simulation::sample_until(double end) {
  const double reached = end + kReached * model_.sample;
  const double first = sampling_[0];
  for (;;) {
    const double next = sampling_[1] + sampling_[0] * model_.sample;
    if (!(next <= reached)) return true;
    if (!(sampling_[0] - first < kMostSteps))
      return failure_.set("t=%.9g: a communication step takes more than %.3g samples", next,
                          kMostSteps);
    if (!take_sample(next, next < end ? next : end)) return false;
  }
}

}  // namespace mechfmu::runtime
