// What a host relies on, on the real four-bar FMU: independent instances, complete states,
// parameters that mean what they say, exact dependencies, reproducible bytes.
#include "fmu/built_fmu.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace mechfmu::testing {
namespace {

constexpr double kStep = 0.01;

std::vector<char> serialise(FmuInstance& instance) {
  const FmuFunctions& f = instance.functions();
  fmi2FMUstate state = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(f.GetFMUstate(instance.component(), &state), fmi2OK);
  EXPECT_EQ(f.SerializedFMUstateSize(instance.component(), state, &size), fmi2OK);
  std::vector<char> bytes(size);
  EXPECT_EQ(f.SerializeFMUstate(instance.component(), state, bytes.data(), size), fmi2OK);
  EXPECT_EQ(f.FreeFMUstate(instance.component(), &state), fmi2OK);
  return bytes;
}

void deserialise(FmuInstance& instance, const std::vector<char>& bytes) {
  const FmuFunctions& f = instance.functions();
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(f.DeSerializeFMUstate(instance.component(), bytes.data(), bytes.size(), &state),
            fmi2OK);
  ASSERT_EQ(f.SetFMUstate(instance.component(), state), fmi2OK);
  ASSERT_EQ(f.FreeFMUstate(instance.component(), &state), fmi2OK);
}

TEST(BuiltFmu, TakesLessThanThreeSecondsOfProcessorTime) {
  BuiltFmu built(example_text("four_bar"));
  EXPECT_LT(built.build().cpu_seconds, 3.0);
}

TEST(BuiltFmu, HasTheSameBytesWhenBuiltAgainElsewhere) {
  BuiltFmu first(example_text("four_bar")), second(example_text("four_bar"));
  ASSERT_NE(first.path(), second.path());
  const auto bytes = [](const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(bytes(first.path()), bytes(second.path()));
}

TEST(BuiltFmu, HasAnotherGuidWhenAnythingThatMattersChanges) {
  std::string heavier = example_text("four_bar");
  heavier.replace(heavier.find("mass=\"0.4\""), 10, "mass=\"0.5\"");
  BuiltFmu first(example_text("four_bar")), second(heavier);
  EXPECT_NE(first.build().guid, second.build().guid);
}

TEST(BuiltFmu, TwoInterleavedInstancesEqualTwoRunAlone) {
  BuiltFmu built(example_text("four_bar"));
  const auto run = [&](FmuInstance& instance, int i) {
    ASSERT_EQ(instance.set_real({built.reference("tau")}, {0.1 * i}), fmi2OK);
    ASSERT_EQ(instance.do_step(i * kStep, kStep), fmi2OK);
  };
  const auto alone = built.start("alone");
  for (int i = 0; i < 50; ++i) run(*alone, i);
  const auto a = built.start("a");
  const auto b = built.start("b");
  for (int i = 0; i < 50; ++i) {
    run(*a, i);
    ASSERT_EQ(b->do_step(i * kStep, kStep), fmi2OK);
  }
  EXPECT_EQ(built.values(*a), built.values(*alone));
  EXPECT_NE(built.values(*b), built.values(*alone));  // it had no torque
}

TEST(BuiltFmu, ContinuesBitForBitFromASavedState) {
  BuiltFmu built(example_text("four_bar"));
  const auto instance = built.start();
  const FmuFunctions& f = instance->functions();
  BuiltFmu::run(*instance, 0, kStep, 30);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(f.GetFMUstate(instance->component(), &state), fmi2OK);
  BuiltFmu::run(*instance, 30, kStep, 30);
  const std::vector<double> straight = built.values(*instance);
  ASSERT_EQ(f.SetFMUstate(instance->component(), state), fmi2OK);
  BuiltFmu::run(*instance, 30, kStep, 30);
  EXPECT_EQ(built.values(*instance), straight);
  EXPECT_EQ(f.FreeFMUstate(instance->component(), &state), fmi2OK);
}

TEST(BuiltFmu, SerialisedStateContinuesInAnotherProcess) {
  BuiltFmu built(example_text("four_bar"));
  const auto straight = built.start();
  BuiltFmu::run(*straight, 0, kStep, 60);

  int channel[2];
  ASSERT_EQ(pipe(channel), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // its own copy of the library and of everything in it
    const auto first = built.start();
    BuiltFmu::run(*first, 0, kStep, 30);
    const std::vector<char> bytes = serialise(*first);
    const bool written =
        write(channel[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    _exit(written ? 0 : 1);
  }
  close(channel[1]);
  std::vector<char> bytes(1 << 20);
  std::size_t size = 0;
  for (ssize_t got = 0; (got = read(channel[0], bytes.data() + size, bytes.size() - size)) > 0;)
    size += static_cast<std::size_t>(got);
  close(channel[0]);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  bytes.resize(size);

  const auto second = built.instantiate("second");
  deserialise(*second, bytes);
  BuiltFmu::run(*second, 30, kStep, 30);
  EXPECT_EQ(built.values(*second), built.values(*straight));
}

// Reference: the FMU rebuilt with the value in its file.
class ParameterChange : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(When, ParameterChange, ::testing::Bool(), [](const auto& test) {
  return test.param ? "InInitializationMode" : "BeforeInitializationMode";
});

TEST_P(ParameterChange, EqualsRebuildingWithThatValue) {
  std::string text = example_text("four_bar");
  const auto replace = [](std::string in, const std::string& what, const std::string& by) {
    const std::size_t place = in.find(what);
    EXPECT_NE(place, std::string::npos) << what;
    return in.replace(place, what.size(), by);
  };
  // a mass, a length and a start value, all three parameters of the FMU
  text = replace(text, "mass=\"0.4\"", "mass=\"crank_mass\"");
  text = replace(text, "<parameter name=\"crank\"",
                 "<parameter name=\"crank_mass\" value=\"0.4 kg\"/>\n  <parameter name=\"crank\"");
  std::string changed = replace(text, "value=\"0.4 kg\"", "value=\"0.7 kg\"");
  changed = replace(changed, "value=\"0.12 m\"", "value=\"0.11 m\"");
  changed = replace(changed, "position=\"60 deg\"", "position=\"1.2\"");

  BuiltFmu original(text), rebuilt(changed);
  const auto instance = original.instantiate();
  ASSERT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
  if (GetParam()) {
    ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
    original.values(*instance);  // computed once with the old values
  }
  ASSERT_EQ(instance->set_real({original.reference("crank_mass"), original.reference("crank"),
                                original.reference("start.A.position")},
                               {0.7, 0.11, 1.2}),
            fmi2OK);
  if (!GetParam()) {
    ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
  }
  ASSERT_EQ(instance->exit_initialization_mode(), fmi2OK);
  const auto reference = rebuilt.start();
  EXPECT_EQ(original.values(*instance), rebuilt.values(*reference));
  BuiltFmu::run(*instance, 0, kStep, 50);
  BuiltFmu::run(*reference, 0, kStep, 50);
  EXPECT_EQ(original.values(*instance), rebuilt.values(*reference));
}

TEST(BuiltFmu, OnlyAccelerationsAndReactionsDependOnTheTorque) {
  BuiltFmu built(example_text("four_bar"));
  const ModelDescription& d = built.description();
  for (const FmuUnknown& output : d.outputs) {
    const std::string& name = d.variables[static_cast<std::size_t>(output.variable)].name;
    ASSERT_FALSE(output.depends_on_all) << name;
    const auto inputs = std::count_if(
        output.depends_on.begin(), output.depends_on.end(),
        [&](int known) { return d.variables[static_cast<std::size_t>(known)].name == "tau"; });
    EXPECT_EQ(inputs, name == "pin_load" ? 1 : 0) << name;
  }
}

TEST(BuiltFmu, ThatCannotBeAssembledSaysWhichJointAndStaysUsable) {
  BuiltFmu built(example_text("four_bar"));
  const auto instance = built.instantiate();
  ASSERT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
  ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
  ASSERT_EQ(instance->set_real({built.reference("base")}, {3.0}),
            fmi2OK);  // three metres apart: nothing reaches
  EXPECT_EQ(instance->exit_initialization_mode(), fmi2Error);
  EXPECT_NE(instance->last_message().find("joint '"), std::string::npos)
      << instance->last_message();
  ASSERT_EQ(instance->set_real({built.reference("base")}, {0.3}), fmi2OK);
  EXPECT_EQ(instance->exit_initialization_mode(), fmi2OK);
  BuiltFmu::run(*instance, 0, kStep, 10);
  const auto fresh = built.start();
  BuiltFmu::run(*fresh, 0, kStep, 10);
  EXPECT_EQ(built.values(*instance), built.values(*fresh));
}

}  // namespace
}  // namespace mechfmu::testing
