// Broken systems: every mistake is named with its line and a remedy, all of them in one run. The
// probe FMU of tests/harness: outputs x, y (Real), steps (Integer); inputs u, held, level, flag.
#include "../harness/probe.hpp"
#include "coupled_files.hpp"

namespace mechfmu::test {
namespace {

class BrokenSystem : public ::testing::Test {
 protected:
  BrokenSystem() {
    make_probe_fmu(folder_);
    text_.elements = component("a", "probe.fmu", {"x out", "y out", "steps out Integer", "u in"}) +
                     component("b", "probe.fmu", {"u in", "level in Integer"});
  }
  // The messages must be this one alone, with the line that holds `place`.
  void expect(const std::string& code, const std::string& place, const std::string& message,
              const std::string& hint) {
    const std::string ssd = text_.ssd();
    const std::size_t at = ssd.find(place);
    ASSERT_NE(std::string::npos, at) << place;
    const auto line =
        1 + std::count(ssd.begin(), ssd.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::string said = read_messages(folder_.write("s.ssd", ssd));
    EXPECT_EQ(1, std::count(said.begin(), said.end(), '\n')) << said;
    EXPECT_EQ(0U, said.find(code + " " + std::to_string(line) + ": ")) << said;
    EXPECT_NE(std::string::npos, said.find(message)) << said;
    EXPECT_NE(std::string::npos, said.find(hint, said.find(" | "))) << said;
  }

  TestFolder folder_;
  SystemText text_;
};

TEST_F(BrokenSystem, ConnectorIsUnknown) {
  text_.connections = connection("a.xx > b.u");
  expect("E803", "<ssd:Connection ", "'a' has no connector 'xx'", "did you mean 'x'?");
}
TEST_F(BrokenSystem, ConnectorIsNotDeclared) {
  text_.connections = connection("a.x > b.held");
  expect("E803", "<ssd:Connection ", "'b' has no connector 'held'",
         "add <ssd:Connector name=\"held\" kind=\"input\">");
}
TEST_F(BrokenSystem, ElementIsUnknown) {
  text_.connections = connection("a.x > bb.u");
  expect("E803", "<ssd:Connection ", "no element 'bb'", "'b'");
}
TEST_F(BrokenSystem, SystemHasNoSuchConnector) {
  text_.connections = connection("a.x > total");
  expect("E803", "<ssd:Connection ", "the system has no connector 'total'", "");
}
TEST_F(BrokenSystem, FmuHasNoSuchVariable) {
  text_.elements += component("c", "probe.fmu", {"helt in"});
  expect("E804", "name=\"helt\"", "component 'c', connector 'helt': the FMU has no such variable",
         "did you mean 'held'?");
}
TEST_F(BrokenSystem, KindOfTheConnectorIsWrong) {
  text_.elements += component("c", "probe.fmu", {"x in"});
  expect("E804",
         "kind=\"input\"><ssc:Real/></ssd:Connector>\n</ssd:Connectors>\n</ssd:Component>\n</ssd",
         "its kind is input, but the FMU's variable is an output", "write kind=\"output\"");
}
TEST_F(BrokenSystem, TypeOfTheConnectorIsWrong) {
  text_.elements += component("c", "probe.fmu", {"held in Boolean"});
  expect("E804", "name=\"held\"", "its type is Boolean, but the FMU's variable is Real",
         "<ssc:Real/>");
}
TEST_F(BrokenSystem, InputIsConnectedTwice) {
  text_.connections = connection("a.x > b.u") + connection("b.u > a.y");
  expect("E805", "<ssd:Connection startElement=\"b\"",
         "'b.u' is connected twice: to 'a.x' and to 'a.y'", "remove one of them");
}
TEST_F(BrokenSystem, TwoOutputsAreJoined) {
  text_.connections = connection("a.x > a.y");
  expect("E806", "<ssd:Connection ", "both give a value", "from an output to an input");
}
TEST_F(BrokenSystem, TypesDiffer) {
  text_.connections = connection("a.x > b.level");
  expect("E807", "<ssd:Connection ", "'a.x' is Real, 'b.level' is Integer", "same type");
}
TEST_F(BrokenSystem, AnIntegerIsTransformed) {
  text_.connections = connection("a.steps > b.level", "<ssc:LinearTransformation factor=\"2\"/>");
  expect("E807", "<ssd:Connection ", "a linear transformation of 'a.steps'", "only Real");
}
TEST_F(BrokenSystem, UnitsMeasureDifferentThings) {
  text_.elements =
      component("a", "probe.fmu", {"x out m"}) + component("b", "probe.fmu", {"u in rad"});
  text_.connections = connection("a.x > b.u");
  expect("E808", "<ssd:Connection ", "'a.x' is in m, 'b.u' in rad: they measure different things",
         "suppressUnitConversion");
}
TEST_F(BrokenSystem, UnitIsNotDefined) {
  text_.elements =
      component("a", "probe.fmu", {"x out furlong"}) + component("b", "probe.fmu", {"u in m"});
  text_.connections = connection("a.x > b.u");
  expect("E808", "<ssd:Connection ", "the unit 'furlong' is defined nowhere", "<ssd:Units>");
}
TEST_F(BrokenSystem, FmuIsMissing) {
  text_.elements += component("c", "prope.fmu", {});
  expect("E809", "prope.fmu", "component 'c': there is no file 'prope.fmu'",
         "did you mean 'probe.fmu'?");
}
TEST_F(BrokenSystem, SourceIsAnAddress) {
  text_.elements += component("c", "https://example.org/c.fmu", {});
  expect("E810", "https", "is not a file", "relative path");
}
TEST_F(BrokenSystem, ParameterFileIsMissing) {
  text_.elements += component(
      "c", "probe.fmu", {},
      "<ssd:ParameterBindings><ssd:ParameterBinding source=\"no.ssv\"/></ssd:ParameterBindings>");
  expect("E809", "no.ssv", "'no.ssv' cannot be read", "relative to the .ssd");
}
TEST_F(BrokenSystem, ParameterHasAnotherType) {
  text_.bindings =
      inline_values("<ssv:Parameter name=\"a.gain\"><ssv:Boolean value=\"true\"/></ssv:Parameter>");
  expect("E811", "a.gain", "parameter 'a.gain': the value is Boolean, the variable Real", "info");
}
TEST_F(BrokenSystem, ParameterHasAnotherUnit) {
  text_.bindings = inline_values(real_value("a.gain", "1", "rad"));
  expect("E811", "a.gain", "it is in m and cannot be given in rad", "");
}
TEST_F(BrokenSystem, ParameterIsUnknown) {
  text_.bindings = inline_values(real_value("a.gian", "1"));
  expect("W811", "a.gian", "no component has the parameter 'a.gian'", "did you mean 'gain'?");
}
TEST_F(BrokenSystem, ComponentIsNoFmu) {
  text_.elements +=
      "<ssd:Component name=\"c\" type=\"application/x-ssp-package\" source=\"c.ssp\"/>\n";
  expect("E812", "c.ssp", "component 'c' is of type application/x-ssp-package", "FMUs");
}
TEST_F(BrokenSystem, ComponentWantsModelExchange) {
  text_.elements +=
      "<ssd:Component name=\"c\" implementation=\"ModelExchange\" source=\"probe.fmu\"/>\n";
  expect("E812", "ModelExchange", "asks for model exchange", "CoSimulation");
}
TEST_F(BrokenSystem, FmuCanBeThereOnlyOnce) {
  make_probe_fmu(folder_, "once.fmu",
                 replace(kProbeDescription, "canInterpolateInputs=\"true\"",
                         "canBeInstantiatedOnlyOncePerProcess=\"true\""));
  text_.elements += component("c", "once.fmu", {});
  text_.elements += component("d", "./once.fmu", {});
  expect("E813", "./once.fmu", "component 'd'", "one component only");
}
TEST_F(BrokenSystem, TwoElementsHaveOneName) {
  text_.elements += component("b", "./probe.fmu", {});
  expect("E802", "./probe.fmu", "two elements 'b'", "another name");
}
TEST_F(BrokenSystem, AllMistakesAreToldInOneRun) {
  text_.elements += component("c", "no.fmu", {});
  text_.connections = connection("a.xx > b.u") + connection("a.x > b.level");
  const std::string said = read_messages(folder_.write("s.ssd", text_.ssd()));
  for (const char* code : {"E809", "E803", "E807"})
    EXPECT_NE(std::string::npos, said.find(code)) << said;
}
TEST_F(BrokenSystem, IsNoSystemAtAll) {
  EXPECT_EQ(0U, read_messages(folder_.write("s.ssd", "<mechanism name=\"A\"/>")).find("E801 1: "));
  EXPECT_EQ(0U, read_messages(folder_.write("s.ssd", "<a>")).find("E105 1: "));
}
TEST_F(BrokenSystem, FmusThatCannotGoBackHaveFixedSteps) {
  text_.connections = connection("a.x > b.u");
  CouplingOptions options;
  options.tolerance = 1e-3;
  const CoupledResult r = run_system(folder_.write("s.ssd", text_.ssd()), options, {});
  EXPECT_FALSE(r.report.completed);
  EXPECT_EQ(2, r.diagnostics.error_count());
  EXPECT_EQ("E814", r.diagnostics.all().front().code);
}

}  // namespace
}  // namespace mechfmu::test
