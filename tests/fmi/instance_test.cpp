// Instantiation, initialization, reset, independence of instances, the floating-point environment.
// Reference: FMI 2.0 and the ways of real hosts (P7, P17, P20, P23, P25, P26).
#include "fmi/instance.hpp"

#include <limits>

#include "host.hpp"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace mechfmu::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Instance, VersionAndPlatformAreThoseOfTheStandard) {
  EXPECT_STREQ("2.0", fmi2GetVersion());
  EXPECT_STREQ("default", fmi2GetTypesPlatform());
}

TEST(Instance, BadArgumentsGiveNoInstanceAndAReason) {
  struct {
    const char* name;
    fmi2Type type;
    const char* guid;
    const char* reason;
  } const cases[] = {
      {nullptr, fmi2CoSimulation, kGuid, "instance name"},
      {"", fmi2CoSimulation, kGuid, "instance name"},
      {" \t", fmi2CoSimulation, kGuid, "instance name"},
      {"a", fmi2CoSimulation, nullptr, "(null)"},
      {"a", fmi2CoSimulation, "", "GUID"},
      {"a", fmi2CoSimulation, "{00000000-1111-2222-3333-444444444445}", "GUID"},
  };
  Host recorder;
  const fmi2CallbackFunctions callbacks = recorder.make_callbacks();
  for (const auto& c : cases) {
    recorder.messages.clear();
    EXPECT_EQ(nullptr,
              fmi2Instantiate(c.name, c.type, c.guid, nullptr, &callbacks, fmi2False, fmi2False));
    ASSERT_EQ(1u, recorder.messages.size()) << c.reason;
    EXPECT_NE(std::string::npos, recorder.last_text().find(c.reason)) << recorder.last_text();
  }
}

TEST(Instance, CallbacksMayBeMissingAltogether) {
  const fmi2CallbackFunctions nothing = {};
  for (const fmi2CallbackFunctions* callbacks :
       {&nothing, static_cast<decltype(&nothing)>(nullptr)}) {
    EXPECT_EQ(nullptr, fmi2Instantiate("a", fmi2CoSimulation, "wrong", nullptr, callbacks,
                                       fmi2False, fmi2True));
    const fmi2Component c =
        fmi2Instantiate("a", fmi2CoSimulation, kGuid, nullptr, callbacks, fmi2False, fmi2True);
    ASSERT_NE(nullptr, c);
    EXPECT_EQ(fmi2Error, fmi2DoStep(c, 0, 0.1, fmi2True));
    fmi2FreeInstance(c);
  }
}

TEST(Instance, TheCallbackStructIsCopied) {
  Host recorder;
  fmi2CallbackFunctions callbacks = recorder.make_callbacks();
  const fmi2Component c =
      fmi2Instantiate("a", fmi2CoSimulation, kGuid, nullptr, &callbacks, fmi2False, fmi2False);
  callbacks = {};
  fmi2Terminate(c);
  EXPECT_EQ(1u, recorder.messages.size());
  fmi2FreeInstance(c);
}

TEST(Instance, TheResourceLocationIsNotLookedAt) {
  const char* const locations[] = {nullptr,
                                   "",
                                   "file:///tmp/x/resources",
                                   "file:///tmp/x/resources/",
                                   "file:/tmp/x/resources",
                                   "file:////tmp/x/resources",
                                   "file:///C:/x%20y/%C3%A4/resources",
                                   "http://host/resources",
                                   "not a URI %"};
  for (const char* location : locations) {
    const fmi2Component c =
        fmi2Instantiate("a", fmi2CoSimulation, kGuid, location, nullptr, fmi2True, fmi2True);
    EXPECT_NE(nullptr, c);
    fmi2FreeInstance(c);
  }
}

TEST(Instance, NamesAreTakenAsTheyAreAndCopied) {
  for (std::string name : {std::string("with blanks"), std::string("/a/path/to.fmu"),
                           std::string("\xc3\xa4\xe2\x82\xac"), std::string(5000, 'n')}) {
    const std::string expected = name;
    Host host(name.c_str());
    name.assign(name.size(), '?');
    fmi2Terminate(host);
    ASSERT_EQ(1u, host.messages.size());
    EXPECT_EQ(expected, host.messages[0].instance);
  }
}

