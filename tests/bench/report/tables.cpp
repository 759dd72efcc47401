// Results as Markdown tables, which read well on a terminal, too.
#include <fmt/format.h>

#include <algorithm>

#include "problems/problem.hpp"
#include "report/results.hpp"

namespace mechfmu::bench {
namespace {

using Row = std::vector<std::string>;

std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> width(rows.front().size(), 3);
  for (const Row& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < width.size(); ++k)
      text += fmt::format("| {:{}} ", k < rows[i].size() ? rows[i][k] : "", width[k]);
    text += "|\n";
    if (i > 0) continue;
    for (const std::size_t w : width) text += "|" + std::string(w + 2, '-');
    text += "|\n";
  }
  return text;
}

std::string ratio(double value, double ours) {
  const double r = value / ours;
  return r < 10 ? fmt::format("{:.1f}x", r) : fmt::format("{:.0f}x", r);
}

std::string cell(const Pair* pair, double tolerance, std::optional<double> ours) {
  if (pair == nullptr) return "";
  if (!pair->refused.empty()) return "-";
  const auto best = pair->best(tolerance);
  if (!best) {
    const double error = pair->least_error();
    if (!std::isfinite(error)) return "fails";
    return fmt::format("not reached ({:.0e})", error);
  }
  std::string text = fmt::format("{:.1e}", best->cost.cost);
  if (ours && pair->engine != "mechfmu") text += " (" + ratio(best->cost.cost, *ours) + ")";
  return text;
}

std::string cost_table(const Results& results, double tolerance) {
  Row head = {"problem", "default", "best method"};
  for (const std::string& engine : results.engines) head.push_back(engine);
  std::vector<Row> rows = {head};
  for (const std::string& problem : results.problems) {
    const Pair* own = results.find("mechfmu", problem);
    const auto best = own ? own->best(tolerance) : std::nullopt;
    const auto standard = own ? own->cost("default", tolerance) : std::nullopt;
    Row row = {find_problem(problem).title, standard ? fmt::format("{:.1e}", standard->cost) : "",
               best ? best->method : ""};
    for (const std::string& engine : results.engines)
      row.push_back(cell(results.find(engine, problem), tolerance,
                         best ? std::optional(best->cost.cost) : std::nullopt));
    rows.push_back(row);
  }
  return fmt::format("\n### CPU seconds per simulated second at position error <= {:.0e} m\n\n",
                     tolerance) +
         table(rows);
}

std::string evaluation_table(const Results& results) {
  Row head = {"problem"};
  for (const std::string& engine : results.engines) head.push_back(engine);
  std::vector<Row> rows = {head};
  for (const std::string& problem : results.problems) {
    const Pair* own = results.find("mechfmu", problem);
    Row row = {find_problem(problem).title};
    for (const std::string& engine : results.engines) {
      const Pair* pair = results.find(engine, problem);
      const bool has = pair != nullptr && pair->evaluation.has_value();
      std::string text = has ? fmt::format("{:.3g}", 1e6 * *pair->evaluation) : "";
      if (has && engine != "mechfmu" && own != nullptr && own->evaluation)
        text += " (" + ratio(*pair->evaluation, *own->evaluation) + ")";
      row.push_back(text);
    }
    rows.push_back(row);
  }
  return "\n### Microseconds per evaluation of all accelerations\n\n" + table(rows);
}

std::string fmu_table(const Results& results) {
  std::vector<Row> rows = {{"problem", "build, CPU s", "FMU kB", "library kB", "instance kB"}};
  for (const std::string& problem : results.problems) {
    const Pair* own = results.find("mechfmu", problem);
    if (own == nullptr) continue;
    Row row = {find_problem(problem).title};
    for (const auto& [key, scale] :
         {std::pair("build_cpu_seconds", 1.0), std::pair("fmu_bytes", 1e-3),
          std::pair("library_bytes", 1e-3), std::pair("instance_bytes", 1e-3)}) {
      const auto found = own->figures.find(key);
      row.push_back(found == own->figures.end() ? ""
                                                : fmt::format("{:.3g}", scale * found->second));
    }
    rows.push_back(row);
  }
  return "\n### FMUs built without any option\n\n" + table(rows);
}

std::string notes(const Results& results) {
  std::string text;
  for (const auto& [engine, why] : results.missing)
    text += fmt::format("* {}: not measured, {}\n", engine, why);
  for (const Pair& pair : results.pairs) {
    const std::string who = pair.engine + ", " + pair.problem;
    if (!pair.refused.empty() && pair.engine != "hand")
      text += fmt::format("* {}: {}\n", who, pair.refused);
    if (!pair.ended.empty()) text += fmt::format("* {}: {}\n", who, pair.ended);
    if (pair.out_of_time)
      text +=
          fmt::format("* {}: stopped by the limit of time, finer settings were not tried\n", who);
    if (pair.start_gap > 1e-9)
      text += fmt::format("* {}: starts {:.1e} m from where it should\n", who, pair.start_gap);
  }
  return text.empty() ? text : "\n### Notes\n\n" + text;
}

}  // namespace

std::string make_tables(const Results& results) {
  std::string text;
  for (const double tolerance : kTolerances) text += cost_table(results, tolerance);
  return text + evaluation_table(results) + fmu_table(results) + notes(results);
}

// ---- what is wanted, and what was measured

