// Values of attributes: numbers, units, vectors, and what is said about wrong ones.
#include "readers/value_parser.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(ValueError, AUnitIsMisspelt) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="120 mmm"/>)xml")),
            R"txt(model.xml:2:32: error E405: parameter 'a': value: 'mmm' is not a unit
    2 | <parameter name="a" value="120 mmm"/>
      |                                ^~~
   hint: did you mean 'mm'?
)txt");
}

TEST(ValueError, AUnitMeasuresSomethingElse) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="3 m"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:34: error E408: body 'b': mass: 'm' is not a unit of mass
    2 | <body name="b"><inertial mass="3 m"/></body>
      |                                  ^
   hint: expected kg or a multiple of it
)txt");
}

TEST(ValueError, AUnitStandsAtAPureNumber) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="3"/></body>
<joint name="K" type="revolute" parent="ground" child="b" axis="0 0 1 m"/>)xml")),
      R"txt(model.xml:3:71: error E408: joint 'K': axis: a number without unit is expected, not 'm'
    3 | <joint name="K" type="revolute" parent="ground" child="b" axis="0 0 1 m"/>
      |                                                                       ^
   hint: leave the unit out
)txt");
}

TEST(ValueError, AUnitIsGluedToTheNumber) {
  EXPECT_EQ(
      messages(with_link(R"xml(<parameter name="a" value="120mm"/>)xml")),
      R"txt(model.xml:2:31: error E403: parameter 'a': value: a blank is needed between 120 and the unit 'mm'
    2 | <parameter name="a" value="120mm"/>
      |                               ^~
   hint: write '120 mm'
)txt");
}

TEST(ValueError, AUnitFollowsAnExpression) {
  EXPECT_EQ(
      messages(with_link(R"xml(<parameter name="a" value="1"/>
<parameter name="b" value="2*a mm"/>)xml")),
      R"txt(model.xml:3:32: error E404: parameter 'b': value: the unit 'mm' follows an expression
    3 | <parameter name="b" value="2*a mm"/>
      |                                ^~
   hint: a unit follows a plain number; expressions are in SI units
)txt");
}

TEST(ValueError, AUnitFollowsAnExpressionInAVector) {
  EXPECT_EQ(
      messages(with_link(R"xml(<parameter name="a" value="1"/>
<ground><frame name="f" xyz="a 0 0 mm"/></ground>)xml")),
      R"txt(model.xml:3:36: error E404: frame 'ground.f': xyz: the unit 'mm' follows an expression
    3 | <ground><frame name="f" xyz="a 0 0 mm"/></ground>
      |                                    ^~
   hint: a unit follows plain numbers; expressions are in SI units
)txt");
}

TEST(ValueError, AngleAndTorqueAreMixedUp) {
  EXPECT_EQ(
      messages(with_link(R"xml(<force name="f" type="joint_torque" joint="J" value="3 N"/>)xml")),
      R"txt(model.xml:2:56: error E408: force 'f': value: 'N' is not a unit of torque
    2 | <force name="f" type="joint_torque" joint="J" value="3 N"/>
      |                                                        ^
   hint: expected N.m or a multiple of it
)txt");
}

TEST(ValueError, AnAngleIsGivenAsALength) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="f" rpy="0 0 90 mm"/></ground>)xml")),
            R"txt(model.xml:2:37: error E408: frame 'ground.f': rpy: 'mm' is not a unit of angle
    2 | <ground><frame name="f" rpy="0 0 90 mm"/></ground>
      |                                     ^~
   hint: expected rad or a multiple of it
)txt");
}

TEST(ValueError, AVectorHasTwoComponents) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="f" xyz="1 0"/></ground>)xml")),
            R"txt(model.xml:2:30: error E406: frame 'ground.f': xyz: 3 components are needed, got 2
    2 | <ground><frame name="f" xyz="1 0"/></ground>
      |                              ^~~
   hint: for example 0 0 1
)txt");
}

