#include "harness/validate/tested_fmu.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "harness/fmu_instance.hpp"
#include "harness/validate/model_facts.hpp"
#include "support/number_text.hpp"

namespace mechfmu::fmu_check {
namespace {

// The callbacks have no argument that could lead to an instance, so this is one set for the child.
std::set<void*> memory_held;
int memory_calls = 0;

void* allocate_counted(size_t count, size_t size) {
  ++memory_calls;
  void* memory = std::calloc(count, size);
  if (memory != nullptr) memory_held.insert(memory);
  return memory;
}
void free_counted(void* memory) {
  ++memory_calls;
  memory_held.erase(memory);
  std::free(memory);
}

}  // namespace

std::size_t count_memory_held() { return memory_held.size(); }

double TestedModel::start_time() const { return description->experiment.start.value_or(0); }

double TestedModel::step_size() const {
  const FmuExperiment& e = description->experiment;
  if (e.step && *e.step > 0) return *e.step;
  if (e.stop && *e.stop > start_time()) return (*e.stop - start_time()) / 500;
  return 0.01;
}

int TestedModel::step_count(int wanted) const {
  const FmuExperiment& e = description->experiment;
  if (!e.stop) return wanted;
  const double available = std::floor((*e.stop - start_time()) / step_size() + 1e-6);
  return static_cast<int>(std::clamp(available, 1.0, static_cast<double>(wanted)));
}

std::string_view status_name(fmi2Status status) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"fmi2OK", "fmi2Warning", "fmi2Discard", "fmi2Error", "fmi2Fatal", "fmi2Pending"});
  const auto index = static_cast<std::size_t>(status);
  return index < kNames.size() ? kNames[index] : "an unknown status";
}

