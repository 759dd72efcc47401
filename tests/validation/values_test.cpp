// Rules about parameters and expressions.
#include <gtest/gtest.h>

#include <cmath>

#include "readers/messages.hpp"
#include "validation/parameter_values.hpp"

namespace mechfmu {
namespace {

using test::load;
using test::messages;
using test::with_link;

TEST(ExpressionError, ANameIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="2"/>
<parameter name="b" value="2*aa"/>)xml")),
            R"txt(model.xml:3:30: error E413: parameter 'b': value: there is no 'aa'
    3 | <parameter name="b" value="2*aa"/>
      |                              ^~
   hint: did you mean 'a'?
)txt");
}

TEST(ExpressionError, AnUnknownNameIsAUnit) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="f" xyz="1 0 mm"/></ground>)xml")),
            R"txt(model.xml:2:34: error E413: frame 'ground.f': xyz: there is no 'mm'
    2 | <ground><frame name="f" xyz="1 0 mm"/></ground>
      |                                  ^~
   hint: 'mm' is a unit and can only follow plain numbers, all components given
)txt");
}

TEST(ExpressionError, AFunctionIsMisspelt) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="b" value="sinn(2)"/>)xml")),
            R"txt(model.xml:2:28: error E410: parameter 'b': value: there is no function 'sinn'
    2 | <parameter name="b" value="sinn(2)"/>
      |                            ^~~~
   hint: did you mean 'sin'?
)txt");
}

TEST(ExpressionError, AFunctionHasTooManyArguments) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="b" value="sin(2, 3)"/>)xml")),
            R"txt(model.xml:2:28: error E411: parameter 'b': value: sin() takes 1 argument, got 2
    2 | <parameter name="b" value="sin(2, 3)"/>
      |                            ^~~~~~~~~
   hint: sin: sine
)txt");
}

TEST(ExpressionError, AParenthesisIsNotClosed) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="b" value="2*(3 + 4"/>)xml")),
            R"txt(model.xml:2:30: error E401: parameter 'b': value: this '(' is never closed
    2 | <parameter name="b" value="2*(3 + 4"/>
      |                              ^
   hint: add the missing ')'
)txt");
}

TEST(ExpressionError, AnExpressionEndsTooEarly) {
  EXPECT_EQ(
      messages(with_link(R"xml(<parameter name="b" value="2*"/>)xml")),
      R"txt(model.xml:2:29: error E401: parameter 'b': value: the expression ends where a number or a name is expected
    2 | <parameter name="b" value="2*"/>
      |                             ^
)txt");
}

TEST(ExpressionError, AComparisonIsNoNumber) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="b" value="1 &gt; 2"/>)xml")),
            R"txt(model.xml:2:30: error E412: parameter 'b': value: a comparison is not a number
    2 | <parameter name="b" value="1 &gt; 2"/>
      |                              ^~~~
   hint: use it in if(condition, a, b)
)txt");
}

TEST(ExpressionError, ParametersDependOnEachOther) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="p" value="q + 1"/>
<parameter name="q" value="2*r"/>
<parameter name="r" value="p"/>
<parameter name="s" value="p"/>)xml")),
            R"txt(model.xml:2:28: error E419: parameter 'p' depends on itself: p -> q -> r -> p
    2 | <parameter name="p" value="q + 1"/>
      |                            ^~~~~
)txt");
}

TEST(ExpressionError, AParameterDependsOnItself) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="p" value="p + 1"/>)xml")),
            R"txt(model.xml:2:28: error E419: parameter 'p' depends on itself: p -> p
    2 | <parameter name="p" value="p + 1"/>
      |                            ^~~~~
)txt");
}

TEST(ExpressionError, AParameterIsBelowItsMinimum) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="p" value="1 mm" min="2 mm"/>)xml")),
            R"txt(model.xml:2:28: error E420: parameter 'p': value 0.001 is below min 0.002
    2 | <parameter name="p" value="1 mm" min="2 mm"/>
      |                            ^
)txt");
}

TEST(ExpressionError, AParameterIsAboveItsMaximum) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="p" value="3" max="2"/>)xml")),
            R"txt(model.xml:2:28: error E420: parameter 'p': value 3 is above max 2
    2 | <parameter name="p" value="3" max="2"/>
      |                            ^
)txt");
}

