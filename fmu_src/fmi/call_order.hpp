// The state machine of an instance as a table: call_order.def says which call is legal where.
#pragma once
#include <cstdint>

namespace mechfmu::fmi {

enum State : std::uint32_t {
  kInstantiated = 1,
  kInitializationMode = 2,
  kStepComplete = 4,
  kStepFailed = 8,
  kTerminated = 16,
  kErrorState = 32,
  kEventMode = 64,
  kContinuousTimeMode = 128
};

enum class Function {
#define CALL(name, standard, lenient) name,
#include "call_order.def"
#undef CALL
};

struct CallRule {
  const char* name;        // "fmi2DoStep"
  std::uint32_t standard;  // states in which the standard allows it
  std::uint32_t lenient;   // states in which it is accepted as well
};

namespace call_order_states {
constexpr std::uint32_t I = kInstantiated, M = kInitializationMode, C = kStepComplete,
                        F = kStepFailed, T = kTerminated, E = kErrorState, V = kEventMode,
                        U = kContinuousTimeMode;
inline constexpr CallRule kCallRules[] = {
#define CALL(name, standard, lenient) {"fmi2" #name, standard, lenient},
#include "call_order.def"
#undef CALL
};
}  // namespace call_order_states

constexpr const CallRule& find_rule(Function function) {
  return call_order_states::kCallRules[static_cast<int>(function)];
}

constexpr bool is_allowed(Function function, State state) {
  const CallRule& rule = find_rule(function);
  return ((rule.standard | rule.lenient) & state) != 0;
}

constexpr const char* find_name(State state) {
  switch (state) {
    case kInstantiated:
      return "instantiated";
    case kInitializationMode:
      return "initialization mode";
    case kStepComplete:
      return "step complete";
    case kStepFailed:
      return "step failed";
    case kTerminated:
      return "terminated";
    case kErrorState:
      return "error";
    case kEventMode:
      return "event mode";
    case kContinuousTimeMode:
      return "continuous-time mode";
  }
  return "unknown";
}

constexpr bool is_valid(State state) {
  return state != 0 && state <= kContinuousTimeMode && (state & (state - 1)) == 0;
}

}  // namespace mechfmu::fmi
