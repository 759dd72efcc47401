// The stepping of a Simulation: where steps end, what a refused one leaves behind, what a saved
// state holds, and that a changed parameter means the same as a mechanism that was written with it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "formulation/four_bar_text.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

std::vector<unsigned char> state_of(MechanismRun& run) {
  std::vector<unsigned char> bytes(run.simulation().state_bytes());
  run.simulation().save(bytes.data());
  return bytes;
}

std::string driven_four_bar(const std::string& torque) {
  FourBarText text;
  text.more =
      R"(<input name="tau" unit="N.m"/><force name="motor" type="joint_torque" joint="A" value=")" +
      torque + "\"/>";
  return text.text();
}

TEST(Simulation, DividesACommunicationStepIntoEqualSteps) {
  MechanismRun run(FourBarText().text());
  run.initialize();
  const std::vector<std::pair<double, int>> cases = {
      {0.01, 10},    // 0.01 / 0.001 is not ten in binary; still ten steps
      {0.0105, 11},  // rounded up
      {0.0004, 1},   // at least one
      {0.001, 1},   {0.3, 300},
  };
  for (const auto& [h, steps] : cases) {
    const double before = run.get("solver.steps");
    run.advance(h);
    EXPECT_EQ(run.get("solver.steps") - before, steps) << h;
  }
}

TEST(Simulation, EndsExactlyOnTheCommunicationPoint) {
  MechanismRun run(FourBarText().text());
  run.initialize(0.1);
  double t = 0.1;
  for (const double h : {0.01, 0.003, 1.0 / 3, 1e-7}) {
    run.advance(h);
    EXPECT_EQ(run.simulation().time(), t + h);
    t += h;
  }
}

// The host's own steps must not show: one of 0.1 s or ten of 0.01 s, with inner steps of 1 ms both
// times.
TEST(Simulation, DoesNotDependOnHowTheHostSteps) {
  MechanismRun one(FourBarText().text()), ten(FourBarText().text());
  one.initialize();
  ten.initialize();
  one.advance(0.1);
  for (int i = 0; i < 10; ++i) ten.advance(0.01);
  EXPECT_NEAR(one.get("A.position"), ten.get("A.position"), tol(1e-13));
  EXPECT_NEAR(one.get("A.velocity"), ten.get("A.velocity"), tol(1e-12));
}

// The torque is not a number after 0.5 s: the step over it cannot be done, the one up to it can.
TEST(Simulation, RestoresEveryBitAfterAStepThatFailed) {
  MechanismRun run(driven_four_bar("0.01*log(0.5-time)"));
  MechanismRun untouched(driven_four_bar("0.01*log(0.5-time)"));
  for (MechanismRun* r : {&run, &untouched}) {
    r->initialize();
    r->advance(0.45);
  }
  const std::vector<unsigned char> before = state_of(run);
  EXPECT_FALSE(run.simulation().advance(run.simulation().time(), 0.2));
  EXPECT_NE(std::string(run.simulation().failure()), "");
  EXPECT_EQ(state_of(run), before);
  run.advance(0.03);
  untouched.advance(0.03);
  EXPECT_EQ(state_of(run), state_of(untouched));
}

TEST(Simulation, GoesOnFromASavedStateBitForBit) {
  MechanismRun run(example_text("spatial_loop")), other(example_text("spatial_loop"));
  run.initialize();
  run.advance(0.3);
  const std::vector<unsigned char> saved = state_of(run);
  run.advance(0.7);
  const std::vector<unsigned char> end = state_of(run);
  run.simulation().restore(saved.data());
  EXPECT_EQ(state_of(run), saved);
  run.advance(0.7);
  EXPECT_EQ(state_of(run), end);
  // the state is all there is: another instance goes on from it as well
  other.initialize();
  other.simulation().restore(saved.data());
  other.advance(0.7);
  EXPECT_EQ(state_of(other), end);
}

TEST(Simulation, IsTheSameAfterReset) {
  MechanismRun run(FourBarText().text());
  run.initialize();
  run.advance(0.2);
  const std::vector<unsigned char> first = state_of(run);
  run.simulation().reset();
  EXPECT_EQ(run.simulation().time(), 0);
  run.initialize();
  run.advance(0.2);
  EXPECT_EQ(state_of(run), first);
}

