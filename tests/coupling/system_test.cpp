// What an .ssd can say besides plain connections: algebraic loops at the start, units and
// transformations, parameter sets and mappings, systems in systems, signals of every type,
// archives. References: solutions by hand.
#include <cmath>
#include <numbers>

#include "../harness/probe.hpp"
#include "coupled_files.hpp"

namespace mechfmu::test {
namespace {

using mechfmu::testing::tol;

// y = a u + b sin(u) + c at once; z follows y with a lag, so that there is a state
const char* kAnswer = R"xml(<equations name="Answer">
  <parameter name="a" value="0"/> <parameter name="b" value="0"/> <parameter name="c" value="0"/>
  <input name="u"/>
  <coordinate name="z" mass="1"/>
  <force on="z" value="a*u + b*sin(u) + c - der(z)"/>
  <output name="y" value="a*u + b*sin(u) + c"/>
</equations>)xml";

// gives an angle and a length that stand still
const char* kSource = R"xml(<equations name="Source">
  <parameter name="turn" value="90 deg"/> <parameter name="long" value="250 mm"/>
  <coordinate name="s" mass="1"/>
  <output name="angle" value="turn" unit="rad"/> <output name="length" value="long" unit="m"/>
</equations>)xml";

CommunicationRequest short_run() {
  CommunicationRequest request;
  request.step = 0.1;
  request.stop = 0.2;
  return request;
}

TEST(AlgebraicLoop, IsSolvedAtTheStart) {
  const TestFolder folder;
  build_fmu_file(kAnswer, folder / "answer.fmu");
  SystemText text;
  // u1 = 2 - 3 u2 (a plain repetition diverges), u2 = 0.5 u1 + 0.4 sin(u1) + 0.1
  text.elements = component("one", "answer.fmu", {"u in", "y out"},
                            inline_values(real_value("a", "-3") + real_value("c", "2"))) +
                  component("two", "answer.fmu", {"u in", "y out"},
                            inline_values(real_value("a", "0.5") + real_value("b", "0.4") +
                                          real_value("c", "0.1")));
  text.connections = connection("one.y > two.u") + connection("two.y > one.u");
  const CoupledResult r =
      run_system(folder.write("s.ssd", text.ssd()), {}, short_run(), {}, {"one.y", "two.y"});
  ASSERT_TRUE(r.report.completed);
  ASSERT_EQ(1U, r.report.statistics.loops.size());
  EXPECT_EQ("one.u, two.u", r.report.statistics.loops.front());
  // bisection on f(u1) = 2 - 3 (0.5 u1 + 0.4 sin u1 + 0.1) - u1, which falls
  double low = -10, high = 10;
  for (int i = 0; i < 200; ++i) {
    const double u = (low + high) / 2;
    (2 - 3 * (0.5 * u + 0.4 * std::sin(u) + 0.1) - u > 0 ? low : high) = u;
  }
  EXPECT_NEAR(low, r.at(0, "one.y"), tol(1e-12));
  EXPECT_NEAR(0.5 * low + 0.4 * std::sin(low) + 0.1, r.at(0, "two.y"), tol(1e-12));
}

TEST(AlgebraicLoop, WithoutASolutionIsAnErrorThatNamesIt) {
  const TestFolder folder;
  build_fmu_file(kAnswer, folder / "answer.fmu");
  SystemText text;  // u = u + 1
  text.elements = component("one", "answer.fmu", {"u in", "y out"},
                            inline_values(real_value("a", "1") + real_value("c", "1")));
  text.connections = connection("one.y > one.u");
  const CoupledResult r = run_system(folder.write("s.ssd", text.ssd()), {}, short_run());
  EXPECT_FALSE(r.report.completed);
  ASSERT_EQ(1, r.diagnostics.error_count());
  EXPECT_EQ("E815", r.diagnostics.all().front().code);
  EXPECT_NE(std::string::npos, r.diagnostics.all().front().message.find("one.u"));
}

TEST(AlgebraicLoop, AChainIsPassedOnInItsOrder) {
  const TestFolder folder;
  build_fmu_file(kAnswer, folder / "answer.fmu");
  SystemText text;  // written against the flow: c doubles b, b doubles a, a = 5
  const std::string twice = inline_values(real_value("a", "2"));
  text.elements = component("c", "answer.fmu", {"u in", "y out"}, twice) +
                  component("b", "answer.fmu", {"u in", "y out"}, twice) +
                  component("a", "answer.fmu", {"y out"}, inline_values(real_value("c", "5")));
  text.connections = connection("b.y > c.u") + connection("a.y > b.u");
  const CoupledResult r = run_system(folder.write("s.ssd", text.ssd()), {}, short_run());
  EXPECT_EQ(20, r.at(0, "c.y"));
  EXPECT_TRUE(r.report.statistics.loops.empty());
  EXPECT_EQ((std::vector<std::string>{"a", "b", "c"}), r.report.component_order);
}