TEST(ValueError, AVectorHasFiveComponents) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="1"/>
<ground><frame name="f" xyz="a + 1 0 0"/></ground>)xml")),
            R"txt(model.xml:3:30: error E406: frame 'ground.f': xyz: 3 components are needed, got 5
    3 | <ground><frame name="f" xyz="a + 1 0 0"/></ground>
      |                              ^~~~~~~~~
   hint: a component has no blanks: write a+b or (a + b)
)txt");
}

TEST(ValueError, AVectorHasCommas) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="f" xyz="1, 0, 0"/></ground>)xml")),
            R"txt(model.xml:2:31: error E401: frame 'ground.f': xyz: expected an operator, found ','
    2 | <ground><frame name="f" xyz="1, 0, 0"/></ground>
      |                               ^
   hint: components are separated by blanks, not commas
)txt");
}

TEST(ValueError, AnInertiaHasFourComponents) {
  EXPECT_EQ(messages(with_link(R"xml(<body name="b"><inertial mass="3" inertia="1 1 1 0"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
            R"txt(model.xml:2:44: error E406: body 'b': inertia: 3 or 6 components are needed, got 4
    2 | <body name="b"><inertial mass="3" inertia="1 1 1 0"/></body>
      |                                            ^~~~~~~
   hint: a component has no blanks: write a+b or (a + b)
)txt");
}

TEST(ValueError, ANumberIsTooLarge) {
  EXPECT_EQ(
      messages(with_link(R"xml(<parameter name="a" value="1e999"/>)xml")),
      R"txt(model.xml:2:28: error E402: parameter 'a': value: the number 1e999 is outside the range of a double
    2 | <parameter name="a" value="1e999"/>
      |                            ^~~~~
   hint: numbers go from 2.3e-308 to 1.7e+308
)txt");
}

TEST(ValueError, ANumberIsTooLargeInSi) {
  EXPECT_EQ(
      messages(with_link(R"xml(<parameter name="a" value="1e308 km"/>)xml")),
      R"txt(model.xml:2:28: error E402: parameter 'a': value: the number is outside the range of a double in SI units
    2 | <parameter name="a" value="1e308 km"/>
      |                            ^~~~~
)txt");
}

TEST(ValueError, InfinityIsWritten) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="inf"/>)xml")),
            R"txt(model.xml:2:28: error E413: parameter 'a': value: there is no 'inf'
    2 | <parameter name="a" value="inf"/>
      |                            ^~~
   hint: known names: a, pi
)txt");
}

TEST(ValueError, ANumberHasTwoPoints) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="1.2.3"/>)xml")),
            R"txt(model.xml:2:28: error E402: parameter 'a': value: '1.2.3' is not a number
    2 | <parameter name="a" value="1.2.3"/>
      |                            ^~~~~
   hint: a number looks like 12, 0.5 or 1.5e-3
)txt");
}

TEST(ValueError, AProductHasNoOperator) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="b" value="2"/>
<parameter name="a" value="b 3"/>)xml")),
            R"txt(model.xml:3:30: error E401: parameter 'a': value: expected an operator, found '3'
    3 | <parameter name="a" value="b 3"/>
      |                              ^
)txt");
}

TEST(ValueError, AnAngleIsProbablyMeantInDegrees) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><inertial mass="1"/></body>
<joint name="K" type="revolute" parent="link" child="b"><start position="90"/></joint>)xml")),
      R"txt(model.xml:3:74: warning W101: joint 'K': start position: 90 rad is more than a full turn
    3 | <joint name="K" type="revolute" parent="link" child="b"><start position="90"/></joint>
      |                                                                          ^~
   hint: did you mean '90 deg'? If not, write '90 rad'
)txt");
}

