// What the graph derives from a joint's residuals, against finite differences: the Jacobian, the
// velocity terms, and the rates of the joint's coordinates. For every row of joints.def.
//
// Central differences with step h err by h^2/6 of the third derivative, which is of the size of the
// value here, and by rounding / h: with h = 1e-5 both are near 1e-10, and 1e-8 is far below any
// term that could be missing.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "formulation/joint_mechanisms.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::VectorXd;

constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-8;

TEST(JointMechanisms, HaveEveryType) {
  for (const JointType& type : joint_types())
    EXPECT_TRUE(joint_texts().count(type.id))
        << "joint '" << type.id << "' has no mechanism in joint_mechanisms.hpp";
  EXPECT_EQ(joint_texts().size(), joint_types().size());
}

SystemOptions in_coordinates(const std::string& coordinates) {
  SystemOptions options;
  options.coordinates = coordinates;
  return options;
}

class JointDerivatives : public ::testing::TestWithParam<std::tuple<std::string, const char*>> {
 protected:
  JointDerivatives() : run_(text(), in_coordinates(std::get<1>(GetParam()))) { run_.initialize(); }

  static std::string text() { return joint_mechanism(std::get<0>(GetParam()), Arrangement::cut); }
  runtime::System& system() { return run_.simulation().system(); }

  VectorXd random_vector(int n, double size) {
    VectorXd v(n);
    for (double& x : v) x = size * uniform_(random_);
    return v;
  }
  // A pose off the constraints: the derivatives must hold there too, that is where stages and
  // Newton steps are.
  VectorXd random_pose() {
    VectorXd q = Eigen::Map<const VectorXd>(run_.simulation().position(), system().nq);
    const VectorXd step = random_vector(system().nv, 0.3);
    system().move(q.data(), step.data());
    return q;
  }
  VectorXd moved(VectorXd q, const VectorXd& step) {
    system().move(q.data(), step.data());
    return q;
  }
  VectorXd phi(const VectorXd& q) {
    const VectorXd rest = VectorXd::Zero(system().nv);
    system().evaluate_kinematics(0, q.data(), rest.data());
    return Eigen::Map<const VectorXd>(system().phi(), system().nc);
  }
  VectorXd phi_dot(const VectorXd& q, const VectorXd& v) {
    system().evaluate_kinematics(0, q.data(), v.data());
    VectorXd rate(system().nc);
    system().residual_rate(v.data(), rate.data());
    return rate;
  }

