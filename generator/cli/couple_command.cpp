// mechfmu couple: runs a system of FMUs that an .ssd or .ssp describes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>

#include "build/output_file.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/run_report.hpp"
#include "cli/system_options.hpp"
#include "cli/words.hpp"
#include "coupling/coupled_run.hpp"
#include "coupling/system_folder.hpp"
#include "harness/result_file.hpp"
#include "support/did_you_mean.hpp"
#include "support/json_writer.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr int kMostIterations = 1000;

struct CoupleArguments {
  std::string file, variant;
  std::optional<std::string> method, order, iterations, tolerance;
  std::optional<std::string> start_time, stop_time, step_size, output_interval;
  std::vector<std::string> start_values, output_variables;
  std::string output_file, report;
  bool log_calls = false;
  bool json = false;
};

struct CoupleRequest {
  CouplingOptions options;
  CommunicationRequest communication;
  std::vector<std::pair<std::string, std::string>> start_values;
};

bool parse_count(const char* option, const std::optional<std::string>& text, int most, int& value,
                 Session& session) {
  if (!text) return true;
  const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (status == std::errc() && end == text->data() + text->size() && value >= 0 && value <= most)
    return true;
  session.usage_error(
      fmt::format("{}: '{}' is not a whole number from 0 to {}", option, *text, most));
  return false;
}

bool make_request(const CoupleArguments& a, CoupleRequest& request, Session& session) {
  constexpr std::array<std::string_view, 2> kMethods = {"jacobi", "gauss_seidel"};
  CouplingOptions& options = request.options;
  if (a.method) {
    const auto it = std::find(kMethods.begin(), kMethods.end(), *a.method);
    if (it == kMethods.end()) {
      session.usage_error(fmt::format("--method: no method '{}'", *a.method),
                          did_you_mean(*a.method, {kMethods.begin(), kMethods.end()}, "methods"));
      return false;
    }
    options.method = it == kMethods.begin() ? CouplingMethod::jacobi : CouplingMethod::gauss_seidel;
  }
  if (!parse_count("--order", a.order, 2, options.order, session) ||
      !parse_count("--iterations", a.iterations, kMostIterations, options.iterations, session))
    return false;
  if (a.tolerance) {
    options.tolerance = parse_number(*a.tolerance);
    if (!options.tolerance || !(*options.tolerance > 0 && *options.tolerance < 1)) {
      session.usage_error(
          fmt::format("--tolerance: '{}' is not a number between 0 and 1", *a.tolerance));
      return false;
    }
  }
  CommunicationRequest& c = request.communication;
  if (!parse_seconds("--start-time", a.start_time, c.start, session) ||
      !parse_seconds("--stop-time", a.stop_time, c.stop, session) ||
      !parse_seconds("--step-size", a.step_size, c.step, session) ||
      !parse_seconds("--output-interval", a.output_interval, c.output_interval, session))
    return false;
  for (const std::string& text : a.start_values) {
    const auto assignment = split_assignment("--start-value", text, session);
    if (!assignment) return false;
    request.start_values.push_back(*assignment);
  }
  return true;
}

std::string_view method_word(CouplingMethod method) {
  return method == CouplingMethod::jacobi ? "jacobi" : "gauss_seidel";
}

std::string make_step_text(const CoupledReport& report, const CouplingOptions& options) {
  const CouplingStatistics& s = report.statistics;
  if (!options.tolerance) return fmt::format("{} steps of {:.6g} s", s.steps, s.largest_step);
  return fmt::format("{} steps of {:.2g} to {:.2g} s, {} rejected", s.steps, s.smallest_step,
                     s.largest_step, s.rejected);
}

std::string make_summary(const CoupledSystem& system, const CoupledReport& report,
                         const CouplingOptions& options) {
  const CouplingStatistics& s = report.statistics;
  std::string text =
      fmt::format("{}: {}, {}\n{}, inputs of order {}; components in the order {}\n", system.name,
                  count_text(static_cast<long long>(system.components.size()), "component"),
                  count_text(static_cast<long long>(system.links.size()), "connection"),
                  method_word(options.method), options.order, join(report.component_order));
  for (const std::string& loop : s.loops)
    text += fmt::format("algebraic loop at the start, solved: {}\n", loop);
  for (const std::string& input : system.open_inputs)
    text += fmt::format("nothing drives the system's input '{}'\n", input);
  text += fmt::format("{} to t = {} s, {} rows\n", make_step_text(report, options),
                      number_text(report.time), report.rows);
  if (s.iterating_since)
    text += fmt::format("stiff coupling: signals iterated, first at t = {:.3g} s\n",
                        *s.iterating_since);
  if (s.passes != s.steps)
    text += fmt::format(
        "{:.3g} passes per step\n",
        static_cast<double>(s.passes) / static_cast<double>(std::max<std::int64_t>(1, s.steps)));
  return text + fmt::format("CPU time {:.3g} s", report.cpu_seconds);
}

