// Model exchange: modes, states, derivatives, projection at events; legality as in call_order.def.
#include <cmath>
#include <functional>

#include "host.hpp"

namespace mechfmu::test {
namespace {

struct ExchangeHost {
  Host host{"exchange", false, fmi2ModelExchange};

  void bring_into(char state) {
    if (state == 'I') return;
    ASSERT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2True, 1e-6, 0, fmi2False, 0));
    ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(host));
    if (state == 'M') return;
    ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(host));
    if (state == 'V') return;
    ASSERT_EQ(fmi2OK, fmi2EnterContinuousTimeMode(host));
    if (state == 'T') {
      ASSERT_EQ(fmi2OK, fmi2Terminate(host));
    }
  }
  std::vector<double> states() {
    std::vector<double> x(4);
    EXPECT_EQ(fmi2OK, fmi2GetContinuousStates(host, x.data(), 4)) << host.last_text();
    return x;
  }
  std::vector<double> derivatives() {
    std::vector<double> rates(4);
    EXPECT_EQ(fmi2OK, fmi2GetDerivatives(host, rates.data(), 4)) << host.last_text();
    return rates;
  }
  void set_states(const std::vector<double>& x) {
    ASSERT_EQ(fmi2OK, fmi2SetContinuousStates(host, x.data(), x.size())) << host.last_text();
  }
};

class Exchange : public ::testing::Test, protected ExchangeHost {};

TEST_F(Exchange, EveryCallIsAcceptedExactlyWhereTheTableSaysSo) {
  struct Call {
    const char* name;
    const char* legal;
    std::function<fmi2Status(Host&)> make;
  };
  const Call calls[] = {
      {"EnterEventMode", "VU", [](Host& h) { return fmi2EnterEventMode(h); }},
      {"NewDiscreteStates", "V",
       [](Host& h) {
         fmi2EventInfo info;
         return fmi2NewDiscreteStates(h, &info);
       }},
      {"EnterContinuousTimeMode", "V", [](Host& h) { return fmi2EnterContinuousTimeMode(h); }},
      {"CompletedIntegratorStep", "U",
       [](Host& h) {
         fmi2Boolean event, stop;
         return fmi2CompletedIntegratorStep(h, fmi2True, &event, &stop);
       }},
      {"SetTime", "IMVU", [](Host& h) { return fmi2SetTime(h, 0.5); }},
      {"SetContinuousStates", "MVU",
       [](Host& h) {
         const double x[4] = {0.5, -0.8, 0, 0};
         return fmi2SetContinuousStates(h, x, 4);
       }},
      {"GetDerivatives", "MVUT",
       [](Host& h) {
         double x[4];
         return fmi2GetDerivatives(h, x, 4);
       }},
      {"GetContinuousStates", "MVUT",
       [](Host& h) {
         double x[4];
         return fmi2GetContinuousStates(h, x, 4);
       }},
      {"GetNominals", "IMVUT",
       [](Host& h) {
         double x[4];
         return fmi2GetNominalsOfContinuousStates(h, x, 4);
       }},
      {"GetEventIndicators", "MVUT",
       [](Host& h) {
         double z;
         return fmi2GetEventIndicators(h, &z, 1);
       }},
      {"DoStep", "", [](Host& h) { return fmi2DoStep(h, 0, 0.01, fmi2True); }},
      {"GetRealOutputDerivatives", "T",
       [](Host& h) {
         const fmi2ValueReference reference = kX;
         const int order = 1;
         double value;
         return fmi2GetRealOutputDerivatives(h, &reference, 1, &order, &value);
       }},
      {"SetReal of a state", "VU", [](Host& h) { return h.set(kStateX, 0.4); }},
      {"SetReal of an input", "IMVU", [](Host& h) { return h.set(kForce, 0.4); }},
  };
  for (const Call& call : calls)
    for (const char* state = "IMVUT"; *state; ++state) {
      ExchangeHost fresh;
      fresh.bring_into(*state);
      const bool legal = std::strchr(call.legal, *state) != nullptr;
      EXPECT_EQ(legal ? fmi2OK : fmi2Error, call.make(fresh.host))
          << call.name << " in " << *state << ": " << fresh.host.last_text();
    }
}

