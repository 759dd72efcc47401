// Rules about <equations>.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::as_equations;
using test::messages;
using test::with_coordinate;
using test::with_link;

TEST(EquationError, ThereIsNoCoordinate) {
  EXPECT_EQ(messages(R"xml(<equations name="E"/>)xml"),
            R"txt(model.xml:1:18: error E241: the equations have no coordinate
    1 | <equations name="E"/>
      |                  ^
   hint: add <coordinate name="x" start="0" mass="1"/>
)txt");
}

TEST(EquationError, AForceIsOnAnUnknownCoordinate) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<force on="y" value="1"/>)xml")),
            R"txt(model.xml:2:12: error E241: force: on: there is no coordinate 'y'
    2 | <force on="y" value="1"/>
      |            ^
   hint: known coordinates: x
)txt");
}

TEST(EquationError, AMassIsOfAnUnknownCoordinate) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<mass row="x" column="z" value="1"/>)xml")),
            R"txt(model.xml:2:23: error E241: mass: column: there is no coordinate 'z'
    2 | <mass row="x" column="z" value="1"/>
      |                       ^
   hint: known coordinates: x
)txt");
}

TEST(EquationError, ACoordinateHasNoMass) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<coordinate name="y"/>)xml")),
            R"txt(model.xml:2:19: error E242: coordinate 'y' has no mass
    2 | <coordinate name="y"/>
      |                   ^
   hint: add mass="...", a <mass row column value/>, or describe all by <kinetic_energy>
)txt");
}

TEST(EquationError, AMassIsGivenTwice) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<coordinate name="y" mass="2"/>
<mass row="x" column="y" value="1"/>
<mass row="y" column="x" value="1"/>)xml")),
            R"txt(model.xml:4:1: error E242: mass 'y', 'x' is given twice
    4 | <mass row="y" column="x" value="1"/>
      | ^~~~~
   hint: the matrix is symmetric: one of (a, b) and (b, a) is enough
)txt");
}

TEST(EquationError, ADiagonalMassIsGivenTwice) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<mass row="x" column="x" value="1"/>)xml")),
            R"txt(model.xml:2:1: error E242: mass 'x', 'x' is given twice
    2 | <mass row="x" column="x" value="1"/>
      | ^~~~~
   hint: one of the two is enough
)txt");
}

TEST(EquationError, MassesAndAKineticEnergyAreGiven) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<kinetic_energy value="0.5*der(x)^2"/>)xml")),
            R"txt(model.xml:3:28: error E242: masses and a kinetic energy are both given
    3 | <coordinate name="x" mass="1"/>
      |                            ^
   hint: the kinetic energy holds the masses: give one of the two
)txt");
}

TEST(EquationError, TheKineticEnergyIsGivenTwice) {
  EXPECT_EQ(messages(as_equations(R"xml(<kinetic_energy value="0.5*der(x)^2"/>
<kinetic_energy value="0.5*der(x)^2"/>
<coordinate name="x"/>)xml")),
            R"txt(model.xml:3:1: error E113: <kinetic_energy> stands here a second time
    3 | <kinetic_energy value="0.5*der(x)^2"/>
      | ^~~~~~~~~~~~~~~
   hint: an <equations> has at most one <kinetic_energy>
)txt");
}

TEST(EquationError, ACoordinateBearsTheNameOfAStart) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<coordinate name="x_velocity" mass="1"/>)xml")),
      R"txt(model.xml:2:19: error E124: coordinate: 'x_velocity' is already the name of the start of der(x)
    2 | <coordinate name="x_velocity" mass="1"/>
      |                   ^~~~~~~~~~
   hint: choose another name
)txt");
}

TEST(EquationError, ACoordinateIsGivenTwice) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<coordinate name="x" mass="2"/>)xml")),
            R"txt(model.xml:3:19: error E124: coordinate: 'x' is already the name of a coordinate
    3 | <coordinate name="x" mass="1"/>
      |                   ^
   hint: coordinates, constraints, tables, parameters, inputs and outputs share one set of names
)txt");
}

TEST(EquationError, ACoordinateAndAnOutputShareAName) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<output name="x" value="2*x"/>)xml")),
            R"txt(model.xml:2:15: error E124: output: 'x' is already the name of a coordinate
    2 | <output name="x" value="2*x"/>
      |               ^
   hint: coordinates, constraints, tables, parameters, inputs and outputs share one set of names
)txt");
}

TEST(EquationError, ACoordinateIsReserved) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<coordinate name="time" mass="1"/>)xml")),
            R"txt(model.xml:2:19: error E123: coordinate: 'time' is a word of the mechanism language
    2 | <coordinate name="time" mass="1"/>
      |                   ^~~~
   hint: choose another name, for example 'time_1'
)txt");
}

