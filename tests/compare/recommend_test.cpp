// The advice. Reference: what its rules say, on runs made up for each of them.
#include <gtest/gtest.h>

#include "compare/comparison.hpp"

namespace mechfmu {
namespace {

MethodRun make_run(std::size_t method, double setting, double error, double cost,
                   double residual = 0) {
  MethodRun run;
  run.method = method;
  run.setting = setting;
  run.completed = true;
  run.error = error;
  run.residual = residual;
  run.cost = cost;
  return run;
}

Comparison make_comparison(std::vector<Method> methods, std::vector<MethodRun> runs) {
  Comparison c;
  c.model = "M";
  c.file = "m.xml";
  c.methods = std::move(methods);
  c.runs = std::move(runs);
  return c;
}

const Goal kGoal{1e-4, 1e-6};
const Method kBaumgarte{"baumgarte", "rk4", false}, kProjection{"projection", "rk4", false},
    kNone{"none", "rk4", false}, kAdaptive{"projection", "dopri5", true};

TEST(Recommend, ALuckyCoarseRunDoesNotCount) {
  const Comparison c = make_comparison(
      {kBaumgarte},
      {make_run(0, 0.1, 1e-5, 1), make_run(0, 0.05, 1e-3, 2), make_run(0, 0.02, 1e-5, 4)});
  ASSERT_NE(find_sufficient(c, 0, kGoal), nullptr);
  EXPECT_EQ(find_sufficient(c, 0, kGoal)->setting, 0.02);
}

TEST(Recommend, TheCheapestThatHoldsErrorAndResidual) {
  const Comparison c = make_comparison(
      {kBaumgarte, {"velocity", "", false}, {"partitioning", "rk4", false}},
      {make_run(0, 0.1, 1e-5, 1, 1e-3), make_run(1, 0.1, 1e-5, 3), make_run(2, 0.1, 1e-5, 9)});
  const Advice advice = recommend(c, kGoal);
  ASSERT_NE(advice.run, nullptr);
  EXPECT_EQ(c.methods[advice.run->method].scheme, "velocity");
  EXPECT_EQ(build_options(c, *advice.run), "--scheme velocity --step 0.1");
}

TEST(Recommend, TheDefaultIfItCostsLittleMore) {
  const Comparison near = make_comparison({kBaumgarte, kProjection},
                                          {make_run(0, 0.1, 1e-5, 1), make_run(1, 0.1, 1e-5, 1.4)});
  EXPECT_EQ(recommend(near, kGoal).run->method, 1u);
  const Comparison far = make_comparison({kBaumgarte, kProjection},
                                         {make_run(0, 0.1, 1e-5, 1), make_run(1, 0.1, 1e-5, 1.6)});
  EXPECT_EQ(recommend(far, kGoal).run->method, 0u);
}

TEST(Recommend, AFixedStepBeforeAnAdaptiveOne) {
  const Comparison c = make_comparison({kAdaptive, kProjection},
                                       {make_run(0, 1e-6, 1e-5, 1), make_run(1, 0.01, 1e-5, 1.3)});
  EXPECT_EQ(recommend(c, kGoal).run->method, 1u);
  const Comparison dear = make_comparison({kAdaptive, kProjection},
                                          {make_run(0, 1e-6, 1e-5, 1), make_run(1, 0.01, 1e-5, 3)});
  const Advice advice = recommend(dear, kGoal);
  EXPECT_EQ(advice.run->method, 0u);
  EXPECT_EQ(build_options(dear, *advice.run),
            "--scheme projection --integrator dopri5 --tolerance 1e-06");
}

TEST(Recommend, WithoutStabilisationOnlyWhereThereIsNothingToStabilise) {
  Comparison c =
      make_comparison({kNone, kBaumgarte}, {make_run(0, 0.1, 1e-5, 1), make_run(1, 0.1, 1e-5, 9)});
  EXPECT_EQ(recommend(c, kGoal).run->method, 1u);
  c.has_constraints = false;
  EXPECT_EQ(recommend(c, kGoal).run->method, 0u);
}

TEST(Recommend, SaysWhenNothingMeetsTheGoal) {
  const Comparison c = make_comparison({kProjection}, {make_run(0, 0.1, 1e-2, 1)});
  const Advice advice = recommend(c, kGoal);
  EXPECT_EQ(advice.run, nullptr);
  ASSERT_EQ(advice.reasons.size(), 1u);
  EXPECT_NE(advice.reasons[0].find("1.0e-02"), std::string::npos);
}

}  // namespace
}  // namespace mechfmu
