// Rules about bodies.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(BodyError, ABodyHasNoMass) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><frame name="tip"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:1: error E202: body 'b' has no mass
    2 | <body name="b"><frame name="tip"/></body>
      | ^~~~~
   hint: add <inertial>, <box>, <cylinder>, <rod>, <sphere> or <point>; to model a massless link weld it to its neighbour
)txt");
}

TEST(BodyError, AMassIsNegative) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="-1.5"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:32: error E203: body 'b': mass must be > 0, got -1.5
    2 | <body name="b"><inertial mass="-1.5"/></body>
      |                                ^~~~
   hint: masses are in kg; to model a massless link weld it to its neighbour
)txt");
}

TEST(BodyError, AMassIsZeroAtTheParameters) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="m" value="0 kg"/>
<body name="b"><inertial mass="2*m"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:3:32: error E203: body 'b': mass must be > 0, got 0
    3 | <body name="b"><inertial mass="2*m"/></body>
      |                                ^~~
   hint: masses are in kg; to model a massless link weld it to its neighbour
)txt");
}

TEST(BodyError, ADensityIsZero) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><sphere radius="1" density="0"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:44: error E203: body 'b': density must be > 0, got 0
    2 | <body name="b"><sphere radius="1" density="0"/></body>
      |                                            ^
   hint: densities are in kg/m3
)txt");
}

TEST(BodyError, MassAndDensityAreBothGiven) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><sphere radius="1" density="1" mass="2"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:44: error E204: body 'b': <sphere> has both mass and density
    2 | <body name="b"><sphere radius="1" density="1" mass="2"/></body>
      |                                            ^
   hint: give one of them; the other follows from the size
)txt");
}

TEST(BodyError, NeitherMassNorDensityIsGiven) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><box size="1 1 1"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:16: error E204: body 'b': <box> has neither mass nor density
    2 | <body name="b"><box size="1 1 1"/></body>
      |                ^~~~
   hint: add mass="..." or density="..."
)txt");
}

TEST(BodyError, ASizeIsNegative) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><box size="1 -1 1" mass="1"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:29: error E206: body 'b': size must be > 0, got -1
    2 | <body name="b"><box size="1 -1 1" mass="1"/></body>
      |                             ^~
   hint: sizes are in m
)txt");
}

TEST(BodyError, ARadiusIsZero) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><cylinder radius="0" length="1" mass="1"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
      R"txt(model.xml:2:34: error E206: body 'b': radius must be > 0, got 0
    2 | <body name="b"><cylinder radius="0" length="1" mass="1"/></body>
      |                                  ^
   hint: sizes are in m
)txt");
}

TEST(BodyError, AnInertiaIsNegative) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1" inertia="1 1 -1"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
      R"txt(model.xml:2:44: error E205: body 'b': inertia is negative about some axis (principal values -1 1 1)
    2 | <body name="b"><inertial mass="1" inertia="1 1 -1"/></body>
      |                                            ^~~~~~
)txt");
}

TEST(BodyError, AnInertiaIsIndefinite) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1" inertia="1 1 1 2 0 0"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
      R"txt(model.xml:2:44: error E205: body 'b': inertia is negative about some axis (principal values -1 1 3)
    2 | <body name="b"><inertial mass="1" inertia="1 1 1 2 0 0"/></body>
      |                                            ^~~~~~~~~~~
   hint: the order is ixx iyy izz ixy ixz iyz, products of inertia with their sign in the tensor
)txt");
}

TEST(BodyError, AnInertiaViolatesTheTriangleInequality) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1" inertia="1 1 3"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
      R"txt(model.xml:2:44: error E205: body 'b': no body has this inertia (principal values 1 1 3)
    2 | <body name="b"><inertial mass="1" inertia="1 1 3"/></body>
      |                                            ^~~~~
   hint: the largest principal value cannot exceed the sum of the other two
)txt");
}

TEST(BodyError, TheAxisOfARodIsZero) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><rod length="1" mass="1" axis="0 0 0"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:47: error E214: body 'b': axis has no direction
    2 | <body name="b"><rod length="1" mass="1" axis="0 0 0"/></body>
      |                                               ^~~~~
   hint: an axis may have any length but zero: 0 0 1
)txt");
}

TEST(BodyError, ThereIsNoBody) {
  EXPECT_EQ(messages(R"xml(<mechanism name="M">
</mechanism>
)xml"),
            R"txt(model.xml:1:18: error E201: the mechanism has no body
    1 | <mechanism name="M">
      |                  ^
   hint: add <body name="..."> with a solid in it
)txt");
}

// Reference: thin rods and point masses exist; a flat plate fulfils the triangle inequality as an
// equation, and its data are rounded (1/12, 1/12, 1/6 with four digits).
TEST(BodyRules, AllowSemiDefiniteAndRoundedInertias) {
  for (const char* inertia :
       {"0 0 0", "0 1 1", "1 2 3", "0.0833 0.0833 0.1667", "0.5 0.5 1 -0.5 0 0"})
    EXPECT_EQ(messages(with_link(std::string("<body name=\"b\"><inertial mass=\"1\" inertia=\"") +
                                 inertia +
                                 "\"/></body>\n<joint name=\"K\" type=\"free\" "
                                 "parent=\"ground\" child=\"b\"/>")),
              "")
        << inertia;
}

TEST(BodyRules, AllowSeveralSolids) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><box size="1 1 1" density="1"/><point mass="1"/>
<sphere radius="1" mass="2"/><rod length="1" mass="1"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            "");
}

}  // namespace
}  // namespace mechfmu