TEST(Instance, AnExperimentWithImpossibleTimesIsRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  Host host;
  const std::string before = host.fingerprint();
  EXPECT_EQ(fmi2Error, fmi2SetupExperiment(host, fmi2False, 0, kNan, fmi2False, 0));
  EXPECT_EQ(fmi2Error, fmi2SetupExperiment(host, fmi2False, 0, infinity, fmi2False, 0));
  EXPECT_EQ(fmi2Error, fmi2SetupExperiment(host, fmi2False, 0, 0, fmi2True, kNan));
  EXPECT_EQ(fmi2Error, fmi2SetupExperiment(host, fmi2False, 0, 2, fmi2True, 1));
  EXPECT_EQ(before, host.fingerprint());
  EXPECT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2False, kNan, 2, fmi2False, kNan));
}

TEST(Instance, AMechanismThatCannotBeAssembledStaysInInitializationMode) {
  Host host;
  ASSERT_EQ(fmi2OK, host.set(kStartX, 1.5));  // longer than the rod
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(host));
  EXPECT_EQ(fmi2Error, fmi2ExitInitializationMode(host));
  EXPECT_NE(std::string::npos, host.last_text().find("fmi2ExitInitializationMode: "));
  EXPECT_EQ(fmi::kInitializationMode, host.instance().state());
  const fmi2ValueReference x = kX;
  double value = 42;
  EXPECT_EQ(fmi2Error, fmi2GetReal(host, &x, 1, &value));
  EXPECT_EQ(42, value);
  EXPECT_EQ(1.5, host.get(kStartX));

  ASSERT_EQ(fmi2OK, host.set(kStartX, 0.6));  // corrected: as if nothing had happened
  EXPECT_EQ(fmi2OK, fmi2ExitInitializationMode(host));
  Host fresh;
  ASSERT_EQ(fmi2OK, fresh.set(kStartX, 0.6));
  fresh.initialize();
  EXPECT_TRUE(same_bits(fresh.run(0, 0.01, 20), host.run(0, 0.01, 20)));
}

TEST(Instance, ParametersSetInInitializationModeCountAsIfSetBefore) {
  Host before, inside;
  ASSERT_EQ(fmi2OK, before.set(kLength, 2));
  ASSERT_EQ(fmi2OK, before.set(kForce, 1));
  before.initialize();
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(inside));  // also without fmi2SetupExperiment
  inside.get(kX);
  ASSERT_EQ(fmi2OK, inside.set(kLength, 2));
  ASSERT_EQ(fmi2OK, inside.set(kForce, 1));
  ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(inside));
  EXPECT_TRUE(same_bits(before.run(0, 0.01, 20), inside.run(0, 0.01, 20)));
}

TEST(Instance, TheStartTimeIsWhereTheFirstStepBegins) {
  Host host;
  host.initialize(-3.25);
  EXPECT_EQ(fmi2Error, fmi2DoStep(host, 0, 0.1, fmi2True));
  EXPECT_EQ(fmi2OK, fmi2DoStep(host, -3.25, 0.1, fmi2True));
}

TEST(Instance, AResetInstanceIsAsGoodAsNew) {
  Host used, fresh;
  ASSERT_EQ(fmi2OK, fmi2SetupExperiment(used, fmi2True, 1e-3, 5, fmi2True, 6));
  ASSERT_EQ(fmi2OK, used.set(kMass, 7));
  ASSERT_EQ(fmi2OK, used.set(kTolerance, 1e-3));
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(used));
  ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(used));
  used.run(5, 0.01, 50);
  ASSERT_EQ(fmi2OK, fmi2Reset(used));
  EXPECT_EQ(fresh.fingerprint(), used.fingerprint());
  used.initialize();
  fresh.initialize();
  EXPECT_TRUE(same_bits(fresh.run(0, 0.01, 50), used.run(0, 0.01, 50)));
}

TEST(Instance, InterleavedInstancesGiveTheSameBitsAsSeparateOnes) {
  const auto prepare = [](Host& host, double mass) {
    ASSERT_EQ(fmi2OK, host.set(kMass, mass));
    host.initialize();
  };
  Host alone_a, alone_b;
  prepare(alone_a, 1);
  const std::vector<double> expected_a = alone_a.run(0, 0.01, 40);
  prepare(alone_b, 5);
  const std::vector<double> expected_b = alone_b.run(0, 0.01, 40);

  Host a("same"), b("same");
  prepare(a, 1);
  prepare(b, 5);
  std::vector<double> got_a, got_b;
  for (int i = 0; i < 40; ++i) {
    for (auto [host, trace] : {std::pair{&a, &got_a}, std::pair{&b, &got_b}}) {
      ASSERT_EQ(fmi2OK, host->set(kForce, 0.3 * i));
      ASSERT_EQ(fmi2OK, fmi2DoStep(*host, i * 0.01, 0.01, fmi2True));
      for (double value : host->get_all()) trace->push_back(value);
    }
  }
  EXPECT_TRUE(same_bits(expected_a, got_a));
  EXPECT_TRUE(same_bits(expected_b, got_b));
  EXPECT_FALSE(same_bits(got_a, got_b));
}

