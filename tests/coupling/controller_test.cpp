// Sampled controllers as FMUs. References: recursions and closed forms written here, not those of
// the product: the PID as a loop, the lead-lag's step response, powers of matrices, motion under
// constant acceleration.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "../fmu/built_fmu.hpp"

namespace mechfmu::testing {
namespace {

// Runs sample after sample: input u of sample k, then what the FMU says there.
class ControllerRun {
 public:
  explicit ControllerRun(const std::string& xml) : fmu_(xml) {}

  BuiltFmu& fmu() { return fmu_; }
  double get(FmuInstance& instance, const std::string& name) {
    std::vector<double> values;
    EXPECT_EQ(fmi2OK, instance.get_real({fmu_.reference(name)}, values));
    return values[0];
  }
  void set(FmuInstance& instance, const std::string& name, double value) {
    EXPECT_EQ(fmi2OK, instance.set_real({fmu_.reference(name)}, {value}));
  }
  static void step(FmuInstance& instance, double time, double length) {
    EXPECT_EQ(fmi2OK, instance.do_step(time, length));
  }
  std::unique_ptr<FmuInstance> start(const std::string& input, double value) {
    auto instance = fmu_.instantiate();
    EXPECT_EQ(fmi2OK, instance->setup_experiment({}, 0, {}));
    EXPECT_EQ(fmi2OK, instance->enter_initialization_mode());
    set(*instance, input, value);
    EXPECT_EQ(fmi2OK, instance->exit_initialization_mode());
    return instance;
  }