TEST(ValueError, AFrameIsProbablyTurnedInDegrees) {
  EXPECT_EQ(
      messages(with_link(R"xml(<ground><frame name="f" rpy="0 0 90"/></ground>)xml")),
      R"txt(model.xml:2:34: warning W101: frame 'ground.f': rpy: 90 rad is more than a full turn
    2 | <ground><frame name="f" rpy="0 0 90"/></ground>
      |                                  ^~
   hint: did you mean '90 deg'? If not, write '90 rad'
)txt");
}

TEST(ValueError, AComparisonInAnEntityKeepsItsColumn) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="if(1 &lt; 2, b, 1)"/>)xml")),
            R"txt(model.xml:2:41: error E413: parameter 'a': value: there is no 'b'
    2 | <parameter name="a" value="if(1 &lt; 2, b, 1)"/>
      |                                         ^
   hint: known names: a, pi
)txt");
}

ValueText make_text(const std::string& text) { return {text, {0, text.size()}, {}}; }

double scalar(const std::string& text, std::string_view unit) {
  Diagnostics diagnostics;
  return parse_scalar(make_text(text), {"x", unit, false}, diagnostics).value;
}

// Reference: the literal the compiler reads; the conversion must not cost a bit.
TEST(ValueParser, ConvertsUnitsToTheNearestDouble) {
  EXPECT_EQ(scalar("120 mm", "m"), 0.12);
  EXPECT_EQ(scalar("1 ms", "s"), 0.001);
  EXPECT_EQ(scalar("90 deg", "rad"), 1.5707963267948966);
  EXPECT_EQ(scalar("-30 deg", "rad"), -0.5235987755982988);
  EXPECT_EQ(scalar("7.85 g", "kg"), 0.00785);
  EXPECT_EQ(scalar("  5\tN.m ", "N.m"), 5);
  EXPECT_EQ(scalar("5 %", "1"), 0.05);
}

// Reference: design, section 4: blanks separate components, a component has none outside
// parentheses.
TEST(ValueParser, SplitsVectorsAtBlanksOutsideParentheses) {
  Diagnostics diagnostics;
  const std::vector<Expression> v =
      parse_vector(make_text("0 -9.81 (a + 2)"), {"x", "", false}, false, diagnostics);
  ASSERT_EQ(v.size(), 3U);
  EXPECT_EQ(v[1].kind, Expression::Kind::negate);
  EXPECT_EQ(v[2].text, "+");
  EXPECT_EQ(parse_vector(make_text("0 0 90 deg"), {"x", "rad", false}, false, diagnostics)[2].value,
            1.5707963267948966);
  EXPECT_EQ(
      parse_vector(make_text("1 2 3 4 5 6 kg.m2"), {"x", "kg.m2", false}, true, diagnostics).size(),
      6U);
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(ValueParser, ReportsOnceAndPoisonsWhatItCannotRead) {
  Diagnostics diagnostics;
  const Expression e = parse_scalar(make_text("1 quux"), {"x", "m", false}, diagnostics);
  EXPECT_TRUE(is_poisoned(e));
  EXPECT_EQ(diagnostics.error_count(), 1);
  EXPECT_FALSE(is_poisoned(Expression::number(0)));
}

TEST(ValueParser, SaysWhyAConstantIsNone) {
  std::string problem;
  EXPECT_EQ(parse_constant("1 ms", "s", problem), 0.001);
  EXPECT_EQ(parse_constant("2*pi", "1", problem), 2 * 3.14159265358979323846);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(parse_constant("fast", "s", problem), std::nullopt);
  EXPECT_EQ(problem, "'fast' is not a number");
  EXPECT_EQ(parse_constant("1 kg", "s", problem), std::nullopt);
  EXPECT_EQ(problem, "'kg' is not a unit of time (expected s or a multiple of it)");
  EXPECT_EQ(parse_constant("1/0", "1", problem), std::nullopt);
  EXPECT_EQ(problem, "'1/0' has no finite value");
  EXPECT_EQ(parse_constant("", "1", problem), std::nullopt);
  EXPECT_EQ(problem, "the value is empty");
}

}  // namespace
}  // namespace mechfmu
