// fmi2DoStep: clocks, step sizes, the stop time, failed steps. Reference: FMI 2.0, what hosts do
// (facts in step.hpp), and for the motion itself the pendulum equation integrated here in one
// angle.
#include <cmath>
#include <limits>

#include "host.hpp"

namespace mechfmu::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTooStrong = 1e300;  // [N] no step survives it

double last_time(Host& host) {
  double time = kNan;
  EXPECT_EQ(fmi2OK, fmi2GetRealStatus(host, fmi2LastSuccessfulTime, &time));
  return time;
}

TEST(Step, ThePendulumSwingsAsItsEquationInOneAngle) {
  Host host;
  host.initialize();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0.01 * i, 0.01, fmi2True));

  // theta'' = -g sin(theta), L = 1, x = sin(theta): classical Runge-Kutta with a tenth of the FMU's
  // step
  double theta = std::asin(0.5);
  double omega = 0;
  const double h = 1e-4;
  const auto acceleration = [](double angle) { return -9.81 * std::sin(angle); };
  for (int i = 0; i < 10000; ++i) {
    const double k1 = omega, l1 = acceleration(theta);
    const double k2 = omega + h / 2 * l1, l2 = acceleration(theta + h / 2 * k1);
    const double k3 = omega + h / 2 * l2, l3 = acceleration(theta + h / 2 * k2);
    const double k4 = omega + h * l3, l4 = acceleration(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  // fourth order, step 1e-3, frequency 3 rad/s: (3e-3)^4 * 3 ~ 2.4e-10 over the second
  EXPECT_NEAR(std::sin(theta), host.get(kX), 2e-9);
  EXPECT_NEAR(std::cos(theta) * omega, host.get(kVx), 5e-9);
}

TEST(Step, ArgumentsThatAreNotASteadyAdvanceAreErrorsThatChangeNothing) {
  Host host;
  host.initialize();
  const std::string before = host.fingerprint();
  const double bad[][2] = {{kNan, 0.1}, {kInfinity, 0.1}, {0, kNan}, {0, kInfinity},
                           {0, 0},      {0, -0.1},        {0, -0.0}};
  for (const auto& [t, h] : bad) {
    EXPECT_EQ(fmi2Error, fmi2DoStep(host, t, h, fmi2True)) << t << " " << h;
    EXPECT_EQ(before, host.fingerprint());
  }
  EXPECT_EQ(fmi2OK, fmi2DoStep(host, 0, 0.1, fmi2True));
}

TEST(Step, AStepOverflowingTheClockIsAnError) {
  Host host;
  host.initialize(1e308);
  const std::string before = host.fingerprint();
  EXPECT_EQ(fmi2Error, fmi2DoStep(host, 1e308, 1e308, fmi2True));
  EXPECT_EQ(before, host.fingerprint());
}

TEST(Step, StepSizesFromTheSmallestToTenSecondsEndExactlyOnThePoint) {
  for (double h = 1e-16; h <= 10; h *= 10) {
    Host host;
    host.initialize();
    double t = 0;
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(fmi2OK, fmi2DoStep(host, t, h, fmi2True)) << h << " " << host.last_text();
      t += h;
      EXPECT_EQ(t, last_time(host));
      const double x = host.get(kX);
      const double y = host.get(kY);
      EXPECT_NEAR(1, x * x + y * y, 1e-9) << h;  // the rod keeps its length
    }
  }
}

TEST(Step, AFinalStepOfOneUlpOnlyMovesTheClock) {
  Host host;
  host.initialize();
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0, 1, fmi2True));
  const std::vector<double> before = host.get_all();
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 1, 1.1e-16, fmi2True));  // FMUSDK, OMSimulator
  EXPECT_TRUE(same_bits(before, host.get_all()));
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 1 + 1.1e-16, 0.5, fmi2True));
  EXPECT_EQ(1.5, last_time(host));
}

