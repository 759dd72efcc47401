// mechfmu compare: which scheme, which step for this mechanism? Or, with two CSV files: do these
// results agree?
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "build/build.hpp"
#include "build/output_file.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/run_report.hpp"
#include "cli/system_options.hpp"
#include "cli/words.hpp"
#include "compare/compare_results.hpp"
#include "compare/run_comparison.hpp"
#include "harness/simulation_run.hpp"
#include "mechanism/catalogue.hpp"
#include "package/temporary_folder.hpp"
#include "readers/value_parser.hpp"
#include "readers/xml_reader.hpp"
#include "support/did_you_mean.hpp"
#include "support/json_writer.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestCsv = std::size_t{1} << 30U;
constexpr std::size_t kMostBodiesExposed = 40;
constexpr double kParts[] = {1, 2, 4, 8, 16, 32};  // of the communication step
constexpr double kTolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};

struct CompareArguments {
  std::vector<std::string> files;
  std::string schemes = "all", integrators = "rk4,dopri5", report, error = "1e-4",
              residual = "1e-6";
  std::string rtol = "1e-6", atol = "1e-9";
  std::optional<std::string> steps, solver, coordinates, stop_time, step_size;
  std::vector<std::string> start_values, set;
  bool json = false;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) words.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool parse_positive(const std::string& option, const std::string& text, double& value,
                    Session& session, bool zero_is_good = false) {
  std::string problem;
  const std::optional<double> number = parse_constant(text, "", problem);
  if (number && (*number > 0 || (zero_is_good && *number == 0))) {
    value = *number;
    return true;
  }
  session.usage_error(
      fmt::format("{} must be a number {} 0, got '{}'", option, zero_is_good ? ">=" : ">", text));
  return false;
}

// --- two files ---

std::optional<CsvTable> read_table(const std::string& path, Session& session) {
  Diagnostics diagnostics;
  const std::optional<SourceText> text = read_file(path, diagnostics, kLargestCsv);
  std::optional<CsvTable> table;
  if (text) table = parse_csv(*text, diagnostics);
  const SourceText nowhere(path, "");
  session.exit_code = session.report(diagnostics, text ? &*text : &nowhere);
  return table;
}

std::string make_json(const ResultComparison& c, bool agrees) {
  JsonWriter json;
  json.begin_object().member("agrees", agrees).member("start", c.start).member("stop", c.stop);
  json.member("same_span", c.covers_all);
  json.list("only_first", c.only_first).list("only_second", c.only_second);
  json.key("columns").begin_array();
  for (const ColumnDifference& d : c.columns)
    json.begin_object()
        .member("name", d.name)
        .member("difference", d.difference)
        .member("allowed", d.allowed)
        .member("time", d.at)
        .member("first", d.first)
        .member("second", d.second)
        .member("within", d.is_within())
        .end_object();
  return json.end_array().end_object().text();
}

void print_results(const ResultComparison& c, const CompareArguments& arguments, bool agrees,
                   Session& session) {
  std::size_t width = 8;
  for (const ColumnDifference& d : c.columns) width = std::max(width, d.name.size());
  session.result(fmt::format("{:<{}}  {:>10}  {:>10}  {:>10}", "variable", width, "difference",
                             "allowed", "at t [s]"));
  for (const ColumnDifference& d : c.columns)
    session.result(fmt::format("{:<{}}  {:>10.2e}  {:>10.2e}  {:>10}{}", d.name, width,
                               d.difference, d.allowed, fmt::format("{:.6g}", d.at),
                               d.is_within() ? "" : "  differs"));
  const auto missing = [&](const std::vector<std::string>& names, const std::string& file) {
    if (!names.empty()) session.result(fmt::format("only in {}: {}", file, join(names)));
  };
  missing(c.only_first, arguments.files[0]);
  missing(c.only_second, arguments.files[1]);
  if (!c.covers_all)
    session.result(fmt::format("the two cover different times; both only {} s to {} s",
                               number_text(c.start), number_text(c.stop)));
  session.result(agrees ? "they agree" : "they differ");
}

void compare_tables(const CompareArguments& arguments, Session& session) {
  ResultTolerance tolerance;
  if (!parse_positive("--rtol", arguments.rtol, tolerance.relative, session, true) ||
      !parse_positive("--atol", arguments.atol, tolerance.absolute, session, true))
    return;
  const std::optional<CsvTable> first = read_table(arguments.files[0], session);
  if (!first) return;
  const std::optional<CsvTable> second = read_table(arguments.files[1], session);
  if (!second) return;
  const ResultComparison comparison = compare_results(*first, *second, tolerance);
  const bool agrees = comparison.agrees();
  if (arguments.json)
    session.result(make_json(comparison, agrees));
  else
    print_results(comparison, arguments, agrees, session);
  session.exit_code = agrees ? kExitDone : kExitOutOfTolerance;
}

