// FMUs that misbehave when they run: one library with a fault each. References: FMI 2.0.5, state
// machine and semantics of the functions; facts about hosts P7, P10, P18, P22, P24.
#include <gtest/gtest.h>

#include "fmu/built_fmu.hpp"
#include "toy.hpp"

namespace mechfmu::test {
namespace {

using Ids = std::set<std::string>;

TEST(ValidateRun, AFaultlessFmuOfBothInterfacesHasNoFinding) {
  ValidateOptions options;
  options.is_strict = true;
  const ValidationReport report = validate_bytes(make_archive(toy_files()), options);
  EXPECT_EQ(found_rules(report), Ids{}) << all_findings(report);
  EXPECT_TRUE(report.notes.empty());
  EXPECT_GT(report.checks_run, 40);
}

TEST(ValidateRun, OneInterfaceAloneIsRunAsWell) {
  for (const char* name : {"  <ModelExchange", "  <CoSimulation"}) {
    std::string text = kToyDescription;
    const std::size_t begin = text.find(name);
    text.erase(begin, text.find('\n', begin) + 1 - begin);
    if (std::string(name) == "  <ModelExchange")
      text = replaced(replaced(text, " numberOfEventIndicators=\"1\"", ""), " reinit=\"true\"", "");
    const ValidationReport report = validate_bytes(make_archive(toy_files(text)));
    EXPECT_EQ(found_rules(report), Ids{}) << name << all_findings(report);
    EXPECT_GT(report.checks_run, 20);
    EXPECT_TRUE(report.notes.empty());
  }
}

// A fault of model exchange in an FMU of both interfaces says where it shows.
TEST(ValidateRun, FindingsOfModelExchangeSaySo) {
  const std::string text =
      all_findings(validate_bytes(make_archive(toy_files(kToyDescription, "nominal"))));
  EXPECT_NE(text.find("as model exchange, fmi2GetNominals"), std::string::npos) << text;
}

TEST(ValidateRun, AnFmuThatCannotBeInitializedIsNotRunFurther) {
  const ValidationReport report = validate_bytes(make_archive(toy_files(kToyDescription, "init")));
  ASSERT_EQ(report.notes.size(), 2U);
  EXPECT_NE(report.notes.front().find("not run further as co-simulation"), std::string::npos);
  EXPECT_LT(report.checks_run, 10);
}

struct RunFault {
  const char* fault;
  Ids rules;
};
void PrintTo(const RunFault& fault, std::ostream* stream) { *stream << fault.fault; }

class ValidateRunFault : public ::testing::TestWithParam<RunFault> {};

TEST_P(ValidateRunFault, IsFoundAndNamed) {
  ValidateOptions options;
  options.is_strict = true;
  options.seconds_allowed = std::string(GetParam().fault) == "hang" ? 0.5 : 60;
  const ValidationReport report =
      validate_bytes(make_archive(toy_files(kToyDescription, GetParam().fault)), options);
  EXPECT_EQ(found_rules(report), GetParam().rules) << all_findings(report);
}

INSTANTIATE_TEST_SUITE_P(
    All, ValidateRunFault,
    ::testing::Values(
        RunFault{"version", {"run-version"}}, RunFault{"platform", {"run-types-platform"}},
        RunFault{"refuse", {"run-instantiate"}}, RunFault{"any_guid", {"run-wrong-guid"}},
        RunFault{"silent", {"run-refusal-silent"}}, RunFault{"name", {"run-instance-name"}},
        RunFault{"uri", {"run-resource-uri"}}, RunFault{"uri_blank", {"run-resource-uri"}},
        RunFault{"callbacks", {"run-memory-callbacks"}}, RunFault{"init", {"run-call-failed"}},
        RunFault{"loop", {"run-instance-loop"}}, RunFault{"load_loop", {"run-load-loop"}},
        RunFault{"global", {"run-instances-dependent", "run-serialize-differs"}},
        RunFault{"chdir", {"run-process-changed"}}, RunFault{"rounding", {"run-process-changed"}},
        RunFault{"reset", {"run-reset-differs"}}, RunFault{"start", {"run-start-differs"}},
        RunFault{"get", {"run-get-refused"}}, RunFault{"nan", {"run-not-finite"}},
        RunFault{"set", {"run-set-refused"}}, RunFault{"any_reference", {"run-wrong-reference"}},
        RunFault{"constant", {"run-constant-set"}}, RunFault{"step", {"run-step-failed"}},
        RunFault{"tiny", {"run-step-tiny"}}, RunFault{"ulp", {"run-step-ulp"}},
        RunFault{"pending", {"run-status-illegal", "run-call-failed"}},
        RunFault{"any_order",
                 {"call-order-step-before-init", "call-order-exit-init", "call-order-enter-twice",
                  "call-order-set-fixed", "call-order-negative-step"}},
        RunFault{"crash_order", {"call-order-crash"}}, RunFault{"null", {"call-null-crash"}},
        RunFault{"crash", {"run-crash"}}, RunFault{"exit", {"run-crash"}},
        RunFault{"hang", {"run-hang"}}, RunFault{"state", {"run-state-refused"}},
        RunFault{"state_differs", {"run-state-differs", "run-serialize-differs"}},
        RunFault{"state_free", {"run-state-refused"}}, RunFault{"bytes", {"run-serialize-refused"}},
        RunFault{"bytes_differ", {"run-serialize-differs"}},
        RunFault{"directional", {"run-directional-refused"}},
        RunFault{"directional_differs", {"run-directional-differs"}},
        RunFault{"directional_state", {"run-directional-differs"}},
        RunFault{"output_derivative", {"run-output-derivative"}},
        RunFault{"input_derivative", {"run-input-derivative"}},
        RunFault{"nominal", {"run-nominal"}}, RunFault{"events", {"run-events-endless"}},
        RunFault{"indicator", {"run-call-failed", "run-step-failed"}},
        RunFault{"indicator_nan", {"run-not-finite"}},
        RunFault{"log_category", {"log-category-undeclared"}},
        RunFault{"log_newline", {"log-newline"}}, RunFault{"log_name", {"log-instance-name"}},
        RunFault{"log_off", {"log-off-ignored"}}, RunFault{"log_setting", {"log-setting-refused"}}),
    [](const auto& test) { return std::string(test.param.fault); });

TEST(ValidateRun, NullPointersAreTriedOnRequestOnly) {
  const ValidationReport report = validate_bytes(make_archive(toy_files(kToyDescription, "null")));
  EXPECT_EQ(found_rules(report), Ids{}) << all_findings(report);
}

TEST(ValidateRun, MemoryOfTheHostMustBeGivenBack) {
  std::string description = kToyDescription;
  for (int i = 0; i < 2; ++i)
    description = replaced(description, "canNotUseMemoryManagementFunctions=\"true\" ", "");
  EXPECT_EQ(found_rules(validate_bytes(make_archive(toy_files(description, "leak")))),
            Ids{"run-memory-not-freed"});
  EXPECT_EQ(found_rules(validate_bytes(make_archive(toy_files(description, "callbacks")))), Ids{});
}

TEST(ValidateRun, ValuesOutsideTheirRangeAreAWarning) {
  const std::string description =
      replaced(kToyDescription, "<Real unit=\"m\" displayUnit=\"mm\"/></ScalarVariable>",
               "<Real unit=\"m\" max=\"0.9\"/></ScalarVariable>");
  const ValidationReport report = validate_bytes(make_archive(toy_files(description)));
  EXPECT_EQ(found_rules(report), Ids{"run-out-of-range"}) << all_findings(report);
  EXPECT_EQ(report.findings.count(Severity::error), 0U);
}

TEST(ValidateRun, ACrashTellsTheCallAndTheSignal) {
  const ValidationReport report = validate_bytes(make_archive(toy_files(kToyDescription, "crash")));
  const std::string text = all_findings(report);
  EXPECT_NE(text.find("fmi2DoStep(t=0, h=0.1)"), std::string::npos) << text;
  EXPECT_NE(text.find("signal 6"), std::string::npos) << text;
}

TEST(ValidateRun, ALibraryThatCannotBeLoaded) {
  std::vector<ArchiveFile> files = toy_files();
  // behind the headers that the static rules read, and needed for loading: its own name in NEEDED
  files[1].content = replaced(files[1].content, "libc.so.6", "libq.so.6");
  const Ids found = found_rules(validate_bytes(make_archive(files)));
  EXPECT_EQ(found, (Ids{"binary-needs-library", "run-load"}));
}

TEST(ValidateRun, WithoutALibraryOfThisPlatformThereIsANoteAndNoError) {
  std::vector<ArchiveFile> files = toy_files();
  files[1] = {"binaries/win64/toy.dll", "MZ and so on", false};
  const ValidationReport report = validate_bytes(make_archive(files));
  EXPECT_EQ(found_rules(report), Ids{}) << all_findings(report);
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes.front().find("not run"), std::string::npos);
}

class ValidateExample : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Three, ValidateExample,
                         ::testing::Values("four_bar", "stewart", "cam_follower"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ValidateExample, HasNoFinding) {
  const mechfmu::testing::BuiltFmu built(mechfmu::testing::example_text(GetParam()));
  ValidateOptions options;
  options.is_strict = true;
  Diagnostics diagnostics;
  const auto report = validate_fmu(built.path(), options, diagnostics);
  ASSERT_TRUE(report);
  EXPECT_EQ(found_rules(*report), Ids{}) << all_findings(*report);
  EXPECT_TRUE(report->notes.empty());
}

}  // namespace
}  // namespace mechfmu::test
