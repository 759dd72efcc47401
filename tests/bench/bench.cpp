// The benchmark: every engine on every problem, each pair in a process of its own, one after the
// other. ./bench builds and runs it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "build/process.hpp"
#include "problems/problem.hpp"
#include "report/results.hpp"

namespace {

using namespace mechfmu;
using namespace mechfmu::bench;

struct Engines {
  const char* name;
  const char* package;  // what Debian calls it; "" if it is ours
};
constexpr Engines kEngines[] = {{"mechfmu", ""},
                                {"hand", ""},
                                {"simbody", "libsimbody-dev"},
                                {"mujoco", "libmujoco-dev"},
                                {"ode", "libode-dev"},
                                {"bullet", "libbullet-dev"},
                                {"dart", "libdart-dev"}};

struct Options {
  bool quick = false;
  bool record = false;  // into the documents
  std::vector<std::string> only;
  std::string schemes = "projection,projection:tolerance=1e-8,partitioning,baumgarte";
  std::string integrators = "rk4,heun,ab2,ab4,dopri5,cash_karp";
  double point_seconds = 0, pair_seconds = 0;
  std::string folder = MECHFMU_BENCH_FOLDER;
  std::string command = "./bench";
};

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_wanted(const Options& options, const std::string& engine, const std::string& problem) {
  bool any_engine = false, any_problem = false;
  for (const Engines& e : kEngines) any_engine |= contains(options.only, e.name);
  for (const std::string& p : problem_names()) any_problem |= contains(options.only, p);
  if (!any_engine && !any_problem && !options.only.empty()) return false;  // parts alone
  return (!any_engine || contains(options.only, engine)) &&
         (!any_problem || contains(options.only, problem));
}

constexpr const char* kParts[] = {"interface", "solvers", "steady"};

bool is_part_wanted(const Options& options, const std::string& part) {
  return options.only.empty() || contains(options.only, part);
}

bool is_known(const std::string& name) {
  bool known = contains(problem_names(), name);
  for (const Engines& e : kEngines) known |= name == e.name;
  for (const char* part : kParts) known |= name == part;
  return known;
}

std::string first_line(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.rfind(key, 0) == 0) return line.substr(line.find(':') + 2);
  return "";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%d", std::gmtime(&now));
  return text;
}

void list() {
  fmt::print("engines:");
  for (const Engines& engine : kEngines) fmt::print(" {}", engine.name);
  fmt::print("\nparts:");
  for (const char* part : kParts) fmt::print(" {}", part);
  fmt::print("\nproblems:\n");
  for (const std::string& name : problem_names())
    fmt::print("  {:14} {}\n", name, find_problem(name).source);
}

Pair run_pair(const Options& options, const std::string& engine, const std::string& problem,
              Results& results) {
  Pair pair;
  pair.engine = engine;
  pair.problem = problem;
  const std::string file = options.folder + "/" + engine + "_" + problem + ".txt";
  std::filesystem::remove(file);
  ProcessRequest request;
  request.command = {std::string(MECHFMU_BENCH_PROGRAMS) + "/bench_" + engine,
                     problem,
                     "--results",
                     file,
                     "--program",
                     MECHFMU_PROGRAM,
                     "--folder",
                     options.folder + "/fmus",
                     "--schemes",
                     options.schemes,
                     "--integrators",
                     options.integrators,
                     "--point-seconds",
                     fmt::format("{}", options.point_seconds),
                     "--pair-seconds",
                     fmt::format("{}", options.pair_seconds)};
  if (options.quick) request.command.emplace_back("--quick");
  request.seconds_allowed = 10 * options.pair_seconds + 600;
  const ProcessResult result = run_process(request);
  read_worker(file, pair, results);
  if (!result.is_success() && pair.refused.empty())
    pair.ended = "the program " + describe_end(result);
  return pair;
}

void print_progress(const Pair& pair) {
  std::string text;
  if (!pair.refused.empty()) text = pair.refused;
  for (const double tolerance : kTolerances) {
    const auto best = pair.best(tolerance);
    if (pair.refused.empty())
      text +=
          best ? fmt::format("{:.0e}: {:.2e} s/s, {}   ", tolerance, best->cost.cost, best->method)
               : fmt::format("{:.0e}: not reached ({:.1e})   ", tolerance, pair.least_error());
  }
  fmt::print(stderr, "{:14} {:8} {} {}\n", pair.problem, pair.engine, text, pair.ended);
}

// A part of the product by itself; `arguments` end with the file for the results.
void run_part(const Options& options, const std::string& part, std::vector<std::string> arguments,
              Results& results) {
  const std::string file = options.folder + "/" + part + ".txt";
  std::filesystem::remove(file);
  arguments.insert(arguments.begin(), std::string(MECHFMU_BENCH_PROGRAMS) + "/bench_" + part);
  arguments.push_back(file);
  ProcessRequest request;
  request.command = arguments;
  const ProcessResult result = run_process(request);
  fmt::print(stderr, "{:14} {} {}\n", part, describe_end(result), result.output);
  read_figures(file, results);
}

