// The ELF reader and its verdicts. References: the ELF specification (through libraries that the
// machine's own linker makes) and the limits in binary_check.hpp.
#include "package/binary_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "package/compiled_library.hpp"
#include "support/embedded.hpp"

namespace mechfmu {
namespace {

class BinaryCheck : public test::CompiledLibrary {
 protected:
  BinaryReport read(const std::string& bytes) {
    Diagnostics diagnostics;
    const auto report = read_binary(bytes, diagnostics);
    EXPECT_TRUE(report) << "not readable";
    return report.value_or(BinaryReport{});
  }
  static std::string fault_of(const BinaryReport& report, const std::vector<std::string>& exports) {
    Diagnostics diagnostics;
    check_binary(report, exports, diagnostics);
    std::string codes;
    for (const Diagnostic& d : diagnostics.all()) codes += (codes.empty() ? "" : " ") + d.code;
    return codes;
  }
  const std::string plain_ = "extern \"C\" int f(int x) { return x + 1; }\n";
  const std::vector<std::string> plain_arguments_ = {"-nodefaultlibs",
                                                     "-Wl,--version-script=f.map"};
  void write_map() {
    ASSERT_EQ(
        write_file(folder_->path() + "/f.map", "{ global: f; local: *; };\n", IfExists::replace),
        "");
  }
};

TEST_F(BinaryCheck, LibraryThatNeedsNothingAndExportsWhatItShallPasses) {
  write_map();
  const BinaryReport report = read(compile(plain_, plain_arguments_));
  EXPECT_EQ(report.exports, std::vector<std::string>{"f"});
  EXPECT_TRUE(report.needed.empty());
  EXPECT_EQ(fault_of(report, {"f"}), "");
}

TEST_F(BinaryCheck, LibraryThatNeedsTheCppLibraryIsRefused) {
  const BinaryReport report = read(
      compile("#include <string>\n#include <iostream>\n"
              "extern \"C\" void f(const char* x) { std::cout << std::string(x) << std::endl; }\n",
              {"-Wl,--version-script=" + (write_map(), std::string("f.map"))}));
  EXPECT_NE(std::find(report.needed.begin(), report.needed.end(), "libstdc++.so.6"),
            report.needed.end());
  EXPECT_NE(fault_of(report, {"f"}).find("S603"), std::string::npos);
}

TEST_F(BinaryCheck, SymbolThatLeaksIsRefused) {
  const BinaryReport report =
      read(compile("extern \"C\" int f() { return 1; }\nint leak;\n", {"-nodefaultlibs"}));
  EXPECT_EQ(report.exports, (std::vector<std::string>{"f", "leak"}));
  EXPECT_EQ(fault_of(report, {"f"}), "S605");
}

TEST_F(BinaryCheck, FunctionThatIsMissingIsRefused) {
  write_map();
  EXPECT_EQ(fault_of(read(compile(plain_, plain_arguments_)), {"f", "g"}), "S605");
}

TEST_F(BinaryCheck, NewestSymbolVersionIsFoundWithTheSymbolThatNeedsIt) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the versions of x86-64";
#endif
  // glibc: clock_gettime moved to libc with version 2.17, memcpy has 2.14, and getrandom came
  // with 2.25
  const std::string source =
      "#include <sys/random.h>\n#include <string.h>\n"
      "extern \"C\" long f(void* p, const void* q, unsigned long n) { memcpy(p, q, n); return "
      "getrandom(p, n, 0); }\n";
  write_map();
  const BinaryReport report =
      read(compile(source, {"-nodefaultlibs", "-lc", "-Wl,--version-script=f.map"}));
  EXPECT_EQ(version_text(report.glibc), "2.25");
  EXPECT_EQ(report.glibc_symbol, "getrandom");
  EXPECT_EQ(fault_of(report, {"f"}), "S604");

  const BinaryReport older =
      read(compile("#include <string.h>\nextern \"C\" void* f(void* p, const void* q, unsigned "
                   "long n) { return memcpy(p, q, n); }\n",
                   {"-nodefaultlibs", "-lc", "-Wl,--version-script=f.map"}));
  EXPECT_EQ(version_text(older.glibc), "2.14");
  EXPECT_EQ(fault_of(older, {"f"}), "");
}

TEST_F(BinaryCheck, PrivateVersionOfGlibcIsRefused) {
  BinaryReport report;
  report.odd_versions = {"GLIBC_PRIVATE"};
  EXPECT_EQ(fault_of(report, {}), "S604");
}

TEST(GlibcVersion, IsOrderedByNumberNotByText) {
  EXPECT_LT((GlibcVersion{2, 2, 5}), (GlibcVersion{2, 14, 0}));
  EXPECT_LT((GlibcVersion{2, 17, 0}), (GlibcVersion{2, 17, 1}));
  EXPECT_EQ(version_text({2, 2, 5}), "2.2.5");
}

TEST_F(BinaryCheck, OtherFilesAreNoLibraries) {
  for (const std::string& bytes : {std::string(), std::string("MZ\x90"), std::string(5000, '\0')}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_binary(bytes, diagnostics));
    ASSERT_EQ(diagnostics.error_count(), 1);
    EXPECT_EQ(diagnostics.all().front().code, "E605");
  }
}

// `info` reads libraries of strangers: damaged ones may give anything but a crash (the sanitizer
// build watches).
TEST_F(BinaryCheck, DamagedLibrariesDoNoHarm) {
  write_map();
  const std::string good = compile(plain_, plain_arguments_);
  int refused = 0;
  for (std::size_t size = 0; size < good.size(); size += 37) {
    Diagnostics diagnostics;
    if (!read_binary(good.substr(0, size), diagnostics)) ++refused;
  }
  EXPECT_GT(refused, 100);  // the section headers stand at the end: every cut loses some
  for (std::size_t at = 0; at < good.size(); ++at) {
    if (at >= 64 && at < good.size() - 3000 && at % 11 != 0)
      continue;  // the headers byte by byte, the rest sampled
    std::string bad = good;
    bad[at] = static_cast<char>(~bad[at]);
    Diagnostics diagnostics;
    read_binary(bad, diagnostics);
  }
}

TEST(ExportNames, AreThoseOfTheVersionScript) {
  EXPECT_EQ(find_export_names("/* x; */ { global:\n b;\n a; local: *; };"),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(find_export_names("{ local: *; };").empty());
  // FMI 2.0: 25 common functions, 9 of co-simulation, 10 of model exchange
  EXPECT_EQ(find_export_names(find_embedded(embedded_runtime(), "exports.map")).size(), 44u);
}

}  // namespace
}  // namespace mechfmu