TEST(EquationError, AUnitIsNotSi) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<coordinate name="y" mass="1" unit="deg"/>)xml")),
      R"txt(model.xml:2:37: error E120: coordinate 'y': unit: 'deg' is not an SI unit, 'rad' is
    2 | <coordinate name="y" mass="1" unit="deg"/>
      |                                     ^~~
   hint: hosts see coordinates in SI units
)txt");
}

TEST(EquationError, AStartContradictsTheUnit) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<coordinate name="y" mass="1" start="2 mm" unit="rad"/>)xml")),
      R"txt(model.xml:2:38: error E408: coordinate 'y': start: 'm' does not convert to rad
    2 | <coordinate name="y" mass="1" start="2 mm" unit="rad"/>
      |                                      ^~~~
)txt");
}

TEST(EquationError, AVelocityContradictsTheUnit) {
  EXPECT_EQ(
      messages(with_coordinate(
          R"xml(<coordinate name="y" mass="1" start="2 mm" velocity="3 rpm"/>)xml")),
      R"txt(model.xml:2:54: error E408: coordinate 'y': velocity: 'rad/s' does not convert to m/s
    2 | <coordinate name="y" mass="1" start="2 mm" velocity="3 rpm"/>
      |                                                      ^~~~~
)txt");
}

TEST(EquationError, AStartDependsOnAnotherCoordinate) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<coordinate name="y" mass="1" start="2*x"/>)xml")),
      R"txt(model.xml:2:40: error E418: coordinate 'y': start: 'x' changes with time and cannot be used here
    2 | <coordinate name="y" mass="1" start="2*x"/>
      |                                        ^
   hint: only parameters can
)txt");
}

TEST(EquationError, AStartDependsOnAVelocity) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<coordinate name="y" mass="1" start="der(x)"/>)xml")),
      R"txt(model.xml:2:38: error E418: coordinate 'y': start: the velocity of 'x' changes with time and cannot be used here
    2 | <coordinate name="y" mass="1" start="der(x)"/>
      |                                      ^~~~~~
   hint: only parameters can
)txt");
}

TEST(EquationError, AParameterDependsOnACoordinate) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<parameter name="a" value="2*x"/>)xml")),
      R"txt(model.xml:2:30: error E418: parameter 'a': value: 'x' changes with time and cannot be used here
    2 | <parameter name="a" value="2*x"/>
      |                              ^
   hint: only parameters can
)txt");
}

TEST(EquationError, AMassDependsOnAVelocity) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<coordinate name="y" mass="1 + der(x)^2"/>)xml")),
            R"txt(model.xml:2:32: error E418: coordinate 'y': mass: this cannot depend on velocities
    2 | <coordinate name="y" mass="1 + der(x)^2"/>
      |                                ^~~~~~
   hint: only positions and parameters can be used here
)txt");
}

TEST(EquationError, AMassDependsOnTime) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<mass row="x" column="y" value="time"/>
<coordinate name="y" mass="1"/>)xml")),
            R"txt(model.xml:2:33: error E418: mass 'x', 'y': value: this cannot depend on time
    2 | <mass row="x" column="y" value="time"/>
      |                                 ^~~~
   hint: only positions and parameters can be used here
)txt");
}

TEST(EquationError, TheKineticEnergyDependsOnTime) {
  EXPECT_EQ(messages(as_equations(R"xml(<kinetic_energy value="0.5*(1 + time)*der(x)^2"/>
<coordinate name="x"/>)xml")),
            R"txt(model.xml:2:33: error E418: kinetic_energy: value: this cannot depend on time
    2 | <kinetic_energy value="0.5*(1 + time)*der(x)^2"/>
      |                                 ^~~~
   hint: only coordinates, velocities and parameters can be used here
)txt");
}

TEST(EquationError, TheKineticEnergyDependsOnAnInput) {
  EXPECT_EQ(messages(as_equations(R"xml(<input name="u"/>
<kinetic_energy value="0.5*u*der(x)^2"/>
<coordinate name="x"/>)xml")),
            R"txt(model.xml:3:28: error E418: kinetic_energy: value: this cannot depend on inputs
    3 | <kinetic_energy value="0.5*u*der(x)^2"/>
      |                            ^
   hint: only coordinates, velocities and parameters can be used here
)txt");
}

TEST(EquationError, TheKineticEnergyDependsOnAnAcceleration) {
  EXPECT_EQ(
      messages(as_equations(R"xml(<kinetic_energy value="0.5*der(der(x))^2"/>
<coordinate name="x"/>)xml")),
      R"txt(model.xml:2:28: error E418: kinetic_energy: value: this cannot depend on accelerations
    2 | <kinetic_energy value="0.5*der(der(x))^2"/>
      |                            ^~~~~~~~~~~
   hint: only coordinates, velocities and parameters can be used here
)txt");
}

TEST(EquationError, TheEnergyDependsOnTime) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<energy value="0.5*der(x)^2 + time"/>)xml")),
            R"txt(model.xml:2:31: error E418: energy: value: this cannot depend on time
    2 | <energy value="0.5*der(x)^2 + time"/>
      |                               ^~~~
   hint: only coordinates, velocities and parameters can be used here
)txt");
}

