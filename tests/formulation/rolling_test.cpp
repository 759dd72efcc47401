// Wheels, balls and blades against the definition of no slip, from the sensors of the two frames:
// the material points of both bodies that touch have the same velocity along the plane (for a
// blade: across it). At any velocity, not only those that the constraint allows.
#include <gtest/gtest.h>

#include <random>

#include "formulation/newton.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::VectorXd;

const Vector3d kNormal = Vector3d(1, 2, -0.5).normalized();  // in base.p
const Vector3d kAxis = Vector3d(-0.3, 1, 0.8).normalized();  // in link.c
constexpr double kRadius = 0.3;

class NoSlip : public ::testing::TestWithParam<std::tuple<std::string, const char*>> {
 protected:
  NoSlip() : run_(with_probes(text(), sensors()), options()) { run_.initialize(); }
  static const std::string& id() { return std::get<0>(GetParam()); }
  static std::string text() { return joint_mechanism(std::get<0>(GetParam()), Arrangement::cut); }
  static SystemOptions options() {
    SystemOptions result;
    result.coordinates = std::get<1>(GetParam());
    return result;
  }
  static std::vector<std::string> sensors() {
    std::vector<std::string> list;
    for (const char* frame : {"base.p", "link.c"}) add_frame_sensors(list, frame);
    return list;
  }
  // From the centre to the point that touches, in world axes.
  Vector3d lever() {
    const Vector3d n = rotation(run_, "base.p") * kNormal;
    const Vector3d a = rotation(run_, "link.c") * kAxis;
    if (id() == "rolling_ball") return -kRadius * n;
    if (id() == "blade") return Vector3d::Zero();
    return -kRadius * (n - n.dot(a) * a).normalized();
  }
  Vector3d slip() {
    const Vector3d r = lever();
    const Vector3d point = vector(run_, "link.c.position") + r;
    return vector(run_, "link.c.velocity") + vector(run_, "link.c.angular_velocity").cross(r) -
           vector(run_, "base.p.velocity") -
           vector(run_, "base.p.angular_velocity").cross(point - vector(run_, "base.p.position"));
  }
  VectorXd rates(const VectorXd& v) {
    runtime::Simulation& s = run_.simulation();
    s.system().evaluate_kinematics(0, s.position(), v.data());
    VectorXd all(s.system().nc), rolling(0);
    s.system().residual_rate(v.data(), all.data());
    for (int i = 0; i < all.size(); ++i)
      if (s.model().row_level[i] == runtime::RowLevel::velocity) {
        rolling.conservativeResize(rolling.size() + 1);
        rolling(rolling.size() - 1) = all(i);
      }
    return rolling;
  }
  MechanismRun run_;
};

TEST_P(NoSlip, RowsAreTheSlipVelocity) {
  runtime::Simulation& s = run_.simulation();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (int k = 0; k < 5; ++k) {
    VectorXd v(s.system().nv);
    for (double& x : v) x = uniform(random);
    Eigen::Map<VectorXd>(s.velocity(), v.size()) = v;
    s.mark_moved();
    const Vector3d n = rotation(run_, "base.p") * kNormal;
    const Vector3d velocity = slip();
    const VectorXd rows = rates(v);
    if (id() == "blade") {
      const Vector3d side = n.cross(rotation(run_, "link.c") * kAxis);
      ASSERT_EQ(rows.size(), 1);
      EXPECT_NEAR(rows(0), side.dot(velocity), tol(1e-12));
    } else {
      // along two directions in the plane that are square to each other
      ASSERT_EQ(rows.size(), 2);
      EXPECT_NEAR(rows.norm(), (velocity - n.dot(velocity) * n).norm(), tol(1e-12));
    }
    EXPECT_GT(rows.norm(), 1e-3);
  }
}

TEST_P(NoSlip, StartsInTouchAndWithoutSlip) {
  const Vector3d n = rotation(run_, "base.p") * kNormal;
  if (id() != "blade") {
    const Vector3d contact =
        vector(run_, "link.c.position") + lever() - vector(run_, "base.p.position");
    EXPECT_NEAR(n.dot(contact), 0, tol(1e-9));
    EXPECT_LE(slip().norm(), tol(1e-9));  // the normal part follows from the touch
  } else {
    EXPECT_NEAR(n.cross(rotation(run_, "link.c") * kAxis).dot(slip()), 0, tol(1e-9));
  }
}

TEST_P(NoSlip, CountsInMobilityAndRank) {
  const Analysis& analysis = run_.system().analysis;
  EXPECT_EQ(analysis.mobility, 12 - (id() == "blade" ? 1 : 3));
  EXPECT_EQ(analysis.nonholonomic, id() == "blade" ? 1 : 2);
}

INSTANTIATE_TEST_SUITE_P(EveryType, NoSlip,
                         ::testing::Combine(::testing::Values("rolling_disc", "rolling_ball",
                                                              "blade"),
                                            ::testing::Values("joint", "absolute")));

}  // namespace
}  // namespace mechfmu::testing
