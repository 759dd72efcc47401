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

}  // namespace
}  // namespace mechfmu::testing
