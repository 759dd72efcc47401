// The assembly of a start against the closed form of the four-bar: two circles that meet.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "formulation/four_bar_text.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

constexpr double kCrank = 0.12, kCoupler = 0.3, kRocker = 0.25, kBase = 0.3;  // of FourBarText
constexpr double kDegree = M_PI / 180;

struct Pose {
  double b, d;  // joint angles B and D
};

// side +1: the joint C is to the left of the way from the crank's tip to D.
Pose closed_pose(double a, int side) {
  const double x = kCrank * std::cos(a), y = kCrank * std::sin(a);
  const double dx = kBase - x, dy = -y, s = std::hypot(dx, dy);
  const double along = (kCoupler * kCoupler - kRocker * kRocker + s * s) / (2 * s);
  const double across = side * std::sqrt(kCoupler * kCoupler - along * along);
  const double cx = x + (along * dx - across * dy) / s, cy = y + (along * dy + across * dx) / s;
  return {std::atan2(cy - y, cx - x) - a, std::atan2(cy, cx - kBase)};
}

std::string start(double position, bool fixed) {
  return "<start position=\"" + std::to_string(position) + "\" fixed=\"" +
         (fixed ? "true" : "false") + "\"/>";
}

class Assembly : public ::testing::TestWithParam<const char*> {
 protected:
  static SystemOptions options() {
    SystemOptions result;
    result.coordinates = GetParam();
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(Formulations, Assembly,
                         ::testing::Values("joint", "absolute", "absolute_spatial"));

TEST_P(Assembly, KeepsFixedValuesAndClosesTheLoop) {
  MechanismRun run(FourBarText().text(), options());
  run.initialize();
  const Pose expected = closed_pose(60 * kDegree, 1);
  EXPECT_NEAR(run.get("A.position"), 60 * kDegree, tol(1e-11));
  EXPECT_NEAR(run.get("B.position"), expected.b, tol(1e-10));
  EXPECT_NEAR(run.get("D.position"), expected.d, tol(1e-10));
  EXPECT_LE(run.get("constraint.residual"), tol(1e-11));
}

TEST_P(Assembly, ReachesBothBranchesByGuesses) {
  for (const int side : {1, -1}) {
    const Pose expected = closed_pose(60 * kDegree, side);
    FourBarText text;
    text.start_b = start(expected.b + 0.2, false);
    text.start_d = start(expected.d - 0.2, false);
    MechanismRun run(text.text(), options());
    run.initialize();
    EXPECT_NEAR(run.get("B.position"), expected.b, tol(1e-10)) << side;
    EXPECT_NEAR(run.get("D.position"), expected.d, tol(1e-10)) << side;
  }
}

// All three angles are guesses and do not fit together. The assembled pose has the least sum of
// squared changes among the poses that the closed form gives.
TEST_P(Assembly, MovesGuessesLeast) {
  const std::array<double, 3> guess = {1.0, -0.7, 1.6};
  FourBarText text;
  text.start_a = start(guess[0], false);
  text.start_b = start(guess[1], false);
  text.start_d = start(guess[2], false);
  MechanismRun run(text.text(), options());
  run.initialize();
  const auto change = [&](double a) {
    const Pose p = closed_pose(a, 1);
    return std::pow(a - guess[0], 2) + std::pow(p.b - guess[1], 2) + std::pow(p.d - guess[2], 2);
  };
  const double a = run.get("A.position");
  EXPECT_NEAR(run.get("B.position"), closed_pose(a, 1).b, tol(1e-9));
  EXPECT_GT(change(a), 1e-3);  // the guesses had to move
  // at a minimum both sides are higher; the second derivative is of order one
  EXPECT_LT(change(a), change(a + 1e-4));
  EXPECT_LT(change(a), change(a - 1e-4));
}

TEST_P(Assembly, MakesVelocitiesConsistent) {
  FourBarText text;
  text.start_a = R"(<start position="1" velocity="3" fixed="true"/>)";
  MechanismRun run(text.text(), options());
  run.initialize();
  const double h = 1e-5;
  const Pose after = closed_pose(1 + h, 1), before = closed_pose(1 - h, 1);
  EXPECT_NEAR(run.get("A.velocity"), 3, tol(1e-10));
  EXPECT_NEAR(run.get("B.velocity"), 3 * (after.b - before.b) / (2 * h), tol(1e-8));
  EXPECT_NEAR(run.get("D.velocity"), 3 * (after.d - before.d) / (2 * h), tol(1e-8));
  EXPECT_LE(run.get("constraint.residual_velocity"), tol(1e-10));
}

// A guess that nothing contradicts is not moved at all, positions and velocities alike.
TEST_P(Assembly, MeetsGuessesThatNothingContradicts) {
  FourBarText text;
  text.start_a = R"(<start position="1" velocity="3"/>)";
  text.start_b = text.start_d = "";
  MechanismRun run(text.text(), options());
  run.initialize();
  EXPECT_NEAR(run.get("A.position"), 1, tol(1e-9));
  EXPECT_NEAR(run.get("A.velocity"), 3, tol(1e-12));
}

TEST_P(Assembly, NamesTheJointThatCannotCloseAfterAParameterChanged) {
  MechanismRun run(FourBarText().text(), options());
  run.set("coupler", 2);
  EXPECT_FALSE(run.simulation().initialize(0));
  EXPECT_NE(std::string(run.simulation().failure()).find("joint '"), std::string::npos)
      << run.simulation().failure();
  run.set("coupler", kCoupler);
  run.initialize();
  EXPECT_NEAR(run.get("D.position"), closed_pose(60 * kDegree, 1).d, tol(1e-10));
}

TEST(AssemblyAsGiven, MovesNothing) {
  FourBarText text;
  text.start_a = R"(<start position="1" velocity="2"/>)";
  text.start_b = R"(<start position="-0.6" velocity="-1"/>)";
  text.start_d = R"(<start position="1.5" velocity="0.5"/>)";
  text.more = R"(<solve start="as_given"/>)";
  SystemOptions options;
  options.coordinates = "joint";
  MechanismRun run(text.text(), options);
  run.initialize();
  EXPECT_EQ(run.get("A.position"), 1);
  EXPECT_EQ(run.get("B.position"), -0.6);
  EXPECT_EQ(run.get("D.position"), 1.5);
  EXPECT_NEAR(run.get("A.velocity"), 2, tol(1e-12));
  EXPECT_NEAR(run.get("B.velocity"), -1, tol(1e-12));
  EXPECT_NEAR(run.get("D.velocity"), 0.5, tol(1e-12));
  // how far the loop is open at these angles: tip of the coupler less tip of the rocker
  const double x =
      kCrank * std::cos(1) + kCoupler * std::cos(0.4) - kBase - kRocker * std::cos(1.5);
  const double y = kCrank * std::sin(1) + kCoupler * std::sin(0.4) - kRocker * std::sin(1.5);
  EXPECT_NEAR(run.get("constraint.residual"), std::hypot(x, y), tol(1e-12));
}

}  // namespace
}  // namespace mechfmu::testing
