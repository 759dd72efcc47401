// fmi2Get/Set/Free/Serialize/DeSerializeFMUstate. Reference: a run that is never interrupted, bit
// for bit.
#include "fmi/saved_state.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "host.hpp"

namespace mechfmu::test {
namespace {

using Bytes = std::vector<char>;

fmi2FMUstate save(Host& host) {
  fmi2FMUstate state = nullptr;
  EXPECT_EQ(fmi2OK, fmi2GetFMUstate(host, &state));
  return state;
}

Bytes serialize(Host& host, fmi2FMUstate state) {
  std::size_t size = 0;
  EXPECT_EQ(fmi2OK, fmi2SerializedFMUstateSize(host, state, &size));
  Bytes bytes(size);
  EXPECT_EQ(fmi2OK, fmi2SerializeFMUstate(host, state, bytes.data(), size));
  return bytes;
}

TEST(SavedState, ARunContinuesFromASavedStateBitForBit) {
  Host host;
  ASSERT_EQ(fmi2OK, host.set(kMass, 3));
  host.initialize();
  host.run(0, 0.01, 30);
  fmi2FMUstate state = save(host);
  const std::vector<double> expected = host.run(0.3, 0.01, 30);
  for (int i = 0; i < 3; ++i) {  // the state stays usable
    ASSERT_EQ(fmi2OK, fmi2SetFMUstate(host, state));
    EXPECT_TRUE(same_bits(expected, host.run(0.3, 0.01, 30)));
  }
}

TEST(SavedState, SerializedBytesContinueTheRunInAnotherInstance) {
  Host first;
  ASSERT_EQ(fmi2OK, first.set(kMass, 3));
  first.initialize();
  first.run(0, 0.01, 30);
  const Bytes bytes = serialize(first, save(first));
  const std::vector<double> expected = first.run(0.3, 0.01, 30);

  Host second;  // never initialized: progress comes with the state
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2OK, fmi2DeSerializeFMUstate(second, bytes.data(), bytes.size(), &state))
      << second.last_text();
  EXPECT_EQ(bytes, serialize(second, state));
  ASSERT_EQ(fmi2OK, fmi2SetFMUstate(second, state));
  EXPECT_EQ(3, second.get(kMass));
  EXPECT_TRUE(same_bits(expected, second.run(0.3, 0.01, 30)));
}

TEST(SavedState, ARunMayGoOnAsFarAsItsOwnHostSays) {
  Host first;
  ASSERT_EQ(fmi2OK, fmi2SetupExperiment(first, fmi2False, 0, 0, fmi2True, 0.1));
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(first));
  ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(first));
  first.run(0, 0.01, 10);
  const Bytes bytes = serialize(first, save(first));
  EXPECT_EQ(fmi2Error, fmi2DoStep(first, 0.1, 0.01, fmi2True));

  Host second;
  ASSERT_EQ(fmi2OK, fmi2SetupExperiment(second, fmi2False, 0, 0, fmi2True, 0.2));
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(second));
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2OK, fmi2DeSerializeFMUstate(second, bytes.data(), bytes.size(), &state));
  ASSERT_EQ(fmi2OK, fmi2SetFMUstate(second, state));
  EXPECT_EQ(fmi2OK, fmi2DoStep(second, 0.1, 0.1, fmi2True)) << second.last_text();
}

TEST(SavedState, EveryStateOfTheStateMachineIsRestored) {
  Host host;
  std::vector<fmi2FMUstate> states;
  const auto note = [&] { states.push_back(save(host)); };
  note();  // instantiated
  ASSERT_EQ(fmi2OK, fmi2SetupExperiment(host, fmi2False, 0, 2, fmi2True, 9));
  ASSERT_EQ(fmi2OK, fmi2EnterInitializationMode(host));
  note();
  ASSERT_EQ(fmi2OK, fmi2ExitInitializationMode(host));
  note();
  ASSERT_EQ(fmi2OK, host.set(kForce, 1e300));
  ASSERT_EQ(fmi2Discard, fmi2DoStep(host, 2, 1, fmi2True));
  note();
  ASSERT_EQ(fmi2OK, host.set(kForce, 0));
  ASSERT_EQ(fmi2OK, fmi2Terminate(host));
  note();

  const fmi::State expected[] = {fmi::kInstantiated, fmi::kInitializationMode, fmi::kStepComplete,
                                 fmi::kStepFailed, fmi::kTerminated};
  ASSERT_EQ(std::size(expected), states.size());
  for (std::size_t i : {4u, 0u, 3u, 1u, 2u}) {
    ASSERT_EQ(fmi2OK, fmi2SetFMUstate(host, states[i]));
    EXPECT_EQ(expected[i], host.instance().state());
  }
  // the last one is "step complete" at the start time, with the stop time that was set up
  EXPECT_EQ(fmi2Error, fmi2DoStep(host, 2, 8, fmi2True));
  EXPECT_EQ(fmi2OK, fmi2DoStep(host, 2, 1, fmi2True));
}

