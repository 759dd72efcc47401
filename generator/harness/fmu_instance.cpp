#include "harness/fmu_instance.hpp"

#include <fmt/format.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

std::string_view truth(bool value) { return value ? "true" : "false"; }

std::string make_message(const char* format, std::va_list arguments) {
  if (format == nullptr) return {};
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length <= 0) return {};
  std::string text(static_cast<std::size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, arguments);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace

std::string make_file_uri(const std::string& absolute_path) {
  constexpr std::string_view kUnreserved = "-._~/";
  std::string uri = "file://";
  for (const char c : absolute_path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kUnreserved.find(c) != std::string_view::npos;
    if (plain)
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::string expand_references(std::string_view text, const std::vector<FmuVariable>& variables) {
  using Type = FmuVariable::Type;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '#') {
      result += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '#') {
      result += '#';
      ++i;
      continue;
    }
    const std::size_t end = text.find('#', i + 1);
    const FmuVariable* found = nullptr;
    if (end != std::string_view::npos && end > i + 2) {
      const char letter = text[i + 1];
      const std::optional<double> number = parse_number(text.substr(i + 2, end - i - 2));
      for (const FmuVariable& v : variables) {
        const bool type_fits =
            (letter == 'r' && v.type == Type::real) ||
            (letter == 'i' && (v.type == Type::integer || v.type == Type::enumeration)) ||
            (letter == 'b' && v.type == Type::boolean) || (letter == 's' && v.type == Type::string);
        if (!number || !type_fits || static_cast<double>(v.value_reference) != *number) continue;
        found = &v;
        break;
      }
    }
    if (found == nullptr) {
      result += '#';
      continue;
    }
    result += found->name;
    i = end;
  }
  return result;
}

FmuInstance::FmuInstance(const FmuLibrary& library, FmuInstanceOptions options)
    : functions_(library.functions()), options_(std::move(options)) {
  callbacks_.logger = &FmuInstance::log_message;
  callbacks_.allocateMemory = &std::calloc;
  callbacks_.freeMemory = &std::free;
  callbacks_.stepFinished = nullptr;
  callbacks_.componentEnvironment = this;
}

std::unique_ptr<FmuInstance> FmuInstance::make(const FmuLibrary& library,
                                               FmuInstanceOptions options) {
  std::unique_ptr<FmuInstance> instance(new FmuInstance(library, std::move(options)));
  const FmuInstanceOptions& o = instance->options_;
  instance->component_ = instance->functions_.Instantiate(
      o.name.c_str(), fmi2CoSimulation, o.guid.c_str(), o.resource_uri.c_str(),
      &instance->callbacks_, fmi2False, o.logging_on ? fmi2True : fmi2False);
  if (o.log.enabled())
    o.log.add("fmi2Instantiate",
              fmt::format("\"{}\", CoSimulation, \"{}\", \"{}\", visible=false, loggingOn={}",
                          o.name, o.guid, o.resource_uri, truth(o.logging_on)),
              instance->component_ == nullptr ? "NULL" : "instance");
  if (instance->component_ == nullptr) return nullptr;
  return instance;
}

FmuInstance::~FmuInstance() {
  if (component_ == nullptr || fatal_) return;
  functions_.FreeInstance(component_);
  options_.log.add("fmi2FreeInstance", "", "");
}

void FmuInstance::log_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status,
                              fmi2String category, fmi2String message, ...) {
  auto* self = static_cast<FmuInstance*>(environment);
  if (self == nullptr) return;  // some FMUs log before they have stored the environment
  std::va_list arguments;
  va_start(arguments, message);
  std::string text = make_message(message, arguments);
  va_end(arguments);
  if (self->options_.description != nullptr)
    text = expand_references(text, self->options_.description->variables);
  if (status != fmi2OK) self->last_message_ = text;
  if (self->options_.messages)
    self->options_.messages({status, category == nullptr ? "" : category, std::move(text)});
}

