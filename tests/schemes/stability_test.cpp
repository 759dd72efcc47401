// How constraint errors propagate (document 000, section V): on a linear constraint without any
// other motion a step maps (phi, h phi') to (phi, h phi') by a 2 x 2 matrix, whose spectral radius
// says whether errors die out. Found by stepping the two unit errors; stated on the page of each
// scheme.
#include <Eigen/Dense>
#include <cmath>

#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

constexpr double kStep = 0.01;

Eigen::Matrix2d propagator(const std::string& scheme) {
  SchemeRun run(R"xml(<equations name="E"><coordinate name="x" mass="1"/>
    <holonomic name="wall" value="x"/></equations>)xml",
                {scheme, kStep});
  Eigen::Matrix2d map;
  for (int i = 0; i < 2; ++i) {
    run.simulation().position()[0] = i == 0 ? 1e-3 : 0;
    run.simulation().velocity()[0] = i == 1 ? 1e-3 / kStep : 0;
    EXPECT_TRUE(run.simulation().advance(0, kStep)) << run.simulation().failure();
    map(0, i) = run.simulation().position()[0] / 1e-3;
    map(1, i) = run.simulation().velocity()[0] * kStep / 1e-3;
  }
  return map;
}

struct Case {
  const char* scheme;
  double radius;
};

TEST(Propagator, HasTheSpectralRadiusThatThePageStates) {
  const std::vector<Case> cases = {
      {"none", 1},
      {"baumgarte", 0.375},  // rk4 at h alpha = -1: 1 - 1 + 1/2 - 1/6 + 1/24
      {"projection", 0},
      {"velocity", 1},
      {"velocity_baumgarte", 0},
      {"velocity_projection", 0},
      {"compliant", 1e-2},
      {"taylor1", 0},
      {"taylor2", 1},  // eigenvalues 0 and -1
      {"partitioning", 0},
      {"pseudoinverse", 0},
      {"augmented_lagrangian", std::exp(-0.2)},  // omega h = 0.2
      {"augmented_lagrangian_projection", 0}};
  EXPECT_EQ(cases.size(), scheme_types().size());
  for (const Case& c : cases) {
    const double radius = propagator(c.scheme).eigenvalues().cwiseAbs().maxCoeff();
    // a double eigenvalue is found to the root of rounding
    EXPECT_NEAR(radius, c.radius, tol(c.radius == 1e-2 ? 1e-2 : 2e-3)) << c.scheme;
  }
}

TEST(Propagator, OfTaylor2ChangesTheSignOfVelocityErrors) {
  const auto values = propagator("taylor2").eigenvalues();
  const double low = std::min(values(0).real(), values(1).real());
  const double high = std::max(values(0).real(), values(1).real());
  EXPECT_NEAR(low, -1, tol(1e-6));
  EXPECT_NEAR(high, 0, tol(1e-6));
}

}  // namespace
}  // namespace mechfmu::testing
