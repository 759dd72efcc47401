// `expose`: what is said about sensors that an element does not have.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(ExposeError, TheSensorIsMisspelt) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b" expose="position velocty"><inertial mass="1"/></body>
<joint name="K" type="fixed" parent="link" child="b"/>)xml")),
      R"txt(model.xml:2:33: error E414: expose: body 'b' has no 'velocty'
    2 | <body name="b" expose="position velocty"><inertial mass="1"/></body>
      |                                 ^~~~~~~
   hint: did you mean 'velocity'?
)txt");
}

TEST(ExposeError, TheSensorBelongsToSomethingElse) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="link" child="b" axis="0 0 1" expose="rpy"/>)xml")),
            R"txt(model.xml:3:78: error E414: expose: revolute joint 'K' has no 'rpy'
    3 | <joint name="K" type="revolute" parent="link" child="b" axis="0 0 1" expose="rpy"/>
      |                                                                              ^~~
   hint: known quantities: position, velocity, acceleration, force, torque, drive_torque
)txt");
}

TEST(ExposeError, TheComponentDoesNotExist) {
  EXPECT_EQ(
      messages(with_link(R"xml(<ground><frame name="D" expose="all position[4]"/></ground>)xml")),
      R"txt(model.xml:2:37: error E416: expose: 'ground.D.position[4]' has no such component
    2 | <ground><frame name="D" expose="all position[4]"/></ground>
      |                                     ^~~~~~~~~~~
   hint: write ground.D.position[1] to ground.D.position[3]
)txt");
}

TEST(ExposeError, ForcesHaveNoSensors) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_torque" joint="J" value="1" expose="all"/>)xml")),
      R"txt(model.xml:2:57: error E115: force 'f': <force type="joint_torque"> has no attribute 'expose'
    2 | <force name="f" type="joint_torque" joint="J" value="1" expose="all"/>
      |                                                         ^~~~~~
   hint: known attributes: description, coordinate
)txt");
}

TEST(Expose, AcceptsNothingAllVectorsAndComponents) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b" expose=""><inertial mass="1"/>
  <frame name="tip" expose="  velocity position[1] "/></body>
<joint name="K" type="revolute" parent="link" child="b" axis="0 0 1" expose="all position"/>)xml")),
            "");
}

}  // namespace
}  // namespace mechfmu
