// The pages in headless Chromium: see browser_test.mjs.
#include "../cli/program.hpp"

namespace mechfmu::test {
namespace {

TEST(ReportInABrowser, WorksAsAReaderExpects) {
  const std::string node = MECHFMU_NODE;
  const std::string chromium = MECHFMU_CHROMIUM;
  if (node.empty() || chromium.empty())
    GTEST_SKIP() << "no " << (node.empty() ? "node" : "chromium")
                 << " on this machine: the page was not tried in a browser";
  const TestFolder folder;
  RunOptions here;
  here.folder = folder.path();
  for (const auto& [name, page] :
       {std::pair("four_bar", "planar.html"), {"bricard", "spatial.html"}}) {
    const RunResult made = run_mechfmu(
        {"simulate", example(name), "--stop-time", "5", "--report", page, "--output-file", "r.csv"},
        here);
    ASSERT_EQ(0, made.exit_code) << made.err;
  }
  ASSERT_EQ(0, run_mechfmu({"report", "r.csv", "-o", "table.html"}, here).exit_code);
  ASSERT_EQ(0, run_mechfmu({"build", example("bricard"), "-o", "b.fmu"}, here).exit_code);
  ASSERT_EQ(0, run_mechfmu({"report", "r.csv", "b.fmu", "-o", "still.html"}, here).exit_code);
  const RunResult seen =
      run_command({node, std::string(MECHFMU_PROJECT_DIR) + "/tests/report/browser_test.mjs",
                   chromium, "planar.html", "spatial.html", "table.html", "still.html"},
                  here);
  EXPECT_EQ(0, seen.exit_code) << seen.out << seen.err;
}

}  // namespace
}  // namespace mechfmu::test
