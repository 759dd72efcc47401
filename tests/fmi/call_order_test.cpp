// Which call is accepted in which state. Reference: the table of the co-simulation state machine in
// the FMI 2.0.5 standard, written down here a second time, plus the documented leniencies of
// call_order.def.
#include <functional>

#include "host.hpp"

namespace mechfmu::test {
namespace {

// One letter per state: I instantiated, M initialization mode, C step complete, F step failed, T
// terminated, E error.
constexpr char kStates[] = "IMCFTE";

constexpr double kTooStrong = 1e300;  // [N] no step survives it

void bring_into(Host& host, char state) {
  if (state == 'I') return;
  ASSERT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2False, 0, 0, fmi2False, 0));
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(host));
  if (state == 'M') return;
  ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(host));
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0, 0.01, fmi2True));
  if (state == 'F') {
    ASSERT_EQ(fmi2OK, host.set(kForce, kTooStrong));
    ASSERT_EQ(fmi2Discard, fmi2DoStep(host, 0.01, 0.01, fmi2True));
    ASSERT_EQ(fmi2OK, host.set(kForce, 0));
  }
  if (state == 'T') {
    ASSERT_EQ(fmi2OK, fmi2Terminate(host));
  }
  // no failure of a mechanism is irreversible, so the error state cannot be reached by calls alone
  if (state == 'E') host.instance().progress.state = fmi::kErrorState;
}

struct Call {
  const char* name;
  const char* legal;  // states in which it succeeds, '-' = never
  std::function<fmi2Status(Host&)> make;
};

fmi2FMUstate saved_state(Host& host) {
  fmi2FMUstate state = nullptr;
  EXPECT_EQ(fmi2OK, fmi2GetFMUstate(host, &state));
  return state;
}

std::vector<char> serialized(Host& host) {
  const fmi2FMUstate state = saved_state(host);
  std::size_t size = 0;
  EXPECT_EQ(fmi2OK, fmi2SerializedFMUstateSize(host, state, &size));
  std::vector<char> bytes(size);
  EXPECT_EQ(fmi2OK, fmi2SerializeFMUstate(host, state, bytes.data(), size));
  return bytes;
}

