// Linear systems of mechanisms whose linear equations stand in textbooks, the same from every
// formulation, and the linear system against the motion itself.
#include "analysis/linearize.hpp"

#include "analysis/analysed.hpp"

namespace mechfmu::testing {
namespace {

constexpr double g = 9.81;

TEST(Linearize, PendulumWithDamper) {
  // rod: J = m l^2 / 3 about the pin
  LinearModel m = Analysed(R"(<mechanism name="P" gravity="0 -9.81 0">
    <body name="bar"><rod length="0.6" mass="2" axis="0 1 0" com="0 -0.3 0"/></body>
    <joint name="A" type="revolute" parent="ground" child="bar" axis="0 0 1">
      <start position="0" velocity="0" fixed="true"/></joint>
    <input name="tau" unit="N.m"/>
    <force name="t" type="joint_torque" joint="A" value="tau"/>
    <force name="d" type="torsion_spring" joint="A" damping="0.3"/>
    <output name="angle" value="A.position"/>
    <output name="alpha" value="A.acceleration"/></mechanism>)")
                      .linear();
  const double J = 2 * 0.6 * 0.6 / 3;
  ASSERT_EQ(2u, m.states.size());
  EXPECT_EQ("A.position", m.states[0].name);
  EXPECT_EQ("A.velocity", m.states[1].name);
  EXPECT_EQ("rad/s", m.states[1].unit);
  EXPECT_TRUE(m.is_equilibrium());
  Eigen::Matrix2d A;
  A << 0, 1, -2 * g * 0.3 / J, -0.3 / J;
  EXPECT_NEAR(0, (m.A - A).norm(), tol(1e-12));
  EXPECT_NEAR(0, (m.B - Eigen::Vector2d(0, 1 / J)).norm(), tol(1e-13));
  EXPECT_NEAR(0, (m.C.row(0) - Eigen::RowVector2d(1, 0)).norm(), tol(1e-14));
  // an acceleration sees the torque at once
  EXPECT_NEAR(0, (m.C.row(1) - A.row(1)).norm(), tol(1e-12));
  EXPECT_EQ(0, m.D(0, 0));
  EXPECT_NEAR(1 / J, m.D(1, 0), tol(1e-13));
  ASSERT_EQ(1u, m.poles.list.size());
  const double omega = std::sqrt(-A(1, 0));
  EXPECT_NEAR(omega / (2 * std::acos(-1.0)), m.poles.list[0].frequency, tol(1e-13));
  EXPECT_NEAR(0.3 / (2 * J * omega), m.poles.list[0].damping, tol(1e-13));
}

const char* const kCartPendulum = R"(<mechanism name="Cart" gravity="0 -9.81 0">
    <body name="cart"><inertial mass="1.5" inertia="0.1 0.1 0.1"/></body>
    <body name="pole"><point mass="0.2" xyz="0 0.5 0"/></body>
    <joint name="slide" type="prismatic" parent="ground" child="cart" axis="1 0 0">
      <start position="0" velocity="0" fixed="true"/></joint>
    <joint name="pin" type="revolute" parent="cart" child="pole" axis="0 0 1">
      <start position="0" velocity="0" fixed="true"/></joint>
    <input name="F" unit="N"/>
    <force name="push" type="joint_force" joint="slide" value="F"/>
    <output name="x" value="slide.position"/>
    <output name="ax" value="slide.acceleration"/></mechanism>)";

// (M + m) x'' - m l th'' = F,  l th'' - x'' = g th,  th counterclockwise
TEST(Linearize, CartWithPendulumUpright) {
  const LinearModel m = Analysed(kCartPendulum).linear();
  const double M = 1.5, mass = 0.2, l = 0.5;
  ASSERT_EQ(4u, m.states.size());
  const int x = state_of(m, "slide.position"), th = state_of(m, "pin.position"),
            v = state_of(m, "slide.velocity"), w = state_of(m, "pin.velocity");
  EXPECT_NEAR(mass * g / M, m.A(v, th), tol(1e-12));
  EXPECT_NEAR((M + mass) * g / (M * l), m.A(w, th), tol(1e-12));
  EXPECT_EQ(0, m.A(v, x));
  EXPECT_EQ(0, m.A(w, x));
  EXPECT_NEAR(1 / M, m.B(v, 0), tol(1e-13));
  EXPECT_NEAR(1 / (M * l), m.B(w, 0), tol(1e-13));
  EXPECT_NEAR(1 / M, m.D(1, 0), tol(1e-13));
  EXPECT_EQ(Stability::unstable, m.poles.stability);
  const double growth = std::sqrt((M + mass) * g / (M * l));
  const auto p = all_poles(m);
  EXPECT_NEAR(-growth, p.front().real(), tol(1e-12));
  EXPECT_EQ(0.0, p[1]);
  EXPECT_EQ(0.0, p[2]);
  EXPECT_NEAR(growth, p.back().real(), tol(1e-12));
}

// Two equal point masses on equal massless rods: w^2 = (2 -+ sqrt 2) g / l, the lower one swings
// sqrt 2 times as far (absolute angles).
TEST(Linearize, DoublePendulumFrequenciesAndModes) {
  const LinearModel m = Analysed(R"(<mechanism name="D" gravity="0 -9.81 0">
    <body name="a"><point mass="1" xyz="0 -0.4 0"/><frame name="tip" xyz="0 -0.4 0"/></body>
    <body name="b"><point mass="1" xyz="0 -0.4 0"/></body>
    <joint name="A" type="revolute" parent="ground" child="a" axis="0 0 1"/>
    <joint name="B" type="revolute" parent="a.tip" child="b" axis="0 0 1"/></mechanism>)")
                            .linear();
  ASSERT_EQ(2u, m.poles.list.size());
  for (const int k : {0, 1}) {
    const Pole& p = m.poles.list[static_cast<std::size_t>(k)];
    const double sign = k == 0 ? -1 : 1;
    EXPECT_EQ(0.0, p.value.real());
    EXPECT_NEAR(std::sqrt((2 + sign * std::sqrt(2.0)) * g / 0.4), p.value.imag(), tol(1e-12));
    const Eigen::VectorXcd shape = m.shapes * p.shape;
    const std::complex<double> ratio = (shape(0) + shape(1)) / shape(0);
    EXPECT_NEAR(0, std::abs(ratio + sign * std::sqrt(2.0)), tol(1e-10));
  }
}

// n equal masses between n + 1 equal springs: w_k = 2 sqrt(c / m) sin(k pi / (2 (n + 1)))
TEST(Linearize, ChainOfMassesAndSprings) {
  constexpr int n = 5;
  std::string xml = "<mechanism name=\"Chain\" gravity=\"0 0 0\">";
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    xml += "<body name=\"b" + k + "\"><inertial mass=\"0.7\" inertia=\"1 1 1\"/></body>" +
           "<joint name=\"J" + k + "\" type=\"prismatic\" parent=\"ground\" child=\"b" + k +
           "\" axis=\"1 0 0\"><start position=\"" + k + "\" fixed=\"true\"/></joint>";
  }
  xml += "<ground><frame name=\"end\" xyz=\"6 0 0\"/></ground>";
  for (int i = 0; i <= n; ++i) {
    const std::string from = i == 0 ? "ground" : "b" + std::to_string(i);
    const std::string to = i == n ? "ground.end" : "b" + std::to_string(i + 1);
    xml += "<force name=\"s" + std::to_string(i) + "\" type=\"spring_damper\" from=\"" + from +
           "\" to=\"" + to + "\" stiffness=\"40\" length=\"1\"/>";
  }
  const LinearModel m = Analysed(xml + "</mechanism>").linear();
  ASSERT_EQ(static_cast<std::size_t>(n), m.poles.list.size());
  for (int k = 1; k <= n; ++k)
    EXPECT_NEAR(2 * std::sqrt(40 / 0.7) * std::sin(k * std::acos(-1.0) / (2 * (n + 1))),
                m.poles.list[static_cast<std::size_t>(k - 1)].value.imag(), tol(1e-11));
}

