// A small FMU of both interfaces that keeps every rule, and breaks one of them if it is told to:
//
//   x' = -k x + u       y = x + 2 u       volume = 2 mass       steps, flag, mode, label
//
// The fault is a word in the data of the library, which the test writes into the file.
#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "fmi2Functions.h"

namespace {

volatile const char fault_word[32] = "TOY_FAULT=none.................";

bool has_fault(const char* name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i < length; ++i)
    if (fault_word[10 + i] != name[i]) return false;
  return fault_word[10 + length] == '.';
}

[[noreturn]] void crash() { abort(); }

enum class Mode { instantiated, initializing, stepping, event, continuous, terminated, error };

// All that a saved state must hold: plain numbers, no pointers.
struct State {
  double time = 0, x = 1, u = 0, k = 0.5, mass = 2;
  int steps = 0, mode = 1, flag = 0;
  char label[64] = "none";
  Mode phase = Mode::instantiated;
};

int instance_count = 0;  // made
int live_count = 0;      // not yet freed

// A library that cannot be loaded again and again; the count lives where unloading does not reach.
struct LoadCount {
  LoadCount() {
    if (!has_fault("load_loop")) return;
    const char* loaded = getenv("TOY_LOADED");
    if (loaded != nullptr && strlen(loaded) > 4) crash();
    char text[24];
    snprintf(text, sizeof text, "%sx", loaded == nullptr ? "" : loaded);
    setenv("TOY_LOADED", text, 1);
  }
} load_count;

struct Toy {
  State s;
  fmi2CallbackFunctions host{};
  char name[64] = "";
  bool is_exchange = false;
  bool logs = false;
  void* extra = nullptr;

  // with the fault "global" instances feel each other
  double derivative() const {
    return -s.k * s.x + s.u + (has_fault("global") && live_count > 1 ? 1e-3 : 0);
  }
  double output() const { return has_fault("nan") && s.steps > 0 ? std::nan("") : s.x + 2 * s.u; }

  void say(fmi2Status status, const char* category, const char* text) {
    if (status == fmi2OK && !logs && !has_fault("log_off")) return;
    host.logger(host.componentEnvironment, has_fault("log_name") ? "toy" : name, status,
                has_fault("log_category") ? "toyCategory" : category, "%s%s", text,
                has_fault("log_newline") ? "\n" : "");
  }
  fmi2Status fail(const char* text) {
    s.phase = Mode::error;
    say(fmi2Error, "logStatusError", text);
    return fmi2Error;
  }
  // A call outside of its modes is an error, unless the fault is to let it pass.
  bool is_wrong(bool allowed) { return !allowed && !has_fault("any_order"); }
};

Toy& toy(fmi2Component c) { return *static_cast<Toy*>(c); }

bool is_running(const Toy& t) {
  return t.s.phase != Mode::instantiated && t.s.phase != Mode::error;
}

fmi2Status get_real(Toy& t, fmi2ValueReference vr, double& value) {
  const double k = has_fault("start") ? std::nextafter(t.s.k, 1) : t.s.k;
  const double values[] = {t.s.time, t.s.x, t.derivative(), t.s.u,       t.output(),
                           k,        3,     t.s.mass,       2 * t.s.mass};
  value = vr < 9 ? values[vr] : 0;
  if (vr == 4 && has_fault("get")) return t.fail("y cannot be read");
  return vr < 9 || has_fault("any_reference") ? fmi2OK : t.fail("no such variable");
}

