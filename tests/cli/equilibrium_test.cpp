// equilibrium as a user runs it. Reference: a point mass m = 1 kg at l = 0.5 m on a hinge, which
// hangs at -90 degrees and needs m g l cos(q) to be held elsewhere.
#include <cmath>
#include <filesystem>

#include "program.hpp"

namespace mechfmu::test {
namespace {

const std::string kHeld = R"(<mechanism name="Held" gravity="0 -9.81 0">
  <!-- the arm -->
  <body name="bar"><point mass="1" xyz="0.5 0 0"/></body>
  <joint name="A" type="revolute" parent="ground" child="bar" axis="0 0 1">
    <start position="-30 deg" velocity="2 rad/s" fixed="true"/>  <!-- kept -->
  </joint>
  <input name="tau" unit="N.m" start="0"/><force name="f" type="joint_torque" joint="A" value="tau"/>
  <output name="angle" value="A.position"/>
</mechanism>
)";

TEST(EquilibriumCommand, TellsPoseReactionsAndStability) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHeld);
  const RunResult r = run_mechfmu({"equilibrium", file});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "Held rests at t = 0 s"));
  EXPECT_TRUE(contains(r.out, "stable, undamped"));
  EXPECT_TRUE(contains(r.out, "-1.5708"));
  EXPECT_TRUE(contains(r.out, "9.81"));
  EXPECT_TRUE(contains(last_line(r.err), "next: mechfmu equilibrium"));
  auto json = read_json(run_mechfmu({"equilibrium", file, "--json"}).out);
  EXPECT_EQ("true", json["found"]);
  EXPECT_NEAR(-std::acos(0.0), std::stod(json["coordinates.0.value"]), 1e-12);
  EXPECT_NEAR(9.81, std::stod(json["reactions.0.force.1"]), 1e-9);
  EXPECT_EQ("neutral", json["stability"]);
}

TEST(EquilibriumCommand, WritesTheFileWithOtherNumbers) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHeld);
  const std::string rest = folder / "rest.xml";
  const RunResult r = run_mechfmu({"equilibrium", file, "-o", rest});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_EQ("wrote " + rest + "; next: mechfmu linearize " + rest, last_line(r.err));
  std::string expected = kHeld;
  expected.replace(expected.find("-30 deg"), 7, "-90 deg");
  expected.replace(expected.find("2 rad/s"), 7, "0 rad/s");
  EXPECT_EQ(expected, read_text(rest));
  auto json = read_json(run_mechfmu({"linearize", rest, "--json"}).out);
  EXPECT_EQ("true", json["operating_point.equilibrium"]);
}

TEST(EquilibriumCommand, SolvesForInputs) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHeld), out = folder / "held.xml";
  auto json =
      read_json(run_mechfmu({"equilibrium", file, "--solve-for", "tau", "--json", "-o", out}).out);
  EXPECT_NEAR(9.81 * 0.5 * std::sqrt(0.75), std::stod(json["solved.0.value"]), 1e-12);
  EXPECT_EQ("A.position", json["held.0"]);
  EXPECT_TRUE(contains(read_text(out), "position=\"-30 deg\" velocity=\"0 rad/s\""));
  EXPECT_EQ(
      "true",
      read_json(run_mechfmu({"linearize", out, "--json"}).out)["operating_point.equilibrium"]);
  // given inputs are written, too
  ASSERT_EQ(0, run_mechfmu({"equilibrium", file, "--input", "tau=2", "-o", out}).exit_code);
  EXPECT_TRUE(contains(read_text(out), "start=\"2\""));
  json = read_json(run_mechfmu({"linearize", out, "--json"}).out);
  EXPECT_EQ("true", json["operating_point.equilibrium"]);
  EXPECT_NEAR(-std::acos(2 / (9.81 * 0.5)), std::stod(json["states.0.value"]), 1e-9);
}

TEST(EquilibriumCommand, WhatDoesNotRestStopsIt) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHeld), out = folder / "no.xml";
  // more torque than the weight can balance
  const RunResult r = run_mechfmu({"equilibrium", file, "--input", "tau=7", "-o", out, "--json"});
  EXPECT_EQ(3, r.exit_code);
  EXPECT_TRUE(contains(r.err, "E317"));
  EXPECT_EQ("false", read_json(r.out)["found"]);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(EquilibriumCommand, WrongWordsGetTheNearestOnes) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHeld);
  const auto fails = [&](std::vector<std::string> options, int code, const std::string& text) {
    options.insert(options.begin(), {"equilibrium", file});
    const RunResult r = run_mechfmu(options);
    EXPECT_EQ(code, r.exit_code) << text;
    EXPECT_TRUE(contains(r.err, text));
    EXPECT_EQ("", r.out);
  };
  fails({"--solve-for", "taw"}, 2, "did you mean 'tau'?");
  fails({"--solve-for", "tau", "--hold", "A.postion"}, 2, "did you mean 'A.position'?");
  fails({"--input", "taw=1"}, 2, "did you mean 'tau'?");
  fails({"--solve-for", "tau", "--stable"}, 2, "--stable");
  fails({"-o", folder / "no/x.xml"}, 5, "S610");
}

TEST(EquilibriumCommand, HelpBeginsWithExamples) {
  const RunResult r = run_mechfmu({"equilibrium", "--help"});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_TRUE(
      contains(r.out, "  mechfmu equilibrium four_bar.xml --input tau=0.1 -o at_rest.xml\n"));
}

}  // namespace
}  // namespace mechfmu::test
