// Rollback, as adaptive masters and MasterSim do it: repeated steps, half steps, states saved,
// restored and serialised at random.
#include <random>

#include "fmu/built_fmu.hpp"

namespace mechfmu::testing {
namespace {

constexpr double kStep = 0.01;

fmi2Status get_state(FmuInstance& instance, fmi2FMUstate& state) {
  return instance.functions().GetFMUstate(instance.component(), &state);
}
fmi2Status set_state(FmuInstance& instance, fmi2FMUstate state) {
  return instance.functions().SetFMUstate(instance.component(), state);
}
fmi2Status free_state(FmuInstance& instance, fmi2FMUstate& state) {
  return instance.functions().FreeFMUstate(instance.component(), &state);
}

TEST(Rollback, TheSameStepAfterARestoreGivesTheSameBits) {
  for (const char* example : {"four_bar", "bricard", "towed_ship"}) {
    BuiltFmu built(example_text(example));
    const auto instance = built.start();
    BuiltFmu::run(*instance, 0, kStep, 10);
    fmi2FMUstate state = nullptr;
    ASSERT_EQ(get_state(*instance, state), fmi2OK);
    ASSERT_EQ(instance->do_step(10 * kStep, kStep), fmi2OK);
    const std::vector<double> first = built.values(*instance);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(set_state(*instance, state), fmi2OK);
      ASSERT_EQ(instance->do_step(10 * kStep, kStep), fmi2OK);
      EXPECT_EQ(built.values(*instance), first) << example;
    }
    ASSERT_EQ(free_state(*instance, state), fmi2OK);
  }
}

// Two half steps after a rollback are those of a run that never did anything else, and agree with
// the whole step to the error of the method.
TEST(Rollback, HalfStepsAreThoseOfARunWithHalfSteps) {
  BuiltFmu built(example_text("four_bar"));
  const auto instance = built.start();
  fmi2FMUstate state = nullptr;
  const auto halves = built.start();
  for (int i = 0; i < 10; ++i) {
    const double t = i * kStep;
    ASSERT_EQ(get_state(*instance, state), fmi2OK);
    ASSERT_EQ(instance->do_step(t, kStep), fmi2OK);
    const std::vector<double> whole = built.values(*instance);
    ASSERT_EQ(set_state(*instance, state), fmi2OK);
    for (const auto* side : {&instance, &halves})
      for (int half = 0; half < 2; ++half)
        ASSERT_EQ((*side)->do_step(t + half * kStep / 2, kStep / 2), fmi2OK);
    const std::vector<double> parts = built.values(*instance);
    EXPECT_EQ(parts, built.values(*halves)) << i;
    for (std::size_t k = 0; k < whole.size(); ++k)
      EXPECT_NEAR(parts[k], whole[k], tol(1e-6) * (1 + std::fabs(whole[k])));
  }
  ASSERT_EQ(free_state(*instance, state), fmi2OK);
}

// Ten thousand operations on saved states in the middle of a run change nothing of it.
TEST(Rollback, RandomOperationsOnStatesChangeNothing) {
  BuiltFmu built(example_text("four_bar"));
  const auto instance = built.start(), reference = built.start();
  std::mt19937 random(7);
  std::vector<fmi2FMUstate> states(4, nullptr);
  for (int i = 0; i < 100; ++i) {
    fmi2FMUstate here = nullptr;
    ASSERT_EQ(get_state(*instance, here), fmi2OK);
    for (int k = 0; k < 100; ++k) {
      fmi2FMUstate& slot = states[random() % 4];
      switch (random() % 5) {
        case 0:
          ASSERT_EQ(get_state(*instance, slot), fmi2OK);
          break;
        case 1:
          if (slot != nullptr) {
            ASSERT_EQ(set_state(*instance, slot), fmi2OK);
          }
          break;
        case 2:
          if (slot != nullptr) {
            ASSERT_EQ(free_state(*instance, slot), fmi2OK);
          }
          slot = nullptr;
          break;
        case 3:
          if (slot != nullptr) {
            std::size_t size = 0;
            const auto& f = instance->functions();
            ASSERT_EQ(f.SerializedFMUstateSize(instance->component(), slot, &size), fmi2OK);
            std::vector<char> bytes(size);
            ASSERT_EQ(f.SerializeFMUstate(instance->component(), slot, bytes.data(), size), fmi2OK);
            fmi2FMUstate copy = nullptr;
            ASSERT_EQ(f.DeSerializeFMUstate(instance->component(), bytes.data(), size, &copy),
                      fmi2OK);
            ASSERT_EQ(free_state(*instance, slot), fmi2OK);
            slot = copy;
          }
          break;
        default:
          instance->do_step(i * kStep, kStep / 3);  // refused where the clock is elsewhere
          break;
      }
    }
    ASSERT_EQ(set_state(*instance, here), fmi2OK);
    ASSERT_EQ(free_state(*instance, here), fmi2OK);
    ASSERT_EQ(instance->do_step(i * kStep, kStep), fmi2OK);
    ASSERT_EQ(reference->do_step(i * kStep, kStep), fmi2OK);
    ASSERT_EQ(built.values(*instance), built.values(*reference)) << i;
  }
}

}  // namespace
}  // namespace mechfmu::testing