fmi2Status set_real(Toy& t, fmi2ValueReference vr, double value) {
  const bool is_before = t.s.phase == Mode::instantiated || t.s.phase == Mode::initializing;
  switch (vr) {
    case 1:
      if (t.is_wrong(is_before || t.s.phase == Mode::continuous)) return t.fail("x is computed");
      t.s.x = value;
      return fmi2OK;
    case 3:
      if (has_fault("set")) return t.fail("u cannot be set");
      t.s.u = value;
      return fmi2OK;
    case 5:
      t.s.k = value;
      return fmi2OK;
    case 6:
      return has_fault("constant") ? fmi2OK : t.fail("c is constant");
    case 7:
      if (t.is_wrong(is_before)) return t.fail("mass is fixed");
      t.s.mass = value;
      return fmi2OK;
    default:
      return has_fault("any_reference") ? fmi2OK : t.fail("no such variable");
  }
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform() { return has_fault("platform") ? "standard32" : "default"; }
const char* fmi2GetVersion() { return has_fault("version") ? "2.0.1" : "2.0"; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* host, fmi2Boolean, fmi2Boolean logs) {
  if (host == nullptr || name == nullptr || guid == nullptr) return nullptr;
  const auto refuse = [&](const char* why) {
    if (!has_fault("silent"))
      host->logger(host->componentEnvironment, name, fmi2Error, "logStatusError", "%s", why);
    return nullptr;
  };
  if (strcmp(guid, "{toy}") != 0 && !has_fault("any_guid")) return refuse("the guid is wrong");
  if (has_fault("refuse")) return refuse("I do not want to");
  if (has_fault("name") && strchr(name, ' ') != nullptr) return refuse("blank in the name");
  if (has_fault("uri") && strncmp(resources, "file:///", 8) != 0) return refuse("no file:///");
  if (has_fault("uri_blank") && strchr(resources, '%') != nullptr) return refuse("percent");
  if (has_fault("loop") && ++instance_count > 20) return refuse("no more instances");
  if (has_fault("chdir") && chdir("/") != 0) return nullptr;
  if (has_fault("rounding")) fesetround(FE_UPWARD);
  Toy* t = new Toy;
  t->host = *host;
  t->is_exchange = type == fmi2ModelExchange;
  t->logs = logs != fmi2False;
  strncpy(t->name, name, sizeof t->name - 1);
  if (has_fault("callbacks")) t->extra = host->allocateMemory(1, 8);
  if (has_fault("leak")) host->allocateMemory(1, 8);
  ++live_count;
  return t;
}

void fmi2FreeInstance(fmi2Component c) {
  if (c == nullptr) return;
  if (toy(c).extra != nullptr) toy(c).host.freeMemory(toy(c).extra);
  delete &toy(c);
  --live_count;
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t, const fmi2String[]) {
  if (has_fault("log_setting")) return toy(c).fail("no logging");
  toy(c).logs = on != fmi2False;
  return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean,
                               fmi2Real) {
  toy(c).s.time = start;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  Toy& t = toy(c);
  if (has_fault("pending")) return fmi2Pending;
  if (t.is_wrong(t.s.phase == Mode::instantiated)) return t.fail("wrong order");
  t.s.phase = Mode::initializing;
  t.say(fmi2OK, "logEvents", "initialization begins");
  return fmi2OK;
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Toy& t = toy(c);
  if (t.is_wrong(t.s.phase == Mode::initializing)) return t.fail("wrong order");
  if (has_fault("init")) return t.fail("cannot be assembled");
  t.s.phase = t.is_exchange ? Mode::event : Mode::stepping;
  return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component c) {
  toy(c).s.phase = Mode::terminated;
  return fmi2OK;
}
fmi2Status fmi2Reset(fmi2Component c) {
  const double x = toy(c).s.x;
  toy(c).s = State();
  if (has_fault("reset")) toy(c).s.x = x;
  return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real v[]) {
  if (c == nullptr || (n > 0 && (vr == nullptr || v == nullptr))) {
    if (has_fault("null")) crash();
    return fmi2Error;
  }
  if (toy(c).is_wrong(is_running(toy(c)))) return toy(c).fail("wrong order");
  for (size_t i = 0; i < n; ++i)
    if (const fmi2Status status = get_real(toy(c), vr[i], v[i]); status != fmi2OK) return status;
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          fmi2Integer v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] < 1 || vr[i] > 2) return toy(c).fail("no such variable");
    v[i] = vr[i] == 1 ? toy(c).s.steps : toy(c).s.mode;
  }
  return fmi2OK;
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          fmi2Boolean v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 1) return toy(c).fail("no such variable");
    v[i] = toy(c).s.flag;
  }
  return fmi2OK;
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 1) return toy(c).fail("no such variable");
    v[i] = toy(c).s.label;
  }
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                       const fmi2Real v[]) {
  for (size_t i = 0; i < n; ++i)
    if (const fmi2Status status = set_real(toy(c), vr[i], v[i]); status != fmi2OK) return status;
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Integer v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 2) return toy(c).fail("no such variable");
    toy(c).s.mode = v[i];
  }
  return fmi2OK;
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Boolean v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 1) return toy(c).fail("no such variable");
    toy(c).s.flag = v[i];
  }
  return fmi2OK;
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                         const fmi2String v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 1) return toy(c).fail("no such variable");
    strncpy(toy(c).s.label, v[i], sizeof toy(c).s.label - 1);
  }
  return fmi2OK;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  if (has_fault("state")) return toy(c).fail("no state today");
  if (*state == nullptr) *state = new State;
  *static_cast<State*>(*state) = toy(c).s;
  return fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  const double x = toy(c).s.x;
  toy(c).s = *static_cast<State*>(state);
  if (has_fault("state_differs")) toy(c).s.x = x;
  return fmi2OK;
}
fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* state) {
  if (*state != nullptr) delete static_cast<State*>(*state);
  if (!has_fault("state_free")) *state = nullptr;
  return fmi2OK;
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, size_t* size) {
  *size = sizeof(State);
  return fmi2OK;
}
fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  memcpy(bytes, state, size);
  return fmi2OK;
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state) {
  if (has_fault("bytes")) return toy(c).fail("bytes of somebody else");
  State* s = new State;
  memcpy(static_cast<void*>(s), bytes, size);
  if (has_fault("bytes_differ")) s->x += 1e-9;
  *state = s;
  return fmi2OK;
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        size_t n, const fmi2ValueReference knowns[], size_t m,
                                        const fmi2Real dv[], fmi2Real result[]) {
  if (has_fault("directional")) return toy(c).fail("no derivatives");
  for (size_t i = 0; i < n; ++i) {
    result[i] = 0;
    for (size_t k = 0; k < m; ++k)
      result[i] +=
          (unknowns[i] == 4 && knowns[k] == 3   ? (has_fault("directional_differs") ? 2.01 : 2.0)
           : unknowns[i] == 2 && knowns[k] == 1 ? (has_fault("directional_state") ? 1 : -toy(c).s.k)
                                                : 0) *
          dv[k];
  }
  return fmi2OK;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t,
                                       const fmi2Integer[], const fmi2Real[]) {
  return has_fault("input_derivative") ? toy(c).fail("not here") : fmi2OK;
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t n,
                                        const fmi2Integer[], fmi2Real v[]) {
  if (has_fault("output_derivative")) return toy(c).fail("not here");
  for (size_t i = 0; i < n; ++i) v[i] = toy(c).derivative();
  return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real h, fmi2Boolean) {
  Toy& t = toy(c);
  if (has_fault("crash_order") && t.s.phase != Mode::stepping) crash();
  if (t.is_wrong(t.s.phase == Mode::stepping && h > 0)) return t.fail("wrong order");
  if (has_fault("crash")) crash();
  if (has_fault("exit")) _exit(3);
  while (has_fault("hang")) usleep(1000);
  if (has_fault("tiny") && h < 1e-12) return t.fail("the step is too small");
  if (has_fault("ulp") && time != t.s.time) return t.fail("this is not where I am");
  if (has_fault("step") && t.s.steps == 3) return t.fail("I am tired");
  t.s.x += h * t.derivative();
  t.s.time = time + h;
  ++t.s.steps;
  t.say(fmi2OK, "logEvents", "a step");
  return fmi2OK;
}
fmi2Status fmi2CancelStep(fmi2Component c) { return toy(c).fail("never asynchronous"); }
fmi2Status fmi2GetStatus(fmi2Component, fmi2StatusKind, fmi2Status*) { return fmi2Discard; }
fmi2Status fmi2GetRealStatus(fmi2Component, fmi2StatusKind, fmi2Real*) { return fmi2Discard; }
fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer*) { return fmi2Discard; }
fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2StatusKind, fmi2Boolean*) { return fmi2Discard; }
fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String*) { return fmi2Discard; }

