#include "fmi/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "platform/float_environment.hpp"

namespace mechfmu::fmi {
namespace {

constexpr double kClockTolerance = 1e-9;  // relative

enum class Outcome { done, failed, clock_differs, beyond_stop_time, not_finite };

struct Step {
  double from;  // [s] what the host takes for the present time
  double size;  // [s]
  bool own_clock;
};

// Two times that a host would call equal, given the times and steps it computes with.
bool is_same_time(double a, double b, double step_size) {
  return std::fabs(a - b) <=
         kClockTolerance * std::max(std::max(std::fabs(a), std::fabs(b)), step_size);
}

// Everything that does arithmetic, so that it can run as a whole in the default floating-point
// environment. Changes the instance only if the step was tried.
[[gnu::noinline]] Outcome run_step(Instance& instance, Step& step) {
  Progress& progress = instance.progress;
  if (!is_same_time(step.from, progress.time, step.size)) {
    if (!instance.just_restored) return Outcome::clock_differs;
    step.from = progress.time;
    step.own_clock = true;
  }
  const double end = step.from + step.size;
  if (!std::isfinite(end)) return Outcome::not_finite;
  if (progress.stop_time_defined && end > progress.stop_time &&
      !is_same_time(end, progress.stop_time, step.size))
    return Outcome::beyond_stop_time;

  // The physics goes on from where it is, whatever the clocks say: rounding neither skips nor
  // repeats motion.
  instance.just_restored = false;
  const double begin = instance.simulation.time();
  const double size = begin == step.from ? step.size : end - begin;
  const double resolution = std::numeric_limits<double>::epsilon() * std::fabs(end);
  if (size > resolution && !instance.simulation.advance(begin, size)) return Outcome::failed;
  progress.time = end;
  return Outcome::done;
}

fmi2Status refuse_kind(Instance& instance, const char* function, fmi2StatusKind kind) {
  return instance.log.error("%s: there is no status of kind %d of this type", function,
                            static_cast<int>(kind));
}

}  // namespace

fmi2Status do_step(Instance& instance, double communication_point, double step_size) {
  Log& log = instance.log;
  if (!std::isfinite(communication_point) || !std::isfinite(step_size))
    return log.error("fmi2DoStep(t=%g, h=%g): the arguments must be finite", communication_point,
                     step_size);
  if (step_size <= 0)
    return log.error("fmi2DoStep(t=%.9g, h=%.9g): the step size must be > 0", communication_point,
                     step_size);

  Progress& progress = instance.progress;
  Step step{communication_point, step_size, false};
  Outcome outcome;
  {
    ScopedFloatEnvironment environment;
    outcome = run_step(instance, step);
  }

  switch (outcome) {
    case Outcome::clock_differs:
      return log.error("fmi2DoStep(t=%.17g, h=%.9g): the FMU is at time %.17g", communication_point,
                       step_size, progress.time);
    case Outcome::not_finite:
      return log.error("fmi2DoStep(t=%.9g, h=%.9g): the end of the step is not finite",
                       communication_point, step_size);
    case Outcome::beyond_stop_time:
      return log.error("fmi2DoStep(t=%.17g, h=%.9g): the step ends after the stop time %.17g",
                       communication_point, step_size, progress.stop_time);
    case Outcome::failed:
      progress.state = kStepFailed;
      progress.last_step_status = fmi2Discard;
      return log.discard("fmi2DoStep(t=%.9g, h=%.9g): %s; the state at t is restored", step.from,
                         step_size, instance.simulation.failure());
    case Outcome::done:
      break;
  }
  progress.state = kStepComplete;
  progress.last_step_status = fmi2OK;
  if (step.own_clock && !instance.said_clock_differs) {
    instance.said_clock_differs = true;
    log.write(Category::logStatusWarning,
              "fmi2DoStep(t=%.17g, h=%.9g): the restored state is at time %.17g, the step was "
              "made from there (said once)",
              communication_point, step_size, step.from);
  }
  log_notice(instance, "fmi2DoStep");
  return fmi2OK;
}

fmi2Status get_status(Instance& instance, fmi2StatusKind kind, fmi2Status* value) {
  constexpr const char* kFunction = "fmi2GetStatus";
  if (!value) return instance.log.error("%s: null pointer", kFunction);
  if (kind != fmi2DoStepStatus) return refuse_kind(instance, kFunction, kind);
  *value = static_cast<fmi2Status>(instance.progress.last_step_status);
  return fmi2OK;
}

fmi2Status get_real_status(Instance& instance, fmi2StatusKind kind, fmi2Real* value) {
  constexpr const char* kFunction = "fmi2GetRealStatus";
  if (!value) return instance.log.error("%s: null pointer", kFunction);
  if (kind != fmi2LastSuccessfulTime) return refuse_kind(instance, kFunction, kind);
  *value = instance.progress.time;
  return fmi2OK;
}

fmi2Status get_integer_status(Instance& instance, fmi2StatusKind kind, fmi2Integer* value) {
  constexpr const char* kFunction = "fmi2GetIntegerStatus";
  if (!value) return instance.log.error("%s: null pointer", kFunction);
  return refuse_kind(instance, kFunction, kind);
}

fmi2Status get_boolean_status(Instance& instance, fmi2StatusKind kind, fmi2Boolean* value) {
  constexpr const char* kFunction = "fmi2GetBooleanStatus";
  if (!value) return instance.log.error("%s: null pointer", kFunction);
  if (kind != fmi2Terminated) return refuse_kind(instance, kFunction, kind);
  *value = fmi2False;
  return fmi2OK;
}

fmi2Status get_string_status(Instance& instance, fmi2StatusKind kind, fmi2String* value) {
  constexpr const char* kFunction = "fmi2GetStringStatus";
  if (!value) return instance.log.error("%s: null pointer", kFunction);
  if (kind != fmi2PendingStatus) return refuse_kind(instance, kFunction, kind);
  return instance.log.discard("%s: steps are never asynchronous, nothing is pending", kFunction);
}

}  // namespace mechfmu::fmi
