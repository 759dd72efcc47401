#include "coupling/coupled_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <deque>

#include "harness/variable_recorder.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool goes_on(fmi2Status status) { return status == fmi2OK || status == fmi2Warning; }

// Columns of all components: variables of one component stand together.
class Columns {
 public:
  explicit Columns(const std::vector<CoupledVariable>& variables) {
    for (const CoupledVariable& v : variables) {
      if (parts_.empty() || parts_.back().component != v.component)
        parts_.push_back({v.component, {}, std::nullopt});
      parts_.back().variables.push_back(v.variable);
    }
    for (Part& part : parts_) part.recorder.emplace(part.variables);
  }

  // The component and variable that cannot be recorded, or "".
  std::string read(CouplingMaster& master) {
    for (Part& part : parts_) {
      ComponentRun& component = master.component(part.component);
      const fmi2Status status = part.recorder->read(component.instance());
      const std::string& name = component.component().name;
      if (!goes_on(status))
        return fmt::format("component '{}': reading the outputs returned {}", name, word(status));
      if (const FmuVariable* bad = part.recorder->find_not_finite())
        return fmt::format("'{}.{}' is not a finite number", name, bad->name);
    }
    return {};
  }

  // What cannot be read is not a number here.
  void observe(CouplingMaster& master, std::vector<double>& numbers) {
    numbers.clear();
    for (Part& part : parts_)
      if (goes_on(part.recorder->read(master.component(part.component).instance())))
        part.recorder->take_numbers(numbers);
      else
        numbers.resize(numbers.size() + part.variables.size(), std::nan(""));
  }

  [[nodiscard]] std::string line(double time) const {
    std::string text = number_text(time);
    for (const Part& part : parts_) part.recorder->append_fields(text);
    return text + '\n';
  }

 private:
  struct Part {
    std::size_t component;
    std::vector<const FmuVariable*> variables;
    std::optional<VariableRecorder> recorder;
  };
  std::deque<Part> parts_;  // recorders refer to their variables
};

class CoupledRun {
 public:
  CoupledRun(const CoupledSystem& system, const CoupledPlan& plan, const CouplingOptions& options,
             const LineSink& sink, const RowSink& rows, Diagnostics& diagnostics)
      : system_(system),
        plan_(plan),
        sink_(sink),
        rows_(rows),
        diagnostics_(diagnostics),
        master_(system, options),
        recorded_(plan.recorded),
        observed_(plan.observed) {}

  CoupledReport go(const FmuMessageSink& messages, const CallSink& calls) {
    const CommunicationPlan& points = plan_.communication;
    report_.time = points.start();
    for (const std::size_t i : master_.component_order())
      report_.component_order.push_back(system_.components[i].name);
    const int errors_before = diagnostics_.error_count();
    if (master_.initialize(points.start(), points.stop(), messages, calls, diagnostics_)) {
      const double begin = cpu_seconds();
      step();
      report_.cpu_seconds = cpu_seconds() - begin;
    } else if (diagnostics_.error_count() == errors_before) {
      stop(master_.failure());
    }
    report_.statistics = master_.statistics();
    return report_;
  }

 private:
  void stop(const CouplingFailure& failure) {
    diagnostics_.error(failure.code, std::nullopt, failure.message);
  }

  void step() {
    const CommunicationPlan& points = plan_.communication;
    std::vector<std::string> names;
    for (const CoupledVariable& v : plan_.recorded) names.push_back(column_name(system_, v));
    if (!write(make_csv_header(names)) || !record()) return;
    for (std::int64_t k = 0; k < points.step_count(); ++k) {
      const bool is_done = master_.go_to(points.point(k + 1));
      report_.time = master_.time();
      if (!is_done) return stop(master_.failure());
      if (points.is_recorded(k + 1) && !record()) return;
    }
    report_.completed = master_.terminate();
    if (!report_.completed) stop(master_.failure());
  }

  bool record() {
    if (const std::string bad = recorded_.read(master_); !bad.empty()) {
      stop({"E623", fmt::format("stopped at t = {} s: {}", number_text(report_.time), bad), false});
      return false;
    }
    if (!write(recorded_.line(report_.time))) return false;
    if (rows_) {
      observed_.observe(master_, numbers_);
      rows_(report_.time, numbers_);
    }
    ++report_.rows;
    return true;
  }

  bool write(const std::string& line) {
    report_.sink_failed = !sink_(line);
    return !report_.sink_failed;
  }

  const CoupledSystem& system_;
  const CoupledPlan& plan_;
  const LineSink& sink_;
  const RowSink& rows_;
  Diagnostics& diagnostics_;
  CouplingMaster master_;
  Columns recorded_, observed_;
  std::vector<double> numbers_;
  CoupledReport report_;
};

}  // namespace

std::string column_name(const CoupledSystem& system, const CoupledVariable& variable) {
  return system.components[variable.component].name + "." + variable.variable->name;
}

std::optional<CoupledPlan> make_coupled_plan(const CoupledSystem& system,
                                             const CommunicationRequest& request,
                                             const std::vector<std::string>& output_variables,
                                             Diagnostics& diagnostics) {
  const bool can_vary = std::all_of(
      system.components.begin(), system.components.end(),
      [](const auto& c) { return c.fmu->description().co_simulation->can_handle_variable_step; });
  const std::optional<CommunicationPlan> points =
      CommunicationPlan::make(request, system.experiment, can_vary, diagnostics);
  std::vector<CoupledVariable> all, outputs;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < system.components.size(); ++i)
    for (const FmuVariable& v : system.components[i].fmu->description().variables) {
      if (v.causality == FmuVariable::Causality::independent) continue;
      all.push_back({i, &v});
      names.push_back(column_name(system, all.back()));
      if (v.causality == FmuVariable::Causality::output) outputs.push_back(all.back());
    }
  if (!output_variables.empty()) outputs.clear();
  for (const std::string& name : output_variables) {
    const auto it = std::find(names.begin(), names.end(), name);
    if (it != names.end())
      outputs.push_back(all[static_cast<std::size_t>(it - names.begin())]);
    else
      diagnostics.error("E711", std::nullopt,
                        fmt::format("--output-variable: no variable '{}'", name),
                        did_you_mean(name, {names.begin(), names.end()}, "variables"));
  }
  if (!points || diagnostics.has_errors()) return std::nullopt;
  return CoupledPlan{*points, std::move(outputs), {}};
}

CoupledReport run_coupled(const CoupledSystem& system, const CoupledPlan& plan,
                          const CouplingOptions& options, const LineSink& sink,
                          const FmuMessageSink& messages, const CallSink& calls,
                          Diagnostics& diagnostics, const RowSink& rows) {
  return CoupledRun(system, plan, options, sink, rows, diagnostics).go(messages, calls);
}

}  // namespace mechfmu
