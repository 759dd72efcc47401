// Rules about tables in expressions.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(TableError, AFunctionIsNeitherBuiltInNorATable) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1"/>
<output name="y" value="lif(time)"/>)xml")),
            R"txt(model.xml:3:25: error E410: output 'y': value: there is no function 'lif'
    3 | <output name="y" value="lif(time)"/>
      |                         ^~~
   hint: did you mean 'lift'?
)txt");
}

TEST(TableError, AParameterIsCalled) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="2"/>
<output name="y" value="a(1 + time)"/>)xml")),
            R"txt(model.xml:3:25: error E410: output 'y': value: 'a' is a number, not a function
    3 | <output name="y" value="a(1 + time)"/>
      |                         ^
   hint: a product is written a*(...)
)txt");
}

TEST(TableError, AConstantCallsAFunctionThatIsNotThere) {
  EXPECT_EQ(messages(with_link(R"xml(<solve step="sinn(1)"/>)xml")),
            R"txt(model.xml:2:14: error E410: solve: step: there is no function 'sinn'
    2 | <solve step="sinn(1)"/>
      |              ^~~~
   hint: did you mean 'sin'?
)txt");
}

TEST(TableError, ATableHasTwoArguments) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1"/>
<output name="y" value="lift(time, 2)"/>)xml")),
            R"txt(model.xml:3:25: error E411: output 'y': value: lift() takes 1 argument, got 2
    3 | <output name="y" value="lift(time, 2)"/>
      |                         ^~~~~~~~~~~~~
   hint: lift: a table is a function of one number
)txt");
}

TEST(TableError, ATableHasNoArgument) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1"/>
<output name="y" value="lift()"/>)xml")),
            R"txt(model.xml:3:25: error E411: output 'y': value: lift() takes 1 argument, got 0
    3 | <output name="y" value="lift()"/>
      |                         ^~~~~~
   hint: lift: a table is a function of one number
)txt");
}

TEST(TableError, ATableIsUsedAsANumber) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1"/>
<output name="y" value="2*lift"/>)xml")),
            R"txt(model.xml:3:27: error E413: output 'y': value: 'lift' is a table, not a number
    3 | <output name="y" value="2*lift"/>
      |                           ^~~~
   hint: for example lift(time)
)txt");
}

TEST(TableError, ATableIsUsedInAParameter) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1"/>
<parameter name="a" value="lift(2)"/>)xml")),
      R"txt(model.xml:3:28: error E418: parameter 'a': value: the table 'lift' cannot be used here
    3 | <parameter name="a" value="lift(2)"/>
      |                            ^~~~~~~
   hint: only parameters and numbers can
)txt");
}

TEST(TableError, ATableIsUsedInALength) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1"/>
<ground><frame name="f" xyz="lift(2) 0 0"/></ground>)xml")),
      R"txt(model.xml:3:30: error E418: frame 'ground.f': xyz: the table 'lift' cannot be used here
    3 | <ground><frame name="f" xyz="lift(2) 0 0"/></ground>
      |                              ^~~~~~~
   hint: only parameters and numbers can
)txt");
}

TEST(TableError, AnArgumentIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1"/>
<output name="y" value="lift(tme)"/>)xml")),
            R"txt(model.xml:3:30: error E413: output 'y': value: there is no 'tme'
    3 | <output name="y" value="lift(tme)"/>
      |                              ^~~
   hint: did you mean 'time'?
)txt");
}

TEST(TableError, ANameIsReserved) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="sin" x="0 1" y="0 1"/>)xml")),
            R"txt(model.xml:2:14: error E123: table: 'sin' is a function
    2 | <table name="sin" x="0 1" y="0 1"/>
      |              ^~~
   hint: choose another name, for example 'sin_1'
)txt");
}

TEST(TableError, ATableIsCalledLikeABody) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="link" x="0 1" y="0 1"/>)xml")),
            R"txt(model.xml:2:14: error E124: table: 'link' is already the name of a body
    2 | <table name="link" x="0 1" y="0 1"/>
      |              ^~~~
   hint: bodies, joints, forces, drives, constraints, tables, parameters, inputs and outputs share one set of names
)txt");
}

TEST(TableError, AnElementIsInside) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="t" x="0 1" y="0 1"><point mass="1"/></table>)xml")),
      R"txt(model.xml:2:33: error E112: <point> cannot stand in <table>
    2 | <table name="t" x="0 1" y="0 1"><point mass="1"/></table>
      |                                 ^~~~~~
   hint: it belongs in <body>
)txt");
}

TEST(TableWarning, AConstraintFollowsCorners) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1" interpolation="linear"/>
<holonomic name="h" value="J.position - 2*lift(time)"/>)xml")),
      R"txt(model.xml:2:14: warning W202: table 'lift': a constraint follows its corners, velocities jump there
    2 | <table name="lift" x="0 1" y="0 1" interpolation="linear"/>
      |              ^~~~
   hint: use interpolation="akima", whose slope is continuous
)txt");
}

TEST(TableWarning, ADriveFollowsCorners) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="lift" x="0 1" y="0 1" interpolation="linear"/>
<drive name="d" joint="J" position="lift(time)"/>)xml")),
      R"txt(model.xml:2:14: warning W202: table 'lift': a constraint follows its corners, velocities jump there
    2 | <table name="lift" x="0 1" y="0 1" interpolation="linear"/>
      |              ^~~~
   hint: use interpolation="akima", whose slope is continuous
)txt");
}

}  // namespace
}  // namespace mechfmu
