#include <fmt/format.h>

#include <algorithm>

#include "problems/problem.hpp"
#include "report/results.hpp"
#include "report/table.hpp"

namespace mechfmu::bench {
namespace {

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
  if (ours && pair->engine != "mechfmu") text += " (" + make_ratio(best->cost.cost, *ours) + ")";
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
         make_table(rows);
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
        text += " (" + make_ratio(*pair->evaluation, *own->evaluation) + ")";
      row.push_back(text);
    }
    rows.push_back(row);
  }
  return "\n### Microseconds per evaluation of all accelerations\n\n" + make_table(rows);
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
  return "\n### FMUs built without any option\n\n" + make_table(rows);
}

std::string step_table(const Results& results) {
  std::vector<Row> rows = {{"problem", "median", "99.9 % below", "largest", "largest of all runs"}};
  for (const std::string& problem : results.problems) {
    const Pair* own = results.find("mechfmu", problem);
    if (own == nullptr || own->figures.count("step_median") == 0) continue;
    Row row = {find_problem(problem).title};
    for (const char* key : {"step_median", "step_high", "step_highest", "step_highest_of_all"})
      row.push_back(fmt::format("{:.3g}", 1e6 * own->figures.at(key)));
    rows.push_back(row);
  }
  if (rows.size() == 1) return "";
  return "\n### Microseconds per fmi2DoStep at a communication step of 1 ms, least of seven "
         "runs\n\n" +
         make_table(rows);
}

std::string interface_table(const Results& results) {
  std::vector<Row> rows = {{"", "ns"}};
  for (const auto& [key, title] :
       {std::pair("overhead_10_20",
                  "set 10 inputs, fmi2DoStep, get 20 outputs, without the physics"),
        std::pair("overhead_step", "fmi2DoStep alone, without the physics"),
        std::pair("overhead_set_get", "set 10 inputs, get 20 outputs"),
        std::pair("overhead_internal_step", "the physics: one Euler step")})
    if (const auto value = results.figure(key))
      rows.push_back({title, fmt::format("{:.0f}", 1e9 * *value)});
  if (rows.size() == 1) return "";
  return "\n### The interface: a slider with 10 inputs and 20 outputs\n\n" + make_table(rows);
}

std::string solver_table(const Results& results) {
  std::vector<Row> rows = {{"bodies", "sparse", "divide_and_conquer", "tree, 1 thread",
                            "tree, 2 threads", "gain", "nodes on the longest way",
                            "limit of gain"}};
  const auto micros = [&](const std::string& key, int n) {
    const auto value = results.figure(fmt::format("{}_{}", key, n));
    return value ? fmt::format("{:.1f}", 1e6 * *value) : std::string();
  };
  for (int n = 8; n <= 1024; n *= 2) {
    const auto one = results.figure(fmt::format("tree_one_thread_{}", n));
    const auto two = results.figure(fmt::format("tree_two_threads_{}", n));
    const auto depth = results.figure(fmt::format("tree_depth_{}", n));
    const auto limit = results.figure(fmt::format("tree_limit_{}", n));
    if (!one || !two || !depth || !limit) continue;
    rows.push_back({std::to_string(n), micros("solver_sparse", n),
                    micros("solver_divide_and_conquer", n), micros("tree_one_thread", n),
                    micros("tree_two_threads", n), fmt::format("{:.2f}", *one / *two),
                    fmt::format("{:g}", *depth), fmt::format("{:.1f}", *limit)});
  }
  if (rows.size() == 1) return "";
  return "\n### Solvers on chains in absolute coordinates, microseconds per factorisation and "
         "solution\n\n" +
         make_table(rows);
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

std::string make_table(const std::vector<Row>& rows) {
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

std::string make_ratio(double value, double ours) {
  const double r = value / ours;
  return r < 10 ? fmt::format("{:.1f}x", r) : fmt::format("{:.0f}x", r);
}

std::string make_tables(const Results& results) {
  std::string text;
  for (const double tolerance : kTolerances) text += cost_table(results, tolerance);
  return text + evaluation_table(results) + fmu_table(results) + step_table(results) +
         interface_table(results) + solver_table(results) + notes(results);
}

}  // namespace mechfmu::bench
