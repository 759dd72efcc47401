// Reading archives that somebody made to hurt. Reference: the promise in archive.hpp; every test is
// named after the attack or the damage, and nothing may appear outside the given folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "package/archive.hpp"
#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"
#include "package/zip_bytes.hpp"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;
using test::make_raw_zip;
using test::RawEntry;

std::string deflate_raw(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

unsigned crc_of(const std::string& text) {
  return static_cast<unsigned>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

class ArchiveReader : public testing::Test {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    folder_ = TemporaryFolder::make(diagnostics);
    ASSERT_TRUE(folder_);
  }

  std::string write(const std::string& zip) {
    const std::string path = folder_->path() + "/a.fmu";
    EXPECT_EQ(write_file(path, zip, IfExists::replace), "");
    return path;
  }

  // The code with which both ways of reading refuse the archive; "" if either accepts it.
  std::string refusal(const std::string& zip, const ArchiveLimits& limits = {}) {
    const std::string path = write(zip);
    const std::string target = folder_->path() + "/deep/target";
    Diagnostics reading;
    Diagnostics extracting;
    const bool is_read = read_archive(path, reading, limits).has_value();
    const bool is_extracted = extract_archive(path, target, extracting, limits);
    std::size_t outside = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_->path())) {
      const std::string name = entry.path().string();
      if (name != path && name != folder_->path() + "/deep" && !name.starts_with(target)) ++outside;
    }
    EXPECT_EQ(outside, 0u);
    fs::remove_all(folder_->path() + "/deep");
    if (is_read || is_extracted || reading.all().empty() || extracting.all().empty()) return "";
    EXPECT_EQ(reading.all().front().code, extracting.all().front().code);
    return reading.all().front().code;
  }

  std::unique_ptr<TemporaryFolder> folder_;
};

TEST_F(ArchiveReader, SoundArchiveIsUnpackedWithContentAndModes) {
  const std::string path =
      write(make_archive({{"x/y/lib.so", "code", true}, {"x/readme", "text"}}));
  const std::string target = folder_->path() + "/target";
  Diagnostics diagnostics;
  ASSERT_TRUE(extract_archive(path, target, diagnostics));
  std::string content;
  EXPECT_EQ(read_file(target + "/x/y/lib.so", 100, content), "");
  EXPECT_EQ(content, "code");
  const auto executable = [&](const char* name) {
    return (fs::status(target + name).permissions() & fs::perms::owner_exec) != fs::perms::none;
  };
  EXPECT_TRUE(executable("/x/y/lib.so"));
  EXPECT_FALSE(executable("/x/readme"));
}

TEST_F(ArchiveReader, ArchiveWithoutFolderEntriesIsUnpackedToo) {
  const std::string path = write(make_raw_zip({{"a/b/c", "1"}}));
  Diagnostics diagnostics;
  ASSERT_TRUE(extract_archive(path, folder_->path() + "/target", diagnostics));
  EXPECT_TRUE(fs::exists(folder_->path() + "/target/a/b/c"));
}

TEST_F(ArchiveReader, NameClimbsOutOfTheFolder) {
  for (const char* name : {"../evil", "a/../../evil", "a/..", ".."})
    EXPECT_EQ(refusal(make_raw_zip({{name, "x"}})), "E602") << name;
}

TEST_F(ArchiveReader, NameIsAbsolute) {
  for (const char* name : {"/tmp/evil", "C:/evil", "C:evil", "\\\\host\\evil", "..\\evil"})
    EXPECT_EQ(refusal(make_raw_zip({{name, "x"}})), "E602") << name;
}

TEST_F(ArchiveReader, NameHasControlCharactersOrEmptyParts) {
  for (const std::string& name :
       {std::string("a\0b", 3), std::string("a\x1b[2J"), std::string("a//b"), std::string()})
    EXPECT_EQ(refusal(make_raw_zip({{name, "x"}})), "E602") << name;
}

TEST_F(ArchiveReader, ControlCharactersOfANameDoNotReachTheMessage) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_archive(write(make_raw_zip({{"a\x1b[2J", "x"}})), diagnostics));
  ASSERT_FALSE(diagnostics.all().empty());
  EXPECT_EQ(diagnostics.all().front().message.find('\x1b'), std::string::npos);
}

TEST_F(ArchiveReader, EntryIsALinkOrADevice) {
  EXPECT_EQ(refusal(make_raw_zip({{"link", "/etc/passwd", 0120777}})), "E602");
  EXPECT_EQ(refusal(make_raw_zip({{"pipe", "", 0010644}})), "E602");
  EXPECT_EQ(refusal(make_raw_zip({{"device", "", 0020644}})), "E602");
}