fmi2Status fmi2EnterEventMode(fmi2Component c) {
  toy(c).s.phase = Mode::event;
  return fmi2OK;
}
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  if (toy(c).is_wrong(toy(c).s.phase == Mode::event)) return toy(c).fail("wrong order");
  *info = fmi2EventInfo{};
  info->newDiscreteStatesNeeded = has_fault("events") ? fmi2True : fmi2False;
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  toy(c).s.phase = Mode::continuous;
  return fmi2OK;
}
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean* event,
                                       fmi2Boolean* terminate) {
  ++toy(c).s.steps;
  *event = toy(c).s.steps % 2 == 0 ? fmi2True : fmi2False;
  *terminate = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  toy(c).s.time = time;
  return fmi2OK;
}
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
  if (n != 1) return toy(c).fail("there is one state");
  toy(c).s.x = x[0];
  return fmi2OK;
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) {
  if (n != 1) return toy(c).fail("there is one state");
  dx[0] = toy(c).derivative();
  return fmi2OK;
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) {
  if (n != 1) return toy(c).fail("there is one indicator");
  if (has_fault("indicator")) return toy(c).fail("no indicator today");
  z[0] = has_fault("indicator_nan") ? std::nan("") : toy(c).s.x - 0.5;
  return fmi2OK;
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  if (n != 1) return toy(c).fail("there is one state");
  x[0] = toy(c).s.x;
  return fmi2OK;
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component, fmi2Real x[], size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] = has_fault("nominal") ? 0 : 1;
  return fmi2OK;
}

}  // extern "C"
