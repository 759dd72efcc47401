// Writing archives. References: APPNOTE.TXT (the zip format), FMI 2.0 section 2.3 and hosts.md P4
// (which parts of it an FMU may use); the headers are read here byte by byte, not by the library
// that wrote them.
#include "package/archive.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"
#include "package/zip_bytes.hpp"

namespace mechfmu {
namespace {

using test::CentralHeader;
using test::read_central_headers;

std::vector<ArchiveFile> make_files() {
  return {{"modelDescription.xml", "<fmi/>"},
          {"binaries/linux64/A.so", std::string(5000, 'x'), true},
          {"binaries/linux64/B.so", "b", true},
          {"documentation/index.html", ""}};
}

TEST(MakeArchive, SameFilesGiveTheSameBytes) {
  EXPECT_EQ(make_archive(make_files()), make_archive(make_files()));
}

TEST(MakeArchive, KeepsTheOrderAndPutsEveryFolderBeforeItsFiles) {
  std::vector<std::string> names;
  for (const CentralHeader& header : read_central_headers(make_archive(make_files())))
    names.push_back(header.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"modelDescription.xml", "binaries/", "binaries/linux64/",
                                      "binaries/linux64/A.so", "binaries/linux64/B.so",
                                      "documentation/", "documentation/index.html"}));
}

TEST(MakeArchive, UsesOnlyWhatEveryImporterUnderstands) {
  const std::vector<CentralHeader> headers = read_central_headers(make_archive(make_files()));
  ASSERT_EQ(headers.size(), 7u);
  for (const CentralHeader& header : headers) {
    EXPECT_LE(header.version_needed, 20) << header.name;
    EXPECT_TRUE(header.method == 0 || header.method == 8) << header.name;
    EXPECT_EQ(header.flags & ~6, 0)
        << header.name;  // bits 1 and 2 tell the deflate level; no descriptor, no encryption
    EXPECT_EQ(header.time, 0) << header.name;
    EXPECT_EQ(header.date, 0x21) << header.name;  // 1980-01-01
    EXPECT_EQ(header.extra_size, 0) << header.name;
    EXPECT_EQ(header.comment_size, 0) << header.name;
    EXPECT_EQ(header.local_extra_size, 0) << header.name;
    EXPECT_EQ(header.local_flags, header.flags) << header.name;
    EXPECT_EQ(header.local_size, header.size)
        << header.name;  // there, not in a descriptor behind the data
  }
}

TEST(MakeArchive, LibrariesAreExecutableAndNothingElseIs) {
  for (const CentralHeader& header : read_central_headers(make_archive(make_files()))) {
    const unsigned mode = header.attributes >> 16;
    const unsigned expected = header.name.back() == '/'      ? 040755U
                              : header.name.ends_with(".so") ? 0100755U
                                                             : 0100644U;
    EXPECT_EQ(mode, expected) << header.name;
  }
}

TEST(MakeArchive, IsReadBackAsItWasWritten) {
  Diagnostics diagnostics;
  const auto folder = TemporaryFolder::make(diagnostics);
  const std::string path = folder->path() + "/a.fmu";
  ASSERT_EQ(write_file(path, make_archive(make_files()), IfExists::fail), "");
  const auto files = read_archive(path, diagnostics);
  ASSERT_TRUE(files) << diagnostics.all().front().message;
  ASSERT_EQ(files->size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*files)[i].name, make_files()[i].name);
    EXPECT_EQ((*files)[i].content, make_files()[i].content);
    EXPECT_EQ((*files)[i].executable, make_files()[i].executable);
  }
  EXPECT_EQ(read_archive_file(path, "binaries/linux64/B.so", diagnostics), "b");
}

TEST(MakeArchive, NamesThatNobodyMayUseAreOurMistakes) {
  for (const char* name : {"", "/a", "../a", "a/../b", "a//b", "./a", "a/", "a\\b", "C:/a", "a\nb"})
    EXPECT_THROW(make_archive({{name, "x"}}), std::logic_error) << name;
  EXPECT_THROW(make_archive({{"a", "1"}, {"a", "2"}}), std::logic_error);
}

}  // namespace
}  // namespace mechfmu
