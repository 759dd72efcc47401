#include "report/results.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace mechfmu::bench {
namespace {

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> parts;
  std::stringstream stream(line);
  for (std::string part; std::getline(stream, part, '\t');) parts.push_back(part);
  return parts;
}

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

}  // namespace

std::optional<Pair::Best> Pair::best(double tolerance) const {
  std::optional<Best> best;
  for (const MethodResult& method : methods) {
    if (!method.competes) continue;
    const auto cost = cost_at(method.points, tolerance);
    if (cost && (!best || cost->cost < best->cost.cost)) best = Best{*cost, method.name};
  }
  return best;
}

std::optional<CostAt> Pair::cost(const std::string& name, double tolerance) const {
  for (const MethodResult& method : methods)
    if (method.name == name) return cost_at(method.points, tolerance);
  return {};
}

double Pair::least_error() const {
  double least = std::numeric_limits<double>::infinity();
  for (const MethodResult& method : methods)
    for (const Point& point : method.points) least = std::min(least, point.error);
  return least;
}

const Pair* Results::find(const std::string& engine, const std::string& problem) const {
  for (const Pair& pair : pairs)
    if (pair.engine == engine && pair.problem == problem) return &pair;
  return nullptr;
}

std::optional<double> Results::figure(const std::string& name) const {
  const auto found = figures.find(name);
  if (found == figures.end()) return {};
  return found->second;
}

void read_worker(const std::string& path, Pair& pair, Results& results) {
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> f = fields(line);
    if (f.empty()) continue;
    const std::string& kind = f.front();
    if (kind == "version" && f.size() > 1) results.versions[pair.engine] = f[1];
    if (kind == "refused") pair.refused = f.size() > 1 ? f[1] : "no reason given";
    if (kind == "start" && f.size() > 1) pair.start_gap = number(f[1]);
    if (kind == "method" && f.size() > 3) {  // said twice: the second time with better times
      std::erase_if(pair.methods, [&](const MethodResult& m) { return m.name == f[1]; });
      pair.methods.push_back({f[1], f[2] == "1", f[3] == "1", {}});
    }
    if (kind == "point" && f.size() > 3 && !pair.methods.empty())
      pair.methods.back().points.push_back({number(f[1]), number(f[2]), number(f[3])});
    if (kind == "out_of_time") pair.out_of_time = true;
    if (kind == "evaluation" && f.size() > 1) pair.evaluation = number(f[1]);
    if (kind == "figure" && f.size() > 2) pair.figures[f[1]] = number(f[2]);
  }
}

void read_figures(const std::string& path, Results& results) {
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);)
    if (const std::vector<std::string> f = fields(line); f.size() > 2 && f[0] == "figure")
      results.figures[f[1]] = number(f[2]);
}

}  // namespace mechfmu::bench
