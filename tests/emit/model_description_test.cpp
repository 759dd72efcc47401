// modelDescription.xml of a system made by hand. References: the FMI 2.0 schema (if it is beside
// the project) and the rules of the standard as facts/fmi2.md lists them, checked by
// description_rules.
#include "emit/model_description.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <pugixml.hpp>
#include <stdexcept>

#include "build/process.hpp"
#include "emit/description_rules.hpp"
#include "emit/sample_system.hpp"
#include "package/temporary_folder.hpp"

namespace mechfmu {
namespace {

using test::find_description_faults;
using test::make_sample_system;

constexpr const char* kGuid = "{01234567-89ab-cdef-0123-456789abcdef}";

pugi::xml_document parse(const std::string& xml) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_buffer(xml.data(), xml.size())) << xml;
  return document;
}

pugi::xml_node find_variable(const pugi::xml_document& document, const std::string& name) {
  return document.child("fmiModelDescription")
      .child("ModelVariables")
      .find_child_by_attribute("name", name.c_str());
}

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Sets an environment variable for one test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

TEST(ModelDescription, KeepsTheRulesThatTheSchemaCannotExpress) {
  EXPECT_EQ(join(find_description_faults(emit_model_description(make_sample_system(), kGuid))), "");
}

TEST(ModelDescription, FollowsTheOfficialSchema) {
  const std::string schema = MECHFMU_PROJECT_DIR "/../shared/xsd/fmi2/fmi2ModelDescription.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << "the FMI schema is not beside the project";
  if (find_program("xmllint").empty()) GTEST_SKIP() << "xmllint is not installed";
  Diagnostics diagnostics;
  const auto folder = TemporaryFolder::make(diagnostics);
  ASSERT_TRUE(folder);
  const std::string file = folder->path() + "/modelDescription.xml";
  std::ofstream(file) << emit_model_description(make_sample_system(), kGuid);
  ProcessRequest request;
  request.command = {"xmllint", "--noout", "--nonet", "--schema", schema, file};
  const ProcessResult result = run_process(request);
  EXPECT_TRUE(result.is_success()) << result.output;
}

TEST(ModelDescription, WritesEveryStartValueSoThatItReadsBackToTheLastBit) {
  const SystemModel system = make_sample_system();
  const pugi::xml_document document = parse(emit_model_description(system, kGuid));
  int checked = 0;
  for (const InterfaceVariable& variable : system.interface.variables) {
    if (!variable.start) continue;
    const std::string text =
        find_variable(document, variable.name).first_child().attribute("start").value();
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), *variable.start)
        << variable.name << " = " << text;
    ++checked;
  }
  EXPECT_EQ(checked, 8);
}

TEST(ModelDescription, GivesExactDependenciesSortedAndOnce) {
  const pugi::xml_document document = parse(emit_model_description(make_sample_system(), kGuid));
  const pugi::xml_node structure = document.child("fmiModelDescription").child("ModelStructure");
  const auto find = [&](const char* list, int variable) {
    return structure.child(list).find_child_by_attribute("index",
                                                         std::to_string(variable + 1).c_str());
  };
  // indices are 1-based: tau is 6, flow 7, crank 1, start.A.position 2
  EXPECT_STREQ(find("Outputs", test::kLoad).attribute("dependencies").value(), "6 7");
  EXPECT_STREQ(find("Outputs", test::kLoad).attribute("dependenciesKind").value(),
               "dependent dependent");
  const pugi::xml_attribute none = find("Outputs", test::kAngle).attribute("dependencies");
  EXPECT_TRUE(none);
  EXPECT_STREQ(none.value(), "");
  EXPECT_STREQ(find("InitialUnknowns", test::kLoad).attribute("dependencies").value(), "1 2 6");
  EXPECT_STREQ(find("InitialUnknowns", test::kTotalMass).attribute("dependencies").value(), "1");
  EXPECT_FALSE(find("InitialUnknowns", test::kResidual));
}

