// An FMU run through the product's host with its rows recorded as `simulate --report` does it.
#pragma once
#include "../fmu/built_fmu.hpp"
#include "harness/simulation_run.hpp"
#include "report/make_report.hpp"

namespace mechfmu::testing {

inline Recording record(const Fmu& fmu, double stop, double step,
                        std::vector<std::pair<std::string, std::string>> start_values = {}) {
  SimulationRequest request;
  request.communication.stop = stop;
  request.communication.step = step;
  request.start_values = std::move(start_values);
  Diagnostics diagnostics;
  std::optional<SimulationPlan> plan =
      make_simulation_plan(fmu.description(), request, diagnostics, diagnostics);
  if (!plan) throw std::runtime_error(diagnostics.all().front().message);
  plan->observed = choose_observed(fmu.description(), {}, 1000).variables;
  std::vector<std::string> names;
  for (const FmuVariable* v : plan->observed) names.push_back(v->name);
  RecordingMaker maker("run", names, plan->communication.step_count() + 1);
  const SimulationReport report = run_simulation(
      fmu, *plan, [](const std::string&) { return true; }, [](const FmuMessage&) {}, CallLog(),
      diagnostics, [&](double time, std::span<const double> values) { maker.add(time, values); });
  EXPECT_TRUE(report.completed);
  return maker.finish();
}

inline Report report_of(const Fmu& fmu, Recording recording) {
  ReportSources sources;
  sources.fmu = &fmu;
  sources.recordings.push_back(std::move(recording));
  return make_report(std::move(sources));
}

}  // namespace mechfmu::testing
