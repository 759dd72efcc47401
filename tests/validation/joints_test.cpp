// Rules about joints.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(JointError, TheParentIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="revolute" parent="lnk" child="b"/>)xml")),
            R"txt(model.xml:3:41: error E211: joint 'K': parent: there is no body 'lnk'
    3 | <joint name="K" type="revolute" parent="lnk" child="b"/>
      |                                         ^~~
   hint: did you mean 'link'?
)txt");
}

TEST(JointError, TheFrameIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="post"/></ground>
<body name="b"><point mass="1"/></body>
<joint name="K" type="revolute" parent="ground.pst" child="b"/>)xml")),
            R"txt(model.xml:4:48: error E211: joint 'K': parent: ground has no frame 'pst'
    4 | <joint name="K" type="revolute" parent="ground.pst" child="b"/>
      |                                                ^~~
   hint: did you mean 'post'?
)txt");
}

TEST(JointError, TheBodyHasNoFrames) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b.tip"/>)xml")),
            R"txt(model.xml:3:58: error E211: joint 'K': child: body 'b' has no frame 'tip'
    3 | <joint name="K" type="revolute" parent="ground" child="b.tip"/>
      |                                                          ^~~
   hint: it has no frames; its origin is called 'b'
)txt");
}

TEST(JointError, TheParentIsAParameter) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="p" value="1"/>
<body name="b"><point mass="1"/></body>
<joint name="K" type="revolute" parent="p" child="b"/>)xml")),
            R"txt(model.xml:4:41: error E211: joint 'K': parent: 'p' is a parameter, not a body
    4 | <joint name="K" type="revolute" parent="p" child="b"/>
      |                                         ^
   hint: known bodies: ground, b, link
)txt");
}

TEST(JointError, AJointConnectsABodyToItself) {
  EXPECT_EQ(
      messages(with_link(R"xml(<joint name="K" type="revolute" parent="link" child="link"/>)xml")),
      R"txt(model.xml:2:54: error E213: joint 'K' connects body 'link' to itself
    2 | <joint name="K" type="revolute" parent="link" child="link"/>
      |                                                      ^~~~
   hint: parent and child must be on different bodies
)txt");
}

TEST(JointError, AJointConnectsTheGroundToItself) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="post"/></ground>
<joint name="K" type="revolute" parent="ground" child="ground.post"/>)xml")),
            R"txt(model.xml:3:56: error E213: joint 'K' connects the ground to itself
    3 | <joint name="K" type="revolute" parent="ground" child="ground.post"/>
      |                                                        ^~~~~~~~~~~
   hint: parent and child must be on different bodies
)txt");
}

TEST(JointError, AnAxisIsZero) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b" axis="0 0 0"/>)xml")),
            R"txt(model.xml:3:65: error E214: joint 'K': axis has no direction
    3 | <joint name="K" type="revolute" parent="ground" child="b" axis="0 0 0"/>
      |                                                                 ^~~~~
   hint: an axis may have any length but zero: 0 0 1
)txt");
}

TEST(JointError, UniversalAxesAreNotSquare) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="universal" parent="ground" child="b" axis="1 0 0" axis2="1 1 0"/>)xml")),
      R"txt(model.xml:3:80: error E215: joint 'K': axis and axis2 are at 45 deg, not square to each other
    3 | <joint name="K" type="universal" parent="ground" child="b" axis="1 0 0" axis2="1 1 0"/>
      |                                                                                ^~~~~
   hint: the cross of a universal joint has a right angle
)txt");
}

TEST(JointError, TheChildAxisIsOpposite) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b" axis="0 0 1" child_axis="0 0 -2"/>)xml")),
      R"txt(model.xml:3:84: error E216: joint 'K': child_axis is opposite to axis, so position 0 is not defined
    3 | <joint name="K" type="revolute" parent="ground" child="b" axis="0 0 1" child_axis="0 0 -2"/>
      |                                                                                    ^~~~~~
   hint: turn the child's frame with rpy instead
)txt");
}

TEST(JointError, ADistanceIsZero) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="distance" parent="ground" child="b" length="0"/>)xml")),
            R"txt(model.xml:3:67: error E206: joint 'K': length must be > 0, got 0
    3 | <joint name="K" type="distance" parent="ground" child="b" length="0"/>
      |                                                                   ^
   hint: to hold two points together use a spherical joint
)txt");
}

TEST(JointError, ABodyIsInNoJoint) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
)xml")),
            R"txt(model.xml:2:13: error E217: body 'b' is in no joint
    2 | <body name="b"><point mass="1"/></body>
      |             ^
   hint: if this is meant: <joint name="..." type="free" parent="ground" child="b"/>
)txt");
}

TEST(JointError, BodiesAreNotConnectedToTheGround) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<body name="d"><point mass="1"/></body>
<joint name="K" type="fixed" parent="b" child="d"/>)xml")),
      R"txt(model.xml:2:13: error E218: bodies 'b', 'd' are connected to each other but not to the ground
    2 | <body name="b"><point mass="1"/></body>
      |             ^
   hint: if this is meant: <joint name="..." type="free" parent="ground" child="b"/>
)txt");
}

TEST(JointError, TwoGroupsAreNotConnectedToTheGround) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<body name="d"><point mass="1"/></body>
<body name="e"><point mass="1"/></body>
<joint name="K" type="fixed" parent="b" child="d"/>)xml")),
      R"txt(model.xml:2:13: error E218: bodies 'b', 'd' are connected to each other but not to the ground
    2 | <body name="b"><point mass="1"/></body>
      |             ^
   hint: if this is meant: <joint name="..." type="free" parent="ground" child="b"/>
model.xml:4:13: error E217: body 'e' is in no joint
    4 | <body name="e"><point mass="1"/></body>
      |             ^
   hint: if this is meant: <joint name="..." type="free" parent="ground" child="e"/>
)txt");
}

TEST(JointRules, AllowAxesOfAnyLengthAndARightAngle) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="universal" parent="ground" child="b" axis="5 0 0" axis2="0 0.001 -3"/>
<body name="c"><point mass="1"/></body>
<joint name="L" type="revolute" parent="b" child="c" axis="1 1 1" child_axis="1 1 -1"/>)xml")),
            "");
}

// A rod connects, too: the body on it needs no other joint.
TEST(JointRules, CountEveryJointAsAConnection) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="distance" parent="ground" child="b" length="1"/>)xml")),
            "");
}

}  // namespace
}  // namespace mechfmu
