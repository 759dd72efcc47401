// The schemes of document 001 against a prototype of its corrected equations: a pendulum in
// Cartesian coordinates and a driven body. The printed forms give other numbers, which the tests
// would refuse.
#include <cmath>

#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

constexpr const char* kPendulum = R"xml(<equations name="P">
  <coordinate name="x" start="1" mass="2"/> <coordinate name="y" start="0" mass="2"/>
  <force on="y" value="-2*9.81"/> <holonomic name="rod" value="(x^2 + y^2 - 1)/2"/></equations>)xml";

struct Result {
  double phi = 0, rate = 0, x = 0, y = 0;
};
Result run_pendulum(const SchemeOptions& options) {
  SchemeRun run(kPendulum, options);
  Result result;
  const int n = static_cast<int>(std::lround(2 / options.step));
  for (int i = 0; i < n; ++i) {
    run.advance(options.step);
    result.phi = std::max(result.phi, run.get("constraint.residual"));
    result.rate = std::max(result.rate, run.get("constraint.residual_velocity"));
  }
  result.x = run.get("x");
  result.y = run.get("y");
  return result;
}

// Row of the method with these parameters and step.
std::string find_row(const std::string& method, const std::string& parameters, double step) {
  for (int i = 0;; ++i) {
    const std::string row = "castro_pendulum.rows." + std::to_string(i) + ".";
    if (regressions().count(row + "method") == 0) throw std::runtime_error("no row " + method);
    if (regressions().at(row + "method") == method && regressions().at(row + "prm") == parameters &&
        std::fabs(regression(row + "h") - step) < 1e-9)
      return row;
  }
}

struct Method {
  SchemeOptions options;
  const char* row;
  const char* parameters;
};

TEST(CastroPendulum, HasTheListedConstraintErrors) {
  const std::vector<Method> methods = {
      {{"velocity"}, "vel", "None"},
      {{"velocity_baumgarte"}, "baum", "1.0"},
      {{"compliant", 0, {{"stiffness", "1e6"}, {"damping", "1e3"}}}, "pen", "(1000000.0, 1000.0)"},
      {{"compliant", 0, {{"stiffness", "1e8"}, {"damping", "1e4"}}},
       "pen",
       "(100000000.0, 10000.0)"},
      {{"compliant", 0, {{"stiffness", "1e10"}, {"damping", "0"}}}, "pen", "(10000000000.0, 0.0)"}};
  for (const Method& method : methods)
    for (const double step : {0.01, 0.005, 0.0025, 0.00125}) {
      SchemeOptions options = method.options;
      options.step = step;
      const Result result = run_pendulum(options);
      const std::string row = find_row(method.row, method.parameters, step);
      // four digits are listed
      EXPECT_NEAR(result.phi, regression(row + "max_phi"), tol(6e-4) * regression(row + "max_phi"))
          << row;
      EXPECT_NEAR(result.rate, regression(row + "max_Jv"), tol(6e-4) * regression(row + "max_Jv"))
          << row;
    }
}

// The document projects positions only and keeps J v = O(h); here both are held.
TEST(CastroPendulum, ProjectionHoldsPositionsAndVelocities) {
  const Result result = run_pendulum({"velocity_projection", 0.01, {{"tolerance", "1e-14"}}});
  EXPECT_LT(result.phi, tol(1e-13));
  EXPECT_LT(result.rate, tol(1e-13));
}

// Order 1 of the motion. Reference: the exact pendulum by rk4 with projection at 0.1 ms.
TEST(CastroPendulum, IsOfFirstOrder) {
  SchemeRun exact(kPendulum, {"projection", 1e-4});
  exact.advance(2);
  for (const char* scheme :
       {"velocity", "velocity_baumgarte", "velocity_projection", "compliant"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const Result result = run_pendulum({scheme, k == 0 ? 5e-4 : 2.5e-4});
      error[k] = std::hypot(result.x - exact.get("x"), result.y - exact.get("y"));
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 1, tol(0.12)) << scheme;
  }
}

// Where constraints are linear and forces smooth, the trapezoid predictor gives second order: a
// mass on a guide at 45 degrees and a spring, against the exact oscillation.
TEST(CastroGuide, IsOfSecondOrderWithATrapezoidPredictor) {
  const char* guide = R"xml(<equations name="G">
    <coordinate name="x" start="1" mass="2"/> <coordinate name="y" start="1" mass="2"/>
    <force on="x" value="-50*x"/> <force on="y" value="-50*y"/>
    <holonomic name="guide" value="x - y"/></equations>)xml";
  for (const char* predictor : {"euler", "trapezoid"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      SchemeRun run(guide, {"velocity", k == 0 ? 2e-3 : 1e-3, {{"predictor", predictor}}});
      run.advance(1);
      error[k] = std::fabs(run.get("x") - std::cos(5.0));
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), predictor == std::string("euler") ? 1 : 2, tol(0.1))
        << predictor;
  }
}

// Two redundant constraints with compliances of their own carry a weight like two springs side by
// side: x = -m g / (k1 + k2), each with its share. Reference: statics.
TEST(CastroCompliance, IsThatOfTheSingleConstraint) {
  const char* shelf = R"xml(<equations name="S"><coordinate name="x" mass="2"/>
    <force on="x" value="-2*9.81"/>
    <holonomic name="left" value="x"/> <holonomic name="right" value="x"/> <holonomic name="back" value="x"/>
    <compliance on="left" stiffness="1e4" damping="200"/> <compliance on="right" stiffness="3e4"/></equations>)xml";
  SchemeRun run(shelf, {"compliant", 1e-3, {{"stiffness", "6e4"}, {"damping", "100"}}});
  run.advance(5);
  EXPECT_NEAR(run.get("x"), -2 * 9.81 / 1e5, tol(1e-9));
  for (const auto& [row, share] : {std::pair(1, 0.1), std::pair(2, 0.3), std::pair(3, 0.6)})
    EXPECT_NEAR(run.get("scheme.multiplier[" + std::to_string(row) + "]"), -2 * 9.81 * share,
                tol(1e-6))
        << row;
  // parameters of the FMU: a softer right side takes less
  run.set("scheme.right.stiffness", 1e4);
  run.advance(5);
  EXPECT_NEAR(run.get("x"), -2 * 9.81 / 8e4, tol(1e-9));
}

// z = 0.1 sin(2 t): tracking error of the corrected equations; without phi_t it would be 2e-3.
TEST(CastroDrivenBody, FollowsWithTheListedError) {
  const char* body = R"xml(<equations name="D"><coordinate name="z" mass="3"/>
    <force on="z" value="-3*9.81"/> <holonomic name="d" value="z - 0.1*sin(2*time)"/></equations>)xml";
  for (const char* scheme : {"velocity_baumgarte", "compliant"})
    for (const auto& [step, listed] : {std::pair(1e-2, 2e-5), std::pair(2.5e-3, 1.5e-6)}) {
      SchemeRun run(body, {scheme, step});
      double error = 0;
      const int n = static_cast<int>(std::lround(2 / step));
      for (int i = 1; i <= n; ++i) {
        run.advance(step);
        error = std::max(error, std::fabs(run.get("z") - 0.1 * std::sin(2 * i * step)));
      }
      EXPECT_NEAR(error, listed, tol(0.2) * listed) << scheme << " " << step;
    }
}

}  // namespace
}  // namespace mechfmu::testing
