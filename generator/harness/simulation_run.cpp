#include "harness/simulation_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "harness/variable_recorder.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

using Type = FmuVariable::Type;

constexpr double kSameTime = 1e-9;  // of a step: times nearer than this are the same
constexpr useconds_t kPollPause =
    1000;  // [us] between questions to an FMU that steps in the background

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool goes_on(fmi2Status status) { return status == fmi2OK || status == fmi2Warning; }

// Inputs from the table, grouped by the calls that set them.
class InputSignals {
 public:
  explicit InputSignals(const SimulationPlan& plan)
      : table_(plan.input_table), gives_slopes_(plan.gives_input_slopes) {
    for (const SimulationPlan::Input& input : plan.inputs) {
      const FmuVariable& variable = *input.variable;
      const bool smooth = variable.type == Type::real &&
                          variable.variability == FmuVariable::Variability::continuous;
      Group& group = smooth                           ? smooth_
                     : variable.type == Type::real    ? held_
                     : variable.type == Type::boolean ? booleans_
                                                      : integers_;
      group.references.push_back(variable.value_reference);
      group.columns.push_back(input.column);
    }
    orders_.assign(smooth_.references.size(), 1);
  }

  // At the beginning of a step from `time` over `step`; step 0: no slopes (initialization).
  fmi2Status set(FmuInstance& instance, double time, double step, double tolerance) {
    fmi2Status worst = fmi2OK;
    const auto apply = [&](fmi2Status status) { worst = std::max(worst, status); };
    const auto sample = [&](const Group& group, Interpolation how, auto& values) {
      using Value = typename std::remove_reference_t<decltype(values)>::value_type;
      values.clear();
      for (const std::size_t column : group.columns)
        values.push_back(static_cast<Value>(calc_signal(table_, column, time, how, tolerance)));
      return !values.empty() && goes_on(worst);
    };
    if (sample(smooth_, Interpolation::linear, reals_)) {
      apply(instance.set_real(smooth_.references, reals_));
      if (step > 0 && gives_slopes_ && goes_on(worst))
        apply(set_slopes(instance, time, step, tolerance));
    }
    if (sample(held_, Interpolation::hold, reals_))
      apply(instance.set_real(held_.references, reals_));
    if (sample(integers_, Interpolation::hold, whole_))
      apply(instance.set_integer(integers_.references, whole_));
    if (sample(booleans_, Interpolation::hold, whole_))
      apply(instance.set_boolean(booleans_.references, whole_));
    return worst;
  }

 private:
  struct Group {
    FmuInstance::References references;
    std::vector<std::size_t> columns;
  };

  // The chord over the step, not the slope at its beginning: then the FMU sees the table's value at
  // both ends.
  fmi2Status set_slopes(FmuInstance& instance, double time, double step, double tolerance) {
    for (std::size_t i = 0; i < reals_.size(); ++i) {
      const double end = calc_signal_before(table_, smooth_.columns[i], time + step,
                                            Interpolation::linear, tolerance);
      reals_[i] = (end - reals_[i]) / step;
    }
    return instance.set_real_input_derivatives(smooth_.references, orders_, reals_);
  }

  const CsvTable& table_;
  bool gives_slopes_;
  Group smooth_, held_, integers_, booleans_;
  std::vector<int> orders_;
  std::vector<double> reals_;
  std::vector<int> whole_;
};

// constraint.residual and energy.total, where an FMU has them: the health of the run.
class Watcher {
 public:
  Watcher(const ModelDescription& description, std::string_view name) {
    const FmuVariable* variable = description.find(name);
    if (variable != nullptr && variable->type == Type::real)
      references_.push_back(variable->value_reference);
  }

  void read(FmuInstance& instance) {
    if (references_.empty() || !goes_on(instance.get_real(references_, values_))) return;
    const double value = values_.front();
    if (!watched_) watched_ = Watched{value, value, value, value};
    watched_->last = value;
    watched_->lowest = std::min(watched_->lowest, value);
    watched_->highest = std::max(watched_->highest, value);
  }

  [[nodiscard]] const std::optional<Watched>& result() const { return watched_; }

 private:
  FmuInstance::References references_;
  std::vector<double> values_;
  std::optional<Watched> watched_;
};

class Run {
 public:
  Run(const Fmu& fmu, const SimulationPlan& plan, const LineSink& sink, const RowSink& rows,
      Diagnostics& diagnostics)
      : fmu_(fmu),
        plan_(plan),
        sink_(sink),
        rows_(rows),
        diagnostics_(diagnostics),
        recorder_(plan.recorded),
        observer_(plan.observed),
        inputs_(plan),
        residual_(fmu.description(), "constraint.residual"),
        energy_(fmu.description(), "energy.total") {}

  SimulationReport go(const FmuMessageSink& messages, const CallLog& log) {
    report_.time = plan_.communication.start();
    const std::unique_ptr<FmuInstance> instance =
        fmu_.instantiate(fmu_.description().model_name, messages, log, false, diagnostics_);
    if (!instance) return report_;
    if (initialize(*instance)) {
      const double begin = cpu_seconds();
      step(*instance);
      report_.cpu_seconds = cpu_seconds() - begin;
    }
    report_.residual = residual_.result();
    report_.energy = energy_.result();
    return report_;
  }

