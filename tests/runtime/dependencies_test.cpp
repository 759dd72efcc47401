// The dependencies that modelDescription.xml declares against what perturbation shows: every known
// is changed alone, at twenty random sets of parameters and places of the motion. Nothing may move
// that is not declared, and each declared dependency must be seen at least once.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;  // unknown, known

class Dependencies : public ::testing::TestWithParam<std::string> {
 protected:
  Dependencies() : run_(example_text(GetParam())), model_(run_.simulation().model()) {}

  runtime::Simulation& simulation() { return run_.simulation(); }
  [[nodiscard]] const std::vector<InterfaceVariable>& variables() const {
    return run_.system().interface.variables;
  }

  // Random parameters and starts; false if the mechanism cannot be assembled with them.
  bool start_somewhere() {
    simulation().reset();
    double* values = simulation().values();
    for (int i = 0; i < model_.n_parameters + model_.n_starts; ++i) {
      const double size = i < model_.n_parameters ? std::fabs(values[i]) : 1;
      values[i] = std::clamp(values[i] + 0.05 * size * uniform_(random_), model_.reals[i].min,
                             model_.reals[i].max);
    }
    simulation().mark_changed(runtime::VariableKind::parameter);
    return simulation().initialize(run_.system().experiment.start);
  }
  std::vector<double> computed() {
    EXPECT_TRUE(simulation().update_outputs(true)) << simulation().failure();
    const double* first = simulation().values() + simulation().first_computed();
    return {first, first + model_.n_computed};
  }
  // What certainly moved, and what moved at all, of the variables that `is_unknown` says.
  struct Shown {
    Pairs certain, any;
  };
  template <class IsUnknown>
  void note_moved(const std::vector<double>& before, const std::vector<double>& after,
                  const std::string& known, IsUnknown is_unknown, double rounding, Shown& shown) {
    for (const InterfaceVariable& v : variables()) {
      if (!is_unknown(v)) continue;
      const std::size_t i =
          v.value_reference - static_cast<unsigned>(simulation().first_computed());
      const double size = 1e-3 + std::fabs(before[i]);
      const double moved = std::fabs(after[i] - before[i]) / size;
      if (moved > rounding) shown.certain.insert({v.name, known});
      if (moved > 0) shown.any.insert({v.name, known});
    }
  }
  // Every input and state alone, at the present point.
  template <class IsUnknown>
  void perturb_all(IsUnknown is_unknown, Shown& shown) {
    const std::vector<double> before = computed();
    for (const InterfaceVariable& known : variables()) {
      const bool is_input = known.causality == Causality::input;
      if (!is_input && !known.is_state) continue;
      const unsigned reference = known.value_reference;
      const double value = simulation().values()[reference];
      const double d = 1e-4 * (1 + std::fabs(value));
      const auto set = [&](double to) {
        if (is_input)
          run_.set(known.name, to);
        else
          simulation().set_state(static_cast<int>(reference) - model_.first_state, to);
      };
      set(value + d);
      note_moved(before, computed(), known.name, is_unknown, 1e-10, shown);
      set(value);
      computed();
    }
  }
  // A residual is rounding unless it is made to be more.
  static bool is_residual(const InterfaceVariable& v) {
    return v.name.find("error") != std::string::npos ||
           v.name.find("residual") != std::string::npos;
  }
  void expect_same(const Pairs& declared, const Shown& shown) {
    for (const auto& [unknown, known] : shown.certain)
      EXPECT_TRUE(declared.contains({unknown, known}))
          << unknown << " moves with " << known << ", which is not declared";
    // a table may be flat where one looks: what it reads is declared by its structure
    const bool has_table = example_text(GetParam()).find("<table") != std::string::npos;
    for (const auto& [unknown, known] : has_table ? Pairs() : declared)
      EXPECT_TRUE(shown.any.contains({unknown, known}))
          << unknown << " is declared to depend on " << known << ", which is never seen";
  }

  // Fixed starts that fit one set of values only.
  static bool has_free_parameters() {
    return GetParam() != "rolling_disc" && GetParam() != "sled" && GetParam() != "biped";
  }

  MechanismRun run_;
  const runtime::Model& model_;
  std::mt19937 random_{20241118};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST_P(Dependencies, OfOutputsAndDerivativesAreThoseThatPerturbationShows) {
  const auto is_unknown = [](const InterfaceVariable& v) {
    return (v.causality == Causality::output || v.derivative_of >= 0) && !is_residual(v);
  };
  Pairs declared;
  Shown shown;
  for (const InterfaceVariable& v : variables())
    if (is_unknown(v))
      for (const Dependency& d : v.depends_on)
        declared.insert({v.name, variables()[static_cast<std::size_t>(d.index)].name});
  simulation().begin_exchange();
  const double stop = run_.system().experiment.stop;
  int points = 0;
  for (int attempt = 0; attempt < 60 && points < 20; ++attempt) {
    if (!start_somewhere()) continue;
    // somewhere on the motion, with inputs that act
    for (int i = 0; i < model_.nu; ++i)
      simulation().values()[simulation().first_computed() - model_.nu + i] +=
          0.1 * uniform_(random_);
    simulation().mark_changed(runtime::VariableKind::input);
    const double h = 0.02 * stop * (1.5 + uniform_(random_));
    if (!simulation().advance(simulation().time(), h)) continue;
    ++points;
    perturb_all(is_unknown, shown);
    // hosts that integrate the states themselves leave the constraints a little: what is declared
    // may be seen there only
    for (int i = 0; i < model_.nq; ++i) simulation().position()[i] += 0.1 * uniform_(random_);
    for (int i = 0; i < model_.nv; ++i) simulation().velocity()[i] += uniform_(random_);
    simulation().mark_moved();
    Shown beside;
    if (simulation().update_outputs(true)) perturb_all(is_unknown, beside);
    shown.any.insert(beside.any.begin(), beside.any.end());
  }
  ASSERT_GE(points, has_free_parameters() ? 20 : 0);
  if (points > 0) expect_same(declared, shown);
}

TEST_P(Dependencies, OfInitialUnknownsAreThoseThatPerturbationShows) {
  const auto is_unknown = [](const InterfaceVariable& v) {
    return v.type == ValueType::real && !v.start && !is_residual(v) &&
           (v.causality == Causality::output || v.causality == Causality::calculated_parameter ||
            v.is_state || v.derivative_of >= 0);
  };
  Pairs declared;
  Shown shown;
  for (const InterfaceVariable& v : variables())
    if (is_unknown(v))
      for (const int known : v.initially_depends_on)
        declared.insert({v.name, variables()[static_cast<std::size_t>(known)].name});
  const double start = run_.system().experiment.start;
  int points = 0;
  for (int attempt = 0; attempt < 60 && points < 20; ++attempt) {
    if (!start_somewhere()) continue;
    ++points;
    const std::vector<double> before = computed();
    for (const InterfaceVariable& known : variables()) {
      if (known.type != ValueType::real || !known.start) continue;
      const double value = simulation().values()[known.value_reference];
      const double d = 1e-2 * (value == 0 ? 1 : std::fabs(value));
      run_.set(known.name, value + d);
      if (simulation().initialize(start))
        // the assembly ends within 1e-12 of the constraints, from wherever it came
        note_moved(before, computed(), known.name, is_unknown, 1e-7, shown);
      run_.set(known.name, value);
      ASSERT_TRUE(simulation().initialize(start));
    }
  }
  if (points > 0) expect_same(declared, shown);
}

INSTANTIATE_TEST_SUITE_P(Examples, Dependencies, ::testing::ValuesIn(example_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace mechfmu::testing
