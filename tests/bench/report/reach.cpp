// What is wanted, and what was measured.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "problems/problem.hpp"
#include "report/results.hpp"
#include "report/table.hpp"

namespace mechfmu::bench {
namespace {

constexpr const char* kNobody = "no peer reaches it";
constexpr const char* kPackaged[] = {"simbody", "mujoco", "ode", "bullet", "dart"};

struct Reach {
  std::string what, wanted;
  std::optional<double> measured;
  bool at_least = true;  // else at most
  double limit = 0;
  std::string detail;

  [[nodiscard]] std::string verdict() const {
    if (!measured) return detail.rfind(kNobody, 0) == 0 ? "yes" : "not measured";
    return (at_least ? *measured >= limit : *measured <= limit) ? "yes" : "no";
  }
};

class Rows {
 public:
  explicit Rows(const Results& results) : results_(results) {}

  // Best packaged peer over ours.
  void compare(const std::string& problem, double tolerance, double limit) {
    const Pair* own = results_.find("mechfmu", problem);
    if (own == nullptr) return;
    Reach row{fmt::format("{} at {:.0e} m: best packaged peer / ours", find_problem(problem).title,
                          tolerance),
              fmt::format(">= {:g}", limit),
              {},
              true,
              limit,
              ""};
    const auto ours = own->best(tolerance);
    double best = std::numeric_limits<double>::infinity(), spent = 0;
    bool any = false;
    for (const char* engine : kPackaged) {
      const Pair* pair = results_.find(engine, problem);
      if (pair == nullptr) continue;
      any |= !pair->methods.empty();
      for (const MethodResult& method : pair->methods)
        for (const Point& point : method.points)
          if (std::isfinite(point.error)) spent = std::max(spent, point.cost);
      const auto peer = pair->best(tolerance);
      if (!peer || peer->cost.cost >= best) continue;
      best = peer->cost.cost;
      row.detail = engine;
    }
    if (!ours) {
      row.measured = 0;
      row.detail = "ours does not reach it";
    } else if (std::isfinite(best)) {
      row.measured = best / ours->cost.cost;
    } else if (any) {
      row.detail = fmt::format("{}, with up to {} times our cost", kNobody,
                               std::lround(spent / ours->cost.cost));
    }
    rows_.push_back(row);
  }

  void at_most(const std::string& what, std::optional<double> measured, double limit,
               const std::string& unit = "", const std::string& detail = "") {
    rows_.push_back({what, fmt::format("<= {:g}{}", limit, unit), measured, false, limit, detail});
  }

  void build(const std::string& problem, double limit) {
    const Pair* own = results_.find("mechfmu", problem);
    std::optional<double> seconds;
    if (own != nullptr && own->figures.count("build_cpu_seconds") > 0)
      seconds = own->figures.at("build_cpu_seconds");
    at_most("build of " + find_problem(problem).title + ", CPU time", seconds, limit, " s");
  }

  [[nodiscard]] std::string text() const {
    std::vector<Row> lines = {{"figure", "wanted", "measured", "reached", ""}};
    for (const Reach& row : rows_)
      lines.push_back({row.what, row.wanted,
                       row.measured ? fmt::format("{:.3g}", *row.measured) : "", row.verdict(),
                       row.detail});
    return "\n### What is wanted\n\n" + make_table(lines);
  }

 private:
  const Results& results_;
  std::vector<Reach> rows_;
};

std::optional<double> evaluation(const Results& results, const std::string& engine,
                                 const std::string& problem) {
  const Pair* pair = results.find(engine, problem);
  return pair ? pair->evaluation : std::nullopt;
}

std::optional<double> ratio(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return {};
  return *a / *b;
}

// Whole run at a tolerance, over the one written by hand with dopri5.
std::optional<double> run_ratio(const Results& results, const std::string& problem,
                                double tolerance) {
  const Pair* own = results.find("mechfmu", problem);
  const Pair* hand = results.find("hand", problem);
  const auto ours = own ? own->best(tolerance) : std::nullopt;
  const auto limit = hand ? hand->cost("dopri5", tolerance) : std::nullopt;
  if (!ours || !limit) return {};
  return ours->cost.cost / limit->cost;
}

// Time per link of chains from 10 to 1000 links: largest over smallest. With the price of a step's
// outputs and calls, which is not in proportion to the links, in it.
std::optional<double> chain_spread(const Results& results, std::string& detail) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const int links : {10, 50, 200, 1000}) {
    const auto seconds = evaluation(results, "mechfmu", fmt::format("chain_{}", links));
    if (!seconds) return {};
    const double each = *seconds / links;
    low = std::min(low, each);
    high = std::max(high, each);
    detail += fmt::format("{}{}: {:.1f} ns", detail.empty() ? "" : ", ", links, 1e9 * each);
  }
  return high / low;
}

}  // namespace

std::string make_reach(const Results& results) {
  Rows rows(results);
  for (const char* problem : {"four_bar", "slider_crank"})
    for (const double tolerance : kTolerances) rows.compare(problem, tolerance, 50);
  for (const double tolerance : kTolerances) rows.compare("five_bar", tolerance, 10);
  rows.compare("n_four_bar_40", 1e-3, 60);
  rows.compare("bricard", 1e-6, 10);
  for (const char* problem : {"arm_6r", "chain_10", "chain_50", "chain_200", "chain_1000"})
    for (const double tolerance : kTolerances) rows.compare(problem, tolerance, 5);

  std::string detail;
  const Pair* hand = results.find("hand", "four_bar");
  const auto ours = evaluation(results, "mechfmu", "four_bar");
  if (ours && hand && hand->figures.count("evaluation_by_angles") > 0)
    detail = fmt::format("{:.2f} to the one by angles",
                         *ours / hand->figures.at("evaluation_by_angles"));
  rows.at_most("four-bar acceleration: ours / hand-written",
               ratio(ours, evaluation(results, "hand", "four_bar")), 1.5, "", detail);
  rows.at_most("four-bar at 1e-06 m, whole run: ours / hand-written dopri5",
               run_ratio(results, "four_bar", 1e-6), 3);
  std::string each;
  const auto spread = chain_spread(results, each);
  rows.at_most("chains, evaluation per link, 10 to 1000 links: largest / smallest", spread, 1.2, "",
               each);
  // what belongs to "overhead" can be read in two ways; both are told
  const auto nanoseconds = [&](const char* figure) {
    const auto seconds = results.figure(figure);
    return seconds ? std::optional(1e9 * *seconds) : std::nullopt;
  };
  rows.at_most("fmi2DoStep alone, FMU with 10 inputs and 20 outputs", nanoseconds("overhead_step"),
               100, " ns");
  rows.at_most("the same with setting 10 inputs and reading 20 outputs",
               nanoseconds("overhead_10_20"), 100, " ns");
  rows.build("four_bar", 2);
  rows.build("n_four_bar_40", 6);
  rows.build("chain_1000", 10);
  rows.at_most("heap allocations and system calls in fmi2DoStep", results.figure("steady"), 0, "",
               "tests Steady.*");
  return rows.text();
}

}  // namespace mechfmu::bench
