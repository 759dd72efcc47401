// probe_fmu.cpp as an .fmu file: its model description, and the archive round the library that
// CMake has built.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "harness/fmu.hpp"
#include "package/archive.hpp"
#include "support/test_folder.hpp"

namespace mechfmu::test {

inline const std::string kProbeDescription = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Probe" guid="{probe}" generationTool="by hand">
  <CoSimulation modelIdentifier="probe" canHandleVariableCommunicationStepSize="true" canInterpolateInputs="true"/>
  <TypeDefinitions>
    <SimpleType name="Modes"><Enumeration><Item name="slow" value="1"/><Item name="fast" value="4"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="0" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="gain" valueReference="1" causality="parameter" variability="fixed"><Real start="2" unit="m"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="3" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="last_step" valueReference="4" causality="local"><Real/></ScalarVariable>
    <ScalarVariable name="discard_time" valueReference="5" causality="parameter" variability="fixed"><Real start="1e9"/></ScalarVariable>
    <ScalarVariable name="nan_time" valueReference="6" causality="parameter" variability="fixed"><Real start="1e9"/></ScalarVariable>
    <ScalarVariable name="error_time" valueReference="7" causality="parameter" variability="fixed"><Real start="1e9"/></ScalarVariable>
    <ScalarVariable name="held" valueReference="8" causality="input" variability="discrete"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="steps" valueReference="0" causality="output" variability="discrete"><Integer/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="1" causality="parameter" variability="fixed"><Enumeration declaredType="Modes" start="1"/></ScalarVariable>
    <ScalarVariable name="level" valueReference="2" causality="input" variability="discrete"><Integer start="0"/></ScalarVariable>
    <ScalarVariable name="flag" valueReference="0" causality="input" variability="discrete"><Boolean start="false"/></ScalarVariable>
    <ScalarVariable name="flag_out" valueReference="1" causality="local" variability="discrete"><Boolean/></ScalarVariable>
    <ScalarVariable name="label" valueReference="0" causality="parameter" variability="fixed"><String start="none"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1" dependencies="3"/><Unknown index="4" dependencies=""/><Unknown index="10"/></Outputs>
  </ModelStructure>
</fmiModelDescription>
)";

// Writes an FMU of the given description and library and returns its path.
inline std::string make_probe_fmu(const TestFolder& folder, const std::string& name = "probe.fmu",
                                  const std::string& description = kProbeDescription,
                                  const std::string& library = MECHFMU_PROBE,
                                  const std::string& platform = std::string(host_platform())) {
  std::vector<ArchiveFile> files = {{"modelDescription.xml", description, false}};
  if (!platform.empty())
    files.push_back({"binaries/" + platform + "/probe.so", read_text(library), true});
  return folder.write(name, make_archive(files));
}

inline std::string replace(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("nothing to replace: " + what);
  return text.replace(at, what.size(), with);
}

inline std::string all_text(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all())
    text += d.code + ": " + d.message + " | " + d.hint + "\n";
  return text;
}

}  // namespace mechfmu::test
