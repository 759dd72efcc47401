// Rules about drives and the inputs they follow.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(DriveError, NothingIsPrescribed) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="d" joint="J"/>)xml")),
            R"txt(model.xml:2:1: error E231: drive 'd': nothing is prescribed
    2 | <drive name="d" joint="J"/>
      | ^~~~~~
   hint: give one of position, velocity and acceleration; the others follow
)txt");
}

TEST(DriveError, TwoThingsArePrescribed) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" position="time" velocity="1"/>)xml")),
      R"txt(model.xml:2:53: error E231: drive 'd': position and velocity are both prescribed
    2 | <drive name="d" joint="J" position="time" velocity="1"/>
      |                                                     ^
   hint: give one of position, velocity and acceleration; the others follow
)txt");
}

TEST(DriveError, NothingIsDriven) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="d" position="time"/>)xml")),
            R"txt(model.xml:2:1: error E231: drive 'd': nothing is driven
    2 | <drive name="d" position="time"/>
      | ^~~~~~
   hint: write joint="...", or frame="..." axis="0 0 1"
)txt");
}

TEST(DriveError, AJointAndAFrameAreDriven) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" frame="link" position="time"/>)xml")),
      R"txt(model.xml:2:34: error E231: drive 'd': both a joint and a frame are given
    2 | <drive name="d" joint="J" frame="link" position="time"/>
      |                                  ^~~~
   hint: write joint="...", or frame="..." axis="0 0 1"
)txt");
}

TEST(DriveError, AFrameHasNoAxis) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="d" frame="link" position="time"/>)xml")),
            R"txt(model.xml:2:24: error E231: drive 'd': a frame is driven along an axis
    2 | <drive name="d" frame="link" position="time"/>
      |                        ^~~~
   hint: add axis="0 0 1", a direction in world axes
)txt");
}

TEST(DriveError, AJointHasAnAxis) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" axis="0 0 1" position="time"/>)xml")),
      R"txt(model.xml:2:33: error E231: drive 'd': the joint has its own axis
    2 | <drive name="d" joint="J" axis="0 0 1" position="time"/>
      |                                 ^~~~~
   hint: remove the axis
)txt");
}

TEST(DriveError, AFrameHasACoordinate) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<drive name="d" frame="link" axis="0 0 1" coordinate="x" position="time"/>)xml")),
      R"txt(model.xml:2:55: error E231: drive 'd': coordinates belong to joints, not to frames
    2 | <drive name="d" frame="link" axis="0 0 1" coordinate="x" position="time"/>
      |                                                       ^
   hint: remove the coordinate
)txt");
}

TEST(DriveError, TheAxisHasNoDirection) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" frame="link" axis="0 0 0" position="time"/>)xml")),
      R"txt(model.xml:2:36: error E214: drive 'd': axis has no direction
    2 | <drive name="d" frame="link" axis="0 0 0" position="time"/>
      |                                    ^~~~~
   hint: an axis may have any length but zero: 0 0 1
)txt");
}

TEST(DriveError, TheGroundIsDriven) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="p"/></ground>
<drive name="d" frame="ground.p" axis="0 0 1" position="time"/>)xml")),
            R"txt(model.xml:3:24: error E224: drive 'd': the ground cannot be driven
    3 | <drive name="d" frame="ground.p" axis="0 0 1" position="time"/>
      |                        ^~~~~~~~
   hint: name a body or a frame of a body
)txt");
}

TEST(DriveError, TheJointIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="d" joint="K" position="time"/>)xml")),
            R"txt(model.xml:2:24: error E212: drive 'd': joint: there is no joint 'K'
    2 | <drive name="d" joint="K" position="time"/>
      |                        ^
   hint: known joints: J
)txt");
}

TEST(DriveError, TheFrameIsUnknown) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" frame="lnk" axis="0 0 1" position="time"/>)xml")),
      R"txt(model.xml:2:24: error E211: drive 'd': frame: there is no body 'lnk'
    2 | <drive name="d" frame="lnk" axis="0 0 1" position="time"/>
      |                        ^~~
   hint: did you mean 'link'?
)txt");
}

