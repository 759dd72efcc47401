#include "fmi/variable_access.hpp"

#include <cmath>
#include <cstring>

namespace mechfmu::fmi {
namespace {

using runtime::IntegerVariable;
using runtime::Model;
using runtime::RealVariable;
using runtime::VariableKind;

constexpr const char* kToleranceName = "solver.tolerance";

std::size_t count_reals(const Model& model) {
  return static_cast<std::size_t>(model.n_parameters + model.n_starts + model.n_settings +
                                  model.nu + model.n_computed);
}

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
bool is_hidden(const Model& model, fmi2ValueReference reference) {
  for (int i = 0; i < model.n_integers; ++i)
    if (static_cast<fmi2ValueReference>(model.integers[i].setting) == reference) return true;
  return false;
}

// After initialization only inputs move: nothing else is declared tunable.
bool check_settable(Instance& instance, const char* function, const RealVariable& variable) {
  if (variable.kind == VariableKind::computed) {
    instance.log.error("%s: '%s' is computed by the FMU and cannot be set", function,
                       variable.name);
    return false;
  }
  const bool initializing = (instance.progress.state & (kInstantiated | kInitializationMode)) != 0;
  if (initializing || variable.kind == VariableKind::input) return true;
  instance.log.error("%s: '%s' is fixed: set it before fmi2ExitInitializationMode", function,
                     variable.name);
  return false;
}

// Equal values are no change: a host that repeats its inputs must not cost the integrator its history.
void store(Instance& instance, std::size_t index, double value) {
  double& slot = instance.simulation.values()[index];
  if (std::memcmp(&slot, &value, sizeof(value)) == 0) return;
  slot = value;
  instance.simulation.mark_changed(instance.model().reals[index].kind);
  if (instance.progress.state & (kInstantiated | kInitializationMode))
    instance.progress.assembled = 0;
}

// Brings computed values up to date with everything that was set.
bool check_outputs_current(Instance& instance, const char* function, bool with_accelerations) {
  if (instance.state() == kInitializationMode && !check_assembled(instance, function)) return false;
  if (instance.simulation.update_outputs(with_accelerations)) return true;
  instance.log.error("%s: %s", function, instance.simulation.failure());
  return false;
}

}  // namespace

fmi2Status get_reals(Instance& instance, const fmi2ValueReference references[], std::size_t count,
                     fmi2Real values[]) {
  constexpr const char* kFunction = "fmi2GetReal";
  const Model& model = instance.model();
  if (!check_arrays(instance, kFunction, references, count, values)) return fmi2Error;

  const std::size_t limit = count_reals(model);
  bool computed = false;
  bool with_accelerations = false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!check_reference(instance, kFunction, "Real", references[i], limit)) return fmi2Error;
    const RealVariable& variable = model.reals[references[i]];
    if (variable.kind != VariableKind::computed) continue;
    if (instance.state() == kInstantiated)
      return instance.log.error("%s: '%s' has no value before initialization mode", kFunction,
                                variable.name);
    computed = true;
    with_accelerations |= variable.needs_acceleration;
  }
  // the error state promises values for debugging only: take them as they are
  if (computed && instance.state() != kErrorState &&
      !check_outputs_current(instance, kFunction, with_accelerations))
    return fmi2Error;

  const double* source = instance.simulation.values();
  for (std::size_t i = 0; i < count; ++i) values[i] = source[references[i]];
  return fmi2OK;
}

fmi2Status set_reals(Instance& instance, const fmi2ValueReference references[], std::size_t count,
                     const fmi2Real values[]) {
  constexpr const char* kFunction = "fmi2SetReal";
  const Model& model = instance.model();
  if (!check_arrays(instance, kFunction, references, count, values)) return fmi2Error;

  const std::size_t limit = count_reals(model);
  for (std::size_t i = 0; i < count; ++i) {
    if (!check_reference(instance, kFunction, "Real", references[i], limit)) return fmi2Error;
    const RealVariable& variable = model.reals[references[i]];
    if (!check_settable(instance, kFunction, variable)) return fmi2Error;
    if (variable.kind == VariableKind::setting && is_hidden(model, references[i]))
      return instance.log.error("%s: there is no Real variable with value reference %u", kFunction,
                                references[i]);
    if (!std::isfinite(values[i]))
      return instance.log.discard("%s: '%s' cannot be %g, it keeps its value", kFunction,
                                  variable.name, values[i]);
    if (values[i] < variable.min || values[i] > variable.max)
      return instance.log.error("%s: '%s' = %.17g is outside [%.17g, %.17g]", kFunction,
                                variable.name, values[i], variable.min, variable.max);
  }
  for (std::size_t i = 0; i < count; ++i) {
    store(instance, references[i], values[i]);
    if (std::strcmp(model.reals[references[i]].name, kToleranceName) == 0)
      instance.progress.tolerance_set = 1;
  }
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

void set_tolerance(Instance& instance, double tolerance) {
  if (instance.progress.tolerance_set) return;
  const Model& model = instance.model();
  const int first = model.n_parameters + model.n_starts;
  for (int i = first; i < first + model.n_settings; ++i) {
    const RealVariable& variable = model.reals[i];
    if (std::strcmp(variable.name, kToleranceName) != 0) continue;
    if (tolerance > 0 && tolerance >= variable.min && tolerance <= variable.max)
      store(instance, static_cast<std::size_t>(i), tolerance);
    else
      instance.log.write(Category::logStatusWarning,
                         "fmi2SetupExperiment: tolerance %g is not usable and ignored", tolerance);
    return;
  }
}

}  // namespace mechfmu::fmi