TEST_F(ArchiveReader, TwoEntriesHaveOneName) {
  EXPECT_EQ(refusal(make_raw_zip({{"a", "1"}, {"a", "2"}})), "E602");
}

TEST_F(ArchiveReader, FileIsUsedAsAFolder) {
  EXPECT_EQ(refusal(make_raw_zip({{"a", "1"}, {"a/b", "2"}})), "E602");
  EXPECT_EQ(refusal(make_raw_zip({{"a/", ""}, {"a", "2"}})), "E602");
}

TEST_F(ArchiveReader, EntryIsEncryptedOrPackedInAStrangeWay) {
  EXPECT_EQ(refusal(make_raw_zip({{"a", "x", 0100644, 0, 1}})), "E604");
  EXPECT_EQ(refusal(make_raw_zip({{"a", "x", 0100644, 12}})), "E604");  // bzip2
}

TEST_F(ArchiveReader, SmallFileUnpacksToAnEnormousOne) {
  const std::string zeros(32U << 20, '\0');
  EXPECT_EQ(
      refusal(make_raw_zip({{"a", deflate_raw(zeros), 0100644, 8, 0, 32U << 20, crc_of(zeros)}})),
      "E603");
}

TEST_F(ArchiveReader, ManyFilesTogetherAreTooLarge) {
  ArchiveLimits limits;
  limits.unpacked_bytes = 10;
  EXPECT_EQ(refusal(make_raw_zip({{"a", "123456"}, {"b", "123456"}}), limits), "E603");
}

TEST_F(ArchiveReader, TooManyFiles) {
  ArchiveLimits limits;
  limits.files = 1;
  EXPECT_EQ(refusal(make_raw_zip({{"a", "1"}, {"b", "2"}}), limits), "E603");
}

TEST_F(ArchiveReader, DataGrowBeyondTheSizeThatTheDirectoryClaims) {
  const std::string text(100'000, 'a');
  EXPECT_EQ(refusal(make_raw_zip({{"a", deflate_raw(text), 0100644, 8, 0, 10, crc_of(text)}})),
            "E604");
}

TEST_F(ArchiveReader, ChecksumIsWrong) {
  EXPECT_EQ(refusal(make_raw_zip({{"a", "x", 0100644, 0, 0, 0, 12345}})), "E604");
}

TEST_F(ArchiveReader, PackedDataAreDamaged) {
  const std::string text(1000, 'a');
  EXPECT_EQ(
      refusal(make_raw_zip({{"a", "\xff\xff\xff\xff\xff", 0100644, 8, 0, 1000, crc_of(text)}})),
      "E604");
}

TEST_F(ArchiveReader, FileIsNotAZip) {
  EXPECT_EQ(refusal("hello"), "E601");
  EXPECT_EQ(refusal(""), "E601");
}

TEST_F(ArchiveReader, FileCutOffAnywhereIsRefused) {
  const std::string zip = make_archive({{"a/b", std::string(300, 'x')}, {"c", "hello"}});
  for (std::size_t size = 0; size < zip.size(); ++size)
    EXPECT_TRUE(refusal(zip.substr(0, size)).starts_with("E60")) << size << " of " << zip.size();
}

// Flipped bytes may give another sound archive (a name, a date); they must never crash, hang or
// write elsewhere.
TEST_F(ArchiveReader, DamagedByteAnywhereDoesNoHarm) {
  const std::string zip = make_archive({{"a/b", std::string(50, 'x')}, {"c", "hello"}});
  int refused = 0;
  for (std::size_t at = 0; at < zip.size(); ++at) {
    std::string bad = zip;
    bad[at] = at % 3 == 0 ? '\xff' : at % 3 == 1 ? '\x7f' : static_cast<char>(~bad[at]);
    if (!refusal(bad).empty()) ++refused;
  }
  EXPECT_GT(refused, 100);
}

TEST_F(ArchiveReader, FileIsMissingAFolderOrAPipe) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_archive(folder_->path() + "/none.fmu", diagnostics));
  EXPECT_FALSE(read_archive(folder_->path(), diagnostics));
  EXPECT_FALSE(read_archive("/dev/zero", diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 3);
  for (const Diagnostic& d : diagnostics.all()) EXPECT_EQ(d.code, "S620");
}

TEST_F(ArchiveReader, TargetFolderIsNotEmpty) {
  const std::string path = write(make_archive({{"c", "hello"}}));
  Diagnostics diagnostics;
  EXPECT_FALSE(extract_archive(path, folder_->path(), diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 1);
  EXPECT_EQ(diagnostics.all().front().code, "S621");
}

TEST_F(ArchiveReader, FileThatIsNotInTheArchive) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_archive_file(write(make_archive({{"c", "hello"}})), "d", diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 1);
}

}  // namespace
}  // namespace mechfmu
