// What the examples of the documents must reach, with projection and rk4.
#include <cmath>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

// Reference: quad-precision extrapolation, 23 digits (tests/data/squeezer_equations.csv says more).
constexpr double kBeta = 15.810771195153707;

TEST(Squeezer, ReachesBetaTo1e8AtAStepOf10MicrosecondsInEveryForm) {
  const auto beta = [](const std::string& example, const char* coordinates) {
    SystemOptions options;
    if (coordinates != nullptr) options.coordinates = coordinates;
    options.step = 1e-5;
    MechanismRun run(example_text(example), options);
    run.initialize();
    run.advance(0.03);
    return run.get("beta");
  };
  EXPECT_NEAR(beta("squeezer_equations", nullptr), kBeta, tol(1e-8));
  for (const char* coordinates : {"joint", "absolute", "absolute_spatial"})
    EXPECT_NEAR(beta("squeezer", coordinates), kBeta, tol(1e-8)) << coordinates;
}

TEST(Squeezer, MovesAlikeInEquationsAndInBodies) {
  MechanismRun bodies(example_text("squeezer")), equations(example_text("squeezer_equations"));
  bodies.initialize();
  equations.initialize();
  for (int i = 0; i < 30; ++i) {
    bodies.advance(0.001);
    equations.advance(0.001);
    for (const char* angle : {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"})
      EXPECT_NEAR(bodies.get(angle), equations.get(angle), tol(1e-9)) << angle << " " << i;
  }
}

// 100 s at 10 ms: holonomic and nonholonomic constraints of the rolling ball, none of which drifts.
TEST(BallInBowl, KeepsItsConstraintsTo1e12For100Seconds) {
  MechanismRun run(example_text("ball_in_bowl"));
  run.initialize();
  double positions = 0, velocities = 0;
  for (int i = 0; i < 10000; ++i) {
    run.advance(0.01);
    positions = std::max(positions, run.get("constraint.residual"));
    velocities = std::max(velocities, run.get("constraint.residual_velocity"));
  }
  EXPECT_LT(positions, tol(1e-12));
  EXPECT_LT(velocities, tol(1e-12));
  // Reference: exact, alpha(100) = 0.530635134756, beta(100) = 116.913641021; document 002's
  // variant C leaves 1e-6 here
  EXPECT_NEAR(run.get("alpha"), 0.530635134756, tol(3e-6));
  EXPECT_NEAR(run.get("beta"), 116.913641021, tol(3e-5));
}

// The printed start violates the constraints by 3.9e-3. Assembled, it is consistent at once; as
// given, after one step. Some constraints are nonholonomic, so the two motions differ for ever, but
// by no more than the two starts did.
TEST(Biped, StartsInBothModes) {
  const std::string text = example_text("biped");
  std::string given_text = text;
  const std::size_t solve = given_text.find("<solve ");
  ASSERT_NE(solve, std::string::npos);
  given_text.insert(solve + 7, "start=\"as_given\" ");
  MechanismRun assembled(text), given(given_text);
  assembled.initialize();
  given.initialize();
  EXPECT_LT(assembled.get("constraint.residual"), tol(1e-11));
  EXPECT_NEAR(given.get("constraint.residual"), 3.9e-3, tol(1e-4));
  for (int i = 0; i < 100; ++i) {
    assembled.advance(0.01);
    given.advance(0.01);
    EXPECT_LT(given.get("constraint.residual"), tol(1e-11));
  }
  for (const char* name : {"x", "y", "th", "th1", "th2", "th3", "th4", "th5", "th6"})
    EXPECT_NEAR(given.get(name), assembled.get(name), tol(3.9e-3)) << name;
}

}  // namespace
}  // namespace mechfmu::testing
