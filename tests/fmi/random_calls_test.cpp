// Calls in no sensible order, in co-simulation and in model exchange, legal and illegal, with good
// and bad arguments; fixed seeds. Reference: a model of the state machine kept beside it. What must
// hold after every call: the status is one that the call may return, a refused call changed
// nothing, and the instance is never stuck.
#include <algorithm>
#include <limits>
#include <random>

#include "host.hpp"

namespace mechfmu::test {
namespace {

class Player {
 public:
  Player(unsigned seed, fmi2Type type) : random_(seed), host_{"random", true, type} {}

  void play(int calls) {
    for (int i = 0; i < calls && !::testing::Test::HasFailure(); ++i) {
      const std::string before = host_.fingerprint();
      const int call = pick(34);
      const fmi2Status status = make(call);
      ++seen_[status];
      ASSERT_LE(status, fmi2Error) << call;
      if (status == fmi2Error) {
        // a getter in initialization mode may have tried to assemble, and one of computed values
        // may have brought some of them up to date before others failed: no change that a host can
        // see
        const bool computes = call == 10 || call == 11 || call == 20 || call == 21 || call >= 29;
        if (host_.instance().state() != fmi::kInitializationMode && !computes) {
          ASSERT_EQ(before, host_.fingerprint()) << "call " << i << " kind " << call;
        }
        ASSERT_FALSE(host_.messages.empty());
      }
      ASSERT_TRUE(fmi::is_valid(host_.instance().state()));
      host_.messages.clear();
    }
  }

  // The instance can still do what it is there for.
  void check_alive() {
    ASSERT_EQ(fmi2OK, fmi2Reset(host_));
    host_.initialize();
    if (host_.instance().progress.exchange) {
      double rates[4];
      EXPECT_EQ(fmi2OK, fmi2GetDerivatives(host_, rates, 4));
      return;
    }
    Host fresh;
    fresh.initialize();
    EXPECT_TRUE(same_bits(fresh.run(0, 0.01, 10), host_.run(0, 0.01, 10)));
  }

  int seen_[6] = {};

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  fmi2ValueReference pick_reference(int n) { return static_cast<fmi2ValueReference>(pick(n)); }

  double pick_number() {
    switch (pick(8)) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return 1e300;
      case 3:
        return -1;
      case 4:
        return 0;
      default:
        return 0.01 * pick(100);
    }
  }

  fmi2Status set_real() {
    fmi2ValueReference references[3];
    double values[3];
    const int n = 1 + pick(3);
    for (int i = 0; i < n; ++i) {
      references[i] = pick(3) ? fmi2ValueReference{kForce} : pick_reference(kRealCount + 1);
      values[i] = pick_number();
    }
    return fmi2SetReal(host_, references, static_cast<std::size_t>(n), values);
  }

  fmi2Status step() {
    double t = host_.instance().progress.time;
    if (pick(8) == 0) t += pick_number();
    static constexpr double kSizes[] = {1e-16, 1e-9, 1e-3, 0.01, 0.02, 0.05, 0, -1};
    return fmi2DoStep(host_, t, pick(4) ? 0.01 : kSizes[pick(8)], pick(2));
  }

  fmi2Status make(int call) {
    fmi2FMUstate& slot = states_[pick(4)];
    switch (call) {
      case 0:
        return fmi2SetupExperiment(host_, pick(2), pick_number(), pick_number(), pick(2),
                                   pick_number());
      case 1:
      case 2:
        return fmi2EnterInitializationMode(host_);
      case 3:
      case 4:
        return fmi2ExitInitializationMode(host_);
      case 5:
        return pick(10) ? fmi2OK : fmi2Terminate(host_);
      case 6:
        return pick(5) ? fmi2OK : fmi2Reset(host_);
      case 7:
      case 8:
      case 9:
        return set_real();
      case 10:
      case 11: {
        const fmi2ValueReference reference = pick_reference(kRealCount + 1);
        double value;
        return fmi2GetReal(host_, &reference, 1, &value);
      }
      case 12: {
        const fmi2ValueReference reference = pick_reference(kIntegerCount + 1);
        const int value = pick(5);
        return fmi2SetInteger(host_, &reference, 1, &value);
      }
      case 13:
        return fmi2GetFMUstate(host_, &slot);
      case 14:
        return fmi2SetFMUstate(host_, slot);
      case 15:
        return fmi2FreeFMUstate(host_, &slot);
      case 16:
        return copy_through_bytes(slot);
      case 17: {
        const fmi2String names[] = {"logEvents", "logAll", "nonsense"};
        fmi2SetDebugLogging(host_, pick(2), 1, names + pick(3));
        return fmi2SetDebugLogging(host_, fmi2True, 0, nullptr);
      }
      case 18: {
        double value;
        return fmi2GetRealStatus(host_, static_cast<fmi2StatusKind>(pick(4)), &value);
      }
      case 19:
        return fmi2CancelStep(host_);
      case 20: {
        const fmi2ValueReference unknown = pick_reference(kRealCount + 1),
                                 known = pick_reference(kRealCount + 1);
        const double change = pick_number();
        double result;
        return fmi2GetDirectionalDerivative(host_, &unknown, 1, &known, 1, &change, &result);
      }
      case 21: {
        const fmi2ValueReference reference = pick_reference(kRealCount + 1);
        const int order = pick(3);
        double result;
        return fmi2GetRealOutputDerivatives(host_, &reference, 1, &order, &result);
      }
      case 22: {
        const fmi2ValueReference reference = pick(2) ? kForce : pick_reference(kRealCount + 1);
        const int order = pick(4);
        const double value = pick_number();
        return fmi2SetRealInputDerivatives(host_, &reference, 1, &order, &value);
      }
      case 23:
        return fmi2EnterEventMode(host_);
      case 24: {
        fmi2EventInfo info;
        return fmi2NewDiscreteStates(host_, pick(5) ? &info : nullptr);
      }
      case 25:
      case 26:
        return fmi2EnterContinuousTimeMode(host_);
      case 27: {
        fmi2Boolean event, stop;
        return fmi2CompletedIntegratorStep(host_, pick(2), &event, pick(5) ? &stop : nullptr);
      }
      case 28:
        return fmi2SetTime(host_, pick_number());
      case 29:
      case 30:
        return exchange_states();
      default:
        return step();
    }
  }