#if defined(__x86_64__)
// Rounding up, subnormals flushed, division by zero and overflow trapped: everything a host can do
// to us.
constexpr unsigned kStrangeRegister = 0x1f80u | 0x4000u | 0x8000u | 0x0040u;
constexpr unsigned kTrappingRegister = 0x1f80u & ~(0x0200u | 0x0400u | 0x0080u);

constexpr unsigned kStatusFlags = 0x3f;  // not settings: they only say what has happened

unsigned register_in_logger = 0;
void note_register(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) {
  register_in_logger = _mm_getcsr();
}

TEST(Instance, TheHostsFloatingPointEnvironmentNeitherChangesNorMatters) {
  Host reference;
  reference.initialize();
  const std::vector<double> expected = reference.run(0, 0.01, 30);
  // the host's own numbers, computed as the reference did
  std::vector<double> forces, times;
  for (int i = 0; i < 30; ++i) {
    forces.push_back(0.3 * i);
    times.push_back(0 + i * 0.01);
  }
  const unsigned usual = _mm_getcsr();
  for (unsigned strange : {kStrangeRegister, kTrappingRegister}) {
    _mm_setcsr(strange);
    const fmi2CallbackFunctions callbacks = {note_register, nullptr, nullptr, nullptr, nullptr};
    const fmi2Component c =
        fmi2Instantiate("a", fmi2CoSimulation, kGuid, nullptr, &callbacks, fmi2False, fmi2True);
    bool fine = fmi2EnterInitializationMode(c) == fmi2OK && fmi2ExitInitializationMode(c) == fmi2OK;
    std::vector<double> got;
    bool kept = (_mm_getcsr() & ~kStatusFlags) == strange;
    for (std::size_t i = 0; i < 30 && fine; ++i) {
      const fmi2ValueReference reference_of_force = kForce;
      fine = fmi2SetReal(c, &reference_of_force, 1, &forces[i]) == fmi2OK &&
             fmi2DoStep(c, times[i], 0.01, fmi2True) == fmi2OK;
      for (fmi2ValueReference r = kFirstComputed; r < kRealCount; ++r) {
        double value = 0;
        fine = fine && fmi2GetReal(c, &r, 1, &value) == fmi2OK;
        got.push_back(value);
      }
      kept = kept && (_mm_getcsr() & ~kStatusFlags) == strange;
    }
    register_in_logger = 0;
    fmi2Terminate(c);
    const unsigned in_logger = register_in_logger;
    fmi2FreeInstance(c);
    _mm_setcsr(usual);
    EXPECT_TRUE(fine);
    EXPECT_TRUE(kept);
    EXPECT_EQ(strange, in_logger & ~kStatusFlags);
    EXPECT_TRUE(same_bits(expected, got));
  }
}

TEST(Instance, TheLoggerOfAFailedStepRunsInTheHostsEnvironment) {
  const fmi2CallbackFunctions callbacks = {note_register, nullptr, nullptr, nullptr, nullptr};
  const fmi2Component c =
      fmi2Instantiate("a", fmi2CoSimulation, kGuid, nullptr, &callbacks, fmi2False, fmi2False);
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(c));
  ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(c));
  const fmi2ValueReference force = kForce;
  const double strong = 1e300;
  ASSERT_EQ(fmi2OK, fmi2SetReal(c, &force, 1, &strong));
  const unsigned usual = _mm_getcsr();
  _mm_setcsr(kStrangeRegister);
  register_in_logger = 0;
  const fmi2Status status = fmi2DoStep(c, 0, 0.1, fmi2True);
  const unsigned in_logger = register_in_logger;
  _mm_setcsr(usual);
  EXPECT_EQ(fmi2Discard, status);
  EXPECT_EQ(kStrangeRegister, in_logger & ~kStatusFlags);
  fmi2FreeInstance(c);
}
#endif

}  // namespace
}  // namespace mechfmu::test
