// What is said about elements, attributes and words that the language does not have, and what is
// read otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::load;
using test::messages;
using test::with_link;

TEST(ReaderError, TheRootIsSomethingElse) {
  EXPECT_EQ(messages(R"xml(<robot name="r"/>)xml"),
            R"txt(model.xml:1:1: error E109: this is a URDF file, not a mechanism file
    1 | <robot name="r"/>
      | ^~~~~~
   hint: mechfmu convert makes one of it, <import file="..."/> makes it part of one
)txt");
}

TEST(ReaderError, TheRootIsUnknown) {
  EXPECT_EQ(messages(R"xml(<model name="r"/>)xml"),
            R"txt(model.xml:1:1: error E109: <model> is not a mechanism
    1 | <model name="r"/>
      | ^~~~~~
   hint: a mechanism file begins with <mechanism name="...">
)txt");
}

TEST(ReaderError, AnElementIsMisspelt) {
  EXPECT_EQ(messages(with_link(R"xml(<paramter name="a" value="1"/>)xml")),
            R"txt(model.xml:2:1: error E111: <mechanism> has no element <paramter>
    2 | <paramter name="a" value="1"/>
      | ^~~~~~~~~
   hint: did you mean 'parameter'?
)txt");
}

TEST(ReaderError, AnElementIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<wind name="t"/>)xml")),
            R"txt(model.xml:2:1: error E111: <mechanism> has no element <wind>
    2 | <wind name="t"/>
      | ^~~~~
   hint: known elements: parameter, import, ground, body, joint, force, drive, holonomic, nonholonomic, table, input, output, ...
)txt");
}

TEST(ReaderError, AnElementStandsInTheWrongPlace) {
  EXPECT_EQ(messages(with_link(R"xml(<frame name="tip" xyz="1 0 0"/>)xml")),
            R"txt(model.xml:2:1: error E112: <frame> cannot stand in <mechanism>
    2 | <frame name="tip" xyz="1 0 0"/>
      | ^~~~~~
   hint: it belongs in <ground> or <body>
)txt");
}

TEST(ReaderError, AnElementStandsTwice) {
  EXPECT_EQ(messages(with_link(R"xml(<experiment stop="1 s"/>
<experiment stop="2 s"/>)xml")),
            R"txt(model.xml:3:1: error E113: <experiment> stands here a second time
    3 | <experiment stop="2 s"/>
      | ^~~~~~~~~~~
   hint: a <mechanism> has at most one <experiment>
)txt");
}

TEST(ReaderError, TextStandsBetweenElements) {
  EXPECT_EQ(messages(with_link(R"xml(<ground> here </ground>)xml")),
            R"txt(model.xml:2:10: error E114: text has no meaning in <ground>
    2 | <ground> here </ground>
      |          ^~~~
   hint: a comment is written <!-- ... -->
)txt");
}

TEST(ReaderError, AnElementIsInsideAnAttributeOnlyElement) {
  EXPECT_EQ(
      messages(with_link(R"xml(<parameter name="a" value="1"><frame name="b"/></parameter>)xml")),
      R"txt(model.xml:2:31: error E112: <frame> cannot stand in <parameter>
    2 | <parameter name="a" value="1"><frame name="b"/></parameter>
      |                               ^~~~~~
   hint: it belongs in <ground> or <body>
)txt");
}

TEST(ReaderError, AnAttributeIsMisspelt) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" valeu="1"/>)xml")),
            R"txt(model.xml:2:21: error E115: parameter 'a': <parameter> has no attribute 'valeu'
    2 | <parameter name="a" valeu="1"/>
      |                     ^~~~~
   hint: did you mean 'value'?
)txt");
}

TEST(ReaderError, AnAttributeBelongsToAnotherType) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="spherical" parent="link" child="b" axis="0 0 1"/>)xml")),
      R"txt(model.xml:3:58: error E115: joint 'K': <joint type="spherical"> has no attribute 'axis'
    3 | <joint name="K" type="spherical" parent="link" child="b" axis="0 0 1"/>
      |                                                          ^~~~
   hint: known attributes: cut, expose, description
)txt");
}

