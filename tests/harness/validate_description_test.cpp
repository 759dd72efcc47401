// Faults of modelDescription.xml: a good one with one edit each. Reference: the schema and sections
// 2.2 and 4.3 of FMI 2.0.5.
#include <gtest/gtest.h>

#include <filesystem>

#include "build/process.hpp"
#include "harness/validate/semantic_rules.hpp"
#include "toy.hpp"

namespace mechfmu::test {
namespace {

using Ids = std::set<std::string>;

struct Edit {
  std::string what, with;
};
struct DescriptionFault {
  const char* name;
  std::vector<Edit> edits;
  Ids rules;
};
void PrintTo(const DescriptionFault& fault, std::ostream* stream) { *stream << fault.name; }

std::string edited(const std::vector<Edit>& edits) {
  std::string text = kToyDescription;
  for (const Edit& edit : edits) text = replaced(text, edit.what, edit.with);
  return text;
}

ValidationReport validate_text(const std::string& description) {
  return validate_bytes(make_archive(toy_files(description)), files_only());
}

const std::string kMass = "<Real start=\"2\" unit=\"kg\"/>";
const std::string kU = "<Real start=\"0\" min=\"-10\" max=\"10\"/>";
const std::string kY = "<Real unit=\"m\" displayUnit=\"mm\"/></ScalarVariable>";

class ValidateDescription : public ::testing::TestWithParam<DescriptionFault> {};

TEST_P(ValidateDescription, IsFoundAndNamed) {
  const ValidationReport report = validate_text(edited(GetParam().edits));
  EXPECT_EQ(found_rules(report), GetParam().rules) << all_findings(report);
}

INSTANTIATE_TEST_SUITE_P(
    Xml, ValidateDescription,
    ::testing::Values(
        DescriptionFault{
            "NotUtf8", {{"modelName=\"Toy\"", "modelName=\"T\xFCy\""}}, {"xml-not-utf8"}},
        DescriptionFault{"Latin1Declared", {{"UTF-8", "ISO-8859-1"}}, {"xml-declaration"}},
        DescriptionFault{"NoDeclaration",
                         {{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", ""}},
                         {"xml-declaration"}},
        DescriptionFault{"Malformed", {{"</ModelStructure>", ""}}, {"xml-malformed"}},
        DescriptionFault{"TwoRoots",
                         {{"</fmiModelDescription>", "</fmiModelDescription><b/>"}},
                         {"xml-malformed"}},
        DescriptionFault{"Doctype", {{"?>\n", "?>\n<!DOCTYPE a>\n"}}, {"xml-doctype"}},
        DescriptionFault{
            "AttributeTwice", {{"guid=", "guid=\"{toy}\" guid="}}, {"xml-duplicate-attribute"}},
        DescriptionFault{"Root",
                         {{"<fmiModelDescription", "<modelDescription"},
                          {"</fmiModelDescription", "</modelDescription"}},
                         {"xml-root"}},
        DescriptionFault{"Text", {{"<ModelVariables>", "<ModelVariables>hello"}}, {"xml-text"}},
        DescriptionFault{"UnknownElement",
                         {{"<LogCategories>", "<Extra/><LogCategories>"}},
                         {"schema-unknown-element"}},
        DescriptionFault{"Order",
                         {{"  <DefaultExperiment startTime=\"0\" stopTime=\"1\" tolerance=\"1e-6\" "
                           "stepSize=\"0.1\"/>\n",
                           ""},
                          {"</ModelVariables>", "</ModelVariables><DefaultExperiment/>"}},
                         {"schema-element-order"}},
        DescriptionFault{"Repeated",
                         {{"<DefaultExperiment", "<DefaultExperiment/><DefaultExperiment"}},
                         {"schema-element-repeated"}},
        DescriptionFault{"TypeMissing", {{kMass, ""}}, {"schema-element-missing"}},
        DescriptionFault{"TwoTypes", {{kMass, kMass + "<Real/>"}}, {"schema-element-repeated"}},
        DescriptionFault{
            "EmptyList",
            {{"<Category name=\"logStatusError\"/><Category name=\"logEvents\"/>", ""}},
            {"schema-empty-list"}},
        DescriptionFault{"UnknownAttribute",
                         {{"maxOutputDerivativeOrder", "maxOutputDerivatives"}},
                         {"schema-unknown-attribute"}},
        DescriptionFault{"NoModelName", {{"modelName=\"Toy\" ", ""}}, {"schema-attribute-missing"}},
        DescriptionFault{"BadBoolean",
                         {{"canInterpolateInputs=\"true\"", "canInterpolateInputs=\"yes\""}},
                         {"schema-attribute-type"}},
        DescriptionFault{
            "BadDate", {{"2026-03-01T12:00:00Z", "1 March 2026"}}, {"schema-attribute-type"}},
        DescriptionFault{
            "StartWithComma", {{"start=\"0.5\"", "start=\"0,5\""}}, {"schema-attribute-type"}},
        DescriptionFault{"WholeNumberOfAFloat",
                         {{"<Item name=\"slow\" value=\"1\"", "<Item name=\"slow\" value=\"1.0\""}},
                         {"schema-attribute-type", "var-start-item"}},
        DescriptionFault{"BadCausality",
                         {{"causality=\"calculatedParameter\"", "causality=\"calculated\""}},
                         {"schema-attribute-word", "structure-unknowns-foreign"}},
        DescriptionFault{
            "BadKind", {{"constant constant", "constant linear"}}, {"schema-attribute-word"}},
        DescriptionFault{"StartIsNan", {{"start=\"0.5\"", "start=\"NaN\""}}, {"schema-not-finite"}},
        DescriptionFault{"MaxIsInf", {{"max=\"10\"", "max=\"INF\""}}, {"schema-not-finite"}}),
    [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Model, ValidateDescription,
    ::testing::Values(
        DescriptionFault{
            "Version", {{"fmiVersion=\"2.0\"", "fmiVersion=\"2.0.4\""}}, {"model-version"}},
        DescriptionFault{"Guid", {{"guid=\"{toy}\"", "guid=\"\""}}, {"model-guid-empty"}},
        DescriptionFault{
            "ModelName", {{"modelName=\"Toy\"", "modelName=\" \""}}, {"model-name-empty"}},
        DescriptionFault{
            "Identifier",
            {{"<CoSimulation modelIdentifier=\"toy\"", "<CoSimulation modelIdentifier=\"my-toy\""}},
            {"model-identifier-illegal", "archive-library-name"}},
        DescriptionFault{
            "Serialize", {{"canGetAndSetFMUstate=\"true\"", ""}}, {"model-serialize-alone"}},
        DescriptionFault{"ExperimentEndsBeforeItStarts",
                         {{"stopTime=\"1\"", "stopTime=\"-1\""}},
                         {"model-experiment-times"}},
        DescriptionFault{
            "StepZero", {{"stepSize=\"0.1\"", "stepSize=\"0\""}}, {"model-experiment-step"}},
        DescriptionFault{"CategoryTwice",
                         {{"name=\"logEvents\"", "name=\"logStatusError\""}},
                         {"model-category-duplicate"}},
        DescriptionFault{"ToolTwice",
                         {{"</VendorAnnotations>", "<Tool name=\"toys\"/></VendorAnnotations>"}},
                         {"model-tool-duplicate"}},
        DescriptionFault{"UnitTwice",
                         {{"<Unit name=\"kg\">", "<Unit name=\"m\">"}},
                         {"unit-name-duplicate", "unit-undefined"}},
        DescriptionFault{"DisplayUnitTwice",
                         {{"<DisplayUnit name=\"mm\" factor=\"1000\"/>",
                           "<DisplayUnit name=\"mm\"/><DisplayUnit name=\"mm\"/>"}},
                         {"unit-display-duplicate"}},
        DescriptionFault{"FactorZero", {{"factor=\"1000\"", "factor=\"0\""}}, {"unit-factor-zero"}},
        DescriptionFault{"UnitUndefined", {{"unit=\"kg\"", "unit=\"g\""}}, {"unit-undefined"}},
        DescriptionFault{"DisplayUnitUndefined",
                         {{"<DisplayUnit name=\"mm\" factor=\"1000\"/>", ""}},
                         {"unit-display-undefined"}},
        DescriptionFault{
            "DisplayUnitAlone", {{"unit=\"kg\"", "displayUnit=\"kg\""}}, {"unit-display-alone"}},
        DescriptionFault{"TypeTwice",
                         {{"name=\"Length\"", "name=\"Mode\""}},
                         {"type-name-duplicate", "type-undefined"}},
        DescriptionFault{"TypeIsVariable",
                         {{"<SimpleType name=\"Length\"", "<SimpleType name=\"mass\""},
                          {"declaredType=\"Length\"", "declaredType=\"mass\""}},
                         {"type-name-is-variable"}},
        DescriptionFault{"TypeUndefined",
                         {{"declaredType=\"Length\"", "declaredType=\"Width\""}},
                         {"type-undefined"}},
        DescriptionFault{"TypeMismatch",
                         {{"declaredType=\"Length\"", "declaredType=\"Mode\""}},
                         {"type-mismatch"}},
        DescriptionFault{
            "ItemNameTwice", {{"name=\"fast\"", "name=\"slow\""}}, {"type-item-duplicate"}},
        DescriptionFault{"ItemValueTwice",
                         {{"name=\"fast\" value=\"2\"", "name=\"fast\" value=\"1\""}},
                         {"type-item-duplicate"}},
        DescriptionFault{"TypeRange",
                         {{"<Real unit=\"m\" displayUnit=\"mm\"/></SimpleType>",
                           "<Real unit=\"m\" min=\"9\" max=\"1\"/></SimpleType>"}},
                         {"type-range", "var-range", "var-start-range"}},
        DescriptionFault{"TypeNominal",
                         {{"<Real unit=\"m\" displayUnit=\"mm\"/></SimpleType>",
                           "<Real unit=\"m\" nominal=\"0\"/></SimpleType>"}},
                         {"type-nominal", "var-nominal"}}),
    [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Variables, ValidateDescription,
    ::testing::Values(
        DescriptionFault{"NameEmpty", {{"name=\"mass\"", "name=\"\""}}, {"var-name-illegal"}},
        DescriptionFault{
            "NameWithTab", {{"name=\"mass\"", "name=\"a&#9;b\""}}, {"var-name-illegal"}},
        DescriptionFault{"NameTwice", {{"name=\"mass\"", "name=\"k\""}}, {"var-name-duplicate"}},
        DescriptionFault{
            "NameNotStructured", {{"name=\"mass\"", "name=\"the mass\""}}, {"var-name-structured"}},
        DescriptionFault{"FixedInput",
                         {{"causality=\"input\"", "causality=\"input\" variability=\"fixed\""}},
                         {"var-causality-variability"}},
        DescriptionFault{
            "ContinuousInteger",
            {{"causality=\"output\" variability=\"discrete\"", "causality=\"output\""}},
            {"var-continuous-type"}},
        DescriptionFault{"InitialOfInput",
                         {{"causality=\"input\"", "causality=\"input\" initial=\"exact\""}},
                         {"var-initial-forbidden"}},
        DescriptionFault{
            "InitialOfParameter",
            {{"variability=\"tunable\"", "variability=\"tunable\" initial=\"approx\""}},
            {"var-initial-illegal"}},
        DescriptionFault{"InputWithoutStart", {{kU, "<Real/>"}}, {"var-start-missing"}},
        DescriptionFault{
            "ParameterWithoutStart", {{kMass, "<Real unit=\"kg\"/>"}}, {"var-start-missing"}},
        DescriptionFault{"OutputWithStart",
                         {{kY, "<Real unit=\"m\" start=\"1\"/></ScalarVariable>"}},
                         {"var-start-forbidden"}},
        DescriptionFault{"TimeWithStart",
                         {{"causality=\"independent\"><Real/>",
                           "causality=\"independent\"><Real start=\"0\"/>"}},
                         {"var-start-forbidden"}},
        DescriptionFault{"StartOutOfRange", {{"min=\"-10\"", "min=\"1\""}}, {"var-start-range"}},
        DescriptionFault{
            "StartIsNoItem",
            {{"declaredType=\"Mode\" start=\"1\"", "declaredType=\"Mode\" start=\"7\""}},
            {"var-start-item"}},
        DescriptionFault{"Range",
                         {{"min=\"-10\" max=\"10\"", "min=\"10\" max=\"-10\""}},
                         {"var-range", "var-start-range"}},
        DescriptionFault{"Nominal", {{"nominal=\"1\"", "nominal=\"-1\""}}, {"var-nominal"}},
        DescriptionFault{
            "DerivativeOfNothing",
            {{"derivative=\"2\"", "derivative=\"99\""}},
            {"var-derivative-index", "var-reinit-not-state", "structure-derivatives-foreign",
             "structure-unknowns-foreign", "structure-dependency-illegal"}},
        DescriptionFault{"DerivativeOfADiscreteVariable",
                         {{"valueReference=\"1\" initial=\"exact\"",
                           "valueReference=\"1\" initial=\"exact\" variability=\"discrete\""}},
                         {"var-derivative-type"}},
        DescriptionFault{"ReinitOfNoState",
                         {{kY, "<Real reinit=\"true\"/></ScalarVariable>"}},
                         {"var-reinit-not-state"}},
        DescriptionFault{
            "TwoTimes",
            {{"name=\"c\" valueReference=\"6\" variability=\"constant\"><Real start=\"3\"/>",
              "name=\"c\" valueReference=\"6\" causality=\"independent\"><Real/>"}},
            {"var-independent-several"}},
        DescriptionFault{
            "TimeIsAnInteger",
            {{"causality=\"independent\"><Real/>", "causality=\"independent\"><Integer/>"}},
            {"var-independent-type", "var-continuous-type"}},
        DescriptionFault{
            "AliasesSettable",
            {{"name=\"mass\" valueReference=\"7\"", "name=\"mass\" valueReference=\"5\""}},
            {"alias-settable", "alias-unit"}},
        DescriptionFault{"AliasOfAConstant",
                         {{"name=\"volume[1]\" valueReference=\"8\"",
                           "name=\"volume[1]\" valueReference=\"6\""}},
                         {"alias-constant"}},
        DescriptionFault{"AliasUnit",
                         {{"name=\"volume[1]\" valueReference=\"8\"",
                           "name=\"volume[1]\" valueReference=\"7\""}},
                         {"alias-unit"}}),
    [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Structure, ValidateDescription,
    ::testing::Values(
        DescriptionFault{"OutputNotListed",
                         {{"<Unknown index=\"10\" dependencies=\"\"/>", ""}},
                         {"structure-outputs-incomplete"}},
        DescriptionFault{"OutputForeign",
                         {{"<Unknown index=\"10\" dependencies=\"\"/>",
                           "<Unknown index=\"8\"/><Unknown index=\"10\"/>"}},
                         {"structure-outputs-foreign"}},
        DescriptionFault{"OutputTwice",
                         {{"<Unknown index=\"10\" dependencies=\"\"/>",
                           "<Unknown index=\"10\"/><Unknown index=\"10\"/>"}},
                         {"structure-duplicate"}},
        DescriptionFault{"IndexZero",
                         {{"<Unknown index=\"10\" dependencies=\"\"/>",
                           "<Unknown index=\"10\"/><Unknown index=\"0\"/>"}},
                         {"structure-index"}},
        DescriptionFault{
            "DerivativeNotListed",
            {{"<Derivatives><Unknown index=\"3\" dependencies=\"2 4\"/></Derivatives>", ""},
             {"<InitialUnknowns><Unknown index=\"3\"/>", "<InitialUnknowns>"}},
            {"structure-derivatives-incomplete"}},
        DescriptionFault{"DerivativeForeign",
                         {{"</Derivatives>", "<Unknown index=\"9\"/></Derivatives>"}},
                         {"structure-derivatives-foreign"}},
        DescriptionFault{"UnknownNotListed",
                         {{"<Unknown index=\"9\" dependencies=\"8\"/>", ""}},
                         {"structure-unknowns-incomplete"}},
        DescriptionFault{"UnknownForeign",
                         {{"<Unknown index=\"9\" dependencies=\"8\"/>",
                           "<Unknown index=\"8\"/><Unknown index=\"9\"/>"}},
                         {"structure-unknowns-foreign"}},
        DescriptionFault{"UnknownsNotSorted",
                         {{"<Unknown index=\"9\" dependencies=\"8\"/><Unknown index=\"10\"/>",
                           "<Unknown index=\"10\"/><Unknown index=\"9\"/>"}},
                         {"structure-unknowns-order"}},
        DescriptionFault{"DependencyOutOfRange",
                         {{"index=\"9\" dependencies=\"8\"", "index=\"9\" dependencies=\"8 77\""}},
                         {"structure-dependency-index"}},
        DescriptionFault{"DependenciesNotSorted",
                         {{"index=\"3\" dependencies=\"2 4\"", "index=\"3\" dependencies=\"4 2\""}},
                         {"structure-dependency-order"}},
        DescriptionFault{
            "DependencyOnAParameter",
            {{"index=\"3\" dependencies=\"2 4\"", "index=\"3\" dependencies=\"2 4 6\""}},
            {"structure-dependency-illegal"}},
        DescriptionFault{
            "KindsTooFew", {{"constant constant", "constant"}}, {"structure-kind-length"}},
        DescriptionFault{"KindsAlone",
                         {{"dependencies=\"2 4\" dependenciesKind", "dependenciesKind"}},
                         {"structure-kind-length"}},
        DescriptionFault{"KindOfInitialUnknown",
                         {{"index=\"9\" dependencies=\"8\"",
                           "index=\"9\" dependencies=\"8\" dependenciesKind=\"fixed\""}},
                         {"structure-kind-initial"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ValidateDescription, AttributesOfModelExchangeInACoSimulationFmu) {
  std::string text = kToyDescription;
  const std::size_t begin = text.find("  <ModelExchange");
  text.erase(begin, text.find('\n', begin) + 1 - begin);
  const ValidationReport report = validate_text(text);
  EXPECT_EQ(found_rules(report), Ids{"model-me-attribute"}) << all_findings(report);
  EXPECT_EQ(report.findings.count(Severity::error), 2U);  // event indicators and reinit
}

TEST(ValidateDescription, NeitherInterface) {
  std::string text = kToyDescription;
  for (const char* name : {"  <ModelExchange", "  <CoSimulation"}) {
    const std::size_t begin = text.find(name);
    text.erase(begin, text.find('\n', begin) + 1 - begin);
  }
  EXPECT_TRUE(found_rules(validate_text(text)).contains("schema-element-missing"));
}

TEST(ValidateDescription, AliasesWithTwoStarts) {
  // local and exact twice: the second is an alias of the first
  const std::string text = edited(
      {{"valueReference=\"8\" causality=\"calculatedParameter\" variability=\"fixed\"><Real/>",
        "valueReference=\"7\" causality=\"calculatedParameter\" variability=\"fixed\" "
        "initial=\"calculated\"><Real unit=\"kg\" start=\"1\"/>"}});
  EXPECT_EQ(found_rules(validate_text(text)), (Ids{"alias-start", "var-start-forbidden"}));
}

TEST(ValidateDescription, AFindingHasFileLineAndVariable) {
  const ValidationReport report = validate_text(edited({{"unit=\"kg\"/>", "unit=\"g\"/>"}}));
  ASSERT_EQ(report.findings.all().size(), 1U);
  EXPECT_EQ(fmu_check::place_text(report.findings.all().front().place),
            "modelDescription.xml:24: variable 'mass'");
}

TEST(ValidateDescription, EveryPrefixOfTheTextEnds) {
  for (std::size_t size = 0; size < kToyDescription.size(); size += 53)
    EXPECT_FALSE(found_rules(validate_text(kToyDescription.substr(0, size))).empty());
}

TEST(StructuredNames, FollowTheGrammar) {
  for (const char* name : {"a", "a.b", "a_1[3].b[1,2]", "der(a.b)", "der(a,2)", "'a b'.c", "'\\''"})
    EXPECT_TRUE(fmu_check::is_structured_name(name)) << name;
  for (const char* name : {"", "1a", "a.", ".a", "a[", "a[]", "a[1", "a b", "der(a", "der()", "'a",
                           "a-b", "der(a,)", "'\\x'", "\xC3\xBC"})
    EXPECT_FALSE(fmu_check::is_structured_name(name)) << name;
}

// Reference: the official schema, which is not part of the project.
TEST(ValidateDescription, OfficialSchemaOnRequest) {
  ValidateOptions options = files_only();
  options.schema_folder = std::string(MECHFMU_PROJECT_DIR) + "/../shared/xsd/fmi2";
  if (!std::filesystem::exists(options.schema_folder))
    GTEST_SKIP() << "the official schema is not here: " << options.schema_folder;
  if (find_program("xmllint").empty()) GTEST_SKIP() << "xmllint is not installed";
  ValidationReport report = validate_bytes(make_archive(toy_files()), options);
  EXPECT_EQ(found_rules(report), Ids{}) << all_findings(report);
  report = validate_bytes(
      make_archive(toy_files(edited({{"causality=\"output\"", "causality=\"outside\""}}))),
      options);
  EXPECT_TRUE(found_rules(report).contains("schema-official")) << all_findings(report);
}

TEST(ValidateDescription, ASchemaFolderWithoutSchemaIsAFaultOfTheWorld) {
  const TestFolder folder;
  ValidateOptions options = files_only();
  options.schema_folder = folder.path();
  Diagnostics diagnostics;
  EXPECT_FALSE(
      validate_fmu(folder.write("a.fmu", make_archive(toy_files())), options, diagnostics));
  EXPECT_EQ(diagnostics.all().front().code, "S634");
}

}  // namespace
}  // namespace mechfmu::test
