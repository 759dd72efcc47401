// Drives against motions known in closed form: a rod (mass 2 kg, centre at 0.3 m, inertia 0.05
// kg.m2 about it) on a hinge with a horizontal axis,
//
//     torque = (J + m l^2) angle'' + m g l cos(angle)
#include <cmath>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

constexpr double kInertia = 0.05 + 2 * 0.3 * 0.3;
constexpr double kMoment = 2 * 9.81 * 0.3;

std::string rod(const std::string& start, const std::string& more) {
  return R"(<mechanism name="Rod" gravity="0 -9.81 0">
    <body name="rod"><inertial mass="2" com="0.3 0 0" inertia="0.01 0.05 0.05"/>
      <frame name="tip" xyz="0.6 0 0"/></body>
    <joint name="A" type="revolute" parent="ground" child="rod" axis="0 0 1">)" +
         start + "</joint>" + more + R"(<output name="torque" value="A.drive_torque"/>
    <solve step="1 ms"/></mechanism>)";
}

void expect_motion(MechanismRun& run, double angle, double rate, double acceleration,
                   double tolerance) {
  EXPECT_NEAR(run.get("A.position"), angle, tol(tolerance));
  EXPECT_NEAR(run.get("A.velocity"), rate, tol(10 * tolerance));
  EXPECT_NEAR(run.get("A.acceleration"), acceleration, tol(100 * tolerance));
  EXPECT_NEAR(run.get("torque"), kInertia * acceleration + kMoment * std::cos(angle),
              tol(100 * tolerance));
}

// 0.3 sin(5 t) about `middle`, over two seconds.
void expect_sine(MechanismRun& run, double middle, double tolerance) {
  for (int i = 0; i <= 20; ++i) {
    const double t = 0.1 * i;
    expect_motion(run, middle + 0.3 * std::sin(5 * t), 1.5 * std::cos(5 * t),
                  -7.5 * std::sin(5 * t), tolerance);
    run.advance(0.1);
  }
}

class DriveIn : public ::testing::TestWithParam<const char*> {
 protected:
  static SystemOptions options() {
    SystemOptions result;
    result.coordinates = GetParam();
    return result;
  }
};

TEST_P(DriveIn, PositionFollowsItsExpressionExactly) {
  MechanismRun run(rod("", R"xml(<drive name="d" joint="A" position="0.4 + 0.3*sin(5*time)"/>)xml"),
                   options());
  run.initialize();
  expect_sine(run, 0.4, 1e-11);
  EXPECT_EQ(run.system().analysis.mobility, 0);
}

// Reference: the integral of the velocity; the start position is free.
TEST_P(DriveIn, VelocityFollowsItsExpression) {
  MechanismRun run(rod(R"(<start position="0.2" fixed="true"/>)",
                       R"xml(<drive name="d" joint="A" velocity="1.5*cos(5*time)"/>)xml"),
                   options());
  run.initialize();
  expect_sine(run, 0.2, 1e-9);
}

TEST_P(DriveIn, AccelerationFollowsItsExpression) {
  MechanismRun run(rod(R"(<start position="0.2" velocity="1.5" fixed="true"/>)",
                       R"xml(<drive name="d" joint="A" acceleration="-7.5*sin(5*time)"/>)xml"),
                   options());
  run.initialize();
  expect_sine(run, 0.2, 1e-9);
}

