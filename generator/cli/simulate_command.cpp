// mechfmu simulate: runs an FMU, or a mechanism file that is built first, and writes CSV.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "build/output_file.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/run_report.hpp"
#include "cli/runnable_fmu.hpp"
#include "cli/system_options.hpp"
#include "cli/words.hpp"
#include "harness/fmu.hpp"
#include "harness/result_file.hpp"
#include "harness/simulation_run.hpp"
#include "readers/xml_reader.hpp"
#include "support/json_writer.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr std::size_t kLargestInputFile = std::size_t{1} << 30U;

struct SimulateArguments {
  std::string file;
  std::optional<std::string> start_time, stop_time, step_size, output_interval;
  std::vector<std::string> start_values, output_variables;
  std::string input_file, output_file, report;
  bool log_calls = false;
  bool json = false;
  SystemArguments system;
};

bool make_request(const SimulateArguments& arguments, SimulationRequest& request,
                  Session& session) {
  CommunicationRequest& c = request.communication;
  if (!parse_seconds("--start-time", arguments.start_time, c.start, session) ||
      !parse_seconds("--stop-time", arguments.stop_time, c.stop, session) ||
      !parse_seconds("--step-size", arguments.step_size, c.step, session) ||
      !parse_seconds("--output-interval", arguments.output_interval, c.output_interval, session))
    return false;
  for (const std::string& text : arguments.start_values) {
    const auto assignment = split_assignment("--start-value", text, session);
    if (!assignment) return false;
    request.start_values.push_back(*assignment);
  }
  request.output_variables = arguments.output_variables;
  return true;
}

std::string make_summary(const SimulationReport& report, const SimulationPlan& plan,
                         const std::string& name) {
  const double simulated = report.time - plan.communication.start();
  std::string text =
      fmt::format("{}: {} steps of {} s to t = {} s, {} rows\n", name, report.steps,
                  number_text(plan.communication.step()), number_text(report.time), report.rows);
  if (report.ended_by_fmu) text += "the FMU ended the simulation there\n";
  if (report.residual)
    text += fmt::format("constraint.residual: {:.2g} at the end, at most {:.2g}\n",
                        report.residual->last, report.residual->highest);
  if (report.energy) {
    const Watched& e = *report.energy;
    const double drift = std::max(e.highest - e.first, e.first - e.lowest);
    const double scale = std::max(std::abs(e.highest), std::abs(e.lowest));
    text += fmt::format("energy.total: {} J at the start, changed by at most {:.2g} J",
                        number_text(e.first), drift);
    // of an energy that starts at its zero nothing relative can be said
    text += std::abs(e.first) > 1e-6 ? fmt::format(" (relative {:.2g})\n", drift / scale) : "\n";
  }
  text += fmt::format("CPU time {:.3g} s", report.cpu_seconds);
  if (report.cpu_seconds > 0) {
    const double factor = simulated / report.cpu_seconds;
    text += factor < 100 ? fmt::format(": {:.3g} times real time", factor)
                         : fmt::format(": {:.0f} times real time", factor);
  }
  return text + '\n';
}

std::string make_json(const SimulationReport& report, const SimulationPlan& plan,
                      const SimulateArguments& arguments, const Diagnostics& diagnostics) {
  JsonWriter json;
  json.begin_object()
      .member("file", arguments.file)
      .member("completed", report.completed)
      .member("ended_by_fmu", report.ended_by_fmu)
      .member("start", plan.communication.start())
      .member("stop", plan.communication.stop())
      .member("time", report.time)
      .member("step", plan.communication.step())
      .member("steps", report.steps)
      .member("rows", report.rows)
      .member("cpu_seconds", report.cpu_seconds);
  const auto write = [&](const char* name, const std::optional<Watched>& watched) {
    if (!watched) return;
    json.key(name)
        .begin_object()
        .member("first", watched->first)
        .member("last", watched->last)
        .member("lowest", watched->lowest)
        .member("highest", watched->highest)
        .end_object();
  };
  write("constraint.residual", report.residual);
  write("energy.total", report.energy);
  if (!arguments.output_file.empty()) json.member("output_file", arguments.output_file);
  if (!arguments.report.empty()) json.member("report", arguments.report);
  if (!report.completed && !diagnostics.all().empty())
    json.member("reason", diagnostics.all().back().message);
  return json.end_object().text();
}

// What the FMU says goes to stderr at once, except that the last complaint is kept back: if it is
// the reason for stopping, the error that ends the run repeats it.
class MessagePrinter {
 public:
  explicit MessagePrinter(const Session& session) : session_(session) {}

  void print(const FmuMessage& message) {
    flush();
    const std::string line =
        fmt::format("FMU: {}{}{}", message.text, message.category.empty() ? "" : " [",
                    message.category.empty() ? "" : message.category + "]");
    if (message.status == fmi2OK || message.status == fmi2Warning) {
      session_.message(line);
    } else {
      held_ = line;
      held_text_ = message.text;
    }
  }

  void finish(const Diagnostics& diagnostics) {
    for (const Diagnostic& d : diagnostics.all())
      if (!held_text_.empty() && d.message.find(held_text_) != std::string::npos) held_.clear();
    flush();
  }

 private:
  void flush() {
    if (!held_.empty()) session_.message(held_);
    held_.clear();
  }

  const Session& session_;
  std::string held_, held_text_;
};

