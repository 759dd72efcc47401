// Computes references and compares them with those that are kept; --write replaces them. With
// --general small problems are also followed by the general equations, which share nothing with
// those written by hand.
#include <fmt/format.h>

#include <cstring>
#include <fstream>

#include "exact/references.hpp"

int main(int count, char** arguments) {
  using namespace mechfmu::bench;
  bool write = false, is_general = false;
  std::vector<std::string> names;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--write") == 0)
      write = true;
    else if (std::strcmp(arguments[i], "--general") == 0)
      is_general = true;
    else
      names.emplace_back(arguments[i]);
  }
  if (names.empty()) names = problem_names();
  int failures = 0;
  for (const std::string& name : names) {
    const Problem problem = find_problem(name);
    if (is_general && problem.bodies.size() > 10 && name != "stewart") continue;
    const Reference reference =
        is_general ? compute_general_reference(problem) : compute_reference(problem);
    fmt::print("{:16} {:8.1e} m to twice the step", name, reference.error);
    if (write && !is_general) {
      std::ofstream(reference_path(problem)) << reference_text(problem, reference);
      fmt::print(", written");
    } else {
      const double difference = largest_distance(reference.path, read_reference(problem));
      fmt::print(", {:.1e} m to what is kept", difference);
      if (!(difference < 1e-7)) ++failures;
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}
