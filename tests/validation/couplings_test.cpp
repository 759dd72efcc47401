// Rules about gears, couplers and racks, and about the sizes of the other joints that are
// constraints only.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(CouplingError, AGearNamesAJointThatIsNotThere) {
  EXPECT_EQ(
      messages(with_link(R"xml(<joint name="G" type="gear" joint1="J" joint2="L" ratio="2"/>)xml")),
      R"txt(model.xml:2:48: error E212: joint 'G': joint2: there is no joint 'L'
    2 | <joint name="G" type="gear" joint1="J" joint2="L" ratio="2"/>
      |                                                ^
   hint: known joints: G, J
)txt");
}

TEST(CouplingError, AGearNamesABody) {
  EXPECT_EQ(messages(with_link(
                R"xml(<joint name="G" type="gear" joint1="J" joint2="link" ratio="2"/>)xml")),
            R"txt(model.xml:2:48: error E212: joint 'G': joint2: 'link' is a body, not a joint
    2 | <joint name="G" type="gear" joint1="J" joint2="link" ratio="2"/>
      |                                                ^~~~
   hint: known joints: G, J
)txt");
}

TEST(CouplingError, AGearNeedsTurns) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="prismatic" parent="ground" child="b"/>
<joint name="G" type="gear" joint1="J" joint2="K" ratio="2"/>)xml")),
            R"txt(model.xml:4:48: error E221: joint 'G': prismatic joint 'K' does not turn
    4 | <joint name="G" type="gear" joint1="J" joint2="K" ratio="2"/>
      |                                                ^
   hint: use type="coupler" for motions of other kinds
)txt");
}

TEST(CouplingError, ARackThatTurns) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="prismatic" parent="ground" child="b"/>
<joint name="G" type="rack_and_pinion" rack="J" pinion="K" radius="20 mm"/>)xml")),
            R"txt(model.xml:4:46: error E221: joint 'G': revolute joint 'J' does not slide
    4 | <joint name="G" type="rack_and_pinion" rack="J" pinion="K" radius="20 mm"/>
      |                                              ^
   hint: use type="coupler" for motions of other kinds
model.xml:4:57: error E221: joint 'G': prismatic joint 'K' does not turn
    4 | <joint name="G" type="rack_and_pinion" rack="J" pinion="K" radius="20 mm"/>
      |                                                         ^
   hint: use type="coupler" for motions of other kinds
)txt");
}

TEST(CouplingError, ACouplerOfAWeld) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="fixed" parent="ground" child="b"/>
<joint name="G" type="coupler" joint1="J" joint2="K" ratio="2"/>)xml")),
            R"txt(model.xml:4:51: error E221: joint 'G': fixed joint 'K' has no coordinate to act on
    4 | <joint name="G" type="coupler" joint1="J" joint2="K" ratio="2"/>
      |                                                   ^
   hint: couple joints that turn or slide, such as revolute and prismatic ones
)txt");
}

TEST(CouplingError, AGearOfAGear) {
  EXPECT_EQ(messages(with_link(R"xml(<joint name="H" type="gear" joint1="J" joint2="G" ratio="3"/>
<joint name="G" type="gear" joint1="J" joint2="H" ratio="2"/>)xml")),
            R"txt(model.xml:2:48: error E221: joint 'H': gear joint 'G' has no coordinate to act on
    2 | <joint name="H" type="gear" joint1="J" joint2="G" ratio="3"/>
      |                                                ^
   hint: couple joints that turn or slide, such as revolute and prismatic ones
model.xml:3:48: error E221: joint 'G': gear joint 'H' has no coordinate to act on
    3 | <joint name="G" type="gear" joint1="J" joint2="H" ratio="2"/>
      |                                                ^
   hint: couple joints that turn or slide, such as revolute and prismatic ones
)txt");
}

TEST(CouplingError, AGearOfOneJoint) {
  EXPECT_EQ(
      messages(with_link(R"xml(<joint name="G" type="gear" joint1="J" joint2="J" ratio="2"/>)xml")),
      R"txt(model.xml:2:48: error E223: joint 'G': a motion is coupled to itself
    2 | <joint name="G" type="gear" joint1="J" joint2="J" ratio="2"/>
      |                                                ^
   hint: name two different motions
)txt");
}

TEST(CouplingError, ACouplerDoesNotSayWhichMotion) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="cylindrical" parent="ground" child="b"/>
<joint name="G" type="coupler" joint1="J" joint2="K" ratio="2"/>)xml")),
      R"txt(model.xml:4:51: error E222: joint 'G': cylindrical joint 'K' has several coordinates to act on
    4 | <joint name="G" type="coupler" joint1="J" joint2="K" ratio="2"/>
      |                                                   ^
   hint: add coordinate2="angle" or "translation"
)txt");
}

