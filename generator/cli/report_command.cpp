// mechfmu report: an HTML page of a run, or an SVG plot for a paper. An FMU (or a mechanism file,
// which is built first) alone is run over its default experiment; with CSV files it only says what
// their columns mean.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "build/output_file.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/run_report.hpp"
#include "cli/runnable_fmu.hpp"
#include "cli/words.hpp"
#include "readers/xml_reader.hpp"
#include "report/svg_plot.hpp"
#include "support/did_you_mean.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestCsv = std::size_t{1} << 30U;

struct ReportArguments {
  std::vector<std::string> files;
  std::vector<std::string> plots;
  std::string output;
};

bool is_csv(const std::string& path) { return fs::path(path).extension() == ".csv"; }

std::optional<Recording> read_recording(const std::string& path, Session& session) {
  Diagnostics diagnostics;
  const std::optional<SourceText> text = read_file(path, diagnostics, kLargestCsv);
  std::optional<CsvTable> table;
  if (text) table = parse_csv(*text, diagnostics);
  const SourceText nowhere(path, "");
  session.exit_code = session.report(diagnostics, text ? &*text : &nowhere);
  if (!table) return std::nullopt;
  return make_recording(*table, fs::path(path).filename().string());
}

// The FMU's own experiment.
bool run_default(const Fmu& fmu, ReportSources& sources, Session& session) {
  Diagnostics diagnostics;
  std::optional<SimulationPlan> plan =
      make_simulation_plan(fmu.description(), {}, diagnostics, diagnostics);
  if (!plan) {
    session.exit_code = session.report(diagnostics, nullptr);
    return false;
  }
  RunReport run(fmu, *plan, {});
  const SimulationReport report = run_simulation(
      fmu, *plan, [](const std::string&) { return true; },
      [&](const FmuMessage& message) { session.message("FMU: " + message.text); }, CallLog(),
      diagnostics, run.sink());
  session.exit_code = session.report(diagnostics, nullptr);
  if (!report.completed) session.exit_code = kExitStopped;
  if (report.rows == 0) return false;
  sources = run.make_sources(report);
  return true;
}

std::vector<std::string> split_names(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists)
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end > begin) names.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  return names;
}

// Each name in every recording that has it; usage errors for names that none has.
std::vector<PlotLine> find_lines(const std::vector<std::string>& names,
                                 const ReportSources& sources, Session& session) {
  std::vector<PlotLine> lines;
  std::vector<std::string_view> known;
  for (const Recording& recording : sources.recordings)
    known.insert(known.end(), recording.names.begin(), recording.names.end());
  for (const std::string& name : names) {
    const std::size_t before = lines.size();
    for (const Recording& recording : sources.recordings) {
      const std::vector<double>* column = recording.find(name);
      if (column == nullptr) continue;
      const FmuVariable* variable =
          sources.fmu == nullptr ? nullptr : sources.fmu->description().find(name);
      lines.push_back(
          {sources.recordings.size() > 1 ? fmt::format("{} ({})", name, recording.label) : name,
           variable == nullptr ? "" : variable->unit, recording.time, *column,
           name.starts_with("constraint.residual")});
    }
    if (lines.size() > before) continue;
    session.usage_error(fmt::format("--plot: no variable '{}' was recorded", name),
                        did_you_mean(name, known, "variables"));
    return {};
  }
  return lines;
}

std::string default_output(const ReportArguments& arguments, const ReportSources& sources) {
  const std::string name = sources.fmu != nullptr
                               ? sources.fmu->description().model_name
                               : fs::path(arguments.files.front()).stem().string();
  return name + (arguments.plots.empty() ? ".html" : ".svg");
}

// Ready to run, or only to be read: an FMU that tells what columns mean need not run here.
std::optional<RunnableFmu> open_model(const std::string& file, bool runs, Session& session) {
  if (runs || !is_archive(file))
    return open_runnable(file, {}, ExposeByDefault::for_report, session);
  RunnableFmu readable;
  Diagnostics diagnostics;
  std::optional<SourceText> text;
  readable.fmu = Fmu::open(file, diagnostics, &text);
  session.exit_code = session.report(diagnostics, text ? &*text : nullptr);
  if (!readable.fmu) return std::nullopt;
  return readable;
}

void run_report(const ReportArguments& arguments, Session& session) {
  ReportSources sources;
  std::optional<RunnableFmu> runnable;
  const bool has_numbers = std::any_of(arguments.files.begin(), arguments.files.end(), is_csv);
  for (const std::string& file : arguments.files) {
    if (is_csv(file)) {
      std::optional<Recording> recording = read_recording(file, session);
      if (!recording) return;
      sources.recordings.push_back(std::move(*recording));
    } else if (runnable) {
      session.usage_error("report: more than one FMU or mechanism",
                          "run each with 'mechfmu simulate' and report the CSV files");
      return;
    } else {
      runnable = open_model(file, !has_numbers, session);
      if (!runnable) return;
    }
  }
  Diagnostics diagnostics;
  if (!arguments.output.empty() && !check_output(arguments.output, diagnostics)) {
    session.exit_code = session.report(diagnostics, nullptr);
    return;
  }
  if (runnable && sources.recordings.empty()) {
    if (!run_default(*runnable->fmu, sources, session)) return;
  } else if (runnable) {
    sources.fmu = runnable->fmu.get();
  }
  const std::string output =
      arguments.output.empty() ? default_output(arguments, sources) : arguments.output;
  std::string content;
  if (arguments.plots.empty()) {
    content = make_report_page(make_report(std::move(sources)));
  } else {
    const std::vector<PlotLine> lines = find_lines(split_names(arguments.plots), sources, session);
    if (lines.empty()) return;
    content = make_svg_plot(lines);
  }
  const int exit_code = session.exit_code;
  if (!write_page(output, content, session)) return;
  session.exit_code = exit_code;
  session.message(fmt::format("wrote {} ({:.0f} kB); next: open it in a browser", output,
                              static_cast<double>(content.size()) / 1000));
}

}  // namespace

void add_report_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App& command = add_command(
      app, "report", "a page with the animated mechanism and plots, or an SVG plot",
      "mechfmu report FourBar.fmu -o run.html\n"
      "mechfmu report result.csv FourBar.fmu --plot crank_angle,rocker_angle -o angles.svg",
      [arguments, &session] { run_report(*arguments, session); });
  ReportArguments& a = *arguments;
  add_list_argument(command, "FILE", a.files,
                    "an FMU or mechanism (run over its default experiment), or CSV files of runs; "
                    "with both, the FMU says what the columns mean");
  add_option(command, "-o,--output", "FILE", a.output,
             "the page or plot (default: MODEL.html or MODEL.svg)");
  add_list_option(command, "--plot", "NAME[,NAME...]", a.plots,
                  "an SVG plot of these variables instead of a page");
}

}  // namespace mechfmu
