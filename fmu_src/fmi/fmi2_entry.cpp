// The 34 functions of an FMI 2.0 co-simulation library. Each one checks the component and the call
// order (call_order.def) and hands over; there is no other logic here. Nothing can throw: the
// runtime is compiled without exceptions. The host's memory callbacks and stepFinished are never
// used (P23).
#include "fmi/call_order.hpp"
#include "fmi/derivatives.hpp"
#include "fmi/instance.hpp"
#include "fmi/model_symbol.hpp"
#include "fmi/saved_state.hpp"
#include "fmi/step.hpp"
#include "fmi/variable_access.hpp"
#include "fmi2Functions.h"

namespace {

using mechfmu::fmi::Function;
using mechfmu::fmi::Instance;

[[gnu::cold]] void log_illegal_call(Instance& instance, Function function) {
  instance.log.error("%s is not allowed in the state '%s'", mechfmu::fmi::find_rule(function).name,
                     mechfmu::fmi::find_name(instance.state()));
}

// The instance, if the function may be called now; null otherwise, and the reason has been logged.
inline Instance* enter(fmi2Component component, Function function) {
  auto* instance = static_cast<Instance*>(component);
  if (!instance) return nullptr;
  if (mechfmu::fmi::is_allowed(function, instance->state())) return instance;
  log_illegal_call(*instance, function);
  return nullptr;
}

// A function that exists because the standard demands it, of a capability that modelDescription.xml
// does not claim (P27: never fmi2OK).
fmi2Status refuse(Instance* instance, const char* function, const char* capability) {
  if (!instance) return fmi2Error;
  return instance->log.error("%s: this FMU does not offer %s", function, capability);
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }

const char* fmi2GetVersion(void) { return fmi2Version; }

// The mechanism is compiled in: the resource location is not looked at (P7), and there is nothing
// to be visible.
fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String /*fmuResourceLocation*/,
                              const fmi2CallbackFunctions* functions, fmi2Boolean /*visible*/,
                              fmi2Boolean loggingOn) {
  return mechfmu::fmi::instantiate(mechfmu_model, instanceName, fmuType, fmuGUID, functions,
                                   loggingOn != fmi2False);
}

void fmi2FreeInstance(fmi2Component c) {
  mechfmu::fmi::free_instance(enter(c, Function::FreeInstance));
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories,
                               const fmi2String categories[]) {
  Instance* instance = enter(c, Function::SetDebugLogging);
  if (!instance) return fmi2Error;
  return instance->log.set_enabled(loggingOn != fmi2False, nCategories, categories);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  Instance* instance = enter(c, Function::SetupExperiment);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::setup_experiment(*instance, toleranceDefined != fmi2False, tolerance,
                                        startTime, stopTimeDefined != fmi2False, stopTime);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  Instance* instance = enter(c, Function::EnterInitializationMode);
  return instance ? mechfmu::fmi::enter_initialization_mode(*instance) : fmi2Error;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Instance* instance = enter(c, Function::ExitInitializationMode);
  return instance ? mechfmu::fmi::exit_initialization_mode(*instance) : fmi2Error;
}

fmi2Status fmi2Terminate(fmi2Component c) {
  Instance* instance = enter(c, Function::Terminate);
  return instance ? mechfmu::fmi::terminate(*instance) : fmi2Error;
}