// A system connector in deg and mm between FMUs in rad and m, whose values must be the same again;
// and the probe FMU, which has no units, behind connectors in deg and mm.
TEST(Units, AreConverted) {
  const TestFolder folder;
  build_fmu_file(kSource, folder / "source.fmu");
  make_probe_fmu(folder);
  SystemText text;
  text.connectors = connector("out_deg out deg");
  text.elements = component("source", "source.fmu", {"angle out", "length out"}) +
                  component("degrees", "probe.fmu", {"u in deg"}) +
                  component("millimetres", "probe.fmu", {"u in mm"}) +
                  component("plain", "probe.fmu", {"u in deg"}) +
                  component("scaled", "probe.fmu", {"u in deg"});
  text.connections = connection("source.angle > degrees.u") +
                     connection("source.length > millimetres.u") +
                     connection("source.angle > plain.u", "", "suppressUnitConversion=\"true\"") +
                     // the transformation acts on the converted value
                     connection("source.angle > scaled.u",
                                "<ssc:LinearTransformation factor=\"2\" offset=\"7\"/>") +
                     connection("source.angle > out_deg");
  text.units =
      "<ssc:Unit name=\"deg\"><ssc:BaseUnit rad=\"1\" factor=\"0.017453292519943295\"/></ssc:Unit>"
      "<ssc:Unit name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit>";
  const CoupledResult r = run_system(folder.write("s.ssd", text.ssd()), {}, short_run(), {},
                                     {"degrees.u", "millimetres.u", "plain.u", "scaled.u"});
  EXPECT_NEAR(90, r.last("degrees.u"), tol(1e-12));
  EXPECT_NEAR(250, r.last("millimetres.u"), tol(1e-12));
  EXPECT_NEAR(std::numbers::pi / 2, r.last("plain.u"), tol(1e-15));
  EXPECT_NEAR(187, r.last("scaled.u"), tol(1e-12));
}

TEST(Units, OffsetsOfUnitsAreConverted) {
  const TestFolder folder;
  make_probe_fmu(folder);
  SystemText text;  // 25 degC = 298.15 K; what the probe gives has no unit of its own
  text.elements =
      component("a", "probe.fmu", {"y out degC"}) + component("b", "probe.fmu", {"u in K"});
  text.connections =
      connection("a.y > b.u", "<ssc:LinearTransformation factor=\"1\" offset=\"0.5\"/>");
  text.units =
      "<ssc:Unit name=\"degC\"><ssc:BaseUnit K=\"1\" offset=\"273.15\"/></ssc:Unit>"
      "<ssc:Unit name=\"K\"><ssc:BaseUnit K=\"1\"/></ssc:Unit>";
  const CoupledResult r =
      run_system(folder.write("s.ssd", text.ssd()), {}, short_run(), {}, {"b.u"});
  EXPECT_NEAR(273.65, r.last("b.u"), tol(1e-12));  // y of the probe is 0: nothing was integrated
}

TEST(Parameters, SetsFilesMappingsAndPrecedence) {
  const TestFolder folder;
  build_fmu_file(kAnswer, folder / "answer.fmu");
  folder.write("more/set.ssv",
               "<?xml version=\"1.0\"?><p:ParameterSet "
               "xmlns:p=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" "
               "version=\"1.0\" name=\"set\"><p:Parameters><p:Parameter name=\"constant\"><p:Real "
               "value=\"3\"/></p:Parameter></p:Parameters></p:ParameterSet>");
  folder.write("map.ssm",
               "<m:ParameterMapping "
               "xmlns:m=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\" "
               "xmlns:c=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" version=\"1.0\">"
               "<m:MappingEntry source=\"constant\" target=\"c\"><c:LinearTransformation "
               "factor=\"10\" offset=\"1\"/></m:MappingEntry></m:ParameterMapping>");
  SystemText text;
  const std::string mapped =
      "<ssd:ParameterBindings><ssd:ParameterBinding source=\"more/set.ssv\"><ssd:ParameterMapping "
      "source=\"map.ssm\"/></ssd:ParameterBinding></ssd:ParameterBindings>";
  text.elements = component("mapped", "answer.fmu", {"y out"}, mapped) +
                  component("outer", "answer.fmu", {"y out"}, inline_values(real_value("c", "1")));
  // the system's value is stronger than the component's; the prefix names the component
  text.bindings = inline_values(real_value("c", "42"), "prefix=\"outer.\"");
  const std::string path = folder.write("s.ssd", text.ssd());
  const CoupledResult r = run_system(path, {}, short_run());
  EXPECT_EQ(31, r.last("mapped.y"));
  EXPECT_EQ(42, r.last("outer.y"));
  EXPECT_EQ(-1, run_system(path, {}, short_run(), {{"outer.c", "-1"}}).last("outer.y"));
}

