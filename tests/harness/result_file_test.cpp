// Reference: a result is there completely or what was there before is.
#include "harness/result_file.hpp"

#include <gtest/gtest.h>

#include "probe.hpp"

namespace mechfmu::test {
namespace {

TEST(ResultFile, AppearsWhenItIsCommitted) {
  const TestFolder folder;
  Diagnostics diagnostics;
  const auto file = ResultFile::open(folder / "a.csv", diagnostics);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->write("one\n"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.csv"));
  EXPECT_TRUE(file->commit(diagnostics));
  EXPECT_EQ("one\n", read_text(folder / "a.csv"));
  EXPECT_EQ(std::vector<std::string>{"a.csv"}, folder.list());
}

TEST(ResultFile, WithoutCommitWhatWasThereStays) {
  const TestFolder folder;
  folder.write("a.csv", "old");
  Diagnostics diagnostics;
  {
    const auto file = ResultFile::open(folder / "a.csv", diagnostics);
    ASSERT_TRUE(file);
    file->write("new");
  }
  EXPECT_EQ("old", read_text(folder / "a.csv"));
  EXPECT_EQ(std::vector<std::string>{"a.csv"}, folder.list());
}

TEST(ResultFile, ALinkKeepsPointing) {
  const TestFolder folder;
  folder.write("data/a.csv", "old");
  std::filesystem::create_symlink(folder / "data/a.csv", folder / "link.csv");
  Diagnostics diagnostics;
  const auto file = ResultFile::open(folder / "link.csv", diagnostics);
  ASSERT_TRUE(file);
  file->write("new");
  ASSERT_TRUE(file->commit(diagnostics));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.csv"));
  EXPECT_EQ("new", read_text(folder / "data/a.csv"));
}

TEST(ResultFile, AFolderOrAMissingFolderIsRefused) {
  const TestFolder folder;
  Diagnostics diagnostics;
  EXPECT_FALSE(ResultFile::open(folder.path(), diagnostics));
  EXPECT_FALSE(ResultFile::open(folder / "no/such/a.csv", diagnostics));
  EXPECT_EQ(2, diagnostics.error_count());
  EXPECT_TRUE(folder.list().empty());
}

TEST(ResultFile, AFullDiskIsAnError) {
  Diagnostics diagnostics;
  const auto file = ResultFile::open("/dev/full", diagnostics);
  ASSERT_TRUE(file);
  file->write("text");
  EXPECT_FALSE(file->commit(diagnostics));
  EXPECT_NE(std::string::npos, all_text(diagnostics).find("No space left"));
}

}  // namespace
}  // namespace mechfmu::test
