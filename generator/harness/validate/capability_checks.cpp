// What an FMU says it can do: reset (all of them), state, derivatives, continuous states.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "harness/validate/run_checks.hpp"
#include "support/number_text.hpp"

namespace mechfmu::fmu_check {
namespace {

using Trace = std::vector<std::vector<double>>;

constexpr int kShortRun = 3;  // [steps] before and after a state is saved

// The first number that differs in its bits: which one and where; "" if none does.
std::string find_difference(const TestedLibrary& library, const Trace& a, const Trace& b) {
  if (a.size() != b.size())
    return fmt::format("one run ends after {} steps, the other after {}", a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t k = 0;
    for (const FmuVariable& v : library.model.description->variables) {
      if (v.type == FmuVariable::Type::string) continue;
      if (std::memcmp(&a[i][k], &b[i][k], sizeof(double)) != 0)
        return fmt::format("'{}' is {} instead of {} after step {}", printable(v.name),
                           number_text(b[i][k]), number_text(a[i][k]), i + 1);
      ++k;
    }
  }
  return {};
}

void check_reset(TestedLibrary& library) {
  TestedInstance instance(library);
  const int count = library.model.step_count(kShortRun);
  if (!instance.is_made() || !instance.initialize()) return;
  const Trace before = instance.trace(0, count);
  if (!instance.reset() || !instance.initialize()) return;
  if (const std::string difference = find_difference(library, before, instance.trace(0, count));
      !difference.empty())
    library.reporter.find(Rule::run_reset_differs, fmt::format("after fmi2Reset {}", difference));
}

class StateCheck {
 public:
  explicit StateCheck(TestedLibrary& library) : library_(library), instance_(library) {}

  void run() {
    const int all = library_.model.step_count(2 * kShortRun);
    const int first = all / 2;
    if (!instance_.is_made() || !instance_.initialize()) return;
    instance_.trace(0, first, true);
    const FmuFunctions& f = library_.functions;
    if (!expect("fmi2GetFMUstate", instance_.call("fmi2GetFMUstate", "", f.GetFMUstate, &state_)))
      return;
    next_event_ = instance_.next_event();
    const Trace expected = instance_.trace(first, all - first, true);
    if (library_.model.capabilities->can_serialize_state) check_bytes(first, all, expected);
    if (!restore(instance_)) return;
    if (const std::string difference =
            find_difference(library_, expected, instance_.trace(first, all - first, true));
        !difference.empty())
      library_.reporter.find(Rule::run_state_differs,
                             fmt::format("after fmi2SetFMUstate {}", difference));
    // a second save into the same object
    if (!expect("fmi2GetFMUstate with an old state",
                instance_.call("fmi2GetFMUstate", "old state", f.GetFMUstate, &state_)))
      return;
    if (!expect("fmi2FreeFMUstate",
                instance_.call("fmi2FreeFMUstate", "", f.FreeFMUstate, &state_)))
      return;
    if (state_ != nullptr)
      library_.reporter.find(Rule::run_state_refused,
                             "fmi2FreeFMUstate does not set the state to NULL");
  }

 private:
  bool expect(const char* name, fmi2Status status, Rule rule = Rule::run_state_refused) {
    if (is_good(status)) return true;
    library_.reporter.find(
        rule, fmt::format("{} returned {}{}", name, status_name(status), instance_.said()));
    return false;
  }

  bool restore(TestedInstance& instance) {
    instance.set_next_event(next_event_);
    return expect("fmi2SetFMUstate",
                  instance.call("fmi2SetFMUstate", "", library_.functions.SetFMUstate, state_));
  }

  // Through bytes into another instance, where there may be one.
  void check_bytes(int first, int all, const Trace& expected) {
    const FmuFunctions& f = library_.functions;
    constexpr Rule kRefused = Rule::run_serialize_refused;
    std::size_t size = 0;
    if (!expect("fmi2SerializedFMUstateSize",
                instance_.call("fmi2SerializedFMUstateSize", "", f.SerializedFMUstateSize, state_,
                               &size),
                kRefused))
      return;
    std::vector<fmi2Byte> bytes(size);
    if (!expect("fmi2SerializeFMUstate",
                instance_.call("fmi2SerializeFMUstate", "", f.SerializeFMUstate, state_,
                               bytes.data(), size),
                kRefused))
      return;
    std::unique_ptr<TestedInstance> other;
    if (!library_.model.capabilities->only_one_instance) {
      other = std::make_unique<TestedInstance>(library_);
      if (!other->is_made() || !other->initialize()) return;
    }
    TestedInstance& target = other ? *other : instance_;
    fmi2FMUstate copy = nullptr;
    const fmi2Byte* data = bytes.data();
    if (!expect(
            "fmi2DeSerializeFMUstate",
            target.call("fmi2DeSerializeFMUstate", "", f.DeSerializeFMUstate, data, size, &copy),
            kRefused) ||
        !expect("fmi2SetFMUstate with a state from bytes",
                target.call("fmi2SetFMUstate", "from bytes", f.SetFMUstate, copy), kRefused))
      return;
    target.set_next_event(next_event_);
    if (const std::string difference =
            find_difference(library_, expected, target.trace(first, all - first, true));
        !difference.empty())
      library_.reporter.find(Rule::run_serialize_differs,
                             fmt::format("with a state from bytes {}", difference));
    target.call("fmi2FreeFMUstate", "", f.FreeFMUstate, &copy);
  }