TEST(ReaderError, AnAttributeIsMissing) {
  EXPECT_EQ(messages(with_link(R"xml(<force name="f" type="joint_torque" joint="J"/>)xml")),
            R"txt(model.xml:2:1: error E116: force 'f': <force> needs the attribute 'value'
    2 | <force name="f" type="joint_torque" joint="J"/>
      | ^~~~~~
   hint: value: positive about the axis on the child
)txt");
}

TEST(ReaderError, AnAttributeIsEmpty) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="" value=""/>)xml")),
            R"txt(model.xml:2:17: error E116: parameter: name is empty
    2 | <parameter name="" value=""/>
      |                 ^~
model.xml:2:26: error E401: parameter: value: the value is empty
    2 | <parameter name="" value=""/>
      |                          ^~
)txt");
}

TEST(ReaderError, AJointTypeIsMisspelt) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolut" parent="link" child="b"/>)xml")),
            R"txt(model.xml:3:23: error E117: joint 'K': type: there is no joint type 'revolut'
    3 | <joint name="K" type="revolut" parent="link" child="b"/>
      |                       ^~~~~~~
   hint: did you mean 'revolute'?
)txt");
}

TEST(ReaderError, AJointTypeIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="ball" parent="link" child="b" pitch="3"/>
<output name="y" value="K.position"/>)xml")),
            R"txt(model.xml:3:23: error E117: joint 'K': type: there is no joint type 'ball'
    3 | <joint name="K" type="ball" parent="link" child="b" pitch="3"/>
      |                       ^~~~
   hint: one of: revolute, prismatic, cylindrical, spherical, universal, planar, fixed, free, distance, screw, point_on_line, point_on_plane, parallel, perpendicular, angle, gear, coupler, rack_and_pinion, rolling_disc, rolling_ball, blade
)txt");
}

TEST(ReaderError, AForceTypeIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<force name="f" type="wind" at="link"/>)xml")),
            R"txt(model.xml:2:23: error E117: force 'f': type: there is no force type 'wind'
    2 | <force name="f" type="wind" at="link"/>
      |                       ^~~~
   hint: one of: spring_damper, torsion_spring, joint_force, joint_torque, force, torque, friction, bushing, joint_limit, potential
)txt");
}

TEST(ReaderError, ABooleanIsAnotherWord) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="fixed" parent="link" child="b" cut="yes"/>)xml")),
            R"txt(model.xml:3:59: error E117: joint 'K': cut: 'yes' is neither true nor false
    3 | <joint name="K" type="fixed" parent="link" child="b" cut="yes"/>
      |                                                           ^~~
)txt");
}

TEST(ReaderError, ASchemeIsMisspelt) {
  EXPECT_EQ(messages(with_link(R"xml(<solve scheme="baumgrate" alpha="5 1/s"/>)xml")),
            R"txt(model.xml:2:16: error E117: solve: scheme: there is no scheme 'baumgrate'
    2 | <solve scheme="baumgrate" alpha="5 1/s"/>
      |                ^~~~~~~~~
   hint: did you mean 'baumgarte'?
)txt");
}

TEST(ReaderError, ASchemeHasNoSuchParameter) {
  EXPECT_EQ(messages(with_link(R"xml(<solve scheme="projection" alpha="5"/>)xml")),
            R"txt(model.xml:2:28: error E115: solve: scheme 'projection' has no attribute 'alpha'
    2 | <solve scheme="projection" alpha="5"/>
      |                            ^~~~~
   hint: known attributes: integrator, step, solver, coordinates, start, norm, tolerance, iterations
)txt");
}

TEST(ReaderError, ASchemeParameterIsOutOfRange) {
  EXPECT_EQ(messages(with_link(R"xml(<solve scheme="baumgarte" alpha="-5"/>)xml")),
            R"txt(model.xml:2:34: error E131: solve: alpha must be between 0 and 1e+09, got -5
    2 | <solve scheme="baumgarte" alpha="-5"/>
      |                                  ^~
   hint: alpha: damping of the constraint error; 0 = automatic: 1/step
)txt");
}

