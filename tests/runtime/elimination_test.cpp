// The solvers `sparse` and `divide_and_conquer` against dense elimination (Eigen), on mechanisms
// made of random numbers: bodies with random inertias, joints with random rows between them.
// Chains, single and coupled loops, stars and trees; odd and even counts, one body alone.
#include "solvers/elimination.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "formulation/elimination.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Link {
  int a, b;  // bodies; -1: the ground
};

struct Topology {
  std::string name;
  int bodies;
  std::vector<Link> links;
};

void PrintTo(const Topology& t, std::ostream* out) { *out << t.name; }

Topology chain(int n) {
  Topology t{"chain" + std::to_string(n), n, {}};
  for (int i = 0; i < n; ++i) t.links.push_back({i - 1, i});
  return t;
}
Topology loop(int n) {
  Topology t = chain(n);
  t.name = "loop" + std::to_string(n);
  t.links.push_back({n - 1, -1});
  return t;
}
// A loop that does not touch the ground, hung on one body.
Topology ring(int n) {
  Topology t = chain(n);
  t.name = "ring" + std::to_string(n);
  t.links.push_back({n - 1, 0});
  return t;
}
Topology ladder(int n) {
  Topology t{"ladder" + std::to_string(n), 2 * n + 1, {{-1, 0}}};
  for (int i = 0; i < n; ++i) {
    t.links.push_back({2 * i, 2 * i + 1});
    t.links.push_back({2 * i + 1, 2 * i + 2});
    t.links.push_back({2 * i + 2, -1});
  }
  return t;
}
Topology star(int n) {
  Topology t{"star" + std::to_string(n), n + 1, {{-1, 0}}};
  for (int i = 1; i <= n; ++i) t.links.push_back({0, i});
  return t;
}
Topology binary_tree(int n) {
  Topology t{"tree" + std::to_string(n), n, {}};
  for (int i = 0; i < n; ++i) t.links.push_back({i == 0 ? -1 : (i - 1) / 2, i});
  return t;
}

// M, J and right-hand sides, dense and as the workspace of the kernels holds them.
struct Problem {
  Problem(const Topology& t, int joint_rows, unsigned seed) : random(seed) {
    nv = 6 * t.bodies;
    nc = joint_rows * static_cast<int>(t.links.size());
    M = MatrixXd::Zero(nv, nv);
    J = MatrixXd::Zero(nc, nv);
    for (int k = 0; k < t.bodies; ++k) {
      const MatrixXd root = make_random(3, 3);
      M.block<3, 3>(6 * k, 6 * k) = MatrixXd::Identity(3, 3) * (1.5 + uniform(random));
      M.block<3, 3>(6 * k + 3, 6 * k + 3) = root * root.transpose() + MatrixXd::Identity(3, 3);
      for (int i = 0; i < 6; ++i) body.push_back(k);
    }
    int row = 0;
    for (const Link& link : t.links) {
      for (const int k : {link.a, link.b})
        if (k >= 0) J.block(row, 6 * k, joint_rows, 6) = make_random(joint_rows, 6);
      row += joint_rows;
    }
    for (int i = 0; i < nv; ++i)
      for (int j = 0; j <= i; ++j)
        if (M(i, j) != 0) add(mass, i, j, M(i, j));
    jacobian_source = static_cast<int>(work.size());
    for (int i = 0; i < nc; ++i)
      for (int j = 0; j < nv; ++j)
        if (J(i, j) != 0) add(jacobian, i, j, J(i, j));
    f = make_random(nv, 1);
    b = make_random(nc, 1);
  }
  MatrixXd make_random(int rows, int columns) {
    MatrixXd m(rows, columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) m(i, j) = uniform(random);
    return m;
  }
  void add(Pattern& pattern, int i, int j, double value) {
    pattern.row.push_back(i);
    pattern.column.push_back(j);
    work.push_back(value);
  }
  std::mt19937 random;
  std::uniform_real_distribution<double> uniform{-1, 1};
  int nv, nc, jacobian_source;
  MatrixXd M, J;
  VectorXd f, b;
  Pattern mass, jacobian;
  std::vector<double> work;
  std::vector<int> body;
};

struct Solution {
  bool done = false;
  VectorXd a, lambda;
};

Solution solve(const Problem& p, EliminationMethod method, const double* compliance) {
  const EliminationPlan plan =
      make_elimination({p.nv, p.nc, p.mass, p.jacobian, 0, p.jacobian_source, p.body}, method);
  const runtime::EliminationTables tables = plan.view();
  runtime::Model model{};
  model.nv = p.nv;
  model.nc = p.nc;
  model.elimination = &tables;
  runtime::Arena counting(nullptr);
  const runtime::EliminationFactor unused(model, counting);
  std::vector<double> memory(counting.used() + 1);
  runtime::Arena arena(memory.data());
  runtime::EliminationFactor factor(model, arena);
  Solution s{false, VectorXd(p.nv), VectorXd(p.nc)};
  VectorXd y(p.nv), g(p.nc);
  factor.eliminate_accelerations(p.work.data());
  s.done = factor.factor_multipliers(compliance);
  if (!s.done) return s;
  factor.reduce(p.f.data(), p.b.data(), y.data(), g.data());
  factor.solve_multipliers(g.data(), s.lambda.data());
  factor.expand(y.data(), s.lambda.data(), s.a.data());
  return s;
}

