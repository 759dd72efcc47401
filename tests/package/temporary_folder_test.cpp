// Nothing is left behind. Reference: temporary_folder.hpp and interrupt.hpp; the interrupted
// program is a forked child.
#include "package/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "package/file_io.hpp"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsPrivateAndGoneAfterwardsWithEverythingInIt) {
  Diagnostics diagnostics;
  std::string path;
  {
    const auto folder = TemporaryFolder::make(diagnostics);
    ASSERT_TRUE(folder);
    path = folder->path();
    struct stat status {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    EXPECT_TRUE(fs::path(path).is_absolute());
    ASSERT_EQ(make_folders(path + "/a/b/c"), "");
    for (int i = 0; i < 300; ++i)  // more than one reading of the directory
      ASSERT_EQ(write_file(path + "/a/b/a_rather_long_file_name_" + std::to_string(i), "x",
                           IfExists::fail),
                "");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, TwoAtATimeAreDifferent) {
  Diagnostics diagnostics;
  const auto a = TemporaryFolder::make(diagnostics);
  const auto b = TemporaryFolder::make(diagnostics);
  EXPECT_NE(a->path(), b->path());
}

TEST(TemporaryFolder, LinksInItAreRemovedButNotFollowed) {
  Diagnostics diagnostics;
  const auto outside = TemporaryFolder::make(diagnostics);
  ASSERT_EQ(write_file(outside->path() + "/precious", "x", IfExists::fail), "");
  {
    const auto folder = TemporaryFolder::make(diagnostics);
    fs::create_directory_symlink(outside->path(), folder->path() + "/link");
  }
  EXPECT_TRUE(fs::exists(outside->path() + "/precious"));
}

TEST(TemporaryFolder, PlaceThatDoesNotExistIsReported) {
  const char* before = getenv("TMPDIR");
  const std::string saved = before != nullptr ? before : "";
  setenv("TMPDIR", "/nonexistent/place", 1);
  Diagnostics diagnostics;
  EXPECT_EQ(TemporaryFolder::make(diagnostics), nullptr);
  if (before != nullptr)
    setenv("TMPDIR", saved.c_str(), 1);
  else
    unsetenv("TMPDIR");
  ASSERT_EQ(diagnostics.error_count(), 1);
  EXPECT_EQ(diagnostics.all().front().code, "S611");
}

class Interrupt : public testing::TestWithParam<int> {};

TEST_P(Interrupt, RemovesTheFolderAndEndsTheProgramByTheSignal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
    Diagnostics diagnostics;
    const auto folder = TemporaryFolder::make(diagnostics);
    make_folders(folder->path() + "/inner");
    write_file(folder->path() + "/inner/file", "x", IfExists::fail);
    const RemovedPath partial(folder->path() + ".part");
    write_file(partial.path(), "x", IfExists::fail);
    const std::string text = folder->path() + "\n";
    if (write(ends[1], text.data(), text.size()) < 0) _exit(2);
    while (true) pause();
  }
  close(ends[1]);
  std::string path;
  for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) path += c;
  close(ends[0]);
  EXPECT_TRUE(fs::exists(path + "/inner/file"));
  EXPECT_TRUE(fs::exists(path + ".part"));
  kill(child, GetParam());
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), GetParam());
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(path + ".part"));
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(RemovedPath, KeptFileStays) {
  Diagnostics diagnostics;
  const auto folder = TemporaryFolder::make(diagnostics);
  const std::string path = folder->path() + "/file";
  ASSERT_EQ(write_file(path, "x", IfExists::fail), "");
  {
    RemovedPath removed(path);
    removed.keep();
  }
  EXPECT_TRUE(fs::exists(path));
  { const RemovedPath removed(path); }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace mechfmu