TEST(Parameters, UnitsOfValuesAreConverted) {
  const TestFolder folder;
  build_fmu_file(kSource, folder / "source.fmu");
  SystemText text;
  text.elements = component("source", "source.fmu", {"length out"},
                            inline_values(real_value("long", "125", "mm")));
  const CoupledResult r = run_system(folder.write("s.ssd", text.ssd()), {}, short_run());
  EXPECT_NEAR(0.125, r.last("source.length"), tol(1e-15));
}

TEST(Nesting, ConnectionsThroughSystemsReachTheirFmus) {
  const TestFolder folder;
  build_fmu_file(kAnswer, folder / "answer.fmu");
  SystemText text;
  const std::string inner =
      "<ssd:System name=\"inner\"><ssd:Connectors>" + connector("in in") + connector("out out") +
      "</ssd:Connectors><ssd:Elements>" +
      component("gain", "answer.fmu", {"u in", "y out"}, inline_values(real_value("a", "3"))) +
      "</ssd:Elements><ssd:Connections>" +
      connection("in > gain.u", "<ssc:LinearTransformation offset=\"1\"/>") +
      connection("out > gain.y") +  // start and end carry no direction
      "</ssd:Connections></ssd:System>\n";
  text.elements =
      component("a", "answer.fmu", {"y out"}, inline_values(real_value("c", "5"))) + inner +
      component("b", "answer.fmu", {"u in", "y out"}, inline_values(real_value("a", "1")));
  text.connections = connection("a.y > inner.in", "<ssc:LinearTransformation factor=\"2\"/>") +
                     connection("inner.out > b.u");
  const CoupledResult r = run_system(folder.write("s.ssd", text.ssd()), {}, short_run());
  EXPECT_EQ(33, r.at(0, "inner.gain.y"));  // 3 (2 * 5 + 1)
  EXPECT_EQ(33, r.at(0, "b.y"));
}

TEST(Types, IntegersBooleansAndTextsPassUnchanged) {
  const TestFolder folder;
  std::string description =
      replace(kProbeDescription, "name=\"flag_out\" valueReference=\"1\" causality=\"local\"",
              "name=\"flag_out\" valueReference=\"1\" causality=\"output\"");
  make_probe_fmu(
      folder, "from.fmu",
      replace(description,
              "name=\"label\" valueReference=\"0\" causality=\"parameter\" variability=\"fixed\"",
              "name=\"label\" valueReference=\"0\" causality=\"output\" variability=\"discrete\" "
              "initial=\"exact\""));
  make_probe_fmu(
      folder, "to.fmu",
      replace(description,
              "name=\"label\" valueReference=\"0\" causality=\"parameter\" variability=\"fixed\"",
              "name=\"label\" valueReference=\"0\" causality=\"input\" variability=\"discrete\""));
  SystemText text;
  text.elements =
      component(
          "from", "from.fmu", {"steps out Integer", "flag_out out Boolean", "label out String"},
          inline_values(
              "<ssv:Parameter name=\"flag\"><ssv:Boolean value=\"true\"/></ssv:Parameter>"
              "<ssv:Parameter name=\"label\"><ssv:String value=\"a &amp; b\"/></ssv:Parameter>")) +
      component("to", "to.fmu", {"level in Integer", "flag in Boolean", "label in String"});
  text.connections = connection("from.steps > to.level") + connection("from.flag_out > to.flag") +
                     connection("from.label > to.label");
  CommunicationRequest request;
  request.step = 0.1;
  request.stop = 0.5;
  const CoupledResult r = run_system(folder.write("s.ssd", text.ssd()), {}, request, {},
                                     {"from.steps", "to.level", "to.flag", "to.label"});
  EXPECT_NE(std::string::npos, r.text.find("0.5,5,5,1,a & b\n")) << r.text;
}

TEST(Archive, RunsAndCannotReachOutside) {
  const TestFolder folder;
  build_fmu_file(kAnswer, folder / "answer.fmu");
  SystemText text;
  text.elements =
      component("a", "resources/answer.fmu", {"y out"}, inline_values(real_value("c", "5")));
  const std::string fmu = read_text(folder / "answer.fmu");
  const std::string good = folder.write(
      "good.ssp",
      make_archive({{"SystemStructure.ssd", text.ssd()}, {"resources/answer.fmu", fmu}}));
  EXPECT_EQ(5, run_system(good, {}, short_run()).last("a.y"));

  for (const std::string& source :
       std::vector<std::string>{"../answer.fmu", "resources/../../answer.fmu",
                                folder / "answer.fmu", "%2e%2e/answer.fmu"}) {
    text.elements = component("a", source, {"y out"});
    const std::string bad =
        folder.write("bad.ssp", make_archive({{"SystemStructure.ssd", text.ssd()}}));
    EXPECT_EQ(0U, read_messages(bad).find("E810 5: ")) << source << ": " << read_messages(bad);
  }
  const std::string empty =
      folder.write("empty.ssp", make_archive({{"Structure.ssd", text.ssd()}}));
  EXPECT_EQ(0U, read_messages(empty).find("E801: ")) << read_messages(empty);
}

}  // namespace
}  // namespace mechfmu::test