// A loop at rest under a spring, with a damper: poles do not depend on the coordinates there.
const char* const kFourBar = R"(<mechanism name="F" gravity="0 0 0">
    <ground><frame name="D" xyz="0.3 0 0"/></ground>
    <body name="crank"><inertial mass="0.4" com="0.06 0 0" inertia="1e-4 4e-4 5e-4"/>
      <frame name="tip" xyz="0.12 0 0"/></body>
    <body name="coupler"><inertial mass="0.5" com="0.15 0.02 0" inertia="1e-3 4e-3 5e-3"/>
      <frame name="tip" xyz="0.3 0 0"/></body>
    <body name="rocker"><inertial mass="0.3" com="0.1 0 0" inertia="1e-4 1e-3 1e-3"/>
      <frame name="tip" xyz="0.25 0 0"/></body>
    <joint name="A" type="revolute" parent="ground" child="crank" axis="0 0 1">
      <start position="60 deg" velocity="0" fixed="true"/></joint>
    <joint name="B" type="revolute" parent="crank.tip" child="coupler" axis="0 0 1"/>
    <joint name="D" type="revolute" parent="ground.D" child="rocker" axis="0 0 1">
      <start position="85 deg"/></joint>
    <joint name="C" type="revolute" parent="coupler.tip" child="rocker.tip" axis="0 0 1"/>
    <input name="tau" unit="N.m"/>
    <force name="motor" type="joint_torque" joint="A" value="tau"/>
    <force name="spring" type="torsion_spring" joint="A" stiffness="3" damping="0.01" angle="60 deg"/>
    <output name="rocker_angle" value="D.position"/>
    <output name="pin" value="C.force[1]"/></mechanism>)";