TEST(ReaderError, ASchemeParameterIsNotWhole) {
  EXPECT_EQ(messages(with_link(R"xml(<solve scheme="projection" iterations="2.5"/>)xml")),
            R"txt(model.xml:2:40: error E131: solve: iterations must be a whole number, got 2.5
    2 | <solve scheme="projection" iterations="2.5"/>
      |                                        ^~~
)txt");
}

TEST(ReaderError, ASchemeParameterIsNoNumber) {
  EXPECT_EQ(messages(with_link(R"xml(<solve scheme="baumgarte" alpha="high"/>)xml")),
            R"txt(model.xml:2:34: error E131: solve: alpha: 'high' is not a number
    2 | <solve scheme="baumgarte" alpha="high"/>
      |                                  ^~~~
)txt");
}

TEST(ReaderError, ASchemeParameterIsAnotherWord) {
  EXPECT_EQ(messages(with_link(R"xml(<solve scheme="projection" norm="mas"/>)xml")),
            R"txt(model.xml:2:34: error E117: solve: norm: 'mas' is not one of the choices
    2 | <solve scheme="projection" norm="mas"/>
      |                                  ^~~
   hint: did you mean 'mass'?
)txt");
}

TEST(ReaderError, TheStepIsZero) {
  EXPECT_EQ(messages(with_link(R"xml(<solve step="0"/>)xml")),
            R"txt(model.xml:2:14: error E132: solve: step must be > 0, got 0
    2 | <solve step="0"/>
      |              ^
)txt");
}

TEST(ReaderError, TheStepIsALength) {
  EXPECT_EQ(messages(with_link(R"xml(<solve step="1 mm"/>)xml")),
            R"txt(model.xml:2:16: error E408: solve: step: 'mm' is not a unit of time
    2 | <solve step="1 mm"/>
      |                ^~
   hint: expected s or a multiple of it
)txt");
}

TEST(ReaderError, TheExperimentEndsBeforeItBegins) {
  EXPECT_EQ(messages(with_link(R"xml(<experiment start="2 s" stop="1 s"/>)xml")),
            R"txt(model.xml:2:31: error E133: experiment: stop must be after start, got 1 s and 2 s
    2 | <experiment start="2 s" stop="1 s"/>
      |                               ^~~
)txt");
}

TEST(ReaderError, AConstantUsesAParameter) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="h" value="1"/>
<solve step="h"/>)xml")),
            R"txt(model.xml:3:14: error E418: solve: step: 'h' cannot be used here
    3 | <solve step="h"/>
      |              ^
   hint: a plain number is expected
)txt");
}

TEST(ReaderError, AParameterUnitIsNotSi) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="120" unit="mm"/>)xml")),
            R"txt(model.xml:2:39: error E120: parameter 'a': unit: 'mm' is not an SI unit, 'm' is
    2 | <parameter name="a" value="120" unit="mm"/>
      |                                       ^~
   hint: write the unit after the number of the value
)txt");
}

TEST(ReaderError, AnInputUnitIsNotSi) {
  EXPECT_EQ(messages(with_link(R"xml(<input name="u" unit="deg"/>
<force name="f" type="joint_torque" joint="J" value="u"/>)xml")),
            R"txt(model.xml:2:23: error E120: input 'u': unit: 'deg' is not an SI unit, 'rad' is
    2 | <input name="u" unit="deg"/>
      |                       ^~~
   hint: hosts give inputs in SI units
)txt");
}

TEST(ReaderError, AParameterValueContradictsItsUnit) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="120 mm" unit="kg"/>)xml")),
            R"txt(model.xml:2:28: error E408: parameter 'a': value: 'm' does not convert to kg
    2 | <parameter name="a" value="120 mm" unit="kg"/>
      |                            ^~~~~~
)txt");
}

TEST(ReaderError, AStartIsOnAJointWithoutCoordinates) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="fixed" parent="link" child="b"><start position="0"/></joint>)xml")),
            R"txt(model.xml:3:54: error E112: joint 'K': a fixed joint has nothing to start with
    3 | <joint name="K" type="fixed" parent="link" child="b"><start position="0"/></joint>
      |                                                      ^~~~~~
   hint: remove the <start>
)txt");
}

