// Mechanisms under a chosen scheme, and the numbers that a correct implementation of each scheme
// gives (tests/data/scheme_regressions.json, made by separate programs; not exact solutions).
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/json.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {

struct SchemeOptions {
  std::string scheme;
  double step = 1e-3;
  std::vector<std::pair<std::string, std::string>> parameters = {};
  std::string integrator = {};
  std::string coordinates = {};
  std::string solver = {};
};

inline SystemOptions to_system_options(const SchemeOptions& options) {
  SystemOptions result;
  result.scheme = SchemeChoice{options.scheme, options.parameters, std::nullopt};
  result.step = options.step;
  if (!options.integrator.empty()) result.integrator = options.integrator;
  if (!options.solver.empty()) result.solver = options.solver;
  if (!options.coordinates.empty()) result.coordinates = options.coordinates;
  return result;
}

class SchemeRun : public MechanismRun {
 public:
  SchemeRun(const std::string& text, const SchemeOptions& options)
      : MechanismRun(text, to_system_options(options)) {
    initialize();
  }
};

// By path: "castro_pendulum.rows.4.max_phi".
inline const std::map<std::string, std::string>& regressions() {
  static const std::map<std::string, std::string> values = [] {
    const std::string text = read_project_file("tests/data/scheme_regressions.json");
    return test::JsonReader(text).read();
  }();
  return values;
}
inline double regression(const std::string& path) { return std::stod(regressions().at(path)); }

}  // namespace mechfmu::testing