// --- schemes on a mechanism ---

class Progress {
 public:
  explicit Progress(const Session& session)
      : shows_(!session.quiet && isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (shows_) fmt::print(stderr, "\r{:60}\r", "");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(const std::string& text) const {
    if (shows_) fmt::print(stderr, "\r{:<60}", text);
    if (shows_) (void)std::fflush(stderr);
  }
  void show(std::size_t done, std::size_t all) const {
    constexpr std::size_t kWidth = 30;
    const std::size_t full = kWidth * done / std::max<std::size_t>(all, 1);
    show(fmt::format("[{}{}] {} of {} runs", std::string(full, '#'),
                     std::string(kWidth - full, '.'), done, all));
  }

 private:
  bool shows_;
};

std::string first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::error) return d.message;
  return "refused";
}

const IntegratorType* find_type(const std::string& id) {
  for (const IntegratorType& type : integrator_types())
    if (type.id == id) return &type;
  return nullptr;
}

// The names that --schemes and --integrators ask for; usage errors for those that do not exist.
bool choose_names(const CompareArguments& arguments, std::vector<std::string>& schemes,
                  std::vector<std::string>& integrators, Session& session) {
  const auto choose = [&](const std::string& option, const std::string& text, const auto& types,
                          std::vector<std::string>& chosen) {
    std::vector<std::string_view> known;
    for (const auto& type : types) known.push_back(type.id);
    if (text == "all") {
      chosen.assign(known.begin(), known.end());
      return true;
    }
    chosen = split(text);
    for (const std::string& name : chosen)
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        session.usage_error(fmt::format("{}: there is no '{}'", option, name),
                            did_you_mean(name, known, "names"));
        return false;
      }
    if (chosen.empty()) session.usage_error(option + ": no name given");
    return !chosen.empty();
  };
  return choose("--schemes", arguments.schemes, scheme_types(), schemes) &&
         choose("--integrators", arguments.integrators, integrator_types(), integrators);
}

// Which of the schemes this mechanism takes, and why not the others.
std::vector<std::string> find_compatible(const std::vector<std::string>& schemes,
                                         const LoadedSystem& loaded, const SystemOptions& options,
                                         Comparison& comparison, const Progress& progress) {
  std::vector<std::string> good;
  for (const std::string& scheme : schemes) {
    progress.show("looking at " + scheme);
    SystemOptions one = options;
    one.scheme = SchemeChoice{scheme, {}, std::nullopt};
    Diagnostics diagnostics;
    const std::optional<SystemModel> system = make_system(*loaded.mechanism, one, diagnostics);
    if (system) {
      comparison.model = system->name;
      comparison.has_constraints = system->analysis.equations > 0;
      good.push_back(scheme);
      if (comparison.has_constraints || schemes.size() == 1) continue;
      comparison.notes.push_back(
          "there are no constraints in these coordinates, so schemes do not differ: only "
          "integrators are compared");
      break;
    }
    comparison.refused.push_back({scheme, first_error(diagnostics)});
  }
  return good;
}

// That of the reference: projection, else the first in the table that takes an integrator and this
// mechanism.
std::string find_reference_scheme(const std::vector<std::string>& good, const LoadedSystem& loaded,
                                  const SystemOptions& options) {
  SystemOptions one = options;
  one.schemes.clear();
  one.integrators.clear();
  std::vector<std::string> wanted = {"projection"};
  for (const SchemeType& type : scheme_types())
    if (!type.steps_itself() && type.id != "none") wanted.emplace_back(type.id);
  for (const std::string& scheme : wanted) {
    if (std::find(good.begin(), good.end(), scheme) != good.end()) return scheme;
    one.scheme = SchemeChoice{scheme, {}, std::nullopt};
    Diagnostics ignored;
    if (make_system(*loaded.mechanism, one, ignored)) return scheme;
  }
  return {};
}

std::vector<Method> make_methods(const std::vector<std::string>& schemes,
                                 const std::vector<std::string>& integrators) {
  std::vector<Method> methods;
  for (const std::string& scheme : schemes) {
    const auto type = std::find_if(scheme_types().begin(), scheme_types().end(),
                                   [&](const SchemeType& s) { return s.id == scheme; });
    if (type->steps_itself()) {
      methods.push_back({scheme, "", false});
      continue;
    }
    for (const std::string& integrator : integrators)
      methods.push_back({scheme, integrator, find_type(integrator)->is_adaptive()});
  }
  return methods;
}

