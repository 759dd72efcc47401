// fmi2Get/SetReal and fmi2Get/SetInteger. Reference: the FMI 2.0 standard for statuses, the
// equations of the test model for values.
#include <cmath>
#include <limits>

#include "host.hpp"

namespace mechfmu::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(VariableAccess, StartValuesAreThoseOfTheTable) {
  Host host;
  EXPECT_EQ(1, host.get(kLength));
  EXPECT_EQ(2, host.get(kMass));
  EXPECT_EQ(9.81, host.get(kGravity));
  EXPECT_EQ(0.5, host.get(kStartX));
  EXPECT_EQ(0, host.get(kForce));
}

TEST(VariableAccess, AMalformedCallIsAnErrorAndStoresNothing) {
  Host host;
  host.initialize();
  const std::string before = host.fingerprint();
  const fmi2ValueReference force = kForce;
  double value = 7;
  EXPECT_EQ(fmi2Error, fmi2SetReal(host, nullptr, 1, &value));
  EXPECT_EQ(fmi2Error, fmi2SetReal(host, &force, 1, nullptr));
  EXPECT_EQ(fmi2Error, fmi2GetReal(host, nullptr, 1, &value));
  EXPECT_EQ(fmi2Error, fmi2GetReal(host, &force, 1, nullptr));
  const fmi2ValueReference bad[] = {kForce, kRealCount};
  const double values[] = {1, 2};
  EXPECT_EQ(fmi2Error, fmi2SetReal(host, bad, 2, values));
  EXPECT_EQ(fmi2Error, host.set(0xffffffffu, 1));
  const int one = 1;
  int integer = 5;
  const fmi2ValueReference no_integer = kIntegerCount;
  EXPECT_EQ(fmi2Error, fmi2SetInteger(host, nullptr, 1, &one));
  EXPECT_EQ(fmi2Error, fmi2SetInteger(host, &no_integer, 1, &one));
  EXPECT_EQ(fmi2Error, fmi2GetInteger(host, &no_integer, 1, &integer));
  EXPECT_EQ(fmi2Error, fmi2GetBoolean(host, &force, 1, &integer));
  EXPECT_EQ(fmi2Error, fmi2SetBoolean(host, &force, 1, &one));
  fmi2String string = "";
  EXPECT_EQ(fmi2Error, fmi2GetString(host, &force, 1, &string));
  EXPECT_EQ(fmi2Error, fmi2SetString(host, &force, 1, &string));
  EXPECT_EQ(before, host.fingerprint());
  EXPECT_EQ(7, value);
  EXPECT_EQ(5, integer);
}