Solution solve_densely(const Problem& p, const double* compliance) {
  const int n = p.nv + p.nc;
  MatrixXd K = MatrixXd::Zero(n, n);
  K.topLeftCorner(p.nv, p.nv) = p.M;
  K.bottomLeftCorner(p.nc, p.nv) = p.J;
  K.topRightCorner(p.nv, p.nc) = p.J.transpose();
  for (int i = 0; i < p.nc; ++i) K(p.nv + i, p.nv + i) = compliance ? -compliance[i] : 0;
  VectorXd side(n);
  side << p.f, p.b;
  const VectorXd x = K.fullPivLu().solve(side);
  return {true, x.head(p.nv), x.tail(p.nc)};
}

std::vector<Topology> topologies() {
  return {chain(1),  chain(2),  chain(3), chain(8), chain(17),      loop(1),
          loop(2),   loop(5),   loop(16), ring(3),  ring(6),        ladder(1),
          ladder(4), ladder(7), star(3),  star(8),  binary_tree(7), binary_tree(12)};
}

class Elimination : public ::testing::TestWithParam<std::tuple<Topology, EliminationMethod>> {
 protected:
  [[nodiscard]] static const Topology& topology() { return std::get<0>(GetParam()); }
  [[nodiscard]] static EliminationMethod method() { return std::get<1>(GetParam()); }
  static void expect_same(const Solution& found, const Solution& exact) {
    ASSERT_TRUE(found.done);
    EXPECT_LT((found.a - exact.a).norm(), tol(1e-8) * (1 + exact.a.norm()));
    EXPECT_LT((found.lambda - exact.lambda).norm(), tol(1e-8) * (1 + exact.lambda.norm()));
  }
};

TEST_P(Elimination, SolvesTheRigidEquations) {
  const Problem p(topology(), 3, 1);
  expect_same(solve(p, method(), nullptr), solve_densely(p, nullptr));
}

// More rows than a mechanism can bear: J has not full rank, compliance makes the matrix regular.
TEST_P(Elimination, SolvesRedundantEquationsWithCompliance) {
  Problem p(topology(), 5, 2);
  // the last joint repeats what the ones before say
  p.J.row(p.nc - 1) = p.J.row(p.nc - 2);
  for (std::size_t k = 0; k < p.jacobian.row.size(); ++k)
    p.work[static_cast<std::size_t>(p.jacobian_source) + k] =
        p.J(p.jacobian.row[k], p.jacobian.column[k]);
  std::vector<double> compliance;
  for (int i = 0; i < p.nc; ++i) compliance.push_back(i % 2 == 0 ? 1e-6 : 3e-5);
  expect_same(solve(p, method(), compliance.data()), solve_densely(p, compliance.data()));
  EXPECT_FALSE(solve(p, method(), nullptr).done) << "a repeated row is a pivot of nothing";
}

INSTANTIATE_TEST_SUITE_P(
    All, Elimination,
    ::testing::Combine(::testing::ValuesIn(topologies()),
                       ::testing::Values(EliminationMethod::sparse,
                                         EliminationMethod::divide_and_conquer)),
    [](const auto& test) {
      return std::get<0>(test.param).name +
             (std::get<1>(test.param) == EliminationMethod::sparse ? "_sparse" : "_tree");
    });

// Work and memory in proportion to the bodies: what the fronts hold, per body, does not grow.
TEST(DivideAndConquer, FrontsOfLongChainsStaySmall) {
  for (const auto make : {chain, loop}) {
    const auto memory_of = [&](int n) {
      const Problem p(make(n), 5, 3);
      return static_cast<double>(
                 make_elimination({p.nv, p.nc, p.mass, p.jacobian, 0, p.jacobian_source, p.body},
                                  EliminationMethod::divide_and_conquer)
                     .front_memory) /
             n;
    };
    EXPECT_LT(memory_of(128), 1.3 * memory_of(16));
  }
}

// A NaN in the matrix is a weak pivot, not an endless loop nor a result.
TEST_P(Elimination, RefusesWhatIsNotFinite) {
  Problem p(topology(), 3, 4);
  p.work.back() = std::nan("");
  EXPECT_FALSE(solve(p, method(), nullptr).done);
}

}  // namespace
}  // namespace mechfmu::testing