 private:
  // False and an error unless the call went well.
  bool check(FmuInstance& instance, fmi2Status status, const char* what) {
    if (goes_on(status)) return true;
    stop("E621", instance, fmt::format("{} returned {}", what, word(status)));
    return false;
  }

  void stop(const char* code, const FmuInstance& instance, const std::string& reason) {
    const std::string& said = instance.last_message();
    diagnostics_.error(
        code, std::nullopt,
        fmt::format("{}: stopped at t = {} s: {}{}{}", fmu_.path(), number_text(report_.time),
                    reason, said.empty() ? "" : ": ", said));
  }

  bool initialize(FmuInstance& instance) {
    const CommunicationPlan& points = plan_.communication;
    const double tolerance = kSameTime * points.step();
    return check(instance, instance.setup_experiment(std::nullopt, points.start(), points.stop()),
                 "fmi2SetupExperiment") &&
           check(instance, plan_.start_values.before.set(instance), "setting the start values") &&
           check(instance, instance.enter_initialization_mode(), "fmi2EnterInitializationMode") &&
           check(instance, plan_.start_values.inputs.set(instance), "setting the inputs") &&
           check(instance, inputs_.set(instance, points.start(), 0, tolerance),
                 "setting the inputs") &&
           check(instance, instance.exit_initialization_mode(), "fmi2ExitInitializationMode");
  }

  void step(FmuInstance& instance) {
    const CommunicationPlan& points = plan_.communication;
    std::vector<std::string> names;
    for (const FmuVariable* variable : plan_.recorded) names.push_back(variable->name);
    if (!write(make_csv_header(names)) || !record(instance)) return;
    for (std::int64_t k = 0; k < points.step_count(); ++k) {
      const double time = points.point(k);
      const double length = points.point(k + 1) - time;
      const fmi2Status set = inputs_.set(instance, time, length, kSameTime * points.step());
      if (!check(instance, set, "setting the inputs")) return;
      if (!do_step(instance, time, length)) return;
      ++report_.steps;
      report_.time = points.point(k + 1);
      if (points.is_recorded(k + 1) && !record(instance)) return;
    }
    report_.completed = check(instance, instance.terminate(), "fmi2Terminate");
  }

  bool do_step(FmuInstance& instance, double time, double length) {
    fmi2Status status = instance.do_step(time, length);
    while (status == fmi2Pending) {
      usleep(kPollPause);
      if (!goes_on(instance.functions().GetStatus(instance.component(), fmi2DoStepStatus, &status)))
        status = fmi2Error;
    }
    if (goes_on(status)) return true;
    std::string reason = fmt::format("fmi2DoStep(t={}, h={}) returned {}", number_text(time),
                                     number_text(length), word(status));
    if (status == fmi2Discard) {
      // the reason is asked for before anything else is called
      double reached = time;
      bool terminated = false;
      const bool has_time = instance.get_real_status(fmi2LastSuccessfulTime, reached) == fmi2OK;
      const bool has_end = instance.get_boolean_status(fmi2Terminated, terminated) == fmi2OK;
      if (has_end && terminated) {
        end_early(instance, has_time ? reached : time);
        return false;
      }
      if (has_time && reached > time)
        reason += fmt::format(", last successful time {} s", number_text(reached));
    }
    stop("E622", instance, reason);
    if (status == fmi2Discard) instance.terminate();
    return false;
  }

  // FMI 2.0: fmi2Discard with fmi2Terminated is an end, at the last successful time, and no fault.
  void end_early(FmuInstance& instance, double reached) {
    report_.ended_by_fmu = true;
    if (reached > report_.time) {
      ++report_.steps;
      report_.time = reached;
      if (!record(instance)) return;
    }
    report_.completed = check(instance, instance.terminate(), "fmi2Terminate");
  }

  bool record(FmuInstance& instance) {
    if (!check(instance, recorder_.read(instance), "reading the outputs")) return false;
    residual_.read(instance);
    energy_.read(instance);
    if (const FmuVariable* bad = recorder_.find_not_finite()) {
      stop("E623", instance, fmt::format("'{}' is not a finite number", bad->name));
      return false;
    }
    std::string line = number_text(report_.time);
    recorder_.append_fields(line);
    if (!write(line + '\n')) return false;
    if (rows_) observe(instance);
    ++report_.rows;
    return true;
  }

  // What cannot be read is not a number here: nothing that was only looked at stops a run.
  void observe(FmuInstance& instance) {
    observed_.clear();
    if (goes_on(observer_.read(instance)))
      observer_.take_numbers(observed_);
    else
      observed_.assign(plan_.observed.size(), std::nan(""));
    rows_(report_.time, observed_);
  }

  bool write(const std::string& line) {
    report_.sink_failed = !sink_(line);
    return !report_.sink_failed;
  }

  const Fmu& fmu_;
  const SimulationPlan& plan_;
  const LineSink& sink_;
  const RowSink& rows_;
  Diagnostics& diagnostics_;
  VariableRecorder recorder_, observer_;
  std::vector<double> observed_;
  InputSignals inputs_;
  Watcher residual_, energy_;
  SimulationReport report_;
};

}  // namespace

SimulationReport run_simulation(const Fmu& fmu, const SimulationPlan& plan, const LineSink& sink,
                                const FmuMessageSink& messages, const CallLog& log,
                                Diagnostics& diagnostics, const RowSink& rows) {
  return Run(fmu, plan, sink, rows, diagnostics).go(messages, log);
}

}  // namespace mechfmu
