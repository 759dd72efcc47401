// The dialect <controller>: what it reads, and every mistake with its place and remedy.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

using test::load;
using test::messages;

// `part` in line 2 of a controller that is otherwise correct: input 'w' goes to output 'y'.
std::string with_wire(const std::string& part) {
  return messages("<controller name=\"C\" sample=\"1 ms\">\n" + part +
                  "\n<input name=\"w\"/>\n<output name=\"y\" value=\"w\"/>\n</controller>\n");
}

TEST(ControllerReader, ReadsEveryBlock) {
  const Mechanism m = load(R"xml(<controller name="C" sample="2 ms" description="d">
  <parameter name="k" value="2"/>
  <input name="w"/>
  <table name="lift" x="0 1" y="0 2"/>
  <sum name="e" plus="w k" minus="x1"/>
  <pid name="p" input="lift(e)" kp="k" filter="5 ms" max="k"/>
  <state_space name="s" inputs="p w" outputs="x1 x2" A="1 0
    0 1" B="1 0  0 1" C="1 0 0 1"/>
  <delay name="d" input="p" samples="3"/>
  <output name="y" value="d + x2"/>
  <experiment stop="5 s"/>
</controller>)xml");
  ASSERT_TRUE(m.controller);
  EXPECT_FALSE(m.equations);
  EXPECT_EQ(0.002, m.controller->sample);
  ASSERT_EQ(4U, m.controller->blocks.size());
  EXPECT_EQ("pid", m.controller->blocks[1].type);
  EXPECT_EQ(0.005, m.controller->blocks[1].arguments["filter"].values[0].value);
  EXPECT_EQ(nullptr, m.controller->blocks[1].arguments.find("min"));
  EXPECT_EQ((std::pair<std::size_t, std::size_t>(2, 1)), m.controller->find("x2"));
  EXPECT_FALSE(m.controller->find("s"));  // it has outputs of other names
  EXPECT_EQ(5, m.experiment.stop);
}

TEST(ControllerReader, SampleIsMissingOrOutOfRange) {
  EXPECT_NE(
      std::string::npos,
      messages(
          "<controller name=\"C\"><input name=\"w\"/><output name=\"y\" value=\"w\"/></controller>")
          .find("model.xml:1:1: error E116: controller 'C': <controller> needs the attribute "
                "'sample'"));
  EXPECT_EQ(0U, messages("<controller name=\"C\" sample=\"0 s\"><input name=\"w\"/><output "
                         "name=\"y\" value=\"w\"/></controller>")
                    .find("model.xml:1:30: error E132: controller: sample must be between"));
}

TEST(ControllerReader, BlockIsUnknown) {
  const std::string said = with_wire("<lead_leg name=\"b\" input=\"w\" lag=\"1 s\"/>");
  EXPECT_EQ(0U, said.find("model.xml:2:1: error E111: <controller> has no element <lead_leg>"))
      << said;
  EXPECT_NE(std::string::npos, said.find("did you mean 'lead_lag'?")) << said;
}

TEST(ControllerReader, BodiesBelongElsewhere) {
  const std::string said = with_wire("<body name=\"b\"/>");
  EXPECT_EQ(0U, said.find("model.xml:2:1: error E112: <body> cannot stand in <controller>"))
      << said;
}

TEST(ControllerReader, SignalIsUnknown) {
  EXPECT_EQ(with_wire("<gain name=\"g\" input=\"ww\" gain=\"2\"/>"),
            "model.xml:2:23: error E413: gain 'g': input: there is no 'ww'\n"
            "    2 | <gain name=\"g\" input=\"ww\" gain=\"2\"/>\n"
            "      |                       ^~\n"
            "   hint: did you mean 'w'?\n");
  EXPECT_EQ(with_wire("<sum name=\"g\" plus=\"w\" minus=\"gg\"/>"),
            "model.xml:2:31: error E244: sum 'g': there is no signal 'gg'\n"
            "    2 | <sum name=\"g\" plus=\"w\" minus=\"gg\"/>\n"
            "      |                               ^~\n"
            "   hint: did you mean 'g'?\n");
}