TEST(Simulation, DoesNotMoveWhenItsOutputsAreRead) {
  MechanismRun read(FourBarText().text()), unread(FourBarText().text());
  read.initialize();
  unread.initialize();
  for (int i = 0; i < 20; ++i) {
    read.get("C.force[1]");
    read.advance(0.01);
    unread.advance(0.01);
  }
  for (int i = 0; i < read.simulation().system().nq; ++i)
    EXPECT_EQ(read.simulation().position()[i], unread.simulation().position()[i]);
  EXPECT_EQ(read.get("solver.evaluations"), unread.get("solver.evaluations"));
}

TEST(Simulation, RefusesAStepOfMoreInnerStepsThanAnybodyWaitsFor) {
  MechanismRun run(FourBarText().text());
  run.initialize();
  run.advance(0.1);
  const std::vector<unsigned char> before = state_of(run);
  for (const double h : {1e9, 1e300, HUGE_VAL, std::nan("")}) {
    EXPECT_FALSE(run.simulation().advance(run.simulation().time(), h)) << h;
    EXPECT_EQ(state_of(run), before) << h;
  }
}

TEST(Simulation, MovesOnlyTheClockInAStepTooSmallForIt) {
  MechanismRun run(FourBarText().text());
  run.initialize();
  run.advance(1);
  const double angle = run.get("A.position"), steps = run.get("solver.steps");
  run.advance(1e-20);
  EXPECT_EQ(run.get("A.position"), angle);
  EXPECT_EQ(run.get("solver.steps"), steps);
  run.advance(1e-9);
  EXPECT_NE(run.get("A.position"), angle);
}

TEST(Simulation, AnswersAChangedInputAtOnce) {
  MechanismRun run(driven_four_bar("tau"));
  run.initialize();
  const double angle = run.get("A.position"),
               before = run.get("crank_link.angular_acceleration[3]");
  run.set("tau", 2);
  EXPECT_GT(run.get("crank_link.angular_acceleration[3]"), before + 1);
  EXPECT_EQ(run.get("A.position"), angle);
}

// A parameter of the running FMU against the mechanism that is built with the value: a mass, a
// length, a spring, a start.
struct Change {
  const char* example;
  const char* parameter;
  const char* value;
  const char* output;
};
void PrintTo(const Change& c, std::ostream* out) { *out << c.parameter; }

class ParameterChange : public ::testing::TestWithParam<std::tuple<Change, const char*>> {};

TEST_P(ParameterChange, EqualsAMechanismBuiltWithIt) {
  const auto& [change, coordinates] = GetParam();
  SystemOptions options;
  options.coordinates = coordinates;
  MechanismRun changed(example_text(change.example), options);
  options.set = {{change.parameter, change.value}};
  MechanismRun built(example_text(change.example), options);
  MechanismRun nominal(example_text(change.example), options = {});
  changed.set(change.parameter, std::stod(change.value));
  for (MechanismRun* run : {&changed, &built, &nominal}) {
    run->initialize();
    run->advance(0.3);
  }
  const double expected = built.get(change.output);
  EXPECT_NEAR(changed.get(change.output), expected,
              tol(1e-13) * std::max(1.0, std::fabs(expected)));
  EXPECT_GT(std::fabs(nominal.get(change.output) - expected), 1e-4);  // it does make a difference
}

INSTANTIATE_TEST_SUITE_P(
    Examples, ParameterChange,
    ::testing::Combine(::testing::Values(Change{"slider_crank", "piston_mass", "0.8",
                                                "crank_angle"},
                                         Change{"four_bar", "crank", "0.11", "crank_angle"},
                                         Change{"four_bar", "stiffness", "90", "pin_load"},
                                         Change{"heavy_top", "tilt", "0.7", "x"},
                                         Change{"bricard", "length", "1.2", "P3_x"}),
                       ::testing::Values("joint", "absolute")),
    [](const ::testing::TestParamInfo<std::tuple<Change, const char*>>& c) {
      return std::string(std::get<0>(c.param).parameter) + "_" + std::get<1>(c.param) + "_" +
             std::get<0>(c.param).example;
    });

TEST(StartChange, EqualsAMechanismWrittenWithIt) {
  FourBarText text;
  MechanismRun changed(text.text());
  changed.set("start.A.position", 0.9);
  changed.set("start.A.velocity", -2);
  text.start_a = R"(<start position="0.9" velocity="-2" fixed="true"/>)";
  MechanismRun built(text.text());
  for (MechanismRun* run : {&changed, &built}) {
    run->initialize();
    run->advance(0.3);
  }
  EXPECT_NEAR(changed.get("A.position"), built.get("A.position"), tol(1e-14));
  EXPECT_NEAR(changed.get("A.velocity"), built.get("A.velocity"), tol(1e-13));
}

}  // namespace
}  // namespace mechfmu::testing
