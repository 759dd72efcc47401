// simulate --report and report as a user runs them.
#include "../cli/program.hpp"
#include "../harness/probe.hpp"

namespace mechfmu::test {
namespace {

class ReportCommand : public ::testing::Test {
 protected:
  RunResult run(std::vector<std::string> arguments) const {
    RunOptions here;
    here.folder = folder_.path();
    return run_mechfmu(std::move(arguments), here);
  }
  TestFolder folder_;
};

TEST_F(ReportCommand, SimulateWritesPageAndTable) {
  folder_.write("hinge.xml", kHinge);
  const RunResult r =
      run({"simulate", "hinge.xml", "--report", "run.html", "--output-file", "r.csv"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(last_line(r.err), "wrote r.csv and run.html; next:"));
  const std::string page = read_text(folder_ / "run.html");
  EXPECT_TRUE(contains(page, "<title>Hinge</title>"));
  EXPECT_TRUE(contains(page, "A.force[1]"));
  EXPECT_TRUE(contains(read_text(folder_ / "r.csv"), "time,angle\n")) << "only outputs";
}

TEST_F(ReportCommand, WithAPageTheTableIsOnlyWhereItIsWanted) {
  folder_.write("hinge.xml", kHinge);
  const RunResult r = run({"simulate", "hinge.xml", "--report", "run.html", "--json"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  auto json = read_json(r.out);
  EXPECT_EQ("run.html", json["report"]);
  EXPECT_EQ((std::vector<std::string>{"hinge.xml", "run.html"}), folder_.list());
}

// Ten seconds at ten milliseconds.
TEST_F(ReportCommand, PagesAreSmall) {
  ASSERT_EQ(0, run({"simulate", example("four_bar"), "--report", "planar.html"}).exit_code);
  ASSERT_EQ(0,
            run({"simulate", example("stewart"), "--stop-time", "10", "--report", "spatial.html"})
                .exit_code);
  EXPECT_LT(read_text(folder_ / "planar.html").size(), 1'000'000u);
  EXPECT_LT(read_text(folder_ / "spatial.html").size(), 2'000'000u);
}

TEST_F(ReportCommand, TakesFmuAndTables) {
  folder_.write("hinge.xml", kHinge);
  ASSERT_EQ(0, run({"build", "hinge.xml", "-o", "Hinge.fmu"}).exit_code);
  ASSERT_EQ(0, run({"simulate", "Hinge.fmu", "--output-file", "r.csv"}).exit_code);
  RunResult r = run({"report", "Hinge.fmu"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(read_text(folder_ / "Hinge.html"), "\"poses\""));
  r = run({"report", "r.csv", "Hinge.fmu", "-o", "both.html"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  const std::string both = read_text(folder_ / "both.html");
  EXPECT_TRUE(contains(both, "\"unit\": \"rad\""));
  EXPECT_TRUE(contains(both, "mechfmu-scene"));
  r = run({"report", "r.csv"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(read_text(folder_ / "r.html"), "<title>r</title>"));
}

TEST_F(ReportCommand, StatesInATableMoveTheMechanism) {
  folder_.write("hinge.xml", kHinge);
  ASSERT_EQ(0, run({"build", "hinge.xml", "-o", "Hinge.fmu"}).exit_code);
  ASSERT_EQ(0, run({"simulate", "Hinge.fmu", "--output-file", "r.csv", "--output-variable",
                    "state.A.position"})
                   .exit_code);
  ASSERT_EQ(0, run({"report", "r.csv", "Hinge.fmu", "-o", "run.html"}).exit_code);
  EXPECT_TRUE(contains(read_text(folder_ / "run.html"), "\"poses\""));
}

TEST_F(ReportCommand, FmusOfOtherToolsHavePlotsAndTables) {
  make_probe_fmu(folder_);
  const std::string fmu = folder_.list().back();
  const RunResult r = run({"report", fmu, "-o", "probe.html"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  const std::string page = read_text(folder_ / "probe.html");
  EXPECT_TRUE(contains(page, "\"scene\": \"\""));
  EXPECT_TRUE(contains(page, "\"name\": \"gain\""));
  EXPECT_LT(page.size(), 200'000U) << "nothing moves: no three";
}

TEST_F(ReportCommand, PlotsForPapers) {
  folder_.write("r.csv", "time,a,b\n0,1,2\n1,3,4\n");
  RunResult r = run({"report", "r.csv", "--plot", "a,b", "--output", "plot.svg"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  EXPECT_TRUE(contains(read_text(folder_ / "plot.svg"), "<svg xmlns="));
  r = run({"report", "r.csv", "--plot", "aa", "--output", "no.svg"});
  EXPECT_EQ(2, r.exit_code);
  EXPECT_TRUE(contains(r.err, "no variable 'aa'"));
  EXPECT_TRUE(contains(r.err, "did you mean 'a'?"));
  EXPECT_EQ((std::vector<std::string>{"plot.svg", "r.csv"}), folder_.list());
}

TEST_F(ReportCommand, RefusesWhatItCannotUse) {
  folder_.write("bad.csv", "time,a\n0,x\n");
  folder_.write("empty.csv", "time,a\n");
  folder_.write("good.csv", "time,a\n0,1\n");
  folder_.write("hinge.xml", kHinge);
  EXPECT_EQ(1, run({"report", "bad.csv"}).exit_code);
  EXPECT_EQ(1, run({"report", "empty.csv"}).exit_code);
  EXPECT_EQ(1, run({"report", "missing.csv"}).exit_code);
  EXPECT_EQ(2, run({"report", "hinge.xml", "hinge.xml"}).exit_code);
  EXPECT_EQ(5, run({"report", "good.csv", "-o", "nowhere/run.html"}).exit_code);
  EXPECT_EQ(5, run({"simulate", "hinge.xml", "--report", "nowhere/run.html"}).exit_code);
  EXPECT_EQ((std::vector<std::string>{"bad.csv", "empty.csv", "good.csv", "hinge.xml"}),
            folder_.list());
}

}  // namespace
}  // namespace mechfmu::test