TEST(Linearize, FourBarHasTheSamePolesInEveryFormulation) {
  const LinearModel joint = Analysed(kFourBar, "joint").linear();
  ASSERT_EQ(2u, joint.states.size());
  EXPECT_EQ("A.position", joint.states[0].name);
  EXPECT_TRUE(joint.is_equilibrium());
  EXPECT_EQ(Stability::stable, joint.poles.stability);
  ASSERT_EQ(1u, joint.poles.list.size());
  // reduced: J(q) q'' = -c q - d q', so pole product and sum are in the ratio of c and d
  const double sum = 2 * joint.poles.list[0].value.real(),
               product = std::norm(joint.poles.list[0].value);
  EXPECT_NEAR(-0.01 / 3, sum / product, tol(1e-12));
  for (const char* name : {"absolute", "absolute_spatial"}) {
    const LinearModel other = Analysed(kFourBar, name).linear();
    ASSERT_EQ(2u, other.states.size()) << name;
    expect_same_poles(joint, other, 1e-8);
    // the same transfer functions, too: gain at standstill, C A^-1 B less D
    const Eigen::VectorXd a = joint.C * joint.A.inverse() * joint.B - joint.D;
    const Eigen::VectorXd b = other.C * other.A.inverse() * other.B - other.D;
    EXPECT_NEAR(0, (a - b).norm() / a.norm(), tol(1e-9)) << name;
    EXPECT_NEAR(joint.D(1, 0), other.D(1, 0), tol(1e-9) * std::fabs(joint.D(1, 0)));
  }
}

TEST(Linearize, RedundantConstraints) {
  // three wheels and a rod that only the lengths let turn: one heavy pendulum,
  // (3 J + m r^2) a'' = -m g r cos(a)
  std::string text = example_text("coupling_rod");
  text.replace(text.find("velocity=\"6\""), 12, "velocity=\"0\"");
  const double inertia = 3 * 8 + 40 * 0.3 * 0.3;
  for (const char* name : {"joint", "absolute"}) {
    const LinearModel m = Analysed(text, name).linear();
    ASSERT_EQ(2u, m.states.size());
    EXPECT_TRUE(m.is_equilibrium());
    ASSERT_EQ(1u, m.poles.list.size());
    EXPECT_NEAR(std::sqrt(40 * g * 0.3 / inertia), m.poles.list[0].value.imag(), tol(1e-9)) << name;
  }
}