std::string make_row(const Comparison& c, const MethodRun& run, std::size_t width) {
  const Method& method = c.methods[run.method];
  const std::string setting =
      fmt::format("{:.3g}{}", run.setting, method.is_adaptive ? " tol" : " s");
  if (!run.completed)
    return fmt::format("{:<{}}  {:>10}  {}", name_of(method), width, setting, run.reason);
  return fmt::format("{:<{}}  {:>10}  {:>8.1e}  {:>8.1e}  {:>8.1e}  {:>8.1e}  {:>8.2g}  {:>8.0f}",
                     name_of(method), width, setting, run.error, run.residual,
                     run.residual_velocity, run.energy_error, run.cost, 1 / run.cost);
}

void print_comparison(const Comparison& c, const Goal& goal, const Advice& advice,
                      Session& session) {
  std::size_t width = 8;
  for (const Method& method : c.methods) width = std::max(width, name_of(method).size());
  session.result(fmt::format(
      "{}: error <= {:.1e}, |phi| <= {:.1e} over {} s; the coarsest setting that holds it", c.model,
      goal.error, goal.residual, number_text(c.stop - c.start)));
  session.result(fmt::format("{:<{}}  {:>10}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}", "method",
                             width, "setting", "error", "|phi|", "|phi'|", "energy J", "CPU s/s",
                             "x real"));
  for (std::size_t m = 0; m < c.methods.size(); ++m) {
    if (const MethodRun* run = find_sufficient(c, m, goal)) {
      session.result(make_row(c, *run, width));
      continue;
    }
    // what the finest setting came to
    const auto last = std::find_if(c.runs.rbegin(), c.runs.rend(),
                                   [&](const MethodRun& r) { return r.method == m; });
    session.result(fmt::format(
        "{:<{}}  not met: {}", name_of(c.methods[m]), width,
        last->completed
            ? fmt::format("{:.3g}{} leaves error {:.1e}, |phi| {:.1e}", last->setting,
                          c.methods[m].is_adaptive ? " tol" : " s", last->error, last->residual)
            : last->reason));
  }
  for (const RefusedScheme& r : c.refused)
    session.result(fmt::format("{:<{}}  not possible: {}", r.scheme, width, r.reason));
  session.result(fmt::format("reference: {}; known to {:.1e}", c.reference, c.reference_error));
  for (const std::string& note : c.notes) session.result("note: " + note);
  session.result("");
  if (advice.run != nullptr) session.result("advice: " + name_of(c.methods[advice.run->method]));
  for (const std::string& reason : advice.reasons) session.result("  - " + reason);
}

std::string make_json(const Comparison& c, const Goal& goal, const Advice& advice,
                      const std::string& command) {
  JsonWriter json;
  json.begin_object()
      .member("file", c.file)
      .member("model", c.model)
      .member("start", c.start)
      .member("stop", c.stop)
      .member("step", c.step)
      .member("goal_error", goal.error)
      .member("goal_residual", goal.residual)
      .member("reference", c.reference)
      .member("reference_error", c.reference_error);
  json.key("runs").begin_array();
  for (const MethodRun& run : c.runs) {
    const Method& method = c.methods[run.method];
    json.begin_object()
        .member("scheme", method.scheme)
        .member("integrator", method.integrator)
        .member(method.is_adaptive ? "tolerance" : "step", run.setting)
        .member("completed", run.completed);
    if (run.completed)
      json.member("error", run.error)
          .member("residual", run.residual)
          .member("residual_velocity", run.residual_velocity)
          .member("energy_error", run.energy_error)
          .member("cpu_seconds_per_second", run.cost);
    else
      json.member("reason", run.reason);
    json.end_object();
  }
  json.end_array().key("refused").begin_array();
  for (const RefusedScheme& r : c.refused)
    json.begin_object().member("scheme", r.scheme).member("reason", r.reason).end_object();
  json.end_array().list("notes", c.notes);
  json.key("advice").begin_object();
  if (advice.run != nullptr)
    json.member("scheme", c.methods[advice.run->method].scheme)
        .member("integrator", c.methods[advice.run->method].integrator)
        .member(c.methods[advice.run->method].is_adaptive ? "tolerance" : "step",
                advice.run->setting)
        .member("command", command);
  return json.list("reasons", advice.reasons).end_object().end_object().text();
}