std::string make_json(const CoupledSystem& system, const CoupledPlan& plan,
                      const CoupledReport& report, const CoupleRequest& request,
                      const CoupleArguments& arguments, const Diagnostics& diagnostics) {
  const CouplingStatistics& s = report.statistics;
  JsonWriter json;
  json.begin_object()
      .member("file", arguments.file)
      .member("system", system.name)
      .member("completed", report.completed)
      .member("start", plan.communication.start())
      .member("stop", plan.communication.stop())
      .member("time", report.time)
      .member("method", method_word(request.options.method))
      .member("order", request.options.order)
      .list("component_order", report.component_order)
      .member("connections", static_cast<std::int64_t>(system.links.size()))
      .list("loops", s.loops)
      .list("open_inputs", system.open_inputs)
      .member("step", plan.communication.step())
      .member("steps", s.steps)
      .member("rejected", s.rejected)
      .member("passes", s.passes)
      .member("smallest_step", s.smallest_step)
      .member("largest_step", s.largest_step);
  json.key("iterating_since");
  if (s.iterating_since)
    json.value(*s.iterating_since);
  else
    json.null();
  json.member("rows", report.rows).member("cpu_seconds", report.cpu_seconds);
  if (!arguments.output_file.empty()) json.member("output_file", arguments.output_file);
  if (!arguments.report.empty()) json.member("report", arguments.report);
  if (!report.completed && !diagnostics.all().empty())
    json.member("reason", diagnostics.all().back().message);
  return json.end_object().text();
}

// What every FMU of the system shows in a report.
class PageMaker {
 public:
  PageMaker(const CoupledSystem& system, CoupledPlan& plan) : system_(system), maker_("", {}, 1) {
    std::int64_t rows = 1;
    for (std::int64_t k = 1; k <= plan.communication.step_count(); ++k)
      rows += plan.communication.is_recorded(k) ? 1 : 0;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < system.components.size(); ++i)
      for (const FmuVariable* v :
           choose_observed(system.components[i].fmu->description(), {}, rows).variables) {
        plan.observed.push_back({i, v});
        names.push_back(column_name(system, plan.observed.back()));
      }
    maker_ = RecordingMaker(system.name, names, rows);
  }

  RowSink sink() {
    return [this](double time, std::span<const double> values) { maker_.add(time, values); };
  }

  std::string page(const CoupledReport& report, const CoupledPlan& plan,
                   const CouplingOptions& options) {
    ReportSources sources;
    sources.title = system_.name;
    for (const CoupledComponent& c : system_.components)
      sources.parts.push_back({c.name + ".", c.fmu});
    sources.recordings.push_back(maker_.finish());
    sources.facts = {
        {"Time", fmt::format("{} to {} s", number_text(plan.communication.start()),
                             number_text(report.time))},
        {"Coupling", fmt::format("{}, order {}", method_word(options.method), options.order)},
        {"Steps", make_step_text(report, options)}};
    if (!report.completed)
      sources.notes.push_back(fmt::format("The run stopped at t = {} s, before its end at {} s.",
                                          number_text(report.time),
                                          number_text(plan.communication.stop())));
    return make_report_page(make_report(std::move(sources)));
  }

 private:
  const CoupledSystem& system_;
  RecordingMaker maker_;
};

void run(const CoupledSystem& system, CoupledPlan& plan, const CoupleRequest& request,
         const CoupleArguments& arguments, Session& session) {
  Diagnostics diagnostics;
  const bool has_table = arguments.report.empty() || !arguments.output_file.empty();
  const std::unique_ptr<ResultFile> output = ResultFile::open(arguments.output_file, diagnostics);
  if (!output || (!arguments.report.empty() && !check_output(arguments.report, diagnostics))) {
    session.exit_code = session.report(diagnostics, nullptr);
    return;
  }
  CallSink calls;
  if (arguments.log_calls)
    calls = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  std::optional<PageMaker> page;
  if (!arguments.report.empty()) page.emplace(system, plan);
  const CoupledReport report = run_coupled(
      system, plan, request.options,
      [&](const std::string& line) { return !has_table || output->write(line); },
      [&](const FmuMessage& m) {
        // complaints are part of the error that ends the run; with step control they are daily life
        if (m.status == fmi2OK || m.status == fmi2Warning)
          session.message("FMU of " + m.text);
        else
          session.detail("FMU of " + m.text);
      },
      calls, diagnostics, page ? page->sink() : RowSink());

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
      !write_page(arguments.report, page->page(report, plan, request.options), session))
    return;
  if (session.exit_code == kExitDone && !report.completed) session.exit_code = kExitStopped;

  if (arguments.json) {
    const std::string json = make_json(system, plan, report, request, arguments, diagnostics);
    if (has_table && arguments.output_file.empty())
      session.message(json);
    else
      session.result(json);
    return;
  }
  if (has_rows) session.message(make_summary(system, report, request.options));
  if (!is_written) return;
  std::vector<std::string> written;
  for (const std::string& path : {arguments.output_file, arguments.report})
    if (!path.empty()) written.push_back(path);
  const std::string where =
      written.empty() ? std::string() : fmt::format("wrote {}; ", join(written, " and "));
  if (!report.completed)
    session.message(where + "next: try a smaller --step-size, --tolerance 1e-4 or --iterations 20");
  else if (arguments.report.empty())
    session.message(fmt::format("{}next: mechfmu couple {} --report run.html", where,
                                shell_word(arguments.file)));
  else
    session.message(where + "next: open the page in a browser");
}