 private:
  BuiltFmu fmu_;
};

void be_silent(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...) {}

constexpr double kSample = 0.01;

double signal(int k) { return std::sin(0.3 * k) + (k > 40 && k < 90 ? 4 : 0) + 0.01 * k; }

const char* kPid = R"xml(<controller name="Pid" sample="10 ms">
  <parameter name="kp" value="1.5"/> <parameter name="ki" value="20"/> <parameter name="kd" value="0.05"/>
  <parameter name="limit" value="3"/>
  <input name="e"/>
  <pid name="full" input="e" kp="kp" ki="ki" kd="kd" filter="30 ms" min="-limit" max="limit" start="0.5"/>
  <pid name="plain" input="e" kp="kp" ki="ki"/>
  <output name="u" value="full"/> <output name="v" value="plain"/>
</controller>)xml";

TEST(Pid, IsTheRecursionOfTheManual) {
  ControllerRun run(kPid);
  const double kp = 1.5, ki = 20, kd = 0.05, tf = 0.03, limit = 3;
  double i = 0.5, plain = 0, d = 0, last = signal(0);
  auto instance = run.start("e", signal(0));
  for (int k = 0; k < 150; ++k) {
    const double e = signal(k);
    if (k > 0) {
      run.set(*instance, "e", e);
      ControllerRun::step(*instance, (k - 1) * kSample, kSample);
    }
    d = (tf * d + kd * (e - last)) / (tf + kSample);
    last = e;
    plain += ki * kSample * e;
    const double wanted = kp * e + i + ki * kSample * e + d;
    if (!(wanted > limit && e > 0) && !(wanted < -limit && e < 0)) i += ki * kSample * e;
    const double u = std::clamp(kp * e + i + d, -limit, limit);
    EXPECT_NEAR(u, run.get(*instance, "u"), tol(1e-12)) << k;
    EXPECT_NEAR(kp * e + plain, run.get(*instance, "v"), tol(1e-12)) << k;
  }
}

// 2 s of an error that the limited output cannot remove; then the error changes its sign.
TEST(Pid, DoesNotWindUp) {
  ControllerRun run(R"xml(<controller name="Windup" sample="10 ms">
    <input name="e"/>
    <pid name="u1" input="e" kp="1" ki="10" min="-1" max="1"/>
    <output name="u" value="u1"/>
  </controller>)xml");
  auto instance = run.start("e", 5);
  for (int k = 1; k <= 200; ++k) ControllerRun::step(*instance, (k - 1) * kSample, kSample);
  EXPECT_EQ(1, run.get(*instance, "u"));
  run.set(*instance, "e", -0.5);
  ControllerRun::step(*instance, 200 * kSample, kSample);
  // without anti-windup the integral of 100 would hold the output at 1 for 20 s
  EXPECT_NEAR(-0.5 - 10 * kSample * 0.5, run.get(*instance, "u"), tol(1e-12));
}

TEST(LeadLag, HasTheStepResponseOfTheContinuousOne) {
  ControllerRun run(R"xml(<controller name="Lead" sample="10 ms">
    <input name="w"/>
    <lead_lag name="y1" input="w" gain="3" lead="0.2 s" lag="50 ms"/>
    <output name="y" value="y1"/>
  </controller>)xml");
  auto instance = run.start("w", 1);
  for (int k = 0; k <= 30; ++k) {
    if (k > 0) ControllerRun::step(*instance, (k - 1) * kSample, kSample);
    // K (1 + (T1/T2 - 1) exp(-t/T2))
    const double t = k * kSample;
    EXPECT_NEAR(3 * (1 + (0.2 / 0.05 - 1) * std::exp(-t / 0.05)), run.get(*instance, "y"),
                tol(1e-12));
  }
}

TEST(StateSpace, DiscreteIsAPowerOfItsMatrix) {
  ControllerRun run(R"xml(<controller name="Space" sample="10 ms">
    <input name="u"/> <input name="w" start="2"/>
    <state_space name="s" inputs="u w" outputs="y1 y2" A="0.9 0.2 -0.1 0.8" B="0 1 0.5 0"
      C="1 0 1 1" D="0 0 0.25 0" start="1 -1"/>
    <output name="a" value="y1"/> <output name="b" value="y2"/>
  </controller>)xml");
  Eigen::Matrix2d A, B;
  A << 0.9, 0.2, -0.1, 0.8;
  B << 0, 1, 0.5, 0;
  const Eigen::Vector2d u(3, 2);
  auto instance = run.start("u", 3);
  for (int k = 0; k <= 40; ++k) {
    if (k > 0) ControllerRun::step(*instance, (k - 1) * kSample, kSample);
    // x_k = A^k x_0 + (I - A)^-1 (I - A^k) B u
    Eigen::Matrix2d power = Eigen::Matrix2d::Identity();
    for (int i = 0; i < k; ++i) power = power * A;
    const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
    const Eigen::Vector2d x =
        power * Eigen::Vector2d(1, -1) + (one - A).inverse() * (one - power) * B * u;
    EXPECT_NEAR(x[0], run.get(*instance, "a"), tol(1e-12));
    EXPECT_NEAR(x[0] + x[1] + 0.25 * 3, run.get(*instance, "b"), tol(1e-12));
  }
}

TEST(StateSpace, ContinuousIsExactForHeldInputs) {
  ControllerRun run(R"xml(<controller name="Integrators" sample="10 ms">
    <input name="u"/>
    <state_space name="way" inputs="u" A="0 1 0 0" B="0 1" C="1 0" time="continuous"/>
    <output name="y" value="way"/>
  </controller>)xml");
  auto instance = run.start("u", 6);
  for (int k = 0; k <= 50; ++k) {
    if (k > 0) ControllerRun::step(*instance, (k - 1) * kSample, kSample);
    EXPECT_NEAR(3 * k * kSample * k * kSample, run.get(*instance, "y"), tol(1e-12));
  }
}

const char* kSmall = R"xml(<controller name="Small" sample="10 ms">
  <parameter name="offset" value="100"/>
  <input name="u" start="1"/>
  <sum name="total" plus="u offset" minus="old"/>
  <delay name="old" input="total" samples="2" start="7"/>
  <gain name="double" input="u" gain="2"/>
  <saturation name="cut" input="double" min="-3" max="3"/>
  <expression name="age" value="if(u > 5, time, -1)"/>
  <delay name="count" input="count + 1" start="0"/>
  <output name="y" value="total"/> <output name="limited" value="cut"/> <output name="since" value="age"/>
  <output name="samples" value="count"/> <output name="seen" value="u"/>
</controller>)xml";

