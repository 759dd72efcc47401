// Where mechanisms rest, against the condition of statics solved by other means.
#include "analysis/equilibrium.hpp"

#include <fmt/format.h>

#include "analysis/analysed.hpp"
#include "analysis/trimmed_file.hpp"

namespace mechfmu::testing {
namespace {

constexpr double g = 9.81;

struct Rest : Analysed {
  explicit Rest(const std::string& xml, const EquilibriumOptions& options = {},
                const std::string& coordinates = "",
                const std::vector<std::pair<std::string, double>>& values = {})
      : Analysed(xml, coordinates) {
    for (const auto& [name, value] : values) set(name, value);
    point().follow_inputs_directly();
    start();
    found = find_equilibrium(point(), options, problems);
  }
  double operator[](const std::string& name) {
    EXPECT_TRUE(point().update());
    return point().value(*point().system().interface.find(name));
  }
  std::optional<Equilibrium> found;
  Diagnostics problems;
};

// A zero of f between a and b.
template <class F>
double bisect(double a, double b, F f) {
  const bool rises = f(b) > f(a);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (a + b);
    (rises == (f(middle) < 0) ? a : b) = middle;
  }
  return 0.5 * (a + b);
}

std::string pendulum(const std::string& start, const std::string& more) {
  return R"(<mechanism name="P" gravity="0 -9.81 0">
    <body name="bar"><inertial mass="2" com="0.4 0 0" inertia="0.01 0.1 0.1"/></body>
    <joint name="A" type="revolute" parent="ground" child="bar" axis="0 0 1"><start position=")" +
         start + R"(" fixed="true"/></joint>)" + more + "</mechanism>";
}

TEST(Equilibrium, HangingPendulumCarriesItsWeight) {
  Rest r(pendulum("-60 deg", ""));
  ASSERT_TRUE(r.found);
  EXPECT_NEAR(-std::acos(-1.0) / 2, r["A.position"], tol(1e-12));
  EXPECT_NEAR(2 * g, r["A.force[2]"], tol(1e-10));
  EXPECT_EQ(Stability::neutral, r.found->linear.poles.stability);
  EXPECT_FALSE(r.found->indifferent);
}

// c th = -m g l cos(th)
TEST(Equilibrium, PendulumAgainstATorsionSpring) {
  Rest r(pendulum("10 deg", R"(<force name="s" type="torsion_spring" joint="A" stiffness="5"/>)"));
  ASSERT_TRUE(r.found);
  const double expected =
      bisect(-1.5, 0, [](double th) { return 5 * th + 2 * g * 0.4 * std::cos(th); });
  EXPECT_NEAR(expected, r["A.position"], tol(1e-12));
  // stiffness c - m g l sin(th)
  const double inertia = 0.1 + 2 * 0.16;
  EXPECT_NEAR(std::sqrt((5 - 2 * g * 0.4 * std::sin(expected)) / inertia),
              r.found->linear.poles.list[0].value.imag(), tol(1e-10));
}

// An arm that a spring pulls over its dead point: three rests, two of them stable.
TEST(Equilibrium, TheGuessDecidesAmongSeveral) {
  const auto arm = [](const std::string& start) {
    return R"(<mechanism name="Over" gravity="0 0 0">
      <ground><frame name="hook" xyz="0.5 0 0"/></ground>
      <body name="bar"><inertial mass="1" inertia="0.1 0.1 0.1"/><frame name="tip" xyz="0.2 0 0"/></body>
      <joint name="A" type="revolute" parent="ground" child="bar" axis="0 0 1"><start position=")" +
           start + R"(" fixed="true"/></joint>
      <force name="s" type="spring_damper" from="ground.hook" to="bar.tip" stiffness="100" length="0.45"/>
      </mechanism>)";
  };
  // slack where the distance is 0.45: 0.29 - 0.2 cos(th) = 0.2025
  const double slack = std::acos(0.0875 / 0.2);
  for (const auto& [start, expected] :
       {std::pair{"70 deg", slack}, {"-70 deg", -slack}, {"3 deg", 0.0}}) {
    Rest r(arm(start));
    ASSERT_TRUE(r.found) << start;
    EXPECT_NEAR(expected, r["A.position"], tol(1e-10)) << start;
    EXPECT_EQ(expected == 0, r.found->linear.poles.stability == Stability::unstable);
  }
  Rest down(arm("3 deg"), {{}, {}, true});
  ASSERT_TRUE(down.found);
  EXPECT_NEAR(slack, std::fabs(down["A.position"]), tol(1e-10));
  Rest from_top(arm("0"), {{}, {}, true});
  ASSERT_TRUE(from_top.found);
  EXPECT_NEAR(slack, std::fabs(from_top["A.position"]), tol(1e-10));
}