// Reference: the pendulum's equations, m x'' = u - x lambda with lambda = (x u - m g y + m
// v^2)/L^2.
TEST_F(Exchange, DerivativesAreThoseOfTheEquations) {
  bring_into('U');
  set_states({0.6, -0.8, 0.8, 0.6});
  ASSERT_EQ(fmi2OK, host.set(kForce, 1.5));
  const double lambda = 0.6 * 1.5 - 2 * 9.81 * -0.8 + 2 * 1.0;
  const std::vector<double> rates = derivatives();
  EXPECT_DOUBLE_EQ(rates[0], 0.8);
  EXPECT_DOUBLE_EQ(rates[1], 0.6);
  EXPECT_NEAR(rates[2], (1.5 - 0.6 * lambda) / 2, 1e-12);
  EXPECT_NEAR(rates[3], -9.81 + 0.8 * lambda / 2, 1e-12);
  // the same numbers as variables
  EXPECT_EQ(host.get(kDerVx), rates[2]);
  EXPECT_EQ(host.get(kStateX), 0.6);
  EXPECT_EQ(host.get(kX), 0.6);
}

TEST_F(Exchange, NominalValuesAreThoseOfTheTable) {
  double x[4];
  ASSERT_EQ(fmi2OK, fmi2GetNominalsOfContinuousStates(host, x, 4));
  EXPECT_EQ(std::vector<double>(x, x + 4), (std::vector<double>{1, 1, 10, 10}));
}

// Off the rod's length the derivatives pull back: phi'' = -2 alpha phi' - alpha^2 phi, alpha = 10.
TEST_F(Exchange, ResidualsDecay) {
  bring_into('U');
  set_states({0.6, -0.81, 0.3, 0.2});
  const std::vector<double> rates = derivatives();
  const double phi = 0.5 * (0.36 + 0.6561 - 1), rate = 0.6 * 0.3 - 0.81 * 0.2;
  const double second = 0.09 + 0.04 + 0.6 * rates[2] - 0.81 * rates[3];
  EXPECT_NEAR(second, -20 * rate - 100 * phi, 1e-12);
}

TEST_F(Exchange, AskForAnEventAndProjectWhenTheConstraintsAreOff) {
  bring_into('U');
  set_states({0.6, -0.8, 0.8, 0.6});
  fmi2Boolean event = fmi2True, stop = fmi2True;
  ASSERT_EQ(fmi2OK, fmi2CompletedIntegratorStep(host, fmi2True, &event, &stop));
  EXPECT_EQ(event, fmi2False);
  EXPECT_EQ(stop, fmi2False);
  set_states({0.6, -0.801, 0.8, 0.6});  // |phi| = 8e-4 > 100 x 1e-6
  ASSERT_EQ(fmi2OK, fmi2CompletedIntegratorStep(host, fmi2True, &event, &stop));
  EXPECT_EQ(event, fmi2True);
  ASSERT_EQ(fmi2OK, fmi2EnterEventMode(host));
  fmi2EventInfo info;
  ASSERT_EQ(fmi2OK, fmi2NewDiscreteStates(host, &info));
  EXPECT_EQ(info.valuesOfContinuousStatesChanged, fmi2True);
  EXPECT_EQ(info.newDiscreteStatesNeeded, fmi2False);
  const std::vector<double> x = states();
  EXPECT_NEAR(x[0] * x[0] + x[1] * x[1], 1, 1e-11);
  EXPECT_NEAR(x[0] * x[2] + x[1] * x[3], 0, 1e-12);
  ASSERT_EQ(fmi2OK, fmi2NewDiscreteStates(host, &info));
  EXPECT_EQ(info.valuesOfContinuousStatesChanged, fmi2False);
}

