// How much an engine must work for a given accuracy: steps (or tolerances) from coarse to fine, the
// same for everybody.
//
// Error: largest distance of the marker from the reference over all samples. Cost: CPU seconds per
// simulated second. The cost of an accuracy is interpolated, in logarithms, between the last run
// that misses it and the first one that meets it and whose finer neighbour meets it as well, so
// that a lucky coarse run does not count.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace mechfmu::bench {

inline constexpr double kTolerances[] = {1e-3, 1e-6};  // [m]

struct Point {
  double setting = 0;
  double error = std::numeric_limits<double>::infinity();  // [m]
  double cost = std::numeric_limits<double>::infinity();   // CPU seconds per simulated second
};

struct MethodResult {
  std::string name;
  bool by_tolerance = false;
  bool competes = true;
  std::vector<Point> points;  // from coarse to fine
};

// Nothing: not reached.
struct CostAt {
  double cost = 0;
  double setting = 0;
};
std::optional<CostAt> cost_at(const std::vector<Point>& points, double tolerance);

struct EngineResult {
  std::vector<MethodResult> methods;
  bool out_of_time = false;  // some methods or settings were not tried
};

// `report` gets each method as soon as it is through, for the case that a later one crashes.
EngineResult search(const Problem& problem, const std::vector<Vector3d>& reference,
                    const std::vector<Method>& methods, const Settings& settings,
                    const std::function<void(const MethodResult&)>& report);

}  // namespace mechfmu::bench
