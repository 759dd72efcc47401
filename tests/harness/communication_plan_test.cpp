// Reference: the step rule of the command line contract, quoted in communication_plan.hpp.
#include "harness/communication_plan.hpp"

#include <gtest/gtest.h>

namespace mechfmu {
namespace {

const FmuExperiment kExperiment = {0.0, 10.0, std::nullopt, 0.01};

std::optional<CommunicationPlan> make(const CommunicationRequest& request,
                                      const FmuExperiment& experiment = kExperiment,
                                      bool can_vary_step = true) {
  Diagnostics diagnostics;
  return CommunicationPlan::make(request, experiment, can_vary_step, diagnostics);
}

std::int64_t count_rows(const CommunicationPlan& plan) {
  std::int64_t rows = 0;
  for (std::int64_t k = 0; k <= plan.step_count(); ++k) rows += plan.is_recorded(k) ? 1 : 0;
  return rows;
}

TEST(CommunicationPlan, StepSizeWinsOverEverything) {
  EXPECT_EQ(0.02, make({{}, {}, 0.02, {}})->step());
  EXPECT_EQ(0.02, make({{}, {}, 0.02, 0.1})->step());
}

TEST(CommunicationPlan, ASmallerOutputIntervalIsTheStep) {
  EXPECT_EQ(0.002, make({{}, {}, {}, 0.002})->step());
}

TEST(CommunicationPlan, ALargerOutputIntervalLeavesTheExperimentStep) {
  const auto plan = make({{}, {}, {}, 0.1});
  ASSERT_TRUE(plan);
  EXPECT_EQ(0.01, plan->step());
  EXPECT_EQ(1000, plan->step_count());
  EXPECT_EQ(101, count_rows(*plan));
}

TEST(CommunicationPlan, WithoutExperimentStepItIsAFiveHundredthOfTheDuration) {
  EXPECT_EQ(0.02, make({}, {0.0, 10.0, {}, {}})->step());
  EXPECT_EQ(500, make({}, {2.0, 12.0, {}, {}})->step_count());
}

TEST(CommunicationPlan, StopDefaultsToTheExperimentElseOneSecond) {
  EXPECT_EQ(10, make({})->stop());
  EXPECT_EQ(3, make({2.0, {}, {}, {}}, {{}, {}, {}, {}})->stop());
}

TEST(CommunicationPlan, OutputIntervalMustBeAMultipleOfTheStep) {
  EXPECT_FALSE(make({{}, {}, 0.01, 0.015}));
  EXPECT_FALSE(make({{}, {}, 0.01, 0.005}));
  EXPECT_FALSE(make({{}, {}, {}, 0.025}));
  // 0.3 / 0.1 = 2.9999999999999996 in doubles: still a multiple
  EXPECT_TRUE(make({{}, {}, 0.1, 0.3}));
}

TEST(CommunicationPlan, TheLastStepIsShortenedToEndOnTheStopTime) {
  const auto plan = make({{}, 1.0, 0.3, {}});
  ASSERT_TRUE(plan);
  EXPECT_EQ(4, plan->step_count());
  EXPECT_EQ(1.0, plan->point(4));
  EXPECT_DOUBLE_EQ(0.9, plan->point(3));
}

TEST(CommunicationPlan, RoundingMakesNoExtraStep) {
  // 10 / 0.01 and 0.7 / 0.1 are not whole in doubles
  EXPECT_EQ(1000, make({})->step_count());
  EXPECT_EQ(7, make({{}, 0.7, 0.1, {}})->step_count());
  EXPECT_EQ(3, make({{}, 0.3, 0.1, {}})->step_count());
}

TEST(CommunicationPlan, StartAndStopAreAlwaysRecorded) {
  const auto plan = make({{}, 1.0, 0.1, 0.3});
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->is_recorded(0));
  EXPECT_FALSE(plan->is_recorded(1));
  EXPECT_TRUE(plan->is_recorded(3));
  EXPECT_TRUE(plan->is_recorded(10));
  EXPECT_EQ(5, count_rows(*plan));  // 0, 0.3, 0.6, 0.9, 1
}

TEST(CommunicationPlan, AStepLongerThanTheDurationIsOneStep) {
  const auto plan = make({{}, 1.0, 5.0, {}});
  ASSERT_TRUE(plan);
  EXPECT_EQ(1, plan->step_count());
  EXPECT_EQ(1.0, plan->point(1));
}

TEST(CommunicationPlan, PointsAreNotSummedUp) {
  const auto plan = make({{}, 1000.0, 0.1, {}});
  ASSERT_TRUE(plan);
  EXPECT_EQ(9999 * 0.1, plan->point(9999));
}

TEST(CommunicationPlan, WhatIsNoDurationOrNoStepIsRefused) {
  EXPECT_FALSE(make({{}, 0.0, {}, {}}));
  EXPECT_FALSE(make({5.0, 1.0, {}, {}}));
  EXPECT_FALSE(make({{}, {}, 0.0, {}}));
  EXPECT_FALSE(make({{}, {}, -0.1, {}}));
  EXPECT_FALSE(make({{}, {}, {}, -0.1}));
  EXPECT_FALSE(make({{}, 10.0, 1e-15, {}}));
}

TEST(CommunicationPlan, AnFmuThatCannotVaryItsStepNeedsADivisor) {
  EXPECT_FALSE(make({{}, 1.0, 0.3, {}}, kExperiment, false));
  EXPECT_TRUE(make({{}, 0.9, 0.3, {}}, kExperiment, false));
}

}  // namespace
}  // namespace mechfmu