// The wind where x < -0.9: its indicator is x + 0.9 but for a little, the force changes at events
// and not before. Reference: m x'' = u + wind - x lambda.
TEST_F(Exchange, AConditionChangesAtEventsOnly) {
  bring_into('U');
  const auto indicator = [&] {
    double z = 0;
    EXPECT_EQ(fmi2OK, fmi2GetEventIndicators(host, &z, 1)) << host.last_text();
    return z;
  };
  const auto expect_wind = [&](double x, double wind) {
    const double y = -std::sqrt(1 - x * x), lambda = x * wind - 2 * 9.81 * y;
    set_states({x, y, 0, 0});
    EXPECT_NEAR(derivatives()[2], (wind - x * lambda) / 2, 1e-9) << x;
    EXPECT_NEAR(indicator(), x + 0.9, 1e-9);
  };
  const auto pass_event = [&](bool changes) {
    fmi2EventInfo info;
    EXPECT_EQ(fmi2OK, fmi2EnterEventMode(host));
    EXPECT_EQ(fmi2OK, fmi2NewDiscreteStates(host, &info));
    EXPECT_EQ(info.newDiscreteStatesNeeded, fmi2False);
    EXPECT_EQ(info.valuesOfContinuousStatesChanged, changes ? fmi2True : fmi2False);
    EXPECT_EQ(info.nextEventTimeDefined, fmi2False);
    EXPECT_EQ(fmi2OK, fmi2EnterContinuousTimeMode(host));
  };
  expect_wind(-0.8, 0);
  expect_wind(-0.95, 0);  // a solver that tried too long a step
  pass_event(true);
  EXPECT_LT(indicator(), 0);
  expect_wind(-0.95, kWind);
  expect_wind(-0.85, kWind);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2OK, fmi2GetFMUstate(host, &state));
  pass_event(true);
  expect_wind(-0.85, 0);
  // at the place itself it is not zero, and does not change back
  set_states({-0.9, -std::sqrt(0.19), 0, 0});
  pass_event(false);
  const double z = indicator();
  EXPECT_NE(z, 0);
  pass_event(false);
  EXPECT_EQ(indicator(), z);
  // conditions are part of the state, also of an instance that never was initialized itself
  std::size_t size = 0;
  ASSERT_EQ(fmi2OK, fmi2SerializedFMUstateSize(host, state, &size));
  std::vector<char> bytes(size);
  ASSERT_EQ(fmi2OK, fmi2SerializeFMUstate(host, state, bytes.data(), size));
  ExchangeHost other;
  fmi2FMUstate copy = nullptr;
  ASSERT_EQ(fmi2OK, fmi2DeSerializeFMUstate(other.host, bytes.data(), size, &copy));
  ASSERT_EQ(fmi2OK, fmi2SetFMUstate(other.host, copy));
  ASSERT_EQ(fmi2OK, fmi2SetFMUstate(host, state));
  expect_wind(-0.85, kWind);
  other.set_states(states());
  EXPECT_EQ(other.derivatives(), derivatives());
}

// Derivatives that jump: solvers of hosts are started anew only if they are told.
TEST_F(Exchange, AJumpOfAnInputIsToldOnce) {
  bring_into('U');
  const auto changes = [&] {
    fmi2EventInfo info;
    EXPECT_EQ(fmi2OK, fmi2NewDiscreteStates(host, &info));
    return info.valuesOfContinuousStatesChanged == fmi2True;
  };
  ASSERT_EQ(fmi2OK, host.set(kForce, 1));  // a smooth input of a solver's trial states
  ASSERT_EQ(fmi2OK, fmi2EnterEventMode(host));
  EXPECT_FALSE(changes());
  ASSERT_EQ(fmi2OK, host.set(kForce, 1));
  EXPECT_FALSE(changes()) << "the same value";
  ASSERT_EQ(fmi2OK, host.set(kForce, 2));
  EXPECT_TRUE(changes());
  EXPECT_FALSE(changes()) << "once";
}

// A trial state of a solver that went too far: a shorter step may do.
TEST_F(Exchange, VariablesWithoutAValueAreDiscardedLikeDerivatives) {
  bring_into('U');
  set_states({1e200, 1e200, 1e200, 1e200});
  std::vector<double> rates(4);
  EXPECT_EQ(fmi2Discard, fmi2GetDerivatives(host, rates.data(), 4));
  const fmi2ValueReference reference = kTension;
  double value = 0;
  EXPECT_EQ(fmi2Discard, fmi2GetReal(host, &reference, 1, &value)) << host.last_text();
  set_states({0.6, -0.8, 0, 0});
  EXPECT_EQ(fmi2OK, fmi2GetReal(host, &reference, 1, &value)) << host.last_text();
}

