// toy_fmu.cpp as an .fmu file: its description, and the archive round the library, which can be
// given a fault.
#pragma once
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/fmu_library.hpp"
#include "harness/validate/validate_fmu.hpp"
#include "package/archive.hpp"
#include "support/test_folder.hpp"

namespace mechfmu::test {

inline const std::string kToyDescription = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Toy" guid="{toy}" generationDateAndTime="2026-03-01T12:00:00Z" variableNamingConvention="structured" numberOfEventIndicators="1">
  <ModelExchange modelIdentifier="toy" canNotUseMemoryManagementFunctions="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
  <CoSimulation modelIdentifier="toy" canHandleVariableCommunicationStepSize="true" canInterpolateInputs="true" maxOutputDerivativeOrder="1" canNotUseMemoryManagementFunctions="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" factor="1000"/></Unit>
    <Unit name="kg"><BaseUnit kg="1"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Mode"><Enumeration><Item name="slow" value="1"/><Item name="fast" value="2"/></Enumeration></SimpleType>
    <SimpleType name="Length"><Real unit="m" displayUnit="mm"/></SimpleType>
  </TypeDefinitions>
  <LogCategories><Category name="logStatusError"/><Category name="logEvents"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="1" tolerance="1e-6" stepSize="0.1"/>
  <VendorAnnotations><Tool name="toys"><any thing="1">text</any></Tool></VendorAnnotations>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent"><Real/></ScalarVariable>
    <ScalarVariable name="x" valueReference="1" initial="exact"><Real declaredType="Length" start="1" reinit="true"/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="2"><Real derivative="2"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="3" causality="input"><Real start="0" min="-10" max="10"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="4" causality="output"><Real unit="m" displayUnit="mm"/></ScalarVariable>
    <ScalarVariable name="k" valueReference="5" causality="parameter" variability="tunable"><Real start="0.5" min="0" nominal="1"/></ScalarVariable>
    <ScalarVariable name="c" valueReference="6" variability="constant"><Real start="3"/></ScalarVariable>
    <ScalarVariable name="mass" valueReference="7" causality="parameter" variability="fixed"><Real start="2" unit="kg"/></ScalarVariable>
    <ScalarVariable name="volume[1]" valueReference="8" causality="calculatedParameter" variability="fixed"><Real/></ScalarVariable>
    <ScalarVariable name="steps" valueReference="1" causality="output" variability="discrete"><Integer/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="2" causality="parameter" variability="fixed"><Enumeration declaredType="Mode" start="1"/></ScalarVariable>
    <ScalarVariable name="flag" valueReference="1" causality="input" variability="discrete"><Boolean start="false"/></ScalarVariable>
    <ScalarVariable name="label" valueReference="1" causality="parameter" variability="fixed"><String start="none"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="5" dependencies="2 4" dependenciesKind="constant constant"/><Unknown index="10" dependencies=""/></Outputs>
    <Derivatives><Unknown index="3" dependencies="2 4"/></Derivatives>
    <InitialUnknowns><Unknown index="3"/><Unknown index="5" dependencies="2 4"/><Unknown index="9" dependencies="8"/><Unknown index="10"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)xml";

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("nothing to replace: " + what);
  return text.replace(at, what.size(), with);
}

inline std::string toy_library(const std::string& fault = "none") {
  std::string word = "TOY_FAULT=" + fault;
  word.resize(31, '.');
  return replaced(read_text(MECHFMU_TOY), "TOY_FAULT=none.................", word);
}

inline std::vector<ArchiveFile> toy_files(const std::string& description = kToyDescription,
                                          const std::string& fault = "none") {
  return {{"modelDescription.xml", description, false},
          {"binaries/" + std::string(host_platform()) + "/toy.so", toy_library(fault), true}};
}

// The ids of all that is found.
inline std::set<std::string> found_rules(const ValidationReport& report) {
  std::set<std::string> ids;
  for (const fmu_check::Finding& f : report.findings.all())
    ids.insert(fmu_check::rule_text(f.rule).id);
  return ids;
}

inline std::string all_findings(const ValidationReport& report) {
  std::string text;
  for (const fmu_check::Finding& f : report.findings.all())
    text += fmu_check::rule_text(f.rule).id + " at " + fmu_check::place_text(f.place) + ": " +
            f.message + "\n";
  return text;
}

inline ValidationReport validate_bytes(const std::string& bytes, ValidateOptions options = {},
                                       const std::string& name = "toy.fmu") {
  const TestFolder folder;
  Diagnostics diagnostics;
  std::optional<ValidationReport> report =
      validate_fmu(folder.write(name, bytes), options, diagnostics);
  if (!report) throw std::runtime_error(diagnostics.all().front().message);
  return std::move(*report);
}

inline ValidateOptions files_only() {
  ValidateOptions options;
  options.runs_fmu = false;
  return options;
}

}  // namespace mechfmu::test
