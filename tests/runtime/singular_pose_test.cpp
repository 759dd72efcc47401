// Poses where the constraints lose rank, and constraints that are redundant everywhere: neither may
// stop a mechanism or bend its motion.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdio>
#include <string>

#include "formulation/four_bar_text.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

class SingularPose : public ::testing::TestWithParam<const char*> {
 protected:
  static SystemOptions options() {
    SystemOptions result;
    result.coordinates = GetParam();
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(Formulations, SingularPose,
                         ::testing::Values("joint", "absolute", "absolute_spatial"));

FourBarText parallelogram() {
  FourBarText text;
  text.crank = text.coupler = text.rocker = text.base = "1";
  text.start_a = R"(<start position="0" velocity="2" fixed="true"/>)";
  text.start_b = R"(<start position="0" velocity="-2" fixed="true"/>)";
  text.start_d = R"(<start position="0" velocity="2" fixed="true"/>)";
  return text;
}

// Started folded, the velocities say that it is a parallelogram: both cranks stay parallel, the
// coupler horizontal. Bound: the crank then is a pendulum with M = 2 I_pin + m_coupler l^2 and the
// weight of 2 m/2 + m at l:
//     (2 (0.002 + 0.5/4) + 0.5) a'' = -(0.5 + 0.5) 9.81 cos(a)
double crank_angle(double t) {
  const double inertia = 2 * (2e-3 + 0.5 / 4) + 0.5, k = 9.81 / inertia;
  double a = 0, v = 2;
  const int n = 20000;
  const double h = t / n;
  for (int i = 0; i < n; ++i) {  // RK4 on one equation, error 1e-14
    const auto f = [&](double x) { return -k * std::cos(x); };
    const double v1 = v, a1 = f(a), v2 = v + h / 2 * a1, a2 = f(a + h / 2 * v1),
                 v3 = v + h / 2 * a2, a3 = f(a + h / 2 * v2), v4 = v + h * a3, a4 = f(a + h * v3);
    a += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return a;
}

TEST_P(SingularPose, CanBeAStart) {
  MechanismRun run(parallelogram().text(), options());
  run.initialize();
  EXPECT_EQ(run.system().analysis.mobility_at_start, 2);
  run.advance(0.4);
  EXPECT_NEAR(run.get("A.position"), crank_angle(0.4), tol(1e-7));
  EXPECT_NEAR(run.get("D.position"), run.get("A.position"), tol(1e-7));
  EXPECT_NEAR(run.get("A.position") + run.get("B.position"), 0, tol(1e-7));
}

// It falls through the folded pose again and again (period about 1.5 s).
TEST_P(SingularPose, IsPassedMidWay) {
  FourBarText text = parallelogram();
  text.start_a = R"(<start position="60 deg" velocity="0" fixed="true"/>)";
  text.start_b = R"(<start position="-60 deg"/>)";
  text.start_d = R"(<start position="60 deg"/>)";
  MechanismRun run(text.text(), options());
  run.initialize();
  const double energy = run.get("energy.total");
  for (int i = 0; i < 40; ++i) {
    run.advance(0.1);
    ASSERT_FALSE(HasFailure());
    EXPECT_NEAR(run.get("A.position"), run.get("D.position"), tol(1e-7)) << i;
    EXPECT_NEAR(run.get("energy.total"), energy, tol(1e-6)) << i;
  }
  EXPECT_LT(run.get("A.position"), 60 * M_PI / 180);  // it did move
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

std::string triple(const Eigen::Vector3d& v) {
  return number(v[0]) + " " + number(v[1]) + " " + number(v[2]);
}

// The four-bar in the plane with the normal (1 1 1): nothing folds away by exact zeros any more,
// three closure equations are redundant up to rounding. It must move as it does in the plane z = 0.
TEST_P(SingularPose, IsNoneInARedundantLoopInASkewPlane) {
  const double pitch = std::atan(std::sqrt(2.0)), yaw = M_PI / 4;
  const Eigen::Matrix3d R = (Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) *
                             Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()))
                                .toRotationMatrix();
  ASSERT_LE((R.col(2) - Eigen::Vector3d::Ones().normalized()).norm(), 1e-15);
  const std::string rpy = triple({0, pitch, yaw});
  std::string skew = FourBarText().text();
  const auto replace = [&](const std::string& old, const std::string& with) {
    ASSERT_NE(skew.find(old), std::string::npos) << old;
    skew.replace(skew.find(old), old.size(), with);
  };
  replace(R"(gravity="0 -9.81 0")", "gravity=\"" + triple(-9.81 * R.col(1)) + "\"");
  replace(R"(<frame name="D" xyz="base 0 0"/>)",
          "<frame name=\"P\" rpy=\"" + rpy + "\"/><frame name=\"D\" xyz=\"" +
              triple(0.3 * R.col(0)) + "\" rpy=\"" + rpy + "\"/>");
  replace(R"(parent="ground" child="crank_link")", R"(parent="ground.P" child="crank_link")");
  MechanismRun run(skew, options()), flat(FourBarText().text(), options());
  EXPECT_EQ(run.system().analysis.mobility, 1);
  run.initialize();
  flat.initialize();
  for (int i = 0; i < 20; ++i) {
    run.advance(0.1);
    flat.advance(0.1);
    ASSERT_FALSE(HasFailure());
    // the same RK4 on the same motion, in other coordinates: its own error is 1e-8
    EXPECT_NEAR(run.get("A.position"), flat.get("A.position"), tol(1e-6)) << i;
  }
  EXPECT_GT(std::fabs(run.get("A.position") - M_PI / 3), 0.1);  // it did move
}

}  // namespace
}  // namespace mechfmu::testing