TEST(DriveError, TheJointHasNoCoordinate) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="spherical" parent="ground" child="b"/>
<drive name="d" joint="K" position="time"/>)xml")),
      R"txt(model.xml:4:24: error E221: drive 'd': spherical joint 'K' has no coordinate to act on
    4 | <drive name="d" joint="K" position="time"/>
      |                        ^
   hint: drive a joint with a coordinate, or a frame along an axis
)txt");
}

TEST(DriveError, TheJointHasSeveralCoordinates) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="cylindrical" parent="ground" child="b"/>
<drive name="d" joint="K" position="time"/>)xml")),
      R"txt(model.xml:4:24: error E222: drive 'd': cylindrical joint 'K' has several coordinates to act on
    4 | <drive name="d" joint="K" position="time"/>
      |                        ^
   hint: add coordinate="angle" or "translation"
)txt");
}

TEST(DriveError, TheJointHasNoSuchCoordinate) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" coordinate="x" position="time"/>)xml")),
      R"txt(model.xml:2:39: error E221: drive 'd': revolute joint 'J' has no such coordinate 'x'
    2 | <drive name="d" joint="J" coordinate="x" position="time"/>
      |                                       ^
   hint: write coordinate="position"
)txt");
}

TEST(DriveError, TheCoordinateIsNoWord) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" coordinate="phi" position="time"/>)xml")),
      R"txt(model.xml:2:39: error E117: drive 'd': coordinate: 'phi' is not one of the choices
    2 | <drive name="d" joint="J" coordinate="phi" position="time"/>
      |                                       ^~~
   hint: one of: position, angle, translation, x, y, angle[1], angle[2]
)txt");
}

TEST(DriveError, AHingeIsDrivenInMetres) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="d" joint="J" position="10 mm"/>)xml")),
            R"txt(model.xml:2:37: error E408: drive 'd': position: 'm' does not convert to rad
    2 | <drive name="d" joint="J" position="10 mm"/>
      |                                     ^~~~~
)txt");
}

TEST(DriveError, AHingeIsDrivenAtMetresPerSecond) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="d" joint="J" velocity="1 m/s"/>)xml")),
            R"txt(model.xml:2:37: error E408: drive 'd': velocity: 'm/s' does not convert to rad/s
    2 | <drive name="d" joint="J" velocity="1 m/s"/>
      |                                     ^~~~~
)txt");
}

TEST(DriveError, AHingeIsAcceleratedInRpm) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" acceleration="60 rpm"/>)xml")),
      R"txt(model.xml:2:41: error E408: drive 'd': acceleration: 'rad/s' does not convert to rad/s2
    2 | <drive name="d" joint="J" acceleration="60 rpm"/>
      |                                         ^~~~~~
)txt");
}

TEST(DriveError, AFrameIsDrivenInDegrees) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" frame="link" axis="1 0 0" position="10 deg"/>)xml")),
      R"txt(model.xml:2:53: error E408: drive 'd': position: 'rad' does not convert to m
    2 | <drive name="d" frame="link" axis="1 0 0" position="10 deg"/>
      |                                                     ^~~~~~
)txt");
}

TEST(DriveError, TheMotionDependsOnTheMechanism) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" position="J.velocity"/>)xml")),
      R"txt(model.xml:2:37: error E418: drive 'd': position: a drive cannot depend on velocities
    2 | <drive name="d" joint="J" position="J.velocity"/>
      |                                     ^~~~~~~~~~
   hint: only time, inputs and parameters can prescribe a motion
)txt");
}

TEST(DriveError, TheMotionDependsOnAPosition) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" position="0.5*link.position[1]"/>)xml")),
      R"txt(model.xml:2:41: error E418: drive 'd': position: a drive cannot depend on positions
    2 | <drive name="d" joint="J" position="0.5*link.position[1]"/>
      |                                         ^~~~~~~~~~~~~~~~
   hint: only time, inputs and parameters can prescribe a motion
)txt");
}

TEST(DriveError, TheMotionDependsOnAReaction) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" position="norm(J.force)"/>)xml")),
      R"txt(model.xml:2:42: error E418: drive 'd': position: a drive cannot depend on what the equations of motion give
    2 | <drive name="d" joint="J" position="norm(J.force)"/>
      |                                          ^~~~~~~
   hint: only time, inputs and parameters can prescribe a motion
)txt");
}