TEST(ModelDescription, DefinesTheUnitsThatAreUsedAndNoOthers) {
  const pugi::xml_document document = parse(emit_model_description(make_sample_system(), kGuid));
  std::vector<std::string> names;
  const pugi::xml_node units = document.child("fmiModelDescription").child("UnitDefinitions");
  for (const pugi::xml_node& unit : units.children("Unit"))
    names.emplace_back(unit.attribute("name").value());
  EXPECT_EQ(names,
            (std::vector<std::string>{"m", "rad", "N.m", "kg/s", "rad/s", "N", "kg", "1", "1/s"}));

  const auto base = [&](const char* name) {
    return units.find_child_by_attribute("name", name).child("BaseUnit");
  };
  // N.m = kg m2 s-2, without radians (FMI: a torque has none)
  EXPECT_EQ(base("N.m").attribute("kg").as_int(), 1);
  EXPECT_EQ(base("N.m").attribute("m").as_int(), 2);
  EXPECT_EQ(base("N.m").attribute("s").as_int(), -2);
  EXPECT_FALSE(base("N.m").attribute("rad"));
  EXPECT_EQ(base("rad/s").attribute("rad").as_int(), 1);
  EXPECT_EQ(base("rad/s").attribute("s").as_int(), -1);
  // 1 rad is 57.295779513082320877 deg
  const pugi::xml_node degrees = units.find_child_by_attribute("name", "rad").child("DisplayUnit");
  EXPECT_STREQ(degrees.attribute("name").value(), "deg");
  EXPECT_DOUBLE_EQ(degrees.attribute("factor").as_double(), 57.295779513082320877);
  EXPECT_STREQ(
      find_variable(document, "crank_angle").child("Real").attribute("displayUnit").value(), "deg");
}

TEST(ModelDescription, DeclaresATypeForEveryQuantity) {
  const pugi::xml_document document = parse(emit_model_description(make_sample_system(), kGuid));
  const pugi::xml_node types = document.child("fmiModelDescription").child("TypeDefinitions");
  std::vector<std::string> names;
  for (const pugi::xml_node& type : types.children("SimpleType"))
    names.emplace_back(type.attribute("name").value());
  EXPECT_EQ(names, (std::vector<std::string>{"Angle", "AngularVelocity", "Length", "Rate", "Mass",
                                             "Force", "Torque", "scheme.norm.Choice"}));
  const pugi::xml_node angle = types.find_child_by_attribute("name", "Angle").child("Real");
  EXPECT_STREQ(angle.attribute("quantity").value(), "Angle");
  EXPECT_STREQ(angle.attribute("unit").value(), "rad");
  EXPECT_STREQ(angle.attribute("displayUnit").value(), "deg");
  const pugi::xml_node crank_angle = find_variable(document, "crank_angle").child("Real");
  EXPECT_STREQ(crank_angle.attribute("declaredType").value(), "Angle");
  EXPECT_STREQ(crank_angle.attribute("nominal").value(), "0.1");
  EXPECT_FALSE(find_variable(document, "flow").child("Real").attribute("declaredType"));
}

TEST(ModelDescription, ATypeGivesWayToAVariableOfItsName) {
  SystemModel system = make_sample_system();
  system.interface.variables[test::kScale].name = "Angle";
  const std::string xml = emit_model_description(system, kGuid);
  EXPECT_EQ(join(find_description_faults(xml)), "");
  EXPECT_NE(xml.find("<SimpleType name=\"Angle_\">"), std::string::npos);
}

// Reference: 1 m = 1000 mm, 1 rad/s = 9.5492965855137201461 rpm (30/pi), 1 N = 1/4.4482216152605
// lbf.
TEST(ModelDescription, ShowsVariablesInTheUnitOfTheFile) {
  SystemModel system = make_sample_system();
  system.interface.variables[test::kSpeed].display_unit = "rpm";
  system.interface.variables[test::kLoad].display_unit = "lbf";
  system.interface.variables[test::kTotalMass].display_unit = "mm";  // of another quantity
  const std::string xml = emit_model_description(system, kGuid);
  EXPECT_EQ(join(find_description_faults(xml)), "");
  const pugi::xml_document document = parse(xml);
  const auto expect = [&](const char* variable, const char* unit, const char* display,
                          double factor) {
    EXPECT_STREQ(find_variable(document, variable).child("Real").attribute("displayUnit").value(),
                 display);
    const pugi::xml_node shown = document.child("fmiModelDescription")
                                     .child("UnitDefinitions")
                                     .find_child_by_attribute("name", unit)
                                     .find_child_by_attribute("DisplayUnit", "name", display);
    EXPECT_DOUBLE_EQ(shown.attribute("factor").as_double(), factor) << display;
  };
  expect("crank", "m", "mm", 1000);
  expect("der(crank_angle)", "rad/s", "rpm", 9.5492965855137201461);
  expect("D.force[1]", "N", "lbf", 1 / 4.4482216152605);
  EXPECT_FALSE(find_variable(document, "total_mass").child("Real").attribute("displayUnit"));
}

