// read_file(): what it refuses before anything is parsed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "readers/xml_reader.hpp"

namespace mechfmu {
namespace {

class ReadFile : public ::testing::Test {
 protected:
  ReadFile()
      : folder_(std::filesystem::temp_directory_path() /
                ("mechfmu_read_file_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ReadFile() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string write(const std::string& name, const std::string& content) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  static std::string complaint(const std::string& path, std::size_t limit = kMaxFileSize) {
    Diagnostics diagnostics;
    const bool read = read_file(path, diagnostics, limit).has_value();
    EXPECT_NE(read, diagnostics.has_errors());
    return read ? "" : render(diagnostics.all().at(0), "file");
  }

  std::filesystem::path folder_;
};

TEST_F(ReadFile, KeepsEveryByte) {
  Diagnostics diagnostics;
  const std::string content("<a>\r\n\xC3\xA4\0</a>", 13);
  const std::optional<SourceText> source = read_file(write("a.xml", content), diagnostics);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->content(), content);
}

TEST_F(ReadFile, RefusesAFileThatIsNotThere) {
  EXPECT_EQ(complaint((folder_ / "none.xml").string()),
            "file: error E101: the file cannot be opened: No such file or directory\n");
}

TEST_F(ReadFile, RefusesAFolder) {
  EXPECT_EQ(
      complaint(folder_.string()),
      "file: error E101: this is a folder, not a file\n   hint: name the mechanism file in it\n");
}

TEST_F(ReadFile, RefusesAnEmptyFile) {
  const std::string expected =
      "file: error E102: the file is empty\n"
      "   hint: 'mechfmu new' writes a mechanism to start from\n";
  EXPECT_EQ(complaint(write("a.xml", "")), expected);
  EXPECT_EQ(complaint(write("b.xml", " \r\n\t\n")), expected);
}

TEST_F(ReadFile, RefusesAFileAboveTheLimitAndTakesOneAtIt) {
  const std::string path = write("a.xml", std::string(1000, 'x'));
  EXPECT_EQ(complaint(path, 1000), "");
  EXPECT_EQ(complaint(path, 999),
            "file: error E103: the file is larger than 999 bytes\n"
            "   hint: a mechanism file holds text only; is this the right file?\n");
}

// A sparse file of a terabyte: if it were read first, this test would not end.
TEST_F(ReadFile, AsksTheSizeBeforeReading) {
  const std::string path = write("a.xml", "x");
  std::error_code failed;
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40U, failed);
  if (failed) GTEST_SKIP() << "no sparse files here: " << failed.message();
  EXPECT_EQ(complaint(path),
            "file: error E103: the file is larger than 16 MiB\n"
            "   hint: a mechanism file holds text only; is this the right file?\n");
}

TEST_F(ReadFile, StopsReadingADeviceWithoutEnd) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  EXPECT_EQ(complaint("/dev/zero", 4096).substr(0, 54),
            "file: error E103: the file is larger than 4096 bytes\n ");
}

}  // namespace
}  // namespace mechfmu
