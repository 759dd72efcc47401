// The benchmark's problems, references and rules: that everybody simulates the same, and that the
// references are right. No engine runs here.
#include <random>

#include "exact/hand_written.hpp"
#include "exact/integrators.hpp"
#include "exact/newton_euler.hpp"
#include "exact/references.hpp"
#include "measure/work_precision.hpp"
#include "physics/reference_data.hpp"
#include "problems/mechanism_text.hpp"
#include "problems/start_pose.hpp"

namespace mechfmu::bench {
namespace {

using mechfmu::testing::MechanismRun;
using mechfmu::testing::read_reference;
using mechfmu::testing::tol;

constexpr std::size_t kManyBodies = 20;  // the interpreter is slow

TEST(BenchmarkProblems, LoopsAreClosedAndReferencesBeginAtTheStart) {
  for (const std::string& name : problem_names()) {
    const Problem problem = find_problem(name);
    const std::vector<BodyState> start = start_pose(problem);
    EXPECT_LT(largest_gap(problem, start), tol(1e-12)) << name;
    EXPECT_LT((bench::read_reference(problem).front() - marker_position(problem, start)).norm(),
              tol(1e-12))
        << name;
  }
}

// The mechanism file and the description that peers get: the same start, and after 10 ms the place
// that the reference has there, which comes from neither.
TEST(BenchmarkProblems, MechanismFilesAreTheSamePhysics) {
  for (const std::string& name : problem_names()) {
    const Problem problem = find_problem(name);
    if (problem.bodies.size() > kManyBodies) continue;
    SystemOptions options;
    options.step = problem.interval() / 20;
    MechanismRun run(mechanism_text(problem), options);
    run.initialize();
    const auto marker = [&] {
      return Vector3d(run.get("marker_x"), run.get("marker_y"),
                      problem.is_planar ? 0 : run.get("marker_z"));
    };
    const std::vector<Vector3d> reference = bench::read_reference(problem);
    EXPECT_LT((marker() - reference[0]).norm(), tol(1e-10)) << name;
    for (int i = 0; i < 4; ++i) run.advance(problem.interval());
    // moved by more than this: a force that is missing would show
    ASSERT_GT((reference[4] - reference[0]).norm(), 1e-6) << name;
    EXPECT_LT((marker() - reference[4]).norm(), tol(1e-8)) << name;
  }
}

// Minimal coordinates against Newton and Euler: accelerations of the first joint at the start.
TEST(BenchmarkReferences, HandWrittenEquationsAgreeWithNewtonEuler) {
  const auto first_spin_rate = [](const Problem& problem) {
    const NewtonEuler equations(problem);
    return equations.rates(equations.start())[12];  // about z of the first body
  };
  const auto by_hand = [](auto equations, double q, double v) {
    double a = 0;
    equations.accelerations(&q, &v, &a);
    return a;
  };
  Problem bars = four_bar();
  const double theta = bars.joints[0].start[0];
  EXPECT_NEAR(by_hand(FourBarByHand(), theta, 0), first_spin_rate(bars), tol(1e-9));
  EXPECT_NEAR(by_hand(SliderCrankByHand(), theta, 0), first_spin_rate(slider_crank()), tol(1e-9));
  // started with speed; theta is from upright, the other way round
  EXPECT_NEAR(-by_hand(ParallelogramsByHand(2), 0.0, 1.0), first_spin_rate(n_four_bar(2)),
              tol(1e-9));
  ChainByHand links(10);
  const std::vector<double> zero(10, 0);
  std::vector<double> a(10);
  links.accelerations(zero.data(), zero.data(), a.data());
  EXPECT_NEAR(a[0], first_spin_rate(chain(10)), tol(1e-9));
}

TEST(BenchmarkReferences, BothWaysToWriteTheFourBarAreOne) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-4, 4);
  for (int i = 0; i < 100; ++i) {
    const double q = uniform(random), v = uniform(random);
    double a = 0, b = 0;
    FourBarByHand::accelerations(&q, &v, &a);
    FourBarWithAngles::accelerations(&q, &v, &b);
    EXPECT_NEAR(a, b, tol(1e-11 * (1 + std::fabs(a))));
  }
}

