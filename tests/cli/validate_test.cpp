// mechfmu validate as a user calls it: text, JSON, exit codes.
#include "harness/probe.hpp"
#include "program.hpp"

namespace mechfmu::test {
namespace {

// The probe is an FMU as another tool would write it, with some real faults: no unit definition, no
// list of initial unknowns, no check of references to strings.
TEST(ValidateCommand, FindsTheFaultsOfTheProbe) {
  const TestFolder folder;
  const RunResult r = run_mechfmu({"validate", make_probe_fmu(folder)});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_TRUE(contains(r.out, "modelDescription.xml:10: variable 'gain': error unit-undefined: "));
  EXPECT_TRUE(contains(r.out, "error structure-unknowns-incomplete: "));
  EXPECT_TRUE(contains(r.out, "error run-wrong-reference: fmi2GetString "));
  EXPECT_TRUE(contains(r.out, "Rule: A unit that is used is defined in UnitDefinitions."));
  EXPECT_TRUE(contains(last_line(r.out), " with the FMU running"));
}

TEST(ValidateCommand, AGoodFmuEndsWithZero) {
  const TestFolder folder;
  const std::string fmu = folder / "hinge.fmu";
  ASSERT_EQ(run_mechfmu({"build", folder.write("hinge.xml", kHinge), "-o", fmu}).exit_code, 0);
  const RunResult r = run_mechfmu({"validate", fmu});
  EXPECT_EQ(r.exit_code, 0) << r.out;
  EXPECT_TRUE(contains(r.out, "0 errors, 0 warnings"));
}

TEST(ValidateCommand, JsonHasTheSameFindings) {
  const TestFolder folder;
  const RunResult r = run_mechfmu({"validate", make_probe_fmu(folder), "--json", "--static"});
  EXPECT_EQ(r.exit_code, 1);
  const auto json = JsonReader(r.out).read();
  EXPECT_EQ(json.at("checks_run"), "0");
  EXPECT_EQ(json.at("notes.0"), "not run: --static");
  EXPECT_EQ(json.at("findings.0.severity"), "error");
  EXPECT_EQ(json.at("findings.0.rule"), "unit-undefined");
  EXPECT_EQ(json.at("findings.0.file"), "modelDescription.xml");
  EXPECT_EQ(json.at("findings.0.line"), "10");
  EXPECT_EQ(json.at("findings.0.variable"), "gain");
  EXPECT_FALSE(json.at("findings.0.standard").empty());
}

TEST(ValidateCommand, AnotherPlatformIsANote) {
  const TestFolder folder;
  const std::string fmu =
      make_probe_fmu(folder, "a.fmu", kProbeDescription, MECHFMU_PROBE, "riscv32-linux");
  EXPECT_TRUE(contains(run_mechfmu({"validate", fmu}).out, "note: not run: the FMU has no "));
}

TEST(ValidateCommand, WrongUsageAndWrongWorld) {
  EXPECT_EQ(run_mechfmu({"validate"}).exit_code, 2);
  EXPECT_EQ(run_mechfmu({"validate", "x.fmu", "--time-limit", "soon"}).exit_code, 2);
  EXPECT_EQ(run_mechfmu({"validate", "/no/such.fmu"}).exit_code, 5);
  const TestFolder folder;
  const RunResult r =
      run_mechfmu({"validate", make_probe_fmu(folder), "--schema-dir", folder.path()});
  EXPECT_EQ(r.exit_code, 5);
  EXPECT_TRUE(contains(r.err, "S634"));
}

TEST(ValidateCommand, HelpBeginsWithExamples) {
  const RunResult r = run_mechfmu({"validate", "--help"});
  EXPECT_EQ(r.exit_code, 0);
  EXPECT_TRUE(contains(r.out, "  mechfmu validate FourBar.fmu\n"));
}

}  // namespace
}  // namespace mechfmu::test
