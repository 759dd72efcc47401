// The dialect <equations>: against analytic solutions, and against the same mechanism written in
// bodies.
#include <cmath>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

// Two rods of 1 kg and 1 m, angles from the horizontal, both absolute. T from the velocities of the
// centres.
constexpr const char* kBodies = R"xml(<mechanism name="M" gravity="0 -9.81 0">
  <body name="one"><inertial mass="1" com="0.5 0 0" inertia="0 0.0833333333333333333 0.0833333333333333333"/>
    <frame name="tip" xyz="1 0 0"/></body>
  <body name="two"><inertial mass="1" com="0.5 0 0" inertia="0 0.0833333333333333333 0.0833333333333333333"/></body>
  <joint name="A" type="revolute" parent="ground" child="one" axis="0 0 1"><start position="0.3" velocity="1" fixed="true"/></joint>
  <joint name="B" type="revolute" parent="one.tip" child="two" axis="0 0 1"><start position="-0.5" velocity="0.5" fixed="true"/></joint>
  <solve step="1 ms"/></mechanism>)xml";

constexpr const char* kKineticEnergy = R"xml(<equations name="E">
  <parameter name="J" value="1/12"/> <parameter name="g" value="9.81"/>
  <coordinate name="a" start="0.3" velocity="1"/>
  <coordinate name="b" start="-0.2" velocity="1.5"/>
  <kinetic_energy value="0.5*(0.25 + J + 1)*der(a)^2 + 0.5*(0.25 + J)*der(b)^2 + 0.5*der(a)*der(b)*cos(a - b)"/>
  <force on="a" value="-1.5*g*cos(a)"/> <force on="b" value="-0.5*g*cos(b)"/>
  <energy value="0.5*(0.25 + J + 1)*der(a)^2 + 0.5*(0.25 + J)*der(b)^2 + 0.5*der(a)*der(b)*cos(a - b) + g*(1.5*sin(a) + 0.5*sin(b))"/>
  <solve step="1 ms"/></equations>)xml";

constexpr const char* kMasses = R"xml(<equations name="E">
  <parameter name="J" value="1/12"/> <parameter name="g" value="9.81"/>
  <coordinate name="a" start="0.3" velocity="1" mass="1.25 + J"/>
  <coordinate name="b" start="-0.2" velocity="1.5"/>
  <mass row="b" column="b" value="0.25 + J"/> <mass row="a" column="b" value="0.5*cos(a - b)"/>
  <force on="a" value="-1.5*g*cos(a) - 0.5*der(b)^2*sin(a - b)"/>
  <force on="b" value="-0.5*g*cos(b)"/> <force on="b" value="0.5*der(a)^2*sin(a - b)"/>
  <solve step="1 ms"/></equations>)xml";

// The same in centre coordinates of the second rod, whose pin is a pair of holonomic constraints.
constexpr const char* kConstrained = R"xml(<equations name="E">
  <parameter name="J" value="1/12"/> <parameter name="g" value="9.81"/>
  <coordinate name="a" start="0.3" velocity="1" fixed="true" mass="0.25 + J"/>
  <coordinate name="x" start="1.4" mass="1"/> <coordinate name="y" start="0.2" mass="1"/>
  <coordinate name="b" start="-0.2" velocity="1.5" fixed="true" mass="J"/>
  <force on="a" value="-0.5*g*cos(a)"/> <force on="y" value="-g"/>
  <holonomic name="pin_x" value="cos(a) + 0.5*cos(b) - x"/>
  <holonomic name="pin_y" value="sin(a) + 0.5*sin(b) - y"/>
  <output name="pull" value="pin_x.multiplier"/> <output name="ax" value="der(der(x))"/>
  <solve step="1 ms"/></equations>)xml";

class SameMotion : public ::testing::TestWithParam<const char*> {};