// Every file with its own lines; the exit code.
int report_files(const SourceFiles& files, const Session& session) {
  int exit_code = kExitDone;
  for (const SourceFile& file : files)
    exit_code = std::max(exit_code, session.report(file.diagnostics, &file.text));
  return exit_code;
}

void run_couple(const CoupleArguments& arguments, Session& session) {
  CoupleRequest request;
  if (!make_request(arguments, request, session)) return;
  SourceFiles files;
  Diagnostics opening;
  const std::optional<SystemFolder> folder =
      open_system_folder(arguments.file, arguments.variant, files, opening);
  session.exit_code = session.report(opening, nullptr);
  if (!folder) return;
  const SourceFolder sources = folder->sources();
  const std::optional<SystemStructure> structure = read_system_structure(files, sources);
  std::optional<CoupledSystem> system;
  Diagnostics usage;
  if (structure) system = make_coupled_system(*structure, sources, request.start_values, usage);
  session.exit_code = report_files(files, session);
  if (session.exit_code != kExitDone) return;
  if (session.report(usage, nullptr) != kExitDone) session.exit_code = kExitUsage;
  if (!system || session.exit_code != kExitDone) return;

  std::optional<CoupledPlan> plan =
      make_coupled_plan(*system, request.communication, arguments.output_variables, usage);
  if (!plan) {
    session.report(usage, nullptr);
    session.exit_code = kExitUsage;
    return;
  }
  Diagnostics abilities;
  if (!CouplingMaster::check(*system, request.options, abilities)) {
    session.exit_code = session.report(abilities, nullptr);
    return;
  }
  run(*system, *plan, request, arguments, session);
}

}  // namespace

void add_couple_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<CoupleArguments>();
  CLI::App& command = add_command(
      app, "couple", "run a system of FMUs (.ssd or .ssp) of any tools, write CSV",
      "mechfmu couple system.ssp --output-file loop.csv\n"
      "mechfmu couple system.ssd --method jacobi --order 2 --tolerance 1e-5 --report run.html",
      [arguments, &session] { run_couple(*arguments, session); });
  CoupleArguments& a = *arguments;
  add_argument(command, "SYSTEM", a.file, "an .ssd or .ssp (SSP 1.0) of FMI 2.0 co-simulation FMUs",
               true);
  add_option(command, "--variant", "NAME.ssd", a.variant, "another structure inside the .ssp");
  add_option(command, "--method", "NAME", a.method,
             "gauss_seidel (default): one after the other, or jacobi: all at once");
  add_option(command, "--order", "0|1|2", a.order,
             "order in which inputs are extrapolated and interpolated over a step; default 1");
  add_option(command, "--tolerance", "NUMBER", a.tolerance,
             "adaptive communication steps: relative error of the outputs per step");
  add_option(command, "--iterations", "COUNT", a.iterations,
             "repeat steps until the signals agree, at most so often");
  add_option(command, "--start-time", "TIME", a.start_time, "start time");
  add_option(command, "--stop-time", "TIME", a.stop_time, "stop time");
  add_option(command, "--step-size", "TIME", a.step_size,
             "communication step; with --tolerance the longest one");
  add_option(command, "--output-interval", "TIME", a.output_interval,
             "time between rows; a multiple of the communication step");
  add_list_option(command, "--start-value", "COMPONENT.NAME=VALUE", a.start_values,
                  "value of a parameter, start or input; may be repeated");
  add_list_option(command, "--output-variable", "COMPONENT.NAME", a.output_variables,
                  "record this variable instead of all outputs; may be repeated");
  add_option(command, "--output-file", "CSV", a.output_file, "results (default: standard output)");
  add_option(command, "--report", "HTML", a.report,
             "a page with plots of all components; the CSV is then written only with "
             "--output-file");
  add_flag(command, "--log-fmi-calls", a.log_calls, "every call of an FMI function, on stderr");
  add_flag(command, "--json", a.json, "the summary as JSON, on stdout unless the CSV is there");
}

}  // namespace mechfmu