// The rows up to a stop are kept: they show what led to it. With a report the CSV is written only
// where it was asked for.
void run(const Fmu& fmu, SimulationPlan& plan, const SimulateArguments& arguments,
         Session& session) {
  Diagnostics diagnostics;
  const bool has_table = arguments.report.empty() || !arguments.output_file.empty();
  const std::unique_ptr<ResultFile> output = ResultFile::open(arguments.output_file, diagnostics);
  if (!output || (!arguments.report.empty() && !check_output(arguments.report, diagnostics))) {
    session.exit_code = session.report(diagnostics, nullptr);
    return;
  }
  MessagePrinter printer(session);
  CallLog log;
  // asked for by name, so --quiet does not silence it
  if (arguments.log_calls)
    log = CallLog([](const std::string& line) { fmt::print(stderr, "{}\n", line); });
  std::optional<RunReport> page;
  if (!arguments.report.empty()) page.emplace(fmu, plan, arguments.output_variables);
  const SimulationReport report = run_simulation(
      fmu, plan, [&](const std::string& line) { return !has_table || output->write(line); },
      [&](const FmuMessage& message) { printer.print(message); }, log, diagnostics,
      page ? page->sink() : RowSink());
  printer.finish(diagnostics);

  Diagnostics disk;
  const bool has_rows = report.rows > 0 || report.completed;
  const bool is_written = has_rows && output->commit(disk);
  session.report(diagnostics, nullptr);
  session.exit_code = session.report(disk, nullptr);
  if (output->is_abandoned()) {
    session.exit_code = kExitEnvironment;
    return;
  }
  if (page && report.rows > 0 &&
      !write_page(arguments.report, make_report_page(make_report(page->make_sources(report))),
                  session))
    return;
  if (session.exit_code == kExitDone && !report.completed) session.exit_code = kExitStopped;

  if (arguments.json) {
    const std::string json = make_json(report, plan, arguments, diagnostics);
    if (has_table && arguments.output_file.empty())
      session.message(json);
    else
      session.result(json);
  } else if (has_rows) {
    session.message(make_summary(report, plan, arguments.file));
  }
  if (!is_written || arguments.json) return;
  std::vector<std::string> written;
  for (const std::string& path : {arguments.output_file, arguments.report})
    if (!path.empty()) written.push_back(path);
  const std::string where =
      written.empty() ? std::string() : fmt::format("wrote {}; ", join(written, " and "));
  if (!report.completed)
    session.message(where + "next: try a smaller --step-size, or another scheme");
  else if (is_archive(arguments.file))
    session.message(fmt::format("{}next: mechfmu info {}", where, shell_word(arguments.file)));
  else
    session.message(fmt::format("{}next: mechfmu build {}", where, shell_word(arguments.file)));
}

void run_simulate(const SimulateArguments& arguments, Session& session) {
  SimulationRequest request;
  if (!make_request(arguments, request, session)) return;

  std::optional<SourceText> input_text;
  if (!arguments.input_file.empty()) {
    Diagnostics diagnostics;
    input_text = read_file(arguments.input_file, diagnostics, kLargestInputFile);
    if (input_text) request.inputs = parse_csv(*input_text, diagnostics);
    const SourceText nowhere(arguments.input_file, "");
    session.exit_code = session.report(diagnostics, input_text ? &*input_text : &nowhere);
    if (!request.inputs) return;
  }

  const std::optional<RunnableFmu> runnable = open_runnable(
      arguments.file, arguments.system,
      arguments.report.empty() ? ExposeByDefault::outputs : ExposeByDefault::for_report, session);
  if (!runnable) return;

  Diagnostics usage;
  Diagnostics inputs;
  std::optional<SimulationPlan> plan =
      make_simulation_plan(runnable->fmu->description(), request, usage, inputs);
  if (!plan) {
    if (input_text) session.exit_code = session.report(inputs, &*input_text);
    if (session.report(usage, nullptr) != kExitDone) session.exit_code = kExitUsage;
    return;
  }
  run(*runnable->fmu, *plan, arguments, session);
}

}  // namespace

void add_simulate_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<SimulateArguments>();
  CLI::App& command = add_command(app, "simulate", "run an FMU or a mechanism, write CSV",
                                  "mechfmu simulate FourBar.fmu --output-file result.csv\n"
                                  "mechfmu simulate four_bar.xml --stop-time 5 --start-value "
                                  "tau=0.1 --output-variable crank_angle",
                                  [arguments, &session] { run_simulate(*arguments, session); });
  SimulateArguments& a = *arguments;
  add_argument(command, "FILE", a.file, "FMU (FMI 2.0 co-simulation) or mechanism file", true);
  add_option(command, "--start-time", "TIME", a.start_time, "start time");
  add_option(command, "--stop-time", "TIME", a.stop_time, "stop time");
  add_option(command, "--step-size", "TIME", a.step_size, "communication step");
  add_option(command, "--output-interval", "TIME", a.output_interval,
             "time between rows; a multiple of the communication step");
  add_list_option(command, "--start-value", "NAME=VALUE", a.start_values,
                  "value of a parameter, start or input; may be repeated");
  add_list_option(command, "--output-variable", "NAME", a.output_variables,
                  "record this variable instead of all outputs; may be repeated");
  add_option(command, "--input-file", "CSV", a.input_file, "inputs over time; first column 'time'");
  add_option(command, "--output-file", "CSV", a.output_file, "results (default: standard output)");
  add_option(
      command, "--report", "HTML", a.report,
      "a page with the animated mechanism and plots of the run; the CSV is then written only "
      "with --output-file");
  add_flag(command, "--log-fmi-calls", a.log_calls, "every call of an FMI function, on stderr");
  add_flag(command, "--json", a.json, "the summary as JSON, on stdout unless the CSV is there");
  add_system_options(command, a.system);
}

}  // namespace mechfmu
