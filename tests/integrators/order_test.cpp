// Every integrator on a compound pendulum: its order by halving the step, or, where it chooses the
// step itself, how error and tolerance go together. Reference: rk4 with steps of 20 us, whose error
// is below 1e-12.
#include <Eigen/Dense>
#include <cmath>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

constexpr const char* kPendulum = R"xml(<mechanism name="P" gravity="0 -98.1 0">
  <body name="b"><inertial mass="1" com="0.5 0 0" inertia="0.1 0.1 0.1"/></body>
  <joint name="A" type="revolute" parent="ground" child="b"><start position="0.3" velocity="1" fixed="true"/></joint>
</mechanism>)xml";

std::unique_ptr<MechanismRun> make_run(const std::string& integrator, double step) {
  SystemOptions options;
  options.integrator = integrator;
  options.step = step;
  return std::make_unique<MechanismRun>(kPendulum, options);
}

// The angle at ten times: at a single one the leading error may happen to vanish.
Eigen::VectorXd motion_of(MechanismRun& run) {
  Eigen::VectorXd angles(10);
  run.initialize();
  for (double& angle : angles) {
    run.advance(0.1);
    angle = run.get("A.position");
  }
  return angles;
}

const Eigen::VectorXd& exact() {
  static const Eigen::VectorXd motion = motion_of(*make_run("rk4", 2e-5));
  return motion;
}

double error_of(MechanismRun& run) { return (motion_of(run) - exact()).norm(); }

std::vector<const IntegratorType*> integrators(bool adaptive) {
  std::vector<const IntegratorType*> list;
  for (const IntegratorType& type : integrator_types())
    if (type.is_adaptive() == adaptive) list.push_back(&type);
  return list;
}
std::string name_of(const ::testing::TestParamInfo<const IntegratorType*>& info) {
  return std::string(info.param->id);
}

class FixedStep : public ::testing::TestWithParam<const IntegratorType*> {};

TEST_P(FixedStep, HasItsOrder) {
  const IntegratorType& type = *GetParam();
  // fine enough for the leading term, coarse enough for rounding
  const double coarse = type.order >= 5 ? 2e-3 : type.order == 4 ? 5e-4 : 2e-4;
  const double e1 = error_of(*make_run(std::string(type.id), coarse));
  const double e2 = error_of(*make_run(std::string(type.id), coarse / 2));
  EXPECT_NEAR(std::log2(e1 / e2), type.order, tol(0.1)) << e1 << " " << e2;
}
INSTANTIATE_TEST_SUITE_P(All, FixedStep, ::testing::ValuesIn(integrators(false)), name_of);

class Adaptive : public ::testing::TestWithParam<const IntegratorType*> {};

TEST_P(Adaptive, ErrorFollowsTheTolerance) {
  const IntegratorType& type = *GetParam();
  const double tolerances[] = {1e-5, 1e-7, 1e-9};
  double errors[3];
  for (int k = 0; k < 3; ++k) {
    const auto run = make_run(std::string(type.id), 1e-2);
    run->set("solver.tolerance", tolerances[k]);
    errors[k] = error_of(*run);
  }
  const double slope = std::log(errors[0] / errors[2]) / std::log(tolerances[0] / tolerances[2]);
  const double p = type.order;
  EXPECT_GE(slope, 0.8 * p / (p + 1)) << errors[0] << " " << errors[2];
  EXPECT_LE(slope, 1.2) << errors[0] << " " << errors[2];
}

// The last step of a communication step is cut, the proposal is not: many short communication steps
// take hardly more work than few long ones would ask for, and end on the same motion.
TEST_P(Adaptive, CommunicationPointsCostLittle) {
  const auto once = make_run(std::string(GetParam()->id), 1e-2);
  const auto often = make_run(std::string(GetParam()->id), 1e-2);
  once->set("solver.tolerance", 1e-8);
  often->set("solver.tolerance", 1e-8);
  once->initialize();
  once->advance(1);
  often->initialize();
  for (int i = 0; i < 10; ++i) often->advance(0.1);
  EXPECT_LE(often->get("solver.steps"), once->get("solver.steps") + 12);
  EXPECT_NEAR(often->get("A.position"), once->get("A.position"), tol(1e-4));
}
INSTANTIATE_TEST_SUITE_P(All, Adaptive, ::testing::ValuesIn(integrators(true)), name_of);

// A mass on a spring of 1e8 N/m with strong damping, pushed slowly: stiff by a factor of 1e5.
// Reference: the quasi-static motion x = F / k. Explicit methods need steps of microseconds; this
// one does not.
TEST(Rosenbrock, TakesLongStepsWhereSpringsAreStiff) {
  const char* stiff =
      R"xml(<equations name="S"><coordinate name="x" mass="1"/><coordinate name="y" mass="1"/>
    <force on="x" value="-1e8*x - 2e5*der(x) + 1e3*sin(time)"/> <force on="y" value="-y"/></equations>)xml";
  SystemOptions options;
  options.integrator = "rosenbrock";
  options.step = 1e-3;
  MechanismRun run(stiff, options);
  run.set("solver.tolerance", 1e-7);
  run.set("start.y", 1);
  run.initialize();
  run.advance(10);
  EXPECT_NEAR(run.get("x"), 1e-5 * std::sin(10.0), tol(1e-7));
  EXPECT_NEAR(run.get("y"), std::cos(10.0), tol(1e-4));
  EXPECT_LT(run.get("solver.steps"), 2000);
}

// Constrained, with moving bodies in space: the exact Jacobian keeps the order. Reference: rk4.
TEST(Rosenbrock, ErrorFollowsTheToleranceOnASpatialLoop) {
  const auto end = [](const std::string& integrator, double step, double tolerance) {
    SystemOptions options;
    options.integrator = integrator;
    options.step = step;
    options.coordinates = "absolute_spatial";
    MechanismRun run(read_project_file("resources/examples/spatial_loop/spatial_loop.xml"),
                     options);
    if (tolerance > 0) run.set("solver.tolerance", tolerance);
    run.initialize();
    run.advance(0.5);
    return run.get("A.position");
  };
  const double reference = end("rk4", 2e-4, 0);
  const double coarse = std::fabs(end("rosenbrock", 1e-3, 1e-5) - reference);
  const double fine = std::fabs(end("rosenbrock", 1e-3, 1e-8) - reference);
  EXPECT_LT(fine, tol(2e-5));
  EXPECT_GT(std::log10(coarse / fine) / 3, 0.55);
}

// The history of multistep methods belongs to a step length and to inputs: after a change they
// begin anew, and what is restored continues bit for bit.
TEST(Multistep, ContinuesFromARestoredState) {
  for (const char* id : {"ab4", "am4", "pece3"}) {
    const auto run = make_run(id, 1e-2);
    run->initialize();
    run->advance(0.1);
    std::vector<char> state(run->simulation().state_bytes());
    run->simulation().save(state.data());
    run->advance(0.1);
    const double first = run->get("A.position");
    run->advance(0.07);
    run->simulation().restore(state.data());
    run->advance(0.1);
    EXPECT_EQ(run->get("A.position"), first) << id;
  }
}

TEST(Multistep, BeginsAnewWithAnotherStep) {
  const auto even = make_run("ab4", 1e-2);
  even->initialize();
  for (const double h : {0.1, 0.093, 0.1, 0.107, 0.6}) even->advance(h);
  // as good as with even steps, whose error is 1e-3 here; a history of the wrong step costs far
  // more
  EXPECT_NEAR(even->get("A.position"), exact()(9), tol(3e-3));
}

}  // namespace
}  // namespace mechfmu::testing
