#include "fmi/derivatives.hpp"

#include <cmath>

#include "fmi/variable_access.hpp"
#include "platform/float_environment.hpp"

namespace mechfmu::fmi {
namespace {

using runtime::RealVariable;
using runtime::VariableKind;

bool check_known(Instance& instance, const char* function, fmi2ValueReference reference) {
  if (reference >= instance.real_count) {
    instance.log.error("%s: there is no Real variable with value reference %u", function,
                       reference);
    return false;
  }
  const RealVariable& variable = instance.model().reals[reference];
  const bool initializing = instance.state() == kInitializationMode;
  if (variable.kind == VariableKind::input ||
      (initializing && variable.kind != VariableKind::computed))
    return true;
  instance.log.error("%s: '%s' is not a known here (inputs%s are)", function, variable.name,
                     initializing ? ", parameters and starts" : "");
  return false;
}

bool check_unknown(Instance& instance, const char* function, fmi2ValueReference reference) {
  if (reference >= instance.first_computed && reference < instance.real_count) return true;
  instance.log.error("%s: value reference %u is not that of a computed variable", function,
                     reference);
  return false;
}

bool calc_directional(Instance& instance, const fmi2ValueReference knowns[], std::size_t count,
                      const double change[]) {
  ScopedFloatEnvironment environment;
  return instance.simulation.calc_directional(instance.state() == kInitializationMode,
                                              static_cast<int>(count), knowns, change,
                                              instance.simulation.rates());
}

bool calc_time_rates(Instance& instance) {
  ScopedFloatEnvironment environment;
  return instance.simulation.calc_time_rates(instance.simulation.rates());
}

}  // namespace

fmi2Status get_directional_derivative(Instance& instance, const fmi2ValueReference unknowns[],
                                      std::size_t unknown_count, const fmi2ValueReference knowns[],
                                      std::size_t known_count, const fmi2Real change[],
                                      fmi2Real result[]) {
  constexpr const char* kFunction = "fmi2GetDirectionalDerivative";
  if ((unknown_count > 0 && (!unknowns || !result)) || (known_count > 0 && (!knowns || !change)))
    return instance.log.error("%s: null pointer", kFunction);
  for (std::size_t i = 0; i < known_count; ++i) {
    if (!check_known(instance, kFunction, knowns[i])) return fmi2Error;
    if (!std::isfinite(change[i]))
      return instance.log.error("%s: dvKnown[%zu] is not finite", kFunction, i);
  }
  for (std::size_t i = 0; i < unknown_count; ++i)
    if (!check_unknown(instance, kFunction, unknowns[i])) return fmi2Error;
  if (instance.state() == kInitializationMode && !check_assembled(instance, kFunction))
    return fmi2Error;
  if (!calc_directional(instance, knowns, known_count, change))
    return instance.log.error("%s: %s", kFunction, instance.simulation.failure());
  for (std::size_t i = 0; i < unknown_count; ++i)
    result[i] = instance.simulation.rates()[unknowns[i] - instance.first_computed];
  return fmi2OK;
}

fmi2Status get_output_derivatives(Instance& instance, const fmi2ValueReference references[],
                                  std::size_t count, const fmi2Integer orders[],
                                  fmi2Real values[]) {
  constexpr const char* kFunction = "fmi2GetRealOutputDerivatives";
  if (count > 0 && (!references || !orders || !values))
    return instance.log.error("%s: null pointer", kFunction);
  for (std::size_t i = 0; i < count; ++i) {
    if (!check_unknown(instance, kFunction, references[i])) return fmi2Error;
    if (orders[i] != 1)
      return instance.log.error("%s: order %d: derivatives of order 1 are offered", kFunction,
                                orders[i]);
  }
  if (count > 0 && !calc_time_rates(instance))
    return instance.log.error("%s: %s", kFunction, instance.simulation.failure());
  for (std::size_t i = 0; i < count; ++i)
    values[i] = instance.simulation.rates()[references[i] - instance.first_computed];
  return fmi2OK;
}

}  // namespace mechfmu::fmi
