// What the engines' programs say, and everything that is made from it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/work_precision.hpp"

namespace mechfmu::bench {

// One engine on one problem.
struct Pair {
  std::string engine, problem;
  std::string refused;   // why there are no results; "" if there are
  std::string ended;     // how the program ended, if it did not end well
  double start_gap = 0;  // [m] marker at the start, from the reference
  std::vector<MethodResult> methods;
  bool out_of_time = false;
  std::optional<double> evaluation;  // [s]
  std::map<std::string, double> figures;

  // Least cost among the methods that compete.
  struct Best {
    CostAt cost;
    std::string method;
  };
  [[nodiscard]] std::optional<Best> best(double tolerance) const;
  [[nodiscard]] std::optional<CostAt> cost(const std::string& method, double tolerance) const;
  [[nodiscard]] double least_error() const;
};

struct Results {
  std::vector<std::string> engines;  // in the order of the tables, ours first
  std::map<std::string, std::string> versions;
  std::map<std::string, std::string> missing;  // engines that are not here, and why
  std::vector<std::string> problems;
  std::vector<Pair> pairs;
  std::map<std::string, double> figures;  // of the FMU interface, the solvers and the like
  std::string machine, compiler, date, command;
  bool quick = false;

  [[nodiscard]] const Pair* find(const std::string& engine, const std::string& problem) const;
  [[nodiscard]] std::optional<double> figure(const std::string& name) const;
};

// Reads the lines that a worker, or the program of a part, wrote; what is not known is passed over.
void read_figures(const std::string& path, Results& results);
void read_worker(const std::string& path, Pair& pair, Results& results);

// Reports. Tables go to stdout and, as Markdown, into the text.
std::string make_tables(const Results& results);
std::string make_reach(const Results& results);
std::string make_json(const Results& results);
std::string make_csv(const Results& results);
std::string make_plot(const Results& results);  // SVG

}  // namespace mechfmu::bench