// The integrator of the hand-written code follows the references, too.
TEST(BenchmarkReferences, FourBarByHandFollowsTheReference) {
  const Problem problem = four_bar();
  const std::vector<Vector3d> reference = bench::read_reference(problem);
  const auto rates = [](const double* q, const double* v, double* a) {
    FourBarByHand::accelerations(q, v, a);
  };
  SecondOrder<2, decltype(rates)> ode(1, rates);
  ode.y = {problem.joints[0].start[0], 0};
  double largest = 0;
  for (std::size_t i = 1; i < reference.size(); ++i) {
    ode.run_dopri5(problem.interval(), 1e-12);
    Vector3d marker = Vector3d::Zero();
    FourBarByHand::marker(ode.y.data(), marker.data());
    largest = std::max(largest, (marker - reference[i]).norm());
  }
  EXPECT_LT(largest, tol(1e-8));
}

// Independent references of the project: Bricard's hinge P3, and the crank of Andrews' squeezer.
TEST(BenchmarkReferences, AgreeWithOthers) {
  const testing::ReferenceData bricard_data = read_reference("bricard");
  const std::vector<Vector3d> path = bench::read_reference(bricard());
  for (std::size_t i = 0; i < bricard_data.times.size(); ++i) {
    const auto k = static_cast<std::size_t>(std::lround(bricard_data.times[i] / 0.025));
    if (bricard_data.times[i] > 5) break;  // later rows are not confirmed
    const std::vector<double>& row = bricard_data.rows[i];
    EXPECT_LT((path[k] - Vector3d(row[0], row[1], row[2])).norm(), tol(1e-10));
  }
  const testing::ReferenceData squeezer_data = read_reference("squeezer");
  const std::vector<Vector3d> crank = bench::read_reference(squeezer());
  ASSERT_EQ(squeezer_data.columns[0], "beta");
  int compared = 0;
  for (std::size_t i = 0; i < squeezer_data.times.size(); ++i) {
    const double sample = squeezer_data.times[i] / 0.00015;
    if (std::fabs(sample - std::round(sample)) > 1e-6) continue;
    const double beta = squeezer_data.rows[i][0];
    const Vector3d tip(0.007 * std::cos(beta), 0.007 * std::sin(beta), 0);
    EXPECT_LT((crank[static_cast<std::size_t>(std::lround(sample))] - tip).norm(), tol(1e-11));
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

TEST(BenchmarkRule, CostIsBetweenTheRunsAroundTheTolerance) {
  const auto cost = cost_at({{4, 1e-1, 1}, {2, 1e-2, 10}, {1, 1e-4, 100}, {0.5, 1e-5, 200}}, 1e-3);
  ASSERT_TRUE(cost);
  EXPECT_NEAR(cost->cost, std::sqrt(10 * 100.0), 1e-9);
  EXPECT_NEAR(cost->setting, std::sqrt(2 * 1.0), 1e-9);
}

TEST(BenchmarkRule, ALuckyRunDoesNotCount) {
  const auto cost = cost_at({{4, 1e-4, 1}, {2, 1e-2, 10}, {1, 1e-4, 100}, {0.5, 1e-5, 200}}, 1e-3);
  ASSERT_TRUE(cost);
  EXPECT_GT(cost->cost, 10);
}

TEST(BenchmarkRule, NobodyIsCheaperThanTheCoarsestRun) {
  const auto cost = cost_at({{4, 1e-7, 3}, {2, 1e-8, 6}}, 1e-3);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->cost, 3);
}

TEST(BenchmarkRule, NotReachedIsNoCost) {
  EXPECT_FALSE(cost_at({{4, 1e-1, 1}, {2, 1e-2, 10}}, 1e-3));
}

}  // namespace
}  // namespace mechfmu::bench