// Sleeping top, J b'' - i C n b' - m g l b = 0 for b = x + i y of the axis; in the axes of the
// top, which turn with n, its poles move by -i n.
TEST(Linearize, SleepingTopIsStableWhenItSpinsFast) {
  const double J = 0.02, C = 0.01, weight = 0.5 * g * 0.1;
  for (const double n : {15.0, 60.0}) {
    Analysed top(R"(<mechanism name="Top">
      <body name="top"><inertial mass="0.5" com="0 0 0.1" inertia="0.015 0.015 0.01"/></body>
      <joint name="foot" type="spherical" parent="ground" child="top">
        <start rpy="0 0 0" angular_velocity="0 0 )" +
                 std::to_string(n) + R"(" fixed="true"/></joint></mechanism>)");
    const LinearModel m = top.linear();
    EXPECT_TRUE(m.is_steady());
    EXPECT_FALSE(m.is_equilibrium());
    EXPECT_EQ("foot.rotation[1]", m.states[0].name);
    const std::complex<double> i(0, 1);
    const std::complex<double> root =
        std::sqrt(std::complex<double>(4 * J * weight - C * C * n * n));
    std::vector<std::complex<double>> expected = {0.0, 0.0};  // the spin itself
    for (const double sign : {-1.0, 1.0}) {
      const std::complex<double> p = (i * C * n + sign * root) / (2 * J) - i * n;
      expected.push_back(p);
      expected.push_back(std::conj(p));
    }
    const auto found = all_poles(m);
    ASSERT_EQ(expected.size(), found.size());
    for (const std::complex<double> p : expected) {
      double nearest = 1e300;
      for (const std::complex<double> q : found) nearest = std::min(nearest, std::abs(p - q));
      EXPECT_NEAR(0, nearest, tol(1e-9) * (1 + std::abs(p))) << p;
    }
    EXPECT_EQ(C * n > 2 * std::sqrt(J * weight) ? Stability::neutral : Stability::unstable,
              m.poles.stability);
  }
}

// A thin disc that rolls upright, w^2 = (12 n^2 - 4 g / r) / 5: it falls below n^2 = g / (3 r)
// (Routh 1905). Nonholonomic: five coordinates of the touching disc, three velocities.
TEST(Linearize, DiscThatRollsUpright) {
  const double r = 0.25;
  for (const double n : {2.0, 8.0}) {
    const std::string speed = std::to_string(n), forward = std::to_string(n * r);
    const LinearModel m = Analysed(R"(<mechanism name="Disc">
      <body name="sled"><inertial mass="1e-9" inertia="1e-12 1e-12 1e-12"/></body>
      <body name="lift"><inertial mass="1e-9" inertia="1e-12 1e-12 1e-12"/></body>
      <body name="fork"><inertial mass="1e-9" inertia="1e-12 1e-12 1e-12"/></body>
      <body name="disc"><inertial mass="1" inertia="0.015625 0.03125 0.015625"/></body>
      <joint name="base" type="planar" parent="ground" child="sled" axis="0 0 1">
        <start x="0" y="0" angle="0" x_velocity=")" +
                                       forward +
                                       R"(" y_velocity="0" angle_velocity="0" fixed="true"/></joint>
      <joint name="height" type="prismatic" parent="sled" child="lift" axis="0 0 1">
        <start position="0.25"/></joint>
      <joint name="lean" type="revolute" parent="lift" child="fork" axis="1 0 0">
        <start position="0" velocity="0" fixed="true"/></joint>
      <joint name="spin" type="revolute" parent="fork" child="disc" axis="0 1 0">
        <start position="0" velocity=")" +
                                       speed + R"("/></joint>
      <joint name="contact" type="rolling_disc" parent="ground" child="disc" radius="0.25"
             axis="0 1 0" normal="0 0 1"/></mechanism>)",
                                   "joint")
                              .linear();
    EXPECT_TRUE(m.is_steady());
    ASSERT_EQ(8u, m.states.size());  // five positions, three velocities
    const double square = (12 * n * n - 4 * g / r) / 5;
    const auto poles = all_poles(m);
    const std::complex<double> largest = poles.back();
    if (square > 0) {
      EXPECT_NEAR(std::sqrt(square), largest.imag(), tol(1e-5));
      EXPECT_NEAR(0, largest.real(), tol(1e-5));
    } else {
      EXPECT_EQ(Stability::unstable, m.poles.stability);
      EXPECT_NEAR(std::sqrt(-square), largest.real(), tol(1e-5));
    }
    int zeros = 0;
    for (const std::complex<double> p : poles) zeros += std::abs(p) < 1e-6 ? 1 : 0;
    EXPECT_EQ(6, zeros);
  }
}

const char* const kMovedPendulum = R"(<mechanism name="Moved" gravity="0 -9.81 0">
    <body name="post"><inertial mass="3" inertia="1 1 1"/></body>
    <body name="bob"><point mass="0.5" xyz="0 -0.8 0"/></body>
    <joint name="slide" type="prismatic" parent="ground" child="post" axis="1 0 0"/>
    <joint name="pin" type="revolute" parent="post" child="bob" axis="0 0 1">
      <start position="0" velocity="0" fixed="true"/></joint>
    <input name="x" unit="m" filter="30 ms"/>
    <drive name="move" joint="slide" position="x"/>
    <output name="force" value="slide.drive_force"/></mechanism>)";

