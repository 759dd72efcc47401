// Model exchange against co-simulation on every example: the states are integrated here, by Dormand
// and Prince's method with a tolerance of 1e-9, as a host would; co-simulation by rk4 with
// projection at the file's step.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::VectorXd;

// A host with an adaptive integrator.
class Driver {
 public:
  explicit Driver(runtime::Simulation& simulation)
      : simulation_(simulation), n_(simulation.model().n_states()) {
    simulation.begin_exchange();
  }

  void advance(double end, double tolerance) {
    double t = simulation_.time();
    double h = 1e-3 * (end - t);
    VectorXd x(n_);
    simulation_.get_states(x.data());
    while (t < end) {
      const bool last = t + h * (1 + 1e-9) >= end;
      const double step = last ? end - t : h;
      double error = 0;
      const VectorXd next = attempt(t, step, x, tolerance, error);
      const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 4.0);
      if (!(error <= 1)) {
        h = step * std::min(factor, 0.5);
        ASSERT_GT(h, 1e-12);
        continue;
      }
      t = last ? end : t + step;
      x = next;
      simulation_.set_time(t);
      simulation_.set_states(x.data());
      if (simulation_.complete_host_step(100 * tolerance)) {
        ++projections;
        ASSERT_TRUE(simulation_.project()) << simulation_.failure();
        simulation_.get_states(x.data());
      }
      if (!last) h = step * factor;
    }
  }
  int projections = 0;

 private:
  VectorXd rates(double t, const VectorXd& x) {
    VectorXd k(n_);
    simulation_.set_time(t);
    simulation_.set_states(x.data());
    EXPECT_TRUE(simulation_.calc_state_rates(k.data())) << simulation_.failure();
    return k;
  }
  VectorXd attempt(double t, double h, const VectorXd& x, double tolerance, double& error) {
    const VectorXd k1 = rates(t, x), k2 = rates(t + h / 5, x + h * (k1 / 5)),
                   k3 = rates(t + h * 3 / 10, x + h * (k1 * 3 / 40 + k2 * 9 / 40)),
                   k4 = rates(t + h * 4 / 5, x + h * (k1 * 44 / 45 - k2 * 56 / 15 + k3 * 32 / 9)),
                   k5 = rates(t + h * 8 / 9, x + h * (k1 * 19372 / 6561 - k2 * 25360 / 2187 +
                                                      k3 * 64448 / 6561 - k4 * 212 / 729)),
                   k6 = rates(t + h, x + h * (k1 * 9017 / 3168 - k2 * 355 / 33 + k3 * 46732 / 5247 +
                                              k4 * 49 / 176 - k5 * 5103 / 18656));
    const VectorXd end = x + h * (k1 * 35 / 384 + k3 * 500 / 1113 + k4 * 125 / 192 -
                                  k5 * 2187 / 6784 + k6 * 11 / 84);
    const VectorXd k7 = rates(t + h, end);
    const VectorXd off = h * (k1 * 71 / 57600 - k3 * 71 / 16695 + k4 * 71 / 1920 -
                              k5 * 17253 / 339200 + k6 * 22 / 525 - k7 / 40);
    error = 0;
    for (int i = 0; i < n_; ++i)
      error = std::max(error, std::fabs(off(i)) / (tolerance * (1 + std::fabs(end(i)))));
    return end;
  }
  runtime::Simulation& simulation_;
  int n_;
};

class ModelExchange : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(ModelExchange, AgreesWithCoSimulation) {
  const auto& [name, coordinates] = GetParam();
  const std::string text = example_text(name);
  SystemOptions options;
  if (text.find("<equations") == std::string::npos) options.coordinates = coordinates;
  std::string errors;
  if (!make_test_system(text, options, errors)) GTEST_SKIP() << "no inertia in these coordinates";
  MechanismRun co(text, options), exchange(text, options);
  const double end = std::min(1.0, co.system().experiment.stop);
  // the top spins at 150 rad/s
  co.set("solver.step", name == "heavy_top" ? 2e-5 : std::min(5e-4, end / 2000));
  co.initialize();
  exchange.initialize();
  Driver driver(exchange.simulation());
  co.advance(end);
  driver.advance(end, 1e-9);
  if (HasFatalFailure()) return;
  for (const InterfaceVariable& v : co.system().interface.variables) {
    if (v.causality != Causality::output || v.needs_acceleration) continue;
    if (v.name.find("error") != std::string::npos) continue;
    EXPECT_NEAR(exchange.get(v.name), co.get(v.name), tol(1e-6) * (1 + std::fabs(co.get(v.name))))
        << v.name;
  }
  EXPECT_LT(exchange.get("constraint.residual"), tol(1e-6));
}

INSTANTIATE_TEST_SUITE_P(Examples, ModelExchange,
                         ::testing::Combine(::testing::ValuesIn(example_names()),
                                            ::testing::Values("joint", "absolute")),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

// An input that a drive follows goes through its filter, whose numbers are states: the response of
// the filter to a step of the input, (1 + w s + (w s)^2 / 2) exp(-w s) of it missing at time s.
TEST(ModelExchangeInput, IsFollowedThroughTheFilter) {
  MechanismRun run(
      R"xml(<mechanism name="D"><body name="b"><inertial mass="1" inertia="1 1 1"/></body>
    <joint name="A" type="prismatic" parent="ground" child="b" axis="1 0 0"/>
    <input name="u" filter="0.3"/><drive name="d" joint="A" position="u"/>
    <output name="x" value="A.position"/></mechanism>)xml");
  run.initialize();
  Driver driver(run.simulation());
  run.set("u", 2);
  driver.advance(0.2, 1e-10);
  const double s = 0.2 * 3 / 0.3;
  EXPECT_NEAR(run.get("x"), 2 * (1 - std::exp(-s) * (1 + s + s * s / 2)), tol(1e-7));
}

}  // namespace
}  // namespace mechfmu::testing