TEST(ReaderError, AStartNamesAnotherCoordinate) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="universal" parent="link" child="b"><start angle="0"/></joint>)xml")),
      R"txt(model.xml:3:65: error E115: joint 'K': the <start> of a universal joint has no attribute 'angle'
    3 | <joint name="K" type="universal" parent="link" child="b"><start angle="0"/></joint>
      |                                                                 ^~~~~
   hint: did you mean 'angle1'?
)txt");
}

// Reference: what is written in the file, converted by hand.
TEST(XmlReader, ReadsEveryElement) {
  const Mechanism m = load(R"xml(<mechanism name="M" gravity="0 -9.81 0" description="d"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="m.xsd">
  <parameter name="a" value="120 mm" min="0" max="1 m" description="length"/>
  <ground><frame name="post" xyz="1 2 3"/><visual shape="box" size="1 1 1"/></ground>
  <body name="b" description="body">
    <inertial mass="2" com="a/2 0 0" inertia="2 2 3 0.1 0.2 0.3"/>
    <frame name="tip" xyz="a 0 0" rpy="0 0 90 deg"/>
    <pose xyz="0 1 0"/>
    <visual shape="sphere" size="2 2 2" color="red"/>
  </body>
  <joint name="J" type="revolute" parent="ground.post" child="b" cut="true" description="hinge">
    <start position="60 deg" velocity="2" fixed="true"/>
  </joint>
  <input name="u" unit="Nm" start="3"/>
  <force name="f" type="joint_torque" joint="J" value="u"/>
  <output name="y" value="J.position" unit="rad"/>
  <solve scheme="baumgarte" alpha="5" integrator="heun" step="2 ms" start="as_given"/>
  <experiment start="1" stop="5 s" step="10 ms"/>
</mechanism>)xml");
  EXPECT_EQ(m.name.text, "M");
  EXPECT_EQ(m.gravity[1].arguments.at(0).value, 9.81);
  ASSERT_EQ(m.parameters.size(), 1U);
  EXPECT_EQ(m.parameters[0].value.value, 0.12);
  EXPECT_EQ(m.parameters[0].unit, "m");
  EXPECT_EQ(m.parameters[0].max->value, 1);
  EXPECT_EQ(m.ground_frames[0].xyz[2].value, 3);
  EXPECT_EQ(m.ground_visuals[0].color, "#8899aa");
  ASSERT_EQ(m.bodies.size(), 1U);
  EXPECT_EQ(m.bodies[0].solids[0].arguments["inertia"].values.size(), 6U);
  EXPECT_EQ(m.bodies[0].frames[0].rpy[2].value, 1.5707963267948966);
  EXPECT_EQ(m.bodies[0].pose->xyz[1].value, 1);
  EXPECT_EQ(m.bodies[0].visuals[0].shape, "sphere");
  ASSERT_EQ(m.joints.size(), 1U);
  const Joint& joint = m.joints[0];
  EXPECT_EQ(joint.type->id, "revolute");
  EXPECT_EQ(joint.parent.body, kGround);
  EXPECT_EQ(joint.parent.frame, 0);
  EXPECT_EQ(joint.child.body, 0);
  EXPECT_EQ(joint.child.frame, kOriginFrame);
  EXPECT_TRUE(joint.cut);
  EXPECT_EQ(joint.arguments["axis"].values[2].value, 1);
  EXPECT_FALSE(joint.arguments["axis"].given);
  EXPECT_EQ(joint.arguments.find("child_axis"), nullptr);
  EXPECT_EQ(joint.find_start("position")->values[0].value, 1.0471975511965976);
  EXPECT_TRUE(joint.find_start("velocity")->fixed);
  EXPECT_EQ(m.inputs[0].unit, "N.m");
  EXPECT_EQ(m.inputs[0].start.value, 3);
  EXPECT_EQ(m.forces[0].arguments["joint"].joint, 0);
  EXPECT_EQ(m.forces[0].arguments["coordinate"].text, "position");
  EXPECT_EQ(m.outputs[0].value.text, "J.position");
  EXPECT_EQ(m.solve.scheme->name, "baumgarte");
  EXPECT_EQ(m.solve.scheme->parameters.at(0), std::pair(std::string("alpha"), std::string("5")));
  EXPECT_EQ(m.solve.integrator->text, "heun");
  EXPECT_EQ(m.solve.step, 0.002);
  EXPECT_TRUE(m.solve.start_as_given);
  EXPECT_EQ(m.experiment.start, 1);
  EXPECT_EQ(m.experiment.stop, 5);
  EXPECT_EQ(m.experiment.step, 0.01);
}

