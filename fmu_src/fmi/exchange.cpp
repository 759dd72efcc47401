#include "fmi/exchange.hpp"

#include <cmath>

#include "platform/float_environment.hpp"

namespace mechfmu::fmi {
namespace {

constexpr double kProjectionFactor = 100;  // of the tolerance: then an event is asked for

bool check_count(Instance& instance, const char* function, const void* values, std::size_t count,
                 int expected) {
  if (count != static_cast<std::size_t>(expected)) {
    instance.log.error("%s: there are %d, not %zu", function, expected, count);
    return false;
  }
  if (count > 0 && !values) {
    instance.log.error("%s: null pointer", function);
    return false;
  }
  return true;
}

bool is_initializing(const Instance& instance) { return instance.state() == kInitializationMode; }

// In initialization mode the states are what the assembly makes of parameters and starts.
bool check_states(Instance& instance, const char* function) {
  return !is_initializing(instance) || check_assembled(instance, function);
}

bool calc_state_rates(Instance& instance, double* rates) {
  ScopedFloatEnvironment environment;
  return instance.simulation.calc_state_rates(rates);
}

bool project(Instance& instance) {
  ScopedFloatEnvironment environment;
  return instance.simulation.project();
}

bool update_conditions(Instance& instance) {
  ScopedFloatEnvironment environment;
  return instance.simulation.update_conditions();
}

void calc_indicators(Instance& instance, double* indicators) {
  ScopedFloatEnvironment environment;
  instance.simulation.get_indicators(indicators);
}

bool complete_step(Instance& instance) {
  ScopedFloatEnvironment environment;
  return instance.simulation.complete_host_step(kProjectionFactor * instance.progress.tolerance);
}

}  // namespace

fmi2Status enter_event_mode(Instance& instance) {
  instance.progress.state = kEventMode;
  return fmi2OK;
}

fmi2Status new_discrete_states(Instance& instance, fmi2EventInfo* info) {
  constexpr const char* kFunction = "fmi2NewDiscreteStates";
  if (!info) return instance.log.error("%s: null pointer", kFunction);
  *info = fmi2EventInfo{};
  const bool switched = update_conditions(instance);
  if (switched)
    instance.log.write(Category::logEvents, "t=%.9g: a condition of the motion has changed",
                       instance.simulation.time());
  // The states are the same, their derivatives are not: hosts start their solver anew when told so,
  // and some of them only then.
  if (switched || instance.progress.jumped != 0) info->valuesOfContinuousStatesChanged = fmi2True;
  instance.progress.jumped = 0;
  if (!instance.progress.projection_wanted) return fmi2OK;
  instance.progress.projection_wanted = 0;
  if (!project(instance)) {
    // Too far off for a projection: weak stabilisation has to do. The states are as they were, and
    // some hosts end a run at anything but fmi2OK: the log alone says it.
    instance.log.write(Category::logStatusWarning, "%s: not projected: %s", kFunction,
                       instance.simulation.failure());
    return fmi2OK;
  }
  instance.log.write(Category::logEvents, "t=%.9g: projected onto the constraints",
                     instance.simulation.time());
  info->valuesOfContinuousStatesChanged = fmi2True;
  return fmi2OK;
}

fmi2Status enter_continuous_time_mode(Instance& instance) {
  instance.progress.state = kContinuousTimeMode;
  return fmi2OK;
}

fmi2Status completed_integrator_step(Instance& instance, fmi2Boolean* enter_event_mode,
                                     fmi2Boolean* terminate_simulation) {
  if (!enter_event_mode || !terminate_simulation)
    return instance.log.error("fmi2CompletedIntegratorStep: null pointer");
  const bool wanted = complete_step(instance);
  instance.progress.projection_wanted = wanted ? 1 : 0;
  *enter_event_mode = wanted ? fmi2True : fmi2False;
  *terminate_simulation = fmi2False;
  return fmi2OK;
}

fmi2Status set_time(Instance& instance, double time) {
  if (!std::isfinite(time))
    return instance.log.discard("fmi2SetTime: the time is not finite, it stays %.17g",
                                instance.progress.time);
  instance.progress.time = time;
  // before the end of initialization the time is that of fmi2SetupExperiment
  if (instance.state() == kInstantiated || is_initializing(instance)) return fmi2OK;
  instance.simulation.set_time(time);
  return fmi2OK;
}

fmi2Status set_states(Instance& instance, const fmi2Real x[], std::size_t count) {
  constexpr const char* kFunction = "fmi2SetContinuousStates";
  if (!check_count(instance, kFunction, x, count, instance.model().n_states())) return fmi2Error;
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isfinite(x[i]))
      return instance.log.discard("%s: state %zu cannot be %g, all keep their values", kFunction,
                                  i + 1, x[i]);
  // while initializing they follow from parameters and starts: accepted, and without effect
  if (!is_initializing(instance)) instance.simulation.set_states(x);
  return fmi2OK;
}

fmi2Status get_states(Instance& instance, fmi2Real x[], std::size_t count) {
  constexpr const char* kFunction = "fmi2GetContinuousStates";
  if (!check_count(instance, kFunction, x, count, instance.model().n_states()) ||
      !check_states(instance, kFunction))
    return fmi2Error;
  instance.simulation.get_states(x);
  return fmi2OK;
}

fmi2Status get_nominals(Instance& instance, fmi2Real x[], std::size_t count) {
  if (!check_count(instance, "fmi2GetNominalsOfContinuousStates", x, count,
                   instance.model().n_states()))
    return fmi2Error;
  const runtime::Model& model = instance.model();
  for (std::size_t i = 0; i < count; ++i)
    x[i] = model.reals[model.first_state + static_cast<int>(i)].start;
  return fmi2OK;
}

fmi2Status get_derivatives(Instance& instance, fmi2Real derivatives[], std::size_t count) {
  constexpr const char* kFunction = "fmi2GetDerivatives";
  if (!check_count(instance, kFunction, derivatives, count, instance.model().n_states()) ||
      !check_states(instance, kFunction))
    return fmi2Error;
  if (calc_state_rates(instance, derivatives)) {
    log_notice(instance, kFunction);
    return fmi2OK;
  }
  // a solver that went too far tries a shorter step
  return instance.log.discard("%s: %s", kFunction, instance.simulation.failure());
}

fmi2Status get_event_indicators(Instance& instance, fmi2Real indicators[], std::size_t count) {
  constexpr const char* kFunction = "fmi2GetEventIndicators";
  if (!check_count(instance, kFunction, indicators, count, instance.model().n_indicators) ||
      !check_states(instance, kFunction))
    return fmi2Error;
  if (count > 0) calc_indicators(instance, indicators);
  return fmi2OK;
}

}  // namespace mechfmu::fmi
