// Derivatives of outputs that FMUs offer, on every example and formulation, against differences of
// the values themselves: with inputs at a point of the motion, with parameters and starts through
// the assembly, and with time.
#include <gtest/gtest.h>

#include <cmath>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

class Derivatives : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  Derivatives() {
    SystemOptions options;
    const std::string text = example_text(std::get<0>(GetParam()));
    if (text.find("<equations") == std::string::npos) options.coordinates = std::get<1>(GetParam());
    std::string errors;
    const std::optional<SystemModel> system = make_test_system(text, options, errors);
    if (!system) return;  // no inertia in these coordinates
    step_ = 1e-5 * system->experiment.stop;
    options.step = step_;
    run_ = std::make_unique<MechanismRun>(text, options);
    run_->initialize();
    model_ = &run_->simulation().model();
    first_ = run_->simulation().first_computed();
  }
  [[nodiscard]] std::vector<double> computed() const {
    runtime::Simulation& s = run_->simulation();
    EXPECT_TRUE(s.update_outputs(true)) << s.failure();
    return {s.values() + first_, s.values() + first_ + model_->n_computed};
  }
  [[nodiscard]] std::vector<double> directional(bool initializing, int known) const {
    std::vector<double> rates(static_cast<std::size_t>(model_->n_computed));
    const auto reference = static_cast<unsigned>(known);
    const double one = 1;
    EXPECT_TRUE(
        run_->simulation().calc_directional(initializing, 1, &reference, &one, rates.data()))
        << run_->simulation().failure();
    return rates;
  }
  void set(int reference, double value, bool assemble) const {
    runtime::Simulation& s = run_->simulation();
    s.values()[reference] = value;
    s.mark_changed(model_->reals[reference].kind);
    assembled_ = !assemble || s.initialize(0);
  }
  // Central differences of fourth order with steps of `h`.
  [[nodiscard]] std::vector<double> differences(int reference, double h, bool assemble) const {
    const double value = run_->simulation().values()[reference];
    std::vector<std::vector<double>> at;
    for (const int k : {-2, -1, 1, 2}) {
      set(reference, value + k * h, assemble);
      if (!assembled_) {
        set(reference, value, assemble);
        return {};
      }
      at.push_back(computed());
    }
    set(reference, value, assemble);
    const std::vector<double> middle = computed();
    std::vector<double> result;
    for (std::size_t i = 0; i < at[0].size(); ++i) {
      result.push_back((at[0][i] - 8 * at[1][i] + 8 * at[2][i] - at[3][i]) / (12 * h));
      // the norm of a force that is zero here: no derivative
      const double before = middle[i] - at[1][i], after = at[2][i] - middle[i];
      if (before * after < 0 && std::fabs(before + after) < 0.5 * std::fabs(after))
        result.back() = std::nan("");
    }
    return result;
  }
  // Relative to the largest of the two and to what rounding of the values allows.
  void expect_same(const std::vector<double>& found, const std::vector<double>& expected,
                   double step, const std::string& what, double tolerance) const {
    const std::vector<double> values = computed();
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string name = model_->reals[first_ + static_cast<int>(i)].name;
      // norms of residuals have no derivative at zero, counters are not functions of the state
      if (name.find("constraint.residual") == 0 || name.find("solver.") == 0 ||
          name.find("scheme.") == 0 || name.find(".residual") != std::string::npos ||
          is_of_residual(name))
        continue;
      if (std::isnan(expected[i])) continue;
      const double size = std::fabs(expected[i]);
      const double rounding = 3e-11 * (std::fabs(values[i]) + scale_) / step;
      EXPECT_NEAR(found[i], expected[i], tol(tolerance) * size + rounding)
          << name << " by " << what;
    }
  }
  [[nodiscard]] static bool is_of_residual(const std::string& name) {
    return name == "closure_error" || name.find("error") != std::string::npos ||
           name.find("residual") != std::string::npos;
  }
  void measure_scale() {
    for (const double x : computed()) scale_ = std::max(scale_, std::fabs(x));
  }
  std::unique_ptr<MechanismRun> run_;
  const runtime::Model* model_ = nullptr;
  int first_ = 0;
  mutable bool assembled_ = true;
  double step_ = 0;  // [s]
  double scale_ = 0;
};

TEST_P(Derivatives, ByInputsAreThoseOfTheValues) {
  if (!run_) GTEST_SKIP() << "a body without inertia: these coordinates are refused";
  run_->advance(130 * step_);
  measure_scale();
  const int first_input = model_->n_parameters + model_->n_starts + model_->n_settings;
  for (int i = 0; i < model_->nu; ++i) {
    const double h = 1e-3 * (1 + std::fabs(run_->simulation().values()[first_input + i]));
    const std::vector<double> found = directional(false, first_input + i);
    expect_same(found, differences(first_input + i, h, false), h,
                model_->reals[first_input + i].name, 1e-6);
  }
}

TEST_P(Derivatives, ByParametersAndStartsGoThroughTheAssembly) {
  if (!run_) GTEST_SKIP() << "a body without inertia: these coordinates are refused";
  measure_scale();
  const int first_input = model_->n_parameters + model_->n_starts + model_->n_settings;
  std::vector<int> knowns;
  for (int i = 0; i < model_->n_parameters + model_->n_starts; ++i) knowns.push_back(i);
  for (int i = 0; i < model_->nu; ++i) knowns.push_back(first_input + i);
  int compared = 0;
  for (const int known : knowns) {
    const double value = run_->simulation().values()[known];
    const double h = value == 0 ? 1e-4 : 1e-4 * std::fabs(value);
    const std::vector<double> found = directional(true, known);
    const std::vector<double> expected = differences(known, h, true);
    // fixed starts that fit one value only: rolling_disc, sled
    if (expected.empty()) continue;
    ++compared;
    expect_same(found, expected, h, model_->reals[known].name, 1e-6);
  }
  EXPECT_TRUE(compared > 0 || knowns.empty());
}

// One-sided differences of second order over the coming steps.
TEST_P(Derivatives, ByTimeAreThoseOfTheMotion) {
  if (!run_) GTEST_SKIP() << "a body without inertia: these coordinates are refused";
  run_->advance(110 * step_);
  measure_scale();
  std::vector<double> found(static_cast<std::size_t>(model_->n_computed));
  ASSERT_TRUE(run_->simulation().calc_time_rates(found.data())) << run_->simulation().failure();
  std::vector<std::vector<double>> at = {computed()};
  for (int k = 0; k < 4; ++k) {
    run_->advance(step_);
    at.push_back(computed());
  }
  std::vector<double> expected;
  for (std::size_t i = 0; i < found.size(); ++i)
    expected.push_back(
        (-25 * at[0][i] + 48 * at[1][i] - 36 * at[2][i] + 16 * at[3][i] - 3 * at[4][i]) /
        (12 * step_));
  expect_same(found, expected, step_, "time", 1e-5);
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<std::string, std::string>>& info) {
  return std::get<0>(info.param) + "_" + std::get<1>(info.param);
}
INSTANTIATE_TEST_SUITE_P(Examples, Derivatives,
                         ::testing::Combine(::testing::ValuesIn(example_names()),
                                            ::testing::Values("joint", "absolute")),
                         name_of);

}  // namespace
}  // namespace mechfmu::testing