TEST(Blocks, SumDelayGainSaturationExpression) {
  ControllerRun run(kSmall);
  auto instance = run.start("u", 1);
  std::vector<double> totals;
  for (int k = 0; k <= 20; ++k) {
    const double u = 1 + k;
    run.set(*instance, "u", u);
    if (k > 0) ControllerRun::step(*instance, (k - 1) * kSample, kSample);
    totals.push_back((k == 0 ? 1 : u) + 100 -
                     (k < 2 ? 7 : totals[static_cast<std::size_t>(k - 2)]));
    EXPECT_EQ(totals.back(), run.get(*instance, "y"));
    EXPECT_EQ(std::min(3.0, 2 * (k == 0 ? 1 : u)), run.get(*instance, "limited"));
    EXPECT_NEAR(u > 5 ? k * kSample : -1, run.get(*instance, "since"), tol(1e-15));
    EXPECT_EQ(k, run.get(*instance, "samples"));
  }
}

// The rule of sampling: sample k is taken at the end of the step that reaches k T, with the inputs
// as they are then, once; the first one at the end of the initialization.
TEST(Sampling, ASampleBelongsToTheStepThatReachesIt) {
  ControllerRun run(kSmall);
  auto instance = run.start("u", 10);
  EXPECT_EQ(10, run.get(*instance, "seen"));
  run.set(*instance, "u", 20);
  EXPECT_EQ(10, run.get(*instance, "seen"));  // held
  ControllerRun::step(*instance, 0, 0.009);
  EXPECT_EQ(10, run.get(*instance, "seen"));
  run.set(*instance, "u", 30);
  ControllerRun::step(*instance, 0.009, 0.001);  // ends at 10 ms
  EXPECT_EQ(30, run.get(*instance, "seen"));
  EXPECT_EQ(1, run.get(*instance, "samples"));
  run.set(*instance, "u", 40);
  ControllerRun::step(*instance, 0.01, 0.001);  // not taken twice
  EXPECT_EQ(30, run.get(*instance, "seen"));
  ControllerRun::step(*instance, 0.011, 0.054);  // 20, 30, 40, 50, 60 ms
  EXPECT_EQ(6, run.get(*instance, "samples"));
  EXPECT_EQ(40, run.get(*instance, "seen"));
}

TEST(Sampling, InputsMoveAlongTheirDerivativesInsideAStep) {
  ControllerRun run(kSmall);
  EXPECT_TRUE(run.fmu().description().co_simulation->can_interpolate_inputs);
  auto instance = run.start("u", 0);
  run.set(*instance, "u", 2);
  const auto u = run.fmu().reference("u");
  ASSERT_EQ(fmi2OK, instance->set_real_input_derivatives({u, u}, {1, 2}, {100, 4000}));
  ControllerRun::step(*instance, 0, 0.034);
  // the last sample was at 30 ms
  EXPECT_NEAR(2 + 100 * 0.03 + 2000 * 0.03 * 0.03, run.get(*instance, "seen"), tol(1e-12));
}

// Hosts add up their steps; 0.1 ms is no binary number.
TEST(Sampling, DoesNotDriftAgainstTheHost) {
  ControllerRun run(kSmall);
  auto instance = run.start("u", 0);
  double t = 0;
  for (int i = 0; i < 100000; ++i) {
    ControllerRun::step(*instance, t, 1e-4);
    t += 1e-4;
    if (i % 100 == 99) {
      ASSERT_EQ((i + 1) / 100, run.get(*instance, "samples")) << i;
    }
  }
  EXPECT_NE(10.0, t);  // what it is about
}

TEST(Sampling, CountsFromTheStartTime) {
  ControllerRun run(kSmall);
  auto instance = run.fmu().instantiate();
  EXPECT_EQ(fmi2OK, instance->setup_experiment({}, 5.003, {}));
  EXPECT_EQ(fmi2OK, instance->enter_initialization_mode());
  EXPECT_EQ(fmi2OK, instance->exit_initialization_mode());
  ControllerRun::step(*instance, 5.003, 0.009);
  EXPECT_EQ(0, run.get(*instance, "samples"));
  ControllerRun::step(*instance, 5.012, 0.001);
  EXPECT_EQ(1, run.get(*instance, "samples"));
}

