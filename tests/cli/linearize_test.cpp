// linearize as a user runs it: what is printed and written, FMUs, and what is refused. References:
// a point mass of 1 kg on a rod of 0.5 m, hanging: w^2 = g / l, and the hinge of these tests, which
// starts level.
#include <cmath>
#include <filesystem>

#include "program.hpp"

namespace mechfmu::test {
namespace {

const std::string kHanging = R"(<mechanism name="Hanging" gravity="0 -9.81 0">
  <parameter name="length" value="0.5 m"/>
  <body name="bar"><point mass="1" xyz="0 -length 0"/></body>
  <joint name="A" type="revolute" parent="ground" child="bar" axis="0 0 1"><start position="0" velocity="0" fixed="true"/></joint>
  <input name="tau" unit="N.m"/><force name="f" type="joint_torque" joint="A" value="tau"/>
  <output name="angle" value="A.position"/>
</mechanism>
)";

TEST(LinearizeCommand, PrintsWhatAControlEngineerLooksFor) {
  const TestFolder folder;
  const RunResult r = run_mechfmu({"linearize", folder.write("a.xml", kHanging)});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "2 states, 1 input, 1 output"));
  EXPECT_TRUE(contains(r.out, "an equilibrium"));
  EXPECT_TRUE(contains(r.out, "+-4.42945i"));  // sqrt(g / l)
  EXPECT_TRUE(contains(r.out, "0.704968"));    // Hz
  EXPECT_TRUE(contains(r.out, "der(A.velocity)"));
  EXPECT_TRUE(contains(last_line(r.err), "next: mechfmu linearize"));
}

TEST(LinearizeCommand, SaysWhenItIsNoEquilibrium) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHinge);
  const RunResult r = run_mechfmu({"linearize", file});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_TRUE(contains(r.out, "NOT an equilibrium: |acceleration| is up to 19.62 rad/s2"));
  auto json = read_json(run_mechfmu({"linearize", file, "--json"}).out);
  EXPECT_EQ("false", json["operating_point.equilibrium"]);
  EXPECT_EQ("1", json["A.0.1"]);
  EXPECT_EQ("-19.62", json["states.1.rate"]);
}

TEST(LinearizeCommand, ValuesAndTimesAreThoseOfTheOptions) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHanging);
  auto json = read_json(run_mechfmu({"linearize", file, "--set", "length=250 mm", "--json"}).out);
  EXPECT_NEAR(-9.81 / 0.25, std::stod(json["A.1.0"]), 1e-10);
  EXPECT_NEAR(1 / (0.25 * 0.25), std::stod(json["B.1.0"]), 1e-10);
  // held by a torque at 30 degrees: cos(30 deg) of the stiffness is left
  json = read_json(run_mechfmu({"linearize", file, "--start-value", "start.A.position=30 deg",
                                "--start-value", "tau=2.4525", "--json"})
                       .out);
  EXPECT_EQ("true", json["operating_point.equilibrium"]);
  EXPECT_NEAR(-19.62 * std::sqrt(0.75), std::stod(json["A.1.0"]), 1e-6);
  // it stays there
  json = read_json(run_mechfmu({"linearize", file, "--start-value", "start.A.position=30 deg",
                                "--start-value", "tau=2.4525", "--at", "0.3", "--json"})
                       .out);
  EXPECT_EQ("0.3", json["time"]);
  EXPECT_NEAR(-19.62 * std::sqrt(0.75), std::stod(json["A.1.0"]), 1e-6);
}

// Whatever the file asks for, states have the names of joints, unless the command insists.
TEST(LinearizeCommand, StatesAreJointCoordinates) {
  const TestFolder folder;
  std::string text = read_text(example("four_bar"));
  text.insert(text.find("scheme=\"projection\""), "coordinates=\"absolute\" ");
  const std::string file = folder.write("f.xml", text);
  auto json = read_json(run_mechfmu({"linearize", file, "--json"}).out);
  EXPECT_EQ("A.position", json["states.0.name"]);
  EXPECT_EQ("joint", json["formulation"]);
  json = read_json(run_mechfmu({"linearize", file, "--coordinates", "absolute", "--json"}).out);
  EXPECT_EQ("absolute", json["formulation"]);
}

TEST(LinearizeCommand, WritesFilesForMatlabPythonAndTables) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHanging);
  for (const char* name : {"x.m", "x.json", "x.csv"}) {
    const RunResult r = run_mechfmu({"linearize", file, "--output-file", folder / name});
    EXPECT_EQ(0, r.exit_code) << r.err;
    EXPECT_TRUE(contains(r.err, std::string("wrote ") + (folder / name)));
  }
  const std::string script = read_text(folder / "x.m");
  EXPECT_TRUE(contains(script, "A = [\n  0, 1;\n  -19.62, 0;\n];\n"));
  EXPECT_TRUE(contains(script, "B = [\n  0;\n  4;\n];\n"));
  EXPECT_TRUE(contains(script, "state_names = {'A.position'; 'A.velocity'};\n"));
  EXPECT_EQ("4", read_json(read_text(folder / "x.json"))["B.1.0"]);
  EXPECT_EQ(
      ",A.position,A.velocity,tau\nder(A.position),0,1,0\nder(A.velocity),-19.62,0,4\nangle,1,0,"
      "0\n",
      read_text(folder / "x.csv"));
}

