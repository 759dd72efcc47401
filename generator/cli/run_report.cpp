#include "cli/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "build/output_file.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

std::int64_t count_rows(const CommunicationPlan& points) {
  std::int64_t rows = 1;
  for (std::int64_t k = 1; k <= points.step_count(); ++k) rows += points.is_recorded(k) ? 1 : 0;
  return rows;
}

std::vector<std::string> list_names(const std::vector<const FmuVariable*>& variables) {
  std::vector<std::string> names;
  for (const FmuVariable* variable : variables) names.push_back(variable->name);
  return names;
}

LabelledTexts make_facts(const SimulationReport& report, const CommunicationPlan& points) {
  LabelledTexts facts;
  facts.emplace_back(
      "Time", fmt::format("{} to {} s", number_text(points.start()), number_text(report.time)));
  facts.emplace_back("Steps", fmt::format("{} of {} s", report.steps, number_text(points.step())));
  if (report.residual)
    facts.emplace_back("Largest residual", fmt::format("{:.2g}", report.residual->highest));
  if (report.energy) {
    const Watched& e = *report.energy;
    facts.emplace_back("Energy changes by",
                       fmt::format("{:.3g} J", std::max(e.highest - e.first, e.first - e.lowest)));
  }
  const double simulated = report.time - points.start();
  if (report.cpu_seconds > 0 && simulated > 0) {
    const double factor = simulated / report.cpu_seconds;
    facts.emplace_back("CPU time", fmt::format("{:.2g} s, {} times real time", report.cpu_seconds,
                                               factor < 100 ? fmt::format("{:.3g}", factor)
                                                            : fmt::format("{:.0f}", factor)));
  }
  return facts;
}

}  // namespace

RunReport::RunReport(const Fmu& fmu, SimulationPlan& plan,
                     const std::vector<std::string>& asked_for)
    : fmu_(fmu), plan_(plan), maker_("", {}, 1) {
  const std::int64_t rows = count_rows(plan.communication);
  Observed observed = choose_observed(fmu.description(), asked_for, rows);
  plan.observed = std::move(observed.variables);
  left_out_ = observed.left_out;
  maker_ = RecordingMaker(std::filesystem::path(fmu.path()).filename().string(),
                          list_names(plan.observed), rows);
}

RowSink RunReport::sink() {
  return [this](double time, std::span<const double> values) { maker_.add(time, values); };
}

ReportSources RunReport::make_sources(const SimulationReport& report) {
  ReportSources sources;
  sources.fmu = &fmu_;
  sources.facts = make_facts(report, plan_.communication);
  sources.recordings.push_back(take_recording());
  if (!report.completed)
    sources.notes.push_back(fmt::format("The run stopped at t = {} s, before its end at {} s.",
                                        number_text(report.time),
                                        number_text(plan_.communication.stop())));
  if (left_out_ > 0)
    sources.notes.push_back(
        fmt::format("{} more local variables of the FMU were left out to keep the page small; "
                    "--output-variable NAME records one of them.",
                    left_out_));
  return sources;
}

bool write_page(const std::string& path, std::string_view content, Session& session) {
  Diagnostics diagnostics;
  const bool is_written = write_output(path, content, diagnostics);
  if (!is_written) session.exit_code = session.report(diagnostics, nullptr);
  return is_written;
}

}  // namespace mechfmu
