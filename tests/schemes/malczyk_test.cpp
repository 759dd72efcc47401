// The schemes of document 004 on its two mechanisms in absolute spatial coordinates: ranks,
// energies, residuals as listed, with the adaptive integrator of order 5 at 1e-6.
#include <cmath>

#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

struct Case {
  const char* example;
  const char* row;
  int rank, equations;
  double energy;
};

class Malczyk : public ::testing::TestWithParam<Case> {
 protected:
  static std::unique_ptr<SchemeRun> make_run(bool projection) {
    auto run = std::make_unique<SchemeRun>(
        example_text(GetParam().example),
        SchemeOptions{projection ? "augmented_lagrangian_projection" : "augmented_lagrangian",
                      1e-2,
                      {{"penalty", "1e6"},
                       {"omega", projection ? "0" : "1"},
                       {"projection_tolerance", "1e-14"}},
                      "dopri5",
                      "absolute_spatial"});
    return run;
  }
};

TEST_P(Malczyk, HasTheRanksAndTheEnergyOfTheDocument) {
  const auto run = make_run(false);
  EXPECT_EQ(run->system().analysis.rank, GetParam().rank);
  EXPECT_EQ(run->system().analysis.equations, GetParam().equations);
  EXPECT_NEAR(run->get("energy.total"), GetParam().energy, tol(1e-8));
}

// Listed are the largest errors of a prototype with another step control: the same size is asked
// for.
TEST_P(Malczyk, HasErrorsOfTheListedSize) {
  for (const bool projection : {false, true}) {
    const auto run = make_run(projection);
    const double start = run->get("energy.total");
    double phi = 0, rate = 0, energy = 0;
    for (int i = 0; i < 100; ++i) {
      run->advance(0.1);
      phi = std::max(phi, run->get("constraint.residual"));
      rate = std::max(rate, run->get("constraint.residual_velocity"));
      energy = std::max(energy, std::fabs(run->get("energy.total") - start));
    }
    const std::string row = std::string("malczyk_dp54_tol1e-6_10s.") + GetParam().row +
                            (projection ? ".projection." : ".no_projection.");
    EXPECT_LT(energy, tol(5) * regression(row + "dE"));
    if (projection) {
      EXPECT_LT(phi, tol(1e-12));
      EXPECT_LT(rate, tol(1e-11));
    } else {
      EXPECT_LT(phi, tol(4) * regression(row + "phi"));
      EXPECT_LT(rate, tol(4) * regression(row + "phid"));
      EXPECT_GT(phi, regression(row + "phi") / 100);  // it does drift a little
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Malczyk,
                         ::testing::Values(Case{"five_bar", "fivebar", 22, 25, -6.751153320},
                                           Case{"double_loop", "double_loop", 44, 50,
                                                -21.983311957}));

// Reference: exact reduced equation (tests/data/n_four_bar.csv): through the singular pose at every
// turn.
TEST(AugmentedLagrangian, PassesTheSingularPoseOfTheFourBar) {
  for (const char* scheme : {"augmented_lagrangian_projection", "projection"}) {
    SchemeRun run(example_text("n_four_bar"), {scheme, 5e-3, {}, "rk4", "joint"});
    SchemeRun exact(example_text("n_four_bar"), {"projection", 1e-3, {}, "rk4", "joint"});
    run.advance(20);
    exact.advance(20);
    for (const InterfaceVariable& v : run.system().interface.variables)
      if (v.causality == Causality::output && v.name.find("angle") != std::string::npos) {
        EXPECT_NEAR(run.get(v.name), exact.get(v.name), tol(1e-3)) << scheme << " " << v.name;
      }
  }
}

}  // namespace
}  // namespace mechfmu::testing
