// One engine on one problem. Results go to stdout as lines of fields between tabs; see
// report/results.cpp, which reads them.
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

bool read_arguments(int count, char** arguments, Settings& settings, std::string& problem) {
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const auto next = [&] { return std::string(i + 1 < count ? arguments[++i] : ""); };
    if (argument == "--quick")
      settings.quick = true;
    else if (argument == "--point-seconds")
      settings.point_seconds = std::stod(next());
    else if (argument == "--pair-seconds")
      settings.pair_seconds = std::stod(next());
    else if (argument == "--schemes")
      settings.schemes = split(next());
    else if (argument == "--integrators")
      settings.integrators = split(next());
    else if (argument == "--program")
      settings.program = next();
    else if (argument == "--folder")
      settings.folder = next();
    else if (problem.empty() && argument[0] != '-')
      problem = argument;
    else
      return false;
  }
  return !problem.empty();
}

// All that comes from text of others must stay one field.
std::string field(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n') c = ' ';
  return text;
}

void run(Engine& engine, const Problem& problem, const Settings& settings) {
  fmt::print("version\t{}\n", field(engine.version()));
  std::vector<Method> methods;
  try {
    methods = engine.methods(problem);
  } catch (const Refused& refused) {
    fmt::print("refused\t{}\n", field(refused.what()));
    return;
  }
  const std::vector<Vector3d> reference = read_reference(problem);
  if (!methods.empty())
    if (const auto started = methods.front().start(methods.front().by_tolerance ? 1e-6 : 1e-3))
      fmt::print("start\t{}\n", (started->marker() - reference.front()).norm());
  std::fflush(stdout);
  const EngineResult result = search(problem, reference, methods, settings);
  for (const MethodResult& method : result.methods) {
    fmt::print("method\t{}\t{}\t{}\n", field(method.name), method.by_tolerance ? 1 : 0,
               method.competes ? 1 : 0);
    for (const Point& point : method.points)
      fmt::print("point\t{:.17g}\t{:.6g}\t{:.6g}\n", point.setting, point.error, point.cost);
  }
  if (result.out_of_time) fmt::print("out_of_time\n");
  if (const auto seconds = engine.evaluation_seconds(problem))
    fmt::print("evaluation\t{:.6g}\n", *seconds);
  for (const auto& [key, value] : engine.figures(problem))
    fmt::print("figure\t{}\t{:.10g}\n", key, value);
  fmt::print("done\n");
}

}  // namespace

int main(int count, char** arguments) {
  Settings settings;
  std::string problem;
  if (!read_arguments(count, arguments, settings, problem)) {
    fmt::print(stderr, "usage: {} PROBLEM [--quick] [...]\n", arguments[0]);
    return 2;
  }
  try {
    const std::unique_ptr<Engine> engine = make_engine(settings);
    run(*engine, find_problem(problem), settings);
  } catch (const std::exception& error) {
    fmt::print("refused\t{}\n", field(error.what()));
    return 1;
  }
  return 0;
}