  MechanismRun run_;
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST_P(JointDerivatives, JointHasTheRowsThatItsFreedomLeaves) {
  const std::string& id = std::get<0>(GetParam());
  int rows = 6 - find_joint_type(id)->freedom;
  if (is_coupling(id) && std::string(std::get<1>(GetParam())) == "absolute")
    rows += 6 - find_joint_type(coupled_joints().at(id).first)->freedom;
  EXPECT_EQ(system().nc, rows);
}

TEST_P(JointDerivatives, JacobianIsTheDerivativeOfTheResidual) {
  for (int pose = 0; pose < 5; ++pose) {
    const VectorXd q = random_pose();
    for (int j = 0; j < system().nv; ++j) {
      const VectorXd e = VectorXd::Unit(system().nv, j);
      VectorXd column = phi_dot(q, e);
      const VectorXd difference =
          (phi(moved(q, kStep * e)) - phi(moved(q, -kStep * e))) / (2 * kStep);
      // nonholonomic rows are the derivative of nothing; see rolling_test.cpp
      for (int i = 0; i < system().nc; ++i)
        if (run_.simulation().model().row_level[i] != runtime::RowLevel::position) column(i) = 0;
      EXPECT_LE((column - difference).lpNorm<Eigen::Infinity>(), tol(kTolerance))
          << "velocity " << j;
    }
  }
}

// At zero acceleration the second derivative of the residual is gamma; v in moving axes stays the
// same along the way.
TEST_P(JointDerivatives, GammaIsTheDerivativeOfTheRateAtConstantVelocity) {
  for (int pose = 0; pose < 5; ++pose) {
    const VectorXd q = random_pose();
    const VectorXd v = random_vector(system().nv, 1.5);
    system().evaluate_dynamics(0, q.data(), v.data());
    const VectorXd gamma = Eigen::Map<const VectorXd>(system().gamma(), system().nc);
    const VectorXd difference =
        (phi_dot(moved(q, kStep * v), v) - phi_dot(moved(q, -kStep * v), v)) / (2 * kStep);
    EXPECT_LE((gamma - difference).lpNorm<Eigen::Infinity>(), tol(10 * kTolerance));
  }
}

std::string derivative_name(
    const ::testing::TestParamInfo<std::tuple<std::string, const char*>>& info) {
  return std::get<0>(info.param) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(EveryType, JointDerivatives,
                         ::testing::Combine(::testing::ValuesIn(joint_ids()),
                                            ::testing::Values("joint", "absolute")),
                         derivative_name);

// Coordinates as users read them, along the true motion: from the state, accelerations included, h
// ahead and h back.
struct CoordinateCase {
  std::string id;
  Arrangement arrangement;
  std::string coordinates;
};
void PrintTo(const CoordinateCase& c, std::ostream* out) { *out << c.id; }

std::vector<CoordinateCase> coordinate_cases() {
  std::vector<CoordinateCase> list;
  for (const std::string& id : joint_ids())
    for (const Arrangement a : {Arrangement::tree, Arrangement::reversed_tree, Arrangement::cut})
      for (const char* coordinates : {"joint", "absolute"})
        if (applies(id, a) && !find_joint_type(id)->coordinates.empty())
          list.push_back({id, a, coordinates});
  return list;
}

class JointCoordinates : public ::testing::TestWithParam<CoordinateCase> {};

TEST_P(JointCoordinates, AreAtTheirStart) {
  const CoordinateCase& c = GetParam();
  MechanismRun run(joint_mechanism(c.id, c.arrangement), in_coordinates(c.coordinates));
  run.initialize();
  for (const Coordinate& row : find_joint_type(c.id)->coordinates) {
    const std::string name = "J." + std::string(row.name);
    const std::string rate = "J." + std::string(row.rate_name);
    ASSERT_NE(run.system().interface.find("start." + name), nullptr) << name;
    EXPECT_NEAR(run.get(name), *run.system().interface.find("start." + name)->start, tol(1e-10))
        << name;
    EXPECT_NEAR(run.get(rate), *run.system().interface.find("start." + rate)->start, tol(1e-10))
        << rate;
  }
}

TEST_P(JointCoordinates, HaveTheirDerivativesAsRateAndAcceleration) {
  const CoordinateCase& c = GetParam();
  std::vector<std::string> sensors;
  for (const Coordinate& row : find_joint_type(c.id)->coordinates) {
    std::string acceleration(row.rate_name);
    acceleration.replace(acceleration.find("velocity"), 8, "acceleration");
    for (const std::string& quantity :
         {std::string(row.name), std::string(row.rate_name), acceleration})
      sensors.push_back("J." + quantity);
  }
  MechanismRun run(with_probes(joint_mechanism(c.id, c.arrangement), sensors),
                   in_coordinates(c.coordinates));
  run.initialize();
  runtime::Simulation& simulation = run.simulation();
  const runtime::System& system = simulation.system();
  const auto read = [&] {
    std::vector<double> values;
    for (const std::string& sensor : sensors) values.push_back(run.get(probe(sensor)));
    return values;
  };
  const std::vector<double> here = read();
  const VectorXd q = Eigen::Map<const VectorXd>(simulation.position(), system.nq);
  const VectorXd v = Eigen::Map<const VectorXd>(simulation.velocity(), system.nv);
  const VectorXd a = Eigen::Map<const VectorXd>(simulation.acceleration(), system.nv);
  const auto read_after = [&](double h) {
    VectorXd there = q;
    const VectorXd step = h * v + h * h / 2 * a;
    system.move(there.data(), step.data());
    Eigen::Map<VectorXd>(simulation.position(), system.nq) = there;
    Eigen::Map<VectorXd>(simulation.velocity(), system.nv) = v + h * a;
    simulation.mark_moved();
    return read();
  };
  const std::vector<double> after = read_after(kStep), before = read_after(-kStep);
  for (std::size_t i = 0; i < sensors.size(); i += 3) {
    EXPECT_NEAR(here[i + 1], (after[i] - before[i]) / (2 * kStep), tol(kTolerance))
        << sensors[i + 1];
    EXPECT_NEAR(here[i + 2], (after[i + 1] - before[i + 1]) / (2 * kStep), tol(100 * kTolerance))
        << sensors[i + 2];
  }
}

std::string coordinate_name(const ::testing::TestParamInfo<CoordinateCase>& info) {
  return info.param.id + "_" + arrangement_name(info.param.arrangement) + "_" +
         info.param.coordinates;
}

INSTANTIATE_TEST_SUITE_P(EveryType, JointCoordinates, ::testing::ValuesIn(coordinate_cases()),
                         coordinate_name);

}  // namespace
}  // namespace mechfmu::testing
