// Rules about <holonomic> and <nonholonomic> in a mechanism.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(ConstraintError, AConstraintOnPositionsUsesAVelocity) {
  EXPECT_EQ(
      messages(with_link(R"xml(<holonomic name="h" value="J.velocity - 1"/>)xml")),
      R"txt(model.xml:2:28: error E418: constraint 'h': value: a holonomic constraint cannot depend on velocities
    2 | <holonomic name="h" value="J.velocity - 1"/>
      |                            ^~~~~~~~~~
   hint: write <nonholonomic> for a constraint on velocities
)txt");
}

TEST(ComplianceError, ItIsOfSomethingThatHoldsNothing) {
  EXPECT_EQ(messages(with_link(R"xml(<compliance on="K" stiffness="1e6"/>)xml")),
            R"txt(model.xml:2:17: error E422: compliance: 'K' is no joint, drive or constraint
    2 | <compliance on="K" stiffness="1e6"/>
      |                 ^
   hint: known joints, drives and constraints: J
)txt");
}

TEST(ComplianceError, ItIsGivenTwiceAndWithWrongNumbers) {
  EXPECT_EQ(messages(with_link(R"xml(<compliance on="J" stiffness="0"/>
<compliance on="J" stiffness="1e6" damping="-1"/>)xml")),
            R"txt(model.xml:2:31: error E422: compliance of 'J': stiffness must be > 0, got 0
    2 | <compliance on="J" stiffness="0"/>
      |                               ^
model.xml:3:17: error E422: compliance: 'J' has one already
    3 | <compliance on="J" stiffness="1e6" damping="-1"/>
      |                 ^
model.xml:3:45: error E422: compliance of 'J': damping must be >= 0, got -1
    3 | <compliance on="J" stiffness="1e6" damping="-1"/>
      |                                             ^~
)txt");
}

TEST(ComplianceError, ItHasNoStiffness) {
  EXPECT_EQ(
      messages(with_link(R"xml(<compliance on="J"/>)xml")),
      R"txt(model.xml:2:1: error E116: compliance: <compliance> needs the attribute 'stiffness'
    2 | <compliance on="J"/>
      | ^~~~~~~~~~~
   hint: stiffness: force or torque per residual, for each of its rows
)txt");
}

TEST(ConstraintError, AConstraintUsesAReaction) {
  EXPECT_EQ(
      messages(with_link(R"xml(<nonholonomic name="h" value="J.force[1]"/>)xml")),
      R"txt(model.xml:2:31: error E418: constraint 'h': value: 'J.force[1]' follows from the forces and cannot be used here
    2 | <nonholonomic name="h" value="J.force[1]"/>
      |                               ^~~~~~~~~~
   hint: use positions and velocities; outputs may use it
)txt");
}

TEST(ConstraintError, AConstraintUsesAnEnergy) {
  EXPECT_EQ(
      messages(with_link(R"xml(<nonholonomic name="h" value="energy.total"/>)xml")),
      R"txt(model.xml:2:31: error E418: constraint 'h': value: 'energy.total' is for outputs only
    2 | <nonholonomic name="h" value="energy.total"/>
      |                               ^~~~~~~~~~~~
)txt");
}

TEST(ConstraintError, AConstraintUsesDer) {
  EXPECT_EQ(
      messages(with_link(R"xml(<nonholonomic name="h" value="der(J)"/>)xml")),
      R"txt(model.xml:2:31: error E417: constraint 'h': value: der() is for coordinates of <equations>
    2 | <nonholonomic name="h" value="der(J)"/>
      |                               ^~~~~~
   hint: rates are sensors: A.velocity
)txt");
}

TEST(ConstraintError, AConstraintHasNoValue) {
  EXPECT_EQ(messages(with_link(R"xml(<holonomic name="h"/>)xml")),
            R"txt(model.xml:2:1: error E116: holonomic 'h': <holonomic> needs the attribute 'value'
    2 | <holonomic name="h"/>
      | ^~~~~~~~~~
   hint: value: expression over positions, time, inputs and parameters
)txt");
}

TEST(ConstraintError, AConstraintIsUsedAsANumber) {
  EXPECT_EQ(messages(with_link(R"xml(<holonomic name="h" value="J.position"/>
<output name="y" value="h"/>)xml")),
            R"txt(model.xml:3:25: error E413: output 'y': value: 'h' is a constraint, not a number
    3 | <output name="y" value="h"/>
      |                         ^
   hint: for example h.multiplier
)txt");
}

TEST(ConstraintError, AConstraintHasNoSuchSensor) {
  EXPECT_EQ(messages(with_link(R"xml(<holonomic name="h" value="J.position"/>
<output name="y" value="h.force"/>)xml")),
            R"txt(model.xml:3:25: error E414: output 'y': value: constraint 'h' has no 'force'
    3 | <output name="y" value="h.force"/>
      |                         ^~~~~~~
   hint: known quantities: multiplier, residual, residual_velocity
)txt");
}

TEST(ConstraintError, AConstraintUsesAReactionOfAGear) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b"/>
<joint name="G" type="gear" joint1="J" joint2="K" ratio="2"/>
<nonholonomic name="h" value="G.effort[1]"/>)xml")),
      R"txt(model.xml:5:31: error E418: constraint 'h': value: 'G.effort[1]' follows from the forces and cannot be used here
    5 | <nonholonomic name="h" value="G.effort[1]"/>
      |                               ^~~~~~~~~~~
   hint: use positions and velocities; outputs may use it
)txt");
}

}  // namespace
}  // namespace mechfmu