TEST(ExpressionError, AMinimumIsAboveTheMaximum) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="p" value="3" min="4" max="2"/>)xml")),
            R"txt(model.xml:2:36: error E420: parameter 'p': min 4 is above max 2
    2 | <parameter name="p" value="3" min="4" max="2"/>
      |                                    ^
)txt");
}

TEST(ExpressionError, AValueIsADivisionByZero) {
  EXPECT_EQ(
      messages(with_link(R"xml(<parameter name="p" value="1/0"/>
<parameter name="q" value="2*p"/>)xml")),
      R"txt(model.xml:2:28: error E409: parameter 'p': value: this is infinite at the parameters given
    2 | <parameter name="p" value="1/0"/>
      |                            ^~~
   hint: look for a division by zero, a root or logarithm of a negative number, an overflow
)txt");
}

TEST(ExpressionError, AValueIsUndefined) {
  EXPECT_EQ(
      messages(with_link(R"xml(<ground><frame name="f" xyz="sqrt(-1) 0 0"/></ground>)xml")),
      R"txt(model.xml:2:30: error E409: frame 'ground.f': xyz: this has no value at the parameters given
    2 | <ground><frame name="f" xyz="sqrt(-1) 0 0"/></ground>
      |                              ^~~~~~~~
   hint: look for a division by zero, a root or logarithm of a negative number, an overflow
)txt");
}

TEST(ExpressionError, ALengthUsesTime) {
  EXPECT_EQ(
      messages(with_link(R"xml(<ground><frame name="f" xyz="time 0 0"/></ground>)xml")),
      R"txt(model.xml:2:30: error E418: frame 'ground.f': xyz: 'time' changes with time and cannot be used here
    2 | <ground><frame name="f" xyz="time 0 0"/></ground>
      |                              ^~~~
   hint: only parameters can
)txt");
}

TEST(ExpressionError, AMassUsesAnInput) {
  EXPECT_EQ(
      messages(with_link(R"xml(<input name="u"/>
<body name="b"><point mass="u"/></body>
<joint name="K" type="free" parent="ground" child="b"/>)xml")),
      R"txt(model.xml:3:29: error E418: body 'b': mass: 'u' changes with time and cannot be used here
    3 | <body name="b"><point mass="u"/></body>
      |                             ^
   hint: only parameters can
)txt");
}

TEST(ExpressionError, AStartUsesASensor) {
  EXPECT_EQ(
      messages(with_link(R"xml(<body name="b"><point mass="1"/></body>
<joint name="K" type="revolute" parent="ground" child="b"><start position="J.position"/></joint>)xml")),
      R"txt(model.xml:3:76: error E418: joint 'K': start position: 'J.position' changes with time and cannot be used here
    3 | <joint name="K" type="revolute" parent="ground" child="b"><start position="J.position"/></joint>
      |                                                                            ^~~~~~~~~~
   hint: only parameters can
)txt");
}

TEST(ExpressionError, AForceUsesAnAcceleration) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<force name="f" type="joint_torque" joint="J" value="-J.acceleration"/>)xml")),
      R"txt(model.xml:2:55: error E418: force 'f': value: 'J.acceleration' follows from the forces and cannot be used here
    2 | <force name="f" type="joint_torque" joint="J" value="-J.acceleration"/>
      |                                                       ^~~~~~~~~~~~~~
   hint: use positions and velocities; outputs may use it
)txt");
}

TEST(ExpressionError, AForceUsesAnEnergy) {
  EXPECT_EQ(messages(with_link(
                R"xml(<force name="f" type="joint_torque" joint="J" value="energy.total"/>)xml")),
            R"txt(model.xml:2:54: error E418: force 'f': value: 'energy.total' is for outputs only
    2 | <force name="f" type="joint_torque" joint="J" value="energy.total"/>
      |                                                      ^~~~~~~~~~~~
)txt");
}