// Classical Runge-Kutta steps made here against co-simulation with its own.
TEST_F(Exchange, AgreesWithCoSimulation) {
  bring_into('U');
  std::vector<double> x = states();
  const double h = 1e-3;
  const auto rates_at = [&](double t, const std::vector<double>& at) {
    EXPECT_EQ(fmi2OK, fmi2SetTime(host, t));
    set_states(at);
    return derivatives();
  };
  const auto shifted = [&](const std::vector<double>& k, double s) {
    std::vector<double> y = x;
    for (std::size_t i = 0; i < 4; ++i) y[i] += s * k[i];
    return y;
  };
  for (int n = 0; n < 1000; ++n) {
    const auto k1 = rates_at(n * h, x), k2 = rates_at((n + 0.5) * h, shifted(k1, h / 2)),
               k3 = rates_at((n + 0.5) * h, shifted(k2, h / 2)),
               k4 = rates_at((n + 1) * h, shifted(k3, h));
    for (std::size_t i = 0; i < 4; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    rates_at((n + 1) * h, x);
    fmi2Boolean event, stop;
    ASSERT_EQ(fmi2OK, fmi2CompletedIntegratorStep(host, fmi2True, &event, &stop));
    ASSERT_EQ(event, fmi2False);
  }
  Host other;
  other.initialize();
  for (int n = 0; n < 100; ++n) ASSERT_EQ(fmi2OK, fmi2DoStep(other, 0.01 * n, 0.01, fmi2True));
  EXPECT_NEAR(x[0], other.get(kX), 1e-8);
  EXPECT_NEAR(x[3], other.get(kVy), 1e-8);
}

TEST_F(Exchange, ARestoredStateContinuesBitForBit) {
  bring_into('U');
  set_states({0.6, -0.8, 0.8, 0.6});
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2OK, fmi2GetFMUstate(host, &state));
  const std::vector<double> before = derivatives();
  set_states({0.8, -0.6, 0, 0});
  ASSERT_EQ(fmi2OK, fmi2EnterEventMode(host));
  ASSERT_EQ(fmi2OK, fmi2SetFMUstate(host, state));
  EXPECT_EQ(before, derivatives());
  fmi2Boolean event, stop;  // and is in continuous-time mode again
  EXPECT_EQ(fmi2OK, fmi2CompletedIntegratorStep(host, fmi2True, &event, &stop));
  // not one of co-simulation
  Host other;
  other.initialize();
  std::size_t size = 0;
  ASSERT_EQ(fmi2OK, fmi2SerializedFMUstateSize(host, state, &size));
  std::vector<char> bytes(size);
  ASSERT_EQ(fmi2OK, fmi2SerializeFMUstate(host, state, bytes.data(), size));
  fmi2FMUstate foreign = nullptr;
  EXPECT_EQ(fmi2Error, fmi2DeSerializeFMUstate(other, bytes.data(), size, &foreign));
  EXPECT_NE(other.last_text().find("model exchange"), std::string::npos) << other.last_text();
}

TEST_F(Exchange, RefusesWrongCountsAndNumbers) {
  bring_into('U');
  double x[4] = {0.6, -0.8, std::nan(""), 0};
  EXPECT_EQ(fmi2Error, fmi2SetContinuousStates(host, x, 3));
  EXPECT_EQ(fmi2Error, fmi2GetDerivatives(host, nullptr, 4));
  EXPECT_EQ(fmi2Error, fmi2GetEventIndicators(host, x, 2));
  EXPECT_NE(host.last_text().find("there are 1, not 2"), std::string::npos) << host.last_text();
  EXPECT_EQ(fmi2Error, fmi2GetEventIndicators(host, x, 0));
  EXPECT_EQ(fmi2Error, fmi2GetEventIndicators(host, nullptr, 1));
  const std::vector<double> before = states();
  EXPECT_EQ(fmi2Discard, fmi2SetContinuousStates(host, x, 4));
  EXPECT_EQ(before, states());
  EXPECT_EQ(fmi2Discard, fmi2SetTime(host, std::nan("")));
}