TEST(SavedState, ANonNullHandleIsReusedAndNotReplaced) {
  Host host;
  host.initialize();
  fmi2FMUstate state = save(host);
  const fmi2FMUstate first = state;
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0, 0.1, fmi2True));
  ASSERT_EQ(fmi2OK, fmi2GetFMUstate(host, &state));
  EXPECT_EQ(first, state);
  ASSERT_EQ(fmi2OK, fmi2DoStep(host, 0.1, 0.1, fmi2True));
  ASSERT_EQ(fmi2OK, fmi2SetFMUstate(host, state));
  EXPECT_EQ(fmi2OK, fmi2DoStep(host, 0.1, 0.1, fmi2True));
}

TEST(SavedState, FreeingSetsTheHandleToNullAndNullIsIgnored) {
  Host host;
  fmi2FMUstate a = save(host);
  fmi2FMUstate b = save(host);
  fmi2FMUstate c = save(host);
  for (fmi2FMUstate* state : {&b, &c, &a}) {
    EXPECT_EQ(fmi2OK, fmi2FreeFMUstate(host, state));
    EXPECT_EQ(nullptr, *state);
    EXPECT_EQ(fmi2OK, fmi2FreeFMUstate(host, state));
  }
  EXPECT_EQ(fmi2OK, fmi2FreeFMUstate(host, nullptr));
}

TEST(SavedState, AHandleThatIsNoneOfThisInstanceIsRefusedWithoutBeingRead) {
  Host host, other;
  host.initialize();
  fmi2FMUstate freed = save(host);
  const fmi2FMUstate stale = freed;
  ASSERT_EQ(fmi2OK, fmi2FreeFMUstate(host, &freed));
  const fmi2FMUstate bad[] = {nullptr, reinterpret_cast<fmi2FMUstate>(8), stale, save(other),
                              static_cast<fmi2Component>(host)};
  const std::string before = host.fingerprint();
  for (fmi2FMUstate state : bad) {
    std::size_t size = 77;
    char byte = 'x';
    EXPECT_EQ(fmi2Error, fmi2SetFMUstate(host, state));
    EXPECT_EQ(fmi2Error, fmi2SerializedFMUstateSize(host, state, &size));
    EXPECT_EQ(fmi2Error, fmi2SerializeFMUstate(host, state, &byte, 1));
    if (state) {
      fmi2FMUstate copy = state;
      EXPECT_EQ(fmi2Error, fmi2GetFMUstate(host, &copy));
      EXPECT_EQ(fmi2Error, fmi2FreeFMUstate(host, &copy));
      EXPECT_EQ(state, copy);
    }
    EXPECT_EQ(77u, size);
    EXPECT_EQ('x', byte);
  }
  EXPECT_EQ(fmi2Error, fmi2GetFMUstate(host, nullptr));
  EXPECT_EQ(before, host.fingerprint());
}

TEST(SavedState, WrongSizesAndNullPointersAreRefused) {
  Host host;
  const fmi2FMUstate state = save(host);
  Bytes bytes = serialize(host, state);
  Bytes untouched(bytes.size() + 1, 'x');
  for (std::size_t size : {std::size_t{0}, bytes.size() - 1, bytes.size() + 1}) {
    EXPECT_EQ(fmi2Error, fmi2SerializeFMUstate(host, state, untouched.data(), size));
    EXPECT_EQ(Bytes(bytes.size() + 1, 'x'), untouched);
  }
  fmi2FMUstate target = nullptr;
  EXPECT_EQ(fmi2Error, fmi2SerializedFMUstateSize(host, state, nullptr));
  EXPECT_EQ(fmi2Error, fmi2SerializeFMUstate(host, state, nullptr, bytes.size()));
  EXPECT_EQ(fmi2Error, fmi2DeSerializeFMUstate(host, nullptr, bytes.size(), &target));
  EXPECT_EQ(fmi2Error, fmi2DeSerializeFMUstate(host, bytes.data(), bytes.size(), nullptr));
  bytes.push_back(0);
  EXPECT_EQ(fmi2Error, fmi2DeSerializeFMUstate(host, bytes.data(), bytes.size(), &target));
  EXPECT_EQ(nullptr, target);
}