TEST(ControllerState, GoesBackAndForthToTheLastBit) {
  ControllerRun run(kPid);
  auto instance = run.start("e", 1);
  const auto go = [&](FmuInstance& on, int from, int to) {
    for (int k = from; k < to; ++k) {
      run.set(on, "e", signal(k));
      ControllerRun::step(on, k * 0.004, 0.004);  // in the middle of a sample
    }
  };
  go(*instance, 0, 31);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2OK, instance->get_state(state));
  const FmuFunctions& f = instance->functions();
  std::size_t size = 0;
  ASSERT_EQ(fmi2OK, f.SerializedFMUstateSize(instance->component(), state, &size));
  std::vector<fmi2Byte> bytes(size);
  ASSERT_EQ(fmi2OK, f.SerializeFMUstate(instance->component(), state, bytes.data(), size));
  go(*instance, 31, 90);
  const std::vector<double> reached = run.fmu().values(*instance);

  ASSERT_EQ(fmi2OK, instance->set_state(state));
  go(*instance, 31, 90);
  EXPECT_EQ(reached, run.fmu().values(*instance));

  auto other = run.start("e", 0);
  fmi2FMUstate copy = nullptr;
  ASSERT_EQ(fmi2OK, f.DeSerializeFMUstate(other->component(), bytes.data(), size, &copy));
  ASSERT_EQ(fmi2OK, other->set_state(copy));
  go(*other, 31, 90);
  EXPECT_EQ(reached, run.fmu().values(*other));

  ASSERT_EQ(fmi2OK, other->reset());
  EXPECT_EQ(fmi2OK, other->setup_experiment({}, 0, {}));
  EXPECT_EQ(fmi2OK, other->enter_initialization_mode());
  run.set(*other, "e", 1);
  EXPECT_EQ(fmi2OK, other->exit_initialization_mode());
  go(*other, 0, 90);
  EXPECT_EQ(reached, run.fmu().values(*other));
  instance->free_state(state);
  other->free_state(copy);
}

TEST(ControllerState, AStepThatFailsIsUndone) {
  ControllerRun run(R"xml(<controller name="Root" sample="10 ms">
    <input name="u" start="4"/> <expression name="r" value="sqrt(u)"/> <output name="y" value="r"/>
  </controller>)xml");
  auto instance = run.start("u", 4);
  run.set(*instance, "u", -1);
  EXPECT_EQ(fmi2Discard, instance->do_step(0, 0.01));
  EXPECT_EQ(2, run.get(*instance, "y"));
  run.set(*instance, "u", 9);
  EXPECT_EQ(fmi2OK, instance->do_step(0, 0.01));
  EXPECT_EQ(3, run.get(*instance, "y"));
}

TEST(ControllerInterface, OffersCoSimulationAndSaysWhatOutputsFollow) {
  ControllerRun run(kSmall);
  const ModelDescription& d = run.fmu().description();
  EXPECT_FALSE(d.model_exchange);
  EXPECT_FALSE(d.co_simulation->has_directional_derivative);
  EXPECT_EQ(0, d.co_simulation->max_output_derivative_order);
  EXPECT_EQ(std::optional(kSample), d.experiment.step);
  for (const FmuVariable& v : d.variables)
    EXPECT_EQ(v.causality == FmuVariable::Causality::output ||
                  v.causality == FmuVariable::Causality::local,
              v.variability == FmuVariable::Variability::discrete)
        << v.name;
  const auto reads_u = [&](const std::vector<FmuUnknown>& list, const std::string& name) {
    for (const FmuUnknown& unknown : list)
      if (d.variables[static_cast<std::size_t>(unknown.variable)].name == name)
        return unknown.depends_on_all ||
               std::any_of(unknown.depends_on.begin(), unknown.depends_on.end(), [&](int i) {
                 return d.variables[static_cast<std::size_t>(i)].name == "u";
               });
    return false;
  };
  EXPECT_TRUE(reads_u(d.outputs, "y"));
  EXPECT_FALSE(reads_u(d.outputs, "samples"));
  EXPECT_TRUE(reads_u(d.initial_unknowns, "seen"));
  EXPECT_FALSE(reads_u(d.initial_unknowns, "samples"));
  // model exchange is refused with a reason
  fmi2CallbackFunctions callbacks{&be_silent, std::calloc, std::free, nullptr, nullptr};
  EXPECT_EQ(nullptr, run.fmu().fmu().library().functions().Instantiate(
                         "me", fmi2ModelExchange, d.guid.c_str(), "file:///", &callbacks, fmi2False,
                         fmi2False));
}

}  // namespace
}  // namespace mechfmu::testing