TEST(DriveError, TheMotionUsesDer) {
  EXPECT_EQ(
      messages(with_link(R"xml(<drive name="d" joint="J" velocity="der(phi)"/>)xml")),
      R"txt(model.xml:2:37: error E417: drive 'd': velocity: der() is for coordinates of <equations>
    2 | <drive name="d" joint="J" velocity="der(phi)"/>
      |                                     ^~~~~~~~
   hint: rates are sensors: A.velocity
)txt");
}

TEST(DriveError, ADriveIsUsedAsANumber) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="d" joint="J" position="time"/>
<output name="y" value="d"/>)xml")),
            R"txt(model.xml:3:25: error E413: output 'y': value: 'd' is a drive, not a number
    3 | <output name="y" value="d"/>
      |                         ^
   hint: for example d.effort
)txt");
}

TEST(DriveError, ADriveHasNoSuchSensor) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="d" joint="J" position="time"/>
<output name="y" value="d.torque"/>)xml")),
            R"txt(model.xml:3:25: error E414: output 'y': value: drive 'd' has no 'torque'
    3 | <output name="y" value="d.torque"/>
      |                         ^~~~~~~~
   hint: known quantities: effort
)txt");
}

TEST(DriveError, ADriveIsCalledLikeAJoint) {
  EXPECT_EQ(messages(with_link(R"xml(<drive name="J" joint="J" position="time"/>)xml")),
            R"txt(model.xml:2:14: error E124: drive: 'J' is already the name of a joint
    2 | <drive name="J" joint="J" position="time"/>
      |              ^
   hint: bodies, joints, forces, drives, constraints, tables, parameters, inputs and outputs share one set of names
)txt");
}

TEST(DriveError, AFilterIsTooShort) {
  EXPECT_EQ(
      messages(with_link(R"xml(<input name="u" filter="0"/>
<drive name="d" joint="J" position="u"/>)xml")),
      R"txt(model.xml:2:25: error E132: input 'u': filter must be between 1e-06 and 1e+06 s, got 0
    2 | <input name="u" filter="0"/>
      |                         ^
)txt");
}

TEST(DriveError, AFilterIsALength) {
  EXPECT_EQ(messages(with_link(R"xml(<input name="u" filter="1 mm"/>
<drive name="d" joint="J" position="u"/>)xml")),
            R"txt(model.xml:2:27: error E408: input 'u': filter: 'mm' is not a unit of time
    2 | <input name="u" filter="1 mm"/>
      |                           ^~
   hint: expected s or a multiple of it
)txt");
}

TEST(DriveError, AnInputIsCalledAfterTheGroupOfFilters) {
  EXPECT_EQ(messages(with_link(R"xml(<input name="filter"/>
<drive name="d" joint="J" position="filter"/>)xml")),
            R"txt(model.xml:2:14: error E123: input: 'filter' is a word of the mechanism language
    2 | <input name="filter"/>
      |              ^~~~~~
   hint: choose another name, for example 'filter_1'
)txt");
}

TEST(DriveError, ASliderHasNoTorqueOfADrive) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="prismatic" parent="ground" child="b"/>
<output name="y" value="K.drive_torque"/>)xml")),
      R"txt(model.xml:4:25: error E414: output 'y': value: prismatic joint 'K' has no 'drive_torque'
    4 | <output name="y" value="K.drive_torque"/>
      |                         ^~~~~~~~~~~~~~
   hint: did you mean 'drive_force'?
)txt");
}

TEST(DriveError, AFilterIsTooLong) {
  EXPECT_EQ(
      messages(with_link(R"xml(<input name="u" filter="1e9"/>
<drive name="d" joint="J" position="u"/>)xml")),
      R"txt(model.xml:2:25: error E132: input 'u': filter must be between 1e-06 and 1e+06 s, got 1e+09
    2 | <input name="u" filter="1e9"/>
      |                         ^~~
)txt");
}

}  // namespace
}  // namespace mechfmu
