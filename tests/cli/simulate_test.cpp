// simulate as a user runs it, mostly with the probe FMU of tests/harness, whose answers follow from
// what the host did: x = time * gain + u. Reference: the contract of `simulate` and its exit codes
// (3 = simulation stopped).
#include <cmath>
#include <filesystem>

#include "../harness/probe.hpp"
#include "harness/csv.hpp"
#include "program.hpp"

namespace mechfmu::test {
namespace {

class Simulate : public ::testing::Test {
 protected:
  Simulate() {
    fmu_ = make_probe_fmu(folder_);
    std::filesystem::create_directory(folder_ / "tmp");
    options_.environment = {{"TMPDIR", folder_ / "tmp"}};
  }
  ~Simulate() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp")) << "temporary files are left";
  }

  RunResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"simulate", fmu_});
    return run_mechfmu(arguments, options_);
  }
  static CsvTable table(const std::string& text) {
    Diagnostics diagnostics;
    const auto parsed = parse_csv(SourceText("result", text), diagnostics);
    EXPECT_TRUE(parsed) << text;
    return parsed.value_or(CsvTable{});
  }

  TestFolder folder_;
  std::string fmu_;
  RunOptions options_;
};

TEST_F(Simulate, ResultOnStdoutSummaryOnStderr) {
  const RunResult r = run({});
  ASSERT_EQ(0, r.exit_code) << r.err;
  const CsvTable t = table(r.out);
  EXPECT_EQ((std::vector<std::string>{"time", "x", "y", "steps"}), t.names);
  ASSERT_EQ(11U, t.rows());
  EXPECT_EQ(1.0, t.at(10, 0));
  EXPECT_TRUE(contains(r.err, "10 steps of 0.1 s"));
  EXPECT_TRUE(contains(r.err, "real time"));
  EXPECT_TRUE(contains(last_line(r.err), "next:"));
}

TEST_F(Simulate, OutputFileAndJsonSummary) {
  const RunResult r = run({"--output-file", folder_ / "r.csv", "--json"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_EQ(11U, table(read_text(folder_ / "r.csv")).rows());
  auto json = read_json(r.out);
  EXPECT_EQ("true", json["completed"]);
  EXPECT_EQ("10", json["steps"]);
}

TEST_F(Simulate, BothFormsOfStartValues) {
  const RunResult one = run({"--start-value", "gain=3", "--start-value", "u=1"});
  const RunResult two = run({"--start-value", "gain", "3", "--start-value", "u", "1"});
  ASSERT_EQ(0, one.exit_code) << one.err;
  EXPECT_EQ(one.out, two.out);
  EXPECT_EQ(4.0, table(one.out).at(10, 1));
  // a negative value is no option
  EXPECT_EQ(-3.0, table(run({"--start-value", "gain", "-3"}).out).at(10, 1));
}

TEST_F(Simulate, WrongWishesAreWrongUsage) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--output-interval", "0.25"},
                                             {"--step-size", "0"},
                                             {"--stop-time", "-1"},
                                             {"--stop-time", "soon"},
                                             {"--start-value", "gian=1"},
                                             {"--start-value", "x=1"},
                                             {"--output-variable", "z"},
                                             {"--scheme", "projection"}}) {
    const RunResult r = run(words);
    EXPECT_EQ(2, r.exit_code) << words[0] << " " << words[1] << "\n" << r.err;
    EXPECT_EQ("", r.out);
  }
}

