// check, info and build as a user runs them. Reference: the contract's exit codes (1 model, 2
// usage, 5 world), and that a failed build leaves nothing behind. Refusals are provoked in ways
// that hold for root, too.
#include <array>
#include <filesystem>

#include "program.hpp"

namespace mechfmu::test {
namespace {

TEST(Check, FourBarHasOneLoopAndOneFreedom) {
  const RunResult r = run_mechfmu({"check", example("four_bar")});
  EXPECT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "3 bodies, 4 joints, 1 loop -> 1 degree of freedom"));
  EXPECT_TRUE(contains(r.out, "redundant"));
  EXPECT_EQ("next: mechfmu build " + example("four_bar"), last_line(r.err));
}

TEST(Check, JsonSaysTheSame) {
  const RunResult r = run_mechfmu({"check", example("four_bar"), "--json"});
  EXPECT_EQ(0, r.exit_code);
  auto json = read_json(r.out);
  EXPECT_EQ("true", json["ok"]);
  EXPECT_EQ("3", json["bodies"]);
  EXPECT_EQ("1", json["mobility"]);
  EXPECT_EQ(1U, json.count("loops.0.name"));
}

TEST(Check, EveryErrorOfAFileWithItsPlace) {
  const TestFolder folder;
  const std::string file =
      folder.write("bad.xml",
                   "<mechanism name=\"Bad\">\n"
                   "  <body name=\"a\"><point mass=\"-1\"/></body>\n"
                   "  <joint name=\"J\" type=\"revolut\" parent=\"ground\" child=\"a\"/>\n"
                   "</mechanism>\n");
  const RunResult r = run_mechfmu({"check", file});
  EXPECT_EQ(1, r.exit_code);
  EXPECT_EQ("", r.out);
  EXPECT_TRUE(contains(r.err, file + ":2:"));
  EXPECT_TRUE(contains(r.err, file + ":3:"));
  EXPECT_TRUE(contains(r.err, "did you mean 'revolute'?"));

  const RunResult as_json = run_mechfmu({"check", file, "--json"});
  EXPECT_EQ(1, as_json.exit_code);
  auto json = read_json(as_json.out);
  EXPECT_EQ("false", json["ok"]);
  EXPECT_EQ("error", json["diagnostics.0.severity"]);
  EXPECT_EQ(1U, json.count("diagnostics.1.line"));
}

TEST(Check, AFileThatIsNotThere) {
  for (const char* command : {"check", "info", "build", "simulate"}) {
    const RunResult r = run_mechfmu({command, "/no/such/file.xml"});
    EXPECT_EQ(1, r.exit_code) << command;
    EXPECT_TRUE(contains(r.err, "/no/such/file.xml: error E101"));
    EXPECT_EQ("", r.out);
  }
}

TEST(Check, ReadsTheStandardInput) {
  RunOptions options;
  options.input = kHinge;
  const RunResult r = run_mechfmu({"check", "-"}, options);
  EXPECT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "1 body, 1 joint, 0 loops -> 1 degree of freedom"));
}

TEST(Check, AFolderIsNoMechanism) {
  const TestFolder folder;
  EXPECT_EQ(1, run_mechfmu({"check", folder.path()}).exit_code);
}

TEST(Info, MechanismListsItsVariables) {
  const RunResult r = run_mechfmu({"info", example("four_bar")});
  EXPECT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "crank_angle"));
  EXPECT_TRUE(contains(r.out, "rad/s"));
  const auto json = read_json(run_mechfmu({"info", example("four_bar"), "--json"}).out);
  EXPECT_EQ(1U, json.count("variables.0.name"));
}

class Build : public ::testing::Test {
 protected:
  Build() {
    file_ = folder_.write("in/hinge.xml", kHinge);
    std::filesystem::create_directory(folder_ / "out");
    std::filesystem::create_directory(folder_ / "tmp");
    options_.folder = folder_ / "out";
    options_.environment = {{"TMPDIR", folder_ / "tmp"}};
  }

  // Nothing is left of a build but what is named.
  void expect_only(std::vector<std::string> names) const {
    std::vector<std::string> all = {"in", "in/hinge.xml", "out", "tmp"};
    all.insert(all.end(), names.begin(), names.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, folder_.list());
  }

  TestFolder folder_;
  std::string file_;
  RunOptions options_;
};

TEST_F(Build, WritesTheFmuIntoTheCurrentFolder) {
  const RunResult r = run_mechfmu({"build", file_}, options_);
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "wrote Hinge.fmu"));
  EXPECT_TRUE(contains(r.out, "glibc"));
  EXPECT_EQ("next: mechfmu simulate Hinge.fmu", last_line(r.err));
  expect_only({"out/Hinge.fmu"});

  const RunResult info = run_mechfmu({"info", "Hinge.fmu", "--json"}, options_);
  EXPECT_EQ(0, info.exit_code) << info.err;
  auto json = read_json(info.out);
  EXPECT_EQ("Hinge", json["model_name"]);
  EXPECT_EQ("libm.so.6", json["binaries.0.needed.0"]);
}

TEST_F(Build, QuietSaysNothing) {
  const RunResult r = run_mechfmu({"build", file_, "-o", "x.fmu", "--quiet"}, options_);
  EXPECT_EQ(0, r.exit_code);
  EXPECT_EQ("", r.out + r.err);
  expect_only({"out/x.fmu"});
}

TEST_F(Build, OptionsReachTheModel) {
  const RunResult r =
      run_mechfmu({"build", file_, "-o", "x.fmu", "--scheme", "baumgarte:alpha=7", "--integrator",
                   "heun", "--step", "2 ms", "--set", "length", "0.25"},
                  options_);
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "scheme baumgarte, integrator heun"));
  EXPECT_TRUE(contains(r.out, "0.002 s"));
  const std::string info = run_mechfmu({"info", "x.fmu"}, options_).out;
  EXPECT_TRUE(contains(info, "scheme.alpha"));
  EXPECT_TRUE(contains(info, "0.25"));
}

