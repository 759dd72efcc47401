// The later parts of the language: <equations>, drives, constraints, couplings, read into the right
// places.
#include <gtest/gtest.h>

#include <random>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::as_equations;
using test::load;
using test::messages;
using test::with_link;

// Reference: what is written in the file, converted by hand.
TEST(EquationsReader, ReadsEveryElement) {
  const Mechanism m = load(R"xml(<equations name="E" description="d"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="m.xsd">
  <parameter name="m" value="2 kg"/>
  <input name="u" start="3" filter="20 ms"/>
  <table name="lift" x="0 1" y="0 2"/>
  <coordinate name="theta" start="90 deg" velocity="60 rpm" mass="m*(2 + cos(theta))" fixed="true" description="angle"/>
  <coordinate name="y" mass="m" unit="m"/>
  <mass row="theta" column="y" value="m*sin(theta)"/>
  <force on="y" value="-m*9.81 + u"/>
  <force on="theta" value="lift(theta) - der(theta)"/>
  <force on="y" value="if(time &lt; 1, 0, 1)"/>
  <holonomic name="pin" value="y - sin(theta) - 0.1*u" description="c"/>
  <nonholonomic name="slip" value="der(y) - der(theta)^2"/>
  <energy value="0.5*m*der(y)^2"/>
  <output name="a" value="der(der(y))" unit="m/s2"/>
  <output name="l" value="pin.multiplier + slip.residual_velocity"/>
  <solve scheme="baumgarte" start="as_given"/>
  <experiment stop="5 s"/>
</equations>)xml");
  EXPECT_EQ(m.name.text, "E");
  EXPECT_EQ(m.description, "d");
  ASSERT_TRUE(m.equations);
  const Equations& e = *m.equations;
  ASSERT_EQ(e.coordinates.size(), 2U);
  EXPECT_EQ(e.find("theta"), 0);
  EXPECT_EQ(e.find("y"), 1);
  EXPECT_EQ(e.find("z"), -1);
  EXPECT_EQ(e.coordinates[0].start.value, 1.5707963267948966);
  EXPECT_DOUBLE_EQ(e.coordinates[0].velocity.value, 6.283185307179586);
  EXPECT_EQ(e.coordinates[0].mass->text, "*");
  EXPECT_TRUE(e.coordinates[0].start_fixed);
  EXPECT_TRUE(e.coordinates[0].velocity_fixed);
  EXPECT_EQ(e.coordinates[0].unit, "rad");  // the start says so
  EXPECT_EQ(e.coordinates[0].description, "angle");
  EXPECT_EQ(e.coordinates[1].start.value, 0);
  EXPECT_FALSE(e.coordinates[1].start_fixed);
  EXPECT_EQ(e.coordinates[1].unit, "m");
  ASSERT_EQ(e.masses.size(), 1U);
  EXPECT_EQ(e.masses[0].row.text, "theta");
  EXPECT_EQ(e.masses[0].column.text, "y");
  ASSERT_EQ(e.forces.size(), 3U);
  EXPECT_EQ(e.forces[0].on.text, "y");
  EXPECT_EQ(e.forces[1].value.arguments.at(0).text, "lift");
  EXPECT_EQ(e.forces[1].value.arguments.at(1).text, "der");
  EXPECT_EQ(e.forces[2].value.text, "if");
  EXPECT_FALSE(e.kinetic_energy);
  EXPECT_EQ(e.energy->text, "*");
  ASSERT_EQ(m.constraints.size(), 2U);
  EXPECT_EQ(m.constraints[0].name.text, "pin");
  EXPECT_TRUE(m.constraints[0].holonomic);
  EXPECT_EQ(m.constraints[0].description, "c");
  EXPECT_EQ(m.constraints[1].name.text, "slip");
  EXPECT_FALSE(m.constraints[1].holonomic);
  EXPECT_EQ(m.inputs[0].time_constant, 0.02);
  EXPECT_EQ(m.tables[0].y, (std::vector<double>{0, 2}));
  EXPECT_EQ(m.outputs[0].value.text, "der");
  EXPECT_EQ(m.outputs[0].value.arguments.at(0).text, "der");
  EXPECT_EQ(m.outputs[0].value.arguments.at(0).arguments.at(0).text, "y");
  EXPECT_TRUE(m.solve.start_as_given);
  EXPECT_EQ(m.experiment.stop, 5);
  EXPECT_TRUE(m.bodies.empty() && m.joints.empty() && m.forces.empty());
}