fmi2Status fmi2Reset(fmi2Component c) {
  Instance* instance = enter(c, Function::Reset);
  return instance ? mechfmu::fmi::reset(*instance) : fmi2Error;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       fmi2Real value[]) {
  Instance* instance = enter(c, Function::GetReal);
  return instance ? mechfmu::fmi::get_reals(*instance, vr, nvr, value) : fmi2Error;
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          fmi2Integer value[]) {
  Instance* instance = enter(c, Function::GetInteger);
  return instance ? mechfmu::fmi::get_integers(*instance, vr, nvr, value) : fmi2Error;
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t nvr, fmi2Boolean[]) {
  Instance* instance = enter(c, Function::GetBoolean);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::refuse_unless_empty(*instance, "fmi2GetBoolean", "Boolean", nvr);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t nvr, fmi2String[]) {
  Instance* instance = enter(c, Function::GetString);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::refuse_unless_empty(*instance, "fmi2GetString", "String", nvr);
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                       const fmi2Real value[]) {
  Instance* instance = enter(c, Function::SetReal);
  return instance ? mechfmu::fmi::set_reals(*instance, vr, nvr, value) : fmi2Error;
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                          const fmi2Integer value[]) {
  Instance* instance = enter(c, Function::SetInteger);
  return instance ? mechfmu::fmi::set_integers(*instance, vr, nvr, value) : fmi2Error;
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t nvr,
                          const fmi2Boolean[]) {
  Instance* instance = enter(c, Function::SetBoolean);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::refuse_unless_empty(*instance, "fmi2SetBoolean", "Boolean", nvr);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t nvr,
                         const fmi2String[]) {
  Instance* instance = enter(c, Function::SetString);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::refuse_unless_empty(*instance, "fmi2SetString", "String", nvr);
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
  Instance* instance = enter(c, Function::GetFMUstate);
  return instance ? mechfmu::fmi::get_state(*instance, FMUstate) : fmi2Error;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
  Instance* instance = enter(c, Function::SetFMUstate);
  return instance ? mechfmu::fmi::set_state(*instance, FMUstate) : fmi2Error;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
  Instance* instance = enter(c, Function::FreeFMUstate);
  return instance ? mechfmu::fmi::free_state(*instance, FMUstate) : fmi2Error;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
  Instance* instance = enter(c, Function::SerializedFMUstateSize);
  return instance ? mechfmu::fmi::get_serialized_size(*instance, FMUstate, size) : fmi2Error;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[],
                                 size_t size) {
  Instance* instance = enter(c, Function::SerializeFMUstate);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::serialize_state(*instance, FMUstate, serializedState, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size,
                                   fmi2FMUstate* FMUstate) {
  Instance* instance = enter(c, Function::DeSerializeFMUstate);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::deserialize_state(*instance, serializedState, size, FMUstate);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference vUnknown_ref[],
                                        size_t nUnknown, const fmi2ValueReference vKnown_ref[],
                                        size_t nKnown, const fmi2Real dvKnown[],
                                        fmi2Real dvUnknown[]) {
  Instance* instance = enter(c, Function::GetDirectionalDerivative);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::get_directional_derivative(*instance, vUnknown_ref, nUnknown, vKnown_ref,
                                                  nKnown, dvKnown, dvUnknown);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[]) {
  Instance* instance = enter(c, Function::SetRealInputDerivatives);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::set_input_derivatives(*instance, vr, nvr, order, value);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[]) {
  Instance* instance = enter(c, Function::GetRealOutputDerivatives);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::get_output_derivatives(*instance, vr, nvr, order, value);
}

// A rollback before the communication point is always possible, so the host's promise not to makes
// no difference.
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint,
                      fmi2Real communicationStepSize,
                      fmi2Boolean /*noSetFMUStatePriorToCurrentPoint*/) {
  Instance* instance = enter(c, Function::DoStep);
  if (!instance) return fmi2Error;
  return mechfmu::fmi::do_step(*instance, currentCommunicationPoint, communicationStepSize);
}

// Legal only while a step is in progress, which never is: the capability is the better reason.
fmi2Status fmi2CancelStep(fmi2Component c) {
  return refuse(static_cast<Instance*>(c), "fmi2CancelStep",
                "asynchronous steps (canRunAsynchronuously)");
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* value) {
  Instance* instance = enter(c, Function::GetStatus);
  return instance ? mechfmu::fmi::get_status(*instance, s, value) : fmi2Error;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
  Instance* instance = enter(c, Function::GetRealStatus);
  return instance ? mechfmu::fmi::get_real_status(*instance, s, value) : fmi2Error;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer* value) {
  Instance* instance = enter(c, Function::GetIntegerStatus);
  return instance ? mechfmu::fmi::get_integer_status(*instance, s, value) : fmi2Error;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
  Instance* instance = enter(c, Function::GetBooleanStatus);
  return instance ? mechfmu::fmi::get_boolean_status(*instance, s, value) : fmi2Error;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String* value) {
  Instance* instance = enter(c, Function::GetStringStatus);
  return instance ? mechfmu::fmi::get_string_status(*instance, s, value) : fmi2Error;
}

}  // extern "C"
