// One engine on one problem. Results are lines of fields between tabs, see report/results.cpp,
// which reads them; they go to a file, because some engines write to stdout what they think.
#include <fmt/format.h>

#include <cstring>
#include <sstream>

#include "engines/engine.hpp"
#include "exact/references.hpp"
#include "measure/work_precision.hpp"
#include "problems/start_pose.hpp"

namespace {

using namespace mechfmu::bench;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

bool read_arguments(int count, char** arguments, Settings& settings, std::string& problem,
                    std::string& results) {
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const auto next = [&] { return std::string(i + 1 < count ? arguments[++i] : ""); };
    if (argument == "--quick")
      settings.quick = true;
    else if (argument == "--check")
      settings.only_check = true;
    else if (argument == "--point-seconds")
      settings.point_seconds = std::stod(next());
    else if (argument == "--pair-seconds")
      settings.pair_seconds = std::stod(next());
    else if (argument == "--schemes")
      settings.schemes = split(next());
    else if (argument == "--integrators")
      settings.integrators = split(next());
    else if (argument == "--results")
      results = next();
    else if (argument == "--program")
      settings.program = next();
    else if (argument == "--folder")
      settings.folder = next();
    else if (problem.empty() && argument[0] != '-')
      problem = argument;
    else
      return false;
  }
  return settings.only_check || !problem.empty();
}

// All that comes from text of others must stay one field.
std::string field(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n') c = ' ';
  return text;
}

void run(Engine& engine, const Problem& problem, const Settings& settings, std::FILE* out) {
  fmt::print(out, "version\t{}\n", field(engine.version()));
  std::vector<Method> methods;
  try {
    methods = engine.methods(problem);
  } catch (const Refused& refused) {
    fmt::print(out, "refused\t{}\n", field(refused.what()));
    return;
  }
  const std::vector<Vector3d> reference = read_reference(problem);
  if (!methods.empty())
    if (const auto started = methods.front().start(methods.front().by_tolerance ? 1e-6 : 1e-3))
      fmt::print(out, "start\t{}\n", (started->marker() - reference.front()).norm());
  std::fflush(out);
  const auto print = [out](const MethodResult& method) {
    fmt::print(out, "method\t{}\t{}\t{}\n", field(method.name), method.by_tolerance ? 1 : 0,
               method.competes ? 1 : 0);
    for (const Point& point : method.points)
      fmt::print(out, "point\t{:.17g}\t{:.6g}\t{:.6g}\n", point.setting, point.error, point.cost);
    std::fflush(out);
  };
  const EngineResult result = search(problem, reference, methods, settings, print);
  for (const MethodResult& method : result.methods) print(method);
  if (result.out_of_time) fmt::print(out, "out_of_time\n");
  if (const auto seconds = engine.evaluation_seconds(problem))
    fmt::print(out, "evaluation\t{:.6g}\n", *seconds);
  for (const auto& [key, value] : engine.figures(problem))
    fmt::print(out, "figure\t{}\t{:.10g}\n", key, value);
  fmt::print(out, "done\n");
}

// Whether the engine's marker is where it should be at the start, in all problems that it takes.
int check_starts(Engine& engine) {
  constexpr std::size_t kManyBodies = 100;
  constexpr double kRounding = 1e-9;  // [m]
  int failures = 0;
  for (const std::string& name : problem_names()) {
    const Problem problem = find_problem(name);
    if (problem.bodies.size() > kManyBodies) continue;
    try {
      const std::vector<Method> methods = engine.methods(problem);
      for (const Method& method : methods) {
        const auto run = method.start(method.by_tolerance ? 1e-6 : problem.interval());
        const double gap = (run->marker() - read_reference(problem).front()).norm();
        if (gap < kRounding) continue;
        fmt::print(stderr, "{}: {}: {:.1e} m from where it should start\n", name, method.name, gap);
        ++failures;
      }
    } catch (const Refused&) {
    }
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  Settings settings;
  std::string problem, results = "/dev/stdout";
  if (!read_arguments(count, arguments, settings, problem, results)) {
    fmt::print(stderr, "usage: {} PROBLEM|--check [--quick] [...]\n", arguments[0]);
    return 2;
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(results.c_str(), "w"),
                                                            std::fclose);
  if (!out) {
    fmt::print(stderr, "cannot write {}\n", results);
    return 5;
  }
  try {
    const std::unique_ptr<Engine> engine = make_engine(settings);
    if (settings.only_check) return check_starts(*engine);
    run(*engine, find_problem(problem), settings, out.get());
  } catch (const std::exception& error) {
    fmt::print(out.get(), "refused\t{}\n", field(error.what()));
    return 1;
  }
  return 0;
}
