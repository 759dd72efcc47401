// Runs of the probe FMU, whose answers follow from what the host did (probe_fmu.cpp states the
// formulas).
#include "harness/simulation_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "probe.hpp"

namespace mechfmu::test {
namespace {

struct Outcome {
  bool planned = false;
  SimulationReport report;
  CsvTable table;
  std::vector<std::string> calls;
  std::string header, usage, stop;
};

class SimulationRun : public ::testing::Test {
 protected:
  Outcome run(SimulationRequest request, const std::string& description = kProbeDescription) {
    Outcome outcome;
    Diagnostics diagnostics;
    const std::unique_ptr<Fmu> fmu =
        Fmu::open(make_probe_fmu(folder_, "probe.fmu", description), diagnostics);
    if (!fmu || !fmu->load(diagnostics)) {
      ADD_FAILURE() << all_text(diagnostics);
      return outcome;
    }
    Diagnostics usage;
    Diagnostics inputs;
    const auto plan = make_simulation_plan(fmu->description(), request, usage, inputs);
    outcome.usage = all_text(usage) + all_text(inputs);
    if (!plan) return outcome;
    outcome.planned = true;
    std::string text;
    Diagnostics stop;
    outcome.report = run_simulation(
        *fmu, *plan,
        [&](const std::string& line) {
          text += line;
          return true;
        },
        {}, CallLog([&](const std::string& line) { outcome.calls.push_back(line); }), stop);
    outcome.stop = all_text(stop);
    outcome.header = text.substr(0, text.find('\n'));
    Diagnostics csv;
    // the label column holds text, which parse_csv() refuses by design
    if (const auto table = parse_csv(SourceText("out", text), csv)) outcome.table = *table;
    return outcome;
  }

  static CsvTable table(const std::string& text) {
    Diagnostics diagnostics;
    return parse_csv(SourceText("in.csv", text), diagnostics).value();
  }

  static double last(const Outcome& outcome, const std::string& name) {
    const auto column = outcome.table.find_column(name);
    if (!column || outcome.table.rows() == 0) return std::nan("");
    return outcome.table.at(outcome.table.rows() - 1, *column);
  }