// The height of the tip prescribed: sin(angle) = h / 0.6.
TEST_P(DriveIn, FrameIsDrivenAlongADirection) {
  MechanismRun run(rod(R"(<start position="0.3"/>)",
                       R"(<drive name="d" frame="rod.tip" axis="0 2 0" position="0.2 + 0.1*time"/>
                          <output name="push" value="d.effort"/>)"),
                   options());
  run.initialize();
  for (int i = 0; i <= 10; ++i) {
    const double h = 0.2 + 0.1 * (0.1 * i);
    const double angle = std::asin(h / 0.6);
    const double rate = 0.1 / (0.6 * std::cos(angle));
    const double acceleration = std::tan(angle) * rate * rate;
    EXPECT_NEAR(run.get("A.position"), angle, tol(1e-11));
    EXPECT_NEAR(run.get("A.velocity"), rate, tol(1e-10));
    const double torque = kInertia * acceleration + kMoment * std::cos(angle);
    EXPECT_NEAR(run.get("push"), torque / (0.6 * std::cos(angle)), tol(1e-8));
    run.advance(0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DriveIn, ::testing::Values("joint", "absolute", "absolute_spatial"));

// Reference: the response of 1 / (1 + s T/3)^3 to a step.
TEST(DriveByInput, FollowsHeldValuesThroughTheFilter) {
  MechanismRun run(rod("", R"(<input name="u" start="0.1" filter="0.06"/>
                              <drive name="d" joint="A" position="u"/>)"));
  EXPECT_EQ(run.system().interface.find("filter.u")->start, 0.06);
  run.initialize();
  expect_motion(run, 0.1, 0, 0, 1e-12);
  run.set("u", 0.5);
  for (int i = 1; i <= 20; ++i) {
    run.advance(0.01);
    const double w = 3 / 0.06, x = w * 0.01 * i, decay = std::exp(-x);
    expect_motion(run, 0.5 - 0.4 * decay * (1 + x + x * x / 2), 0.4 * decay * w * x * x / 2,
                  0.4 * decay * w * w * (x - x * x / 2), 1e-11);
  }
  // whatever the division of time
  MechanismRun once(rod("", R"(<input name="u" start="0.1" filter="0.06"/>
                               <drive name="d" joint="A" position="u"/>)"));
  once.initialize();
  once.set("u", 0.5);
  once.advance(0.2);
  EXPECT_NEAR(once.get("A.position"), run.get("A.position"), tol(1e-12));
}

// The largest error of the driven angle over two seconds of a sine, seen at communication points
// and between them, with derivatives up to `order` given at each.
double tracking_error(double h, int order) {
  MechanismRun run(rod("", R"(<input name="u"/><drive name="d" joint="A" position="u"/>)"));
  const auto u = [](double t) { return 0.3 * std::sin(3 * t); };
  runtime::Simulation& simulation = run.simulation();
  run.set("u", u(0));
  simulation.set_input_derivative(0, 1, 0.9);
  run.initialize();
  double error = 0;
  const int steps = static_cast<int>(std::lround(2 / h));
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    simulation.end_input_polynomial(0);
    run.set("u", u(t));
    if (order >= 1) simulation.set_input_derivative(0, 1, 0.9 * std::cos(3 * t));
    if (order >= 2) simulation.set_input_derivative(0, 2, -2.7 * std::sin(3 * t));
    run.advance(h);
    error = std::max(error, std::fabs(run.get("A.position") - u(t + h)));
  }
  return error;
}

// Reference: Taylor's theorem. A polynomial of order k through the communication point errs by
// h^(k+1) at the end of the step.
TEST(DriveByInput, FollowsASineWithTheOrderOfTheDerivativesGiven) {
  for (const int order : {1, 2}) {
    const double coarse = tracking_error(0.02, order), fine = tracking_error(0.01, order);
    EXPECT_NEAR(std::log2(coarse / fine), order + 1, tol(0.05)) << "order " << order;
  }
  // the sizes themselves: u'' h^2 / 2 and u''' h^3 / 6
  EXPECT_NEAR(tracking_error(0.01, 1), 2.7 * 1e-4 / 2, tol(2e-6));
  EXPECT_NEAR(tracking_error(0.01, 2), 8.1 * 1e-6 / 6, tol(2e-8));
}

// With first derivatives alone the acceleration is estimated from the last two of them, so that the
// force of the drive holds the inertia: it errs by the third derivative times h.
TEST(DriveByInput, FeelsTheInertiaWithFirstDerivativesAlone) {
  for (const double h : {0.02, 0.01}) {
    MechanismRun run(rod("", R"(<input name="u"/><drive name="d" joint="A" position="u"/>)"));
    run.initialize();
    double error = 0;
    for (int i = 0; i * h < 2; ++i) {
      const double t = i * h;
      run.simulation().end_input_polynomial(0);
      run.set("u", 0.3 * std::sin(3 * t));
      run.simulation().set_input_derivative(0, 1, 0.9 * std::cos(3 * t));
      const double exact =
          -kInertia * 2.7 * std::sin(3 * t) + kMoment * std::cos(0.3 * std::sin(3 * t));
      if (i > 0) error = std::max(error, std::fabs(run.get("torque") - exact));
      run.advance(h);
    }
    EXPECT_NEAR(error, kInertia * 8.1 * h / 2, tol(0.2 * kInertia * 8.1 * h / 2)) << h;
  }
}

// Reference: the same torque as expression of time. A polynomial of second order is met exactly.
TEST(ForceByInput, IsInterpolatedWithinTheStep) {
  const std::string start = R"(<start position="0.2" fixed="true"/>)";
  MechanismRun by_time(rod(start, R"(<force name="m" type="joint_torque" joint="A"
                                            value="1 + 2*time - 3*time^2"/>)"));
  MechanismRun by_input(rod(start, R"(<input name="u"/>
                                      <force name="m" type="joint_torque" joint="A" value="u"/>)"));
  by_time.initialize();
  by_input.initialize();
  for (int i = 0; i < 10; ++i) {
    const double t = 0.1 * i;
    by_input.simulation().end_input_polynomial(0);
    by_input.set("u", 1 + 2 * t - 3 * t * t);
    by_input.simulation().set_input_derivative(0, 1, 2 - 6 * t);
    by_input.simulation().set_input_derivative(0, 2, -6);
    by_time.advance(0.1);
    by_input.advance(0.1);
    EXPECT_NEAR(by_input.get("A.position"), by_time.get("A.position"), tol(1e-12));
    EXPECT_NEAR(by_input.get("A.acceleration"), by_time.get("A.acceleration"), tol(1e-10));
  }
  // derivatives are for one step: then the value that was set is held
  by_input.advance(0.1);
  const double held = 1 + 2 * 0.9 - 3 * 0.81;
  EXPECT_NEAR(by_input.get("A.acceleration"),
              (held - kMoment * std::cos(by_input.get("A.position"))) / kInertia, tol(1e-10));
}

}  // namespace
}  // namespace mechfmu::testing
