// The output appears complete or not at all. Reference: output_file.hpp; the faults are made with
// the means of the operating system (limits, modes, devices).
#include "build/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    folder_ = TemporaryFolder::make(diagnostics);
    ASSERT_TRUE(folder_);
    path_ = folder_->path() + "/a.fmu";
  }
  [[nodiscard]] std::size_t count_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_->path()), {}));
  }
  static std::string fault_of(const std::string& path) {
    Diagnostics diagnostics;
    if (write_output(path, "text", diagnostics) || diagnostics.error_count() != 1) return {};
    return diagnostics.all().front().code;
  }
  std::unique_ptr<TemporaryFolder> folder_;
  std::string path_;
};

TEST_F(OutputFile, IsWrittenAndReplacesAnOldOne) {
  Diagnostics diagnostics;
  for (const char* text : {"first", "second, longer"}) {
    ASSERT_TRUE(write_output(path_, text, diagnostics));
    std::string content;
    EXPECT_EQ(read_file(path_, 100, content), "");
    EXPECT_EQ(content, text);
  }
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(OutputFile, CanBeReadByOthersAsTheUmaskAllows) {
  const mode_t before = umask(027);
  Diagnostics diagnostics;
  ASSERT_TRUE(write_output(path_, "x", diagnostics));
  umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(path_).permissions()), 0640u);
}

TEST_F(OutputFile, FolderDoesNotExist) {
  EXPECT_EQ(fault_of(folder_->path() + "/none/a.fmu"), "S610");
}

TEST_F(OutputFile, FolderIsAFile) {
  ASSERT_EQ(write_file(path_, "x", IfExists::fail), "");
  EXPECT_EQ(fault_of(path_ + "/b.fmu"), "S610");
}

TEST_F(OutputFile, NameIsAFolderOrNothing) {
  EXPECT_EQ(fault_of(folder_->path()), "S610");
  EXPECT_EQ(fault_of(folder_->path() + "/"), "S610");
  EXPECT_EQ(fault_of(""), "S610");
}

TEST_F(OutputFile, DeviceIsNotReplaced) {
  EXPECT_EQ(fault_of("/dev/null"), "S610");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFile, FolderIsNotWritable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_->path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(fault_of(path_), "S610");
  fs::permissions(folder_->path(), fs::perms::owner_all);
}

TEST_F(OutputFile, FileSizeLimitLeavesTheOldFileAndNothingElse) {
  ASSERT_EQ(write_file(path_, "old", IfExists::fail), "");
  const pid_t child = fork();  // the limit must not hit the test itself
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit limit = {1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Diagnostics diagnostics;
    const bool is_written = write_output(path_, std::string(100'000, 'x'), diagnostics);
    const bool is_reported =
        diagnostics.error_count() == 1 && diagnostics.all().front().code == "S610";
    _exit(!is_written && is_reported ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));  // not killed by SIGXFSZ
  EXPECT_EQ(WEXITSTATUS(status), 0);
  std::string content;
  EXPECT_EQ(read_file(path_, 100, content), "");
  EXPECT_EQ(content, "old");
  EXPECT_EQ(count_files(), 1u);
}

TEST(WriteFile, FullDiskIsReported) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  EXPECT_EQ(write_file("/dev/full", "x", IfExists::replace), error_text(ENOSPC));
  EXPECT_TRUE(fs::exists("/dev/full"));  // what was not ours to make is not ours to remove
}

TEST(WriteFile, NeverFollowsALinkThatSomebodyPutThere) {
  Diagnostics diagnostics;
  const auto folder = TemporaryFolder::make(diagnostics);
  const std::string victim = folder->path() + "/victim";
  const std::string link = folder->path() + "/link";
  ASSERT_EQ(write_file(victim, "precious", IfExists::fail), "");
  fs::create_symlink(victim, link);
  EXPECT_NE(write_file(link, "x", IfExists::fail), "");
  std::string content;
  EXPECT_EQ(read_file(victim, 100, content), "");
  EXPECT_EQ(content, "precious");
}

TEST(ReadFile, FileAboveTheLimitIsRefused) {
  Diagnostics diagnostics;
  const auto folder = TemporaryFolder::make(diagnostics);
  ASSERT_EQ(write_file(folder->path() + "/f", "12345", IfExists::fail), "");
  std::string content;
  EXPECT_EQ(read_file(folder->path() + "/f", 5, content), "");
  EXPECT_NE(read_file(folder->path() + "/f", 4, content), "");
}

}  // namespace
}  // namespace mechfmu
