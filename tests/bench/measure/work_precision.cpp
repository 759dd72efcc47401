#include "measure/work_precision.hpp"

#include <algorithm>
#include <cmath>

#include "measure/clock.hpp"
#include "measure/time_limit.hpp"

namespace mechfmu::bench {
namespace {

constexpr double kEnough = 1e-6;            // [m] finer settings are not tried below this
constexpr int kRepeats = 3, kCareful = 25;  // of a run: to find the way, and where it counts
constexpr double kShort = 0.01, kLong = 1;  // [s] for all repeats
constexpr int kStagnation = 5;              // settings without a better error: the engine's floor
constexpr double kWrong = 0.05;             // of the motion
constexpr double kMostParts = 50000;        // steps per sample
constexpr double kWorthTiming = 1.4;        // methods within this of the best are timed with care
constexpr int kClockInterval = 8;           // samples between looks at the clock

// 1, 2, 3, 4, 6, 8, 12, ... parts of an interval; tolerances by half powers of ten.
double setting_of(const Problem& problem, const Method& method, int index) {
  if (method.by_tolerance) return std::pow(10.0, -1.5 - 0.5 * index);
  const int octave = (index + 1) / 2;
  const double parts = index == 0       ? 1
                       : index % 2 == 1 ? std::exp2(octave)
                                        : 1.5 * std::exp2(octave);
  return problem.interval() / parts;
}

bool is_last(const Problem& problem, const Method& method, double setting) {
  return method.by_tolerance ? setting < 1.5e-13 : problem.interval() / setting > kMostParts;
}

// One run. Its path is compared afterwards, so that this is not measured.
Point run_once(const Problem& problem, const std::vector<Vector3d>& reference, const Method& method,
               double setting, double seconds_allowed) {
  Point point;
  point.setting = setting;
  const std::unique_ptr<Run> run = method.start(setting);
  if (!run) return point;
  std::vector<Vector3d> path = {reference.front()};
  path.reserve(reference.size());
  bool good = true;
  const TimeLimit limit(seconds_allowed);
  const double begin = cpu_seconds();
  for (int i = 1; i <= problem.samples && good; ++i) {
    good = run->advance_to(problem.sample_time(i));
    path.push_back(run->marker());
    if (TimeLimit::is_over()) good = false;
  }
  point.cost = (cpu_seconds() - begin) / problem.duration;
  if (!good) return point;
  point.error = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double error = (path[i] - reference[i]).norm();
    if (!(error <= point.error)) point.error = error;
  }
  if (!std::isfinite(point.error)) point.error = std::numeric_limits<double>::infinity();
  return point;
}

Point measure(const Problem& problem, const std::vector<Vector3d>& reference, const Method& method,
              double setting, double seconds_allowed) {
  try {
    return run_once(problem, reference, method, setting, seconds_allowed);
  } catch (const std::exception&) {  // engines that give up by throwing
    Point failed;
    failed.setting = setting;
    return failed;
  }
}

class Search {
 public:
  Search(const Problem& problem, const std::vector<Vector3d>& reference, const Settings& settings)
      : problem_(problem), reference_(reference), settings_(settings) {
    for (const Vector3d& point : reference)
      extent_ = std::max(extent_, (point - reference.front()).norm());
  }

  // May use the engine's time up to `seconds` of its total.
  MethodResult sweep(const Method& method, double seconds) {
    MethodResult result{method.name, method.by_tolerance, method.competes, {}};
    double best = std::numeric_limits<double>::infinity();
    double last = -1;
    int good_ones = 0, without_gain = 0;
    for (int index = 0; good_ones < 2 && without_gain < kStagnation; ++index) {
      const double setting = setting_of(problem_, method, index);
      if (is_last(problem_, method, setting)) break;
      const Point& point = result.points.emplace_back(repeat(method, setting, kRepeats, kShort));
      good_ones = point.error <= kEnough ? good_ones + 1 : 0;
      // the same error to the last digit: the interval of the samples, not the tolerance, is at
      // work
      if (point.error == last) continue;
      last = point.error;
      // errors as large as the motion say nothing either
      without_gain =
          point.error < kWrong * extent_ && point.error > 0.8 * best ? without_gain + 1 : 0;
      best = std::min(best, point.error);
      // the next one costs half as much again
      if (1.5 * point.cost * problem_.duration > settings_.point_seconds || spent_ > seconds) {
        out_of_time = true;
        break;
      }
    }
    return result;
  }