// Reference: design, section 4 (defaults).
TEST(XmlReader, FillsInWhatIsNotWritten) {
  const Mechanism m = load(with_link(""));
  EXPECT_EQ(m.gravity[2].arguments.at(0).value, 9.81);
  EXPECT_EQ(m.experiment.stop, 10);
  EXPECT_FALSE(m.experiment.step);
  EXPECT_FALSE(m.solve.scheme);
  EXPECT_FALSE(m.solve.start_as_given);
  EXPECT_EQ(m.bodies[0].solids[0].arguments["inertia"].values.size(), 3U);
  EXPECT_FALSE(m.joints[0].cut);
}

// Attribute names hold no brackets; the start keeps the name of the coordinate.
TEST(XmlReader, NamesTheStartsOfAUniversalJointLikeItsCoordinates) {
  const Mechanism m = load(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="U" type="universal" parent="link" child="b"><start angle1="1" angle2_velocity="2"/></joint>)xml"));
  ASSERT_EQ(m.joints[0].starts.size(), 2U);
  EXPECT_EQ(m.joints[0].find_start("angle[1]")->values[0].value, 1);
  EXPECT_EQ(m.joints[0].find_start("angle_velocity[2]")->values[0].value, 2);
}

TEST(XmlReader, ReportsAllMistakesOfAFileInOneRun) {
  Diagnostics diagnostics;
  const SourceText source("model.xml", with_link(R"xml(<parameter name="a" value="1 mmm"/>
<parmeter name="b" value="q"/>
<body name="c"><inertial mass="-1"/></body>
<joint name="K" type="revolut" parent="ground" child="c" axis="0 0 0"/>
<output name="y" value="K.positon"/>)xml"));
  EXPECT_FALSE(load_mechanism(source, diagnostics));
  std::vector<std::string> codes;
  for (const Diagnostic& d : diagnostics.all()) codes.push_back(d.code);
  std::sort(codes.begin(), codes.end());
  EXPECT_EQ(codes,
            (std::vector<std::string>{"E111", "E117", "E203", "E214", "E405", "E413", "E414"}));
}

// Bytes of a good file changed, removed or doubled, seed 11: whatever comes out, it is loaded or
// there is an error.
TEST(XmlReader, SurvivesRandomChanges) {
  const std::string good = with_link(R"xml(<parameter name="a" value="120 mm" min="0"/>
<ground><frame name="p" xyz="a 0 0" rpy="0 0 90 deg"/></ground>
<body name="b"><box size="1 a 1" density="7800"/><frame name="tip"/></body>
<joint name="K" type="universal" parent="link" child="b.tip"><start angle1="1" fixed="true"/></joint>
<input name="u" unit="N"/>
<force name="f" type="force" at="b" value="u if(time &lt; 1, 0, 1) sin(J.position)"/>
<output name="y" value="norm(K.force)" unit="N"/>
<solve scheme="baumgarte" alpha="5"/>)xml");
  ASSERT_EQ(messages(good), "");
  std::mt19937 engine(11);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine);
  };
  const std::string characters = "<>/\"=.[]()+-*^ 0a1e&;\xC3\n";
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (std::size_t k = pick(4) + 1; k > 0; --k) {
      const std::size_t at = pick(text.size());
      const std::size_t length = pick(6) + 1;
      if (const std::size_t change = pick(3); change == 0)
        text[at] = characters[pick(characters.size())];
      else if (change == 1)
        text.erase(at, length);
      else
        text.insert(at, text.substr(pick(text.size()), length));
    }
    Diagnostics diagnostics;
    const bool loaded = load_mechanism(SourceText("model.xml", text), diagnostics).has_value();
    ASSERT_EQ(loaded, !diagnostics.has_errors()) << text;
    render(diagnostics, SourceText("model.xml", text));
  }
}

}  // namespace
}  // namespace mechfmu
