// Rules about forces and inputs.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::load;
using test::messages;
using test::with_link;

TEST(ForceError, TheJointIsUnknown) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="joint_torque" joint="L" value="1"/>)xml")),
      R"txt(model.xml:2:44: error E212: force 'f': joint: there is no joint 'L'
    2 | <force name="f" type="joint_torque" joint="L" value="1"/>
      |                                            ^
   hint: known joints: J
)txt");
}

TEST(ForceError, TheJointIsABody) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="joint_torque" joint="link" value="1"/>)xml")),
      R"txt(model.xml:2:44: error E212: force 'f': joint: 'link' is a body, not a joint
    2 | <force name="f" type="joint_torque" joint="link" value="1"/>
      |                                            ^~~~
   hint: known joints: J
)txt");
}

TEST(ForceError, ATorqueActsOnASlider) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="prismatic" parent="ground" child="b"/>
<force name="f" type="joint_torque" joint="K" value="1"/>)xml")),
            R"txt(model.xml:4:44: error E221: force 'f': prismatic joint 'K' does not turn
    4 | <force name="f" type="joint_torque" joint="K" value="1"/>
      |                                            ^
   hint: use type="joint_force"
)txt");
}

TEST(ForceError, AForceActsOnAHinge) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="joint_force" joint="J" value="1"/>)xml")),
      R"txt(model.xml:2:43: error E221: force 'f': revolute joint 'J' does not slide
    2 | <force name="f" type="joint_force" joint="J" value="1"/>
      |                                           ^
   hint: use type="joint_torque"
)txt");
}

TEST(ForceError, ATorsionSpringActsOnASlider) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="prismatic" parent="ground" child="b"/>
<force name="f" type="torsion_spring" joint="K" stiffness="1"/>)xml")),
            R"txt(model.xml:4:46: error E221: force 'f': prismatic joint 'K' does not turn
    4 | <force name="f" type="torsion_spring" joint="K" stiffness="1"/>
      |                                              ^
   hint: use type="spring_damper" between two frames
)txt");
}

TEST(ForceError, ATorqueActsOnABallJoint) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="spherical" parent="ground" child="b"/>
<force name="f" type="joint_torque" joint="K" value="1"/>)xml")),
      R"txt(model.xml:4:44: error E221: force 'f': spherical joint 'K' has no coordinate to act on
    4 | <force name="f" type="joint_torque" joint="K" value="1"/>
      |                                            ^
   hint: use <force type="torque" at="..."> or <force type="force" at="...">
)txt");
}

TEST(ForceError, FrictionActsOnAWeld) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="fixed" parent="ground" child="b"/>
<force name="f" type="friction" joint="K" viscous="1"/>)xml")),
            R"txt(model.xml:4:40: error E221: force 'f': fixed joint 'K' has no coordinate to act on
    4 | <force name="f" type="friction" joint="K" viscous="1"/>
      |                                        ^
   hint: it acts on joints with a coordinate of their own
)txt");
}

TEST(ForceError, FrictionDoesNotSayOnWhichMotion) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="cylindrical" parent="ground" child="b"/>
<force name="f" type="friction" joint="K" viscous="1"/>)xml")),
      R"txt(model.xml:4:40: error E222: force 'f': cylindrical joint 'K' has several coordinates to act on
    4 | <force name="f" type="friction" joint="K" viscous="1"/>
      |                                        ^
   hint: add coordinate="angle" or "translation"
)txt");
}

TEST(ForceError, TheCoordinateBelongsToAnotherJoint) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_torque" joint="J" coordinate="angle" value="1"/>)xml")),
      R"txt(model.xml:2:59: error E221: force 'f': revolute joint 'J' has no such coordinate 'angle'
    2 | <force name="f" type="joint_torque" joint="J" coordinate="angle" value="1"/>
      |                                                           ^~~~~
   hint: write coordinate="position"
)txt");
}

TEST(ForceError, FrictionOfAHingeIsAForce) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="friction" joint="J" coulomb="2 N"/>)xml")),
      R"txt(model.xml:2:52: error E408: force 'f': coulomb: 'N' does not convert to N.m
    2 | <force name="f" type="friction" joint="J" coulomb="2 N"/>
      |                                                    ^~~
)txt");
}

TEST(ForceError, FrictionPushes) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="friction" joint="J" coulomb="-2 N.m"/>)xml")),
      R"txt(model.xml:2:52: error E225: force 'f': coulomb must be >= 0, got -2
    2 | <force name="f" type="friction" joint="J" coulomb="-2 N.m"/>
      |                                                    ^~~~~~
)txt");
}

TEST(ForceError, FrictionIsNotSmoothed) {
  EXPECT_EQ(messages(with_link(
                R"xml(<force name="f" type="friction" joint="J" coulomb="2" velocity="0"/>)xml")),
            R"txt(model.xml:2:65: error E225: force 'f': velocity must be > 0, got 0
    2 | <force name="f" type="friction" joint="J" coulomb="2" velocity="0"/>
      |                                                                 ^
)txt");
}