// l th'' = -g th - x'': what the pivot does reaches the pendulum as an acceleration.
TEST(Linearize, DriveByAnInputThroughItsFilter) {
  const LinearModel m = Analysed(kMovedPendulum).linear();
  ASSERT_EQ(5u, m.states.size());
  const int w = state_of(m, "pin.velocity"), second = state_of(m, "filter.x_second_rate");
  EXPECT_NEAR(-1 / 0.8, m.A(w, second), tol(1e-12));
  EXPECT_NEAR(-g / 0.8, m.A(w, state_of(m, "pin.position")), tol(1e-12));
  EXPECT_NEAR(std::pow(3 / 0.03, 3), m.B(second, 0), tol(1e-5));
  EXPECT_EQ(0, m.B(w, 0));
  // (M + m) x'' + m l th'' = F
  EXPECT_NEAR(3.5 - 0.5, m.C(0, second), tol(1e-12));
  EXPECT_NEAR(-0.5 * g, m.C(0, state_of(m, "pin.position")), tol(1e-12));
  int filters = 0;
  for (const Pole& p : m.poles.list)
    if (p.of == "filter.x") {
      ++filters;
      EXPECT_NEAR(-100, p.value.real(), tol(1e-10));
    }
  EXPECT_EQ(3, filters);
}

TEST(Linearize, DriveByAnInputWithItsDerivatives) {
  Analysed a(kMovedPendulum);
  a.point().follow_inputs_directly();
  const LinearModel m = a.linear();
  ASSERT_EQ(2u, m.states.size());
  ASSERT_EQ(3u, m.inputs.size());
  EXPECT_EQ("der(x,2)", m.inputs[2].name);
  EXPECT_NEAR(0, (m.B - (Eigen::Matrix<double, 2, 3>() << 0, 0, 0, 0, 0, -1.25).finished()).norm(),
              tol(1e-12));
  EXPECT_NEAR(0, (m.D - Eigen::RowVector3d(0, 0, 3)).norm(), tol(1e-12));
}

// Derivatives of the nonlinear motion by its start: x(t) = exp(A t) x0 for small x0.
TEST(Linearize, PredictsSmallMotions) {
  const char* const chain = R"(<mechanism name="T" gravity="0 -9.81 0">
    <body name="a"><rod length="0.4" mass="1" axis="0 1 0" com="0 -0.2 0"/><frame name="e" xyz="0 -0.4 0"/></body>
    <body name="b"><rod length="0.3" mass="0.6" axis="0 1 0" com="0 -0.15 0"/><frame name="e" xyz="0 -0.3 0"/></body>
    <joint name="A" type="revolute" parent="ground" child="a" axis="0 0 1">
      <start position="0" velocity="0" fixed="true"/></joint>
    <joint name="B" type="revolute" parent="a.e" child="b" axis="0 0 1">
      <start position="0" velocity="0" fixed="true"/></joint>
    <force name="d" type="torsion_spring" joint="B" stiffness="0.2" damping="0.05"/>
    <force name="s" type="spring_damper" from="ground" to="b.e" stiffness="20" damping="1" length="0.5"/>
    <output name="x" value="b.e.position[1]"/></mechanism>)";
  Analysed rest(chain);
  const LinearModel m = rest.linear();
  const double size = 1e-5, duration = 1.0;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(4);
  x(state_of(m, "A.position")) = size;
  x(state_of(m, "B.velocity")) = -2 * size;
  Analysed moved(chain);
  moved.set("start.A.position", size);
  moved.set("start.B.velocity", -2 * size);
  moved.start(duration);
  // exp(A t) by its series, with squaring
  Eigen::MatrixXd step = Eigen::MatrixXd::Identity(4, 4), term = step;
  const int squarings = 10;
  for (int k = 1; k < 12; ++k) {
    term = term * m.A * (duration / std::exp2(squarings)) / k;
    step += term;
  }
  for (int k = 0; k < squarings; ++k) step = step * step;
  const Eigen::VectorXd y = step * x;
  runtime::Simulation& s = moved.point().simulation();
  for (const int i : {0, 1}) {
    EXPECT_NEAR(y(i), s.position()[i], tol(1e-4) * size);
    EXPECT_NEAR(y(2 + i), s.velocity()[i], tol(1e-3) * size);
  }
  EXPECT_TRUE(moved.point().update());
  EXPECT_NEAR((m.C * y)(0), moved.point().value(*moved.point().system().interface.find("x")),
              tol(1e-4) * size);
}

