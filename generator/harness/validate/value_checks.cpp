// Values: starts, getting, setting, stepping, and calls that must be refused.
#include <chrono>
#include <cmath>
#include <map>

#include "harness/validate/model_facts.hpp"
#include "harness/validate/run_checks.hpp"
#include "support/number_text.hpp"

namespace mechfmu::fmu_check {
namespace {

using Causality = FmuVariable::Causality;
using Variability = FmuVariable::Variability;
using Type = FmuVariable::Type;

const std::vector<FmuVariable>& variables(const TestedLibrary& library) {
  return library.model.description->variables;
}

// Whether the start value is what the variable has at the start time.
bool has_exact_start(const FmuVariable& v) {
  return v.start && (v.causality == Causality::input || v.initial == "exact");
}

// What the library has instead of the start value; "" if it is the same to the last bit. `status`
// is that of the getter.
std::string find_other_start(TestedInstance& instance, const FmuVariable& v, fmi2Status& status) {
  if (v.type == Type::string) {
    std::string found;
    status = instance.get_string(v, found);
    return !is_good(status) || found == *v.start ? std::string() : fmt::format("'{}'", found);
  }
  double value = 0;
  status = instance.get(v, value);
  std::optional<double> start = parse_number(trim_blanks(*v.start));
  if (const auto truth = parse_boolean(*v.start); v.type == Type::boolean && truth)
    start = *truth ? 1 : 0;
  return !is_good(status) || !start || *start == value ? std::string() : number_text(value);
}

// In initialization mode not every FMU lets all variables be read, so the first that is refused
// ends that part; after initialization all can be read.
void check_starts(TestedLibrary& library) {
  std::set<std::string> told;
  for (const bool is_complete : {false, true}) {
    TestedInstance instance(library);
    if (!instance.is_made() || !instance.enter_initialization()) return;
    if (is_complete && !instance.exit_initialization()) return;
    for (const FmuVariable& v : variables(library)) {
      if (!has_exact_start(v)) continue;
      fmi2Status status = fmi2OK;
      const std::string found = find_other_start(instance, v, status);
      if (!is_good(status)) break;
      if (found.empty() || !told.insert(v.name).second) continue;
      library.reporter.find(
          Rule::run_start_differs,
          fmt::format("start is {} in the XML, but the library has {} {}", printable(*v.start),
                      printable(found),
                      is_complete ? "after initialization" : "in initialization mode"),
          v.name);
    }
  }
}

// After fmi2Error an instance may only be freed, so a variable that is refused ends it: the check
// is begun again without that variable until nothing new is refused.
class Attempts {
 public:
  // `attempt` reports whom it had to skip through refuse() and returns when its instance is dead.
  template <class Attempt>
  static void run(Attempt attempt) {
    constexpr std::size_t kMostRefused = 20;
    Attempts attempts;
    std::size_t refused_before = 0;
    do {
      refused_before = attempts.refused_.size();
      attempt(attempts);
    } while (attempts.refused_.size() > refused_before && refused_before < kMostRefused &&
             !attempts.is_fatal_);
  }

  [[nodiscard]] bool skips(const FmuVariable& v) const { return refused_.contains(&v); }
  void refuse(const FmuVariable& v, fmi2Status status) {
    refused_.insert(&v);
    if (status == fmi2Fatal) is_fatal_ = true;
  }