TEST(ForceError, ASpringHasNegativeLength) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="spring_damper" from="ground" to="link" length="-1"/>)xml")),
      R"txt(model.xml:2:70: error E225: force 'f': length must be >= 0, got -1
    2 | <force name="f" type="spring_damper" from="ground" to="link" length="-1"/>
      |                                                                      ^~
)txt");
}

TEST(ForceError, ASpringConnectsAPointToItself) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="spring_damper" from="link" to="link" stiffness="1"/>)xml")),
      R"txt(model.xml:2:54: error E223: force 'f': both ends are at 'link'
    2 | <force name="f" type="spring_damper" from="link" to="link" stiffness="1"/>
      |                                                      ^~~~
   hint: connect frames of different bodies
)txt");
}

TEST(ForceError, ASpringConnectsTwoPointsOfTheGround) {
  EXPECT_EQ(
      messages(with_link(R"xml(<ground><frame name="p"/></ground>
<force name="f" type="spring_damper" from="ground" to="ground.p" stiffness="1"/>)xml")),
      R"txt(model.xml:3:56: error E223: force 'f': both ends are on the same body, so it does nothing
    3 | <force name="f" type="spring_damper" from="ground" to="ground.p" stiffness="1"/>
      |                                                        ^~~~~~~~
   hint: connect frames of different bodies
)txt");
}

TEST(ForceError, AForceActsOnTheGround) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="force" at="ground" value="1 0 0"/>)xml")),
      R"txt(model.xml:2:34: error E224: force 'f' acts on the ground, so it does nothing
    2 | <force name="f" type="force" at="ground" value="1 0 0"/>
      |                                  ^~~~~~
   hint: name a body or a frame of a body
)txt");
}

TEST(ForceError, AnInputIsNotUsed) {
  EXPECT_EQ(messages(with_link(R"xml(<input name="u"/>)xml")),
            R"txt(model.xml:2:14: warning W201: input 'u' is not used
    2 | <input name="u"/>
      |              ^
   hint: use it in the value of a force, drive, constraint or output
)txt");
}

TEST(ForceError, AStopHasNoLimit) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="joint_limit" joint="J" stiffness="1"/>)xml")),
      R"txt(model.xml:2:1: error E225: force 'f': there is no limit
    2 | <force name="f" type="joint_limit" joint="J" stiffness="1"/>
      | ^~~~~~
   hint: give lower, upper or both
)txt");
}

TEST(ForceError, StopsAreCrossed) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_limit" joint="J" lower="90 deg" upper="-1 rad" stiffness="1"/>)xml")),
      R"txt(model.xml:2:68: error E225: force 'f': upper must be above lower, got -1 and 1.5707963267948966
    2 | <force name="f" type="joint_limit" joint="J" lower="90 deg" upper="-1 rad" stiffness="1"/>
      |                                                                    ^~~~~~
)txt");
}

TEST(ForceError, AStopPulls) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_limit" joint="J" upper="1" stiffness="-1"/>)xml")),
      R"txt(model.xml:2:67: error E225: force 'f': stiffness must be >= 0, got -1
    2 | <force name="f" type="joint_limit" joint="J" upper="1" stiffness="-1"/>
      |                                                                   ^~
)txt");
}

TEST(ForceError, AStopPushesBack) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_limit" joint="J" upper="1" stiffness="1" damping="-2"/>)xml")),
      R"txt(model.xml:2:79: error E225: force 'f': damping must be >= 0, got -2
    2 | <force name="f" type="joint_limit" joint="J" upper="1" stiffness="1" damping="-2"/>
      |                                                                               ^~
)txt");
}

TEST(ForceError, AStopHasNoTransition) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_limit" joint="J" upper="1" stiffness="1" transition="0"/>)xml")),
      R"txt(model.xml:2:82: error E225: force 'f': transition must be > 0, got 0
    2 | <force name="f" type="joint_limit" joint="J" upper="1" stiffness="1" transition="0"/>
      |                                                                                  ^
)txt");
}

TEST(ForceError, AStopOfAHingeIsALength) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_limit" joint="J" upper="10 mm" stiffness="1"/>)xml")),
      R"txt(model.xml:2:53: error E408: force 'f': upper: 'm' does not convert to rad
    2 | <force name="f" type="joint_limit" joint="J" upper="10 mm" stiffness="1"/>
      |                                                     ^~~~~
)txt");
}

TEST(ForceError, AStopOfAHingeHasTheStiffnessOfASlider) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_limit" joint="J" upper="1" stiffness="5 N/m"/>)xml")),
      R"txt(model.xml:2:67: error E408: force 'f': stiffness: 'N/m' does not convert to N.m/rad
    2 | <force name="f" type="joint_limit" joint="J" upper="1" stiffness="5 N/m"/>
      |                                                                   ^~~~~
)txt");
}

TEST(ForceError, ABushingIsOnOneBody) {
  EXPECT_EQ(messages(with_link(R"xml(<force name="f" type="bushing" from="link" to="link"/>)xml")),
            R"txt(model.xml:2:48: error E223: force 'f': both ends are at 'link'
    2 | <force name="f" type="bushing" from="link" to="link"/>
      |                                                ^~~~
   hint: connect frames of different bodies
)txt");
}