// Columns of A at a moving state against differences of accelerations at neighbouring states.
TEST(Linearize, AboutAMotionItIsTheDerivativeOfTheAccelerations) {
  Analysed base(example_text("spatial_loop"));
  base.start(0.3);
  const std::optional<LinearModel> m = base.try_linearize();
  ASSERT_TRUE(m.has_value());
  EXPECT_FALSE(m->is_steady());
  ASSERT_EQ(2u, m->states.size());
  // neighbours: other crank angle and speed, the rest assembled
  const auto acceleration = [&](double angle, double speed) {
    Analysed other(example_text("spatial_loop"));
    other.set("start.A.position", angle);
    other.set("start.A.velocity", speed);
    other.start();
    EXPECT_TRUE(other.point().update());
    return other.point().simulation().acceleration()[0];
  };
  const double q = m->states[0].value, v = m->states[1].value, h = 1e-4;
  ASSERT_EQ("A.position", m->states[0].name);
  EXPECT_NEAR(m->states[1].rate, acceleration(q, v), tol(1e-7) * std::fabs(m->states[1].rate));
  const double by_q = (acceleration(q + h, v) - acceleration(q - h, v)) / (2 * h);
  const double by_v = (acceleration(q, v + h) - acceleration(q, v - h)) / (2 * h);
  EXPECT_NEAR(by_q, m->A(1, 0), tol(1e-5) * std::fabs(by_q));
  EXPECT_NEAR(by_v, m->A(1, 1), tol(1e-5) * (1 + std::fabs(by_v)));
}

TEST(Linearize, PlainEquations) {
  // x^2 + y^2 = l^2 hanging down: w^2 = g / l
  const LinearModel m = Analysed(R"(<equations name="E">
    <coordinate name="x" start="0" mass="2"/><coordinate name="y" start="-0.7" mass="2"/>
    <force on="y" value="-2*9.81"/><holonomic name="rod" value="x^2 + y^2 - 0.49"/></equations>)")
                            .linear();
  ASSERT_EQ(2u, m.states.size());
  EXPECT_EQ("x", m.states[0].name);
  ASSERT_EQ(1u, m.poles.list.size());
  EXPECT_NEAR(std::sqrt(g / 0.7), m.poles.list[0].value.imag(), tol(1e-12));
}

TEST(Linearize, StatesCanBeChosen) {
  Analysed a(kFourBar);
  a.start();
  const std::optional<LinearModel> m = a.try_linearize({"D.position"});
  ASSERT_TRUE(m.has_value());
  EXPECT_EQ("D.position", m->states[0].name);
  EXPECT_EQ("D.velocity", m->states[1].name);
  // chosen states see themselves as they are
  EXPECT_NEAR(1, m->C(0, 0), tol(1e-14));
  Analysed b(kFourBar);
  b.start();
  EXPECT_FALSE(b.try_linearize({"A.position", "D.position"}).has_value());
  EXPECT_EQ("E312", b.diagnostics().all().back().code);
  Analysed c(kFourBar);
  c.start();
  EXPECT_FALSE(c.try_linearize({"A.postion"}).has_value());
  EXPECT_NE(std::string::npos, c.diagnostics().all().back().hint.find("A.position"));
}

TEST(Linearize, SingularPoseIsRefused) {
  std::string text = example_text("coupling_rod");
  // all pins on one line
  for (const char* old : {"-90 deg", "-90 deg", "-90 deg", "90 deg"})
    text.replace(text.find(old), std::string(old).size(), "0");
  text.replace(text.find("velocity=\"6\""), 12, "velocity=\"0\"");
  Analysed a(text);
  a.start();
  EXPECT_FALSE(a.try_linearize().has_value());
  EXPECT_EQ("E311", a.diagnostics().all().back().code);
}

}  // namespace
}  // namespace mechfmu::testing