// The potential of the example's four-bar as a function of the crank angle alone, from triangles.
TEST(Equilibrium, FourBarUnderItsSpring) {
  const std::string text = example_text("four_bar");
  Rest r(text);
  ASSERT_TRUE(r.found);
  const double angle = r["A.position"];
  // energy of neighbouring poses, assembled
  const auto energy = [&](double crank) {
    Analysed other(text);
    other.set("start.A.position", crank);
    other.set("start.D.position", r["D.position"]);
    other.set("start.B.position", r["B.position"]);
    other.start();
    EXPECT_TRUE(other.point().update());
    return other.point().value(*other.point().system().interface.find("energy.potential"));
  };
  const double h = 1e-3, here = energy(angle);
  const double slope = (energy(angle + h) - energy(angle - h)) / (2 * h);
  const double bend = (energy(angle + h) - 2 * here + energy(angle - h)) / (h * h);
  EXPECT_NEAR(0, slope / bend, tol(1e-5));
  EXPECT_EQ(bend > 0, r.found->linear.poles.stability == Stability::stable);
  Rest absolute(text, {}, "absolute");
  ASSERT_TRUE(absolute.found);
  EXPECT_NEAR(angle, absolute["A.position"], tol(1e-9));
}

// A chain of n equal links hangs so that the tangents of their angles are an arithmetic series,
// tan(a_k+1) - tan(a_k) = m g / H: the catenary of links. For many links it is cosh.
std::string make_chain(int n, double span) {
  const double length = 1.0 / n;
  std::string xml =
      "<mechanism name=\"Chain\" gravity=\"0 -9.81 0\"><ground><frame name=\"end\" xyz=\"" +
      std::to_string(span) + " 0 0\"/></ground>";
  const std::string l = std::to_string(length), half = std::to_string(length / 2),
                    mass = std::to_string(1.0 / n);
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i);
    xml += "<body name=\"b" + k + "\"><rod length=\"" + l + "\" mass=\"" + mass +
           "\" axis=\"1 0 0\" com=\"" + half + " 0 0\"/><frame name=\"e\" xyz=\"" + l +
           " 0 0\"/></body><joint name=\"J" + k + "\" type=\"revolute\" parent=\"" +
           (i == 0 ? "ground" : "b" + std::to_string(i - 1) + ".e") + "\" child=\"b" + k +
           "\" axis=\"0 0 1\"><start position=\"" +
           (i == 0 ? std::string("-40 deg") : std::to_string(80.0 / (n - 1)) + " deg") +
           "\"/></joint>";
  }
  return xml + "<joint name=\"E\" type=\"revolute\" parent=\"ground.end\" child=\"b" +
         std::to_string(n - 1) + ".e\" axis=\"0 0 1\"/></mechanism>";
}

TEST(Equilibrium, ChainOfLinksHangsAsACatenary) {
  constexpr int n = 16;
  const double span = 0.7;
  Rest r(make_chain(n, span));
  ASSERT_TRUE(r.found) << r.problems.all().back().message;
  std::vector<double> tangent;
  double angle = 0, height = 0, lowest = 0;
  for (int i = 0; i < n; ++i) {
    angle += r["J" + std::to_string(i) + ".position"];
    tangent.push_back(std::tan(angle));
    height += std::sin(angle) / n;
    lowest = std::min(lowest, height);
  }
  EXPECT_NEAR(0, height, tol(1e-10));
  const double step = tangent[1] - tangent[0];
  for (int i = 1; i + 1 < n; ++i)
    EXPECT_NEAR(step,
                tangent[static_cast<std::size_t>(i + 1)] - tangent[static_cast<std::size_t>(i)],
                tol(1e-8));
  const double pull = std::fabs(r["J0.force[1]"]);
  EXPECT_NEAR(g / n / pull, step, tol(1e-8));
  // 2 a sinh(span / 2a) = 1, sag a (cosh(span / 2a) - 1)
  const double a = bisect(0.05, 5, [&](double x) { return 2 * x * std::sinh(span / (2 * x)) - 1; });
  EXPECT_NEAR(a * (std::cosh(span / (2 * a)) - 1), -lowest, tol(1.0) / (n * n));
  EXPECT_NEAR(a * g, pull, tol(2.0) * g / (n * n));
  EXPECT_EQ(Stability::neutral, r.found->linear.poles.stability);
}