std::vector<Call> make_calls() {
  static const fmi2ValueReference kInputReference = kForce, kOutputReference = kX, kZero = 0;
  return {
      {"SetDebugLogging", "IMCFTE",
       [](Host& h) { return fmi2SetDebugLogging(h, fmi2True, 0, nullptr); }},
      {"SetupExperiment", "I",
       [](Host& h) { return fmi2SetupExperiment(h, fmi2False, 0, 1, fmi2False, 0); }},
      {"EnterInitializationMode", "I", [](Host& h) { return fmi2EnterInitializationMode(h); }},
      {"ExitInitializationMode", "M", [](Host& h) { return fmi2ExitInitializationMode(h); }},
      {"Terminate", "CF", [](Host& h) { return fmi2Terminate(h); }},
      {"Reset", "IMCFTE", [](Host& h) { return fmi2Reset(h); }},
      {"GetReal of an output", "MCFTE",
       [](Host& h) {
         double x;
         return fmi2GetReal(h, &kOutputReference, 1, &x);
       }},
      {"GetReal of an input", "IMCFTE",
       [](Host& h) {
         double x;
         return fmi2GetReal(h, &kInputReference, 1, &x);
       }},
      {"GetInteger", "IMCFTE",
       [](Host& h) {
         int i;
         return fmi2GetInteger(h, &kZero, 1, &i);
       }},
      {"GetBoolean", "IMCFTE", [](Host& h) { return fmi2GetBoolean(h, nullptr, 0, nullptr); }},
      {"GetString", "IMCFTE", [](Host& h) { return fmi2GetString(h, nullptr, 0, nullptr); }},
      {"SetReal of an input", "IMCF", [](Host& h) { return h.set(kForce, 1.25); }},
      {"SetReal of a parameter", "IM", [](Host& h) { return h.set(kMass, 3); }},
      {"SetReal of a start", "IM", [](Host& h) { return h.set(kStartX, 0.25); }},
      {"SetReal of a tunable parameter", "IMCF", [](Host& h) { return h.set(kGravity, 1.6); }},
      {"SetReal of a setting", "IM", [](Host& h) { return h.set(kStep, 0.002); }},
      {"SetReal of an output", "-", [](Host& h) { return h.set(kX, 0.25); }},
      {"SetInteger", "IM",
       [](Host& h) {
         const int two = 2;
         return fmi2SetInteger(h, &kZero, 1, &two);
       }},
      {"SetBoolean", "IMCF", [](Host& h) { return fmi2SetBoolean(h, nullptr, 0, nullptr); }},
      {"SetString", "IMCF", [](Host& h) { return fmi2SetString(h, nullptr, 0, nullptr); }},
      {"GetFMUstate", "IMCFTE",
       [](Host& h) {
         fmi2FMUstate state = nullptr;
         return fmi2GetFMUstate(h, &state);
       }},
      {"SetFMUstate", "IMCFTE", [](Host& h) { return fmi2SetFMUstate(h, saved_state(h)); }},
      {"FreeFMUstate", "IMCFTE",
       [](Host& h) {
         fmi2FMUstate state = saved_state(h);
         return fmi2FreeFMUstate(h, &state);
       }},
      {"SerializedFMUstateSize", "IMCFTE",
       [](Host& h) {
         std::size_t size;
         return fmi2SerializedFMUstateSize(h, saved_state(h), &size);
       }},
      {"SerializeFMUstate", "IMCFTE",
       [](Host& h) { return serialized(h).empty() ? fmi2Error : fmi2OK; }},
      {"DeSerializeFMUstate", "IMCFTE",
       [](Host& h) {
         const std::vector<char> bytes = serialized(h);
         fmi2FMUstate state;
         return fmi2DeSerializeFMUstate(h, bytes.data(), bytes.size(), &state);
       }},
      {"GetDirectionalDerivative", "MCFTE",
       [](Host& h) {
         const double one = 1;
         double result;
         return fmi2GetDirectionalDerivative(h, &kOutputReference, 1, &kInputReference, 1, &one,
                                             &result);
       }},
      {"SetRealInputDerivatives", "IMCF",
       [](Host& h) {
         const int order = 1;
         const double one = 1;
         return fmi2SetRealInputDerivatives(h, &kInputReference, 1, &order, &one);
       }},
      {"GetRealOutputDerivatives", "CFTE",
       [](Host& h) {
         const int order = 1;
         double result;
         return fmi2GetRealOutputDerivatives(h, &kOutputReference, 1, &order, &result);
       }},
      {"DoStep", "CF", [](Host& h) { return fmi2DoStep(h, 0.01, 0.01, fmi2True); }},
      {"CancelStep", "-", [](Host& h) { return fmi2CancelStep(h); }},
      {"GetStatus", "CFT",
       [](Host& h) {
         fmi2Status value;
         return fmi2GetStatus(h, fmi2DoStepStatus, &value);
       }},
      {"GetRealStatus", "CFT",
       [](Host& h) {
         double value;
         return fmi2GetRealStatus(h, fmi2LastSuccessfulTime, &value);
       }},
      {"GetIntegerStatus", "-",
       [](Host& h) {
         int value;
         return fmi2GetIntegerStatus(h, fmi2DoStepStatus, &value);
       }},
      {"GetBooleanStatus", "CFT",
       [](Host& h) {
         fmi2Boolean value;
         return fmi2GetBooleanStatus(h, fmi2Terminated, &value);
       }},
  };
}

TEST(CallOrder, EveryCallIsAcceptedExactlyWhereTheTableSaysSo) {
  for (const Call& call : make_calls()) {
    for (const char* state = kStates; *state; ++state) {
      Host host;
      bring_into(host, *state);
      const bool legal = std::strchr(call.legal, *state) != nullptr;
      const fmi2Status status = call.make(host);
      EXPECT_EQ(legal ? fmi2OK : fmi2Error, status)
          << call.name << " in " << *state << ": " << host.last_text();
    }
  }
}

TEST(CallOrder, ARefusedCallChangesNothingAndSaysWhy) {
  int refused = 0;
  for (const Call& call : make_calls()) {
    for (const char* state = kStates; *state; ++state) {
      if (std::strchr(call.legal, *state)) continue;
      Host host;
      bring_into(host, *state);
      const std::string before = host.fingerprint();
      host.messages.clear();
      call.make(host);
      EXPECT_EQ(before, host.fingerprint()) << call.name << " in " << *state;
      ASSERT_EQ(1u, host.messages.size()) << call.name << " in " << *state;
      EXPECT_EQ(fmi2Error, host.messages[0].status);
      EXPECT_EQ("logStatusError", host.messages[0].category);
      EXPECT_NE(std::string::npos, host.messages[0].text.find("fmi2")) << host.messages[0].text;
      ++refused;
    }
  }
  EXPECT_GT(refused, 60);  // the table above has that many gaps
}