TEST(ControllerReader, GainsAreKnownBeforeItRuns) {
  EXPECT_NE(std::string::npos, with_wire("<gain name=\"g\" input=\"w\" gain=\"w\"/>")
                                   .find("error E418: gain 'g': gain: 'w' changes with time"));
}

TEST(ControllerReader, SensorsAreInputs) {
  EXPECT_NE(std::string::npos,
            with_wire("<gain name=\"g\" input=\"energy.total\" gain=\"2\"/>")
                .find("error E414: gain 'g': input: a controller has no sensor"));
}

TEST(ControllerReader, AlgebraicLoopIsNamedAlongItsFlow) {
  const std::string said = with_wire(
      "<gain name=\"a\" input=\"b\" gain=\"2\"/> <sum name=\"b\" plus=\"w c\"/> <gain name=\"c\" "
      "input=\"a\" "
      "gain=\"1\"/>");
  EXPECT_EQ(
      0U, said.find(
              "model.xml:2:13: error E245: the blocks form an algebraic loop: a -> c -> b -> a\n"))
      << said;
  EXPECT_NE(std::string::npos, said.find("put a <delay> between them"));
  EXPECT_EQ("",
            with_wire("<gain name=\"a\" input=\"b\" gain=\"2\"/> <delay name=\"b\" input=\"a\"/>"));
}

TEST(ControllerReader, NumbersOfBlocksDoNotFit) {
  const auto expect = [](const std::string& part, const std::string& message) {
    const std::string said = with_wire(part);
    EXPECT_NE(std::string::npos, said.find("error E243: " + message)) << said;
  };
  expect("<saturation name=\"b\" input=\"w\" min=\"2\" max=\"1\"/>",
         "saturation 'b': min 2 is above max 1");
  expect("<saturation name=\"b\" input=\"w\"/>", "saturation 'b': it has neither min nor max");
  expect("<sum name=\"b\"/>", "sum 'b': it adds nothing");
  expect("<delay name=\"b\" input=\"w\" samples=\"1.5\"/>",
         "delay 'b': samples must be a whole number");
  expect("<lead_lag name=\"b\" input=\"w\" lag=\"0\"/>", "lead_lag 'b': lag must be > 0");
  expect("<pid name=\"b\" input=\"w\" kp=\"1\" filter=\"-1 s\"/>",
         "pid 'b': filter must not be negative");
  expect("<state_space name=\"b\" inputs=\"w\" A=\"1 2 3\" B=\"1 1\" C=\"1 1\"/>",
         "state_space 'b': A must be 2 x 2, got 3 numbers");
  expect("<state_space name=\"b\" inputs=\"w w\" A=\"1\" B=\"1\" C=\"1\"/>",
         "state_space 'b': B must be 1 x 2, got 1 numbers");
  EXPECT_NE(std::string::npos,
            messages("<controller name=\"C\" sample=\"1 ms\"><input name=\"w\"/></controller>")
                .find("error E243: the controller has no output"));
}

TEST(ControllerReader, NamesAreUsedOnce) {
  EXPECT_NE(std::string::npos, with_wire("<gain name=\"w\" input=\"w\" gain=\"2\"/>")
                                   .find("error E124: block: 'w' is already the name of an input"));
}

// What the documents show is valid.
TEST(ControllerReader, ReadsTheExamplesOfTheDocuments) {
  for (const char* file : {"README.md", "resources/docs/language.md"}) {
    std::ifstream stream(std::string(MECHFMU_PROJECT_DIR) + "/" + file);
    std::stringstream text;
    text << stream.rdbuf();
    const std::string all = text.str();
    const std::size_t begin = all.find("<controller name"), end = all.find("</controller>");
    ASSERT_NE(std::string::npos, end) << file;
    EXPECT_EQ("", messages(all.substr(begin, end + 13 - begin))) << file;
  }
}

}  // namespace
}  // namespace mechfmu