TestedLibrary::TestedLibrary(const TestedModel& tested, Reporter& the_reporter)
    : model(tested), reporter(the_reporter) {
  reporter.note_action("loading the library");
  handle_ = dlopen(model.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* reason = dlerror();
    std::string text = reason == nullptr ? "unknown reason" : reason;
    if (text.starts_with(model.library + ": ")) text.erase(0, model.library.size() + 2);
    reporter.find(Rule::run_load, fmt::format("the library cannot be loaded: {}", text));
    return;
  }
  bool is_complete = true;
  const auto find = [&](auto*& function, const char* symbol, bool is_needed) {
    using Pointer = std::remove_reference_t<decltype(function)>;
    function = reinterpret_cast<Pointer>(dlsym(handle_, symbol));
    if (function == nullptr && is_needed) is_complete = false;  // told by the rules of binaries
  };
  std::size_t count = 0;
#define FUNCTION(name) \
  find(functions.name, "fmi2" #name, count++ < 25 || !model.is_model_exchange());
#include "harness/fmi2_functions.def"
#undef FUNCTION
#define FUNCTION(name) find(exchange.name, "fmi2" #name, model.is_model_exchange());
#include "harness/validate/model_exchange_functions.def"
#undef FUNCTION
  is_loaded_ = is_complete;
}

TestedLibrary::~TestedLibrary() { unload(); }

void TestedLibrary::unload() {
  if (handle_ == nullptr) return;
  reporter.note_action("unloading the library");
  dlclose(handle_);
  handle_ = nullptr;
  is_loaded_ = false;
}

TestedInstance::TestedInstance(TestedLibrary& library, InstanceSetup setup)
    : library_(library), setup_(std::move(setup)) {
  const TestedModel& model = library_.model;
  if (setup_.guid.empty()) setup_.guid = model.description->guid;
  if (setup_.resource_uri.empty()) setup_.resource_uri = make_file_uri(model.resources);
  callbacks_.logger = &TestedInstance::log_message;
  if (setup_.memory != MemoryCallbacks::absent) {
    callbacks_.allocateMemory =
        setup_.memory == MemoryCallbacks::counted ? &allocate_counted : &std::calloc;
    callbacks_.freeMemory = setup_.memory == MemoryCallbacks::counted ? &free_counted : &std::free;
  }
  callbacks_.componentEnvironment = this;
  library_.reporter.note_action(fmt::format(
      "fmi2Instantiate(\"{}\", {}, \"{}\")", setup_.name,
      model.is_model_exchange() ? "fmi2ModelExchange" : "fmi2CoSimulation", setup_.guid));
  const int calls_before = fmu_check::memory_calls;
  component_ = functions().Instantiate(setup_.name.c_str(), model.type, setup_.guid.c_str(),
                                       setup_.resource_uri.c_str(), &callbacks_, fmi2False,
                                       setup_.logging_on ? fmi2True : fmi2False);
  memory_calls_ = fmu_check::memory_calls - calls_before;
}

TestedInstance::~TestedInstance() { free(); }

void TestedInstance::free() {
  if (component_ != nullptr && !is_fatal_) {
    library_.reporter.note_action("fmi2FreeInstance");
    functions().FreeInstance(component_);
  }
  component_ = nullptr;
}

std::string TestedInstance::said() const {
  return last_message_.empty() ? std::string() : fmt::format("; it says: {}", last_message_);
}

fmi2Status TestedInstance::check_status(std::string_view name, fmi2Status status) {
  const int number = static_cast<int>(status);
  const bool may_discard = library_.model.is_model_exchange() || name.starts_with("fmi2Set") ||
                           name == "fmi2DoStep" || name.ends_with("Status");
  if (number < fmi2OK || number > fmi2Pending)
    library_.reporter.find(Rule::run_status_illegal,
                           fmt::format("{} returned {}, which is no status", name, number));
  else if ((status == fmi2Pending && name != "fmi2DoStep" && name != "fmi2GetStatus") ||
           (status == fmi2Discard && !may_discard))
    library_.reporter.find(Rule::run_status_illegal,
                           fmt::format("{} returned {}", name, status_name(status)));
  if (status == fmi2Fatal) is_fatal_ = true;
  return status;
}

bool TestedInstance::expect(std::string_view name, fmi2Status status) {
  if (is_good(status)) return true;
  library_.reporter.find(Rule::run_call_failed,
                         fmt::format("{} returned {}{}", name, status_name(status), said()));
  return false;
}

bool TestedInstance::enter_initialization() {
  const FmuExperiment& e = library_.model.description->experiment;
  const double start = library_.model.start_time();
  const bool has_stop = e.stop && *e.stop > start;
  return expect("fmi2SetupExperiment",
                call("fmi2SetupExperiment", fmt::format("start={}", start),
                     functions().SetupExperiment, e.tolerance ? fmi2True : fmi2False,
                     e.tolerance.value_or(0), start, has_stop ? fmi2True : fmi2False,
                     has_stop ? *e.stop : 0.0)) &&
         expect("fmi2EnterInitializationMode",
                call("fmi2EnterInitializationMode", "", functions().EnterInitializationMode));
}

bool TestedInstance::exit_initialization() {
  if (!expect("fmi2ExitInitializationMode",
              call("fmi2ExitInitializationMode", "", functions().ExitInitializationMode)))
    return false;
  return !library_.model.is_model_exchange() || leave_event_mode();
}

bool TestedInstance::reset() {
  next_event_.reset();
  return expect("fmi2Reset", call("fmi2Reset", "", functions().Reset));
}
bool TestedInstance::terminate() {
  return expect("fmi2Terminate", call("fmi2Terminate", "", functions().Terminate));
}

bool TestedInstance::leave_event_mode() {
  constexpr int kMostIterations = 100;
  fmi2EventInfo info{};
  info.newDiscreteStatesNeeded = fmi2True;
  for (int i = 0; info.newDiscreteStatesNeeded != fmi2False; ++i) {
    if (i == kMostIterations) {
      library_.reporter.find(Rule::run_events_endless,
                             fmt::format("fmi2NewDiscreteStates wants to be called more than {} "
                                         "times at one event",
                                         kMostIterations));
      return false;
    }
    if (!expect("fmi2NewDiscreteStates",
                call("fmi2NewDiscreteStates", "", library_.exchange.NewDiscreteStates, &info)))
      return false;
    if (info.terminateSimulation != fmi2False) return false;
  }
  next_event_.reset();
  if (info.nextEventTimeDefined != fmi2False) next_event_ = info.nextEventTime;
  return expect("fmi2EnterContinuousTimeMode",
                call("fmi2EnterContinuousTimeMode", "", library_.exchange.EnterContinuousTimeMode));
}

fmi2Status TestedInstance::advance(double time, double step, bool may_roll_back) {
  if (library_.model.is_model_exchange()) return advance_states(time, step, may_roll_back);
  return call("fmi2DoStep", fmt::format("t={}, h={}", number_text(time), number_text(step)),
              functions().DoStep, time, step, may_roll_back ? fmi2False : fmi2True);
}

bool TestedInstance::get_indicators(std::vector<double>& indicators, fmi2Status& status) {
  indicators.assign(library_.model.event_indicators, std::nan(""));  // what is not filled shows
  if (indicators.empty()) return true;
  status = call("fmi2GetEventIndicators", "", library_.exchange.GetEventIndicators,
                indicators.data(), indicators.size());
  if (!is_good(status)) return false;
  for (std::size_t i = 0; i < indicators.size(); ++i)
    if (!std::isfinite(indicators[i]))
      library_.reporter.find(Rule::run_not_finite,
                             fmt::format("fmi2GetEventIndicators gives {} for the indicator {}",
                                         indicators[i], i + 1));
  return true;
}

// Explicit Euler: enough to see whether the calls work. An event is where an indicator has passed
// through zero at the end of a step; where exactly is not looked for.
fmi2Status TestedInstance::advance_states(double time, double step, bool may_roll_back) {
  const ModelExchangeFunctions& me = library_.exchange;
  const std::size_t count = library_.model.description->derivatives.size();
  std::vector<double> x(count);
  std::vector<double> dx(count);
  std::vector<double> before;
  std::vector<double> after;
  fmi2Status status = fmi2OK;
  const auto then = [&](fmi2Status next) { return is_good(status = next); };
  if (!get_indicators(before, status)) return status;
  if (count > 0 &&
      !(then(call("fmi2GetContinuousStates", "", me.GetContinuousStates, x.data(), count)) &&
        then(call("fmi2GetDerivatives", "", me.GetDerivatives, dx.data(), count))))
    return status;
  for (std::size_t i = 0; i < count; ++i) x[i] += step * dx[i];
  const double end = time + step;
  if (!then(call("fmi2SetTime", number_text(end), me.SetTime, end))) return status;
  if (count > 0 && !then(call("fmi2SetContinuousStates", "", me.SetContinuousStates,
                              static_cast<const fmi2Real*>(x.data()), count)))
    return status;
  if (!get_indicators(after, status)) return status;
  bool passes = false;
  for (std::size_t i = 0; i < after.size(); ++i) passes |= (before[i] > 0) != (after[i] > 0);
  fmi2Boolean enters_event = fmi2False;
  fmi2Boolean terminates = fmi2False;
  if (!library_.model.completed_step_not_needed &&
      !then(call("fmi2CompletedIntegratorStep", "", me.CompletedIntegratorStep,
                 may_roll_back ? fmi2False : fmi2True, &enters_event, &terminates)))
    return status;
  if (enters_event == fmi2False && !passes && !(next_event_ && *next_event_ <= end)) return status;
  if (!then(call("fmi2EnterEventMode", "", me.EnterEventMode))) return status;
  return leave_event_mode() ? fmi2OK : fmi2Error;
}

std::vector<std::vector<double>> TestedInstance::trace(int first, int count, bool may_roll_back) {
  std::vector<std::vector<double>> rows;
  const double h = library_.model.step_size();
  // the end of a step is the next point to the last bit
  double time = library_.model.start_time();
  for (int i = 0; i < first + count; ++i, time += h) {
    if (i < first) continue;
    std::vector<double> row;
    if (!is_good(advance(time, h, may_roll_back)) || !get_numbers(row)) break;
    rows.push_back(std::move(row));
  }
  return rows;
}

bool TestedInstance::get_numbers(std::vector<double>& values) {
  values.clear();
  for (const FmuVariable& v : library_.model.description->variables) {
    if (v.type == FmuVariable::Type::string) continue;
    double value = 0;
    if (!is_good(get(v, value))) return false;
    values.push_back(value);
  }
  return true;
}

fmi2Status TestedInstance::get(const FmuVariable& v, double& value) {
  const fmi2ValueReference vr = v.value_reference;
  const std::string text = fmt::format("vr={}", vr);
  fmi2Integer integer = 0;
  fmi2Status status = fmi2OK;
  if (v.type == FmuVariable::Type::real)
    return call("fmi2GetReal", text, functions().GetReal, &vr, std::size_t{1}, &value);
  if (v.type == FmuVariable::Type::boolean)
    status = call("fmi2GetBoolean", text, functions().GetBoolean, &vr, std::size_t{1}, &integer);
  else
    status = call("fmi2GetInteger", text, functions().GetInteger, &vr, std::size_t{1}, &integer);
  value = integer;
  return status;
}

fmi2Status TestedInstance::get_string(const FmuVariable& v, std::string& value) {
  const fmi2ValueReference vr = v.value_reference;
  fmi2String text = nullptr;
  const fmi2Status status = call("fmi2GetString", fmt::format("vr={}", vr), functions().GetString,
                                 &vr, std::size_t{1}, &text);
  if (is_good(status)) value = text == nullptr ? "" : text;
  return status;
}

fmi2Status TestedInstance::set_to(const FmuVariable& v, const std::string& text) {
  const fmi2ValueReference vr = v.value_reference;
  const std::string shown = fmt::format("vr={}, {}", vr, text);
  constexpr std::size_t kOne = 1;
  switch (v.type) {
    case FmuVariable::Type::real: {
      const fmi2Real value = parse_number(trim_blanks(text)).value_or(0);
      return call("fmi2SetReal", shown, functions().SetReal, &vr, kOne, &value);
    }
    case FmuVariable::Type::boolean: {
      const fmi2Boolean value = parse_boolean(text).value_or(false) ? fmi2True : fmi2False;
      return call("fmi2SetBoolean", shown, functions().SetBoolean, &vr, kOne, &value);
    }
    case FmuVariable::Type::string: {
      const fmi2String value = text.c_str();
      return call("fmi2SetString", shown, functions().SetString, &vr, kOne, &value);
    }
    default: {
      const fmi2Integer value = parse_int(text).value_or(0);
      return call("fmi2SetInteger", shown, functions().SetInteger, &vr, kOne, &value);
    }
  }
}

void TestedInstance::log_message(fmi2ComponentEnvironment environment, fmi2String instance,
                                 fmi2Status status, fmi2String category, fmi2String message, ...) {
  if (environment == nullptr) return;
  auto* self = static_cast<TestedInstance*>(environment);
  std::string text;
  if (message != nullptr) {
    std::va_list arguments;
    va_start(arguments, message);
    std::array<char, 1024> buffer{};
    std::vsnprintf(buffer.data(), buffer.size(), message, arguments);
    va_end(arguments);
    text = buffer.data();
  }
  self->check_message(instance, status, category, text);
}

void TestedInstance::check_message(const char* instance, fmi2Status status, const char* category,
                                   const std::string& text) {
  statuses_.push_back(status);
  last_message_ = printable(text);
  Reporter& reporter = library_.reporter;
  const std::vector<std::string>& declared = library_.model.description->log_categories;
  const bool has_category = category != nullptr && *category != '\0';
  if (has_category ? std::find(declared.begin(), declared.end(), category) == declared.end()
                   : !declared.empty())
    reporter.find(Rule::log_category_undeclared,
                  !has_category
                      ? std::string("a message has no category")
                      : fmt::format("a message has the category '{}'", printable(category)));
  if (text.ends_with('\n') || text.ends_with('\r'))
    reporter.find(Rule::log_newline, fmt::format("a message ends with a line feed: '{}'",
                                                 printable(text.substr(0, 60))));
  if (instance == nullptr || setup_.name != instance)
    reporter.find(Rule::log_instance_name,
                  fmt::format("a message of instance '{}' has the name '{}'", setup_.name,
                              instance == nullptr ? "NULL" : printable(instance)));
}

}  // namespace mechfmu::fmu_check