TEST(ModelDescription, ClaimsOnlyTheCapabilitiesThatWork) {
  const pugi::xml_document document = parse(emit_model_description(make_sample_system(), kGuid));
  const pugi::xml_node cs = document.child("fmiModelDescription").child("CoSimulation");
  for (const char* name :
       {"canHandleVariableCommunicationStepSize", "canNotUseMemoryManagementFunctions",
        "canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative"})
    EXPECT_TRUE(cs.attribute(name).as_bool(false)) << name;
  for (const char* name :
       {"needsExecutionTool", "canRunAsynchronuously", "canBeInstantiatedOnlyOncePerProcess"})
    EXPECT_FALSE(cs.attribute(name).as_bool(true)) << name;
  EXPECT_EQ(cs.attribute("maxOutputDerivativeOrder").as_int(9), 1);
}

TEST(ModelDescription, InterpolatesInputsWhereThereAreAny) {
  SystemModel system = make_sample_system();
  const auto claim = [&] {
    const pugi::xml_document document = parse(emit_model_description(system, kGuid));
    const pugi::xml_node cs = document.child("fmiModelDescription").child("CoSimulation");
    return std::string(cs.attribute("canInterpolateInputs").value());
  };
  EXPECT_EQ(claim(), "true");
  // no variable depends on an input any more, and there is none
  for (InterfaceVariable& variable : system.interface.variables) {
    variable.depends_on.clear();
    variable.initially_depends_on.clear();
    if (variable.causality == Causality::input) variable.causality = Causality::local;
  }
  EXPECT_EQ(claim(), "false");
}

TEST(ModelDescription, ToleranceOfTheExperimentIsTheStartOfSolverTolerance) {
  const pugi::xml_document document = parse(emit_model_description(make_sample_system(), kGuid));
  EXPECT_STREQ(document.child("fmiModelDescription")
                   .child("DefaultExperiment")
                   .attribute("tolerance")
                   .value(),
               "1e-08");
}

TEST(ModelDescription, HostileTextStaysText) {
  SystemModel system = make_sample_system();
  const std::string hostile = "</ScalarVariable><x a='1'>&\"{{guid}}\n\t]]> \xC3\xA9 \xE2\x82\xAC";
  system.description = hostile;
  system.interface.variables[test::kCrank].description = hostile;
  const std::string xml = emit_model_description(system, kGuid);
  EXPECT_EQ(join(find_description_faults(xml)), "");
  const pugi::xml_document document = parse(xml);
  EXPECT_EQ(document.child("fmiModelDescription").attribute("description").value(), hostile);
  EXPECT_EQ(find_variable(document, "crank").attribute("description").value(), hostile);
}

TEST(ModelDescription, EnumerationTypeHasANameThatNoVariableHas) {
  SystemModel system = make_sample_system();
  system.interface.variables[test::kScale].name = "scheme.norm.Choice";
  EXPECT_EQ(join(find_description_faults(emit_model_description(system, kGuid))), "");
}

TEST(ModelDescription, SystemWithoutUnitsOutputsAndEnumerationsHasNoEmptyLists) {
  SystemModel system = make_sample_system();
  InterfaceVariable only = system.interface.variables[test::kTolerance];
  system.interface.variables = {only};
  const std::string xml = emit_model_description(system, kGuid);
  EXPECT_EQ(join(find_description_faults(xml)), "");
  for (const char* name : {"UnitDefinitions", "TypeDefinitions", "Outputs", "InitialUnknowns"})
    EXPECT_EQ(xml.find(name), std::string::npos) << name;
}

TEST(ModelDescription, InfiniteLimitsAreLeftOut) {
  SystemModel system = make_sample_system();
  system.interface.variables[test::kCrank].max = std::numeric_limits<double>::infinity();
  const std::string xml = emit_model_description(system, kGuid);
  EXPECT_EQ(join(find_description_faults(xml)), "");
  EXPECT_EQ(xml.find("inf\""), std::string::npos);
}

