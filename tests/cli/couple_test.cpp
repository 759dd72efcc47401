// couple as a user runs it, with the probe FMU of tests/harness. Reference: the contract of the
// command and its exit codes; the official schemas of SSP where they are at hand.
#include "../coupling/coupled_files.hpp"
#include "../harness/probe.hpp"
#include "program.hpp"

namespace mechfmu::test {
namespace {

class Couple : public ::testing::Test {
 protected:
  Couple() {
    make_probe_fmu(folder_);
    std::filesystem::create_directory(folder_ / "tmp");
    options_.environment = {{"TMPDIR", folder_ / "tmp"}};
    text_.elements = component("a", "probe.fmu", {"x out"}) + component("b", "probe.fmu", {"u in"});
    text_.connections = connection("a.x > b.u");
    system_ = folder_.write("two probes.ssd", text_.ssd());
  }
  ~Couple() override {
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp")) << "temporary files are left";
  }

  RunResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"couple", system_});
    return run_mechfmu(arguments, options_);
  }

  TestFolder folder_;
  SystemText text_;
  std::string system_;
  RunOptions options_;
};

TEST_F(Couple, ResultOnStdoutSummaryOnStderr) {
  const RunResult r = run({});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_EQ(0U, r.out.find("time,a.x,a.y,a.steps,b.x,b.y,b.steps\n0,0,0,0,0,0,0\n")) << r.out;
  // x = 2 t + u with the u at the beginning of the step; y is the integral of u = 2 t, a line over
  // each step: its slope was given
  EXPECT_EQ(0U, last_line(r.out).find("1,2,0,10,3.8,1")) << r.out;
  EXPECT_TRUE(contains(r.err, "2 components, 1 connection"));
  EXPECT_TRUE(contains(r.err, "gauss_seidel, inputs of order 1; components in the order a, b"));
  EXPECT_TRUE(contains(last_line(r.err), "next: mechfmu couple "));
  EXPECT_TRUE(contains(last_line(r.err), "'" + system_ + "'"));
}

