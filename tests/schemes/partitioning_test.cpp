// Coordinate partitioning (document 003) on slider-crank and squeezer through full turns of their
// cranks, against solutions that were computed without mechfmu: positions to rounding and the
// order of the integrator.
#include <algorithm>
#include <cmath>

#include "physics/reference_data.hpp"
#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

struct Journey {
  const char* example;
  std::vector<std::string> columns;  // what is compared
  double step, stop;                 // coarse step [s], until when [s]
  double noise;                      // of the reference, in the norm below
};

struct Errors {
  double motion = 0, residual = 0, turns = 0;
};

// Over all rows of the reference, each column relative to its largest value.
Errors run_partitioning(const Journey& c, const std::string& repivot, double step) {
  const ReferenceData data = read_reference(c.example);
  SchemeRun run(example_text(c.example), {"partitioning", step, {{"repivot", repivot}}, "rk4"});
  for (const auto& [name, value] : data.values) run.set(name, value);
  run.initialize();
  Errors errors;
  double square = 0;
  int count = 0;
  for (std::size_t r = 0; r < data.times.size() && data.times[r] <= c.stop; ++r) {
    const double h = data.times[r] - run.simulation().time();
    if (h > 0) run.advance(h);
    for (const std::string& name : c.columns) {
      const auto column = static_cast<std::size_t>(
          std::find(data.columns.begin(), data.columns.end(), name) - data.columns.begin());
      square += std::pow((run.get(name) - data.rows[r].at(column)) / data.scale(column), 2);
      ++count;
    }
    errors.residual = std::max(errors.residual, run.get("constraint.residual"));
  }
  errors.motion = std::sqrt(square / count);
  errors.turns = std::fabs(run.get(c.columns[0])) / (2 * std::acos(-1.0));
  return errors;
}

class Partitioning : public ::testing::TestWithParam<Journey> {};

// A step of h leaves C h^4 (1 + D h + ...). On the squeezer, the
// next term still adds to the slope at these steps (4.4), finer ones reach the error of the
// reference: so the order is what is reached at least.
TEST_P(Partitioning, HasTheOrderOfItsIntegratorThroughFullTurns) {
  const Journey& c = GetParam();
  for (const char* repivot : {"each_step", "when_needed"}) {
    Errors errors[3];
    for (std::size_t k = 0; k < 3; ++k) {
      errors[k] = run_partitioning(c, repivot, c.step / (1 << k));
      EXPECT_LT(errors[k].residual, tol(1e-13)) << repivot;
    }
    EXPECT_GT(errors[0].turns, 2) << "full turns";
    EXPECT_GT(errors[2].motion, 30 * c.noise) << "the error of the reference would be seen";
    const double first = std::log2(errors[0].motion / errors[1].motion);
    const double second = std::log2(errors[1].motion / errors[2].motion);
    EXPECT_GT(first, 3.7) << errors[0].motion << " " << errors[1].motion;
    EXPECT_GT(second, 3.9) << errors[1].motion << " " << errors[2].motion;
    EXPECT_LT(second, 4.6) << errors[1].motion << " " << errors[2].motion;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Partitioning,
    ::testing::Values(Journey{"slider_crank", {"crank_angle", "piston_position"}, 4e-3, 1, 1e-12},
                      Journey{"squeezer_equations",
                              {"beta", "theta", "gamma", "delta", "epsilon"},
                              6e-5,
                              0.03,
                              1e-13}),
    [](const auto& test) { return std::string(test.param.example); });

}  // namespace
}  // namespace mechfmu::testing
