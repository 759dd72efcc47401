#include "coupling/component_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

using Type = FmuVariable::Type;

constexpr useconds_t kPollPause = 1000;  // [us] for an FMU that steps in the background

bool goes_on(fmi2Status status) { return status == fmi2OK || status == fmi2Warning; }

}  // namespace

ComponentRun::~ComponentRun() {
  if (!instance_) return;
  for (fmi2FMUstate& state : saved_)
    if (state != nullptr) instance_->free_state(state);
}

bool ComponentRun::instantiate(const FmuMessageSink& messages, const CallSink& calls,
                               Diagnostics& diagnostics) {
  const std::string lead = component().name + ": ";
  CallLog log;
  if (calls) log = CallLog([calls, lead](const std::string& line) { calls(lead + line); });
  const auto pass_on = [messages, lead](const FmuMessage& message) {
    if (messages) messages({message.status, message.category, lead + message.text});
  };
  instance_ = component().fmu->instantiate(component().name, pass_on, log, false, diagnostics);
  return instance_ != nullptr;
}

bool ComponentRun::fail(const char* code, const std::string& reason, bool can_retry) {
  const std::string& said = instance_->last_message();
  failure_ = {code,
              fmt::format("component '{}': stopped{}: {}{}{}", component().name, at_, reason,
                          said.empty() ? "" : ": ", said),
              can_retry};
  return false;
}

bool ComponentRun::check(fmi2Status status, const char* what) {
  return goes_on(status) || fail("E621", fmt::format("{} returned {}", what, word(status)));
}

bool ComponentRun::begin_initialization(double start, double stop) {
  at_ = fmt::format(" at t = {} s", number_text(start));
  const ParsedStartValues& values = component().start_values;
  return check(instance_->setup_experiment(std::nullopt, start, stop), "fmi2SetupExperiment") &&
         check(values.before.set(*instance_), "setting the start values") &&
         check(instance_->enter_initialization_mode(), "fmi2EnterInitializationMode") &&
         check(values.inputs.set(*instance_), "setting the inputs");
}

bool ComponentRun::end_initialization() {
  return check(instance_->exit_initialization_mode(), "fmi2ExitInitializationMode");
}

bool ComponentRun::terminate() { return check(instance_->terminate(), "fmi2Terminate"); }

bool ComponentRun::step(double time, double length, bool may_go_back) {
  at_ = fmt::format(" at t = {} s", number_text(time));
  fmi2Status status = instance_->do_step(time, length, !may_go_back);
  while (status == fmi2Pending) {
    usleep(kPollPause);
    if (!goes_on(
            instance_->functions().GetStatus(instance_->component(), fmi2DoStepStatus, &status)))
      status = fmi2Error;
  }
  if (goes_on(status)) return true;
  bool terminated = false;
  const bool wants_end = status == fmi2Discard &&
                         instance_->get_boolean_status(fmi2Terminated, terminated) == fmi2OK &&
                         terminated;
  return fail(
      "E622",
      fmt::format("fmi2DoStep(t={}, h={}) returned {}{}", number_text(time), number_text(length),
                  word(status), wants_end ? ", the FMU wants to end" : ""),
      status == fmi2Discard && !wants_end);
}

bool ComponentRun::read(const std::vector<std::size_t>& links, std::vector<SignalValue>& values) {
  for (const Type type : {Type::real, Type::integer, Type::boolean, Type::string}) {
    FmuInstance::References references;
    std::vector<std::size_t> places;
    for (const std::size_t link : links) {
      const FmuVariable& output = *system_.links[link].output;
      if ((output.type == Type::enumeration ? Type::integer : output.type) != type) continue;
      references.push_back(output.value_reference);
      places.push_back(link);
    }
    if (references.empty()) continue;
    if (type == Type::real) {
      std::vector<double> reals;
      if (!read_reals(references, reals)) return false;
      for (std::size_t i = 0; i < reals.size(); ++i) {
        const CoupledLink& link = system_.links[places[i]];
        if (!std::isfinite(reals[i]))
          return fail("E623", fmt::format("'{}' is not a finite number", link.output->name), true);
        values[places[i]].real = link.factor * reals[i] + link.offset;
      }
    } else if (type == Type::string) {
      std::vector<std::string> texts;
      if (!check(instance_->get_string(references, texts), "reading the outputs")) return false;
      for (std::size_t i = 0; i < texts.size(); ++i) values[places[i]].text = texts[i];
    } else {
      std::vector<int> whole;
      const fmi2Status status = type == Type::integer ? instance_->get_integer(references, whole)
                                                      : instance_->get_boolean(references, whole);
      if (!check(status, "reading the outputs")) return false;
      for (std::size_t i = 0; i < whole.size(); ++i) values[places[i]].whole = whole[i];
    }
  }
  return true;
}

bool ComponentRun::write(const std::vector<std::size_t>& links,
                         const std::vector<SignalValue>& values) {
  StartValues inputs;
  for (const std::size_t link : links) {
    const FmuVariable& input = *system_.links[link].input;
    const SignalValue& value = values[link];
    switch (input.type) {
      case Type::real:
        inputs.reals.push_back(input.value_reference);
        inputs.real_values.push_back(value.real);
        break;
      case Type::integer:
      case Type::enumeration:
        inputs.integers.push_back(input.value_reference);
        inputs.integer_values.push_back(value.whole);
        break;
      case Type::boolean:
        inputs.booleans.push_back(input.value_reference);
        inputs.boolean_values.push_back(value.whole);
        break;
      case Type::string:
        inputs.strings.push_back(input.value_reference);
        inputs.string_values.push_back(value.text);
        break;
    }
  }
  return check(inputs.set(*instance_), "setting the inputs");
}

bool ComponentRun::write_derivatives(const FmuInstance::References& references,
                                     const std::vector<int>& orders,
                                     const std::vector<double>& values) {
  return references.empty() ||
         check(instance_->set_real_input_derivatives(references, orders, values),
               "fmi2SetRealInputDerivatives");
}

bool ComponentRun::read_reals(const FmuInstance::References& references,
                              std::vector<double>& values) {
  values.clear();
  return references.empty() ||
         check(instance_->get_real(references, values), "reading the outputs");
}

bool ComponentRun::save(std::size_t place) {
  return check(instance_->get_state(saved_[place]), "fmi2GetFMUstate");
}
bool ComponentRun::restore(std::size_t place) {
  return check(instance_->set_state(saved_[place]), "fmi2SetFMUstate");
}

}  // namespace mechfmu