// The tests that count heap and system calls in fmi2DoStep.
void run_steady(Results& results) {
  ProcessRequest request;
  request.command = {std::string(MECHFMU_BENCH_PROGRAMS) + "/steady_test"};
  const ProcessResult result = run_process(request);
  if (result.is_success()) results.figures["steady"] = 0;
  fmt::print(stderr, "{:14} {}\n", "steady",
             result.is_success() ? "no heap, no system calls" : result.output);
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// Puts the results into the documents, between the lines that say so.
void record(const Results& results, const std::string& tables) {
  const std::string documents = std::string(MECHFMU_PROJECT_DIR) + "/resources/docs/";
  const std::string path = documents + "performance.md";
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  const std::string begin = "<!-- results begin, written by ./bench --record -->\n";
  const std::size_t from = text.find(begin), to = text.find("<!-- results end -->");
  if (from == std::string::npos || to == std::string::npos) {
    fmt::print(stderr, "{} has no place for results\n", path);
    return;
  }
  std::string versions;
  for (const auto& [engine, version] : results.versions)
    if (engine != "mechfmu")
      versions += fmt::format("{}{} {}", versions.empty() ? "" : ", ", engine, version);
  const std::string head = fmt::format(
      "\n{}, {} ({} processors), {}, `{}`.\nEngines: {}.\n", results.date, results.machine,
      std::thread::hardware_concurrency(), results.compiler, results.command, versions);
  text.replace(from + begin.size(), to - from - begin.size(), head + tables + "\n");
  write(path, text);
  write(documents + "work_precision.svg", make_plot(results));
}

int run(const Options& options) {
  Results results;
  results.quick = options.quick;
  results.machine = first_line("/proc/cpuinfo", "model name");
  results.compiler = "g++ " __VERSION__;
  results.date = today();
  results.command = options.command;
  for (const std::string& problem : problem_names()) {
    bool any = false;
    for (const Engines& engine : kEngines) any |= is_wanted(options, engine.name, problem);
    if (any) results.problems.push_back(problem);
  }
  for (const Engines& engine : kEngines) {
    const std::string program = std::string(MECHFMU_BENCH_PROGRAMS) + "/bench_" + engine.name;
    bool any = false;
    for (const std::string& problem : results.problems)
      any |= is_wanted(options, engine.name, problem);
    if (!any) continue;
    if (!std::filesystem::exists(program)) {
      results.missing[engine.name] = fmt::format("package {} is not installed", engine.package);
      continue;
    }
    results.engines.emplace_back(engine.name);
  }
  if (is_part_wanted(options, "interface"))
    run_part(options, "interface", {MECHFMU_PROGRAM, options.folder + "/fmus"}, results);
  if (is_part_wanted(options, "solvers")) run_part(options, "solvers", {}, results);
  if (is_part_wanted(options, "steady")) run_steady(results);
  for (const std::string& problem : results.problems)
    for (const std::string& engine : results.engines) {
      if (!is_wanted(options, engine, problem)) continue;
      results.pairs.push_back(run_pair(options, engine, problem, results));
      print_progress(results.pairs.back());
    }
  const std::string tables = make_tables(results) + make_reach(results);
  fmt::print("{}\n", tables);
  write(options.folder + "/results.md", tables);
  write(options.folder + "/results.json", make_json(results));
  write(options.folder + "/results.csv", make_csv(results));
  write(options.folder + "/work_precision.svg", make_plot(results));
  if (options.record) record(results, tables);
  fmt::print("written: {}/results.md .json .csv, work_precision.svg\n", options.folder);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  double seconds = 0;  // of CPU time for an engine on a problem
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const auto next = [&] { return std::string(i + 1 < count ? arguments[++i] : ""); };
    if (argument == "--quick")
      options.quick = true;
    else if (argument == "--record")
      options.record = true;
    else if (argument == "--only") {
      options.only.push_back(next());
      if (!is_known(options.only.back())) {
        fmt::print(stderr, "there is no '{}'; see ./bench --list\n", options.only.back());
        return 2;
      }
    } else if (argument == "--schemes")
      options.schemes = next();
    else if (argument == "--integrators")
      options.integrators = next();
    else if (argument == "--seconds")
      seconds = std::strtod(next().c_str(), nullptr);
    else if (argument == "--folder")
      options.folder = next();
    else if (argument == "--list") {
      list();
      return 0;
    } else {
      fmt::print(
          stderr,
          "usage: ./bench [--quick] [--only ENGINE|PROBLEM|PART]... [--record] [--schemes A,B] "
          "[--integrators A,B] [--seconds N] [--folder DIR] [--list]\n");
      return 2;
    }
  }
  if (options.quick && options.integrators == Options().integrators)
    options.integrators = "rk4,heun,ab2,dopri5";
  options.pair_seconds = seconds > 0 ? seconds : options.quick ? 8 : 60;
  options.point_seconds = options.pair_seconds / (options.quick ? 8 : 6);
  for (int i = 1; i < count; ++i) options.command += std::string(" ") + arguments[i];
  std::filesystem::create_directories(options.folder);
  return run(options);
}