// Reference: bodies in joint coordinates, from the recursion. Over one second, 2000 times the size
// of the integrator's error.
TEST_P(SameMotion, AsTheMechanismOfBodies) {
  MechanismRun bodies(kBodies), equations(GetParam());
  bodies.initialize();
  equations.initialize();
  for (int i = 0; i < 20; ++i) {
    const double a = bodies.get("A.position"), b = a + bodies.get("B.position");
    EXPECT_NEAR(equations.get("a"), a, tol(1e-9));
    EXPECT_NEAR(equations.get("b"), b, tol(1e-9));
    EXPECT_NEAR(equations.get("der(a)"), bodies.get("A.velocity"), tol(1e-8));
    bodies.advance(0.05);
    equations.advance(0.05);
  }
}
INSTANTIATE_TEST_SUITE_P(All, SameMotion, ::testing::Values(kKineticEnergy, kMasses, kConstrained));

TEST(EnergyOfEquations, IsConservedAndSplit) {
  MechanismRun run(kKineticEnergy);
  run.initialize();
  const double start = run.get("energy.total");
  EXPECT_NEAR(run.get("energy.kinetic") + run.get("energy.potential"), start, tol(1e-14));
  for (int i = 0; i < 20; ++i) run.advance(0.05);
  EXPECT_NEAR(run.get("energy.total"), start, tol(1e-8));
}

// Reference: Newton's law of the second rod's centre, M a + J^T lambda = f with J = -1 for x.
TEST(MultipliersOfEquations, AreTheForcesOfTheConstraints) {
  MechanismRun run(kConstrained);
  run.initialize();
  run.advance(0.05);
  EXPECT_NEAR(run.get("ax"), run.get("pull"), tol(1e-10));
  EXPECT_GT(std::fabs(run.get("pull")), 0.1);
  EXPECT_NEAR(run.get("pin_x.residual"), 0, tol(1e-11));
}

// A point on a circle whose radius is prescribed: r = 1 + 0.1 sin(2 t) by a rheonomic constraint.
// Reference: polar coordinates, r^2 phi' is constant without a load.
TEST(RheonomicConstraint, KeepsAngularMomentum) {
  // x is fixed, its velocity is not: 0.2 by the constraint
  MechanismRun run(R"xml(<equations name="E">
    <coordinate name="x" start="1" fixed="true" mass="2"/> <coordinate name="y" start="0" velocity="1" fixed="true" mass="2"/>
    <holonomic name="rod" value="sqrt(x^2 + y^2) - 1 - 0.1*sin(2*time)"/>
    <output name="momentum" value="x*der(y) - y*der(x)"/> <solve step="1 ms"/></equations>)xml");
  run.initialize();
  EXPECT_NEAR(run.get("der(x)"), 0.2, tol(1e-10));
  const double momentum = run.get("momentum");
  for (int i = 1; i <= 30; ++i) {
    run.advance(0.1);
    EXPECT_NEAR(run.get("momentum"), momentum, tol(1e-8));
    EXPECT_NEAR(std::hypot(run.get("x"), run.get("y")), 1 + 0.1 * std::sin(0.2 * i), tol(1e-11));
  }
}

// A point of constant speed c in gravity: nonlinear in velocities. The force of the constraint is
// along J = 2 v, so the heading turns by c heading' = -g cos(heading), whose solution is
// sin(heading) = tanh(u - g t / c).
TEST(NonlinearNonholonomic, TurnsThePointOfConstantSpeedAsItMust) {
  MechanismRun run(R"xml(<equations name="E">
    <parameter name="c" value="3"/> <parameter name="g" value="9.81"/>
    <coordinate name="x" velocity="2.5" mass="2"/> <coordinate name="y" velocity="1.5" mass="2"/>
    <force on="y" value="-2*g"/>
    <nonholonomic name="speed" value="der(x)^2 + der(y)^2 - c^2"/>
    <solve step="1 ms"/></equations>)xml");
  run.initialize();
  const double vx = run.get("der(x)"), vy = run.get("der(y)");
  EXPECT_NEAR(vx * vx + vy * vy, 9, tol(1e-10));
  const double u = std::atanh(vy / 3);
  for (int i = 1; i <= 20; ++i) {
    run.advance(0.05);
    EXPECT_NEAR(run.get("der(y)"), 3 * std::tanh(u - 9.81 * 0.05 * i / 3), tol(1e-9));
    EXPECT_NEAR(run.get("speed.residual"), 0, tol(1e-10));
  }
  EXPECT_EQ(run.system().analysis.mobility, 1);
  EXPECT_EQ(run.system().analysis.nonholonomic, 1);
}