// Every call passes here: severe statuses are remembered, the log gets its line.
fmi2Status FmuInstance::note(std::string_view function, fmi2Status status,
                             const std::string& arguments) {
  if (status == fmi2Fatal) fatal_ = true;
  if (options_.log.enabled()) options_.log.add(function, arguments, word(status));
  return status;
}

// The text of the arguments is made only if somebody reads it.
#define MECHFMU_NOTE(function, status, ...) \
  note(function, status, options_.log.enabled() ? fmt::format(__VA_ARGS__) : std::string())

fmi2Status FmuInstance::set_debug_logging(bool on, const std::vector<std::string>& categories) {
  std::vector<fmi2String> names;
  for (const std::string& category : categories) names.push_back(category.c_str());
  const fmi2Status status =
      functions_.SetDebugLogging(component_, on ? fmi2True : fmi2False, names.size(), names.data());
  return MECHFMU_NOTE("fmi2SetDebugLogging", status, "loggingOn={}, {}", truth(on),
                      CallLog::list(names.data(), names.size()));
}

fmi2Status FmuInstance::setup_experiment(std::optional<double> tolerance, double start,
                                         std::optional<double> stop) {
  const fmi2Status status = functions_.SetupExperiment(
      component_, tolerance ? fmi2True : fmi2False, tolerance.value_or(0), start,
      stop ? fmi2True : fmi2False, stop.value_or(0));
  return MECHFMU_NOTE("fmi2SetupExperiment", status, "tolerance={}, startTime={}, stopTime={}",
                      tolerance ? number_text(*tolerance) : "undefined", number_text(start),
                      stop ? number_text(*stop) : "undefined");
}

fmi2Status FmuInstance::enter_initialization_mode() {
  return note("fmi2EnterInitializationMode", functions_.EnterInitializationMode(component_), "");
}
fmi2Status FmuInstance::exit_initialization_mode() {
  return note("fmi2ExitInitializationMode", functions_.ExitInitializationMode(component_), "");
}
fmi2Status FmuInstance::terminate() {
  return note("fmi2Terminate", functions_.Terminate(component_), "");
}
fmi2Status FmuInstance::reset() { return note("fmi2Reset", functions_.Reset(component_), ""); }