TEST(CallOrder, TheRuleTableHasARowForEveryFunctionThatTakesAnInstance) {
  // 44 functions, of which GetTypesPlatform, GetVersion and Instantiate have no instance
  EXPECT_EQ(41u, sizeof(fmi::call_order_states::kCallRules) / sizeof(fmi::CallRule));
}

TEST(CallOrder, UnsupportedFunctionsNameTheCapabilityThatIsNotOffered) {
  Host host;
  host.initialize();
  const std::pair<const char*, std::function<fmi2Status()>> functions[] = {
      {"canRunAsynchronuously", [&] { return fmi2CancelStep(host); }}};
  for (const auto& [capability, call] : functions) {
    EXPECT_EQ(fmi2Error, call());
    EXPECT_NE(std::string::npos, host.last_text().find(capability)) << host.last_text();
  }
}

TEST(CallOrder, ANullComponentIsAnErrorEverywhereAndNeverACrash) {
  const fmi2Component none = nullptr;
  fmi2FMUstate state = nullptr;
  std::size_t size = 0;
  char byte = 0;
  double real = 0;
  int integer = 0;
  fmi2Status status = fmi2OK;
  fmi2String string = nullptr;
  fmi2FreeInstance(none);
  EXPECT_EQ(fmi2Error, fmi2SetDebugLogging(none, fmi2True, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2SetupExperiment(none, fmi2False, 0, 0, fmi2False, 0));
  EXPECT_EQ(fmi2Error, fmi2EnterInitializationMode(none));
  EXPECT_EQ(fmi2Error, fmi2ExitInitializationMode(none));
  EXPECT_EQ(fmi2Error, fmi2Terminate(none));
  EXPECT_EQ(fmi2Error, fmi2Reset(none));
  EXPECT_EQ(fmi2Error, fmi2GetReal(none, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetInteger(none, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetBoolean(none, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetString(none, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2SetReal(none, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2SetInteger(none, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2SetBoolean(none, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2SetString(none, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetFMUstate(none, &state));
  EXPECT_EQ(fmi2Error, fmi2SetFMUstate(none, state));
  EXPECT_EQ(fmi2Error, fmi2FreeFMUstate(none, &state));
  EXPECT_EQ(fmi2Error, fmi2SerializedFMUstateSize(none, state, &size));
  EXPECT_EQ(fmi2Error, fmi2SerializeFMUstate(none, state, &byte, 1));
  EXPECT_EQ(fmi2Error, fmi2DeSerializeFMUstate(none, &byte, 1, &state));
  EXPECT_EQ(fmi2Error,
            fmi2GetDirectionalDerivative(none, nullptr, 0, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(fmi2Error, fmi2SetRealInputDerivatives(none, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetRealOutputDerivatives(none, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(fmi2Error, fmi2DoStep(none, 0, 0.01, fmi2True));
  EXPECT_EQ(fmi2Error, fmi2CancelStep(none));
  EXPECT_EQ(fmi2Error, fmi2GetStatus(none, fmi2DoStepStatus, &status));
  EXPECT_EQ(fmi2Error, fmi2GetRealStatus(none, fmi2LastSuccessfulTime, &real));
  EXPECT_EQ(fmi2Error, fmi2GetIntegerStatus(none, fmi2DoStepStatus, &integer));
  EXPECT_EQ(fmi2Error, fmi2GetBooleanStatus(none, fmi2Terminated, &integer));
  EXPECT_EQ(fmi2Error, fmi2GetStringStatus(none, fmi2PendingStatus, &string));
  fmi2EventInfo info;
  EXPECT_EQ(fmi2Error, fmi2EnterEventMode(none));
  EXPECT_EQ(fmi2Error, fmi2NewDiscreteStates(none, &info));
  EXPECT_EQ(fmi2Error, fmi2EnterContinuousTimeMode(none));
  EXPECT_EQ(fmi2Error, fmi2CompletedIntegratorStep(none, fmi2True, &integer, &integer));
  EXPECT_EQ(fmi2Error, fmi2SetTime(none, 0));
  EXPECT_EQ(fmi2Error, fmi2SetContinuousStates(none, &real, 1));
  EXPECT_EQ(fmi2Error, fmi2GetDerivatives(none, &real, 1));
  EXPECT_EQ(fmi2Error, fmi2GetEventIndicators(none, &real, 1));
  EXPECT_EQ(fmi2Error, fmi2GetContinuousStates(none, &real, 1));
  EXPECT_EQ(fmi2Error, fmi2GetNominalsOfContinuousStates(none, &real, 1));
}

}  // namespace
}  // namespace mechfmu::test
