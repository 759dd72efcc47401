// Sensors: what a mechanism offers to expressions, and what is said about names it does not offer.
#include "validation/sensors.hpp"

#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::load;
using test::messages;
using test::with_link;

TEST(SensorError, TheOwnerIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="K.position"/>)xml")),
            R"txt(model.xml:2:25: error E413: output 'y': value: there is no joint or body 'K'
    2 | <output name="y" value="K.position"/>
      |                         ^~~~~~~~~~
   hint: known names: J, link, ground, energy, constraint, solver
)txt");
}

TEST(SensorError, TheOwnerIsMisspelt) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="links.position[1]"/>)xml")),
            R"txt(model.xml:2:25: error E413: output 'y': value: there is no joint or body 'links'
    2 | <output name="y" value="links.position[1]"/>
      |                         ^~~~~~~~~~~~~~~~~
   hint: did you mean 'link'?
)txt");
}

TEST(SensorError, TheQuantityIsMisspelt) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="J.positon"/>)xml")),
            R"txt(model.xml:2:25: error E414: output 'y': value: revolute joint 'J' has no 'positon'
    2 | <output name="y" value="J.positon"/>
      |                         ^~~~~~~~~
   hint: did you mean 'position'?
)txt");
}

TEST(SensorError, TheQuantityBelongsToAnotherJointType) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="J.angle"/>)xml")),
            R"txt(model.xml:2:25: error E414: output 'y': value: revolute joint 'J' has no 'angle'
    2 | <output name="y" value="J.angle"/>
      |                         ^~~~~~~
   hint: known quantities: position, velocity, acceleration, force, torque, drive_torque
)txt");
}

TEST(SensorError, AFrameIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="link.tip.position[1]"/>)xml")),
            R"txt(model.xml:2:25: error E414: output 'y': value: body 'link' has no frame 'tip'
    2 | <output name="y" value="link.tip.position[1]"/>
      |                         ^~~~~~~~~~~~~~~~~~~~
)txt");
}

TEST(SensorError, AFrameHasNoValue) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="D"/></ground>
<output name="y" value="ground.D"/>)xml")),
            R"txt(model.xml:3:25: error E414: output 'y': value: 'ground.D' is a frame, not a number
    3 | <output name="y" value="ground.D"/>
      |                         ^~~~~~~~
   hint: for example ground.D.position[1]
)txt");
}

TEST(SensorError, AVectorStandsForANumber) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="J.force"/>)xml")),
            R"txt(model.xml:2:25: error E415: output 'y': value: 'J.force' has 3 components
    2 | <output name="y" value="J.force"/>
      |                         ^~~~~~~
   hint: write J.force[1] to J.force[3], or norm(J.force)
)txt");
}

TEST(SensorError, AVectorStandsInASum) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="norm(J.force, 1)"/>)xml")),
            R"txt(model.xml:2:30: error E415: output 'y': value: 'J.force' has 3 components
    2 | <output name="y" value="norm(J.force, 1)"/>
      |                              ^~~~~~~
   hint: write J.force[1] to J.force[3], or norm(J.force)
)txt");
}

TEST(SensorError, AComponentDoesNotExist) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="J.force[4]"/>)xml")),
            R"txt(model.xml:2:25: error E416: output 'y': value: 'J.force[4]' has no such component
    2 | <output name="y" value="J.force[4]"/>
      |                         ^~~~~~~~~~
   hint: write J.force[1] to J.force[3]
)txt");
}

TEST(SensorError, AnIndexIsZero) {
  EXPECT_EQ(
      messages(with_link(R"xml(<output name="y" value="link.position[0]"/>)xml")),
      R"txt(model.xml:2:25: error E416: output 'y': value: 'link.position[0]' has no such component
    2 | <output name="y" value="link.position[0]"/>
      |                         ^~~~~~~~~~~~~~~~
   hint: write link.position[1] to link.position[3]
)txt");
}

TEST(SensorError, AScalarHasAnIndex) {
  EXPECT_EQ(
      messages(with_link(R"xml(<output name="y" value="J.position[1]"/>)xml")),
      R"txt(model.xml:2:25: error E416: output 'y': value: 'J.position' is one number and has no index
    2 | <output name="y" value="J.position[1]"/>
      |                         ^~~~~~~~~~~~~
   hint: write J.position
)txt");
}

TEST(SensorError, AnEnergyIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="energy.totl"/>)xml")),
            R"txt(model.xml:2:25: error E414: output 'y': value: 'energy' has no 'totl'
    2 | <output name="y" value="energy.totl"/>
      |                         ^~~~~~~~~~~
   hint: did you mean 'energy.total'?
)txt");
}

TEST(SensorError, AUniversalAngleHasNoIndex) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="U" type="universal" parent="ground" child="b"/>
<output name="y" value="U.angle"/>)xml")),
      R"txt(model.xml:4:25: error E415: output 'y': value: universal joint 'U' has angle[1] and angle[2]
    4 | <output name="y" value="U.angle"/>
      |                         ^~~~~~~
   hint: write U.angle[1] to U.angle[2]
)txt");
}

TEST(SensorError, ADistanceJointHasNoTorque) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="R" type="distance" length="1" parent="ground" child="b"/>
<output name="y" value="R.torque[1]"/>)xml")),
      R"txt(model.xml:4:25: error E414: output 'y': value: distance joint 'R' has no 'torque[1]'
    4 | <output name="y" value="R.torque[1]"/>
      |                         ^~~~~~~~~~~
   hint: known quantities: force
)txt");
}

