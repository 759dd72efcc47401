// Wrong words on the command line. Reference: the contract's exit codes (2 = wrong usage) and
// "unknown names get did you mean"; results on stdout, everything else on stderr.
#include "program.hpp"

namespace mechfmu::test {
namespace {

TEST(Usage, NoCommandListsTheCommands) {
  const RunResult r = run_mechfmu({});
  EXPECT_EQ(2, r.exit_code);
  EXPECT_EQ("", r.out);
  EXPECT_TRUE(contains(r.err, "simulate"));
}

TEST(Usage, AnUnknownCommandGetsTheNearestOne) {
  const RunResult r = run_mechfmu({"biuld", "x.xml"});
  EXPECT_EQ(2, r.exit_code);
  EXPECT_EQ("", r.out);
  EXPECT_TRUE(contains(r.err, "unknown command 'biuld'"));
  EXPECT_TRUE(contains(r.err, "did you mean 'build'?"));
}

TEST(Usage, AnUnknownOptionGetsTheNearestOne) {
  for (const char* option : {"--stop-tme", "--stop-tme=3"}) {
    const RunResult r = run_mechfmu({"simulate", "x.fmu", option});
    EXPECT_EQ(2, r.exit_code);
    EXPECT_TRUE(contains(r.err, "unknown option '--stop-tme'"));
    EXPECT_TRUE(contains(r.err, "did you mean '--stop-time'?"));
  }
  // also where an argument is missing because of it
  EXPECT_TRUE(contains(run_mechfmu({"build", "--schme"}).err, "did you mean '--scheme'?"));
  EXPECT_EQ(2, run_mechfmu({"--qiet", "schemes"}).exit_code);
}

TEST(Usage, MissingAndSurplusArguments) {
  EXPECT_EQ(2, run_mechfmu({"build"}).exit_code);
  EXPECT_EQ(2, run_mechfmu({"simulate", "a.fmu", "--stop-time"}).exit_code);
  const RunResult r = run_mechfmu({"check", "a.xml", "b.xml"});
  EXPECT_EQ(2, r.exit_code);
  EXPECT_TRUE(contains(r.err, "b.xml"));
}

TEST(Usage, ValuesOfOptionsAreCheckedBeforeTheFileIsRead) {
  const auto fails = [](std::vector<std::string> arguments, const std::string& hint) {
    const RunResult r = run_mechfmu(std::move(arguments));
    EXPECT_EQ(2, r.exit_code);
    EXPECT_TRUE(contains(r.err, hint));
  };
  fails({"build", "no.xml", "--scheme", "projektion"}, "did you mean 'projection'?");
  fails({"build", "no.xml", "--scheme", "baumgarte:alhpa=1"}, "did you mean 'alpha'?");
  fails({"build", "no.xml", "--scheme", "baumgarte:alpha"}, "name=value");
  fails({"build", "no.xml", "--integrator", "rk5"}, "did you mean 'rk4'?");
  fails({"build", "no.xml", "--solver", "drect"}, "did you mean 'direct'?");
  fails({"build", "no.xml", "--coordinates", "joints"}, "did you mean 'joint'?");
  fails({"build", "no.xml", "--expose", "everything"}, "outputs");
  fails({"build", "no.xml", "--step", "fast"}, "10 ms");
  fails({"build", "no.xml", "--step", "-1 ms"}, "> 0");
  fails({"build", "no.xml", "--step", "1 m"}, "--step");
  fails({"build", "no.xml", "--stop-after", "chek"}, "did you mean 'check'?");
  fails({"build", "no.xml", "--dump", "emitt"}, "did you mean 'emit'?");
  fails({"simulate", "no.xml", "--start-value", "x"}, "name=value");
  fails({"schemes", "projektion"}, "did you mean 'projection'?");
  fails({"joints", "revolut"}, "did you mean 'revolute'?");
  fails({"explain", "E999"}, "E");
  fails({"new", "fourbar"}, "did you mean 'four_bar'?");
}

TEST(Usage, HelpLeadsWithExamples) {
  const RunResult r = run_mechfmu({"build", "--help"});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_EQ("", r.err);
  EXPECT_LT(r.out.find("mechfmu build four_bar.xml"), r.out.find("Usage"));
  EXPECT_TRUE(contains(r.out, "--scheme"));
  EXPECT_EQ(r.out, run_mechfmu({"help", "build"}).out);
  EXPECT_TRUE(contains(run_mechfmu({"--help"}).out, "simulate"));
}

TEST(Usage, VersionIsOneLine) {
  const RunResult r = run_mechfmu({"--version"});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_EQ(0U, r.out.find("mechfmu "));
}

TEST(Usage, OptionsOfTheProgramMayStandBehindTheCommand) {
  const RunResult loud = run_mechfmu({"schemes"});
  EXPECT_TRUE(contains(loud.err, "next:"));
  EXPECT_EQ("", run_mechfmu({"schemes", "--quiet"}).err);
  EXPECT_EQ("", run_mechfmu({"-q", "schemes"}).err);
  EXPECT_EQ(loud.out, run_mechfmu({"schemes", "-q"}).out);
}

TEST(Usage, NoColourUnlessOnATerminal) {
  EXPECT_EQ(std::string::npos, run_mechfmu({"check", "/no/such/file.xml"}).err.find('\x1b'));
}

TEST(Usage, ResultsThatCannotBeWrittenAreAnError) {
  RunOptions options;
  options.output_to = "/dev/full";
  const RunResult r = run_mechfmu({"schema"}, options);
  EXPECT_EQ(5, r.exit_code);
  EXPECT_TRUE(contains(r.err, "No space left"));
}

}  // namespace
}  // namespace mechfmu::test