fmi2Status FmuInstance::get_real(const References& references, std::vector<double>& values) {
  values.resize(references.size());
  const fmi2Status status =
      functions_.GetReal(component_, references.data(), references.size(), values.data());
  return MECHFMU_NOTE("fmi2GetReal", status, "{} = {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(values.data(), values.size()));
}

fmi2Status FmuInstance::get_integer(const References& references, std::vector<int>& values) {
  values.resize(references.size());
  const fmi2Status status =
      functions_.GetInteger(component_, references.data(), references.size(), values.data());
  return MECHFMU_NOTE("fmi2GetInteger", status, "{} = {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(values.data(), values.size()));
}

fmi2Status FmuInstance::get_boolean(const References& references, std::vector<int>& values) {
  values.resize(references.size());
  const fmi2Status status =
      functions_.GetBoolean(component_, references.data(), references.size(), values.data());
  return MECHFMU_NOTE("fmi2GetBoolean", status, "{} = {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(values.data(), values.size()));
}

fmi2Status FmuInstance::get_string(const References& references, std::vector<std::string>& values) {
  std::vector<fmi2String> pointers(references.size(), nullptr);
  const fmi2Status status =
      functions_.GetString(component_, references.data(), references.size(), pointers.data());
  // copied at once: the FMU's strings are valid only until the next call
  values.clear();
  for (const fmi2String pointer : pointers) values.emplace_back(pointer == nullptr ? "" : pointer);
  return MECHFMU_NOTE("fmi2GetString", status, "{} = {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(pointers.data(), pointers.size()));
}

fmi2Status FmuInstance::set_real(const References& references, const std::vector<double>& values) {
  const fmi2Status status =
      functions_.SetReal(component_, references.data(), references.size(), values.data());
  return MECHFMU_NOTE("fmi2SetReal", status, "{} = {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(values.data(), values.size()));
}

fmi2Status FmuInstance::set_integer(const References& references, const std::vector<int>& values) {
  const fmi2Status status =
      functions_.SetInteger(component_, references.data(), references.size(), values.data());
  return MECHFMU_NOTE("fmi2SetInteger", status, "{} = {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(values.data(), values.size()));
}

fmi2Status FmuInstance::set_boolean(const References& references, const std::vector<int>& values) {
  const fmi2Status status =
      functions_.SetBoolean(component_, references.data(), references.size(), values.data());
  return MECHFMU_NOTE("fmi2SetBoolean", status, "{} = {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(values.data(), values.size()));
}

fmi2Status FmuInstance::set_string(const References& references,
                                   const std::vector<std::string>& values) {
  std::vector<fmi2String> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  const fmi2Status status =
      functions_.SetString(component_, references.data(), references.size(), pointers.data());
  return MECHFMU_NOTE("fmi2SetString", status, "{} = {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(pointers.data(), pointers.size()));
}

fmi2Status FmuInstance::set_real_input_derivatives(const References& references,
                                                   const std::vector<int>& orders,
                                                   const std::vector<double>& values) {
  const fmi2Status status = functions_.SetRealInputDerivatives(
      component_, references.data(), references.size(), orders.data(), values.data());
  return MECHFMU_NOTE("fmi2SetRealInputDerivatives", status, "{}, order={}, {}",
                      CallLog::list(references.data(), references.size()),
                      CallLog::list(orders.data(), orders.size()),
                      CallLog::list(values.data(), values.size()));
}

fmi2Status FmuInstance::do_step(double time, double step, bool no_set_state_prior) {
  const fmi2Status status =
      functions_.DoStep(component_, time, step, no_set_state_prior ? fmi2True : fmi2False);
  return MECHFMU_NOTE("fmi2DoStep", status, "t={}, h={}, noSetFMUStatePriorToCurrentPoint={}",
                      number_text(time), number_text(step), truth(no_set_state_prior));
}

fmi2Status FmuInstance::get_real_status(fmi2StatusKind kind, double& value) {
  const fmi2Status status = functions_.GetRealStatus(component_, kind, &value);
  return MECHFMU_NOTE("fmi2GetRealStatus", status, "kind={}, {}", static_cast<int>(kind),
                      number_text(value));
}

fmi2Status FmuInstance::get_boolean_status(fmi2StatusKind kind, bool& value) {
  fmi2Boolean raw = value ? fmi2True : fmi2False;
  const fmi2Status status = functions_.GetBooleanStatus(component_, kind, &raw);
  value = raw != fmi2False;
  return MECHFMU_NOTE("fmi2GetBooleanStatus", status, "kind={}, {}", static_cast<int>(kind),
                      truth(value));
}

fmi2Status FmuInstance::get_string_status(fmi2StatusKind kind, std::string& value) {
  fmi2String raw = nullptr;
  const fmi2Status status = functions_.GetStringStatus(component_, kind, &raw);
  value = raw == nullptr ? "" : raw;
  return MECHFMU_NOTE("fmi2GetStringStatus", status, "kind={}, \"{}\"", static_cast<int>(kind),
                      value);
}

#undef MECHFMU_NOTE

fmi2Status FmuInstance::get_state(fmi2FMUstate& state) {
  return note("fmi2GetFMUstate", functions_.GetFMUstate(component_, &state), "");
}
fmi2Status FmuInstance::set_state(fmi2FMUstate state) {
  return note("fmi2SetFMUstate", functions_.SetFMUstate(component_, state), "");
}
fmi2Status FmuInstance::free_state(fmi2FMUstate& state) {
  return note("fmi2FreeFMUstate", functions_.FreeFMUstate(component_, &state), "");
}

}  // namespace mechfmu