TEST(SensorError, TheUnitOfAnOutputIsAnotherOne) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="J.position" unit="deg"/>)xml")),
            R"txt(model.xml:2:25: error E421: output 'y': 'J.position' is in rad, not in deg
    2 | <output name="y" value="J.position" unit="deg"/>
      |                         ^~~~~~~~~~
   hint: write the conversion into the value, or leave the unit out
)txt");
}

TEST(SensorError, TheUnitOfAnOutputMeasuresSomethingElse) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="J.position" unit="m"/>)xml")),
            R"txt(model.xml:2:25: error E421: output 'y': 'J.position' is in rad, not in m
    2 | <output name="y" value="J.position" unit="m"/>
      |                         ^~~~~~~~~~
   hint: write unit="rad", or leave the unit out
)txt");
}

Mechanism make_mechanism() {
  return load(with_link(R"xml(<ground><frame name="D"/></ground>
<body name="b"><point mass="1"/><frame name="tip"/></body>
<joint name="U" type="universal" parent="ground" child="b"/>
<body name="c"><point mass="1"/></body>
<joint name="S" type="spherical" parent="ground" child="c"/>)xml"));
}

// Reference: design, section 4, sensors.
TEST(Sensors, AreFoundWithOwnerSizeUnitAndLevel) {
  const Mechanism m = make_mechanism();
  struct Expected {
    const char* name;
    Sensor::Owner owner;
    const char* quantity;
    int size, component;
    const char* unit;
    SensorLevel level;
  };
  using Owner = Sensor::Owner;
  for (const Expected& e : {
           Expected{"J.position", Owner::joint, "position", 1, 0, "rad", SensorLevel::position},
           Expected{"J.velocity", Owner::joint, "velocity", 1, 0, "rad/s", SensorLevel::velocity},
           Expected{"J.acceleration", Owner::joint, "acceleration", 1, 0, "rad/s2",
                    SensorLevel::acceleration},
           Expected{"J.force", Owner::joint, "force", 3, 0, "N", SensorLevel::acceleration},
           Expected{"J.torque[2]", Owner::joint, "torque", 3, 2, "N.m", SensorLevel::acceleration},
           Expected{"U.angle[2]", Owner::joint, "angle[2]", 1, 0, "rad", SensorLevel::position},
           Expected{"U.angle_acceleration[1]", Owner::joint, "angle_acceleration[1]", 1, 0,
                    "rad/s2", SensorLevel::acceleration},
           Expected{"S.angular_velocity[3]", Owner::joint, "angular_velocity", 3, 3, "rad/s",
                    SensorLevel::velocity},
           Expected{"b.quaternion[4]", Owner::frame, "quaternion", 4, 4, "", SensorLevel::position},
           Expected{"b.tip.velocity[1]", Owner::frame, "velocity", 3, 1, "m/s",
                    SensorLevel::velocity},
           Expected{"ground.D.position", Owner::frame, "position", 3, 0, "m",
                    SensorLevel::position},
           Expected{"energy.total", Owner::system, "energy.total", 1, 0, "J", SensorLevel::report},
           Expected{"constraint.residual", Owner::system, "constraint.residual", 1, 0, "",
                    SensorLevel::report},
       }) {
    const std::optional<Sensor> sensor = find_sensor(m, e.name);
    ASSERT_TRUE(sensor) << e.name;
    EXPECT_EQ(sensor->owner, e.owner) << e.name;
    EXPECT_EQ(sensor->quantity, e.quantity) << e.name;
    EXPECT_EQ(sensor->size, e.size) << e.name;
    EXPECT_EQ(sensor->component, e.component) << e.name;
    EXPECT_EQ(sensor->unit, e.unit) << e.name;
    EXPECT_EQ(sensor->level, e.level) << e.name;
  }
}

TEST(Sensors, KnowTheirBodyFrameAndJoint) {
  const Mechanism m = make_mechanism();
  EXPECT_EQ(find_sensor(m, "U.angle[1]")->joint, 0);
  EXPECT_EQ(find_sensor(m, "J.position")->joint, 2);
  EXPECT_EQ(find_sensor(m, "b.tip.rpy[1]")->body, 0);
  EXPECT_EQ(find_sensor(m, "b.tip.rpy[1]")->frame, 0);
  EXPECT_EQ(find_sensor(m, "link.rpy[1]")->body, 2);
  EXPECT_EQ(find_sensor(m, "link.rpy[1]")->frame, kOriginFrame);
  EXPECT_EQ(find_sensor(m, "ground.D.rpy[1]")->body, kGround);
}

// What is not found must have a reason, and what is found as a single number must have none.
TEST(Sensors, FindAndCheckAgree) {
  const Mechanism m = make_mechanism();
  for (const char* name : {"J.position", "U.angle[1]", "b.tip.velocity[2]", "solver.steps"}) {
    EXPECT_TRUE(find_sensor(m, name)) << name;
    EXPECT_FALSE(check_sensor(m, name)) << name;
  }
  for (const char* name :
       {"J", "J.", "J.x", "J.force[0]", "J.force[4]", "J.force[01]", "J.position[1]", "U.angle",
        "U.angle[3]", "b", "b.tip", "b.tip.x", "b.tip.tip.position[1]", "x.position", "energy",
        "energy.x", "energy.total[1]", "ground.D", "S.angle"}) {
    EXPECT_FALSE(find_sensor(m, name)) << name;
    EXPECT_TRUE(check_sensor(m, name)) << name;
  }
}

TEST(Sensors, OfferTheUnitsThatOutputsMayState) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="J.torque[1]" unit="Nm"/>
<output name="z" value="J.position*180/pi" unit="deg"/>
<output name="w" value="constraint.residual" unit="m"/>)xml")),
            "");
}

}  // namespace
}  // namespace mechfmu