// Those of --steps, coarse first; none without it.
bool read_steps(const CompareArguments& arguments, std::vector<double>& steps, Session& session) {
  if (!arguments.steps) return true;
  for (const std::string& text : split(*arguments.steps)) {
    std::optional<double> step;
    if (!parse_seconds("--steps", text, step, session)) return false;
    if (!(*step > 0)) {
      session.usage_error(fmt::format("--steps: a step must be > 0, got '{}'", text));
      return false;
    }
    steps.push_back(*step);
  }
  std::sort(steps.rbegin(), steps.rend());
  if (steps.empty()) session.usage_error("--steps: no step given");
  return !steps.empty();
}

std::unique_ptr<Fmu> build_all(LoadedSystem& loaded, SystemOptions options,
                               const std::string& folder, Session& session) {
  if (loaded.mechanism->bodies.size() <= kMostBodiesExposed)
    options.expose = "all";
  else
    options.expose = "states";
  std::optional<SystemModel> system = make_system(*loaded.mechanism, options, loaded.diagnostics);
  BuildOptions build;
  build.self_test = false;
  std::unique_ptr<Fmu> fmu;
  if (system) {
    build.output = folder + "/" + system->name + ".fmu";
    if (build_fmu(*system, loaded.source, build, loaded.diagnostics))
      fmu = Fmu::open(build.output, loaded.diagnostics);
    if (fmu && !fmu->load(loaded.diagnostics)) fmu.reset();
  }
  session.exit_code = report_loaded(loaded, session);
  return fmu;
}

void compare_schemes(const CompareArguments& arguments, Session& session) {
  Goal goal;
  std::vector<std::string> schemes, integrators;
  std::vector<double> steps;
  if (!read_steps(arguments, steps, session) ||
      !parse_positive("--error", arguments.error, goal.error, session) ||
      !parse_positive("--residual", arguments.residual, goal.residual, session) ||
      !choose_names(arguments, schemes, integrators, session))
    return;
  SystemArguments given;
  given.solver = arguments.solver;
  given.coordinates = arguments.coordinates;
  given.set = arguments.set;
  std::optional<SystemOptions> options = make_system_options(given, session);
  SimulationRequest request;
  if (!options ||
      !parse_seconds("--stop-time", arguments.stop_time, request.communication.stop, session) ||
      !parse_seconds("--step-size", arguments.step_size, request.communication.step, session))
    return;
  for (const std::string& text : arguments.start_values) {
    const auto assignment = split_assignment("--start-value", text, session);
    if (!assignment) return;
    request.start_values.push_back(*assignment);
  }
  Diagnostics output;
  if (!arguments.report.empty() && !check_output(arguments.report, output)) {
    session.exit_code = session.report(output, nullptr);
    return;
  }
  LoadedSystem loaded = load_system(arguments.files[0], *options, LoadUntil::mechanism, session);
  if (session.exit_code == kExitUsage) return;
  if (!loaded.mechanism) {
    session.exit_code = report_loaded(loaded, session);
    return;
  }

  Comparison comparison;
  comparison.file = shell_word(arguments.files[0]);
  const auto progress = std::make_unique<Progress>(session);
  const std::vector<std::string> good =
      find_compatible(schemes, loaded, *options, comparison, *progress);
  if (good.empty()) {
    for (const RefusedScheme& r : comparison.refused)
      session.message(fmt::format("{}: {}", r.scheme, r.reason));
    session.usage_error("none of these schemes can run this mechanism");
    return;
  }
  comparison.methods = make_methods(good, integrators);
  for (const std::string& name : good) options->schemes.push_back({name, {}, std::nullopt});
  options->integrators = integrators;
  for (const char* name : {"rk4", "dopri5"})  // of the reference
    if (std::find(integrators.begin(), integrators.end(), name) == integrators.end())
      options->integrators.emplace_back(name);
  const std::string reference_scheme = find_reference_scheme(good, loaded, *options);
  if (reference_scheme.empty()) {
    session.usage_error("no scheme that takes an integrator can run this mechanism",
                        "the reference needs one");
    return;
  }
  if (std::find(good.begin(), good.end(), reference_scheme) == good.end())
    options->schemes.push_back({reference_scheme, {}, std::nullopt});
  Diagnostics diagnostics;
  const std::unique_ptr<TemporaryFolder> folder = TemporaryFolder::make(diagnostics);
  if (!folder) {
    session.exit_code = session.report(diagnostics, nullptr);
    return;
  }
  progress->show("building an FMU with all of them");
  const std::unique_ptr<Fmu> fmu = build_all(loaded, *options, folder->path(), session);
  if (!fmu) return;

  Diagnostics ignored;
  const std::optional<SimulationPlan> plan =
      make_simulation_plan(fmu->description(), request, diagnostics, ignored);
  if (!plan) {
    session.report(diagnostics, nullptr);
    session.exit_code = kExitUsage;
    return;
  }
  ComparisonRequest work{plan->communication, reference_scheme, plan->start_values, {}, {}, 1};
  work.steps = steps;
  for (const double part : kParts)
    if (!arguments.steps) work.steps.push_back(plan->communication.step() / part);
  work.tolerances.assign(std::begin(kTolerances), std::end(kTolerances));
  work.threads = std::max(1U, std::thread::hardware_concurrency());
  comparison.start = plan->communication.start();
  comparison.stop = plan->communication.stop();
  comparison.step = plan->communication.step();
  const bool done = run_comparison(
      *fmu, work, [&](std::size_t d, std::size_t all) { progress->show(d, all); }, comparison,
      diagnostics);
  session.exit_code = session.report(diagnostics, nullptr);
  if (!done) {
    session.exit_code = kExitStopped;
    return;
  }
  progress->show("");

  const Advice advice = recommend(comparison, goal);
  const std::string command =
      advice.run == nullptr ? std::string()
                            : fmt::format("mechfmu build {} {} -o {}.fmu", comparison.file,
                                          build_options(comparison, *advice.run), comparison.model);
  if (arguments.json)
    session.result(make_json(comparison, goal, advice, command));
  else
    print_comparison(comparison, goal, advice, session);
  if (!arguments.report.empty()) {
    const int exit_code = session.exit_code;
    if (!write_page(arguments.report, make_comparison_page(comparison, goal), session)) return;
    session.exit_code = exit_code;
    session.message("wrote " + arguments.report);
  }
  session.message("next: " + (command.empty() ? "smaller --steps, or a larger --error" : command));
}

