// convert as a user runs it: URDF to a mechanism that simulates, normal forms, and what is refused.
#include <cmath>
#include <filesystem>

#include "program.hpp"

namespace mechfmu::test {
namespace {

const std::string kRobot = R"(<robot name="swing"><link name="base"/>
<link name="arm"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
<joint name="hip" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/></joint>
</robot>)";

TEST(ConvertCommand, RobotsBecomeMechanisms) {
  const TestFolder folder;
  const std::string urdf = folder.write("swing.urdf", kRobot), out = folder / "swing.xml";
  const RunResult r = run_mechfmu({"convert", urdf, out});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_EQ("wrote " + out + "; next: mechfmu check " + out, last_line(r.err));
  EXPECT_EQ("", r.out);
  EXPECT_EQ(0, run_mechfmu({"check", out}).exit_code);
  // hangs down, w^2 = m g l / (J + m l^2)
  auto json = read_json(run_mechfmu({"linearize", out, "--json"}).out);
  EXPECT_NEAR(std::sqrt(9.81 * 0.5 / 0.35), std::stod(json["poles.0.imag"]), 1e-9);
  // to the standard output, without stops
  const RunResult text = run_mechfmu({"convert", urdf, "--no-limits", "--prefix", "my_"});
  EXPECT_EQ(0, text.exit_code);
  EXPECT_TRUE(contains(text.out, "<joint name=\"my_hip\""));
  EXPECT_EQ(std::string::npos, text.out.find("joint_limit"));
}

TEST(ConvertCommand, AnImportIsTheSameRobot) {
  const TestFolder folder;
  folder.write("swing.urdf", kRobot);
  const std::string file = folder.write("m.xml", R"(<mechanism name="M">
  <import file="swing.urdf" prefix="a_"/>
  <input name="tau"/><force name="motor" type="joint_torque" joint="a_hip" value="tau"/>
  <output name="angle" value="a_hip.position"/></mechanism>)");
  auto json = read_json(run_mechfmu({"linearize", file, "--json"}).out);
  EXPECT_NEAR(std::sqrt(9.81 * 0.5 / 0.35), std::stod(json["poles.0.imag"]), 1e-9);
  EXPECT_NEAR(1 / 0.35, std::stod(json["B.1.0"]), 1e-9);
  // the normal form stands alone
  const TestFolder elsewhere;
  const std::string normal = elsewhere / "normal.xml";
  ASSERT_EQ(0, run_mechfmu({"convert", file, normal}).exit_code);
  EXPECT_EQ(std::string::npos, read_text(normal).find("import"));
  EXPECT_EQ(json["A.1.0"], read_json(run_mechfmu({"linearize", normal, "--json"}).out)["A.1.0"]);
  // an FMU carries the robot with it
  const std::string fmu = folder / "M.fmu";
  ASSERT_EQ(0, run_mechfmu({"build", file, "-o", fmu}).exit_code);
  std::filesystem::remove(folder / "swing.urdf");
  EXPECT_EQ(json["A.1.0"], read_json(run_mechfmu({"linearize", fmu, "--json"}).out)["A.1.0"]);
  EXPECT_EQ(1, run_mechfmu({"check", file}).exit_code);
}

TEST(ConvertCommand, NormalFormsOfTheSameFileAreTheSame) {
  const TestFolder folder;
  const std::string a = folder / "a.xml", b = folder / "b.xml";
  ASSERT_EQ(0, run_mechfmu({"convert", example("four_bar"), a}).exit_code);
  ASSERT_EQ(0, run_mechfmu({"convert", a, b}).exit_code);
  EXPECT_EQ(read_text(a), read_text(b));
  EXPECT_EQ(run_mechfmu({"check", example("four_bar")}).out, run_mechfmu({"check", a}).out);
}

TEST(ConvertCommand, WhatCannotBeConverted) {
  const TestFolder folder;
  const std::string file = folder.write("swing.urdf", kRobot);
  EXPECT_EQ(2, run_mechfmu({"convert", example("four_bar"), folder / "x.urdf"}).exit_code);
  EXPECT_EQ(2, run_mechfmu({"convert", file, "--base", "welded"}).exit_code);
  EXPECT_EQ(2, run_mechfmu({"convert", example("four_bar"), "--prefix", "a"}).exit_code);
  EXPECT_EQ(5, run_mechfmu({"convert", file, folder / "no/x.xml"}).exit_code);
  std::string broken = kRobot;
  broken.replace(broken.find("link=\"arm\""), 10, "link=\"amr\"");
  const RunResult r =
      run_mechfmu({"convert", folder.write("broken.urdf", broken), folder / "out.xml"});
  EXPECT_EQ(1, r.exit_code);
  EXPECT_TRUE(contains(r.err, "broken.urdf:3:1: error E144: joint 'hip': there is no link 'amr'"));
  EXPECT_TRUE(contains(r.err, "did you mean 'arm'?"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.xml"));
  // commands for mechanisms say what to do with a robot
  EXPECT_TRUE(contains(run_mechfmu({"check", file}).err, "mechfmu convert makes one of it"));
}

TEST(ConvertCommand, HelpBeginsWithExamples) {
  const RunResult r = run_mechfmu({"convert", "--help"});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_TRUE(contains(r.out, "  mechfmu convert robot.urdf robot.xml\n"));
}

}  // namespace
}  // namespace mechfmu::test
