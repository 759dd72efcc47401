// What hosts do to an FMU, from their sources and issue trackers (the table in
// resources/docs/hosts.md names each), on FMUs as they are built.
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "fmu/built_fmu.hpp"

namespace mechfmu::testing {
namespace {

constexpr double kStep = 0.01;

void say_nothing(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) {}

// Shared by all tests: building takes longer than what they do.
BuiltFmu& four_bar() {
  static BuiltFmu built(example_text("four_bar"));
  return built;
}

// Calls without a wrapper, for arguments that a careful host never gives.
class RawInstance {
 public:
  RawInstance(const BuiltFmu& built, const char* location, const fmi2CallbackFunctions* callbacks)
      : f(built.fmu().library().functions()),
        component(f.Instantiate("raw", fmi2CoSimulation, built.description().guid.c_str(), location,
                                callbacks, fmi2False, fmi2False)) {}
  ~RawInstance() { f.FreeInstance(component); }
  RawInstance(const RawInstance&) = delete;
  RawInstance& operator=(const RawInstance&) = delete;

  [[nodiscard]] std::vector<double> motion(const BuiltFmu& built, int steps) const {
    EXPECT_EQ(f.SetupExperiment(component, fmi2False, 0, 0, fmi2False, 0), fmi2OK);
    EXPECT_EQ(f.EnterInitializationMode(component), fmi2OK);
    EXPECT_EQ(f.ExitInitializationMode(component), fmi2OK);
    for (int i = 0; i < steps; ++i)
      EXPECT_EQ(f.DoStep(component, i * kStep, kStep, fmi2True), fmi2OK);
    const auto references = built.computed();
    std::vector<double> values(references.size());
    EXPECT_EQ(f.GetReal(component, references.data(), references.size(), values.data()), fmi2OK);
    return values;
  }

  const FmuFunctions& f;
  fmi2Component component;
};

std::vector<double> expected_motion(int steps) {
  const auto instance = four_bar().start();
  BuiltFmu::run(*instance, 0, kStep, steps);
  return four_bar().values(*instance);
}

TEST(Hosts, AnyResourceLocationWillDo) {
  const fmi2CallbackFunctions callbacks{say_nothing, std::calloc, std::free, nullptr, nullptr};
  const std::vector<double> expected = expected_motion(5);
  for (const char* location :
       {"file:///tmp/fmu/resources", "file:///tmp/fmu/resources/", "file:/tmp/fmu/resources",
        "file:////server/fmu", "file:///C:/a%20b/%C3%BC", "/tmp/fmu", "no uri at all", "%%%s%n", "",
        static_cast<const char*>(nullptr)}) {
    const RawInstance instance(four_bar(), location, &callbacks);
    ASSERT_NE(instance.component, nullptr) << (location != nullptr ? location : "null");
    EXPECT_EQ(instance.motion(four_bar(), 5), expected)
        << (location != nullptr ? location : "null");
  }
}

TEST(Hosts, CallbacksMayBeGarbageOrMissing) {
  const std::vector<double> expected = expected_motion(5);
  const auto garbage = [](auto& function, std::uintptr_t bits) {
    std::memcpy(&function, &bits, sizeof(function));
  };
  fmi2CallbackFunctions none{}, odd{say_nothing, nullptr, nullptr, nullptr, nullptr};
  auto never = none;  // called, these would crash: Simulink leaves stepFinished uninitialised
  void (*step_finished)(fmi2ComponentEnvironment, fmi2Status) = nullptr;
  garbage(step_finished, 0x1234567);
  const fmi2CallbackFunctions wild{say_nothing, nullptr, nullptr, step_finished, nullptr};
  for (const fmi2CallbackFunctions* callbacks :
       {static_cast<const fmi2CallbackFunctions*>(nullptr), &std::as_const(none),
        &std::as_const(odd), &wild}) {
    const RawInstance instance(four_bar(), "", callbacks);
    ASSERT_NE(instance.component, nullptr);
    EXPECT_EQ(instance.motion(four_bar(), 5), expected);
    // an error has nobody to be told to
    EXPECT_EQ(instance.f.DoStep(instance.component, -1, kStep, fmi2True), fmi2Error);
  }
  // the struct may be gone after the call
  RawInstance instance(four_bar(), "", &never);
  std::memset(static_cast<void*>(&never), 0x5a, sizeof(never));
  EXPECT_EQ(instance.motion(four_bar(), 5), expected);
}

// From below the resolution of the clock to ten seconds; reference: a run in equal steps.
TEST(Hosts, CommunicationStepsMayHaveAnyLength) {
  const auto instance = four_bar().start(), even = four_bar().start();
  double t = 0;
  for (const double h : {1e-16, 1e-9, 1e-4, 1.0 / 60, 1e-16, 0.1, 0.003, 1.7, 8.0}) {
    ASSERT_EQ(instance->do_step(t, h), fmi2OK) << h;
    t += h;
  }
  const double rest = 10 - t;
  ASSERT_EQ(instance->do_step(t, rest), fmi2OK);
  BuiltFmu::run(*even, 0, kStep, 1000);
  const std::vector<double> x = four_bar().values(*instance), y = four_bar().values(*even);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], y[i], tol(1e-6) * (1 + std::fabs(y[i]))) << i;
  ASSERT_EQ(instance->do_step(10, 10), fmi2OK);
}