TEST(VariableAccess, AnEmptyListIsFineWithNullPointers) {
  Host host;
  EXPECT_EQ(fmi2OK, fmi2GetReal(host, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2OK, fmi2SetReal(host, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2OK, fmi2GetInteger(host, nullptr, 0, nullptr));
  EXPECT_EQ(fmi2OK, fmi2SetInteger(host, nullptr, 0, nullptr));
}

TEST(VariableAccess, NotANumberIsDiscardedTogetherWithTheRestOfTheCall) {
  Host host;
  host.initialize();
  ASSERT_EQ(fmi2OK, host.set(kForce, 1.5));
  const std::string before = host.fingerprint();
  for (double value : {kNan, kInfinity, -kInfinity}) {
    host.messages.clear();
    const fmi2ValueReference references[] = {kForce, kForce};
    const double values[] = {4, value};
    EXPECT_EQ(fmi2Discard, fmi2SetReal(host, references, 2, values));
    EXPECT_EQ(before, host.fingerprint());
    ASSERT_EQ(1u, host.messages.size());
    EXPECT_EQ("logStatusDiscard", host.messages[0].category);
    EXPECT_NE(std::string::npos, host.last_text().find("'force'"));
  }
  EXPECT_EQ(fmi2OK, fmi2DoStep(host, 0, 0.01, fmi2True));
}

TEST(VariableAccess, AnErrorInTheSameCallOutranksTheDiscard) {
  Host host;
  const fmi2ValueReference references[] = {kForce, kRealCount};
  const double values[] = {kNan, 1};
  EXPECT_EQ(fmi2Error, fmi2SetReal(host, references, 2, values));
}

TEST(VariableAccess, AValueOutsideItsRangeIsAnErrorThatNamesTheRange) {
  Host host;
  EXPECT_EQ(fmi2Error, host.set(kMass, -1));
  EXPECT_NE(std::string::npos, host.last_text().find("'mass' = -1 is outside"));
  EXPECT_EQ(2, host.get(kMass));
  const fmi2ValueReference norm = kNormChoice;
  const int three = 3;
  EXPECT_EQ(fmi2Error, fmi2SetInteger(host, &norm, 1, &three));
  EXPECT_NE(std::string::npos, host.last_text().find("'scheme.norm' = 3 is outside [1, 2]"));
}

TEST(VariableAccess, AnEnumerationIsAnIntegerAndNotAReal) {
  Host host;
  const fmi2ValueReference references[] = {kNormChoice, kIterationCount};
  const int set[] = {2, 33};
  int got[2] = {};
  EXPECT_EQ(fmi2OK, fmi2SetInteger(host, references, 2, set));
  EXPECT_EQ(fmi2OK, fmi2GetInteger(host, references, 2, got));
  EXPECT_EQ(2, got[0]);
  EXPECT_EQ(33, got[1]);
  const fmi2ValueReference norm = kNorm;
  double value = 0;
  EXPECT_EQ(fmi2Error, host.set(kNorm, 1));
  EXPECT_EQ(fmi2Error, fmi2GetReal(host, &norm, 1, &value));
}

TEST(VariableAccess, OutputsInInitializationModeFollowWhatWasSetLast) {
  Host host;
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(host));
  for (double x : {0.5, 0.1, -0.3}) {
    ASSERT_EQ(fmi2OK, host.set(kStartX, x));
    // the assembly closes the loop to 1e-12 (its tolerance); x is a fixed start
    EXPECT_NEAR(x, host.get(kX), 1e-12);
    EXPECT_NEAR(-std::sqrt(1 - x * x), host.get(kY), 1e-11);
  }
  ASSERT_EQ(fmi2OK, host.set(kLength, 2));
  EXPECT_NEAR(-std::sqrt(4 - 0.09), host.get(kY), 1e-11);
  ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(host));
  EXPECT_NEAR(-0.3, host.get(kX), 1e-12);
}

TEST(VariableAccess, AnInputSetInStepModeActsOnAccelerationsAtOnce) {
  Host host;
  ASSERT_EQ(fmi2OK, host.set(kStartX, 0));
  host.initialize();
  // at the lowest point, at rest, the rod is vertical: m a = u
  EXPECT_NEAR(0, host.get(kAx), 1e-12);
  ASSERT_EQ(fmi2OK, host.set(kForce, 3));
  EXPECT_NEAR(3.0 / 2, host.get(kAx), 1e-12);
  EXPECT_NEAR(0, host.get(kX), 1e-12);
  EXPECT_NEAR(2 * 9.81, host.get(kTension), 1e-9);
}

TEST(VariableAccess, ComputedVariablesHaveNoValueBeforeInitialization) {
  Host host;
  const fmi2ValueReference x = kX;
  double value = 42;
  EXPECT_EQ(fmi2Error, fmi2GetReal(host, &x, 1, &value));
  EXPECT_EQ(42, value);
}

TEST(VariableAccess, TheHostsToleranceReachesTheSolverUnlessTheHostSetItThere) {
  Host host;
  EXPECT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2True, 1e-4, 0, fmi2False, 0));
  EXPECT_EQ(1e-4, host.get(kTolerance));
  EXPECT_EQ(fmi2OK, host.set(kTolerance, 1e-5));
  EXPECT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2True, 1e-3, 0, fmi2False, 0));
  EXPECT_EQ(1e-5, host.get(kTolerance));
}

TEST(VariableAccess, AToleranceThatIsNotUsableIsIgnoredWithAWarning) {
  for (double tolerance : {0.0, -1.0, 1e3, kNan, kInfinity}) {
    Host host;
    EXPECT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2True, tolerance, 0, fmi2False, 0));
    EXPECT_EQ(1e-6, host.get(kTolerance));
    ASSERT_EQ(1u, host.messages.size());
    EXPECT_EQ("logStatusWarning", host.messages[0].category);
  }
}

}  // namespace
}  // namespace mechfmu::test
