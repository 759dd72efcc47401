// Every example as a real FMU: built, validated, run, and compared with the interpreted model it
// was made from.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "build/process.hpp"
#include "emit/model_description.hpp"
#include "fmu/built_fmu.hpp"
#include "harness/csv.hpp"
#include "harness/validate/validate_fmu.hpp"

namespace mechfmu::testing {
namespace {

// Built once for all that is asked of it: that takes longer than the rest.
class ExampleFmu : public ::testing::TestWithParam<std::string> {
 protected:
  void expect_small_self_contained_and_silent();
  void expect_interpreted_run();
  void expect_expected_result();
  BuiltFmu built{example_text(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(All, ExampleFmu, ::testing::ValuesIn(example_names()),
                         [](const auto& test) { return test.param; });

void ExampleFmu::expect_small_self_contained_and_silent() {
  EXPECT_LT(built.build().fmu_bytes, 250000u);
  for (const char* allowed : {"libm.so.6", "libc.so.6"})
    EXPECT_NE(built.build().needed.find(allowed), std::string::npos) << built.build().needed;
  EXPECT_EQ(built.build().needed.find("stdc++"), std::string::npos) << built.build().needed;

  const auto instance = built.start();
  BuiltFmu::run(*instance, 0, 0.01, 20);
  for (const double value : built.values(*instance)) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(instance->terminate(), fmi2OK);
  EXPECT_TRUE(built.messages().empty()) << built.messages().front();

  // Reference: our own checker of anyone's FMUs, with every call that it knows
  Diagnostics diagnostics;
  ValidateOptions strict;
  strict.is_strict = true;
  const auto report = validate_fmu(built.path(), strict, diagnostics);
  ASSERT_TRUE(report.has_value());
  EXPECT_GT(report->checks_run, 20);
  for (const fmu_check::Finding& finding : report->findings.all())
    ADD_FAILURE() << fmu_check::rule_text(finding.rule).id << ": " << finding.message;
}

// Reference: the same kernels interpreted. Straight-line code without contraction gives the same
// bits.
void ExampleFmu::expect_interpreted_run() {
  const auto instance = built.start();
  MechanismRun interpreted(example_text(GetParam()));
  interpreted.initialize();
  const double h = 0.01;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(instance->do_step(i * h, h), fmi2OK);
    // as the FMU does it: from its own time to the end of the host's step
    const double begin = interpreted.simulation().time();
    ASSERT_TRUE(interpreted.simulation().advance(begin, begin == i * h ? h : i * h + h - begin));
  }
  for (const FmuVariable& v : built.description().variables)
    if (v.causality == FmuVariable::Causality::output) {
      std::vector<double> value;
      ASSERT_EQ(instance->get_real({v.value_reference}, value), fmi2OK);
      const double reference = interpreted.get(v.name);
      EXPECT_NEAR(value[0], reference, tol(1e-12) * std::max(1.0, std::fabs(reference))) << v.name;
    }
}

// Reference: expected.csv in the example's folder, made by `mechfmu simulate` with --stop-time 2
// --output-interval 0.05 (as its README says; the squeezer is over after 0.03 s) and looked at
// against tests/data; it shows users what to expect and notices when results change. The tolerance
// allows for another libm.
void ExampleFmu::expect_expected_result() {
  const std::string path = "resources/examples/" + GetParam() + "/expected.csv";
  const SourceText source(path, read_project_file(path));
  Diagnostics diagnostics;
  const std::optional<CsvTable> expected = parse_csv(source, diagnostics);
  ASSERT_TRUE(expected.has_value()) << render(diagnostics, source);
  ASSERT_EQ(expected->rows(), 41u);

  const auto instance = built.start();
  const double h = *built.description().experiment.step;
  int step = 0;
  for (std::size_t row = 0; row < expected->rows(); ++row) {
    for (; (step + 0.5) * h < expected->at(row, 0); ++step)
      ASSERT_EQ(instance->do_step(step * h, h), fmi2OK);
    for (std::size_t c = 1; c < expected->columns(); ++c) {
      std::vector<double> value;
      ASSERT_EQ(instance->get_real({built.reference(expected->names[c])}, value), fmi2OK);
      const double wanted = expected->at(row, c);
      EXPECT_NEAR(value[0], wanted, tol(1e-7) * std::max(1.0, std::fabs(wanted)))
          << expected->names[c] << " at t = " << expected->at(row, 0);
    }
  }
}

TEST_P(ExampleFmu, IsSoundAndGivesItsResults) {
  expect_small_self_contained_and_silent();
  expect_interpreted_run();
  expect_expected_result();
}

class ExampleDescription : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, ExampleDescription, ::testing::ValuesIn(example_names()),
                         [](const auto& test) { return test.param; });

// Reference: the official schema of FMI 2.0, which is not part of the project.
TEST_P(ExampleDescription, MeetsTheOfficialSchema) {
  const std::string schema =
      std::string(MECHFMU_PROJECT_DIR) + "/../shared/xsd/fmi2/fmi2ModelDescription.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << "the official schema is not here";
  if (find_program("xmllint").empty()) GTEST_SKIP() << "xmllint is not installed";
  std::string errors;
  const std::optional<SystemModel> system = make_test_system(example_text(GetParam()), {}, errors);
  ASSERT_TRUE(system.has_value()) << errors;
  const test::TestFolder folder;
  const std::string path = folder / "modelDescription.xml";
  std::ofstream(path) << emit_model_description(*system, "{0}");
  ProcessRequest request;
  request.command = {"xmllint", "--noout", "--schema", schema, path};
  const ProcessResult result = run_process(request);
  EXPECT_TRUE(result.is_success()) << result.output;
}

}  // namespace
}  // namespace mechfmu::testing