// PyFMI adds up its time, reads a derivative wherever it may, and is off by an ulp here and there.
TEST(Hosts, PyFmiLinearizesEverywhereAndIsOffByAnUlp) {
  BuiltFmu& built = four_bar();
  const auto instance = built.instantiate();
  const FmuFunctions& f = instance->functions();
  const fmi2ValueReference tau = built.reference("tau"), angle = built.reference("crank_angle");
  const fmi2ValueReference load = built.reference("pin_load");
  const double one = 1;
  double change = 0;
  ASSERT_EQ(instance->setup_experiment(1e-6, 0, {}), fmi2OK);
  ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
  EXPECT_EQ(f.GetDirectionalDerivative(instance->component(), &angle, 1, &tau, 1, &one, &change),
            fmi2OK);
  EXPECT_EQ(change, 0) << "no feedthrough to a position";
  ASSERT_EQ(instance->exit_initialization_mode(), fmi2OK);
  double t = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(f.GetDirectionalDerivative(instance->component(), &load, 1, &tau, 1, &one, &change),
              fmi2OK);
    EXPECT_NE(change, 0) << "a torque loads the pin at once";
    const double off = i % 3 == 0 ? std::nextafter(t, 2 * t + 1) : i % 3 == 1 ? t : t * (1 - 1e-15);
    ASSERT_EQ(instance->do_step(off, kStep), fmi2OK) << i;
    t += kStep;
  }
  const std::vector<double> expected = expected_motion(100);
  const std::vector<double> values = built.values(*instance);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i], tol(1e-9) * (1 + std::fabs(expected[i])));
}

TEST(Hosts, FmusdkEndsWithATinyStepAtTheStopTime) {
  const auto instance = four_bar().instantiate();
  ASSERT_EQ(instance->setup_experiment({}, 0, 1.0), fmi2OK);
  ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
  ASSERT_EQ(instance->exit_initialization_mode(), fmi2OK);
  double t = 0;
  for (int i = 0; i < 10; ++i, t += 0.1) ASSERT_EQ(instance->do_step(t, 0.1), fmi2OK);
  ASSERT_LT(t, 1.0) << "ten times 0.1, added up, is not 1";
  EXPECT_EQ(instance->do_step(t, 1.0 - t), fmi2OK);
  EXPECT_EQ(instance->do_step(1.0, 0.1), fmi2Error) << "beyond the stop time";
}

TEST(Hosts, ResetBringsBackEverything) {
  BuiltFmu& built = four_bar();
  const auto fresh = built.instantiate(), used = built.instantiate();
  const std::vector<fmi2ValueReference> set = {built.reference("tau"), built.reference("damping"),
                                               built.reference("solver.step"),
                                               built.reference("start.A.position")};
  std::vector<double> defaults;
  ASSERT_EQ(fresh->get_real(set, defaults), fmi2OK);
  ASSERT_EQ(used->set_real(set, {0.7, 3, 2e-3, 0.3}), fmi2OK);
  ASSERT_EQ(used->setup_experiment({}, 5, 6.0), fmi2OK);
  ASSERT_EQ(used->enter_initialization_mode(), fmi2OK);
  ASSERT_EQ(used->exit_initialization_mode(), fmi2OK);
  ASSERT_EQ(used->do_step(5, 0.5), fmi2OK);
  ASSERT_EQ(used->reset(), fmi2OK);
  std::vector<double> after;
  ASSERT_EQ(used->get_real(set, after), fmi2OK);
  EXPECT_EQ(after, defaults);
  for (FmuInstance* instance : {fresh.get(), used.get()}) {
    ASSERT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
    ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
    ASSERT_EQ(instance->exit_initialization_mode(), fmi2OK);
    BuiltFmu::run(*instance, 0, kStep, 20);
  }
  EXPECT_EQ(built.values(*fresh), built.values(*used));
}

// MasterSim sets inputs before initialization mode and never calls fmi2Terminate; others terminate
// after a refused step.
TEST(Hosts, MasterSimBreaksItsPromises) {
  BuiltFmu& built = four_bar();
  const fmi2ValueReference tau = built.reference("tau");
  const auto early = built.instantiate(), late = built.instantiate();
  ASSERT_EQ(early->set_real({tau}, {0.4}), fmi2OK);
  for (FmuInstance* instance : {early.get(), late.get()}) {
    ASSERT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
    ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
    if (instance == late.get()) {
      ASSERT_EQ(instance->set_real({tau}, {0.4}), fmi2OK);
    }
    ASSERT_EQ(instance->exit_initialization_mode(), fmi2OK);
    BuiltFmu::run(*instance, 0, kStep, 20);
  }
  EXPECT_EQ(built.values(*early), built.values(*late));
  // a value that is none is refused and changes nothing
  EXPECT_EQ(late->set_real({tau}, {std::nan("")}), fmi2Discard);
  EXPECT_EQ(late->set_real({tau}, {std::numeric_limits<double>::infinity()}), fmi2Discard);
  EXPECT_EQ(late->do_step(0.2, std::nan("")), fmi2Error);
  EXPECT_EQ(late->do_step(0.2, -1), fmi2Error);
  EXPECT_EQ(late->do_step(0.2, kStep), fmi2OK);
  EXPECT_EQ(early->do_step(0.2, kStep), fmi2OK);
  EXPECT_EQ(built.values(*early), built.values(*late));
  EXPECT_EQ(late->terminate(), fmi2OK);  // and the other one is freed without
}

