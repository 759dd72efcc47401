// The scheme of document 002 against a prototype: ball in a bowl over 100 s at 10 ms, and the
// biped.
#include <Eigen/Dense>
#include <cmath>

#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

struct Variant {
  const char* name;  // in the regressions
  SchemeOptions options;
};

class BallInABowl : public ::testing::TestWithParam<Variant> {};

TEST_P(BallInABowl, HasTheErrorsOfThePrototype) {
  SchemeRun run(example_text("ball_in_bowl"), GetParam().options);
  const double start = run.get("energy.total");
  double positions = 0, slip = 0, energy = 0;
  for (int i = 0; i < 10000; ++i) {
    run.advance(0.01);
    positions = std::max(positions, run.get("constraint.residual"));
    slip = std::max(
        slip, std::hypot(run.get("no_slip_alpha.residual"), run.get("no_slip_beta.residual")));
    energy = std::max(energy, std::fabs(run.get("energy.total") - start));
  }
  std::string row;
  for (int i = 0; row.empty(); ++i) {
    const std::string candidate = "braun_ball_rk4_100s." + std::to_string(i) + ".";
    if (regressions().at(candidate + "variant") == GetParam().name &&
        regression(candidate + "dt") == 0.01)
      row = candidate;
  }
  // three digits are listed; errors of rounding are bounded only
  const auto expect = [&](double value, const char* name) {
    const double listed = regression(row + name);
    if (listed < 1e-12)
      EXPECT_LT(value, tol(1e-13)) << name;
    else
      EXPECT_NEAR(value, listed, tol(6e-3) * listed) << name;
  };
  expect(positions, "max_phi_q");
  expect(slip, "max_phi_v");
  expect(energy, "max_dE");
  EXPECT_NEAR(run.get("alpha"), regression(row + "alpha_end"), tol(2e-9));
  EXPECT_NEAR(run.get("beta"), regression(row + "beta_end"), tol(2e-7));
}

SchemeOptions pseudoinverse(const char* correction, const char* energy) {
  return {"pseudoinverse", 0.01, {{"correction", correction}, {"energy", energy}}};
}

INSTANTIATE_TEST_SUITE_P(All, BallInABowl,
                         ::testing::Values(Variant{"BG stage", pseudoinverse("stage", "no")},
                                           Variant{"BG stage+E", pseudoinverse("stage", "yes")},
                                           Variant{"BG frozen", pseudoinverse("frozen", "no")},
                                           Variant{"BG frozen+E", pseudoinverse("frozen", "yes")},
                                           Variant{"BG post", pseudoinverse("post", "no")},
                                           Variant{"BG post+E", pseudoinverse("post", "yes")},
                                           Variant{"Baum a=b=1/dt", {"baumgarte", 0.01}},
                                           Variant{"none", {"none", 0.01}}));

// With rk4: where the errors are taken in every stage, positions violate the constraints by the
// square of the step; else the order of the integrator is kept. Reference: steps of 1 ms, corrected
// after the step.
TEST(Pseudoinverse, KeepsTheOrderOfTheIntegratorUnlessItCorrectsStages) {
  using Eigen::VectorXd;
  double residual = 0;
  const auto end = [&](const char* correction, double step) {
    SchemeRun run(example_text("ball_in_bowl"),
                  {"pseudoinverse", step, {{"correction", correction}}});
    residual = 0;
    for (int i = 0; i < 100; ++i) {
      run.advance(0.04);
      residual = std::max(residual, run.get("constraint.residual"));
    }
    VectorXd state(8);
    int i = 0;
    for (const char* name : {"alpha", "beta", "e1x", "e1y", "e1z", "e2x", "e2y", "e2z"})
      state(i++) = run.get(name);
    return state;
  };
  const VectorXd exact = end("post", 1e-3);
  for (const char* correction : {"frozen", "post"}) {
    const double coarse = (end(correction, 0.02) - exact).norm();
    const double fine = (end(correction, 0.01) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), 4, tol(0.3)) << correction;
  }
  end("stage", 0.01);
  const double coarse = residual;
  end("stage", 0.005);
  EXPECT_NEAR(std::log2(coarse / residual), 2, tol(0.1));
}

// From the slightly inconsistent start; errors after 1 s, when they have settled.
TEST(BipedByPseudoinverse, HasTheErrorsOfThePrototype) {
  std::string text = example_text("biped");
  const std::size_t begin = text.find("<solve "), end = text.find("/>", begin);
  text.replace(begin, end - begin, "<solve start=\"as_given\"");
  for (const auto& [correction, row] :
       {std::pair("stage", "A stage"), std::pair("frozen", "B frozen"),
        std::pair("post", "C post")}) {
    SchemeRun run(text,
                  {"pseudoinverse", 0.01, {{"correction", correction}, {"tolerance", "1e-14"}}});
    double positions = 0;
    for (int i = 1; i <= 1000; ++i) {
      run.advance(0.01);
      if (i > 100) positions = std::max(positions, run.get("constraint.residual"));
    }
    const double listed =
        regression(std::string("braun_biped_rk4_100s.after_1s.") + row + ".phi_q");
    if (listed < 1e-12)
      EXPECT_LT(positions, tol(1e-13)) << row;
    else
      EXPECT_NEAR(positions, listed, tol(0.05) * listed) << row;
  }
}

}  // namespace
}  // namespace mechfmu::testing
