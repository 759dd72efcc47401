// `new --coupled` as a user runs it. Reference: the cart-pendulum's equations of motion written
// down here, integrated between the samples with the classical Runge-Kutta method at 0.1 ms (error
// below 1e-12), and the control law as arithmetic.
#include <array>
#include <cmath>

#include "build/compiler.hpp"
#include "build/process.hpp"
#include "coupled_files.hpp"
#include "package/archive.hpp"
#include "support/run_program.hpp"

namespace mechfmu::test {
namespace {

using mechfmu::testing::tol;
using State = std::array<double, 4>;  // x, v, angle, rate

// (M + m) a + m l r' cos - m l r^2 sin = F,   l r' + a cos - g sin = 0
State calc_rate(const State& s, double force) {
  const double cart = 1, bob = 0.2, length = 0.5, g = 9.81;
  const double sine = std::sin(s[2]), cosine = std::cos(s[2]);
  const double a = (force + bob * length * s[3] * s[3] * sine - bob * g * sine * cosine) /
                   (cart + bob - bob * cosine * cosine);
  return {s[1], a, s[3], (g * sine - a * cosine) / length};
}

State advance(State s, double force, double duration) {
  const int steps = static_cast<int>(std::lround(duration / 1e-4));
  const double h = duration / steps;
  const auto shifted = [&](const State& rate, double part) {
    State moved = s;
    for (std::size_t i = 0; i < 4; ++i) moved[i] += part * h * rate[i];
    return moved;
  };
  for (int k = 0; k < steps; ++k) {
    const State a = calc_rate(s, force), b = calc_rate(shifted(a, 0.5), force),
                c = calc_rate(shifted(b, 0.5), force), d = calc_rate(shifted(c, 1), force);
    for (std::size_t i = 0; i < 4; ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return s;
}

double control(const State& s) {
  const double u = 3.3 * s[0] + 4.5 * s[1] + 38.6 * s[2] + 8.3 * s[3];
  return std::min(20.0, std::max(-20.0, u));
}

class ClosedLoop : public ::testing::Test {
 protected:
  ClosedLoop() { made_ = run_mechfmu({"new", "--coupled", folder_ / "loop"}); }

  RunResult couple(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "couple");
    return run_mechfmu(arguments);
  }
  static CsvTable table(const std::string& text) {
    Diagnostics diagnostics;
    return parse_csv(SourceText("result", text), diagnostics).value();
  }

  TestFolder folder_;
  RunResult made_;
};

TEST_F(ClosedLoop, IsTheMotionOfPlantAndControllerAsOne) {
  ASSERT_EQ(0, made_.exit_code) << made_.err;
  const RunResult r = couple({folder_ / "loop/cart_pendulum.ssp"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  const CsvTable t = table(r.out);
  ASSERT_EQ(1001U, t.rows());
  const std::size_t columns[] = {*t.find_column("plant.position"), *t.find_column("plant.velocity"),
                                 *t.find_column("plant.angle"), *t.find_column("plant.rate")};
  const std::size_t force = *t.find_column("controller.force");
  State s = {0, 0, 20 * 3.14159265358979323846 / 180, 0};
  double u = control(s);
  EXPECT_EQ(13.0, std::floor(u));  // 38.6 * 0.349: it pushes under the pendulum
  for (std::size_t row = 0; row < t.rows(); ++row) {
    if (row > 0) s = advance(s, u, 0.005);
    if (row % 2 == 0) u = control(s);  // every 10 ms
    for (std::size_t i = 0; i < 4; ++i) ASSERT_NEAR(s[i], t.at(row, columns[i]), tol(1e-6)) << row;
    ASSERT_NEAR(u, t.at(row, force), tol(1e-6)) << row;
  }
  EXPECT_LT(std::abs(s[2]), 0.001);  // it stands
}

TEST_F(ClosedLoop, EverySystemInTheFolderRunsAsItStands) {
  ASSERT_EQ(0, made_.exit_code) << made_.err;
  int found = 0;
  std::string first;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "loop")) {
    const auto extension = entry.path().extension();
    if (extension != ".ssp" && extension != ".ssd") continue;
    const RunResult r = couple({entry.path()});
    EXPECT_EQ(0, r.exit_code) << r.err;
    if (++found == 1) first = r.out;
    EXPECT_EQ(first, r.out);
  }
  EXPECT_EQ(2, found);
  EXPECT_NE(std::string::npos, made_.err.find("next: mechfmu couple ")) << made_.err;
}

// Steps that divide the sampling time change nothing, a master that is late changes a little.
TEST_F(ClosedLoop, DependsOnTheStepOnlyWhereTheControllerIsLate) {
  const auto end = [&](std::vector<std::string> options) {
    options.insert(options.begin(),
                   {folder_ / "loop/SystemStructure.ssd", "--output-interval", "0.5"});
    const RunResult r = couple(options);
    EXPECT_EQ(0, r.exit_code) << r.err;
    const CsvTable t = table(r.out);
    return t.at(4, *t.find_column("plant.position"));
  };
  const double reference = end({"--step-size", "10 ms"});
  EXPECT_NEAR(reference, end({"--step-size", "2 ms"}), tol(1e-8));
  const double late =
      std::abs(end({"--step-size", "2 ms", "--method", "jacobi", "--order", "0"}) - reference);
  const double later =
      std::abs(end({"--step-size", "10 ms", "--method", "jacobi", "--order", "0"}) - reference);
  EXPECT_GT(late, 1e-5);
  EXPECT_NEAR(5, later / late, 1.5);  // in proportion to the delay
}

TEST_F(ClosedLoop, ReportShowsTheMechanismAndBothComponents) {
  const RunResult r =
      couple({folder_ / "loop/cart_pendulum.ssp", "--report", folder_ / "run.html"});
  ASSERT_EQ(0, r.exit_code) << r.err;
  const std::string page = read_text(folder_ / "run.html");
  for (const char* part : {"plant.angle", "controller.force", "controller.k_angle",
                           "The animation shows component 'plant'", "pendulum\\\","})
    EXPECT_NE(std::string::npos, page.find(part)) << part;
}

TEST_F(ClosedLoop, NothingIsOverwritten) {
  EXPECT_EQ(5, run_mechfmu({"new", "--coupled", folder_ / "loop"}).exit_code);
  EXPECT_EQ(2, run_mechfmu({"new", "--coupled", "a", "b"}).exit_code);
}

TEST_F(ClosedLoop, FmusHaveNoFindings) {
  for (const char* name : {"CartPendulum", "Balance"}) {
    const RunResult r =
        run_mechfmu({"validate", folder_ / ("loop/resources/" + std::string(name) + ".fmu")});
    EXPECT_EQ(0, r.exit_code) << r.out;
    EXPECT_NE(std::string::npos, r.out.find("0 errors, 0 warnings")) << r.out;
  }
}

TEST_F(ClosedLoop, StructureMeetsTheOfficialSchema) {
  const std::string schema =
      std::string(MECHFMU_PROJECT_DIR) + "/../shared/xsd/ssp1/SystemStructureDescription.xsd";
  if (!std::filesystem::exists(schema)) GTEST_SKIP() << "the official schema is not here";
  if (find_program("xmllint").empty()) GTEST_SKIP() << "xmllint is not installed";
  ProcessRequest request;
  request.command = {"xmllint",  "--noout", "--nonet",
                     "--schema", schema,    folder_ / "loop/SystemStructure.ssd"};
  const ProcessResult result = run_process(request);
  EXPECT_TRUE(result.is_success()) << result.output;
}

}  // namespace
}  // namespace mechfmu::test