TEST_F(Couple, FilesReportAndJson) {
  const RunResult r =
      run({"--output-file", folder_ / "r.csv", "--report", folder_ / "r.html", "--json", "--method",
           "jacobi", "--order", "0", "--step-size", "250 ms", "--stop-time", "2", "--start-value",
           "a.gain=3", "--output-variable", "a.x"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  auto json = read_json(r.out);
  EXPECT_EQ("true", json["completed"]);
  EXPECT_EQ("jacobi", json["method"]);
  EXPECT_EQ("8", json["steps"]);
  EXPECT_EQ("a", json["component_order.0"]);
  EXPECT_EQ("\n2,6\n",
            read_text(folder_ / "r.csv").substr(read_text(folder_ / "r.csv").size() - 5));
  const std::string page = read_text(folder_ / "r.html");
  for (const char* name : {"a.x", "b.u", "a.gain", "Probe"}) EXPECT_TRUE(contains(page, name));
}

TEST_F(Couple, AnFmuThatStopsIsNamedAndTheRowsAreKept) {
  const RunResult r =
      run({"--start-value", "b.discard_time=0.55", "--output-file", folder_ / "r.csv"});
  EXPECT_EQ(3, r.exit_code);
  EXPECT_TRUE(contains(r.err, "E622: component 'b': stopped at t = 0.5 s: fmi2DoStep"));
  EXPECT_EQ(7, std::ranges::count(read_text(folder_ / "r.csv"), '\n'));
  EXPECT_TRUE(contains(last_line(r.err), "--step-size"));
}

TEST_F(Couple, CallsOfAllComponentsAreLogged) {
  const RunResult r = run({"--stop-time", "0.1", "--log-fmi-calls"});
  EXPECT_TRUE(
      contains(r.err, "a: fmi2DoStep(t=0, h=0.1, noSetFMUStatePriorToCurrentPoint=true) -> OK"));
  EXPECT_TRUE(contains(r.err, "b: fmi2SetRealInputDerivatives([2], order=[1], [2]) -> OK"));
}

TEST_F(Couple, MistakesHaveTheirExitCodes) {
  EXPECT_EQ(2, run({"--method", "jakobi"}).exit_code);
  EXPECT_TRUE(contains(run({"--method", "jakobi"}).err, "did you mean 'jacobi'?"));
  EXPECT_EQ(2, run({"--order", "3"}).exit_code);
  EXPECT_EQ(2, run({"--tolerance", "2"}).exit_code);
  EXPECT_EQ(2, run({"--start-value", "c.gain=1"}).exit_code);
  EXPECT_EQ(2, run({"--start-value", "a.gian=1"}).exit_code);
  EXPECT_EQ(2, run({"--output-variable", "a.xx"}).exit_code);
  EXPECT_EQ(2, run({"--step-size", "-1"}).exit_code);
  EXPECT_EQ(1, run({"--tolerance", "1e-3"}).exit_code);  // the probe cannot save its state
  EXPECT_EQ(1, run_mechfmu({"couple", folder_ / "no.ssd"}).exit_code);
  EXPECT_EQ(5, run({"--output-file", folder_ / "no/r.csv"}).exit_code);
  folder_.write("bad.ssd", text_.ssd().replace(text_.ssd().find("a\" startConnector"), 1, "c"));
  const RunResult r = run_mechfmu({"couple", folder_ / "bad.ssd"}, options_);
  EXPECT_EQ(1, r.exit_code);
  EXPECT_TRUE(contains(r.err, "bad.ssd:17:"));
  EXPECT_TRUE(contains(r.err, "<ssd:Connection startElement=\"c\""));
  EXPECT_EQ("", r.out);
}

TEST_F(Couple, HelpBeginsWithTwoExamples) {
  const RunResult r = run_mechfmu({"couple", "--help"});
  EXPECT_EQ(0, r.exit_code);
  EXPECT_LT(r.out.find("mechfmu couple system.ssp"), r.out.find("mechfmu couple system.ssd"));
  EXPECT_LT(r.out.find("mechfmu couple system.ssd"), r.out.find("Usage"));
}

const std::string kRegulator = R"xml(<controller name="Regulator" sample="5 ms">
  <parameter name="kp" value="40"/>
  <input name="angle"/>
  <pid name="pid1" input="0.5 - angle" kp="kp" kd="2" filter="20 ms" min="-5" max="5"/>
  <output name="torque" value="pid1"/>
  <experiment stop="0.1 s"/>
</controller>
)xml";

// Every command that takes a mechanism takes a controller.
TEST(ControllerCommands, CheckInfoBuildSimulateValidate) {
  const TestFolder folder;
  const std::string file = folder.write("regulator.xml", kRegulator);
  const RunResult check = run_mechfmu({"check", file});
  EXPECT_EQ(0, check.exit_code) << check.err;
  EXPECT_EQ(
      "Regulator: 1 block, 4 discrete states\n"
      "a sample every 0.005 s, outputs are held in between\n",
      check.out);
  auto json = read_json(run_mechfmu({"check", file, "--json"}).out);
  EXPECT_EQ("4", json["discrete_states"]);
  EXPECT_EQ("0.005", json["sample"]);
  const RunResult build = run_mechfmu({"build", file, "-o", folder / "r.fmu"});
  EXPECT_EQ(0, build.exit_code) << build.err;
  const RunResult info = run_mechfmu({"info", folder / "r.fmu"});
  EXPECT_TRUE(contains(info.out, "torque"));
  EXPECT_FALSE(contains(info.out, "model exchange"));
  const RunResult simulate = run_mechfmu({"simulate", folder / "r.fmu", "--start-value", "kp=4"});
  EXPECT_EQ(0, simulate.exit_code) << simulate.err;
  EXPECT_EQ(0U, simulate.out.find("time,torque\n0,2\n0.005,2\n")) << simulate.out;  // 4 * 0.5
  EXPECT_EQ(simulate.out, run_mechfmu({"simulate", file, "--start-value", "kp=4"}).out);
  const RunResult validate = run_mechfmu({"validate", folder / "r.fmu", "--strict"});
  EXPECT_EQ(0, validate.exit_code);
  EXPECT_TRUE(contains(validate.out, "0 errors, 0 warnings"));
}

TEST(ControllerCommands, HaveNoUseForMethods) {
  const TestFolder folder;
  const std::string file = folder.write("regulator.xml", kRegulator);
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--scheme", "baumgarte"},
                                                 {"--integrator", "rk4"},
                                                 {"--step", "1 ms"}}) {
    std::vector<std::string> arguments = {"build", file, "-o", folder / "r.fmu"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    const RunResult r = run_mechfmu(arguments);
    EXPECT_EQ(2, r.exit_code);
    EXPECT_TRUE(contains(r.err, "a sampled controller has none"));
    EXPECT_FALSE(std::filesystem::exists(folder / "r.fmu"));
  }
}

}  // namespace
}  // namespace mechfmu::test