  TestedLibrary& library_;
  TestedInstance instance_;
  fmi2FMUstate state_ = nullptr;
  std::optional<double> next_event_;
};

bool is_continuous(const FmuVariable& v) {
  return v.type == FmuVariable::Type::real && v.variability == FmuVariable::Variability::continuous;
}

// Initialization mode is the one place of co-simulation where a value can be set and its effect
// read without a step between; model exchange can do that with its states at any time.
class DirectionalCheck {
 public:
  explicit DirectionalCheck(TestedLibrary& library) : library_(library), instance_(library) {}

  void run() {
    if (!instance_.is_made() || !instance_.enter_initialization()) return;
    const ModelDescription& d = *library_.model.description;
    std::vector<const FmuVariable*> knowns;
    for (const FmuUnknown& u : d.initial_unknowns) {
      const FmuVariable& v = d.variables[static_cast<std::size_t>(u.variable)];
      if (is_continuous(v) && v.causality == FmuVariable::Causality::output)
        unknowns_.push_back(&v);
    }
    for (const FmuVariable& v : d.variables)
      if (is_continuous(v) && v.causality == FmuVariable::Causality::input) knowns.push_back(&v);
    if (!check_all(knowns) || !library_.model.is_model_exchange()) return;

    if (!instance_.exit_initialization()) return;
    unknowns_.clear();
    knowns.clear();
    for (const FmuUnknown& u : d.derivatives) {
      const FmuVariable& v = d.variables[static_cast<std::size_t>(u.variable)];
      if (!v.derivative_of) return;
      unknowns_.push_back(&v);
      knowns.push_back(&d.variables[static_cast<std::size_t>(*v.derivative_of)]);
    }
    check_all(knowns);
  }

 private:
  bool check_all(const std::vector<const FmuVariable*>& knowns) {
    constexpr std::size_t kMostKnowns = 20;
    for (std::size_t i = 0; i < knowns.size() && i < kMostKnowns && !unknowns_.empty(); ++i)
      if (!check(*knowns[i])) return false;
    return true;
  }

  // Central difference quotients of the unknowns; nothing if a call fails.
  std::optional<std::vector<double>> quotients(const FmuVariable& known, double at, double d) {
    std::vector<double> result(unknowns_.size());
    for (const double sign : {1.0, -1.0}) {
      if (!is_good(instance_.set_to(known, number_text(at + sign * d)))) return std::nullopt;
      for (std::size_t i = 0; i < unknowns_.size(); ++i) {
        double y = 0;
        if (!is_good(instance_.get(*unknowns_[i], y))) return std::nullopt;
        result[i] += sign * y / (2 * d);
      }
    }
    if (!is_good(instance_.set_to(known, number_text(at)))) return std::nullopt;
    return result;
  }

  bool check(const FmuVariable& known) {
    double at = parse_number(known.start.value_or("0")).value_or(0);
    if (known.causality != FmuVariable::Causality::input && !is_good(instance_.get(known, at)))
      return false;
    const double d = 1e-3 * std::max(std::abs(at), known.nominal.value_or(1));
    const auto coarse = quotients(known, at, d);
    const auto fine = quotients(known, at, d / 8);
    std::vector<fmi2ValueReference> references;
    for (const FmuVariable* v : unknowns_) references.push_back(v->value_reference);
    std::vector<fmi2Real> given(unknowns_.size());
    const fmi2ValueReference known_reference = known.value_reference;
    const fmi2Real one = 1;
    const fmi2Status status = instance_.call(
        "fmi2GetDirectionalDerivative", known.name, library_.functions.GetDirectionalDerivative,
        static_cast<const fmi2ValueReference*>(references.data()), references.size(),
        &known_reference, std::size_t{1}, &one, given.data());
    if (!is_good(status)) {
      library_.reporter.find(Rule::run_directional_refused,
                             fmt::format("fmi2GetDirectionalDerivative returned {}{}",
                                         status_name(status), instance_.said()),
                             known.name);
      return false;
    }
    if (!coarse || !fine) return false;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      // truncation shows in the change from coarse to fine, rounding in the size of the quotient
      const double tolerance = 1e-4 * std::max({1.0, std::abs(given[i]), std::abs((*fine)[i])}) +
                               2 * std::abs((*coarse)[i] - (*fine)[i]);
      if (!(std::abs(given[i] - (*fine)[i]) <= tolerance))
        library_.reporter.find(
            Rule::run_directional_differs,
            fmt::format("the derivative of '{}' by it is {}, difference quotients give {}",
                        printable(unknowns_[i]->name), number_text(given[i]),
                        number_text((*fine)[i])),
            known.name);
    }
    return true;
  }