// Reference: the pendulum's closed form.
TEST(DirectionalDerivative, IsThatOfTheEquations) {
  Host host;
  host.initialize();
  const fmi2ValueReference force = kForce, state = kStateVx, ax = kAx, tension = kTension;
  const double one = 1;
  double result = 0;
  const double x = host.get(kX), y = host.get(kY);
  // d(x'')/du = (1 - x^2 / L^2) / m
  ASSERT_EQ(fmi2OK, fmi2GetDirectionalDerivative(host, &ax, 1, &force, 1, &one, &result));
  EXPECT_NEAR(result, (1 - x * x) / 2, 1e-12);
  ASSERT_EQ(fmi2OK, fmi2GetDirectionalDerivative(host, &tension, 1, &force, 1, &one, &result));
  EXPECT_NEAR(result, x, 1e-12);
  // lambda has m v^2 / L^2
  ASSERT_EQ(fmi2OK, fmi2GetDirectionalDerivative(host, &tension, 1, &state, 1, &one, &result));
  EXPECT_NEAR(result, 2 * 2 * host.get(kVx), 1e-12);
  // d y / dt = vy, and of the tension
  const int order = 1;
  const fmi2ValueReference yref = kY;
  ASSERT_EQ(fmi2OK, fmi2GetRealOutputDerivatives(host, &yref, 1, &order, &result));
  EXPECT_EQ(result, host.get(kVy));
  EXPECT_LT(y, 0);
  // what is not offered
  const int second = 2;
  EXPECT_EQ(fmi2Error, fmi2GetRealOutputDerivatives(host, &yref, 1, &second, &result));
  const fmi2ValueReference mass = kMass;
  EXPECT_EQ(fmi2Error, fmi2GetDirectionalDerivative(host, &ax, 1, &mass, 1, &one, &result));
  EXPECT_NE(host.last_text().find("'mass' is not a known here"), std::string::npos);
  EXPECT_EQ(fmi2Error, fmi2GetDirectionalDerivative(host, &mass, 1, &force, 1, &one, &result));
}

// In initialization mode y = -sqrt(L^2 - x0^2) follows the start and the length.
TEST(DirectionalDerivative, GoesThroughTheAssemblyInInitializationMode) {
  Host host;
  ASSERT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2False, 0, 0, fmi2False, 0));
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(host));
  const fmi2ValueReference start = kStartX, length = kLength, y = kY;
  const double one = 1;
  double result = 0;
  const double slope = 0.5 / std::sqrt(0.75);
  ASSERT_EQ(fmi2OK, fmi2GetDirectionalDerivative(host, &y, 1, &start, 1, &one, &result));
  EXPECT_NEAR(result, slope, 1e-10);
  ASSERT_EQ(fmi2OK, fmi2GetDirectionalDerivative(host, &y, 1, &length, 1, &one, &result));
  EXPECT_NEAR(result, -1 / std::sqrt(0.75), 1e-10);
}

// A tunable parameter takes effect with the next step; positions do not jump.
TEST(TunableParameter, TakesEffectWithoutAJump) {
  Host host;
  host.initialize();
  host.run(0, 0.01, 10);
  const double x = host.get(kX), y = host.get(kY), ax = host.get(kAx);
  ASSERT_EQ(fmi2OK, host.set(kGravity, 1.62));
  EXPECT_EQ(host.get(kX), x);
  EXPECT_EQ(host.get(kY), y);
  EXPECT_NE(host.get(kAx), ax);
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0.1, 0.01, fmi2True));
  EXPECT_NEAR(host.get(kX), x + 0.01 * host.get(kVx), 1e-3);
  EXPECT_EQ(fmi2Error, host.set(kLength, 1.1));  // geometry is fixed
}

}  // namespace
}  // namespace mechfmu::test
