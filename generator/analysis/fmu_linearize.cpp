#include "analysis/fmu_linearize.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "harness/start_values.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

// What is needed of the 34 and of model exchange.
struct ExchangeFunctions {
#define FUNCTION(name) fmi2##name##TYPE* name = nullptr;
  FUNCTION(Instantiate)
  FUNCTION(FreeInstance)
  FUNCTION(SetupExperiment)
  FUNCTION(EnterInitializationMode)
  FUNCTION(ExitInitializationMode)
  FUNCTION(GetReal)
  FUNCTION(SetReal)
  FUNCTION(SetInteger)
  FUNCTION(SetBoolean)
  FUNCTION(SetString)
  FUNCTION(GetDirectionalDerivative)
  FUNCTION(NewDiscreteStates)
  FUNCTION(EnterContinuousTimeMode)
#undef FUNCTION
};

class ExchangeInstance {
 public:
  ExchangeInstance(const Fmu& fmu, const FmuMessageSink& messages, Diagnostics& diagnostics)
      : description_(fmu.description()), messages_(messages), diagnostics_(diagnostics) {
    if (!load(fmu)) return;
    callbacks_.logger = &ExchangeInstance::log_message;
    callbacks_.allocateMemory = &std::calloc;
    callbacks_.freeMemory = &std::free;
    callbacks_.componentEnvironment = this;
    const std::string resources = make_file_uri((fs::path(fmu.folder()) / "resources").string());
    component_ = f.Instantiate("linearized", fmi2ModelExchange, description_.guid.c_str(),
                               resources.c_str(), &callbacks_, fmi2False, fmi2False);
    if (component_ == nullptr)
      diagnostics_.error("E619", std::nullopt,
                         fmt::format("{}: the FMU refused to be instantiated", fmu.path()));
  }
  ~ExchangeInstance() {
    if (component_ != nullptr) f.FreeInstance(component_);
    if (handle_ != nullptr) dlclose(handle_);
  }
  ExchangeInstance(const ExchangeInstance&) = delete;
  ExchangeInstance& operator=(const ExchangeInstance&) = delete;

  [[nodiscard]] bool is_ready() const { return component_ != nullptr; }
  [[nodiscard]] fmi2Component component() const { return component_; }

  bool expect(const char* function, fmi2Status status) {
    if (status == fmi2OK || status == fmi2Warning) return true;
    diagnostics_.error(
        "E316", std::nullopt,
        fmt::format("the FMU refused {}{}", function, last_.empty() ? "" : ": " + last_));
    return false;
  }

  bool set(const StartValues& values) {
    bool good = true;
    if (!values.reals.empty())
      good =
          good && expect("fmi2SetReal", f.SetReal(component_, values.reals.data(),
                                                  values.reals.size(), values.real_values.data()));
    if (!values.integers.empty())
      good = good && expect("fmi2SetInteger",
                            f.SetInteger(component_, values.integers.data(), values.integers.size(),
                                         values.integer_values.data()));
    if (!values.booleans.empty())
      good = good && expect("fmi2SetBoolean",
                            f.SetBoolean(component_, values.booleans.data(), values.booleans.size(),
                                         values.boolean_values.data()));
    std::vector<const char*> texts;
    for (const std::string& text : values.string_values) texts.push_back(text.c_str());
    if (!values.strings.empty())
      good = good && expect("fmi2SetString", f.SetString(component_, values.strings.data(),
                                                         values.strings.size(), texts.data()));
    return good;
  }

  // Continuous-time mode at the start.
  bool start(const ParsedStartValues& values, double time) {
    if (!set(values.before) ||
        !expect("fmi2SetupExperiment",
                f.SetupExperiment(component_, fmi2False, 0, time, fmi2False, 0)) ||
        !expect("fmi2EnterInitializationMode", f.EnterInitializationMode(component_)) ||
        !set(values.inputs) ||
        !expect("fmi2ExitInitializationMode", f.ExitInitializationMode(component_)))
      return false;
    fmi2EventInfo info{};
    info.newDiscreteStatesNeeded = fmi2True;
    for (int i = 0; i < 100 && info.newDiscreteStatesNeeded != fmi2False; ++i)
      if (!expect("fmi2NewDiscreteStates", f.NewDiscreteStates(component_, &info))) return false;
    return expect("fmi2EnterContinuousTimeMode", f.EnterContinuousTimeMode(component_));
  }

