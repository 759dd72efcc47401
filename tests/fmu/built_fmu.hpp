// An FMU built from mechanism text in a private folder, opened in the product's own host.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "build/build.hpp"
#include "harness/fmu.hpp"
#include "support/mechanism_run.hpp"
#include "support/test_folder.hpp"

namespace mechfmu::testing {

class BuiltFmu {
 public:
  explicit BuiltFmu(const std::string& xml, SystemOptions options = {}) {
    const SourceText source("mechanism.xml", xml);
    Diagnostics diagnostics;
    const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics);
    std::optional<SystemModel> system;
    if (mechanism) system = make_system(*mechanism, options, diagnostics);
    if (system) {
      BuildOptions build;
      build.output = path();
      build_ = build_fmu(*system, source, build, diagnostics);
    }
    if (build_) fmu_ = Fmu::open(path(), diagnostics);
    if (!fmu_ || !fmu_->load(diagnostics)) {
      ADD_FAILURE() << render(diagnostics, source);
      throw std::runtime_error("the FMU of the test could not be built");
    }
  }

  [[nodiscard]] std::string path() const { return folder_.path() + "/model.fmu"; }
  [[nodiscard]] const BuildResult& build() const { return *build_; }
  [[nodiscard]] const Fmu& fmu() const { return *fmu_; }
  [[nodiscard]] const ModelDescription& description() const { return fmu_->description(); }
  [[nodiscard]] fmi2ValueReference reference(const std::string& name) const {
    const FmuVariable* v = description().find(name);
    if (v == nullptr) throw std::runtime_error("the FMU has no variable '" + name + "'");
    return v->value_reference;
  }

  // Whatever the FMU says is collected; a silent FMU leaves it empty.
  std::unique_ptr<FmuInstance> instantiate(const std::string& name = "instance") {
    Diagnostics diagnostics;
    auto instance = fmu_->instantiate(
        name, [this](const FmuMessage& m) { messages_.push_back(m.text); }, CallLog(), false,
        diagnostics);
    if (!instance) throw std::runtime_error("the FMU could not be instantiated");
    return instance;
  }
  std::unique_ptr<FmuInstance> start(const std::string& name = "instance") {
    auto instance = instantiate(name);
    EXPECT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
    EXPECT_EQ(instance->enter_initialization_mode(), fmi2OK);
    EXPECT_EQ(instance->exit_initialization_mode(), fmi2OK);
    return instance;
  }
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

  // All Real variables that the FMU computes.
  [[nodiscard]] std::vector<fmi2ValueReference> computed() const {
    std::vector<fmi2ValueReference> references;
    for (const FmuVariable& v : description().variables)
      if (v.type == FmuVariable::Type::real && (v.causality == FmuVariable::Causality::output ||
                                                v.causality == FmuVariable::Causality::local))
        references.push_back(v.value_reference);
    return references;
  }
  std::vector<double> values(FmuInstance& instance) const {
    std::vector<double> result;
    EXPECT_EQ(instance.get_real(computed(), result), fmi2OK);
    return result;
  }
  // Steps number first, first + 1, ... of length h: the same points however a run is divided.
  static void run(FmuInstance& instance, int first, double h, int count) {
    for (int i = first; i < first + count; ++i) ASSERT_EQ(instance.do_step(i * h, h), fmi2OK);
  }

 private:
  test::TestFolder folder_;
  std::optional<BuildResult> build_;
  std::unique_ptr<Fmu> fmu_;
  std::vector<std::string> messages_;
};

}  // namespace mechfmu::testing