// OMSimulator makes an instance to look at the FMU and another one of the same name to run it, sets
// parameters in initialization mode, and asks for derivatives of outputs before the first step.
TEST(Hosts, OmSimulatorHasTwoInstancesOfOneName) {
  BuiltFmu& built = four_bar();
  const auto first = built.instantiate("model.root.fmu"),
             second = built.instantiate("model.root.fmu");
  ASSERT_EQ(first->setup_experiment(1e-4, 0, 10), fmi2OK);
  ASSERT_EQ(second->setup_experiment(1e-4, 0, 10), fmi2OK);
  ASSERT_EQ(first->enter_initialization_mode(), fmi2OK);
  ASSERT_EQ(second->enter_initialization_mode(), fmi2OK);
  const fmi2ValueReference start = built.reference("start.A.position");
  const fmi2ValueReference angle = built.reference("crank_angle");
  const fmi2ValueReference speed = built.reference("crank_speed");
  ASSERT_EQ(second->set_real({start}, {1.2}), fmi2OK);
  std::vector<double> x, y;
  ASSERT_EQ(first->get_real({angle}, x), fmi2OK);
  ASSERT_EQ(second->get_real({angle}, y), fmi2OK);
  EXPECT_NEAR(y[0], 1.2, 1e-12);
  EXPECT_NE(x[0], y[0]);
  ASSERT_EQ(second->exit_initialization_mode(), fmi2OK);
  const fmi2Integer order = 1;
  double rate = 0;
  const FmuFunctions& f = second->functions();
  EXPECT_EQ(f.GetRealOutputDerivatives(second->component(), &angle, 1, &order, &rate), fmi2OK);
  ASSERT_EQ(second->get_real({speed}, y), fmi2OK);
  EXPECT_NEAR(rate, y[0], 1e-12);
  BuiltFmu::run(*second, 0, kStep, 10);
  ASSERT_EQ(first->get_real({angle}, y), fmi2OK);
  EXPECT_EQ(x, y) << "the other one stands where it stood";
}

// Each bit for bit as if it were alone.
TEST(Hosts, TwoFmusInOneProcessDoNotMeet) {
  BuiltFmu other(example_text("slider_crank"));
  const auto alone = other.start();
  BuiltFmu::run(*alone, 0, kStep, 30);
  const auto a = four_bar().start(), b = other.start();
  for (int i = 0; i < 30; ++i) {
    ASSERT_EQ(a->do_step(i * kStep, kStep), fmi2OK);
    ASSERT_EQ(b->do_step(i * kStep, kStep), fmi2OK);
  }
  EXPECT_EQ(four_bar().values(*a), expected_motion(30));
  EXPECT_EQ(other.values(*b), other.values(*alone));
}

// 64 at the same time, made, stepped, saved and freed in threads of their own.
TEST(Hosts, InstancesRunInThreadsOfTheirOwn) {
  const std::vector<double> expected = expected_motion(50);
  constexpr int kThreads = 64;
  std::vector<std::vector<double>> results(kThreads);
  const BuiltFmu& built = four_bar();
  const fmi2CallbackFunctions callbacks{say_nothing, std::calloc, std::free, nullptr, nullptr};
  const auto references = built.computed();
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k)
    threads.emplace_back([&, k] {
      const RawInstance instance(built, "", &callbacks);
      const FmuFunctions& f = instance.f;
      fmi2Component c = instance.component;
      bool good = f.SetupExperiment(c, fmi2False, 0, 0, fmi2False, 0) == fmi2OK &&
                  f.EnterInitializationMode(c) == fmi2OK && f.ExitInitializationMode(c) == fmi2OK;
      fmi2FMUstate state = nullptr;
      for (int i = 0; i < 50; ++i) {
        good = good && f.GetFMUstate(c, &state) == fmi2OK;
        for (int twice = 0; twice < 2; ++twice)
          good = good && f.SetFMUstate(c, state) == fmi2OK &&
                 f.DoStep(c, i * kStep, kStep, fmi2True) == fmi2OK;
      }
      good = good && f.FreeFMUstate(c, &state) == fmi2OK;
      std::vector<double> values(references.size());
      good = good && f.GetReal(c, references.data(), references.size(), values.data()) == fmi2OK;
      if (good) results[static_cast<std::size_t>(k)] = values;
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& result : results) EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace mechfmu::testing