  ExchangeFunctions f;

 private:
  bool load(const Fmu& fmu) {
    const std::string& identifier = description_.model_exchange->model_identifier;
    const fs::path path =
        fs::absolute(fs::path(fmu.folder()) / "binaries" / host_platform() / (identifier + ".so"));
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
      diagnostics_.error("E617", std::nullopt,
                         fmt::format("{}: binaries/{}/{}.so cannot be loaded", fmu.path(),
                                     host_platform(), identifier));
      return false;
    }
    bool complete = true;
    const auto find = [&](auto*& function, const char* symbol) {
      using Pointer = std::remove_reference_t<decltype(function)>;
      function = reinterpret_cast<Pointer>(dlsym(handle_, symbol));
      if (function != nullptr) return;
      complete = false;
      diagnostics_.error("E618", std::nullopt,
                         fmt::format("{}: {}.so does not have {}", fmu.path(), identifier, symbol));
    };
#define FUNCTION(name) find(f.name, "fmi2" #name);
    FUNCTION(Instantiate)
    FUNCTION(FreeInstance)
    FUNCTION(SetupExperiment)
    FUNCTION(EnterInitializationMode)
    FUNCTION(ExitInitializationMode)
    FUNCTION(GetReal)
    FUNCTION(SetReal)
    FUNCTION(SetInteger)
    FUNCTION(SetBoolean)
    FUNCTION(SetString)
    FUNCTION(GetDirectionalDerivative)
    FUNCTION(NewDiscreteStates)
    FUNCTION(EnterContinuousTimeMode)
#undef FUNCTION
    return complete;
  }

  static void log_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status,
                          fmi2String category, fmi2String message, ...) {
    auto* self = static_cast<ExchangeInstance*>(environment);
    char text[2000];
    va_list arguments;
    va_start(arguments, message);
    std::vsnprintf(text, sizeof(text), message == nullptr ? "(no text)" : message, arguments);
    va_end(arguments);
    self->last_ = expand_references(text, self->description_.variables);
    if (self->messages_)
      self->messages_({status, category == nullptr ? "" : category, self->last_});
  }

  const ModelDescription& description_;
  const FmuMessageSink& messages_;
  Diagnostics& diagnostics_;
  fmi2CallbackFunctions callbacks_{};
  void* handle_ = nullptr;
  fmi2Component component_ = nullptr;
  std::string last_;
};

using References = std::vector<fmi2ValueReference>;

template <class Signal>
void add_signal(const FmuVariable& v, std::vector<Signal>& signals, References& references) {
  Signal signal{};
  signal.name = v.name;
  signal.unit = v.unit;
  signals.push_back(signal);
  references.push_back(v.value_reference);
}

bool fill_columns(ExchangeInstance& instance, const References& unknowns, const References& knowns,
                  Eigen::MatrixXd& matrix) {
  matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(unknowns.size()),
                                 static_cast<Eigen::Index>(knowns.size()));
  const double one = 1;
  Eigen::VectorXd column(matrix.rows());
  for (std::size_t j = 0; j < knowns.size() && !unknowns.empty(); ++j) {
    if (!instance.expect("fmi2GetDirectionalDerivative",
                         instance.f.GetDirectionalDerivative(instance.component(), unknowns.data(),
                                                             unknowns.size(), &knowns[j], 1, &one,
                                                             column.data())))
      return false;
    matrix.col(static_cast<Eigen::Index>(j)) = column;
  }
  return true;
}