TEST_F(Simulate, TimesTakeUnits) {
  const RunResult r = run({"--stop-time", "200 ms", "--step-size", "0.05"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_EQ(5U, table(r.out).rows());
}

TEST_F(Simulate, InputsFromAFile) {
  const std::string input = folder_.write("in.csv", "time,u\n0,0\n1,2\n");
  const RunResult r =
      run({"--input-file", input, "--start-value", "gain=0", "--output-variable", "y"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_NEAR(1.0, table(r.out).at(10, 1), 1e-12);  // integral of 2 t
}

TEST_F(Simulate, AFaultyInputFileIsShownWithItsPlace) {
  const std::string input = folder_.write("in.csv", "time,u\n0,0\n1,x\n");
  const RunResult r = run({"--input-file", input});
  EXPECT_EQ(1, r.exit_code);
  EXPECT_TRUE(contains(r.err, input + ":3:3: error E704"));
  const RunResult unknown = run({"--input-file", folder_.write("b.csv", "time,w\n0,0\n")});
  EXPECT_EQ(1, unknown.exit_code);
  EXPECT_TRUE(contains(unknown.err, ":1:6: error E706"));
  EXPECT_EQ(1, run({"--input-file", folder_ / "none.csv"}).exit_code);
}

TEST_F(Simulate, ADiscardedStepIsExitThreeAndKeepsTheRows) {
  const RunResult r =
      run({"--start-value", "discard_time=0.55", "--output-file", folder_ / "r.csv"});
  EXPECT_EQ(3, r.exit_code);
  EXPECT_TRUE(contains(r.err, "error E622"));
  EXPECT_TRUE(contains(r.err, "x stops at 0.55"));
  EXPECT_EQ(6U, table(read_text(folder_ / "r.csv")).rows());
}

TEST_F(Simulate, NotANumberIsExitThree) {
  const RunResult r = run({"--start-value", "nan_time=0.35"});
  EXPECT_EQ(3, r.exit_code);
  EXPECT_TRUE(contains(r.err, "not a finite number"));
}

TEST_F(Simulate, CallsAreLoggedOnStderr) {
  const RunResult r = run({"--log-fmi-calls", "--quiet", "--stop-time", "0.1"});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_TRUE(contains(r.err, "fmi2Instantiate("));
  EXPECT_TRUE(
      contains(r.err, "fmi2DoStep(t=0, h=0.1, noSetFMUStatePriorToCurrentPoint=true) -> OK"));
  EXPECT_EQ(3U, static_cast<std::size_t>(std::count(r.out.begin(), r.out.end(), '\n')));
}

TEST_F(Simulate, AResultThatCannotBeWritten) {
  EXPECT_EQ(5, run({"--output-file", folder_ / "no/such/r.csv"}).exit_code);
  EXPECT_EQ(5, run({"--output-file", folder_.path()}).exit_code);
  EXPECT_EQ(5, run({"--output-file", "/dev/full"}).exit_code);
  options_.output_to = "/dev/full";
  EXPECT_EQ(5, run({}).exit_code);
}

TEST_F(Simulate, AReaderThatGoesAwayIsNoNews) {
  const RunResult r =
      run_command({"/bin/sh", "-c",
                   "'" MECHFMU_PROGRAM "' simulate '" + fmu_ + "' --step-size 1e-5 | head -n 1"},
                  options_);
  EXPECT_EQ("time,x,y,steps\n", r.out);
  EXPECT_EQ("", r.err);
}

TEST_F(Simulate, AFileSizeLimitLeavesWhatWasThere) {
  folder_.write("r.csv", "old");
  options_.file_size_limit = 60000;  // the unpacked FMU fits, the result does not
  const RunResult r = run({"--output-file", folder_ / "r.csv", "--step-size", "1e-5"});
  EXPECT_EQ(5, r.exit_code) << r.err;
  EXPECT_EQ(0, r.signal);
  EXPECT_EQ("old", read_text(folder_ / "r.csv"));
  EXPECT_EQ((std::vector<std::string>{"probe.fmu", "r.csv", "tmp"}), folder_.list());
}

TEST_F(Simulate, AnInterruptLeavesNothing) {
  for (const int number : {SIGINT, SIGTERM}) {
    options_.signal_when_output_begins = number;
    const RunResult r =
        run({"--step-size", "1e-9", "--output-file", folder_ / "r.csv", "--log-fmi-calls"});
    EXPECT_EQ(number, r.signal);
    EXPECT_EQ((std::vector<std::string>{"probe.fmu", "tmp"}), folder_.list());
  }
}

TEST_F(Simulate, WhatIsNoFmuIsAnErrorOfTheModel) {
  const std::string text = folder_.write("text.fmu", "hello");
  const RunResult r = run_mechfmu({"simulate", text}, options_);
  EXPECT_EQ(1, r.exit_code);
  EXPECT_TRUE(contains(r.err, "zip"));
  EXPECT_EQ(1, run_mechfmu({"info", text}, options_).exit_code);
  const std::string cut = folder_.write("cut.fmu", read_text(fmu_).substr(0, 3000));
  EXPECT_EQ(1, run_mechfmu({"simulate", cut}, options_).exit_code);
  EXPECT_EQ(1, run_mechfmu({"simulate", folder_ / "none.fmu"}, options_).exit_code);
}

TEST_F(Simulate, WhereAMechanismIsNeededAnFmuIsWrongUsage) {
  for (const char* command : {"check", "build"}) {
    const RunResult r = run_mechfmu({command, fmu_}, options_);
    EXPECT_EQ(2, r.exit_code);
    EXPECT_TRUE(contains(r.err, "mechfmu info"));
  }
}

TEST_F(Simulate, AForeignFmuIsShownByInfo) {
  const RunResult r = run_mechfmu({"info", fmu_}, options_);
  EXPECT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(r.out, "Probe, FMI 2.0"));
  EXPECT_TRUE(contains(r.out, "by hand"));
  EXPECT_TRUE(contains(r.out, "slow"));
}

TEST_F(Simulate, AMechanismFileIsBuiltFirst) {
  const std::string file = folder_.write("hinge.xml", kHinge);
  const RunResult r = run_mechfmu({"simulate", file, "--step", "1 ms"}, options_);
  ASSERT_EQ(0, r.exit_code) << r.err;
  const CsvTable t = table(r.out);
  EXPECT_EQ((std::vector<std::string>{"time", "angle"}), t.names);
  ASSERT_EQ(11U, t.rows());
  // a point mass on a bar of 0.5 m falls from the horizontal: angle'' = -k cos(angle) with k = g /
  // l has the series -k t^2/2 + k^3 t^6/240 - ...; the next term at t = 0.1 is of the size (k
  // t^2)^5 / 5000, below 1e-7
  const double k = 9.81 / 0.5;
  EXPECT_NEAR(-k * std::pow(0.1, 2) / 2 + std::pow(k, 3) * std::pow(0.1, 6) / 240, t.at(1, 1),
              1e-6);
}

}  // namespace
}  // namespace mechfmu::test
