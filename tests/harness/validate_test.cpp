// Faults of archives and libraries, and the table of rules. References: FMI 2.0.5, section 2.3;
// APPNOTE.TXT; facts about hosts P1, P2, P4.
#include <gtest/gtest.h>

#include "harness/validate/validate_fmu.hpp"
#include "package/zip_bytes.hpp"
#include "toy.hpp"

namespace mechfmu::test {
namespace {

using Ids = std::set<std::string>;

std::vector<RawEntry> raw_toy() {
  std::vector<RawEntry> entries;
  for (const ArchiveFile& file : toy_files()) entries.push_back({file.name, file.content});
  return entries;
}

Ids find_in_entries(const std::vector<RawEntry>& entries) {
  return found_rules(validate_bytes(make_raw_zip(entries), files_only()));
}

// A third entry that is wrong beside two that are right.
Ids find_with(RawEntry entry) {
  std::vector<RawEntry> entries = raw_toy();
  entries.push_back(std::move(entry));
  return find_in_entries(entries);
}

Ids find_in_files(const std::vector<ArchiveFile>& files) {
  return found_rules(validate_bytes(make_archive(files), files_only()));
}

TEST(ValidateArchive, GoodArchivesHaveNoFinding) {
  EXPECT_EQ(find_in_entries(raw_toy()), Ids{});
  EXPECT_EQ(find_in_files(toy_files()), Ids{});
}

TEST(ValidateArchive, NotAZipFile) {
  EXPECT_EQ(found_rules(validate_bytes("hello")), Ids{"archive-unreadable"});
  EXPECT_EQ(found_rules(validate_bytes("")), Ids{"archive-unreadable"});
}

TEST(ValidateArchive, CutOffAnywhereIsAFindingAndNoCrash) {
  const std::string whole = make_archive({{"modelDescription.xml", kToyDescription, false}});
  for (std::size_t size = 0; size < whole.size(); size += 7)
    EXPECT_EQ(found_rules(validate_bytes(whole.substr(0, size), files_only())),
              Ids{"archive-unreadable"})
        << size;
}

TEST(ValidateArchive, AnyByteMayBeWrong) {
  const std::string whole = make_archive({{"modelDescription.xml", "<a/>", false}});
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const char with : {'\0', '\xFF', '\x01'}) {
      std::string bytes = whole;
      bytes[i] = with;
      validate_bytes(bytes, files_only());  // whatever is found: it ends
    }
}

TEST(ValidateArchive, Names) {
  EXPECT_EQ(find_with({"/etc/passwd", "x"}), Ids{"archive-absolute-name"});
  EXPECT_EQ(find_with({"C:/x", "x"}), Ids{"archive-absolute-name"});
  EXPECT_EQ(find_with({"../x", "x"}), Ids{"archive-parent-name"});
  EXPECT_EQ(find_with({"resources\\x", "x"}), Ids{"archive-backslash"});
  EXPECT_EQ(find_with({"./x", "x"}), Ids{"archive-dot-name"});
  EXPECT_EQ(find_with({"resources//x", "x"}), Ids{"archive-bad-name"});
  EXPECT_EQ(find_with({"a\nb", "x"}), Ids{"archive-bad-name"});
}

TEST(ValidateArchive, KindsAndFlags) {
  EXPECT_EQ(find_with({"link", "target", 0120777}), Ids{"archive-link"});
  EXPECT_EQ(find_with({"locked", "x", 0100644, 0, 1}), Ids{"archive-encrypted"});
  EXPECT_EQ(find_with({"packed", "x", 0100644, 12}), Ids{"archive-compression"});
  EXPECT_EQ(find_with({"stored", "x", 0100644, 0, 8}), Ids{"archive-stored-descriptor"});
  EXPECT_EQ(find_with({"wrong", "x", 0100644, 0, 0, 0, 77}), Ids{"archive-entry-damaged"});
  EXPECT_EQ(find_with({"bomb", "x", 0100644, 8, 0, 2'000'000'000}), Ids{"archive-size"});
}

TEST(ValidateArchive, DuplicatesAndCase) {
  EXPECT_EQ(find_with({"modelDescription.xml", kToyDescription}), Ids{"archive-duplicate"});
  EXPECT_EQ(find_with({"ModelDescription.xml", "x"}), Ids{"archive-case-clash"});
  EXPECT_EQ(find_with({"modelDescription.xml/x", "x"}), Ids{"archive-duplicate"});
}

TEST(ValidateArchive, VersionNeeded) {
  std::string bytes = make_raw_zip(raw_toy());
  const std::size_t central = bytes.find("PK\x01\x02");
  bytes[central + 6] = 45;
  EXPECT_EQ(found_rules(validate_bytes(bytes, files_only())), Ids{"archive-version"});
}

TEST(ValidateArchive, SplitOverDisks) {
  std::string bytes = make_raw_zip(raw_toy());
  bytes[bytes.rfind("PK\x05\x06") + 4] = 1;
  EXPECT_EQ(found_rules(validate_bytes(bytes, files_only())), Ids{"archive-unreadable"});
}

TEST(ValidateArchive, HeaderOfAnotherName) {
  std::string bytes = make_raw_zip(raw_toy());
  bytes[30] = 'M';  // of the name in the first header
  EXPECT_EQ(found_rules(validate_bytes(bytes, files_only())),
            (Ids{"archive-header-differs", "archive-no-description"}));
}

TEST(ValidateArchive, WhatMustBeInIt) {
  std::vector<ArchiveFile> files = toy_files();
  files[0].name = "toy/modelDescription.xml";
  const ValidationReport report = validate_bytes(make_archive(files), files_only());
  EXPECT_EQ(found_rules(report), Ids{"archive-no-description"});
  EXPECT_NE(all_findings(report).find("toy/modelDescription.xml"), std::string::npos);

  EXPECT_EQ(find_in_files({toy_files()[0]}), Ids{"archive-no-implementation"});
  files = toy_files();
  files[1].name = "binaries/linux64/other.so";
  EXPECT_EQ(find_in_files(files), Ids{"archive-library-name"});
  files[1].name = "binaries/amiga/toy.so";
  EXPECT_EQ(find_in_files(files), Ids{"archive-platform-unknown"});
  EXPECT_EQ(find_in_files({toy_files()[0], {"sources/toy.c", "", false}}), Ids{});
  files = toy_files();
  files[0].content = replaced(files[0].content, "providesDirectionalDerivative=\"true\"/>",
                              "providesDirectionalDerivative=\"true\"><SourceFiles><File "
                              "name=\"a.c\"/></SourceFiles></ModelExchange>");
  EXPECT_EQ(find_in_files(files), Ids{"archive-source-missing"});
}

TEST(ValidateArchive, Extension) {
  EXPECT_EQ(found_rules(validate_bytes(make_archive(toy_files()), files_only(), "toy.zip")),
            Ids{"archive-extension"});
}

TEST(ValidateBinary, Faults) {
  std::vector<ArchiveFile> files = toy_files();
  files[1].content = "not a library";
  EXPECT_EQ(find_in_files(files), Ids{"binary-not-library"});
  files[1].name = "binaries/win64/toy.dll";
  EXPECT_EQ(find_in_files(files), Ids{"binary-not-library"});

  // a name that is another one of the same length
  files = toy_files();
  files[1].content = replaced(files[1].content, "fmi2CancelStep", "fmi2CancelStop");
  const ValidationReport report = validate_bytes(make_archive(files), files_only());
  EXPECT_EQ(found_rules(report), (Ids{"binary-symbol-missing", "binary-symbol-foreign"}));
  EXPECT_NE(all_findings(report).find("fmi2CancelStep"), std::string::npos);

  files = toy_files();
  files[1].content = replaced(files[1].content, "libc.so.6", "libq.so.6");
  EXPECT_EQ(find_in_files(files), Ids{"binary-needs-library"});
  files.push_back({files[1].name.substr(0, files[1].name.rfind('/')) + "/libq.so.6", "x", false});
  EXPECT_EQ(find_in_files(files), Ids{});
}

TEST(ValidateRules, HaveUniqueIdsAndSentences) {
  Ids ids;
  for (const fmu_check::RuleText& rule : fmu_check::rule_texts()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_GE(rule.text.size(), 20U) << rule.id;
    EXPECT_EQ(rule.text.back(), rule.text.ends_with(')') ? ')' : '.') << rule.id;
    for (const char c : rule.text) EXPECT_TRUE(c >= ' ' && c <= '~' && c != '|') << rule.id;
    ASSERT_TRUE(fmu_check::find_rule(rule.id));
    EXPECT_EQ(fmu_check::rule_text(*fmu_check::find_rule(rule.id)).id, rule.id);
  }
  EXPECT_GT(ids.size(), 100U);
  EXPECT_FALSE(fmu_check::find_rule("no-such-rule"));
}

TEST(ValidateRules, PageIsUpToDate) {
  EXPECT_EQ(read_text(std::string(MECHFMU_PROJECT_DIR) + "/resources/docs/validate.md"),
            fmu_check::make_rules_page());
}

TEST(ValidateFindings, AreShownOnceAndCountedBeyondTheLimit) {
  fmu_check::Findings findings;
  for (int i = 0; i < 100; ++i)
    findings.add(fmu_check::Rule::var_nominal, {"f", static_cast<std::size_t>(i / 2), ""}, "same");
  EXPECT_EQ(findings.all().size(), fmu_check::Findings::kShownPerRule);
  EXPECT_EQ(findings.count(Severity::error), 50U);
  EXPECT_EQ(fmu_check::printable("a\x1B[31m\n"), "a?[31m?");
}

TEST(ValidateFmu, AFileThatCannotBeReadIsNoFinding) {
  Diagnostics diagnostics;
  EXPECT_FALSE(validate_fmu("/no/such/file.fmu", {}, diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 1);
  EXPECT_EQ(diagnostics.all().front().code, "S620");
}

}  // namespace
}  // namespace mechfmu::test
