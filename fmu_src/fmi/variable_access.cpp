#include "fmi/variable_access.hpp"

#include <cmath>
#include <cstring>

#include "platform/float_environment.hpp"

namespace mechfmu::fmi {
namespace {

using runtime::IntegerVariable;
using runtime::Model;
using runtime::RealVariable;
using runtime::VariableKind;

constexpr int kHighestInputOrder = 2;

bool check_arrays(Instance& instance, const char* function, const void* references,
                  std::size_t count, const void* values) {
  if (count == 0 || (references && values)) return true;
  instance.log.error("%s: null pointer for %zu variables", function, count);
  return false;
}

bool check_reference(Instance& instance, const char* function, const char* base_type,
                     fmi2ValueReference reference, std::size_t limit) {
  if (reference < limit) return true;
  instance.log.error("%s: there is no %s variable with value reference %u", function, base_type,
                     reference);
  return false;
}

// An enumeration lives among the real settings; as a Real it does not exist.
bool check_not_hidden(Instance& instance, const char* function, fmi2ValueReference reference) {
  const Model& model = instance.model();
  for (int i = 0; i < model.n_integers; ++i)
    if (static_cast<fmi2ValueReference>(model.integers[i].setting) == reference)
      return check_reference(instance, function, "Real", reference, 0);
  return true;
}

// In model exchange the states may be set one by one, too.
bool is_state(const Instance& instance, const RealVariable& variable) {
  const auto index = static_cast<int>(&variable - instance.model().reals);
  return instance.progress.exchange != 0 &&
         (instance.progress.state & (kEventMode | kContinuousTimeMode)) != 0 &&
         index >= instance.model().first_state &&
         index < instance.model().first_state + instance.model().n_states();
}

// After initialization only inputs move, and what is declared tunable.
bool check_settable(Instance& instance, const char* function, const RealVariable& variable) {
  if (is_state(instance, variable)) return true;
  if (variable.kind == VariableKind::computed) {
    instance.log.error("%s: '%s' is computed by the FMU and cannot be set", function,
                       variable.name);
    return false;
  }
  const bool initializing = (instance.progress.state & (kInstantiated | kInitializationMode)) != 0;
  if (initializing || variable.kind == VariableKind::input || variable.tunable) return true;
  instance.log.error("%s: '%s' is fixed: set it before fmi2ExitInitializationMode", function,
                     variable.name);
  return false;
}

// Number of an input among the inputs.
int input_of(const Instance& instance, std::size_t index) {
  const Model& model = instance.model();
  return static_cast<int>(index) - model.n_parameters - model.n_starts - model.n_settings;
}

// Equal values are no change: a host that repeats its inputs must not cost the integrator its
// history.
void store(Instance& instance, std::size_t index, double value) {
  if (is_state(instance, instance.model().reals[index])) {
    instance.simulation.set_state(static_cast<int>(index) - instance.model().first_state, value);
    return;
  }
  double& slot = instance.simulation.values()[index];
  if (instance.model().reals[index].kind == VariableKind::input)
    instance.simulation.end_input_polynomial(input_of(instance, index));
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits are what is meant, -0 is not 0
  if (std::memcmp(&slot, &value, sizeof(value)) == 0) return;
  slot = value;
  if (instance.progress.state == kEventMode) instance.progress.jumped = 1;
  instance.simulation.mark_changed(instance.model().reals[index].kind);
  if (instance.progress.state & (kInstantiated | kInitializationMode))
    instance.progress.assembled = 0;
}

bool update_outputs(Instance& instance, bool with_accelerations) {
  ScopedFloatEnvironment environment;
  return instance.simulation.update_outputs(with_accelerations);
}

// Brings computed values up to date with everything that was set.
fmi2Status bring_up_to_date(Instance& instance, const char* function, bool with_accelerations) {
  if (instance.state() == kInitializationMode && !check_assembled(instance, function))
    return fmi2Error;
  if (update_outputs(instance, with_accelerations)) {
    log_notice(instance, function);
    return fmi2OK;
  }
  const char* reason = instance.simulation.failure();
  // at a trial state of a solver that went too far: a shorter step may be better
  return instance.progress.exchange != 0 ? instance.log.discard("%s: %s", function, reason)
                                         : instance.log.error("%s: %s", function, reason);
}

}  // namespace

fmi2Status get_reals(Instance& instance, const fmi2ValueReference references[], std::size_t count,
                     fmi2Real values[]) {
  constexpr const char* kFunction = "fmi2GetReal";
  const RealVariable* variables = instance.model().reals;
  if (!check_arrays(instance, kFunction, references, count, values)) return fmi2Error;

  bool computed = false;
  bool with_accelerations = false;
  for (std::size_t i = 0; i < count; ++i) {
    const fmi2ValueReference reference = references[i];
    if (reference >= instance.first_computed) {
      if (!check_reference(instance, kFunction, "Real", reference, instance.real_count))
        return fmi2Error;
      computed = true;
      with_accelerations |= variables[reference].needs_acceleration;
    } else if (variables[reference].kind == VariableKind::setting &&
               !check_not_hidden(instance, kFunction, reference)) {
      return fmi2Error;
    }
  }
  if (computed && instance.state() == kInstantiated)
    return instance.log.error("%s: computed variables have no value before initialization mode",
                              kFunction);
  // the error state promises values for debugging only: take them as they are
  if (computed && instance.state() != kErrorState) {
    const fmi2Status status = bring_up_to_date(instance, kFunction, with_accelerations);
    if (status != fmi2OK) return status;
  }

  const double* source = instance.simulation.values();
  for (std::size_t i = 0; i < count; ++i) values[i] = source[references[i]];
  return fmi2OK;
}

fmi2Status set_reals(Instance& instance, const fmi2ValueReference references[], std::size_t count,
                     const fmi2Real values[]) {
  constexpr const char* kFunction = "fmi2SetReal";
  const RealVariable* variables = instance.model().reals;
  if (!check_arrays(instance, kFunction, references, count, values)) return fmi2Error;

  std::size_t not_finite = count;
  for (std::size_t i = 0; i < count; ++i) {
    const fmi2ValueReference reference = references[i];
    if (!check_reference(instance, kFunction, "Real", reference, instance.real_count))
      return fmi2Error;
    const RealVariable& variable = variables[reference];
    if (!check_settable(instance, kFunction, variable)) return fmi2Error;
    if (variable.kind == VariableKind::setting && !check_not_hidden(instance, kFunction, reference))
      return fmi2Error;
    if (!std::isfinite(values[i]))
      not_finite = i;
    else if (variable.kind != VariableKind::computed &&
             (values[i] < variable.min || values[i] > variable.max))
      return instance.log.error("%s: '%s' = %.17g is outside [%.17g, %.17g]", kFunction,
                                variable.name, values[i], variable.min, variable.max);
  }
  if (not_finite < count)
    return instance.log.discard("%s: '%s' cannot be %g, everything keeps its value", kFunction,
                                variables[references[not_finite]].name, values[not_finite]);

  for (std::size_t i = 0; i < count; ++i) {
    store(instance, references[i], values[i]);
    if (static_cast<int>(references[i]) == instance.tolerance_reference)
      instance.progress.tolerance_set = 1;
  }
  return fmi2OK;
}

fmi2Status set_input_derivatives(Instance& instance, const fmi2ValueReference references[],
                                 std::size_t count, const fmi2Integer orders[],
                                 const fmi2Real values[]) {
  constexpr const char* kFunction = "fmi2SetRealInputDerivatives";
  const RealVariable* variables = instance.model().reals;
  if (!check_arrays(instance, kFunction, references, count, values) ||
      !check_arrays(instance, kFunction, references, count, orders))
    return fmi2Error;
  std::size_t not_finite = count;
  for (std::size_t i = 0; i < count; ++i) {
    if (!check_reference(instance, kFunction, "Real", references[i], instance.real_count))
      return fmi2Error;
    const RealVariable& variable = variables[references[i]];
    if (variable.kind != VariableKind::input)
      return instance.log.error("%s: '%s' is not an input", kFunction, variable.name);
    if (orders[i] < 1)
      return instance.log.error("%s: '%s': order %d is not a derivative", kFunction, variable.name,
                                orders[i]);
    if (!std::isfinite(values[i])) not_finite = i;
  }
  if (not_finite < count)
    return instance.log.discard("%s: a derivative of '%s' cannot be %g, everything is kept",
                                kFunction, variables[references[not_finite]].name,
                                values[not_finite]);
  // orders above the second would add less than the error of any method offered here
  for (std::size_t i = 0; i < count; ++i)
    if (orders[i] <= kHighestInputOrder)
      instance.simulation.set_input_derivative(input_of(instance, references[i]), orders[i],
                                               values[i]);
  if (instance.progress.state & kInitializationMode) instance.progress.assembled = 0;
  return fmi2OK;
}

fmi2Status get_integers(Instance& instance, const fmi2ValueReference references[],
                        std::size_t count, fmi2Integer values[]) {
  constexpr const char* kFunction = "fmi2GetInteger";
  const Model& model = instance.model();
  if (!check_arrays(instance, kFunction, references, count, values)) return fmi2Error;
  const auto limit = static_cast<std::size_t>(model.n_integers);
  for (std::size_t i = 0; i < count; ++i)
    if (!check_reference(instance, kFunction, "Integer", references[i], limit)) return fmi2Error;

  const double* source = instance.simulation.values();
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<fmi2Integer>(source[model.integers[references[i]].setting]);
  return fmi2OK;
}

fmi2Status set_integers(Instance& instance, const fmi2ValueReference references[],
                        std::size_t count, const fmi2Integer values[]) {
  constexpr const char* kFunction = "fmi2SetInteger";
  const Model& model = instance.model();
  if (!check_arrays(instance, kFunction, references, count, values)) return fmi2Error;
  const auto limit = static_cast<std::size_t>(model.n_integers);
  for (std::size_t i = 0; i < count; ++i) {
    if (!check_reference(instance, kFunction, "Integer", references[i], limit)) return fmi2Error;
    const IntegerVariable& variable = model.integers[references[i]];
    if (!check_settable(instance, kFunction, model.reals[variable.setting])) return fmi2Error;
    if (values[i] < variable.min || values[i] > variable.max)
      return instance.log.error("%s: '%s' = %d is outside [%d, %d]", kFunction, variable.name,
                                values[i], variable.min, variable.max);
  }
  for (std::size_t i = 0; i < count; ++i)
    store(instance, static_cast<std::size_t>(model.integers[references[i]].setting), values[i]);
  return fmi2OK;
}

fmi2Status refuse_unless_empty(Instance& instance, const char* function, const char* base_type,
                               std::size_t count) {
  if (count == 0) return fmi2OK;
  return instance.log.error("%s: this FMU has no %s variables", function, base_type);
}

void find_variables(Instance& instance) {
  const Model& model = instance.model();
  const int first_setting = model.n_parameters + model.n_starts;
  const int first_computed = first_setting + model.n_settings + model.nu;
  instance.first_computed = static_cast<std::size_t>(first_computed);
  instance.real_count = static_cast<std::size_t>(first_computed + model.n_computed);
  for (int i = first_setting; i < first_setting + model.n_settings; ++i)
    if (std::strcmp(model.reals[i].name, "solver.tolerance") == 0) instance.tolerance_reference = i;
}

void set_tolerance(Instance& instance, double tolerance) {
  if (instance.progress.tolerance_set || instance.tolerance_reference < 0) return;
  const RealVariable& variable = instance.model().reals[instance.tolerance_reference];
  if (tolerance > 0 && tolerance >= variable.min && tolerance <= variable.max)
    store(instance, static_cast<std::size_t>(instance.tolerance_reference), tolerance);
  else
    instance.log.write(Category::logStatusWarning,
                       "fmi2SetupExperiment: tolerance %g is not usable and ignored", tolerance);
}

}  // namespace mechfmu::fmi