TEST(Step, ManyStepsBelowTheResolutionOfTheClockLoseNoMotion) {
  // at t = 1 the clock advances in steps of 2.2e-16: a thousand steps of that size are 2.2e-13 s of
  // motion
  const double ulp = std::numeric_limits<double>::epsilon();
  Host host;
  host.initialize();
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0, 1, fmi2True));
  const double x = host.get(kX);
  const double vx = host.get(kVx);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(fmi2OK, fmi2DoStep(host, 1 + i * ulp, ulp, fmi2True)) << i;
  EXPECT_EQ(1 + 1000 * ulp, last_time(host));
  // one resolution of lag, and the rounding of up to 500 additions of 1e-16 each
  EXPECT_NEAR(x + vx * 1000 * ulp, host.get(kX), 6e-14);
  EXPECT_NE(x, host.get(kX));
}

TEST(Step, CommunicationPointsMayBeOffByRounding) {
  Host host;
  host.initialize();
  double t = 0;
  for (int i = 0; i < 600; ++i) {
    const double noise = (i % 3 - 1) * 2e-16 * (1 + t);
    ASSERT_EQ(fmi2OK, fmi2DoStep(host, t + noise, 1.0 / 60, fmi2True)) << host.last_text();
    t = (i + 1) / 60.0;
  }
  EXPECT_NEAR(10, last_time(host), 1e-14 * 10);
  EXPECT_NEAR(last_time(host), host.instance().simulation.time(), 1e-14);
}

TEST(Step, ACommunicationPointElsewhereIsRefusedAndNamesTheOwnTime) {
  Host host;
  host.initialize();
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0, 0.1, fmi2True));
  const std::string before = host.fingerprint();
  for (double t : {0.0, 0.05, 0.2, -0.1, 0.1 + 1e-8}) {
    EXPECT_EQ(fmi2Error, fmi2DoStep(host, t, 0.1, fmi2True)) << t;
    EXPECT_NE(std::string::npos, host.last_text().find("the FMU is at time 0.1"));
    EXPECT_EQ(before, host.fingerprint());
  }
  EXPECT_EQ(fmi2OK, fmi2DoStep(host, 0.1, 0.1, fmi2True));
}

TEST(Step, AfterARestoredStateTheOwnClockWinsWithOneWarning) {
  // MasterSim after a failed error test: the state of t = 0 is restored, DoStep is called with t =
  // 0.05
  Host host;
  host.initialize();
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2OK, fmi2GetFMUstate(host, &state));
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0, 0.02, fmi2True));
  const std::vector<double> expected = host.get_all();
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(fmi2OK, fmi2DoStep(host, last_time(host), 0.08, fmi2True));
    ASSERT_EQ(fmi2OK, fmi2SetFMUstate(host, state));
    EXPECT_EQ(fmi2OK, fmi2DoStep(host, 0.05, 0.02, fmi2True)) << host.last_text();
    EXPECT_TRUE(same_bits(expected, host.get_all()));
    EXPECT_EQ(0.02, last_time(host));
    // only the first step after the restored state
    EXPECT_EQ(fmi2Error, fmi2DoStep(host, 0.07, 0.02, fmi2True));
  }
  int warnings = 0;
  for (const Message& message : host.messages) warnings += message.status == fmi2Warning;
  EXPECT_EQ(1, warnings);
}

TEST(Step, TheStopTimeHasAToleranceAndNoMore) {
  Host host;
  ASSERT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2False, 0, 0, fmi2True, 1));
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(host));
  ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(host));
  double t = 0;
  for (int i = 0; i < 10; ++i, t += 0.1) ASSERT_EQ(fmi2OK, fmi2DoStep(host, t, 0.1, fmi2True));
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, t, 1.1e-16, fmi2True));
  const std::string before = host.fingerprint();
  EXPECT_EQ(fmi2Error, fmi2DoStep(host, t, 0.1, fmi2True));
  EXPECT_NE(std::string::npos, host.last_text().find("stop time 1"));
  EXPECT_EQ(fmi2Error, fmi2DoStep(host, t, 1e-8, fmi2True));
  EXPECT_EQ(before, host.fingerprint());
  EXPECT_EQ(fmi2OK, fmi2Terminate(host));
}

