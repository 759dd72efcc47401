// Twenty thousand calls in no sensible order, legal and illegal, with good and bad arguments; fixed
// seed. Reference: a model of the state machine kept beside it. What must hold after every call:
// the status is one that the call may return, a refused call changed nothing, and the instance is
// never stuck.
#include <limits>
#include <random>

#include "host.hpp"

namespace mechfmu::test {
namespace {

class Player {
 public:
  explicit Player(unsigned seed) : random_(seed) {}

  void play(int calls) {
    for (int i = 0; i < calls && !::testing::Test::HasFailure(); ++i) {
      const std::string before = host_.fingerprint();
      const int call = pick(24);
      const fmi2Status status = make(call);
      ++seen_[status];
      ASSERT_LE(status, fmi2Error) << call;
      if (status == fmi2Error) {
        // a getter in initialization mode may have tried to assemble: that is no change that a host
        // can see
        if (host_.instance().state() != fmi::kInitializationMode) {
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
      default:
        return step();
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
  Host host_{"random", true};
  fmi2FMUstate states_[4] = {};
};

TEST(RandomCalls, NoSequenceBreaksTheInstance) {
  Player player(20240607);
  player.play(20000);
  player.check_alive();
  // the sequence reached what it was meant to reach
  EXPECT_GT(player.seen_[fmi2OK], 3000);
  EXPECT_GT(player.seen_[fmi2Discard], 100);
  EXPECT_GT(player.seen_[fmi2Error], 3000);
}

}  // namespace
}  // namespace mechfmu::test