  TestFolder folder_;
};

TEST_F(SimulationRun, RecordsAllOutputsFromStartToStop) {
  const Outcome o = run({});
  EXPECT_TRUE(o.report.completed) << o.stop;
  EXPECT_EQ("time,x,y,steps", o.header);
  ASSERT_EQ(11U, o.table.rows());
  EXPECT_EQ(0, o.table.at(0, 0));
  EXPECT_EQ(1, o.table.at(10, 0));
  EXPECT_EQ(10, last(o, "steps"));
  EXPECT_DOUBLE_EQ(2, last(o, "x"));  // gain 2, time 1
}

TEST_F(SimulationRun, TheLastStepIsShortenedAndEndsExactly) {
  SimulationRequest request;
  request.communication = {{}, 1.0, 0.3, {}};
  request.output_variables = {"last_step"};
  const Outcome o = run(request);
  EXPECT_TRUE(o.report.completed);
  EXPECT_EQ(1.0, o.table.at(o.table.rows() - 1, 0));
  EXPECT_NEAR(0.1, last(o, "last_step"), 1e-15);
}

TEST_F(SimulationRun, StartValuesOfEveryTypeArrive) {
  SimulationRequest request;
  request.start_values = {{"gain", "3.5"},  {"u", "7"},      {"mode", "fast"},
                          {"flag", "true"}, {"level", "-4"}, {"label", "hello"}};
  request.output_variables = {"x", "gain", "mode", "flag_out", "level"};
  const Outcome o = run(request);
  ASSERT_TRUE(o.planned) << o.usage;
  EXPECT_DOUBLE_EQ(10.5, last(o, "x"));
  EXPECT_EQ(4, last(o, "mode"));
  EXPECT_EQ(1, last(o, "flag_out"));
  EXPECT_EQ(-4, last(o, "level"));
}

TEST_F(SimulationRun, ARealStartValueMayCarryAUnit) {
  SimulationRequest request;
  request.start_values = {{"gain", "120 mm"}};
  request.output_variables = {"gain"};
  EXPECT_EQ(0.12, last(run(request), "gain"));
}

TEST_F(SimulationRun, WrongWishesAreRefusedTogetherAndSuggestWhatIsThere) {
  SimulationRequest request;
  request.start_values = {
      {"gian", "1"}, {"mode", "quick"}, {"x", "1"}, {"level", "1.5"}, {"flag", "yes"}};
  request.output_variables = {"stepz"};
  request.communication.stop = -1;
  const Outcome o = run(request);
  EXPECT_FALSE(o.planned);
  for (const char* part :
       {"did you mean 'gain'?", "slow, fast", "'x' cannot be set", "not a whole number",
        "not true or false", "did you mean 'steps'?", "stop time"})
    EXPECT_NE(std::string::npos, o.usage.find(part)) << part << "\n" << o.usage;
}

TEST_F(SimulationRun, AContinuousInputIsLinearBetweenRows) {
  SimulationRequest request;
  request.inputs = table("time,u\n0,0\n1,2\n");
  request.start_values = {{"gain", "0"}};
  request.communication.step = 0.25;
  // the integral of 2 t is t^2, and exact because the host gives the slope of every step
  const Outcome o = run(request);
  EXPECT_NEAR(1.0, last(o, "y"), 1e-12);
}

TEST_F(SimulationRun, WithoutInterpolationInTheFmuTheInputIsHeldOverAStep) {
  SimulationRequest request;
  request.inputs = table("time,u\n0,0\n1,2\n");
  request.communication.step = 0.25;
  const Outcome o = run(request, replace(kProbeDescription, " canInterpolateInputs=\"true\"", ""));
  // left Riemann sum: 0.25 * (0 + 0.5 + 1 + 1.5)
  EXPECT_NEAR(0.75, last(o, "y"), 1e-12);
}

TEST_F(SimulationRun, ASlopeNeverReachesAcrossAJump) {
  SimulationRequest request;
  request.inputs = table("time,u\n0,1\n0.5,1\n0.5,3\n1,3\n");
  request.communication.step = 0.1;
  // 0.5 * 1 + 0.5 * 3
  EXPECT_NEAR(2.0, last(run(request), "y"), 1e-12);
}

TEST_F(SimulationRun, DiscreteInputsAreHeld) {
  SimulationRequest request;
  request.inputs = table("time,held,level,flag\n0,1,5,0\n0.55,9,6,1\n");
  request.output_variables = {"held", "level", "flag"};
  const Outcome o = run(request);
  ASSERT_EQ(11U, o.table.rows()) << o.usage << o.stop;
  // the step that ends at 0.6 began at 0.5; the row of 0.55 takes effect at 0.6, seen after the
  // step to 0.7
  EXPECT_EQ(1, o.table.at(6, 1));
  EXPECT_EQ(9, o.table.at(7, 1));
  EXPECT_EQ(6, o.table.at(7, 2));
  EXPECT_EQ(1, o.table.at(7, 3));
}

TEST_F(SimulationRun, ColumnsThatAreNoInputsAreRefused) {
  SimulationRequest request;
  request.inputs = table("time,v,x\n0,1,1\n");
  const Outcome o = run(request);
  EXPECT_FALSE(o.planned);
  EXPECT_NE(std::string::npos, o.usage.find("no variable 'v'"));
  EXPECT_NE(std::string::npos, o.usage.find("'x' is not an input"));
}

TEST_F(SimulationRun, AValueThatAnIntegerCannotHoldIsRefused) {
  SimulationRequest request;
  request.inputs = table("time,level\n0,1\n1,1.5\n");
  EXPECT_NE(std::string::npos, run(request).usage.find("1.5"));
  request.inputs = table("time,level\n0,2147483648\n");
  EXPECT_FALSE(run(request).planned);
  request.inputs = table("time,level\n0,-2147483648\n");
  EXPECT_TRUE(run(request).planned);
}

TEST_F(SimulationRun, ADiscardedStepStopsWithTheReasonAndKeepsTheRows) {
  SimulationRequest request;
  request.start_values = {{"discard_time", "0.55"}};
  const Outcome o = run(request);
  EXPECT_FALSE(o.report.completed);
  EXPECT_EQ(6, o.report.rows);  // 0 .. 0.5
  EXPECT_DOUBLE_EQ(0.5, o.report.time);
  EXPECT_NE(std::string::npos, o.stop.find("Discard")) << o.stop;
  EXPECT_NE(std::string::npos, o.stop.find("x stops at 0.55, 100% sure")) << o.stop;
  EXPECT_NE(std::string::npos, o.stop.find("last successful time 0.55")) << o.stop;
  // after a discarded step the instance is terminated properly
  EXPECT_EQ("fmi2Terminate() -> OK", o.calls[o.calls.size() - 2]);
}

TEST_F(SimulationRun, AnFmuThatWantsToEndEndsTheRun) {
  SimulationRequest request;
  request.start_values = {{"discard_time", "0.55"}, {"mode", "fast"}};
  const Outcome o = run(request);
  EXPECT_TRUE(o.report.completed);
  EXPECT_TRUE(o.report.ended_by_fmu);
  EXPECT_EQ(7, o.report.rows);  // 0 .. 0.5, and the last successful time
  EXPECT_DOUBLE_EQ(0.55, o.report.time);
  EXPECT_EQ("fmi2Terminate() -> OK", o.calls[o.calls.size() - 2]);
}

TEST_F(SimulationRun, AfterAnErrorNothingButFreeIsCalled) {
  SimulationRequest request;
  request.start_values = {{"error_time", "0.55"}};
  const Outcome o = run(request);
  EXPECT_FALSE(o.report.completed);
  EXPECT_NE(std::string::npos, o.stop.find("broken"));
  ASSERT_GE(o.calls.size(), 2U);
  EXPECT_EQ("fmi2FreeInstance()", o.calls.back());
  EXPECT_NE(std::string::npos, o.calls[o.calls.size() - 2].find("fmi2DoStep"));
}

TEST_F(SimulationRun, NotANumberStopsTheRun) {
  SimulationRequest request;
  request.start_values = {{"nan_time", "0.35"}};
  const Outcome o = run(request);
  EXPECT_FALSE(o.report.completed);
  EXPECT_NE(std::string::npos, o.stop.find("'x' is not a finite number"));
  EXPECT_EQ(4, o.report.rows);  // 0 .. 0.3
}

TEST_F(SimulationRun, CallsAreLoggedWithArgumentsAndStatus) {
  SimulationRequest request;
  request.communication.stop = 0.1;
  request.start_values = {{"gain", "0.12"}};
  const Outcome o = run(request);
  const auto has = [&](const std::string& line) {
    return std::find(o.calls.begin(), o.calls.end(), line) != o.calls.end();
  };
  EXPECT_TRUE(has("fmi2SetReal([1] = [0.12]) -> OK"));
  EXPECT_TRUE(has("fmi2DoStep(t=0, h=0.1, noSetFMUStatePriorToCurrentPoint=true) -> OK"));
  EXPECT_TRUE(has("fmi2Terminate() -> OK"));
}

TEST_F(SimulationRun, ASinkThatFailsStopsTheRun) {
  Diagnostics diagnostics;
  const std::unique_ptr<Fmu> fmu = Fmu::open(make_probe_fmu(folder_), diagnostics);
  ASSERT_TRUE(fmu && fmu->load(diagnostics));
  const auto plan = make_simulation_plan(fmu->description(), {}, diagnostics, diagnostics);
  ASSERT_TRUE(plan);
  int lines = 0;
  const SimulationReport report = run_simulation(
      *fmu, *plan, [&](const std::string&) { return ++lines < 3; }, {}, CallLog(), diagnostics);
  EXPECT_TRUE(report.sink_failed);
  EXPECT_FALSE(report.completed);
  EXPECT_EQ(3, lines);
}

}  // namespace
}  // namespace mechfmu::test
