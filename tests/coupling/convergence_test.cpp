// Accuracy and stability of the master on two masses that are one linear system when they are not
// cut. Reference: its matrix exponential; theory: inputs of order k give order k + 1 (Busch 2012).
#include <cmath>

#include "oscillator.hpp"

namespace mechfmu::test {
namespace {

using mechfmu::testing::tol;

double calc_error(const Oscillator& oscillator, const CouplingOptions& options, double step) {
  CommunicationRequest request;
  request.step = step;
  request.stop = 2;
  const CoupledResult r = run_system(oscillator.path, options, request);
  EXPECT_TRUE(r.report.completed);
  return std::abs(r.last("left.x") - Oscillator::exact(2));
}

TEST(CouplingOrder, InputsOfOrderKGiveOrderKPlusOne) {
  const Oscillator oscillator;
  // pairs of steps where the error is well above rounding and that of rk4, and below a few percent;
  // the quotient of two errors tells the order to about 0.35 there
  for (const CouplingMethod method : {CouplingMethod::jacobi, CouplingMethod::gauss_seidel})
    for (int k = 0; k <= 2; ++k) {
      CouplingOptions options;
      options.method = method;
      options.order = k;
      const double order =
          std::log2(calc_error(oscillator, options, 0.01) / calc_error(oscillator, options, 0.005));
      EXPECT_NEAR(k + 1, order, tol(0.35))
          << "order " << k << ", " << (method == CouplingMethod::jacobi ? "jacobi" : "GS");
    }
}

TEST(CouplingOrder, GaussSeidelUsesWhatIsKnown) {
  const Oscillator oscillator;
  CouplingOptions jacobi, gauss_seidel;
  jacobi.method = CouplingMethod::jacobi;
  EXPECT_LT(calc_error(oscillator, gauss_seidel, 0.01),
            tol(0.3) * calc_error(oscillator, jacobi, 0.01));
}

TEST(CouplingSteps, SmallerToleranceSmallerError) {
  const Oscillator oscillator;
  for (const CouplingMethod method : {CouplingMethod::jacobi, CouplingMethod::gauss_seidel}) {
    CouplingOptions options;
    options.method = method;
    options.order = 1;
    options.tolerance = 1e-3;
    const double coarse = calc_error(oscillator, options, 0.1);
    options.tolerance = 1e-6;
    const double fine = calc_error(oscillator, options, 0.1);
    EXPECT_LT(coarse, tol(5e-3));  // amplitude 0.1, nominal values 1
    EXPECT_LT(fine, tol(2e-5));
    EXPECT_LT(fine, tol(0.2) * coarse);
  }
}

// A stiff spring and damper between masses that start side by side: the motion is smooth, the
// coupling is not. Per step of 10 ms a disturbance of the force grows about dc h / m = 5-fold.
TEST(CouplingStability, StiffCouplingDivergesWithFixedStepsAndConvergesWithRollback) {
  const Oscillator oscillator;
  const std::vector<std::pair<std::string, std::string>> stiff = {
      {"right.kc", "1e4"}, {"right.dc", "500"}, {"right.k", "40"}, {"right.start.x", "0.1"}};
  const double expected = Oscillator::exact(1, 1e4, 500, 40, 0.1);
  CommunicationRequest request;
  request.step = 0.01;
  request.stop = 1;
  const auto error = [&](const CouplingOptions& options) {
    const CoupledResult r = run_system(oscillator.path, options, request, stiff);
    EXPECT_TRUE(r.report.completed);
    return std::abs(r.last("left.x") - expected);
  };
  CouplingOptions options;
  options.method = CouplingMethod::jacobi;
  EXPECT_GT(error(options), 10);  // diverges: the motion has an amplitude of 0.1
  options.iterations = 30;
  const double rough = error(options);
  EXPECT_LT(rough, tol(0.01));
  request.step = 0.0025;
  EXPECT_LT(error(options), tol(0.1) * rough);  // second order: 1/16
  request.step = 0.01;
  options.iterations = 0;
  options.tolerance = 1e-4;
  EXPECT_LT(error(options), tol(1e-3));
}

TEST(CouplingStability, IterationsThatDoNotConvergeAreAnError) {
  const Oscillator oscillator;
  CouplingOptions options;
  options.iterations = 1;
  CommunicationRequest request;
  request.step = 0.01;
  const CoupledResult r =
      run_system(oscillator.path, options, request, {{"right.kc", "1e4"}, {"right.dc", "500"}});
  EXPECT_FALSE(r.report.completed);
  ASSERT_EQ(1, r.diagnostics.error_count());
  EXPECT_EQ("E816", r.diagnostics.all().front().code);
}

TEST(CouplingRun, TheSameRunGivesTheSameBits) {
  const Oscillator oscillator;
  CouplingOptions options;
  options.order = 2;
  options.tolerance = 1e-4;
  CommunicationRequest request;
  request.step = 0.02;
  EXPECT_EQ(run_system(oscillator.path, options, request).text,
            run_system(oscillator.path, options, request).text);
}

}  // namespace
}  // namespace mechfmu::test