TEST(Step, AFailedStepIsDiscardedAndCanBeRepeated) {
  Host host, undisturbed;
  host.initialize();
  undisturbed.initialize();
  for (Host* h : {&host, &undisturbed}) ASSERT_EQ(fmi2OK, fmi2DoStep(*h, 0, 0.1, fmi2True));
  const std::vector<double> before = host.get_all();

  ASSERT_EQ(fmi2OK, host.set(kForce, kTooStrong));
  EXPECT_EQ(fmi2Discard, fmi2DoStep(host, 0.1, 0.1, fmi2True));
  EXPECT_EQ("logStatusDiscard", host.messages.back().category);
  EXPECT_EQ(fmi::kStepFailed, host.instance().state());
  fmi2Status status = fmi2OK;
  EXPECT_EQ(fmi2OK, fmi2GetStatus(host, fmi2DoStepStatus, &status));
  EXPECT_EQ(fmi2Discard, status);
  EXPECT_EQ(0.1, last_time(host));
  fmi2Boolean terminated = fmi2True;
  EXPECT_EQ(fmi2OK, fmi2GetBooleanStatus(host, fmi2Terminated, &terminated));
  EXPECT_EQ(fmi2False, terminated);

  ASSERT_EQ(fmi2OK, host.set(kForce, 0));
  EXPECT_TRUE(same_bits(before, host.get_all()));
  EXPECT_EQ(fmi2OK, fmi2DoStep(host, 0.1, 0.1, fmi2True));
  EXPECT_EQ(fmi2OK, fmi2DoStep(undisturbed, 0.1, 0.1, fmi2True));
  EXPECT_TRUE(same_bits(undisturbed.get_all(), host.get_all()));
  EXPECT_EQ(fmi2OK, fmi2GetStatus(host, fmi2DoStepStatus, &status));
  EXPECT_EQ(fmi2OK, status);
}

TEST(Step, TerminateIsAcceptedAfterADiscardedStep) {
  Host host;
  host.initialize();
  ASSERT_EQ(fmi2OK, host.set(kForce, kTooStrong));
  ASSERT_EQ(fmi2Discard, fmi2DoStep(host, 0, 0.1, fmi2True));
  EXPECT_EQ(fmi2OK, fmi2Terminate(host));
}

TEST(Step, AStatusOfTheWrongTypeOrWithoutATargetIsRefused) {
  Host host;
  host.initialize();
  fmi2Status status;
  double real;
  int integer;
  fmi2String string;
  for (int k = -1; k <= 4; ++k) {
    const auto kind = static_cast<fmi2StatusKind>(k & 7);
    EXPECT_EQ(kind == fmi2DoStepStatus ? fmi2OK : fmi2Error, fmi2GetStatus(host, kind, &status));
    EXPECT_EQ(kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Error,
              fmi2GetRealStatus(host, kind, &real));
    EXPECT_EQ(fmi2Error, fmi2GetIntegerStatus(host, kind, &integer));
    EXPECT_EQ(kind == fmi2Terminated ? fmi2OK : fmi2Error,
              fmi2GetBooleanStatus(host, kind, &integer));
    EXPECT_EQ(kind == fmi2PendingStatus ? fmi2Discard : fmi2Error,
              fmi2GetStringStatus(host, kind, &string));
  }
  EXPECT_EQ(fmi2Error, fmi2GetStatus(host, fmi2DoStepStatus, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetRealStatus(host, fmi2LastSuccessfulTime, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetIntegerStatus(host, fmi2DoStepStatus, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetBooleanStatus(host, fmi2Terminated, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetStringStatus(host, fmi2PendingStatus, nullptr));
}

}  // namespace
}  // namespace mechfmu::test
