// terminalsAndIcons.xml. References: the official schema of FMI 3.0 where it is at hand, and the
// meaning of the members by the mechanism file.
#include "emit/terminals.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <pugixml.hpp>

#include "build/process.hpp"
#include "support/mechanism_run.hpp"
#include "support/test_folder.hpp"

namespace mechfmu::testing {
namespace {

std::vector<Terminal> terminals_of(const std::string& xml) {
  const SourceText source("test.xml", xml);
  Diagnostics diagnostics;
  std::optional<SystemModel> system;
  if (const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics))
    system = make_system(*mechanism, {}, diagnostics);
  EXPECT_TRUE(system.has_value()) << render(diagnostics, source);
  return system ? system->terminals : std::vector<Terminal>();
}

TEST(Terminals, AMotorIsATerminalWithAngleSpeedAndTorque) {
  const std::vector<Terminal> terminals = terminals_of(example_text("four_bar"));
  ASSERT_EQ(terminals.size(), 1u);
  EXPECT_EQ(terminals[0].name, "A");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(emit_terminals(terminals).c_str()));
  const pugi::xml_node terminal =
      document.child("fmiTerminalsAndIcons").child("Terminals").child("Terminal");
  std::string members;
  for (const pugi::xml_node member : terminal.children("TerminalMemberVariable"))
    members += std::string(member.attribute("memberName").value()) + "=" +
               member.attribute("variableName").value() + ":" +
               member.attribute("variableKind").value() + " ";
  EXPECT_EQ(members,
            "angle=crank_angle:signal angular_velocity=crank_speed:signal torque=tau:inflow ");
  EXPECT_STREQ(document.document_element().attribute("fmiVersion").value(), "3.0");
}

TEST(Terminals, ADriveByAnInputIsOneAndOneByTimeIsNot) {
  const std::vector<Terminal> driven = terminals_of(example_text("stewart"));
  ASSERT_EQ(driven.size(), 6u);
  EXPECT_EQ(driven[0].name, "slide1");
  EXPECT_FALSE(driven[0].turns);
  ASSERT_FALSE(driven[0].members.empty());
  EXPECT_EQ(driven[0].members.back().variable, "leg1");
  EXPECT_EQ(driven[0].members.back().name, "prescribed_position");
  EXPECT_TRUE(terminals_of(example_text("pendulum")).empty());
  EXPECT_TRUE(terminals_of(example_text("squeezer_equations")).empty());
}

TEST(Terminals, WhatIsMoreThanAnInputIsNone) {
  const char* xml = R"(<mechanism name="M"><body name="b"><point mass="1" xyz="1 0 0"/></body>
    <joint name="J" type="revolute" parent="ground" child="b"/><input name="u"/>
    <force name="f" type="joint_torque" joint="J" value="2*u"/></mechanism>)";
  EXPECT_TRUE(terminals_of(xml).empty());
}

TEST(Terminals, MeetTheOfficialSchema) {
  const std::string schema =
      std::string(MECHFMU_PROJECT_DIR) + "/../shared/xsd/fmi3/fmi3TerminalsAndIcons.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << "the official schema is not here";
  if (find_program("xmllint").empty()) GTEST_SKIP() << "xmllint is not installed";
  const test::TestFolder folder;
  for (const std::string& name : example_names()) {
    const std::vector<Terminal> terminals = terminals_of(example_text(name));
    if (terminals.empty()) continue;
    ProcessRequest request;
    request.command = {"xmllint", "--noout", "--schema", schema,
                       folder.write(name + ".xml", emit_terminals(terminals))};
    const ProcessResult result = run_process(request);
    EXPECT_TRUE(result.is_success()) << result.output;
  }
}

}  // namespace
}  // namespace mechfmu::testing
