// The layer as it is shipped: linked with the test model into a shared library, the way an FMU is.
// Reference: P1-P3 (what is needed, what is shown, what stays behind) and the 34 names of the
// standard.
#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <set>
#include <sstream>

#include "host.hpp"

namespace mechfmu::test {
namespace {

std::string run(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe) return output;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), n);
  pclose(pipe);
  return output;
}

#define SKIP_WITHOUT_OBJDUMP(text) \
  if ((text).empty()) GTEST_SKIP() << "objdump is not installed"

struct Symbol {
  std::string name, version;
  bool defined;
};

std::vector<Symbol> find_symbols() {
  std::istringstream lines(run("objdump -T " MECHFMU_FMI_PROBE));
  std::vector<Symbol> symbols;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string word; words >> word;) fields.push_back(word);
    if (fields.size() < 4 || fields[0].size() != 16) continue;
    const std::string& version = fields[fields.size() - 2];
    symbols.push_back({fields.back(), version, line.find("*UND*") == std::string::npos});
  }
  return symbols;
}

TEST(Library, ExactlyTheFunctionsOfTheStandardAreVisible) {
  const std::vector<Symbol> symbols = find_symbols();
  SKIP_WITHOUT_OBJDUMP(symbols);
  std::set<std::string> names;
  for (const Symbol& symbol : symbols)
    if (symbol.defined) names.insert(symbol.name);
  std::set<std::string> expected = {"fmi2GetTypesPlatform", "fmi2GetVersion", "fmi2Instantiate"};
  for (const fmi::CallRule& rule : fmi::call_order_states::kCallRules) expected.insert(rule.name);
  EXPECT_EQ(44u, expected.size());
  EXPECT_EQ(expected, names);
}

TEST(Library, ItRunsWithGlibc217) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "old symbol versions are bound on x86-64 only";
#endif
  const std::vector<Symbol> symbols = find_symbols();
  SKIP_WITHOUT_OBJDUMP(symbols);
  bool uses_exp = false;
  for (const Symbol& symbol : symbols) {
    if (symbol.defined) continue;
    int major = 0, minor = 0;
    if (std::sscanf(symbol.version.c_str(), "(GLIBC_%d.%d", &major, &minor) == 2 ||
        std::sscanf(symbol.version.c_str(), "GLIBC_%d.%d", &major, &minor) == 2) {
      EXPECT_TRUE(major == 2 && minor <= 17) << symbol.name << " " << symbol.version;
    }
    uses_exp |= symbol.name == "exp";
  }
  EXPECT_TRUE(uses_exp);  // the test model has it, and without care it would ask for 2.29
}

TEST(Library, ItNeedsNothingButLibcAndLibm) {
  const std::string headers = run("objdump -p " MECHFMU_FMI_PROBE);
  SKIP_WITHOUT_OBJDUMP(headers);
  std::istringstream lines(headers);
  int needed = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("NEEDED") == std::string::npos) continue;
    ++needed;
    EXPECT_TRUE(line.find("libc.so") != std::string::npos ||
                line.find("libm.so") != std::string::npos)
        << line;
  }
  EXPECT_GT(needed, 0);
}

TEST(Library, ItCanBeLoadedUsedAndUnloadedAgainAndAgain) {
  for (int i = 0; i < 20; ++i) {
    void* library = dlopen(MECHFMU_FMI_PROBE, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(nullptr, library) << dlerror();
    const auto instantiate =
        reinterpret_cast<fmi2InstantiateTYPE*>(dlsym(library, "fmi2Instantiate"));
    const auto free_instance =
        reinterpret_cast<fmi2FreeInstanceTYPE*>(dlsym(library, "fmi2FreeInstance"));
    const auto enter = reinterpret_cast<fmi2EnterInitializationModeTYPE*>(
        dlsym(library, "fmi2EnterInitializationMode"));
    const auto leave = reinterpret_cast<fmi2ExitInitializationModeTYPE*>(
        dlsym(library, "fmi2ExitInitializationMode"));
    const auto do_step = reinterpret_cast<fmi2DoStepTYPE*>(dlsym(library, "fmi2DoStep"));
    ASSERT_TRUE(instantiate && free_instance && enter && leave && do_step);
    ASSERT_NE(&fmi2DoStep, do_step);  // the library's own, not the one linked into this test
    const fmi2Component c =
        instantiate("a", fmi2CoSimulation, kGuid, nullptr, nullptr, fmi2False, fmi2False);
    ASSERT_NE(nullptr, c);
    EXPECT_EQ(fmi2OK, enter(c));
    EXPECT_EQ(fmi2OK, leave(c));
    EXPECT_EQ(fmi2OK, do_step(c, 0, 0.1, fmi2True));
    free_instance(c);
    EXPECT_EQ(0, dlclose(library));
    EXPECT_EQ(nullptr, dlopen(MECHFMU_FMI_PROBE, RTLD_NOW | RTLD_NOLOAD));
  }
}

}  // namespace
}  // namespace mechfmu::test
