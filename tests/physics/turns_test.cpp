// A joint angle is continuous over any number of turns, whether it is a coordinate or measured
// between two frames.
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

// A balanced rotor at constant speed; the second hinge closes a loop of two hinges on one axis, so
// that one of the two is a constraint in joint coordinates and both are in absolute ones.
constexpr const char* kRotor = R"(
<mechanism name="Rotor" gravity="0 0 0">
  <body name="wheel"><inertial mass="1" inertia="0.1 0.1 0.2"/></body>
  <joint name="tree" type="revolute" parent="ground" child="wheel" axis="0 0 1"><start position="400 deg" velocity="200" fixed="true"/></joint>
  <joint name="ring" type="revolute" parent="ground" child="wheel" axis="0 0 1" cut="true"><start position="400 deg"/></joint>
</mechanism>)";

class Turns : public ::testing::TestWithParam<const char*> {};

// Reference: angle = start + speed * time, 100 turns and more.
TEST_P(Turns, AreCountedByTreeAndLoopJoints) {
  SystemOptions options;
  options.coordinates = GetParam();
  options.step = 5e-3;  // one radian a step
  MechanismRun run(kRotor, options);
  run.initialize();
  const double start = 400 * 3.14159265358979323846 / 180;
  EXPECT_NEAR(run.get("tree.position"), start, tol(1e-12));
  EXPECT_NEAR(run.get("ring.position"), start, tol(1e-12));
  for (int i = 1; i <= 35; ++i) {
    run.advance(0.1);
    EXPECT_NEAR(run.get("tree.position"), start + 20 * i, tol(1e-9));
    EXPECT_NEAR(run.get("ring.position"), start + 20 * i, tol(1e-9));
    EXPECT_NEAR(run.get("ring.velocity"), 200, tol(1e-9));
  }
}
INSTANTIATE_TEST_SUITE_P(All, Turns, ::testing::Values("joint", "absolute"));

// The Euler parameters of a spatial body are integrated with an error of fourth order; the count
// must not care.
TEST(EulerParameters, DoNotLoseTurns) {
  SystemOptions options;
  options.coordinates = "absolute_spatial";
  options.step = 1e-3;
  MechanismRun run(kRotor, options);
  run.initialize();
  for (int i = 1; i <= 32; ++i) run.advance(0.1);
  EXPECT_NEAR(run.get("ring.position"), 400 * 3.14159265358979323846 / 180 + 640, tol(0.05));
}

// Two rotors geared 1 : -2.5, a coupled one, a screw of 5 mm pitch and a rack on the first one, all
// turning freely. Reference: constant speeds in proportion (no load, so nothing accelerates), over
// 80 turns.
constexpr const char* kTrain = R"(
<mechanism name="Train" gravity="0 0 0">
  <body name="one"><inertial mass="1" inertia="0.1 0.1 0.2"/></body>
  <body name="two"><inertial mass="1" inertia="0.2 0.2 0.3"/></body>
  <body name="nut"><inertial mass="0.5" inertia="0.01 0.01 0.02"/></body>
  <body name="bar"><inertial mass="0.7" inertia="0.01 0.01 0.02"/></body>
  <body name="slow"><inertial mass="1" inertia="0.1 0.1 0.2"/></body>
  <ground><frame name="second" xyz="0.5 0 0"/></ground>
  <joint name="D" type="revolute" parent="ground" child="slow" axis="0 0 1"/>
  <joint name="A" type="revolute" parent="ground" child="one" axis="0 0 1"><start position="0.4" velocity="100" fixed="true"/></joint>
  <joint name="B" type="revolute" parent="ground.second" child="two" axis="0 0 1"/>
  <joint name="S" type="screw" parent="ground" child="nut" axis="0 0 1" pitch="5 mm"><start angle="0"/></joint>
  <joint name="R" type="prismatic" parent="ground" child="bar" axis="1 0 0"/>
  <joint name="mesh" type="gear" joint1="B" joint2="A" ratio="-2.5" offset="1"/>
  <joint name="spin" type="gear" joint1="S" joint2="A" ratio="1" offset="-0.4"/>
  <joint name="half" type="coupler" joint1="D" joint2="A" ratio="0.5" offset="0.1"/>
  <joint name="drive" type="rack_and_pinion" rack="R" pinion="A" radius="20 mm"/>
</mechanism>)";

TEST_P(Turns, HoldForGearsScrewsAndRacks) {
  SystemOptions options;
  options.coordinates = GetParam();
  options.step = 2e-3;
  MechanismRun run(kTrain, options);
  run.initialize();
  // Euler parameters lag a little behind at 0.2 rad a step; the proportions hold all the same
  const double lag = GetParam() == std::string("joint") ? 1e-9 : 0.05;
  for (int i = 0; i <= 50; ++i) {
    const double a = 0.4 + 10 * i;
    EXPECT_NEAR(run.get("A.position"), a, tol(lag));
    EXPECT_NEAR(run.get("B.position"), -2.5 * run.get("A.position") + 1, tol(1e-9));
    EXPECT_NEAR(run.get("D.position"), 0.5 * run.get("A.position") + 0.1, tol(1e-9));
    EXPECT_NEAR(run.get("S.angle"), run.get("A.position") - 0.4, tol(1e-9));
    EXPECT_NEAR(run.get("S.translation"), run.get("S.angle") * 0.005 / 6.28318530717958647692,
                tol(1e-11));
    EXPECT_NEAR(run.get("nut.position[3]"), run.get("S.translation"), tol(1e-11));
    EXPECT_NEAR(run.get("R.position"), 0.02 * run.get("A.position"), tol(1e-9));
    run.advance(0.1);
  }
}

}  // namespace
}  // namespace mechfmu::testing