void run_compare(const CompareArguments& arguments, Session& session) {
  const std::vector<std::string>& files = arguments.files;
  const auto is_csv = [](const std::string& path) { return fs::path(path).extension() == ".csv"; };
  if (files.size() == 2 && is_csv(files[0]) && is_csv(files[1]))
    compare_tables(arguments, session);
  else if (files.size() == 1 && !is_csv(files[0]))
    compare_schemes(arguments, session);
  else
    session.usage_error("compare takes one mechanism file, or two CSV files",
                        "mechfmu compare four_bar.xml, or mechfmu compare a.csv b.csv");
}

}  // namespace

void add_compare_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App& command = add_command(
      app, "compare", "which scheme and step for this mechanism; or whether two results agree",
      "mechfmu compare four_bar.xml --schemes all --report compare.html\n"
      "mechfmu compare before.csv after.csv --rtol 1e-6",
      [arguments, &session] { run_compare(*arguments, session); });
  CompareArguments& a = *arguments;
  add_list_argument(command, "FILE", a.files, "a mechanism file, or two CSV files of results");
  add_option(command, "--schemes", "A,B,...", a.schemes, "schemes to compare (default: all)");
  add_option(command, "--integrators", "A,B,...", a.integrators,
             "with these integrators, or all (default: rk4,dopri5)");
  add_option(command, "--steps", "TIME,...", a.steps,
             "internal steps of fixed-step methods (default: the communication step and its halves "
             "down to 1/32)");
  add_option(command, "--error", "NUMBER", a.error,
             "largest error of a coordinate that is good enough, m or rad (default 1e-4)");
  add_option(command, "--residual", "NUMBER", a.residual,
             "largest constraint residual that is good enough (default 1e-6)");
  add_option(command, "--stop-time", "TIME", a.stop_time, "stop time");
  add_option(command, "--step-size", "TIME", a.step_size, "communication step");
  add_list_option(command, "--start-value", "NAME=VALUE", a.start_values,
                  "value of a parameter, start or input; may be repeated");
  add_option(command, "--solver", "NAME", a.solver, "linear solver");
  add_option(command, "--coordinates", "NAME", a.coordinates, "formulation");
  add_list_option(command, "--set", "NAME=VALUE", a.set,
                  "another value for a <parameter>; may be repeated");
  add_option(command, "--report", "HTML", a.report, "a page with all runs and a plot");
  add_option(command, "--rtol", "NUMBER", a.rtol,
             "two results: relative to the largest value of a column (default 1e-6)");
  add_option(command, "--atol", "NUMBER", a.atol, "two results: absolute (default 1e-9)");
  add_flag(command, "--json", a.json, "as JSON");
}

}  // namespace mechfmu
