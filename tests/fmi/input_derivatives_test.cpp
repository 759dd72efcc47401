// fmi2SetRealInputDerivatives: the input becomes a polynomial in the coming step.
#include <cmath>
#include <limits>
#include <vector>

#include "fmi/host.hpp"

namespace mechfmu::test {
namespace {

double force_at(double t) { return 3 * std::sin(3 * t); }

fmi2Status set_derivative(Host& host, int order, double value) {
  const fmi2ValueReference reference = kForce;
  return fmi2SetRealInputDerivatives(host, &reference, 1, &order, &value);
}

// x at t = 1 with the force set at each communication point, with derivatives up to `order`.
double run(double h, int order) {
  Host host;
  host.initialize();
  const int steps = static_cast<int>(std::lround(1 / h));
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    EXPECT_EQ(fmi2OK, host.set(kForce, force_at(t)));
    const double derivatives[] = {9 * std::cos(3 * t), -27 * std::sin(3 * t)};
    for (int k = 1; k <= order; ++k) EXPECT_EQ(fmi2OK, set_derivative(host, k, derivatives[k - 1]));
    EXPECT_EQ(fmi2OK, fmi2DoStep(host, t, h, fmi2True)) << host.last_text();
  }
  return host.get(kX);
}

// Reference: the same with steps of 0.1 ms and two derivatives, whose error is below 1e-11. A held
// force errs by h, each derivative gains an order.
TEST(InputDerivatives, RaiseTheOrderByOneEach) {
  const double exact = run(1e-4, 2);
  for (const int order : {0, 1, 2}) {
    const double coarse = std::fabs(run(0.005, order) - exact);
    const double fine = std::fabs(run(0.0025, order) - exact);
    EXPECT_NEAR(order + 1, std::log2(coarse / fine), 0.15) << "order " << order;
  }
}

TEST(InputDerivatives, AreForOneStepAndEndWithTheNextValue) {
  Host with, without;
  with.initialize();
  without.initialize();
  ASSERT_EQ(fmi2OK, with.set(kForce, 1));
  ASSERT_EQ(fmi2OK, without.set(kForce, 1));
  ASSERT_EQ(fmi2OK, set_derivative(with, 1, 0));
  ASSERT_EQ(fmi2OK, fmi2DoStep(with, 0, 0.1, fmi2True));
  ASSERT_EQ(fmi2OK, fmi2DoStep(without, 0, 0.1, fmi2True));
  EXPECT_TRUE(same_bits(with.get_all(), without.get_all()));  // a slope of zero is a held value
  ASSERT_EQ(fmi2OK, set_derivative(with, 1, 20));
  ASSERT_EQ(fmi2OK, fmi2DoStep(with, 0.1, 0.1, fmi2True));
  ASSERT_EQ(fmi2OK, fmi2DoStep(without, 0.1, 0.1, fmi2True));
  EXPECT_GT(std::fabs(with.get(kVx) - without.get(kVx)), 1e-3);
  EXPECT_EQ(1, with.get(kForce));  // what was set is what is read
  // outputs at the communication point see the end of the ramp until the host sets a value
  const double ramped = with.get(kAx);
  ASSERT_EQ(fmi2OK, with.set(kForce, 1));
  EXPECT_GT(std::fabs(ramped - with.get(kAx)), 0.5);
}

TEST(InputDerivatives, ArePartOfTheState) {
  Host host;
  host.initialize();
  ASSERT_EQ(fmi2OK, host.set(kForce, 1));
  ASSERT_EQ(fmi2OK, set_derivative(host, 1, 30));
  ASSERT_EQ(fmi2OK, set_derivative(host, 2, -100));
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2OK, fmi2GetFMUstate(host, &state));
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0, 0.1, fmi2True));
  const std::vector<double> first = host.get_all();
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0.1, 0.1, fmi2True));
  ASSERT_EQ(fmi2OK, fmi2SetFMUstate(host, state));
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0, 0.1, fmi2True));
  EXPECT_TRUE(same_bits(first, host.get_all()));
  ASSERT_EQ(fmi2OK, fmi2FreeFMUstate(host, &state));
}

TEST(InputDerivatives, OfHigherOrderAreAcceptedAndNotUsed) {
  Host host;
  host.initialize();
  const std::string before = host.fingerprint();
  EXPECT_EQ(fmi2OK, set_derivative(host, 3, 1e6));
  EXPECT_EQ(before, host.fingerprint());
  EXPECT_EQ(fmi2OK, fmi2SetRealInputDerivatives(host, nullptr, 0, nullptr, nullptr));
}

TEST(InputDerivatives, ThatMakeNoSenseAreRefusedAndChangeNothing) {
  Host host;
  host.initialize();
  const std::string before = host.fingerprint();
  const double one = 1;
  const int first = 1;
  const fmi2ValueReference input = kForce, output = kX, nothing = 12345;
  EXPECT_EQ(fmi2Error, set_derivative(host, 0, 1));
  EXPECT_NE(std::string::npos, host.last_text().find("order 0")) << host.last_text();
  EXPECT_EQ(fmi2Error, set_derivative(host, -1, 1));
  EXPECT_EQ(fmi2Error, fmi2SetRealInputDerivatives(host, &output, 1, &first, &one));
  EXPECT_NE(std::string::npos, host.last_text().find("'x' is not an input")) << host.last_text();
  EXPECT_EQ(fmi2Error, fmi2SetRealInputDerivatives(host, &nothing, 1, &first, &one));
  EXPECT_EQ(fmi2Error, fmi2SetRealInputDerivatives(host, &input, 1, nullptr, &one));
  EXPECT_EQ(fmi2Error, fmi2SetRealInputDerivatives(host, nullptr, 1, &first, &one));
  EXPECT_EQ(fmi2Discard, set_derivative(host, 1, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(fmi2Discard, set_derivative(host, 2, std::numeric_limits<double>::infinity()));
  EXPECT_EQ(before, host.fingerprint());
}

}  // namespace
}  // namespace mechfmu::test
