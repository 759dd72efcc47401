// The self-test must see what it is there for: a toy FMU (x' = -k x by explicit steps) passes, and
// each of its broken variants is caught. References: FMI 2.0 and the list in self_test.hpp.
#include "build/self_test.hpp"

#include <gtest/gtest.h>

#include "package/compiled_library.hpp"

namespace mechfmu {
namespace {

constexpr const char* kGuid = "{01234567-89ab-cdef-0123-456789abcdef}";

// Macros switch the faults on.
constexpr const char* kToy = R"(
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fmi2Functions.h"
struct Toy { double k, x; fmi2CallbackFunctions host; };
extern "C" {
const char* fmi2GetVersion(void) { return VERSION; }
const char* fmi2GetTypesPlatform(void) { return "default"; }
fmi2Component fmi2Instantiate(fmi2String, fmi2Type, fmi2String guid, fmi2String, const fmi2CallbackFunctions* f, fmi2Boolean, fmi2Boolean) {
  if (CHECK_GUID && strcmp(guid, "{01234567-89ab-cdef-0123-456789abcdef}") != 0) return nullptr;
  Toy* toy = static_cast<Toy*>(calloc(1, sizeof(Toy)));
  toy->k = START; toy->x = 1; toy->host = *f;
  return toy;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) { return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Toy* toy = static_cast<Toy*>(c);
  if (FAIL_INIT) { toy->host.logger(nullptr, "toy", fmi2Error, "logStatusError", "%s", "joint 'D' cannot close"); return fmi2Error; }
  return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component) { return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
  for (size_t i = 0; i < n; ++i) value[i] = vr[i] == 0 ? static_cast<Toy*>(c)->k : static_cast<Toy*>(c)->x;
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component, const fmi2ValueReference[], size_t, fmi2Integer[]) { return fmi2OK; }
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real, fmi2Real h, fmi2Boolean) {
  Toy* toy = static_cast<Toy*>(c);
  if (CRASH) *reinterpret_cast<volatile int*>(8) = 1;
  toy->x -= h * toy->k * toy->x;
  if (NOT_FINITE) toy->x = INFINITY;
  return fmi2OK;
}
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* s) { *s = malloc(sizeof(Toy)); memcpy(*s, c, sizeof(Toy)); return fmi2OK; }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) { if (RESTORE) memcpy(c, s, sizeof(Toy)); return fmi2OK; }
fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* s) { free(*s); *s = nullptr; return fmi2OK; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, size_t* n) { *n = sizeof(Toy); return fmi2OK; }
fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate s, fmi2Byte b[], size_t n) { memcpy(b, s, n); return fmi2OK; }
fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte b[], size_t n, fmi2FMUstate* s) {
  *s = malloc(n); memcpy(*s, b, n); if (FORGET) static_cast<Toy*>(*s)->x = 0.5; return fmi2OK;
}
}
)";

class SelfTest : public test::CompiledLibrary {
 protected:
  // What the self-test says about the toy with one macro changed; "" if it passes.
  std::string verdict(const std::string& name = "", const std::string& value = "") {
    std::vector<std::string> arguments = {"-I" MECHFMU_PROJECT_DIR "/fmu_src/fmi/headers"};
    for (const auto& [macro, normal] :
         std::vector<std::pair<std::string, std::string>>{{"VERSION", "\"2.0\""},
                                                          {"CHECK_GUID", "1"},
                                                          {"START", "0.3"},
                                                          {"FAIL_INIT", "0"},
                                                          {"CRASH", "0"},
                                                          {"NOT_FINITE", "0"},
                                                          {"RESTORE", "1"},
                                                          {"FORGET", "0"}})
      arguments.push_back("-D" + macro + "=" + (macro == name ? value : normal));
    compile(kToy, arguments);
    SystemModel system;
    system.experiment = {0, 1, 0.1, {}};
    InterfaceVariable k;
    k.name = "k";
    k.value_reference = 0;
    k.causality = Causality::parameter;
    k.variability = Variability::fixed;
    k.start = 0.3;
    InterfaceVariable x;
    x.name = "x";
    x.value_reference = 1;
    x.causality = Causality::output;
    system.interface.variables = {k, x};
    Diagnostics diagnostics;
    if (check_library(library_path(), system, kGuid, diagnostics)) {
      EXPECT_TRUE(diagnostics.all().empty());
      return {};
    }
    EXPECT_EQ(diagnostics.error_count(), 1);
    EXPECT_EQ(diagnostics.all().front().code, "E606");
    return diagnostics.all().front().message;
  }
  void expect_caught(const std::string& name, const std::string& value, const std::string& words) {
    EXPECT_NE(verdict(name, value).find(words), std::string::npos) << verdict(name, value);
  }
};

TEST_F(SelfTest, SoundLibraryPasses) { EXPECT_EQ(verdict(), ""); }
TEST_F(SelfTest, WrongVersionIsCaught) { expect_caught("VERSION", "\"1.0\"", "fmi2GetVersion"); }
TEST_F(SelfTest, LibraryThatTakesAnyGuidIsCaught) { expect_caught("CHECK_GUID", "0", "GUID"); }
TEST_F(SelfTest, StartValueThatDiffersInTheLastBitIsCaught) {
  expect_caught("START", "(0.1+0.2)", "'k' starts with");
}
TEST_F(SelfTest, FailureIsReportedWithWhatTheFmuLogged) {
  expect_caught("FAIL_INIT", "1", "fmi2ExitInitializationMode returned fmi2Error");
  expect_caught("FAIL_INIT", "1", "joint 'D' cannot close");
}
TEST_F(SelfTest, CrashIsAMessageAndNotOurs) { expect_caught("CRASH", "1", "crashed with signal"); }
TEST_F(SelfTest, ValueThatIsNotFiniteIsCaught) { expect_caught("NOT_FINITE", "1", "'x' is inf"); }
TEST_F(SelfTest, StateThatIsNotRestoredIsCaught) {
  expect_caught("RESTORE", "0", "after fmi2SetFMUstate");
}
TEST_F(SelfTest, StateThatIsLostInItsBytesIsCaught) {
  expect_caught("FORGET", "1", "after fmi2DeSerializeFMUstate");
}

TEST_F(SelfTest, FileThatIsNoLibraryIsCaught) {
  ASSERT_EQ(write_file(library_path(), "no library", IfExists::replace), "");
  Diagnostics diagnostics;
  EXPECT_FALSE(check_library(library_path(), SystemModel{}, kGuid, diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 1);
  EXPECT_NE(diagnostics.all().front().message.find("cannot be loaded"), std::string::npos);
}

}  // namespace
}  // namespace mechfmu