  fmi2Status exchange_states() {
    double x[4];
    const auto count = static_cast<std::size_t>(pick(6) ? 4 : pick(6));
    const auto given = std::min<std::size_t>(count, 4);
    switch (pick(5)) {
      case 4:
        return fmi2GetEventIndicators(host_, x, static_cast<std::size_t>(pick(6) ? 1 : pick(6)));
      case 0:
        for (double& value : x) value = pick_number();
        return fmi2SetContinuousStates(host_, x, given);
      case 1:
        return fmi2GetDerivatives(host_, x, given);
      case 2:
        return fmi2GetNominalsOfContinuousStates(host_, x, given);
      default:
        return fmi2GetContinuousStates(host_, x, given);
    }
  }

  fmi2Status copy_through_bytes(fmi2FMUstate& slot) {
    std::size_t size = 0;
    const fmi2Status status = fmi2SerializedFMUstateSize(host_, slot, &size);
    if (status != fmi2OK) return status;
    std::vector<char> bytes(size);
    EXPECT_EQ(fmi2OK, fmi2SerializeFMUstate(host_, slot, bytes.data(), size));
    const bool damage = pick(2) == 0;
    if (damage) bytes[static_cast<std::size_t>(pick(static_cast<int>(size)))] ^= 0x10;
    fmi2FMUstate copy = nullptr;
    const fmi2Status read = fmi2DeSerializeFMUstate(host_, bytes.data(), size, &copy);
    EXPECT_EQ(damage ? fmi2Error : fmi2OK, read);
    if (copy) {
      EXPECT_EQ(fmi2OK, fmi2FreeFMUstate(host_, &copy));
    }
    return read;
  }

  std::mt19937 random_;
  Host host_;
  fmi2FMUstate states_[4] = {};
};

TEST(RandomCalls, NoSequenceBreaksTheInstance) {
  for (const fmi2Type type : {fmi2CoSimulation, fmi2ModelExchange}) {
    Player player(20240607, type);
    player.play(50000);
    player.check_alive();
    // the sequence reached what it was meant to reach
    EXPECT_GT(player.seen_[fmi2OK], 5000);
    EXPECT_GT(player.seen_[fmi2Discard], 100);
    EXPECT_GT(player.seen_[fmi2Error], 5000);
  }
}

// A hundred thousand lives, each with its own seed: instantiated, called at random, freed.
TEST(RandomCalls, NoneOfAHundredThousandShortSequencesBreaksAnInstance) {
  int seen[6] = {};
  for (unsigned seed = 1; seed <= 100000 && !HasFailure(); ++seed) {
    Player player(seed, seed % 2 == 0 ? fmi2CoSimulation : fmi2ModelExchange);
    player.play(24);
    for (int i = 0; i < 6; ++i) seen[i] += player.seen_[i];
    if (HasFailure()) ADD_FAILURE() << "seed " << seed;
  }
  EXPECT_GT(seen[fmi2OK], 200000);
  EXPECT_GT(seen[fmi2Discard], 1000);
  EXPECT_GT(seen[fmi2Error], 200000);
  EXPECT_EQ(seen[fmi2Fatal] + seen[fmi2Pending], 0);
}

}  // namespace
}  // namespace mechfmu::test