template <class Signal>
bool read_values(ExchangeInstance& instance, const References& references,
                 std::vector<Signal>& signals) {
  std::vector<double> values(references.size());
  if (!references.empty() &&
      !instance.expect("fmi2GetReal", instance.f.GetReal(instance.component(), references.data(),
                                                         references.size(), values.data())))
    return false;
  for (std::size_t i = 0; i < values.size(); ++i) signals[i].value = values[i];
  return true;
}

}  // namespace

void take_start_values(const ModelDescription& description, OperatingPoint& point) {
  for (const FmuVariable& v : description.variables) {
    if (!v.start || !v.can_be_set()) continue;
    const InterfaceVariable* ours = point.system().interface.find(v.name);
    const std::optional<double> value = parse_number(*v.start);
    if (ours == nullptr || !value) continue;
    if (ours->causality == Causality::parameter || ours->causality == Causality::input)
      point.set(*ours, *value);
  }
}

std::optional<LinearModel> linearize_fmu(
    const Fmu& fmu, const std::vector<std::pair<std::string, std::string>>& start_values,
    const FmuMessageSink& messages, Diagnostics& diagnostics) {
  const ModelDescription& d = fmu.description();
  if (!d.model_exchange || !d.model_exchange->has_directional_derivative) {
    diagnostics.error(
        "E316", std::nullopt,
        fmt::format("{} cannot be linearized: it offers no {}, and differences of a run would only "
                    "be guesses",
                    fmu.path(), !d.model_exchange ? "model exchange" : "directional derivatives"),
        "export it for model exchange with providesDirectionalDerivative, or linearize the "
        "mechanism file");
    return std::nullopt;
  }
  const ParsedStartValues values = parse_start_values(start_values, d, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  ExchangeInstance instance(fmu, messages, diagnostics);
  if (!instance.is_ready()) return std::nullopt;

  LinearModel model;
  model.name = d.model_name;
  model.time = d.experiment.start.value_or(0);
  if (!instance.start(values, model.time)) return std::nullopt;
  References states, derivatives, inputs, outputs;
  std::vector<LinearSignal> rates;
  for (const FmuUnknown& unknown : d.derivatives) {
    const FmuVariable& rate = d.variables[static_cast<std::size_t>(unknown.variable)];
    if (!rate.derivative_of) continue;
    add_signal(d.variables[static_cast<std::size_t>(*rate.derivative_of)], model.states, states);
    add_signal(rate, rates, derivatives);
  }
  for (const FmuVariable& v : d.variables) {
    if (v.type != FmuVariable::Type::real) continue;
    if (v.causality == FmuVariable::Causality::input) add_signal(v, model.inputs, inputs);
    if (v.causality == FmuVariable::Causality::output) add_signal(v, model.outputs, outputs);
  }
  if (!read_values(instance, states, model.states) || !read_values(instance, derivatives, rates) ||
      !read_values(instance, inputs, model.inputs) ||
      !read_values(instance, outputs, model.outputs) ||
      !fill_columns(instance, derivatives, states, model.A) ||
      !fill_columns(instance, derivatives, inputs, model.B) ||
      !fill_columns(instance, outputs, states, model.C) ||
      !fill_columns(instance, outputs, inputs, model.D))
    return std::nullopt;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    model.states[i].rate = rates[i].value;
    if (std::fabs(rates[i].value) <= model.largest_acceleration) continue;
    model.largest_acceleration = std::fabs(rates[i].value);
    model.most_accelerated = rates[i].name;
    model.acceleration_unit = rates[i].unit;
  }
  model.coordinates.assign(model.states.begin(), model.states.end());
  model.shapes = Eigen::MatrixXd::Identity(model.A.rows(), model.A.rows());
  model.poles = calc_poles(model.A);
  model.notes.push_back("the states are those of the FMU, which it carries no mechanism to reduce");
  if (d.generation_tool.starts_with("mechfmu"))
    model.notes.push_back(
        "coordinates that constraints tie together are all states here, and what holds the "
        "constraints adds poles of about -10 1/s; the mechanism file gives minimal coordinates");
  return model;
}

}  // namespace mechfmu