// Printed starts that are rounded: taken as they are, or corrected.
TEST(StartAsGiven, KeepsEveryValueAndWarns) {
  const std::string text = R"xml(<equations name="E">
    <coordinate name="x" start="0.6" velocity="0.4" mass="1"/> <coordinate name="y" start="0.79" velocity="-0.31" mass="1"/>
    <holonomic name="circle" value="x^2 + y^2 - 1"/><solve start="as_given"/></equations>)xml";
  std::string messages;
  ASSERT_TRUE(make_test_system(text, {}, messages));
  EXPECT_NE(messages.find("W301"), std::string::npos) << messages;
  MechanismRun given(text);
  given.initialize();
  EXPECT_EQ(given.get("x"), 0.6);
  EXPECT_EQ(given.get("y"), 0.79);
  EXPECT_NEAR(given.get("der(x)"), 0.4, tol(1e-7));
  EXPECT_NEAR(given.get("der(y)"), -0.31, tol(1e-7));
  std::string assembled_text = text;
  assembled_text.replace(assembled_text.find(" start=\"as_given\""), 17, "");
  MechanismRun assembled(assembled_text);
  assembled.initialize();
  const double x = assembled.get("x"), y = assembled.get("y");
  EXPECT_NEAR(x * x + y * y, 1, tol(1e-11));
  EXPECT_NEAR(x / y, 0.6 / 0.79, tol(1e-7));  // the nearest point of the circle
}

// if() in a force: free fall onto a stiff one-sided spring. Energy is conserved through the touch.
TEST(PiecewiseForce, ConservesEnergy) {
  MechanismRun run(R"xml(<equations name="E">
    <coordinate name="y" start="0.5" mass="1"/>
    <force on="y" value="-9.81 + if(y &lt; 0, -2000*y, 0)"/>
    <energy value="0.5*der(y)^2 + 9.81*y + if(y &lt; 0, 1000*y^2, 0)"/>
    <solve step="0.2 ms"/></equations>)xml");
  run.initialize();
  const double start = run.get("energy.total");
  for (int i = 0; i < 20; ++i) run.advance(0.1);
  EXPECT_NEAR(run.get("energy.total"), start, tol(1e-4));
}

// A force and a constraint that follow a table.
TEST(TableInEquations, IsFollowedByAConstraint) {
  MechanismRun run(R"xml(<equations name="E">
    <table name="lift" x="0 90 180 270 360 deg" y="0 5 12 5 0 mm" extrapolation="periodic"/>
    <coordinate name="a" start="0" velocity="4" fixed="true" mass="3"/> <coordinate name="y" mass="0.2"/>
    <holonomic name="contact" value="y - lift(a)"/> <output name="expected" value="lift(a)"/>
    <output name="at_90" value="lift(pi/2)"/> <output name="at_900" value="lift(5*pi)"/>
    <solve step="1 ms"/></equations>)xml");
  run.initialize();
  EXPECT_NEAR(run.get("at_90"), 0.005, tol(1e-15));
  EXPECT_NEAR(run.get("at_900"), 0.012, tol(1e-15));
  const double start = run.get("energy.kinetic");
  for (int i = 0; i < 50; ++i) {
    run.advance(0.1);
    EXPECT_NEAR(run.get("y"), run.get("expected"), tol(1e-11));
  }
  EXPECT_GT(run.get("a"), 15);                               // several turns
  EXPECT_NEAR(run.get("energy.kinetic"), start, tol(1e-6));  // an ideal cam
}

}  // namespace
}  // namespace mechfmu::testing
