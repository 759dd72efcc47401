// A mechanism under test: from XML text to a running Simulation on an interpreted Model, with
// access by name. The runtime is the one that FMUs carry; only the kernels are interpreted instead
// of compiled.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "formulation/interpreted_model.hpp"
#include "formulation/system_kernels.hpp"
#include "formulation/system_model.hpp"
#include "support/source_text.hpp"
#include "system/simulation.hpp"
#include "validation/validate.hpp"

namespace mechfmu::testing {

// A tolerance; MECHFMU_TOL_SCALE=0 in the environment makes every comparison fail and so shows the
// residuals.
inline double tol(double value) {
  static const double scale = [] {
    const char* text = std::getenv("MECHFMU_TOL_SCALE");
    return text != nullptr ? std::atof(text) : 1.0;
  }();
  return value * scale;
}

inline std::string read_project_file(const std::string& path) {
  std::ifstream file(std::string(MECHFMU_PROJECT_DIR) + "/" + path);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

inline std::string example_text(const std::string& name) {
  return read_project_file("resources/examples/" + name + "/" + name + ".xml");
}

inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(MECHFMU_PROJECT_DIR) +
                                                               "/resources/examples"))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// Everything exposed, so that any sensor can be read by name.
inline std::optional<SystemModel> make_test_system(const std::string& xml, SystemOptions options,
                                                   std::string& errors) {
  const SourceText source("test.xml", xml);
  Diagnostics diagnostics;
  std::optional<SystemModel> system;
  options.expose = "all";
  if (const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics))
    system = make_system(*mechanism, options, diagnostics);
  errors = render(diagnostics, source);
  return system;
}

class MechanismRun {
 public:
  explicit MechanismRun(const std::string& xml, const SystemOptions& options = {}) {
    std::string errors;
    system_ = make_test_system(xml, options, errors);
    if (!system_) {
      ADD_FAILURE() << errors;
      throw std::runtime_error("the mechanism of the test has errors");
    }
    model_ = std::make_unique<InterpretedModel>(system_->kernels);
    memory_.resize(runtime::Simulation::bytes(model_->model()) / sizeof(double) + 2);
    simulation_ = std::make_unique<runtime::Simulation>(model_->model(), memory_.data());
  }

  [[nodiscard]] const SystemModel& system() const { return *system_; }
  [[nodiscard]] runtime::Simulation& simulation() { return *simulation_; }

  void set(const std::string& name, double value) {
    const InterfaceVariable* v = find(name);
    simulation_->values()[v->value_reference] = value;
    simulation_->mark_changed(model_->model().reals[v->value_reference].kind);
  }
  void initialize(double t = 0) {
    ASSERT_TRUE(simulation_->initialize(t)) << simulation_->failure();
  }
  void advance(double h) {
    ASSERT_TRUE(simulation_->advance(simulation_->time(), h)) << simulation_->failure();
  }
  double get(const std::string& name) {
    EXPECT_TRUE(simulation_->update_outputs(true)) << simulation_->failure();
    return simulation_->values()[find(name)->value_reference];
  }

 private:
  const InterfaceVariable* find(const std::string& name) const {
    const InterfaceVariable* v = system_->interface.find(name);
    if (v == nullptr) throw std::runtime_error("no variable '" + name + "'");
    return v;
  }
  std::optional<SystemModel> system_;
  std::unique_ptr<InterpretedModel> model_;
  std::vector<double> memory_;
  std::unique_ptr<runtime::Simulation> simulation_;
};

}  // namespace mechfmu::testing
