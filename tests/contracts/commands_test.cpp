// Every command that the README and the help show does what it says, as it stands, in a folder
// where the files are that it speaks of. Reference: exit code 0.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/mechanism_run.hpp"
#include "support/run_program.hpp"
#include "support/test_folder.hpp"

namespace mechfmu::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A tour's folder, in which commands are typed into a shell.
class Commands : public ::testing::Test {
 protected:
  Commands() {
    const fs::path project = MECHFMU_PROJECT_DIR, here = folder_.path();
    const fs::path example = "resources/examples/four_bar";
    fs::create_directories(here / example);
    fs::copy(project / example / "four_bar.xml", here / example / "four_bar.xml");
    fs::copy(project / example / "four_bar.xml", here / "four_bar.xml");
    fs::copy(project / "tests/data/ur5.urdf", here / "robot.urdf");
    write("torque.csv", "time,tau\n0,0\n10,0.1\n");
    write("arm.xml", R"xml(<mechanism name="Arm" gravity="0 -9.81 0">
      <body name="upper"><rod length="0.5" mass="2" axis="1 0 0" com="0.25 0 0"/><frame name="tip" xyz="0.5 0 0"/></body>
      <body name="lower"><rod length="0.4" mass="1" axis="1 0 0" com="0.2 0 0"/></body>
      <joint name="A" type="revolute" parent="ground" child="upper"><start position="0.3" fixed="true"/></joint>
      <joint name="B" type="revolute" parent="upper.tip" child="lower"><start position="0.4" fixed="true"/></joint>
      <input name="tau1" unit="N.m"/><force name="m1" type="joint_torque" joint="A" value="tau1"/>
      <input name="tau2" unit="N.m"/><force name="m2" type="joint_torque" joint="B" value="tau2"/>
      </mechanism>)xml");
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  void run(const std::string& line) {
    test::RunOptions options;
    options.folder = folder_.path();
    const std::string programs = fs::path(MECHFMU_PROGRAM).parent_path().string();
    options.environment = {{"PATH", programs + ":" + std::getenv("PATH")}};
    const test::RunResult result =
        test::run_command({"/bin/bash", "-o", "pipefail", "-c", line}, options);
    EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.err;
  }
  // What was made by commands before, under the other names that examples use.
  void make_files_of_the_help() {
    run("mechfmu build four_bar.xml -q && mechfmu simulate FourBar.fmu -q --output-file "
        "result.csv");
    run("cp FourBar.fmu Other.fmu; cp result.csv before.csv; cp result.csv after.csv");
    run("mechfmu new --coupled loop -q; cp loop/cart_pendulum.ssp system.ssp; cp -r loop/resources "
        ".; cp loop/SystemStructure.ssd system.ssd");
    run("mkdir -p ~/.config/fish/completions 2>/dev/null || true");
  }
  test::TestFolder folder_;
};

TEST_F(Commands, OfTheReadmeWorkInItsOrder) {
  bool is_code = false;
  int count = 0;
  for (const std::string& line : lines_of(read_project_file("README.md"))) {
    if (line.starts_with("```")) is_code = !is_code;
    // the overview of all commands has holes
    const bool has_holes =
        line.find("FILE") != std::string::npos || line.find("[NAME]") != std::string::npos ||
        line.find('|') != std::string::npos || line.find("SYSTEM") != std::string::npos;
    if (!is_code || !line.starts_with("mechfmu ") || has_holes) continue;
    run(line);
    ++count;
  }
  EXPECT_GT(count, 12);
}

TEST_F(Commands, OfTheHelpWork) {
  make_files_of_the_help();
  const test::RunResult help = test::run_mechfmu({"--help"});
  ASSERT_EQ(help.exit_code, 0);
  const test::RunResult script = test::run_mechfmu({"completion", "bash"});
  const std::size_t begin = script.out.find("elif [[ -z $command ]]");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t from = script.out.find("words=\"", begin) + 7;
  std::stringstream names(script.out.substr(from, script.out.find('"', from) - from));
  int commands = 0;
  for (std::string name; names >> name; ++commands) {
    const test::RunResult text = test::run_mechfmu({name, "--help"});
    EXPECT_EQ(text.exit_code, 0);
    std::vector<std::string> examples;
    for (const std::string& line : lines_of(text.out)) {
      if (line.empty() && !examples.empty()) break;  // they stand at the top
      const std::size_t at = line.find_first_not_of(' ');
      const std::string words = at == std::string::npos ? "" : line.substr(at);
      if (words.starts_with("mechfmu ") || words.starts_with("source ") ||
          words.starts_with("xmllint "))
        examples.push_back(line.substr(at));
    }
    EXPECT_GE(examples.size(), 2u) << name << "\n" << text.out;
    for (const std::string& example : examples) {
      // what goes to a reader's own folders, or needs a terminal's pager, is not typed here
      if (example.find('~') != std::string::npos || example.find("man -l") != std::string::npos ||
          example.starts_with("xmllint"))
        continue;
      run(example);
    }
  }
  EXPECT_GE(commands, 20);
}

}  // namespace
}  // namespace mechfmu::testing