TEST(ModelDescription, DateIsWrittenOnlyWithSourceDateEpoch) {
  EXPECT_EQ(emit_model_description(make_sample_system(), kGuid).find("generationDateAndTime"),
            std::string::npos);
  const Environment epoch("SOURCE_DATE_EPOCH", "1700000000");  // date -u -d @1700000000
  EXPECT_NE(emit_model_description(make_sample_system(), kGuid)
                .find("generationDateAndTime=\"2023-11-14T22:13:20Z\""),
            std::string::npos);
  EXPECT_EQ(emit_model_description(make_sample_system(), "").find("generationDateAndTime"),
            std::string::npos);
}

TEST(ModelDescription, NonsenseInSourceDateEpochIsNoDate) {
  const Environment epoch("SOURCE_DATE_EPOCH", "yesterday");
  EXPECT_EQ(emit_model_description(make_sample_system(), kGuid).find("generationDateAndTime"),
            std::string::npos);
}

TEST(ModelDescription, ImpossibleVariablesAreOurMistakes) {
  const auto emit_with = [](int index, auto change) {
    SystemModel system = make_sample_system();
    change(system.interface.variables[static_cast<std::size_t>(index)]);
    return emit_model_description(system, kGuid);
  };
  const auto no_start = [](InterfaceVariable& v) { v.start.reset(); };
  const auto nan_start = [](InterfaceVariable& v) {
    v.start = std::numeric_limits<double>::quiet_NaN();
  };
  const auto continuous = [](InterfaceVariable& v) { v.variability = Variability::continuous; };
  const auto unknown_unit = [](InterfaceVariable& v) { v.unit = "furlong"; };
  const auto on_output = [](InterfaceVariable& v) { v.depends_on = {{test::kSpeed}}; };
  EXPECT_THROW(emit_with(test::kCrank, no_start), std::logic_error);
  EXPECT_THROW(emit_with(test::kTorque, nan_start), std::logic_error);
  EXPECT_THROW(emit_with(test::kCrank, continuous), std::logic_error);
  EXPECT_THROW(emit_with(test::kIterations, continuous), std::logic_error);
  EXPECT_THROW(emit_with(test::kAngle, unknown_unit), std::logic_error);
  EXPECT_THROW(emit_with(test::kAngle, on_output), std::logic_error);
}

// The rules themselves: each must see the fault it is there for.
TEST(DescriptionRules, SeeEveryFaultPutIntoAGoodDescription) {
  const std::string good = emit_model_description(make_sample_system(), kGuid);
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"fmiVersion=\"2.0\"", "fmiVersion=\"2.1\""},
      {"canGetAndSetFMUstate=\"true\"", "canGetAndSetFMUstate=\"false\""},
      {"name=\"flow\"", "name=\"tau\""},
      {"name=\"flow\"", "name=\"time\""},
      {"name=\"flow\"", "name=\"a b\""},
      {"valueReference=\"4\"", "valueReference=\"3\""},
      {"<Unit name=\"kg\">", "<Unit name=\"lb\">"},
      {"initial=\"calculated\"", "initial=\"exact\""},
      {"causality=\"input\" variability=\"continuous\"",
       "causality=\"input\" variability=\"fixed\""},
      {" start=\"-0.30000000000000004\"", ""},
      {"start=\"0.1\"", "start=\"-0.1\""},
      {"start=\"0.1\"", "start=\"NaN\""},
      {"displayUnit=\"deg\"", "displayUnit=\"gon\""},
      {"declaredType=\"scheme.norm.Choice\"", "declaredType=\"other\""},
      {"dependencies=\"6 7\"", "dependencies=\"7 6\""},
      {"dependencies=\"6 7\"", "dependencies=\"6 77\""},
      {"dependencies=\"6 7\"", "dependencies=\"6 8\""},
      {"\"dependent dependent\"", "\"dependent\""},
      {"\"dependent dependent\"", "\"dependent strange\""},
      {"<Unknown index=\"8\"", "<Unknown index=\"9\""},
  };
  for (const auto& [from, to] : faults) {
    std::string bad = good;
    const std::size_t at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bad.replace(at, from.size(), to);
    EXPECT_FALSE(find_description_faults(bad).empty()) << from << " -> " << to;
  }
}

}  // namespace
}  // namespace mechfmu
