// Compiling and linking what a model consists of. Reference: compiler.hpp.
#include "build/compiler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "build/process.hpp"
#include "package/binary_check.hpp"
#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"
#include "support/embedded.hpp"

namespace mechfmu {
namespace {

// Sets an environment variable (null: removes it) until the end of the test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name); before != nullptr) before_ = before;
    set(value);
  }
  ~Environment() { set(before_ ? before_->c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) {
    if (value != nullptr)
      setenv(name_, value, 1);
    else
      unsetenv(name_);
  }
  const char* name_;
  std::optional<std::string> before_;
};

// A model in which both generated files are tiny and the "runtime" is an archive made on the spot.
class CompileLibrary : public testing::Test {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    compiler_ = find_compiler(diagnostics);
    if (!compiler_) GTEST_SKIP() << "no C++ compiler here";
    if (find_program("ar").empty()) GTEST_SKIP() << "no ar here";
  }

  // Fills a folder and compiles in it; the bytes of the library, "" if that fails.
  std::string compile(const std::string& kernels, Diagnostics& diagnostics) {
    const auto folder = TemporaryFolder::make(diagnostics);
    const auto put = [&](const std::string& name, std::string_view content) {
      ASSERT_EQ(
          make_folders(
              (folder->path() + "/" + name).substr(0, (folder->path() + "/" + name).rfind('/'))),
          "");
      ASSERT_EQ(write_file(folder->path() + "/" + name, content, IfExists::fail), "");
    };
    put("kernels.cpp", kernels);
    put("tables.cpp",
        "#include \"x.hpp\"\nextern \"C\" double table(int i) { return kFactor * i; }\n");
    put("include/x.hpp", "constexpr double kFactor = 3;\n");
    put("include/platform/portable_math.hpp",
        find_embedded(embedded_runtime(), "include/platform/portable_math.hpp"));
    put("f.map", "{ global: f; local: *; };\n");
    put("runtime.cpp",
        "extern \"C\" double table(int);\nextern \"C\" double kernel(double);\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) double f(int i) { return "
        "kernel(table(i)); }\n");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{compiler_->command.front(), "-c", "-fPIC", "-O2", "runtime.cpp"},
          std::vector<std::string>{"ar", "rcsD", "runtime.a", "runtime.o"}}) {
      ProcessRequest request;
      request.command = command;
      request.folder = folder->path();
      EXPECT_TRUE(run_process(request).is_success());
    }
    CompileRequest request;
    request.folder = folder->path();
    request.sources = {"kernels.cpp", "tables.cpp"};
    request.include_folder = "include";
    request.archive = "runtime.a";
    request.version_script = "f.map";
    request.library = "F.so";
    std::string bytes;
    if (compile_library(*compiler_, request, diagnostics)) {
      EXPECT_EQ(read_file(folder->path() + "/F.so", 1U << 24, bytes), "");
    }
    folder_name_ = folder->path();
    return bytes;
  }

  const std::string kernels_ =
      "#include <math.h>\nextern \"C\" double kernel(double x) { return pow(x, 1.5) + exp(x) + "
      "__builtin_sin(x); }\n";
  std::optional<Compiler> compiler_;
  std::string folder_name_;
};

TEST_F(CompileLibrary, LibraryExportsTheFunctionsOfTheArchiveAndLoadsOnOldMachines) {
  Diagnostics diagnostics;
  const std::string bytes = compile(kernels_, diagnostics);
  ASSERT_FALSE(bytes.empty()) << diagnostics.all().front().message;
  const auto report = read_binary(bytes, diagnostics);
  ASSERT_TRUE(report);
  // pow and exp have newer versions than the limit; the forced header binds the old ones
  EXPECT_TRUE(check_binary(*report, {"f"}, diagnostics)) << diagnostics.all().front().message;
  EXPECT_NE(std::find(report->imports.begin(), report->imports.end(), "pow"),
            report->imports.end());
}

TEST_F(CompileLibrary, SameSourcesGiveTheSameBytesInAnyFolder) {
  Diagnostics diagnostics;
  const std::string first = compile(kernels_, diagnostics);
  const std::string first_folder = folder_name_;
  EXPECT_EQ(compile(kernels_, diagnostics), first);
  EXPECT_NE(folder_name_, first_folder);
  EXPECT_EQ(first.find(first_folder), std::string::npos);
}

TEST_F(CompileLibrary, CompilerThatFailsIsQuotedWithItsCommand) {
  Diagnostics diagnostics;
  EXPECT_EQ(compile("this is not C++\n", diagnostics), "");
  ASSERT_EQ(diagnostics.error_count(), 1);
  const Diagnostic& error = diagnostics.all().front();
  EXPECT_EQ(error.code, "S602");
  EXPECT_NE(error.message.find("-ffp-contract=off"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("kernels.cpp:1"), std::string::npos) << error.message;
}

TEST_F(CompileLibrary, FunctionThatNobodyDefinesIsALinkError) {
  Diagnostics diagnostics;
  EXPECT_EQ(
      compile(
          "extern \"C\" double g(double);\nextern \"C\" double kernel(double x) { return g(x); }\n",
          diagnostics),
      "");
  ASSERT_EQ(diagnostics.error_count(), 1);
  EXPECT_NE(diagnostics.all().front().message.find("undefined reference"), std::string::npos);
}

TEST(FindCompiler, TakesCxxWithItsArguments) {
  const Environment cxx("CXX", "env LANG=C g++");
  Diagnostics diagnostics;
  const auto compiler = find_compiler(diagnostics);
  ASSERT_TRUE(compiler);
  ASSERT_EQ(compiler->command.size(), 3u);
  EXPECT_TRUE(compiler->command[0].ends_with("/env"));
  EXPECT_EQ(compiler->command[2], "g++");
}

TEST(FindCompiler, CxxThatIsNoProgramIsAnError) {
  const Environment cxx("CXX", "/nowhere/g++");
  Diagnostics diagnostics;
  EXPECT_FALSE(find_compiler(diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 1);
  EXPECT_EQ(diagnostics.all().front().code, "S601");
}

TEST(FindCompiler, MachineWithoutCompilerGetsAHint) {
  const Environment cxx("CXX", nullptr);
  const Environment path("PATH", "/nowhere");
  Diagnostics diagnostics;
  EXPECT_FALSE(find_compiler(diagnostics));
  ASSERT_EQ(diagnostics.error_count(), 1);
  EXPECT_EQ(diagnostics.all().front().code, "S601");
  EXPECT_NE(diagnostics.all().front().hint.find("g++"), std::string::npos);
}

}  // namespace
}  // namespace mechfmu