TEST(EquationError, AForceDependsOnAnAcceleration) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<force on="x" value="-der(der(x))"/>)xml")),
      R"txt(model.xml:2:23: error E418: force on 'x': value: accelerations follow from the forces and cannot be used here
    2 | <force on="x" value="-der(der(x))"/>
      |                       ^~~~~~~~~~~
   hint: use positions and velocities; outputs may use accelerations
)txt");
}

TEST(EquationError, AForceDependsOnAMultiplier) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<holonomic name="h" value="x"/>
<force on="x" value="h.multiplier"/>)xml")),
      R"txt(model.xml:3:22: error E418: force on 'x': value: 'h.multiplier' follows from the forces and cannot be used here
    3 | <force on="x" value="h.multiplier"/>
      |                      ^~~~~~~~~~~~
   hint: use positions and velocities; outputs may use it
)txt");
}

TEST(EquationError, AConstraintOnPositionsUsesAVelocity) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<holonomic name="h" value="x - der(x)"/>)xml")),
      R"txt(model.xml:2:32: error E418: constraint 'h': value: a holonomic constraint cannot depend on velocities
    2 | <holonomic name="h" value="x - der(x)"/>
      |                                ^~~~~~
   hint: write <nonholonomic> for a constraint on velocities
)txt");
}

TEST(EquationError, DerIsOfAParameter) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<parameter name="m" value="1"/>
<force on="x" value="der(m)"/>)xml")),
      R"txt(model.xml:3:26: error E417: force on 'x': value: der() takes a coordinate, 'm' is a parameter
    3 | <force on="x" value="der(m)"/>
      |                          ^
)txt");
}

TEST(EquationError, DerIsOfTime) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<force on="x" value="der(time)"/>)xml")),
      R"txt(model.xml:2:26: error E417: force on 'x': value: der() takes a coordinate, not 'time'
    2 | <force on="x" value="der(time)"/>
      |                          ^~~~
)txt");
}

TEST(EquationError, DerIsOfAnExpression) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<force on="x" value="der(2*x)"/>)xml")),
            R"txt(model.xml:2:22: error E417: force: value: der() takes the name of a coordinate
    2 | <force on="x" value="der(2*x)"/>
      |                      ^~~~~~~~
   hint: for example der(x)
)txt");
}

TEST(EquationError, DerIsTakenThreeTimes) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<output name="y" value="der(der(der(x)))"/>)xml")),
      R"txt(model.xml:2:25: error E417: output 'y': value: der() takes the name of a coordinate
    2 | <output name="y" value="der(der(der(x)))"/>
      |                         ^~~~~~~~~~~~~~~~
   hint: for example der(x)
)txt");
}

TEST(EquationError, DerIsOfSomethingUnknown) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<force on="x" value="der(y)"/>)xml")),
            R"txt(model.xml:2:26: error E413: force on 'x': value: there is no 'y'
    2 | <force on="x" value="der(y)"/>
      |                          ^
   hint: known names: time, x, pi
)txt");
}

TEST(EquationError, DerIsUsedInAMechanism) {
  EXPECT_EQ(
      messages(with_link(R"xml(<output name="y" value="der(J.position)"/>)xml")),
      R"txt(model.xml:2:25: error E417: output 'y': value: der() is for coordinates of <equations>
    2 | <output name="y" value="der(J.position)"/>
      |                         ^~~~~~~~~~~~~~~
   hint: rates are sensors: A.velocity
)txt");
}

TEST(EquationError, ANameIsUnknown) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<coordinate name="theta" mass="1"/>
<force on="theta" value="-sin(thetta)"/>)xml")),
            R"txt(model.xml:3:31: error E413: force on 'theta': value: there is no 'thetta'
    3 | <force on="theta" value="-sin(thetta)"/>
      |                               ^~~~~~
   hint: did you mean 'theta'?
)txt");
}