TEST(ExpressionError, AnInputStartsWithAParameter) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a" value="2"/>
<input name="u" start="a"/>
<force name="f" type="joint_torque" joint="J" value="u"/>)xml")),
            R"txt(model.xml:3:24: error E418: input 'u': start: 'a' cannot be used here
    3 | <input name="u" start="a"/>
      |                        ^
   hint: a plain number is expected
)txt");
}

TEST(ExpressionError, AnExpressionUsesABody) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="2*link"/>)xml")),
            R"txt(model.xml:2:27: error E413: output 'y': value: 'link' is a body, not a number
    2 | <output name="y" value="2*link"/>
      |                           ^~~~
   hint: for example link.position[1]
)txt");
}

TEST(ExpressionError, AnExpressionUsesAJoint) {
  EXPECT_EQ(messages(with_link(R"xml(<output name="y" value="2*J"/>)xml")),
            R"txt(model.xml:2:27: error E413: output 'y': value: 'J' is a joint, not a number
    2 | <output name="y" value="2*J"/>
      |                           ^
   hint: for example J.position
)txt");
}

TEST(ExpressionError, AnExpressionUsesAnOutput) {
  EXPECT_EQ(
      messages(with_link(R"xml(<output name="y" value="1"/>
<output name="z" value="y"/>)xml")),
      R"txt(model.xml:3:25: error E413: output 'z': value: 'y' is an output and cannot be used in expressions
    3 | <output name="z" value="y"/>
      |                         ^
   hint: repeat its expression
)txt");
}

TEST(ExpressionError, AnExpressionUsesDer) {
  EXPECT_EQ(
      messages(with_link(R"xml(<output name="y" value="der(J)"/>)xml")),
      R"txt(model.xml:2:25: error E417: output 'y': value: der() is for coordinates of <equations>
    2 | <output name="y" value="der(J)"/>
      |                         ^~~~~~
   hint: rates are sensors: A.velocity
)txt");
}

// Reference: arithmetic by hand.
TEST(ParameterValues, FollowReferencesInAnyOrder) {
  const Mechanism m = load(with_link(R"xml(<parameter name="c" value="a + b"/>
<parameter name="b" value="2*a"/>
<parameter name="a" value="3"/>
<parameter name="d" value="if(c &gt; 8, sqrt(c), -1)"/>)xml"));
  EXPECT_EQ(calc_parameter_values(m), (std::vector<double>{9, 6, 3, 3}));
  EXPECT_EQ(evaluate_at(m.parameters[0].value, m, {0, 10, 20, 0}), 30);
}

TEST(ParameterValues, AreNanInACycleAndElsewhereNot) {
  Diagnostics diagnostics;
  Mechanism m;
  const auto add = [&](const char* name, Expression value) {
    Parameter p;
    p.name.text = name;
    p.value = std::move(value);
    m.parameters.push_back(std::move(p));
  };
  add("a", {Expression::Kind::name, 0, "b", {}, {}});
  add("b", {Expression::Kind::name, 0, "a", {}, {}});
  add("c", Expression::number(1));
  const std::vector<double> values = calc_parameter_values(m);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 1);
}

// A chain as long as a file allows must not exhaust the stack.
TEST(ParameterValues, FollowAChainOfAHundredThousand) {
  Mechanism m;
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    Parameter p;
    p.name.text = "p" + std::to_string(i);
    p.value = i + 1 < kCount
                  ? Expression{Expression::Kind::name, 0, "p" + std::to_string(i + 1), {}, {}}
                  : Expression::number(7);
    m.parameters.push_back(std::move(p));
  }
  EXPECT_EQ(calc_parameter_values(m).front(), 7);
}

TEST(ExpressionRules, LetForcesUseInputsTimeAndSensorsOfPositionAndVelocity) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="k" value="2"/>
<input name="u"/>
<force name="f" type="joint_torque" joint="J" value="-k*J.position - J.velocity + u*sin(2*pi*time)"/>
<force name="g" type="force" at="link" value="norm(link.velocity) link.position[1] 0"/>)xml")),
            "");
}

TEST(ExpressionRules, LetOutputsUseEverything) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<output name="y" value="norm(J.force) + J.acceleration*time + energy.total"/>)xml")),
      "");
}

}  // namespace
}  // namespace mechfmu