TEST(LinearizeCommand, FmusGiveTheSameAsTheirMechanism) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHanging);
  const std::string with = folder / "with.fmu", without = folder / "without.fmu";
  ASSERT_EQ(0, run_mechfmu({"build", file, "-o", with, "--set", "length=0.25"}).exit_code);
  ASSERT_EQ(
      0,
      run_mechfmu({"build", file, "-o", without, "--set", "length=0.25", "--no-source"}).exit_code);
  for (const std::string& fmu : {with, without}) {
    const RunResult r = run_mechfmu({"linearize", fmu, "--json"});
    ASSERT_EQ(0, r.exit_code) << r.err;
    auto json = read_json(r.out);
    EXPECT_NEAR(-9.81 / 0.25, std::stod(json["A.1.0"]), 1e-10);
    EXPECT_NEAR(16, std::stod(json["B.1.0"]), 1e-10);
    EXPECT_EQ("1", json["C.0.0"]);
    EXPECT_NEAR(std::sqrt(9.81 / 0.25), std::stod(json["poles.0.imag"]), 1e-10);
  }
  EXPECT_EQ(2, run_mechfmu({"linearize", without, "--at", "1"}).exit_code);
  EXPECT_EQ(2, run_mechfmu({"linearize", with, "--set", "length=1"}).exit_code);
}

TEST(LinearizeCommand, WrongWordsGetTheNearestOnes) {
  const TestFolder folder;
  const std::string file = folder.write("a.xml", kHanging);
  const auto fails = [&](std::vector<std::string> options, int code, const std::string& text) {
    options.insert(options.begin(), {"linearize", file});
    const RunResult r = run_mechfmu(options);
    EXPECT_EQ(code, r.exit_code) << text;
    EXPECT_TRUE(contains(r.err, text));
    EXPECT_EQ("", r.out);
  };
  fails({"--states", "A.postion"}, 2, "did you mean 'A.position'?");
  fails({"--start-value", "taw=1"}, 2, "did you mean 'tau'?");
  fails({"--start-value", "angle=1"}, 2, "computed");
  fails({"--start-value", "tau=fast"}, 2, "E712");
  fails({"--at", "-1"}, 2, "before the start");
  fails({"--output-file", folder / "x.mat"}, 2, ".m, .json or .csv");
  fails({"--output-file", folder / "no/x.m"}, 5, "S610");
  EXPECT_EQ(1, run_mechfmu({"linearize", folder / "none.xml"}).exit_code);
}

TEST(LinearizeCommand, ASingularPoseStopsIt) {
  const TestFolder folder;
  // a parallelogram on one line
  const std::string file = folder.write("flat.xml", R"(<mechanism name="Flat">
    <ground><frame name="D" xyz="1 0 0"/></ground>
    <body name="a"><point mass="1"/><inertial mass="1" inertia="1 1 1"/><frame name="tip" xyz="0.3 0 0"/></body>
    <body name="b"><inertial mass="1" inertia="1 1 1"/><frame name="tip" xyz="1 0 0"/></body>
    <body name="c"><inertial mass="1" inertia="1 1 1"/><frame name="tip" xyz="0.3 0 0"/></body>
    <joint name="A" type="revolute" parent="ground" child="a" axis="0 0 1"><start position="0" fixed="true"/></joint>
    <joint name="B" type="revolute" parent="a.tip" child="b" axis="0 0 1"><start position="0"/></joint>
    <joint name="D" type="revolute" parent="ground.D" child="c" axis="0 0 1"><start position="0"/></joint>
    <joint name="C" type="revolute" parent="b.tip" child="c.tip" axis="0 0 1"/></mechanism>)");
  const RunResult r = run_mechfmu({"linearize", file, "--output-file", folder / "x.m"});
  EXPECT_EQ(3, r.exit_code);
  EXPECT_TRUE(contains(r.err, "E311"));
  EXPECT_FALSE(std::filesystem::exists(folder / "x.m"));
}

TEST(LinearizeCommand, HelpBeginsWithExamples) {
  const RunResult r = run_mechfmu({"linearize", "--help"});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_TRUE(contains(r.out, "  mechfmu linearize four_bar.xml --start-value tau=0.1\n"));
}

}  // namespace
}  // namespace mechfmu::test