TEST_F(Build, AParameterThatTheMechanismDoesNotHave) {
  const RunResult r = run_mechfmu({"build", file_, "--set", "lenght=1"}, options_);
  EXPECT_EQ(2, r.exit_code);
  EXPECT_TRUE(contains(r.err, "did you mean 'length'?"));
  expect_only({});
}

TEST_F(Build, ValuesOfOptionsThatDoNotFitAreWrongUsage) {
  EXPECT_EQ(2, run_mechfmu({"build", file_, "--set", "length=long"}, options_).exit_code);
  EXPECT_EQ(2, run_mechfmu({"build", file_, "--scheme", "baumgarte:alpha=x"}, options_).exit_code);
  EXPECT_EQ(2, run_mechfmu({"build", file_, "--step", "1e6"}, options_).exit_code);
  expect_only({});
}

TEST_F(Build, TheOutputFolderIsMissing) {
  const RunResult r = run_mechfmu({"build", file_, "-o", "no/such/x.fmu"}, options_);
  EXPECT_EQ(5, r.exit_code);
  EXPECT_TRUE(contains(r.err, "error S"));
  expect_only({});
}

TEST_F(Build, TheOutputIsAFolder) {
  const RunResult r = run_mechfmu({"build", file_, "-o", folder_ / "out"}, options_);
  EXPECT_EQ(5, r.exit_code);
  expect_only({});
}

TEST_F(Build, WithoutCompiler) {
  options_.environment.emplace_back("PATH", folder_ / "tmp");
  options_.environment.emplace_back("CXX", std::nullopt);
  const RunResult r = run_mechfmu({"build", file_}, options_);
  EXPECT_EQ(5, r.exit_code);
  EXPECT_TRUE(contains(r.err, "error S601"));
  EXPECT_TRUE(contains(r.err, "apt install g++"));
  expect_only({});
}

TEST_F(Build, ACompilerThatFails) {
  options_.environment.emplace_back("CXX", "/bin/false");
  const RunResult r = run_mechfmu({"build", file_}, options_);
  EXPECT_EQ(5, r.exit_code);
  EXPECT_TRUE(contains(r.err, "error S602"));
  expect_only({});
}

TEST_F(Build, AFileSizeLimitLeavesNothing) {
  // one that stops the compiler, and one that stops only the finished FMU
  for (const rlim_t limit : {rlim_t{2000}, rlim_t{20000}}) {
    options_.file_size_limit = limit;
    const RunResult r = run_mechfmu({"build", file_}, options_);
    EXPECT_EQ(5, r.exit_code) << r.err;
    EXPECT_EQ(0, r.signal);
    expect_only({});
  }
}

TEST_F(Build, AnOldFmuSurvivesAFailure) {
  folder_.write("out/Hinge.fmu", "old");
  options_.file_size_limit = 2000;
  EXPECT_EQ(5, run_mechfmu({"build", file_}, options_).exit_code);
  EXPECT_EQ("old", read_text(folder_ / "out/Hinge.fmu"));
}

TEST_F(Build, StopsAfterAStageAndDumpsIt) {
  EXPECT_EQ(0, run_mechfmu({"build", file_, "--stop-after", "read"}, options_).exit_code);
  const RunResult check =
      run_mechfmu({"build", file_, "--stop-after", "check", "--dump", "check"}, options_);
  EXPECT_EQ(0, check.exit_code);
  EXPECT_TRUE(contains(check.out, "1 degree of freedom"));
  const RunResult emit =
      run_mechfmu({"build", file_, "--stop-after", "emit", "--dump", "emit"}, options_);
  EXPECT_EQ(0, emit.exit_code);
  EXPECT_TRUE(contains(emit.out, "kernels.cpp"));
  expect_only({});
}

TEST_F(Build, TheNextCommandCanBeCopied) {
  const RunResult r = run_mechfmu({"build", file_, "-o", "it's here.fmu"}, options_);
  EXPECT_EQ("next: mechfmu simulate 'it'\\''s here.fmu'", last_line(r.err));
}

TEST_F(Build, KeepLeavesTheSources) {
  const RunResult r = run_mechfmu({"build", file_, "--keep", folder_ / "kept", "-q"}, options_);
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(read_text(folder_ / "kept/modelDescription.xml"), "modelName=\"Hinge\""));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "kept/kernels.cpp"));
}

TEST_F(Build, SourceCodeIsInItOnlyIfWanted) {
  ASSERT_EQ(0, run_mechfmu({"build", file_, "-o", "a.fmu", "-q"}, options_).exit_code);
  ASSERT_EQ(
      0, run_mechfmu({"build", file_, "-o", "b.fmu", "-q", "--with-sources"}, options_).exit_code);
  const std::string without = read_text(folder_ / "out/a.fmu");
  const std::string with = read_text(folder_ / "out/b.fmu");
  EXPECT_FALSE(contains(without, "sources/buildDescription.xml"));  // names are not compressed
  EXPECT_TRUE(contains(with, "sources/buildDescription.xml"));
  EXPECT_TRUE(contains(with, "sources/Hinge_kernels.cpp"));
}

TEST_F(Build, NamesWithBlanksAndSignsAreOnlyNames) {
  const std::string odd = folder_.write("in/a b'$(touch x).xml", kHinge);
  const RunResult r = run_mechfmu({"build", odd, "-o", "c d;.fmu"}, options_);
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/c d;.fmu"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/x"));
}

}  // namespace
}  // namespace mechfmu::test