TEST(ForceError, APotentialDependsOnAVelocity) {
  EXPECT_EQ(messages(with_link(R"xml(<force name="f" type="potential" value="J.velocity^2"/>)xml")),
            R"txt(model.xml:2:41: error E418: force 'f': value: this cannot depend on velocities
    2 | <force name="f" type="potential" value="J.velocity^2"/>
      |                                         ^~~~~~~~~~
   hint: only positions and parameters can be used here
)txt");
}

TEST(ForceError, APotentialDependsOnTime) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="potential" value="J.position*time"/>)xml")),
      R"txt(model.xml:2:52: error E418: force 'f': value: this cannot depend on time
    2 | <force name="f" type="potential" value="J.position*time"/>
      |                                                    ^~~~
   hint: only positions and parameters can be used here
)txt");
}

TEST(ForceError, APotentialDependsOnAnInput) {
  EXPECT_EQ(messages(with_link(R"xml(<input name="u"/>
<force name="f" type="potential" value="J.position*u"/>)xml")),
            R"txt(model.xml:3:52: error E418: force 'f': value: this cannot depend on inputs
    3 | <force name="f" type="potential" value="J.position*u"/>
      |                                                    ^
   hint: only positions and parameters can be used here
)txt");
}

TEST(ForceError, APotentialDependsOnAReaction) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="potential" value="J.torque[3]"/>)xml")),
      R"txt(model.xml:2:41: error E418: force 'f': value: this cannot depend on what the equations of motion give
    2 | <force name="f" type="potential" value="J.torque[3]"/>
      |                                         ^~~~~~~~~~~
   hint: only positions and parameters can be used here
)txt");
}

TEST(ForceError, APotentialIsAForce) {
  EXPECT_EQ(messages(with_link(R"xml(<force name="f" type="potential" value="3 N"/>)xml")),
            R"txt(model.xml:2:43: error E408: force 'f': value: 'N' does not convert to J
    2 | <force name="f" type="potential" value="3 N"/>
      |                                           ^
   hint: expected J or a multiple of it
)txt");
}

TEST(ForceError, AForceIsMadeOfAResidual) {
  EXPECT_EQ(messages(with_link(R"xml(<holonomic name="h" value="J.position"/>
<force name="f" type="joint_torque" joint="J" value="h.residual"/>)xml")),
            R"txt(model.xml:3:54: error E418: force 'f': value: 'h.residual' is for outputs only
    3 | <force name="f" type="joint_torque" joint="J" value="h.residual"/>
      |                                                      ^~~~~~~~~~
)txt");
}

TEST(ForceError, AForceIsMadeOfTheEffortOfADrive) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" position="time"/>
<force name="f" type="joint_torque" joint="J" value="d.effort"/>)xml")),
      R"txt(model.xml:3:54: error E418: force 'f': value: 'd.effort' follows from the forces and cannot be used here
    3 | <force name="f" type="joint_torque" joint="J" value="d.effort"/>
      |                                                      ^~~~~~~~
   hint: use positions and velocities; outputs may use it
)txt");
}

TEST(ForceError, AForceIsMadeOfTheTorqueOfADrive) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" position="time"/>
<force name="f" type="joint_torque" joint="J" value="J.drive_torque"/>)xml")),
      R"txt(model.xml:3:54: error E418: force 'f': value: 'J.drive_torque' follows from the forces and cannot be used here
    3 | <force name="f" type="joint_torque" joint="J" value="J.drive_torque"/>
      |                                                      ^~~~~~~~~~~~~~
   hint: use positions and velocities; outputs may use it
)txt");
}

TEST(ForceRules, NameTheCoordinateWhereOnlyOneFits) {
  const Mechanism m = load(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="cylindrical" parent="ground" child="b"/>
<force name="f" type="joint_torque" joint="K" value="1"/>
<force name="g" type="joint_force" joint="K" value="1"/>
<force name="h" type="friction" joint="K" coordinate="translation" coulomb="2 N" viscous="1 N.s/m"/>)xml"));
  EXPECT_EQ(m.forces[0].arguments["coordinate"].text, "angle");
  EXPECT_FALSE(m.forces[0].arguments["coordinate"].given);
  EXPECT_EQ(m.forces[1].arguments["coordinate"].text, "translation");
  EXPECT_EQ(m.forces[2].arguments["coordinate"].text, "translation");
  EXPECT_TRUE(m.forces[2].arguments["coordinate"].given);
}

TEST(ForceRules, ResolveFrames) {
  const Mechanism m = load(with_link(R"xml(<ground><frame name="p"/><frame name="q"/></ground>
<force name="f" type="spring_damper" from="ground.q" to="link" stiffness="2 N/mm"/>)xml"));
  EXPECT_EQ(m.forces[0].arguments["from"].frame.body, kGround);
  EXPECT_EQ(m.forces[0].arguments["from"].frame.frame, 1);
  EXPECT_EQ(m.forces[0].arguments["to"].frame.body, 0);
  EXPECT_EQ(m.forces[0].arguments["stiffness"].values[0].value, 2000);
}

}  // namespace
}  // namespace mechfmu
