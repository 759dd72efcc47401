// Convergence order is a property of scheme and integrator together: halve the step twice, measure
// the slope.
#include <array>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

struct OrderCase {
  const char* example;
  const char* output;
  const char* coordinates;
  const char* scheme;  // NAME or NAME with gains
  const char* integrator;
  double order;  // of theory
  double step;   // coarsest [s]
};

void PrintTo(const OrderCase& c, std::ostream* out) {
  *out << c.example << " " << c.coordinates << " " << c.scheme << " " << c.integrator;
}

// The output at the communication points: a norm over many of them has no accidental zeros.
std::vector<double> trajectory(const OrderCase& c, double step) {
  SystemOptions options;
  options.integrator = c.integrator;
  options.coordinates = c.coordinates;
  options.step = step;
  options.scheme = SchemeChoice{c.scheme, {}, {}};
  if (options.scheme->name == "baumgarte")
    options.scheme->parameters = {{"alpha", "20"}, {"beta", "20"}};
  MechanismRun run(example_text(c.example), options);
  run.initialize();
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) {
    run.advance(0.032);
    values.push_back(run.get(c.output));
  }
  return values;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

class Order : public ::testing::TestWithParam<OrderCase> {};

// Reference: the order of the integrator's tableau. Stabilised constraints have the exact solution
// as their solution, and a projection moves a state by its local error at most, so no scheme here
// may lower it.
TEST_P(Order, IsThatOfTheIntegrator) {
  const OrderCase& c = GetParam();
  std::array<std::vector<double>, 3> x;
  for (std::size_t i = 0; i < 3; ++i) x[i] = trajectory(c, c.step / (1 << i));
  const double coarse = distance(x[0], x[1]), fine = distance(x[1], x[2]);
  EXPECT_NEAR(std::log2(coarse / fine), c.order, tol(0.1)) << coarse << " " << fine;
}

INSTANTIATE_TEST_SUITE_P(
    All, Order,
    ::testing::Values(
        OrderCase{"four_bar", "crank_angle", "joint", "projection", "rk4", 4, 0.002},
        OrderCase{"four_bar", "crank_angle", "joint", "projection", "heun", 2, 0.002},
        OrderCase{"four_bar", "crank_angle", "joint", "projection", "euler", 1, 0.0005},
        OrderCase{"four_bar", "crank_angle", "absolute", "projection", "rk4", 4, 0.002},
        OrderCase{"four_bar", "crank_angle", "joint", "baumgarte", "rk4", 4, 0.002},
        OrderCase{"four_bar", "crank_angle", "joint", "baumgarte", "heun", 2, 0.002},
        OrderCase{"four_bar", "crank_angle", "joint", "none", "rk4", 4, 0.002},
        OrderCase{"spatial_loop", "crank_angle", "joint", "projection", "rk4", 4, 0.004},
        OrderCase{"spatial_loop", "crank_angle", "absolute", "projection", "heun", 2, 0.001},
        OrderCase{"heavy_top", "x", "joint", "projection", "rk4", 4, 0.00025},
        OrderCase{"heavy_top", "x", "absolute", "projection", "rk4", 4, 0.00025}));

// Reference: constraints on accelerations alone drift, Baumgarte bounds the drift, projection
// removes it.
TEST(Drift, IsGoneWithProjectionBoundedWithBaumgarteAndGrowsWithNone) {
  const auto residual = [](const char* scheme, double until) {
    SystemOptions options;
    options.scheme = SchemeChoice{scheme, {}, {}};
    options.integrator = "heun";
    options.step = 2e-3;
    MechanismRun run(example_text("slider_crank"), options);
    run.initialize();
    double largest = 0;
    for (int i = 0; i * 0.02 < until; ++i) {
      run.advance(0.02);
      largest = std::max(largest, run.get("constraint.residual"));
    }
    return largest;
  };
  EXPECT_LT(residual("projection", 4), 1e-11);
  const double early = residual("none", 1);
  EXPECT_GT(residual("none", 4), 3 * early);
  EXPECT_GT(early, 1e-7);
  EXPECT_LT(residual("baumgarte", 4), 0.1 * residual("none", 4));
}

}  // namespace
}  // namespace mechfmu::testing