TEST(EquationError, ASensorOfBodiesIsUsed) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<output name="y" value="x.position"/>)xml")),
            R"txt(model.xml:2:25: error E414: output 'y': value: the coordinate 'x' is one number
    2 | <output name="y" value="x.position"/>
      |                         ^~~~~~~~~~
   hint: write x, der(x) or der(der(x))
)txt");
}

TEST(EquationError, TheEnergyIsNotGiven) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<output name="y" value="energy.total"/>)xml")),
      R"txt(model.xml:2:25: error E414: output 'y': value: the equations do not say what 'energy.total' is
    2 | <output name="y" value="energy.total"/>
      |                         ^~~~~~~~~~~~
   hint: add <energy value="..."/>, the energy that is conserved
)txt");
}

TEST(EquationError, AConstraintIsUsedAsANumber) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<holonomic name="h" value="x"/>
<output name="y" value="2*h"/>)xml")),
            R"txt(model.xml:3:27: error E413: output 'y': value: 'h' is a constraint, not a number
    3 | <output name="y" value="2*h"/>
      |                           ^
   hint: for example h.multiplier
)txt");
}

TEST(EquationError, ABodyIsInTheEquations) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<body name="b"><point mass="1"/></body>)xml")),
            R"txt(model.xml:2:1: error E112: <body> cannot stand in <equations>
    2 | <body name="b"><point mass="1"/></body>
      | ^~~~~
   hint: it belongs in <mechanism>
)txt");
}

TEST(EquationError, ADriveIsInTheEquations) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<drive name="d" joint="J" position="time"/>)xml")),
            R"txt(model.xml:2:1: error E112: <drive> cannot stand in <equations>
    2 | <drive name="d" joint="J" position="time"/>
      | ^~~~~~
   hint: it belongs in <mechanism>
)txt");
}

TEST(EquationError, ACoordinateIsInAMechanism) {
  EXPECT_EQ(messages(with_link(R"xml(<coordinate name="x" mass="1"/>)xml")),
            R"txt(model.xml:2:1: error E112: <coordinate> cannot stand in <mechanism>
    2 | <coordinate name="x" mass="1"/>
      | ^~~~~~~~~~~
   hint: it belongs in <equations>
)txt");
}

TEST(EquationError, AForceHasAType) {
  EXPECT_EQ(
      messages(with_coordinate(R"xml(<force name="f" type="force" on="x" value="1"/>)xml")),
      R"txt(model.xml:2:8: error E115: force 'f': a <force> of <equations> has no attribute 'name'
    2 | <force name="f" type="force" on="x" value="1"/>
      |        ^~~~
model.xml:2:17: error E115: force 'f': a <force> of <equations> has no attribute 'type'
    2 | <force name="f" type="force" on="x" value="1"/>
      |                 ^~~~
)txt");
}

TEST(EquationError, AnEquationElementIsMisspelt) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<holonmic name="h" value="x"/>)xml")),
            R"txt(model.xml:2:1: error E111: <equations> has no element <holonmic>
    2 | <holonmic name="h" value="x"/>
      | ^~~~~~~~~
   hint: did you mean 'holonomic'?
)txt");
}

TEST(EquationError, GravityIsGiven) {
  EXPECT_EQ(messages(R"xml(<equations name="E" gravity="0 0 -9.81">
<coordinate name="x" mass="1"/>
</equations>
)xml"),
            R"txt(model.xml:1:21: error E115: equations 'E': <equations> has no attribute 'gravity'
    1 | <equations name="E" gravity="0 0 -9.81">
      |                     ^~~~~~~
   hint: known attributes: description
)txt");
}

TEST(EquationError, AConstraintOfTheEquationsIsUnknown) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<holonomic name="pin" value="x"/>
<output name="y" value="pn.multiplier"/>)xml")),
            R"txt(model.xml:3:25: error E413: output 'y': value: there is no constraint 'pn'
    3 | <output name="y" value="pn.multiplier"/>
      |                         ^~~~~~~~~~~~~
   hint: did you mean 'pin'?
)txt");
}

TEST(EquationError, AnOutputOfACoordinateHasAnotherUnit) {
  EXPECT_EQ(messages(with_coordinate(R"xml(<coordinate name="theta" mass="1" unit="rad"/>
<output name="y" value="theta" unit="deg"/>)xml")),
            R"txt(model.xml:3:25: error E421: output 'y': 'theta' is in rad, not in deg
    3 | <output name="y" value="theta" unit="deg"/>
      |                         ^~~~~
   hint: write the conversion into the value, or leave the unit out
)txt");
}

}  // namespace
}  // namespace mechfmu