namespace {

constexpr const char* kNobody = "no peer reaches it";

struct Reach {
  std::string what, wanted;
  std::optional<double> measured;
  bool at_least = true;  // else at most
  double limit = 0;
  std::string detail;
};

const std::vector<std::string>& packaged() {
  static const std::vector<std::string> names = {"simbody", "mujoco", "ode", "bullet", "dart"};
  return names;
}

// Best packaged peer at a tolerance, over ours; nothing if nobody reached it or ours did not.
void compare(const Results& results, const std::string& problem, double tolerance, double limit,
             std::vector<Reach>& rows) {
  Reach row{fmt::format("{} at {:.0e}: best packaged peer / ours", find_problem(problem).title,
                        tolerance),
            fmt::format(">= {:g}", limit),
            {},
            true,
            limit,
            ""};
  const Pair* own = results.find("mechfmu", problem);
  if (own == nullptr) return;
  const auto ours = own->best(tolerance);
  double best = std::numeric_limits<double>::infinity();
  bool any = false;
  for (const std::string& engine : packaged()) {
    const Pair* pair = results.find(engine, problem);
    any |= pair != nullptr && !pair->methods.empty();
    const auto peer = pair ? pair->best(tolerance) : std::nullopt;
    if (!peer || peer->cost.cost >= best) continue;
    best = peer->cost.cost;
    row.detail = engine;
  }
  if (!ours) {
    row.detail = "ours does not reach it";
    row.measured = 0;
  } else if (std::isfinite(best)) {
    row.measured = best / ours->cost.cost;
  } else if (any) {
    row.detail = kNobody;
  }
  rows.push_back(row);
}

void at_most(const std::string& what, std::optional<double> measured, double limit,
             std::vector<Reach>& rows, const std::string& unit = "",
             const std::string& detail = "") {
  rows.push_back({what, fmt::format("<= {:g}{}", limit, unit), measured, false, limit, detail});
}

std::optional<double> build_seconds(const Results& results, const std::string& problem) {
  const Pair* own = results.find("mechfmu", problem);
  if (own == nullptr || own->figures.count("build_cpu_seconds") == 0) return {};
  return own->figures.at("build_cpu_seconds");
}

std::optional<double> evaluation_ratio(const Results& results, const std::string& problem) {
  const Pair* own = results.find("mechfmu", problem);
  const Pair* hand = results.find("hand", problem);
  if (own == nullptr || hand == nullptr || !own->evaluation || !hand->evaluation) return {};
  return *own->evaluation / *hand->evaluation;
}

// Cost per link of the longest chain over that of the shortest, or the other way round.
std::optional<double> chain_spread(const Results& results, double tolerance) {
  double low = 1e300, high = 0;
  for (const int links : {10, 50, 200, 1000}) {
    const Pair* own = results.find("mechfmu", fmt::format("chain_{}", links));
    if (own == nullptr || !own->evaluation) return {};
    (void)tolerance;
    const double each = *own->evaluation / links;
    low = std::min(low, each);
    high = std::max(high, each);
  }
  return high / low;
}

}  // namespace

std::string make_reach(const Results& results) {
  std::vector<Reach> rows;
  for (const char* problem : {"four_bar", "slider_crank"})
    for (const double tolerance : kTolerances) compare(results, problem, tolerance, 50, rows);
  for (const double tolerance : kTolerances) compare(results, "five_bar", tolerance, 10, rows);
  compare(results, "n_four_bar_40", 1e-3, 60, rows);
  compare(results, "bricard", 1e-6, 10, rows);
  for (const char* problem : {"arm_6r", "chain_10", "chain_50", "chain_200", "chain_1000"})
    for (const double tolerance : kTolerances) compare(results, problem, tolerance, 5, rows);
  at_most("four-bar acceleration: ours / hand-written", evaluation_ratio(results, "four_bar"), 1.5,
          rows);
  const Pair* own = results.find("mechfmu", "four_bar");
  const Pair* hand = results.find("hand", "four_bar");
  const auto ours = own ? own->best(1e-6) : std::nullopt;
  const auto limit = hand ? hand->cost("dopri5", 1e-6) : std::nullopt;
  at_most("four-bar at 1e-06, whole run: ours / hand-written dopri5",
          ours && limit ? std::optional(ours->cost.cost / limit->cost) : std::nullopt, 3, rows);
  at_most("chain, evaluation per link from 10 to 1000 links: largest / smallest",
          chain_spread(results, 1e-3), 1.2, rows);
  const auto overhead = results.figure("overhead_10_20");
  at_most("fmi2DoStep with 10 inputs and 20 outputs, overhead",
          overhead ? std::optional(1e9 * *overhead) : std::nullopt, 100, rows, " ns");
  at_most("build of the four-bar, CPU", build_seconds(results, "four_bar"), 2, rows, " s");
  at_most("build of the N-four-bar, N = 40, CPU", build_seconds(results, "n_four_bar_40"), 6, rows,
          " s");
  at_most("build of the chain of 1000, CPU", build_seconds(results, "chain_1000"), 10, rows, " s");

  std::vector<Row> lines = {{"figure", "wanted", "measured", "reached", ""}};
  for (const Reach& row : rows) {
    std::string verdict = "not measured";
    if (row.measured)
      verdict =
          (row.at_least ? *row.measured >= row.limit : *row.measured <= row.limit) ? "yes" : "no";
    else if (row.detail == kNobody)
      verdict = "yes";
    lines.push_back({row.what, row.wanted, row.measured ? fmt::format("{:.3g}", *row.measured) : "",
                     verdict, row.detail});
  }
  return "\n### What is wanted\n\n" + table(lines);
}

}  // namespace mechfmu::bench