TEST(Equilibrium, RedundantConstraints) {
  std::string text = example_text("coupling_rod");
  for (std::size_t at = text.find("\"-90 deg\""); at != std::string::npos;
       at = text.find("\"-90 deg\""))
    text.replace(at, 9, "\"-50 deg\"");
  text.replace(text.find("velocity=\"6\""), 12, "velocity=\"0\"");
  for (const char* name : {"joint", "absolute"}) {
    Rest r(text, {}, name);
    ASSERT_TRUE(r.found) << name;
    EXPECT_NEAR(-std::acos(-1.0) / 2, r["axle1.position"], tol(1e-9));
    EXPECT_NEAR(-std::acos(-1.0) / 2, r["axle3.position"], tol(1e-9));
  }
}

const char* const kArm = R"(<mechanism name="Arm" gravity="0 -9.81 0">
    <parameter name="payload" value="0.5 kg" min="0.01 kg"/>
    <body name="upper"><rod length="0.4" mass="2" axis="1 0 0" com="0.2 0 0"/><frame name="e" xyz="0.4 0 0"/></body>
    <body name="lower"><rod length="0.3" mass="1" axis="1 0 0" com="0.15 0 0"/><point mass="payload" xyz="0.3 0 0"/></body>
    <joint name="A" type="revolute" parent="ground" child="upper" axis="0 0 1"><start position="30 deg" fixed="true"/></joint>
    <joint name="B" type="revolute" parent="upper.e" child="lower" axis="0 0 1"><start position="20 deg" fixed="FIXED"/></joint>
    <input name="t1" unit="N.m"/><input name="t2" unit="N.m"/>
    <force name="m1" type="joint_torque" joint="A" value="t1"/>
    <force name="m2" type="joint_torque" joint="B" value="t2"/></mechanism>)";

std::string arm(bool fixed) {
  std::string text = kArm;
  return text.replace(text.find("FIXED"), 5, fixed ? "true" : "false");
}

// Torques that hold a two-link arm, by moments about its joints.
TEST(Equilibrium, TorquesThatHoldAPose) {
  Rest r(arm(true), {{"t1", "t2"}, {}, false});
  ASSERT_TRUE(r.found);
  const double deg = std::acos(-1.0) / 180, a = 30 * deg, b = 50 * deg;
  const double lower = g * (1 * 0.15 + 0.5 * 0.3) * std::cos(b);
  EXPECT_NEAR(lower, r.found->solved[1].value, tol(1e-11));
  EXPECT_NEAR(lower + g * (2 * 0.2 + 1.5 * 0.4) * std::cos(a), r.found->solved[0].value,
              tol(1e-11));
  EXPECT_NEAR(a, r["A.position"], tol(1e-13));
  EXPECT_EQ((std::vector<std::string>{"A.position", "B.position"}), r.found->held);
}

// One torque, one held angle, the other joint hangs.
TEST(Equilibrium, WhatIsNotFixedFindsItsOwnPlace) {
  Rest r(arm(false), {{"t1"}, {}, false});
  ASSERT_TRUE(r.found);
  const double pi = std::acos(-1.0), a = pi / 6;
  EXPECT_NEAR(a, r["A.position"], tol(1e-12));
  EXPECT_NEAR(1, std::fabs(std::sin(a + r["B.position"])), tol(1e-12));  // vertical
  EXPECT_NEAR(g * (2 * 0.2 + 1.5 * 0.4) * std::cos(a), r.found->solved[0].value, tol(1e-10));
}

