// The schema: up to date in the tree, and of one mind with the reader about the examples.
// Reference: libxml2's xmllint.
#include "readers/xsd.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "readers/messages.hpp"

namespace mechfmu {
namespace {

const std::filesystem::path kProject = MECHFMU_PROJECT_DIR;

std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> example_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(kProject / "resources/examples"))
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

int run(const std::string& command) {
  const int status = std::system((command + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool validates(const std::filesystem::path& file) {
  return run("xmllint --nonet --noout --schema '" +
             (kProject / "resources/schema/mechanism.xsd").string() + "' '" + file.string() +
             "'") == 0;
}

class Schema : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run("xmllint --version") != 0) GTEST_SKIP() << "xmllint is not installed";
  }
  // The schema's word on a text.
  static bool accepts(const std::string& text) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("mechfmu_xsd_" + std::to_string(::getpid()) + ".xml");
    std::ofstream(file, std::ios::binary) << text;
    const bool good = validates(file);
    std::filesystem::remove(file);
    return good;
  }
};

TEST(SchemaFile, IsUpToDate) {
  EXPECT_EQ(read_text(kProject / "resources/schema/mechanism.xsd"), make_schema())
      << "run: mechfmu schema > resources/schema/mechanism.xsd";
}

TEST(SchemaFile, ExamplesAreMechanisms) {
  const std::vector<std::filesystem::path> files = example_files();
  EXPECT_FALSE(files.empty());
  for (const std::filesystem::path& file : files)
    EXPECT_EQ(test::messages_in(file.parent_path().string(), read_text(file)), "") << file;
}

TEST_F(Schema, AcceptsTheExamples) {
  for (const std::filesystem::path& file : example_files()) EXPECT_TRUE(validates(file)) << file;
}

TEST_F(Schema, AcceptsTheRootAttributesOfXmlEditors) {
  EXPECT_TRUE(
      accepts("<mechanism name=\"M\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
              "xsi:noNamespaceSchemaLocation=\"mechanism.xsd\"/>"));
}

TEST_F(Schema, RefusesWhatTheReaderRefuses) {
  for (const char* part :
       {"<paramter name=\"a\" value=\"1\"/>", "<parameter name=\"a\" valeu=\"1\"/>",
        "<parameter value=\"1\"/>", "<parameter name=\"a b\" value=\"1\"/>",
        "<frame name=\"tip\"/>", "<ground>text</ground>",
        "<joint name=\"K\" type=\"revolut\" parent=\"ground\" child=\"link\"/>",
        "<solve scheme=\"baumgrate\"/>", "<solve start=\"later\"/>",
        "<body name=\"b\"><inertial/></body>",
        "<joint name=\"K\" type=\"fixed\" parent=\"a.b.c\" child=\"link\"/>",
        "<drive joint=\"J\" position=\"time\"/>", "<holonomic name=\"h\"/>",
        "<table name=\"t\" x=\"0 1\" y=\"0 1\" interpolation=\"spline\"/>",
        "<coordinate name=\"x\" mass=\"1\"/>", "<equations name=\"E\"/>"}) {
    EXPECT_TRUE(accepts(test::with_link("")));
    EXPECT_FALSE(accepts(test::with_link(part))) << part;
    EXPECT_NE(test::messages(test::with_link(part)), "") << part;
  }
}

}  // namespace
}  // namespace mechfmu