 private:
  std::set<const FmuVariable*> refused_;
  bool is_fatal_ = false;
};

// False: the instance is dead.
bool check_values(TestedLibrary& library, TestedInstance& instance, Attempts& attempts,
                  const char* when) {
  for (const FmuVariable& v : variables(library)) {
    if (attempts.skips(v)) continue;
    double value = 0;
    std::string text;
    const fmi2Status status =
        v.type == Type::string ? instance.get_string(v, text) : instance.get(v, value);
    if (!is_good(status)) {
      library.reporter.find(
          Rule::run_get_refused,
          fmt::format("reading it {} returned {}{}", when, status_name(status), instance.said()),
          v.name);
      attempts.refuse(v, status);
      return false;
    }
    if (v.type == Type::real && !std::isfinite(value))
      library.reporter.find(Rule::run_not_finite, fmt::format("it is {} {}", value, when), v.name);
    else if (v.type != Type::boolean && v.type != Type::string &&
             ((v.min && value < *v.min) || (v.max && value > *v.max)))
      library.reporter.find(
          Rule::run_out_of_range,
          fmt::format("it is {} {}, not in [{}, {}]", number_text(value), when,
                      v.min ? number_text(*v.min) : "-", v.max ? number_text(*v.max) : "-"),
          v.name);
  }
  return true;
}

// Whether a step that was discarded was the model's way to end the simulation.
bool wants_to_stop(TestedInstance& instance) {
  fmi2Boolean is_terminated = fmi2False;
  return is_good(instance.call("fmi2GetBooleanStatus", "fmi2Terminated",
                               instance.functions().GetBooleanStatus, fmi2Terminated,
                               &is_terminated)) &&
         is_terminated != fmi2False;
}

// False: a step failed, and that has been told.
bool check_steps(TestedLibrary& library, TestedInstance& instance) {
  constexpr int kMostSteps = 100;
  const TestedModel& model = library.model;
  const double h = model.step_size();
  // a slow FMU is no hanging one: the run is cut short in time
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(model.seconds_allowed / 10);
  const std::optional<double> stop = model.description->experiment.stop;
  double time = model.start_time();
  for (int i = 0; i < model.step_count(kMostSteps) && Clock::now() < deadline; ++i) {
    if (i > 0 && stop && time + h > *stop) break;
    const fmi2Status status = instance.advance(time, h);
    time += h;
    if (is_good(status)) continue;
    // a smaller step is wanted, or none any more
    if (status == fmi2Discard && (model.is_model_exchange() || wants_to_stop(instance)))
      return false;
    library.reporter.find(Rule::run_step_failed,
                          fmt::format("the step from {} by {} returned {}{}", number_text(time - h),
                                      number_text(h), status_name(status), instance.said()));
    return false;
  }
  return true;
}

void check_run(TestedLibrary& library) {
  Attempts::run([&](Attempts& attempts) {
    TestedInstance instance(library);
    if (!instance.is_made() || !instance.initialize()) return;
    if (check_values(library, instance, attempts, "after initialization") &&
        check_steps(library, instance) &&
        check_values(library, instance, attempts, "after the run"))
      instance.terminate();
  });
}

// What can be set when, by the table of the standard.
bool is_set_before(const FmuVariable& v) { return v.initial == "exact" || v.initial == "approx"; }
bool is_set_in_initialization(const FmuVariable& v) {
  return v.initial == "exact" || v.causality == Causality::input;
}
bool is_set_between_steps(const FmuVariable& v) {
  return v.causality == Causality::input ||
         (v.causality == Causality::parameter && v.variability == Variability::tunable);
}
bool is_set_in_continuous_time(const FmuVariable& v) {
  return v.causality == Causality::input && v.variability == Variability::continuous;
}

void check_setters(TestedLibrary& library) {
  Attempts::run([&](Attempts& attempts) {
    TestedInstance instance(library);
    if (!instance.is_made()) return;
    const auto each = [&](const char* when, bool (*is_settable)(const FmuVariable&)) {
      for (const FmuVariable& v : variables(library)) {
        if (attempts.skips(v) || !v.start || v.variability == Variability::constant ||
            v.causality == Causality::independent || !is_settable(v))
          continue;
        const fmi2Status status = instance.set_to(v, *v.start);
        if (is_good(status)) continue;
        library.reporter.find(Rule::run_set_refused,
                              fmt::format("setting it to its start value {} returned {}{}", when,
                                          status_name(status), instance.said()),
                              v.name);
        attempts.refuse(v, status);
        return false;
      }
      return true;
    };
    if (each("before initialization", is_set_before) && instance.enter_initialization() &&
        each("in initialization mode", is_set_in_initialization) &&
        instance.exit_initialization() &&
        each("after initialization",
             library.model.is_model_exchange() ? is_set_in_continuous_time : is_set_between_steps))
      instance.trace(0, 1);
  });
}

// A reference of the type that no variable has; nothing if all are used.
std::optional<fmi2ValueReference> find_unused(const TestedLibrary& library, Type type) {
  std::set<unsigned> used;
  for (const FmuVariable& v : variables(library))
    if ((v.type == Type::enumeration ? Type::integer : v.type) == type)
      used.insert(v.value_reference);
  constexpr unsigned kFirst = 3'000'000'000U;
  for (unsigned candidate = kFirst; candidate < kFirst + 1000; ++candidate)
    if (!used.contains(candidate)) return candidate;
  return std::nullopt;
}

void check_references(TestedLibrary& library) {
  for (const Type type : {Type::real, Type::integer, Type::boolean, Type::string}) {
    FmuVariable nobody;
    nobody.type = type;
    const std::optional<fmi2ValueReference> reference = find_unused(library, type);
    if (!reference) continue;
    nobody.value_reference = *reference;
    for (const bool sets : {false, true}) {
      TestedInstance instance(library);  // one each: an instance ends with fmi2Error
      if (!instance.is_made()) return;
      if (sets ? !instance.enter_initialization() : !instance.initialize()) return;
      double value = 0;
      std::string text;
      const fmi2Status status = sets                   ? instance.set_to(nobody, "0")
                                : type == Type::string ? instance.get_string(nobody, text)
                                                       : instance.get(nobody, value);
      if (status != fmi2Error && status != fmi2Fatal)
        library.reporter.find(
            Rule::run_wrong_reference,
            fmt::format("fmi2{}{} with value reference {} returned {}", sets ? "Set" : "Get",
                        word(type), *reference, status_name(status)));
    }
  }
}

void check_constants(TestedLibrary& library) {
  for (const FmuVariable& v : variables(library)) {
    if (v.variability != Variability::constant || !v.start) continue;
    TestedInstance instance(library);
    if (!instance.is_made()) return;
    const fmi2Status status = instance.set_to(v, *v.start);
    if (status != fmi2Error && status != fmi2Fatal)
      library.reporter.find(Rule::run_constant_set,
                            fmt::format("setting the constant returned {}", status_name(status)),
                            v.name);
    return;  // one of them tells enough
  }
}

void check_call_order(TestedLibrary& library) {
  const auto refuse = [&](Rule rule, fmi2Status status, const std::string& what) {
    if (is_good(status))
      library.reporter.find(rule, fmt::format("{} returned {}", what, status_name(status)));
  };
  const double start = library.model.start_time();
  const double h = library.model.step_size();
  const bool steps = !library.model.is_model_exchange();
  const auto with_instance = [&](auto action) {
    TestedInstance instance(library);
    if (instance.is_made()) action(instance);
  };
  if (steps)
    with_instance([&](TestedInstance& i) {
      refuse(Rule::call_order_step_before_init, i.advance(start, h),
             "fmi2DoStep right after fmi2Instantiate");
    });
  with_instance([&](TestedInstance& i) {
    refuse(Rule::call_order_exit_init,
           i.call("fmi2ExitInitializationMode", "", i.functions().ExitInitializationMode),
           "fmi2ExitInitializationMode right after fmi2Instantiate");
  });
  with_instance([&](TestedInstance& i) {
    if (i.enter_initialization())
      refuse(Rule::call_order_enter_twice,
             i.call("fmi2EnterInitializationMode", "", i.functions().EnterInitializationMode),
             "a second fmi2EnterInitializationMode");
  });
  if (steps)
    with_instance([&](TestedInstance& i) {
      if (i.initialize())
        refuse(Rule::call_order_negative_step, i.advance(start, -h),
               fmt::format("fmi2DoStep with the step size {}", number_text(-h)));
    });
  for (const FmuVariable& v : variables(library)) {
    if (v.causality != Causality::parameter || v.variability != Variability::fixed || !v.start)
      continue;
    with_instance([&](TestedInstance& i) {
      if (i.initialize())
        refuse(Rule::call_order_set_fixed, i.set_to(v, *v.start),
               fmt::format("setting the fixed parameter '{}' after initialization",
                           printable(v.name)));
    });
    break;
  }
}

void check_null(TestedLibrary& library) {
  TestedInstance instance(library);
  if (!instance.is_made() || !instance.initialize()) return;
  const FmuFunctions& f = library.functions;
  const auto note = [&](const char* what) { library.reporter.note_action(what); };
  note("fmi2FreeInstance(NULL)");
  f.FreeInstance(nullptr);
  note("fmi2GetReal of nothing with NULL arrays");
  f.GetReal(instance.component(), nullptr, 0, nullptr);
  note("fmi2GetReal(NULL instance)");
  f.GetReal(nullptr, nullptr, 0, nullptr);
  note("fmi2GetReal with NULL arrays");
  f.GetReal(instance.component(), nullptr, 1, nullptr);
  note("fmi2Instantiate with NULL callbacks");
  f.Instantiate("a", library.model.type, "x", nullptr, nullptr, fmi2False, fmi2False);
}

void check_small_steps(TestedLibrary& library) {
  const double start = library.model.start_time();
  const double h = library.model.step_size();
  const auto check = [&](Rule rule, double offset_time, double step) {
    TestedInstance instance(library);
    if (!instance.is_made() || !instance.initialize()) return;
    if (instance.trace(0, 1).empty()) return;  // told by the check of the run
    const fmi2Status status = instance.advance(offset_time, step);
    if (!is_good(status))
      library.reporter.find(rule,
                            fmt::format("fmi2DoStep at {:.17g} by {} returned {}{}", offset_time,
                                        number_text(step), status_name(status), instance.said()));
  };
  const double time = start + h;
  if (library.model.step_count(2) < 2) return;
  if (library.model.capabilities->can_handle_variable_step) check(Rule::run_step_tiny, time, 1e-16);
  check(Rule::run_step_ulp, std::nextafter(time, time - 1), h);
  check(Rule::run_step_ulp, std::nextafter(time, time + 1), h);
}

}  // namespace

const std::vector<RunCheck>& value_checks() {
  static const std::vector<RunCheck> checks = {
      {"start values", check_starts, nullptr},
      {"run", check_run, nullptr, Rule::run_crash, StopsOthers::if_it_crashes},
      {"setters", check_setters, nullptr},
      {"value references", check_references, nullptr, Rule::run_wrong_reference},
      {"constants", check_constants, nullptr},
      {"order of calls", check_call_order, nullptr, Rule::call_order_crash},
      {"NULL pointers", check_null, [](const TestedModel& m) { return m.strict; },
       Rule::call_null_crash},
      {"communication points", check_small_steps,
       [](const TestedModel& m) { return !m.is_model_exchange(); }},
  };
  return checks;
}

}  // namespace mechfmu::fmu_check
