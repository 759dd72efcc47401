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

// One step of the lower method of each pair, whose error the estimate is about, for
// theta'' = -w2 sin(theta + phase): written down anew here, from the published tables.
using State = Eigen::Vector2d;
constexpr double kFrequency = 98.1 * 0.5 / (0.1 + 0.25);

State rate_of(const State& y) { return {y(1), -kFrequency * std::cos(y(0))}; }

State explicit_step(const std::vector<std::vector<double>>& a, const std::vector<double>& weights,
                    double h, const State& y) {
  std::vector<State> k;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    State stage = y;
    for (std::size_t j = 0; j < k.size(); ++j) stage += h * a[i][j] * k[j];
    k.push_back(rate_of(stage));
  }
  State end = y;
  for (std::size_t i = 0; i < k.size(); ++i) end += h * weights[i] * k[i];
  return end;
}
State classical_step(double h, const State& y) {
  return explicit_step({{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1 / 6., 1 / 3., 1 / 3., 1 / 6.}, h, y);
}
State lower_end(const std::string& id, double h, const State& y) {
  if (id == "rk4_doubling") return classical_step(h / 2, classical_step(h / 2, y));
  if (id == "rkf23")
    return explicit_step({{}, {0.25}, {-189 / 800., 729 / 800.}, {214 / 891., 1 / 33., 650 / 891.}},
                         {214 / 891., 1 / 33., 650 / 891., 0}, h, y);
  if (id == "dopri5")
    return explicit_step(
        {{},
         {0.2},
         {3 / 40., 9 / 40.},
         {44 / 45., -56 / 15., 32 / 9.},
         {19372 / 6561., -25360 / 2187., 64448 / 6561., -212 / 729.},
         {9017 / 3168., -355 / 33., 46732 / 5247., 49 / 176., -5103 / 18656.},
         {35 / 384., 0, 500 / 1113., 125 / 192., -2187 / 6784., 11 / 84.}},
        {5179 / 57600., 0, 7571 / 16695., 393 / 640., -92097 / 339200., 187 / 2100., 1 / 40.}, h,
        y);
  if (id == "cash_karp")
    return explicit_step({{},
                          {0.2},
                          {3 / 40., 9 / 40.},
                          {0.3, -0.9, 1.2},
                          {-11 / 54., 2.5, -70 / 27., 35 / 27.},
                          {1631 / 55296., 175 / 512., 575 / 13824., 44275 / 110592., 253 / 4096.}},
                         {2825 / 27648., 0, 18575 / 48384., 13525 / 55296., 277 / 14336., 0.25}, h,
                         y);
  if (id != "rosenbrock") throw std::runtime_error("no lower method for " + id);
  // Rodas3: (1/(h/2) - F_y) k_i = F(y + sum a k) + sum c k / h; the second-order end is y + 2 k1 +
  // k3
  Eigen::Matrix2d derivative;
  derivative << 0, 1, kFrequency * std::sin(y(0)), 0;
  const Eigen::Matrix2d matrix = Eigen::Matrix2d::Identity() * 2 / h - derivative;
  const auto solve = [&](const State& side) -> State { return matrix.partialPivLu().solve(side); };
  const State k1 = solve(rate_of(y));
  const State k2 = solve(rate_of(y) + 4 / h * k1);
  const State k3 = solve(rate_of(y + 2 * k1) + (k1 - k2) / h);
  return y + 2 * k1 + k3;
}

// Over a whole motion, at the step that the tolerance asks for at its beginning: at a single point
// an estimate, or the error itself, may happen to vanish.
TEST_P(Adaptive, LocalErrorEstimateIsNearTheTrueLocalError) {
  const std::string id(GetParam()->id);
  for (const double tolerance : {1e-6, 1e-8}) {
    const auto run = make_run(id, 1e-3);
    run->set("solver.tolerance", tolerance);
    run->initialize();
    double h = 1e-2;
    for (int i = 0; i < 20; ++i) {
      double error = 0;
      ASSERT_TRUE(run->simulation().estimate_error(h, error));
      h *= std::clamp(std::pow(error, -1.0 / GetParam()->order), 0.5, 2.0);
    }
    double estimates = 0, errors = 0;
    for (int i = 0; i < 40; ++i) {
      const State y(run->simulation().position()[0], run->simulation().velocity()[0]);
      double error = 0;
      ASSERT_TRUE(run->simulation().estimate_error(h, error));
      State exact = y;
      for (int k = 0; k < 1000; ++k) exact = classical_step(h / 1000, exact);
      const State off = lower_end(id, h, y) - exact;
      double scaled = 0;
      for (int k = 0; k < 2; ++k) {
        const double size = 1 + std::max(std::fabs(y(k)), std::fabs(exact(k)));
        scaled = std::max(scaled, std::fabs(off(k)) / size);
      }
      estimates += std::pow(error * tolerance, 2);
      errors += scaled * scaled;
      run->advance(0.03);
    }
    EXPECT_GT(std::sqrt(estimates / errors), 0.1) << tolerance << " " << h;
    EXPECT_LT(std::sqrt(estimates / errors), tol(10)) << tolerance << " " << h;
  }
}

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
