// What an FMU leaves behind in the process of its host: nothing.
#include <unistd.h>

#include <fstream>

#include "fmu/built_fmu.hpp"
#include "support/run_program.hpp"

namespace mechfmu::testing {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;  // has a heap of its own
#else
constexpr bool kSanitized = false;
#endif

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Loaded, instantiated, run, saved, freed, unloaded: 20 rounds to warm up, 300 that must not grow.
TEST(Memory, LoadingAndUnloadingDoesNotGrow) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer keeps freed memory for a while";
  const BuiltFmu built(example_text("four_bar"));
  const auto round = [&] {
    Diagnostics diagnostics;
    const auto library =
        FmuLibrary::load(built.fmu().folder(), built.description().co_simulation->model_identifier,
                         "again", diagnostics);
    ASSERT_NE(library, nullptr);
    for (int k = 0; k < 3; ++k) {
      FmuInstanceOptions options;
      options.guid = built.description().guid;
      const auto instance = FmuInstance::make(*library, options);
      ASSERT_NE(instance, nullptr);
      ASSERT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
      ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
      ASSERT_EQ(instance->exit_initialization_mode(), fmi2OK);
      fmi2FMUstate state = nullptr;
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(instance->do_step(i * 0.01, 0.01), fmi2OK);
        ASSERT_EQ(instance->functions().GetFMUstate(instance->component(), &state), fmi2OK);
        if (i != 1) continue;  // a state that the host does not free goes with the instance
        ASSERT_EQ(instance->functions().FreeFMUstate(instance->component(), &state), fmi2OK);
      }
      EXPECT_EQ(instance->do_step(-1, 0.01), fmi2Error);  // with a message
      if (k == 1) {
        EXPECT_EQ(instance->reset(), fmi2OK);
      }
    }
  };
  for (int i = 0; i < 20; ++i) round();
  const std::size_t before = resident_bytes();
  for (int i = 0; i < 300; ++i) round();
  const std::size_t after = resident_bytes();
  // an instance has 8 kB, the library 130 kB: a page for each round would be 1.2 MB
  EXPECT_LT(after, before + 200'000);
}

TEST(Memory, ValgrindSeesNoErrorAndNoLeak) {
  constexpr const char* kValgrind = "/usr/bin/valgrind";
  if (kSanitized) GTEST_SKIP() << "valgrind does not run programs with sanitizers";
  if (access(kValgrind, X_OK) != 0) GTEST_SKIP() << "valgrind is not installed";
  const test::TestFolder folder;
  const BuiltFmu built(example_text("four_bar"));
  const test::RunResult result = test::run_command(
      {kValgrind, "--quiet", "--leak-check=full", "--show-leak-kinds=all", "--error-exitcode=9",
       MECHFMU_PROGRAM, "simulate", built.path(), "--stop-time", "0.2", "--start-value", "tau=0.1",
       "--output-file", folder.path() + "/result.csv"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace
}  // namespace mechfmu::testing