TEST(SavedState, TruncatedBytesAreRefusedAtEveryLength) {
  Host host;
  const Bytes bytes = serialize(host, save(host));
  fmi2FMUstate state = nullptr;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(fmi2Error, fmi2DeSerializeFMUstate(host, cut.data(), cut.size(), &state)) << size;
  }
  EXPECT_EQ(nullptr, state);
}

TEST(SavedState, AChangeOfAnyByteIsNoticedAndExplained) {
  Host host;
  host.initialize();
  const Bytes bytes = serialize(host, save(host));
  fmi2FMUstate state = nullptr;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit : {0, 7}) {
      Bytes damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      host.messages.clear();
      EXPECT_EQ(fmi2Error, fmi2DeSerializeFMUstate(host, damaged.data(), damaged.size(), &state))
          << i;
      EXPECT_EQ(1u, host.messages.size());
    }
  }
  EXPECT_EQ(nullptr, state);
}

TEST(SavedState, TheReasonSaysWhatIsWrongWithTheBytes) {
  Host host;
  const Bytes bytes = serialize(host, save(host));
  fmi2FMUstate state = nullptr;
  const auto reason = [&](std::size_t index, char value) {
    Bytes damaged = bytes;
    damaged[index] = value;
    EXPECT_EQ(fmi2Error, fmi2DeSerializeFMUstate(host, damaged.data(), damaged.size(), &state));
    return host.last_text();
  };
  EXPECT_NE(std::string::npos, reason(0, 'M').find("not a saved state"));
  EXPECT_NE(std::string::npos, reason(8, 9).find("version 9, expected 1"));
  EXPECT_NE(std::string::npos, reason(33, '7').find("belongs to the FMU '{7"));
  EXPECT_NE(std::string::npos, reason(bytes.size() - 1, 'x').find("damaged"));
}

// The checksum of the format (FNV-1a over everything, with its own field, bytes 24 to 31, taken as
// zero).
void sign(Bytes& bytes) {
  std::fill(bytes.begin() + 24, bytes.begin() + 32, '\0');
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::memcpy(bytes.data() + 24, &sum, sizeof(sum));
}

TEST(SavedState, BytesWithAGoodChecksumAndImpossibleContentsAreRefused) {
  Host host;
  Bytes bytes = serialize(host, save(host));
  const Bytes original = bytes;
  sign(bytes);
  ASSERT_EQ(original, bytes);  // the test signs as the FMU does

  const std::size_t progress_at = 96;
  fmi::Progress progress;
  std::memcpy(&progress, bytes.data() + progress_at, sizeof(progress));
  const auto read = [&](const fmi::Progress& changed) {
    std::memcpy(bytes.data() + progress_at, &changed, sizeof(changed));
    sign(bytes);
    fmi2FMUstate state = nullptr;
    return fmi2DeSerializeFMUstate(host, bytes.data(), bytes.size(), &state);
  };
  EXPECT_EQ(fmi2OK, read(progress));
  for (std::uint32_t state : {0u, 3u, 64u, 0xffffffffu}) {
    fmi::Progress changed = progress;
    changed.state = state;
    EXPECT_EQ(fmi2Error, read(changed)) << state;
  }
  fmi::Progress changed = progress;
  changed.time = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fmi2Error, read(changed));
  changed = progress;
  changed.last_step_status = 99;
  EXPECT_EQ(fmi2Error, read(changed));
}

TEST(SavedState, StatesThatAreNotFreedGoWithTheInstance) {
  // the sanitizers see the leak if they do not
  Host host;
  host.initialize();
  for (int i = 0; i < 10; ++i) save(host);
}

TEST(SavedState, AStateOutlivesAReset) {
  Host host;
  host.initialize();
  host.run(0, 0.01, 10);
  const fmi2FMUstate state = save(host);
  const std::vector<double> expected = host.run(0.1, 0.01, 10);
  ASSERT_EQ(fmi2OK, fmi2Reset(host));
  ASSERT_EQ(fmi2OK, fmi2SetFMUstate(host, state));
  EXPECT_TRUE(same_bits(expected, host.run(0.1, 0.01, 10)));
}

}  // namespace
}  // namespace mechfmu::test
