// Error codes: every code that the sources use has a paragraph, and the page in the tree is the one
// the table makes.
#include "support/error_codes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace mechfmu {
namespace {

const std::filesystem::path kProject = MECHFMU_PROJECT_DIR;

std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Codes in string literals of the generator's sources, with one file that uses each.
std::map<std::string, std::string> used_codes() {
  std::map<std::string, std::string> codes;
  const std::regex literal("\"([EWSN][0-9]{3})\"");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kProject / "generator")) {
    const auto extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp") continue;
    const std::string text = read_text(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), literal), end; it != end; ++it)
      codes.emplace((*it)[1].str(), entry.path().filename().string());
  }
  return codes;
}

TEST(ErrorCodes, EveryCodeInTheSourcesHasAParagraph) {
  const std::map<std::string, std::string> used = used_codes();
  EXPECT_GT(used.size(), 50U);
  for (const auto& [code, file] : used)
    EXPECT_NE(find_error_code(code), nullptr)
        << code << " in " << file << " has no row in error_codes.def";
}

TEST(ErrorCodes, AreUniqueAndExplained) {
  std::set<std::string_view> seen;
  const std::regex form("[EWSN][0-9]{3}");
  for (const ErrorCode& code : error_codes()) {
    EXPECT_TRUE(seen.insert(code.code).second) << code.code;
    EXPECT_TRUE(std::regex_match(std::string(code.code), form)) << code.code;
    EXPECT_FALSE(code.title.empty()) << code.code;
    EXPECT_GE(code.paragraph.size(), 20U) << code.code;
    EXPECT_EQ(code.paragraph.back(), '.') << code.code;
    for (const char c : code.paragraph) EXPECT_TRUE(c >= ' ' && c <= '~') << code.code;
  }
}

TEST(ErrorCodes, AreFoundInEitherCase) {
  ASSERT_NE(find_error_code("e203"), nullptr);
  EXPECT_EQ(find_error_code("e203"), find_error_code("E203"));
  EXPECT_EQ(find_error_code("E999"), nullptr);
  EXPECT_EQ(find_error_code(""), nullptr);
}

TEST(ErrorPage, IsUpToDate) {
  EXPECT_EQ(read_text(kProject / "resources/docs/errors.md"), make_error_page());
}

}  // namespace
}  // namespace mechfmu