  TestedLibrary& library_;
  TestedInstance instance_;
  std::vector<const FmuVariable*> unknowns_;
};

void check_output_derivatives(TestedLibrary& library) {
  TestedInstance instance(library);
  if (!instance.is_made() || !instance.initialize() || instance.trace(0, 1).empty()) return;
  for (const FmuVariable& v : library.model.description->variables) {
    if (!is_continuous(v) || v.causality != FmuVariable::Causality::output) continue;
    for (fmi2Integer order = 1; order <= library.model.capabilities->max_output_derivative_order;
         ++order) {
      double value = 0;
      const fmi2ValueReference vr = v.value_reference;
      const fmi2Integer given = order;
      const fmi2Status status = instance.call(
          "fmi2GetRealOutputDerivatives", fmt::format("vr={}, order={}", vr, order),
          library.functions.GetRealOutputDerivatives, &vr, std::size_t{1}, &given, &value);
      if (!is_good(status) || !std::isfinite(value)) {
        library.reporter.find(Rule::run_output_derivative,
                              fmt::format("its derivative of order {} is {} with {}{}", order,
                                          number_text(value), status_name(status), instance.said()),
                              v.name);
        return;
      }
    }
  }
}

void check_input_derivatives(TestedLibrary& library) {
  TestedInstance instance(library);
  if (!instance.is_made() || !instance.initialize()) return;
  for (const FmuVariable& v : library.model.description->variables) {
    if (!is_continuous(v) || v.causality != FmuVariable::Causality::input) continue;
    const fmi2ValueReference vr = v.value_reference;
    const fmi2Integer order = 1;
    const fmi2Real value = 0;
    const fmi2Status status = instance.call("fmi2SetRealInputDerivatives", fmt::format("vr={}", vr),
                                            library.functions.SetRealInputDerivatives, &vr,
                                            std::size_t{1}, &order, &value);
    if (!is_good(status)) {
      library.reporter.find(Rule::run_input_derivative,
                            fmt::format("fmi2SetRealInputDerivatives of order 1 returned {}{}",
                                        status_name(status), instance.said()),
                            v.name);
      return;
    }
  }
  instance.trace(0, 1);
}

void check_states(TestedLibrary& library) {
  const std::size_t count = library.model.description->derivatives.size();
  TestedInstance instance(library);
  if (!instance.is_made() || !instance.initialize()) return;
  std::vector<double> values;
  fmi2Status indicators = fmi2OK;
  if (!instance.get_indicators(values, indicators))
    library.reporter.find(Rule::run_call_failed,
                          fmt::format("fmi2GetEventIndicators returned {}{}",
                                      status_name(indicators), instance.said()));
  if (count == 0) return;
  values.resize(count);
  const auto get = [&](const char* name, auto* function) {
    std::fill(values.begin(), values.end(), std::nan(""));  // what is not filled shows
    const fmi2Status status = instance.call(name, "", function, values.data(), count);
    if (!is_good(status))
      library.reporter.find(
          Rule::run_call_failed,
          fmt::format("{} returned {}{}", name, status_name(status), instance.said()));
    for (const double value : values)
      if (is_good(status) && !std::isfinite(value))
        library.reporter.find(Rule::run_not_finite, fmt::format("{} gives {}", name, value));
    return is_good(status);
  };
  get("fmi2GetContinuousStates", library.exchange.GetContinuousStates);
  get("fmi2GetDerivatives", library.exchange.GetDerivatives);
  if (!get("fmi2GetNominalsOfContinuousStates", library.exchange.GetNominalsOfContinuousStates))
    return;
  for (const double value : values)
    if (!(value > 0))
      library.reporter.find(
          Rule::run_nominal,
          fmt::format("fmi2GetNominalsOfContinuousStates gives {}", number_text(value)));
}

}  // namespace

const std::vector<RunCheck>& capability_checks() {
  const auto is_stepped = [](const TestedModel& m) { return !m.is_model_exchange(); };
  static const std::vector<RunCheck> checks = {
      {"reset", check_reset, nullptr},
      {"state", [](TestedLibrary& library) { StateCheck(library).run(); },
       [](const TestedModel& m) { return m.capabilities->can_get_and_set_state; }},
      {"directional derivatives", [](TestedLibrary& library) { DirectionalCheck(library).run(); },
       [](const TestedModel& m) { return m.capabilities->has_directional_derivative; }},
      {"output derivatives", check_output_derivatives, is_stepped},
      {"input derivatives", check_input_derivatives,
       [](const TestedModel& m) {
         return !m.is_model_exchange() && m.capabilities->can_interpolate_inputs;
       }},
      {"continuous states", check_states,
       [](const TestedModel& m) { return m.is_model_exchange(); }},
  };
  return checks;
}

}  // namespace mechfmu::fmu_check