// Any coordinate can be held, also the one where the loop is cut.
TEST(Equilibrium, CutJointsCanBeHeld) {
  std::string text = example_text("four_bar");
  const std::string joint = "child=\"rocker.tip\" axis=\"0 0 1\"/>";
  text.replace(text.find(joint), joint.size(),
               "child=\"rocker.tip\" axis=\"0 0 1\"><start position=\"0.9\"/></joint>");
  Rest r(text, {{"tau"}, {"C.position"}, false});
  ASSERT_TRUE(r.found) << r.problems.all().back().message;
  Rest same(text, {{"tau"}, {"A.position"}, false});
  ASSERT_TRUE(same.found);
  EXPECT_NEAR(same.found->solved[0].value, r.found->solved[0].value, tol(1e-9));
  EXPECT_NEAR(same["C.position"], r["C.position"], tol(1e-11));
}

// A load that balances the arm against given torques.
TEST(Equilibrium, ParametersCanBeSolvedFor) {
  const double b = 50 * std::acos(-1.0) / 180;
  Rest r(arm(true), {{"payload", "t1"}, {}, false}, "", {{"t2", 3.0}});
  ASSERT_TRUE(r.found);
  EXPECT_NEAR((3 / (g * std::cos(b)) - 0.15) / 0.3, r.found->solved[0].value, tol(1e-10));
}

TEST(Equilibrium, FailuresSayWhy) {
  Rest too_few(arm(true), {{"t1"}, {}, false});
  EXPECT_FALSE(too_few.found);
  EXPECT_EQ("E317", too_few.problems.all().back().code);
  EXPECT_NE(std::string::npos,
            too_few.problems.all().back().message.find("2 equations, 1 unknown"));
  Rest falls(R"(<mechanism name="F"><body name="b"><inertial mass="1" inertia="1 1 1"/></body>
    <joint name="J" type="prismatic" parent="ground" child="b" axis="0 0 1"/></mechanism>)");
  EXPECT_FALSE(falls.found);
  EXPECT_NE(std::string::npos, falls.problems.all().back().message.find("wherever it is"));
  Rest unknown(arm(true), {{"t3"}, {}, false});
  EXPECT_EQ("E318", unknown.problems.all().back().code);
  Rest driven(example_text("cam_follower"));
  EXPECT_FALSE(driven.found);
  EXPECT_EQ("E318", driven.problems.all().back().code);
}

// Springs in space: a body on six springs, its weight, and a quaternion to solve for.
TEST(Equilibrium, BodyInSpaceOnSprings) {
  std::string xml = R"(<mechanism name="S"><ground>)";
  const double x[] = {1, -1, 0, 0, 0.7, -0.7}, y[] = {0, 0, 1, -1, 0.7, -0.7};
  for (int i = 0; i < 6; ++i)
    xml += "<frame name=\"g" + std::to_string(i) + "\" xyz=\"" + std::to_string(x[i]) + " " +
           std::to_string(y[i]) + " 1.5\"/>";
  xml +=
      "</ground><body name=\"b\"><inertial mass=\"3\" com=\"0.05 -0.03 0.02\" inertia=\"0.1 0.2 "
      "0.15\"/>";
  for (int i = 0; i < 6; ++i)
    xml += "<frame name=\"f" + std::to_string(i) + "\" xyz=\"" +
           std::to_string(0.3 * x[(i + 1) % 6]) + " " + std::to_string(0.3 * y[(i + 1) % 6]) +
           " 0.1\"/>";
  xml +=
      "</body><joint name=\"J\" type=\"free\" parent=\"ground\" child=\"b\"><start xyz=\"0 0 0.4\" "
      "rpy=\"0.5 0.2 -0.3\"/></joint>";
  for (int i = 0; i < 6; ++i)
    xml += "<force name=\"s" + std::to_string(i) + "\" type=\"spring_damper\" from=\"ground.g" +
           std::to_string(i) + "\" to=\"b.f" + std::to_string(i) +
           "\" stiffness=\"80\" length=\"0.9\" damping=\"14\"/>";
  xml += "</mechanism>";
  Rest joint(xml, {{}, {}, true}), absolute(xml, {{}, {}, true}, "absolute");
  ASSERT_TRUE(joint.found && absolute.found);
  for (const char* name :
       {"b.position[1]", "b.position[2]", "b.position[3]", "b.rpy[1]", "b.rpy[3]"})
    EXPECT_NEAR(joint[name], absolute[name], tol(1e-8)) << name;
  expect_same_poles(joint.found->linear, absolute.found->linear, 1e-6);
  // the motion itself, from far away and damped, ends there
  Analysed moving(xml);
  moving.start(30);
  EXPECT_TRUE(moving.point().update());
  const auto there = [&](const char* name) {
    return moving.point().value(*moving.point().system().interface.find(name));
  };
  EXPECT_NEAR(there("b.position[3]"), joint["b.position[3]"], tol(1e-5));
  EXPECT_NEAR(there("b.rpy[1]"), joint["b.rpy[1]"], tol(1e-5));
}