TEST(CouplingError, ACouplerNamesAMotionThatIsNotThere) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="prismatic" parent="ground" child="b"/>
<joint name="G" type="coupler" joint1="J" joint2="K" coordinate2="x" ratio="2"/>)xml")),
      R"txt(model.xml:4:67: error E221: joint 'G': prismatic joint 'K' has no such coordinate 'x'
    4 | <joint name="G" type="coupler" joint1="J" joint2="K" coordinate2="x" ratio="2"/>
      |                                                                   ^
   hint: write coordinate2="position"
)txt");
}

TEST(CouplingError, AGearTakesNoFrames) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b"/>
<joint name="G" type="gear" parent="ground" child="link" joint1="J" joint2="K" ratio="2"/>)xml")),
      R"txt(model.xml:4:29: error E115: joint 'G': <joint type="gear"> has no attribute 'parent'
    4 | <joint name="G" type="gear" parent="ground" child="link" joint1="J" joint2="K" ratio="2"/>
      |                             ^~~~~~
   hint: known attributes: cut, expose, description, coordinate1, coordinate2, offset
model.xml:4:45: error E115: joint 'G': <joint type="gear"> has no attribute 'child'
    4 | <joint name="G" type="gear" parent="ground" child="link" joint1="J" joint2="K" ratio="2"/>
      |                                             ^~~~~
   hint: known attributes: cut, expose, description, coordinate1, coordinate2, offset
)txt");
}

TEST(CouplingError, TheRatioIsZero) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b"/>
<joint name="G" type="gear" joint1="J" joint2="K" ratio="1 - 1"/>)xml")),
            R"txt(model.xml:4:58: error E206: joint 'G': ratio must be other than 0, got 0
    4 | <joint name="G" type="gear" joint1="J" joint2="K" ratio="1 - 1"/>
      |                                                          ^~~~~
)txt");
}

TEST(CouplingError, TheRadiusOfAPinionIsZero) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="prismatic" parent="ground" child="b"/>
<joint name="G" type="rack_and_pinion" rack="K" pinion="J" radius="0"/>)xml")),
            R"txt(model.xml:4:68: error E206: joint 'G': radius must be other than 0, got 0
    4 | <joint name="G" type="rack_and_pinion" rack="K" pinion="J" radius="0"/>
      |                                                                    ^
)txt");
}

TEST(CouplingError, AGearHasAStart) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b"/>
<joint name="G" type="gear" joint1="J" joint2="K" ratio="2"><start position="1"/></joint>)xml")),
            R"txt(model.xml:4:61: error E112: joint 'G': a gear joint has nothing to start with
    4 | <joint name="G" type="gear" joint1="J" joint2="K" ratio="2"><start position="1"/></joint>
      |                                                             ^~~~~~
   hint: remove the <start>
)txt");
}

TEST(CouplingError, AGearHasNoReaction) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b"/>
<joint name="G" type="gear" joint1="J" joint2="K" ratio="2"/>
<output name="y" value="G.torque[1]"/>)xml")),
            R"txt(model.xml:5:25: error E414: output 'y': value: gear joint 'G' has no 'torque[1]'
    5 | <output name="y" value="G.torque[1]"/>
      |                         ^~~~~~~~~~~
   hint: known quantities: effort
)txt");
}

TEST(CouplingError, TheEffortHasTwoComponents) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b"/>
<joint name="G" type="gear" joint1="J" joint2="K" ratio="2"/>
<output name="y" value="G.effort"/>)xml")),
            R"txt(model.xml:5:25: error E415: output 'y': value: 'G.effort' has 2 components
    5 | <output name="y" value="G.effort"/>
      |                         ^~~~~~~~
   hint: write G.effort[1] to G.effort[2], or norm(G.effort)
)txt");
}

