// Reference: FMI 2.0.5, section 2.2 (defaults of causality, variability and initial; inheritance
// from declared types).
#include "harness/model_description.hpp"

#include <gtest/gtest.h>

#include "probe.hpp"

namespace mechfmu::test {
namespace {

std::optional<ModelDescription> read(const std::string& text, Diagnostics& diagnostics) {
  return read_model_description(SourceText("modelDescription.xml", text), diagnostics);
}

ModelDescription read(const std::string& text) {
  Diagnostics diagnostics;
  auto description = read(text, diagnostics);
  EXPECT_TRUE(description) << all_text(diagnostics);
  return description.value_or(ModelDescription{});
}

std::string find_fault(const std::string& text) {
  Diagnostics diagnostics;
  if (read(text, diagnostics)) return "no fault";
  return all_text(diagnostics);
}

TEST(ModelDescription, ReadsWhatAHostNeeds) {
  const ModelDescription d = read(kProbeDescription);
  EXPECT_EQ("Probe", d.model_name);
  EXPECT_EQ("{probe}", d.guid);
  ASSERT_TRUE(d.co_simulation);
  EXPECT_FALSE(d.model_exchange);
  EXPECT_EQ("probe", d.co_simulation->model_identifier);
  EXPECT_TRUE(d.co_simulation->can_handle_variable_step);
  EXPECT_FALSE(d.co_simulation->can_get_and_set_state);
  EXPECT_EQ(0.1, d.experiment.step);
  EXPECT_EQ(1.0, d.experiment.stop);
  EXPECT_FALSE(d.experiment.tolerance);
  EXPECT_EQ(15U, d.variables.size());
}

TEST(ModelDescription, AbsentAttributesHaveTheDefaultsOfTheStandard) {
  const ModelDescription d = read(kProbeDescription);
  const FmuVariable* x = d.find("x");
  ASSERT_NE(nullptr, x);
  EXPECT_EQ(FmuVariable::Variability::continuous, x->variability);
  EXPECT_EQ("calculated", x->initial);
  EXPECT_FALSE(x->can_be_set());
  EXPECT_EQ("exact", d.find("gain")->initial);
  EXPECT_TRUE(d.find("gain")->can_be_set());
  EXPECT_EQ("", d.find("u")->initial);
  EXPECT_TRUE(d.find("u")->can_be_set());
}

TEST(ModelDescription, EnumerationsTakeItemsFromTheirType) {
  const ModelDescription d = read(kProbeDescription);
  const FmuVariable* mode = d.find("mode");
  ASSERT_EQ(2U, mode->items.size());
  EXPECT_EQ("fast", mode->items[1].name);
  EXPECT_EQ(4, mode->items[1].value);
}

TEST(ModelDescription, DependenciesAbsentMeansAllAndEmptyMeansNone) {
  const ModelDescription d = read(kProbeDescription);
  ASSERT_EQ(3U, d.outputs.size());
  EXPECT_FALSE(d.outputs[0].depends_on_all);
  EXPECT_EQ(std::vector<int>{2}, d.outputs[0].depends_on);
  EXPECT_FALSE(d.outputs[1].depends_on_all);
  EXPECT_TRUE(d.outputs[1].depends_on.empty());
  EXPECT_TRUE(d.outputs[2].depends_on_all);
}

TEST(ModelDescription, UnknownElementsAndAttributesOfOtherToolsAreLeftAlone) {
  const std::string text = replace(
      replace(
          kProbeDescription, "<ModelVariables>",
          "<VendorAnnotations><Tool name=\"t\"><x/></Tool></VendorAnnotations><ModelVariables>"),
      "modelName=", "strange=\"1\" modelName=");
  EXPECT_EQ(15U, read(text).variables.size());
}

TEST(ModelDescription, OddButHarmlessValuesAreWarnings) {
  const std::string text = replace(kProbeDescription, "stopTime=\"1\"", "stopTime=\"soon\"");
  Diagnostics diagnostics;
  const auto description = read(text, diagnostics);
  ASSERT_TRUE(description);
  EXPECT_FALSE(description->experiment.stop);
  EXPECT_NE(std::string::npos, all_text(diagnostics).find("soon"));
}

TEST(ModelDescription, NotWellFormed) {
  EXPECT_NE(std::string::npos, find_fault("<fmiModelDescription").find("E612"));
  EXPECT_NE(std::string::npos, find_fault("").find("E612"));
  EXPECT_NE(std::string::npos, find_fault("<mechanism name=\"a\"/>").find("E612"));
}

TEST(ModelDescription, OtherFmiVersionsAreNamed) {
  const std::string fault = find_fault(replace(kProbeDescription, "\"2.0\"", "\"3.0\""));
  EXPECT_NE(std::string::npos, fault.find("E613"));
  EXPECT_NE(std::string::npos, fault.find("3.0"));
}

TEST(ModelDescription, EveryFaultIsReportedInOneRun) {
  std::string text = replace(kProbeDescription, "guid=\"{probe}\"", "");
  text = replace(text, "valueReference=\"3\"", "valueReference=\"-3\"");
  text = replace(text, "causality=\"local\"", "causality=\"locale\"");
  Diagnostics diagnostics;
  EXPECT_FALSE(read(text, diagnostics));
  EXPECT_EQ(3, diagnostics.error_count()) << all_text(diagnostics);
  EXPECT_NE(std::string::npos, all_text(diagnostics).find("did you mean 'local'?"));
}

TEST(ModelDescription, TwoVariablesOfOneName) {
  EXPECT_NE(std::string::npos,
            find_fault(replace(kProbeDescription, "name=\"gain\"", "name=\"x\"")).find("twice"));
}

TEST(ModelDescription, AVariableWithoutType) {
  EXPECT_NE(std::string::npos, find_fault(replace(kProbeDescription, "causality=\"output\"><Real/>",
                                                  "causality=\"output\">"))
                                   .find("'x' has no type"));
}

TEST(ModelDescription, AnIdentifierThatLeavesTheFolderIsRefused) {
  EXPECT_NE(std::string::npos, find_fault(replace(kProbeDescription, "modelIdentifier=\"probe\"",
                                                  "modelIdentifier=\"../../probe\""))
                                   .find("not a file name"));
}

}  // namespace
}  // namespace mechfmu::test
