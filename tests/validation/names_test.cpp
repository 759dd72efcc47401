// Rules about names.
#include <gtest/gtest.h>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::with_link;

TEST(NameError, ANameHasADash) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="crank-length" value="1"/>)xml")),
            R"txt(model.xml:2:18: error E121: parameter: 'crank-length' is not a name
    2 | <parameter name="crank-length" value="1"/>
      |                  ^~~~~~~~~~~~
   hint: a name has letters, digits and _: write 'crank_length'
)txt");
}

TEST(NameError, ANameBeginsWithADigit) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="2b" value="1"/>)xml")),
            R"txt(model.xml:2:18: error E121: parameter: '2b' is not a name
    2 | <parameter name="2b" value="1"/>
      |                  ^~
   hint: a name has letters, digits and _: write '_2b'
)txt");
}

TEST(NameError, ANameIsNotAscii) {
  EXPECT_EQ(messages(with_link("<parameter name=\"l\xC3\xA4nge\" value=\"1\"/>")),
            "model.xml:2:18: error E121: parameter: 'l\xC3\xA4nge' is not a name\n"
            "    2 | <parameter name=\"l\xC3\xA4nge\" value=\"1\"/>\n"
            "      |                  ^~~~~\n"
            "   hint: a name has letters, digits and _: write 'l_nge'\n");
}

TEST(NameError, ANameIsTooLong) {
  EXPECT_EQ(
      messages(with_link(
          R"xml(<parameter name="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" value="1"/>)xml")),
      R"txt(model.xml:2:18: error E122: parameter: the name has 65 characters, the limit is 64
    2 | <parameter name="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" value="1"/>
      |                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)txt");
}

TEST(NameError, ANameIsAFunction) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="sin" value="1"/>)xml")),
            R"txt(model.xml:2:18: error E123: parameter: 'sin' is a function
    2 | <parameter name="sin" value="1"/>
      |                  ^~~
   hint: choose another name, for example 'sin_1'
)txt");
}

TEST(NameError, ANameIsAWordOfTheLanguage) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="time" value="1"/>)xml")),
            R"txt(model.xml:2:18: error E123: parameter: 'time' is a word of the mechanism language
    2 | <parameter name="time" value="1"/>
      |                  ^~~~
   hint: choose another name, for example 'time_1'
)txt");
}

TEST(NameError, ANameIsAKeywordOfModelica) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="end" value="1"/>)xml")),
            R"txt(model.xml:2:18: error E123: parameter: 'end' is a keyword of Modelica
    2 | <parameter name="end" value="1"/>
      |                  ^~~
   hint: choose another name, for example 'end_1'
)txt");
}

TEST(NameError, ANameIsUsedTwice) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="link" value="1"/>)xml")),
            R"txt(model.xml:2:18: error E124: parameter: 'link' is already the name of a body
    2 | <parameter name="link" value="1"/>
      |                  ^~~~
   hint: bodies, joints, forces, drives, constraints, tables, parameters, inputs and outputs share one set of names
)txt");
}

TEST(NameError, AnInputAndAnOutputShareAName) {
  EXPECT_EQ(messages(with_link(R"xml(<input name="u"/>
<output name="u" value="1"/>)xml")),
            R"txt(model.xml:3:15: error E124: output: 'u' is already the name of an input
    3 | <output name="u" value="1"/>
      |               ^
   hint: bodies, joints, forces, drives, constraints, tables, parameters, inputs and outputs share one set of names
)txt");
}

TEST(NameError, TwoFramesShareAName) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="f"/><frame name="f"/></ground>)xml")),
            R"txt(model.xml:2:39: error E124: ground: there are two frames 'f'
    2 | <ground><frame name="f"/><frame name="f"/></ground>
      |                                       ^
)txt");
}

TEST(NameError, AFrameIsCalledLikeASensor) {
  EXPECT_EQ(messages(with_link(R"xml(<ground><frame name="position"/></ground>)xml")),
            R"txt(model.xml:2:22: error E123: frame of ground: 'position' is a sensor
    2 | <ground><frame name="position"/></ground>
      |                      ^~~~~~~~
   hint: choose another name, for example 'position_1'
)txt");
}

TEST(NameError, TheMechanismHasANameWithBlanks) {
  EXPECT_EQ(messages(R"xml(<mechanism name="my model">
<body name="link"><inertial mass="1"/></body>
<joint name="J" type="revolute" parent="ground" child="link"/>
</mechanism>)xml"),
            R"txt(model.xml:1:18: error E121: mechanism: 'my model' is not a name
    1 | <mechanism name="my model">
      |                  ^~~~~~~~
   hint: a name has letters, digits and _: write 'my_model'
)txt");
}

TEST(NameError, TheMechanismIsAKeywordOfC) {
  EXPECT_EQ(messages(R"xml(<mechanism name="double">
<body name="link"><inertial mass="1"/></body>
<joint name="J" type="revolute" parent="ground" child="link"/>
</mechanism>)xml"),
            R"txt(model.xml:1:18: error E125: mechanism: 'double' is a keyword of C or C++
    1 | <mechanism name="double">
      |                  ^~~~~~
   hint: the FMU's library is called so; choose another name
)txt");
}

TEST(NameError, TheMechanismIsADeviceOfWindows) {
  EXPECT_EQ(messages(R"xml(<mechanism name="nul">
<body name="link"><inertial mass="1"/></body>
<joint name="J" type="revolute" parent="ground" child="link"/>
</mechanism>)xml"),
            R"txt(model.xml:1:18: error E125: mechanism: 'nul' is a device of Windows
    1 | <mechanism name="nul">
      |                  ^~~
   hint: the FMU's library is called so; choose another name
)txt");
}

// A message is one line, whatever is quoted in it.
TEST(NameError, ANameHasTwoLines) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="a&#10;b" value="1"/>)xml")),
            R"txt(model.xml:2:18: error E121: parameter: 'a b' is not a name
    2 | <parameter name="a&#10;b" value="1"/>
      |                  ^~~~~~~
   hint: a name has letters, digits and _: write 'a_b'
)txt");
}

// 500 letters: the first 260 and the last 80 characters of the message are shown.
TEST(NameError, AnUnknownNameIsVeryLong) {
  const std::string text = messages(with_link("<force name='f' type='joint_torque' joint='" +
                                              std::string(500, 'q') + "' value='1'/>"));
  const std::string line = text.substr(0, text.find('\n'));
  const std::string begin = "force 'f': joint: there is no joint '";
  EXPECT_EQ(line, "model.xml:2:44: error E212: " + begin + std::string(260 - begin.size(), 'q') +
                      "..." + std::string(79, 'q') + "'");
}

// Parameters may be called like units; frames of different bodies, and joints and frames, may share
// a name.
TEST(NameRules, AllowWhatCannotBeConfused) {
  EXPECT_EQ(messages(with_link(R"xml(<parameter name="m" value="1 m"/>
<parameter name="_x2" value="1"/>
<ground><frame name="J"/><frame name="tip"/></ground>
<body name="b"><point mass="1"/><frame name="tip"/></body>
<joint name="K" type="fixed" parent="ground.tip" child="b.tip"/>)xml")),
            "");
  EXPECT_EQ(messages(with_link("<parameter name='" + std::string(64, 'a') + "' value='1'/>")), "");
}

}  // namespace
}  // namespace mechfmu