TEST(CouplingError, TheEffortHasNoThirdComponent) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b"/>
<joint name="G" type="gear" joint1="J" joint2="K" ratio="2"/>
<output name="y" value="G.effort[3]"/>)xml")),
            R"txt(model.xml:5:25: error E416: output 'y': value: 'G.effort[3]' has no such component
    5 | <output name="y" value="G.effort[3]"/>
      |                         ^~~~~~~~~~~
   hint: write G.effort[1] to G.effort[2]
)txt");
}

TEST(ConstraintJointError, APitchIsZero) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="F" type="free" parent="ground" child="b"/>
<joint name="K" type="screw" parent="link" child="b" pitch="0 mm"/>)xml")),
            R"txt(model.xml:4:61: error E206: joint 'K': pitch must be other than 0, got 0
    4 | <joint name="K" type="screw" parent="link" child="b" pitch="0 mm"/>
      |                                                             ^~~~
   hint: a screw that does not advance is a revolute joint
)txt");
}

TEST(ConstraintJointError, AnAngleIsZero) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="F" type="free" parent="ground" child="b"/>
<joint name="K" type="angle" parent="link" child="b" child_axis="1 0 0" angle="0"/>)xml")),
      R"txt(model.xml:4:80: error E206: joint 'K': angle must be between 0 and 180 deg, got 0 deg
    4 | <joint name="K" type="angle" parent="link" child="b" child_axis="1 0 0" angle="0"/>
      |                                                                                ^
   hint: for parallel axes use a parallel joint
)txt");
}

TEST(ConstraintJointError, AnAngleIsBeyondAHalfTurn) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="F" type="free" parent="ground" child="b"/>
<joint name="K" type="angle" parent="link" child="b" child_axis="1 0 0" angle="200 deg"/>)xml")),
      R"txt(model.xml:4:80: error E206: joint 'K': angle must be between 0 and 180 deg, got 200 deg
    4 | <joint name="K" type="angle" parent="link" child="b" child_axis="1 0 0" angle="200 deg"/>
      |                                                                                ^~~~~~~
   hint: for parallel axes use a parallel joint
)txt");
}

TEST(ConstraintJointError, ADiscHasNoSize) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="F" type="free" parent="ground" child="b"/>
<joint name="K" type="rolling_disc" parent="ground" child="b" radius="0"/>)xml")),
            R"txt(model.xml:4:71: error E206: joint 'K': radius must be > 0, got 0
    4 | <joint name="K" type="rolling_disc" parent="ground" child="b" radius="0"/>
      |                                                                       ^
)txt");
}

TEST(ConstraintJointError, ABallIsInsideOut) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="F" type="free" parent="ground" child="b"/>
<joint name="K" type="rolling_ball" parent="ground" child="b" radius="-10 mm"/>)xml")),
            R"txt(model.xml:4:71: error E206: joint 'K': radius must be > 0, got -0.01
    4 | <joint name="K" type="rolling_ball" parent="ground" child="b" radius="-10 mm"/>
      |                                                                       ^~~~~~
)txt");
}

TEST(ConstraintJointError, ANormalHasNoDirection) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="F" type="free" parent="ground" child="b"/>
<joint name="K" type="blade" parent="ground" child="b" normal="0 0 0"/>)xml")),
            R"txt(model.xml:4:64: error E214: joint 'K': normal has no direction
    4 | <joint name="K" type="blade" parent="ground" child="b" normal="0 0 0"/>
      |                                                                ^~~~~
   hint: an axis may have any length but zero: 0 0 1
)txt");
}

TEST(ConstraintJointError, APerpendicularJointNeedsAChildAxis) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="F" type="free" parent="ground" child="b"/>
<joint name="K" type="perpendicular" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:4:1: error E116: joint 'K': <joint> needs the attribute 'child_axis'
    4 | <joint name="K" type="perpendicular" parent="ground" child="b"/>
      | ^~~~~~
   hint: child_axis: axis in the child frame
)txt");
}

TEST(ConstraintJointError, AnAngleIsNotGiven) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="F" type="free" parent="ground" child="b"/>
<joint name="K" type="angle" parent="ground" child="b" child_axis="1 0 0"/>)xml")),
            R"txt(model.xml:4:1: error E116: joint 'K': <joint> needs the attribute 'angle'
    4 | <joint name="K" type="angle" parent="ground" child="b" child_axis="1 0 0"/>
      | ^~~~~~
   hint: angle: between the axes: more than 0 and less than 180 deg
)txt");
}

}  // namespace
}  // namespace mechfmu
