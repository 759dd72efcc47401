// An FMU as another tool would write it, for the tests of the host: variables of every type, memory
// through the callbacks, messages with printf arguments. Its answers follow from what the host did:
//
//   x = time * gain + u          y = integral of u, linear over a step if the host gave a slope
//   steps, last_step             number of steps and length of the last one
//
// It discards a step that would pass discard_time, returns an error at error_time, and x is nan
// from nan_time on.
#include <cmath>
#include <cstring>
#include <new>

#include "fmi2Functions.h"

namespace {

enum Real { kX, kGain, kU, kY, kLastStep, kDiscardTime, kNanTime, kErrorTime, kHeld, kRealCount };
enum Integer { kSteps, kMode, kLevel, kIntegerCount };
enum Boolean { kFlag, kFlagOut, kBooleanCount };

struct Probe {
  fmi2CallbackFunctions callbacks{};
  double time = 0;
  double slope = 0;
  double reals[kRealCount] = {0, 2, 0, 0, 0, 1e9, 1e9, 1e9, 0};
  int integers[kIntegerCount] = {0, 1, 0};
  int booleans[kBooleanCount] = {0, 0};
  char label[64] = "none";
  bool is_initialized = false;

  void update() {
    reals[kX] = time >= reals[kNanTime] ? std::nan("") : time * reals[kGain] + reals[kU];
    booleans[kFlagOut] = booleans[kFlag];
  }
};

Probe& probe(fmi2Component c) { return *static_cast<Probe*>(c); }

template <class T>
fmi2Status get(const T* from, unsigned count, const fmi2ValueReference vr[], size_t n, T to[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] >= count) return fmi2Error;
    to[i] = from[vr[i]];
  }
  return fmi2OK;
}

template <class T>
fmi2Status set(T* to, unsigned count, const fmi2ValueReference vr[], size_t n, const T from[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] >= count) return fmi2Error;
    to[vr[i]] = from[i];
  }
  return fmi2OK;
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform() { return fmi2TypesPlatform; }
const char* fmi2GetVersion() { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean) {
  if (std::strcmp(guid, "{probe}") != 0) {
    callbacks->logger(callbacks->componentEnvironment, name, fmi2Error, "logStatusError",
                      "guid %s is not %s", guid, "{probe}");
    return nullptr;
  }
  void* memory = callbacks->allocateMemory(1, sizeof(Probe));
  if (memory == nullptr) return nullptr;
  auto* p = new (memory) Probe;
  p->callbacks = *callbacks;
  if (std::strncmp(resources, "file:///", 8) != 0)
    callbacks->logger(callbacks->componentEnvironment, name, fmi2Warning, nullptr,
                      "no file URI: %s", resources);
  return p;
}

void fmi2FreeInstance(fmi2Component c) {
  if (c != nullptr) probe(c).callbacks.freeMemory(c);
}

fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String[]) {
  return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean,
                               fmi2Real) {
  probe(c).time = start;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  probe(c).is_initialized = true;
  probe(c).update();
  return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component) { return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component) { return fmi2OK; }

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real v[]) {
  return get(probe(c).reals, kRealCount, vr, n, v);
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          fmi2Integer v[]) {
  return get(probe(c).integers, kIntegerCount, vr, n, v);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          fmi2Boolean v[]) {
  return get(probe(c).booleans, kBooleanCount, vr, n, v);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2String v[]) {
  for (size_t i = 0; i < n; ++i) v[i] = probe(c).label;
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                       const fmi2Real v[]) {
  return set(probe(c).reals, kRealCount, vr, n, v);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Integer v[]) {
  return set(probe(c).integers, kIntegerCount, vr, n, v);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Boolean v[]) {
  return set(probe(c).booleans, kBooleanCount, vr, n, v);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t n,
                         const fmi2String v[]) {
  for (size_t i = 0; i < n; ++i) std::strncpy(probe(c).label, v[i], sizeof probe(c).label - 1);
  return fmi2OK;
}

fmi2Status fmi2GetFMUstate(fmi2Component, fmi2FMUstate*) { return fmi2Error; }
fmi2Status fmi2SetFMUstate(fmi2Component, fmi2FMUstate) { return fmi2Error; }
fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate*) { return fmi2Error; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, size_t*) { return fmi2Error; }
fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate, fmi2Byte[], size_t) {
  return fmi2Error;
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate*) {
  return fmi2Error;
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component, const fmi2ValueReference[], size_t,
                                        const fmi2ValueReference[], size_t, const fmi2Real[],
                                        fmi2Real[]) {
  return fmi2Error;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                       const fmi2Integer order[], const fmi2Real v[]) {
  if (n != 1 || vr[0] != kU || order[0] != 1) return fmi2Error;
  probe(c).slope = v[0];
  return fmi2OK;
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component, const fmi2ValueReference[], size_t,
                                        const fmi2Integer[], fmi2Real[]) {
  return fmi2Error;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real h, fmi2Boolean) {
  Probe& p = probe(c);
  const fmi2CallbackFunctions& call = p.callbacks;
  if (std::abs(time - p.time) > 1e-12) return fmi2Error;
  if (time + h > p.reals[kDiscardTime]) {
    call.logger(call.componentEnvironment, "probe", fmi2Discard, "logStatusDiscard",
                "#r0# stops at %g, 100%% sure", p.reals[kDiscardTime]);
    return fmi2Discard;
  }
  if (time + h > p.reals[kErrorTime]) {
    call.logger(call.componentEnvironment, "probe", fmi2Error, "logStatusError", "broken");
    return fmi2Error;
  }
  p.reals[kY] += h * (p.reals[kU] + 0.5 * h * p.slope);
  p.slope = 0;
  p.time = time + h;
  p.reals[kLastStep] = h;
  ++p.integers[kSteps];
  p.update();
  return fmi2OK;
}
#ifndef PROBE_WITHOUT_CANCEL_STEP
fmi2Status fmi2CancelStep(fmi2Component) { return fmi2Error; }
#endif
fmi2Status fmi2GetStatus(fmi2Component, const fmi2StatusKind, fmi2Status*) { return fmi2Discard; }
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind, fmi2Real* value) {
  *value = probe(c).reals[kDiscardTime];
  return fmi2OK;
}
fmi2Status fmi2GetIntegerStatus(fmi2Component, const fmi2StatusKind, fmi2Integer*) {
  return fmi2Discard;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind, fmi2Boolean* value) {
  *value = probe(c).integers[kMode] == 4;  // a discarded step is then the end that it wants
  return fmi2OK;
}
fmi2Status fmi2GetStringStatus(fmi2Component, const fmi2StatusKind, fmi2String*) {
  return fmi2Discard;
}

}  // extern "C"