struct Written {
  explicit Written(const std::string& text, const EquilibriumOptions& options = {})
      : rest(text, options) {
    const SourceText source("test.xml", text);
    Diagnostics diagnostics;
    const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics);
    if (rest.found) result = write_trimmed(source, *mechanism, rest.point(), rest.problems);
  }
  Rest rest;
  std::optional<std::string> result;
};

TEST(TrimmedFile, ChangesNothingButNumbers) {
  const std::string text = "<!-- kept -->\n" + arm(true) + "\n<!-- too -->\n";
  Written w(text, {{"t1", "t2"}, {}, false});
  ASSERT_TRUE(w.result);
  // the pose is as it was, so only the inputs are written
  std::string expected = text;
  for (const int i : {0, 1}) {
    const std::string name = i == 0 ? "\"t1\"" : "\"t2\"";
    const Equilibrium::Solved& s = w.rest.found->solved[static_cast<std::size_t>(i)];
    expected.insert(expected.find("unit=\"N.m\"", expected.find(name)) + 10,
                    " start=\"" + fmt::format("{:.14g}", s.value) + "\"");
  }
  EXPECT_EQ(expected, *w.result);
}

TEST(TrimmedFile, KeepsUnitsAndComments) {
  Written w(pendulum("-60 deg",
                     "<!-- hi --><input name=\"u\"/><force name=\"f\" type=\"joint_torque\" "
                     "joint=\"A\" value=\"u\"/>"));
  ASSERT_TRUE(w.result);
  EXPECT_NE(std::string::npos, w.result->find("<start position=\"-90 deg\" fixed=\"true\"/>"))
      << *w.result;
  EXPECT_NE(std::string::npos, w.result->find("<!-- hi -->"));
}

// Joints without <start> that assemble on the other branch get one.
TEST(TrimmedFile, AddsStartsWhereTheAssemblyWouldGoElsewhere) {
  const std::string text = R"(<mechanism name="Arm" gravity="0 -9.81 0">
    <body name="a"><point mass="1" xyz="0.5 0 0"/><frame name="e" xyz="0.5 0 0"/></body>
    <body name="b"><point mass="1" xyz="0.5 0 0"/></body>
    <joint name="A" type="revolute" parent="ground" child="a" axis="0 0 1"><start position="-80 deg"/></joint>
    <joint name="B" type="revolute" parent="a.e" child="b" axis="0 0 1"/>
    <force name="s" type="torsion_spring" joint="B" stiffness="9" angle="1"/></mechanism>)";
  Written w(text);
  ASSERT_TRUE(w.result);
  EXPECT_NE(std::string::npos, w.result->find("axis=\"0 0 1\">\n      <start position=\""))
      << *w.result;
  Analysed again(*w.result);
  EXPECT_TRUE(again.linear().is_equilibrium());
}

TEST(TrimmedFile, EveryExampleThatRestsStartsAtRest) {
  for (const char* name : {"bricard", "double_wishbone", "heavy_top", "spatial_loop", "towed_ship",
                           "welch_slider_crank", "four_bar"}) {
    Written w(example_text(name));
    if (!w.rest.found) {
      ADD_FAILURE() << name << ": " << w.rest.problems.all().back().message;
      continue;
    }
    ASSERT_TRUE(w.result) << name << ": " << w.rest.problems.all().back().message;
    Analysed again(*w.result);
    EXPECT_LT(again.linear().largest_acceleration, 1e-5) << name;
    EXPECT_EQ(0, again.linear().largest_velocity) << name;
  }
}

}  // namespace
}  // namespace mechfmu::testing
