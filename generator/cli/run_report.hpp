// The report of a run: tells the run what to record, collects it, writes the page.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "harness/simulation_run.hpp"
#include "report/make_report.hpp"

namespace mechfmu {

class RunReport {
 public:
  // Adds to plan.observed; `asked_for` are variables wanted by name.
  RunReport(const Fmu& fmu, SimulationPlan& plan, const std::vector<std::string>& asked_for);

  RowSink sink();
  // After the run, if it has rows. What is recorded can be taken once.
  Recording take_recording() { return maker_.finish(); }
  ReportSources make_sources(const SimulationReport& report);

 private:
  const Fmu& fmu_;
  const SimulationPlan& plan_;
  std::size_t left_out_ = 0;
  RecordingMaker maker_;
};

// False and diagnostics printed, session.exit_code set, if it cannot be written.
bool write_page(const std::string& path, std::string_view content, Session& session);

}  // namespace mechfmu
