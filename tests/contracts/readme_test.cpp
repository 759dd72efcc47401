// What the README shows is what the program says, and what it points to is there.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "support/mechanism_run.hpp"
#include "support/run_program.hpp"

namespace mechfmu::testing {
namespace {

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, by);) parts.push_back(part);
  return parts;
}

// Residuals at the level of rounding differ from processor to processor.
std::string without_rounding(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9.]+e-1[0-9]"), "~0");
}

// Blocks that begin with "$ mechfmu ..." show a command and, below it, everything it writes to
// stdout.
TEST(Readme, ShowsRealOutput) {
  int found = 0;
  std::vector<std::string> command;
  std::string shown;
  for (const std::string& line : split(read_project_file("README.md"), '\n')) {
    if (line.starts_with("$ mechfmu ")) {
      command = split(line.substr(10), ' ');
      shown.clear();
    } else if (line.starts_with("```")) {
      if (!command.empty()) {
        test::RunOptions options;
        options.folder = MECHFMU_PROJECT_DIR;
        const test::RunResult run = test::run_mechfmu(command, options);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(without_rounding(run.out), without_rounding(shown));
        ++found;
      }
      command.clear();
    } else if (!command.empty()) {
      shown += line + "\n";
    }
  }
  EXPECT_GE(found, 1);
}

TEST(Readme, LinksLeadSomewhere) {
  const std::string text = read_project_file("README.md");
  int found = 0;
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
    const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
    if (target.find_first_of(" &") != std::string::npos) continue;  // a lambda in a code example
    EXPECT_TRUE(std::filesystem::exists(std::string(MECHFMU_PROJECT_DIR) + "/" + target)) << target;
    ++found;
  }
  EXPECT_GE(found, 5);
}

TEST(Readme, MechanismOfTheTourIsValid) {
  const std::string text = read_project_file("README.md");
  const std::size_t begin = text.find("<mechanism"), end = text.find("</mechanism>");
  ASSERT_NE(end, std::string::npos);
  MechanismRun run(text.substr(begin, end + 12 - begin));
  run.initialize();
  run.advance(0.1);
  // Reference: at rest at 120 degrees the rod begins to fall, away from the top
  EXPECT_LT(run.get("pin.position"), 120 * 3.14159265358979323846 / 180);
}

// Reference: a skate whose mass is over its edge goes round in a circle of radius v / a'.
TEST(Readme, EquationsOfTheTourAreValid) {
  const std::string text = read_project_file("README.md");
  const std::size_t begin = text.find("<equations"), end = text.find("</equations>");
  ASSERT_NE(end, std::string::npos);
  MechanismRun run(text.substr(begin, end + 12 - begin));
  run.initialize();
  run.advance(2);
  EXPECT_NEAR(run.get("x"), 2 * std::sin(1), 1e-9);
  EXPECT_NEAR(run.get("y"), 2 * (1 - std::cos(1)), 1e-9);
  EXPECT_NEAR(run.get("side_force"), -1, 1e-9);  // on the left: m v a' to the centre
}

TEST(Documentation, HasAPageForEveryScheme) {
  for (const SchemeType& scheme : scheme_types()) {
    const std::string page =
        read_project_file("resources/docs/schemes/" + std::string(scheme.id) + ".md");
    for (const char* part :
         {"order", "cost per step", "spectral radius", "**Choose it:**", "| four-bar |"})
      EXPECT_NE(page.find(part), std::string::npos) << scheme.id << ": " << part;
  }
}

// Each folder of an example is documentation first: drawing, file, text, expected result.
TEST(Examples, AreComplete) {
  const std::vector<std::string> names = example_names();
  for (const std::string& name : names)
    for (const std::string& file : {name + ".xml", std::string("README.md"),
                                    std::string("drawing.svg"), std::string("expected.csv")})
      EXPECT_TRUE(std::filesystem::exists(std::string(MECHFMU_PROJECT_DIR) +
                                          "/resources/examples/" + name + "/" + file))
          << name << "/" << file;
  EXPECT_GE(names.size(), 29u);
}

}  // namespace
}  // namespace mechfmu::testing