  // The runs between which an accuracy was found, again and with more repeats.
  void time_carefully(const Method& method, MethodResult& result, double tolerance) {
    const std::optional<CostAt> cost = cost_at(result.points, tolerance);
    if (!cost) return;
    for (std::size_t i = 0; i < result.points.size(); ++i) {
      Point& point = result.points[i];
      if (!std::isfinite(point.error)) continue;
      const bool before = i + 1 < result.points.size() && result.points[i + 1].error <= tolerance &&
                          point.error > tolerance;
      const bool meets =
          point.error <= tolerance && (i == 0 || result.points[i - 1].error > tolerance);
      if (!before && !meets) continue;
      point.cost = std::min(point.cost, repeat(method, point.setting, kCareful, kLong).cost);
    }
  }

  bool out_of_time = false;
  [[nodiscard]] double spent() const { return spent_; }

 private:
  // The least cost of at most `repeats` runs, which together take not much more than `seconds`.
  Point repeat(const Method& method, double setting, int repeats, double seconds) {
    const double begin = cpu_seconds();
    Point point = measure(problem_, reference_, method, setting, settings_.point_seconds);
    for (int i = 1; i < repeats && std::isfinite(point.error); ++i) {
      if (cpu_seconds() - begin + point.cost * problem_.duration > seconds) break;
      const Point again = measure(problem_, reference_, method, setting, settings_.point_seconds);
      point.cost = std::min(point.cost, again.cost);
    }
    spent_ += cpu_seconds() - begin;
    return point;
  }

  const Problem& problem_;
  const std::vector<Vector3d>& reference_;
  const Settings& settings_;
  double spent_ = 0;
  double extent_ = 0;  // [m] of the motion
};

}  // namespace

std::optional<CostAt> cost_at(const std::vector<Point>& points, double tolerance) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(points[i].error <= tolerance)) continue;
    if (i + 1 < points.size() && !(points[i + 1].error <= tolerance)) continue;
    const Point& meets = points[i];
    if (i == 0 || !std::isfinite(points[i - 1].error) || meets.error <= 0)
      return CostAt{meets.cost, meets.setting};
    const Point& misses = points[i - 1];
    const double share = std::log(misses.error / tolerance) / std::log(misses.error / meets.error);
    const auto between = [share](double a, double b) { return a * std::pow(b / a, share); };
    return CostAt{between(misses.cost, meets.cost), between(misses.setting, meets.setting)};
  }
  return {};
}

EngineResult search(const Problem& problem, const std::vector<Vector3d>& reference,
                    const std::vector<Method>& methods, const Settings& settings,
                    const std::function<void(const MethodResult&)>& report) {
  EngineResult result;
  Search search(problem, reference, settings);
  double left = static_cast<double>(methods.size());
  for (const Method& method : methods) {
    // what earlier methods did not need is shared by the later ones
    const double seconds = search.spent() + (settings.pair_seconds - search.spent()) / left--;
    result.methods.push_back(search.sweep(method, seconds));
    report(result.methods.back());
  }
  for (const double tolerance : kTolerances) {
    double best = std::numeric_limits<double>::infinity();
    for (const MethodResult& method : result.methods)
      if (const auto cost = cost_at(method.points, tolerance))
        if (method.competes) best = std::min(best, cost->cost);
    for (std::size_t i = 0; i < result.methods.size(); ++i) {
      const auto cost = cost_at(result.methods[i].points, tolerance);
      if (cost && (cost->cost < kWorthTiming * best || !result.methods[i].competes))
        search.time_carefully(methods[i], result.methods[i], tolerance);
    }
  }
  result.out_of_time = search.out_of_time;
  return result;
}

}  // namespace mechfmu::bench