// As in a joint's <start>: fixed covers what is written beside it.
TEST(EquationsReader, FixesOnlyTheStartsThatAreGiven) {
  const Mechanism m = load(as_equations(R"xml(<coordinate name="a" mass="1" start="1" fixed="true"/>
<coordinate name="b" mass="1" velocity="1" fixed="true"/>
<coordinate name="c" mass="1" start="1" velocity="1"/>)xml"));
  const std::vector<EquationCoordinate>& c = m.equations->coordinates;
  EXPECT_TRUE(c[0].start_fixed && !c[0].velocity_fixed);
  EXPECT_TRUE(!c[1].start_fixed && c[1].velocity_fixed);
  EXPECT_TRUE(!c[2].start_fixed && !c[2].velocity_fixed);
}

TEST(EquationsReader, ReadsAKineticEnergyInsteadOfMasses) {
  const Mechanism m = load(as_equations(R"xml(<coordinate name="x"/>
<kinetic_energy value="0.5*(1 + x^2)*der(x)^2"/>)xml"));
  ASSERT_TRUE(m.equations->kinetic_energy);
  EXPECT_FALSE(m.equations->coordinates[0].mass);
}

// Reference: what is written in the file, converted by hand; the coordinates as joints.def has
// them.
TEST(XmlReader, ReadsDrivesConstraintsCouplingsAndTables) {
  const Mechanism m = load(with_link(R"xml(<parameter name="w" value="2"/>
<input name="u" filter="5 ms"/>
<table name="lift" x="0 180 360 deg" y="0 12 0 mm" extrapolation="periodic"/>
<ground><frame name="post" xyz="1 0 0"/></ground>
<body name="b"><inertial mass="1" inertia="1 1 1"/><frame name="tip"/></body>
<joint name="C" type="cylindrical" parent="ground" child="b"/>
<joint name="G" type="gear" joint1="J" joint2="C" ratio="-2"/>
<joint name="R" type="rack_and_pinion" rack="C" pinion="J" radius="20 mm" offset="1 mm" cut="false"/>
<joint name="K" type="coupler" joint1="C" coordinate1="angle" joint2="J" ratio="3" offset="0.5"/>
<joint name="D" type="rolling_disc" parent="ground" child="b" radius="0.3"/>
<joint name="A" type="angle" parent="link" child="b" child_axis="1 0 0" angle="60 deg"/>
<drive name="motor" joint="J" position="w*time + lift(u)" description="m"/>
<drive name="push" joint="C" coordinate="translation" velocity="10 mm/s"/>
<drive name="heave" frame="b.tip" axis="0 0 2" acceleration="sin(time)"/>
<force name="stop" type="joint_limit" joint="J" lower="-90 deg" stiffness="100 N.m/rad"/>
<force name="rubber" type="bushing" from="ground.post" to="b.tip" stiffness="1 2 3 N/mm"/>
<force name="field" type="potential" value="0.5*w*b.position[1]^2"/>
<holonomic name="h" value="b.tip.position[1] - 0.2"/>
<nonholonomic name="n" value="b.velocity[2] - w*C.angle_velocity"/>
<output name="y" value="motor.effort + J.drive_torque + C.drive_force + G.effort[2] + h.multiplier"/>)xml"));
  ASSERT_EQ(m.drives.size(), 3U);
  EXPECT_EQ(m.drives[0].name.text, "motor");
  EXPECT_EQ(m.drives[0].description, "m");
  EXPECT_EQ(m.drives[0].arguments["joint"].joint, 6);  // 'J' is written last
  EXPECT_EQ(m.drives[0].arguments["coordinate"].text, "position");
  EXPECT_FALSE(m.drives[0].arguments["coordinate"].given);
  EXPECT_EQ(m.drives[0].arguments["position"].values[0].text, "+");
  EXPECT_EQ(m.drives[1].arguments["coordinate"].text, "translation");
  EXPECT_DOUBLE_EQ(m.drives[1].arguments["velocity"].values[0].value, 0.01);
  EXPECT_EQ(m.drives[1].arguments["velocity"].unit, "m/s");
  EXPECT_EQ(m.drives[2].arguments["frame"].frame.body, 0);
  EXPECT_EQ(m.drives[2].arguments["frame"].frame.frame, 0);
  EXPECT_EQ(m.drives[2].arguments["axis"].values.at(2).value, 2);
  EXPECT_EQ(m.drives[2].arguments.find("joint"), nullptr);

  const Joint& gear = m.joints[1];
  EXPECT_FALSE(gear.connects_frames());
  EXPECT_EQ(gear.arguments["joint1"].joint, 6);
  EXPECT_EQ(gear.arguments["coordinate1"].text, "position");
  EXPECT_EQ(gear.arguments["joint2"].joint, 0);
  EXPECT_EQ(gear.arguments["coordinate2"].text, "angle");  // the only one that turns
  EXPECT_EQ(gear.arguments["offset"].values[0].value, 0);
  const Joint& rack = m.joints[2];
  EXPECT_EQ(rack.arguments["coordinate1"].text, "translation");
  EXPECT_EQ(rack.arguments["coordinate2"].text, "position");
  EXPECT_DOUBLE_EQ(rack.arguments["radius"].values[0].value, 0.02);
  EXPECT_DOUBLE_EQ(rack.arguments["offset"].values[0].value, 0.001);
  EXPECT_EQ(m.joints[3].arguments["coordinate1"].text, "angle");
  EXPECT_TRUE(m.joints[4].connects_frames());
  EXPECT_EQ(m.joints[4].arguments["normal"].values.at(2).value, 1);
  EXPECT_DOUBLE_EQ(m.joints[5].arguments["angle"].values[0].value, 1.0471975511965976);

  EXPECT_EQ(m.forces[0].arguments["lower"].values[0].value, -1.5707963267948966);
  EXPECT_EQ(m.forces[0].arguments.find("upper"), nullptr);
  EXPECT_DOUBLE_EQ(m.forces[1].arguments["stiffness"].values.at(2).value, 3000);
  EXPECT_EQ(m.forces[1].arguments["to"].frame.frame, 0);
  ASSERT_EQ(m.constraints.size(), 2U);
  EXPECT_TRUE(m.constraints[0].holonomic);
  EXPECT_FALSE(m.constraints[1].holonomic);
  EXPECT_EQ(m.inputs[0].time_constant, 0.005);
  EXPECT_EQ(m.tables[0].extrapolation, "periodic");
  EXPECT_EQ(m.tables[0].x.at(2), 6.283185307179586);
}

// Bytes of good files changed, removed or doubled, seed 12: whatever comes out, it is loaded or
// there is an error.
TEST(EquationsReader, SurvivesRandomChanges) {
  const std::string files[] = {with_link(R"xml(<input name="u" filter="5 ms"/>
<table name="lift" x="0 90 360 deg" y="0 12 0 mm" extrapolation="periodic"/>
<body name="b"><inertial mass="1" inertia="1 1 1"/><frame name="tip"/></body>
<joint name="C" type="cylindrical" parent="ground" child="b"><start angle="1"/></joint>
<joint name="G" type="gear" joint1="J" joint2="C" ratio="-2"/>
<joint name="K" type="coupler" joint1="C" coordinate1="angle" joint2="J" ratio="3"/>
<drive name="motor" joint="J" position="2*time + lift(u)"/>
<drive name="heave" frame="b.tip" axis="0 0 2" acceleration="sin(time)"/>
<force name="stop" type="joint_limit" joint="J" lower="-90 deg" stiffness="100 N.m/rad"/>
<force name="field" type="potential" value="0.5*b.position[1]^2"/>
<holonomic name="h" value="b.tip.position[1] - 0.2"/>
<output name="y" value="motor.effort + J.drive_torque + G.effort[2] + h.multiplier"/>)xml"),
                               as_equations(R"xml(<parameter name="m" value="2 kg"/>
<table name="lift" x="0 1 2" y="0 2 1" interpolation="akima"/>
<coordinate name="theta" start="90 deg" velocity="60 rpm" mass="m*(2 + cos(theta))"/>
<coordinate name="y" mass="m" unit="m"/>
<mass row="theta" column="y" value="m*sin(theta)"/>
<force on="y" value="-m*9.81 + lift(der(y))"/>
<holonomic name="pin" value="y - sin(theta)"/>
<nonholonomic name="slip" value="der(y) - der(theta)^2"/>
<energy value="0.5*m*der(y)^2"/>
<output name="a" value="der(der(y)) + pin.multiplier"/>)xml")};
  std::mt19937 engine(12);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine);
  };
  const std::string characters = "<>/\"=.[]()+-*^ 0a1e&;,\xC3\n";
  for (const std::string& good : files) {
    ASSERT_EQ(messages(good), "");
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
}

}  // namespace
}  // namespace mechfmu
