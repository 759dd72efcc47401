// Programs: what is left to compute after folding, and in which form.
#include "graph/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "graph/random_expression.hpp"

namespace mechfmu {
namespace {

class Programs : public ::testing::Test {
 protected:
  Graph g;
  Expr x = g.symbol(0, 0), y = g.symbol(0, 1), z = g.symbol(0, 2);
  const std::vector<double> point = {0.7, -1.3, 2.9};

  int operations(const std::vector<Expr>& results) {
    return make_program(g, results).operation_count();
  }
  std::vector<double> run(const std::vector<Expr>& results) {
    const double* in[] = {point.data(), point.data()};
    std::vector<double> out(results.size()), scratch;
    interpret(make_program(g, results), in, out.data(), scratch);
    return out;
  }
};

// Reference: operations counted by hand.
TEST_F(Programs, ASignThatNothingSharesCostsNothing) {
  EXPECT_EQ(operations({y - x}), 1);
  EXPECT_EQ(operations({1.0 - x}), 1);
  EXPECT_EQ(operations({x * -2.0}), 1);
  EXPECT_EQ(operations({-2.0 / x}), 1);
  EXPECT_EQ(operations({sqrt(1.0 - x * x)}), 3);
  EXPECT_EQ(run({y - x})[0], -1.3 - 0.7);
  EXPECT_EQ(run({1.0 - x})[0], 1.0 - 0.7);
  EXPECT_EQ(run({x - 1.0})[0], 0.7 - 1.0);
  EXPECT_EQ(run({x * -2.0})[0], 0.7 * -2.0);
  EXPECT_EQ(run({-2.0 / x})[0], -2.0 / 0.7);
}

TEST_F(Programs, ADifferenceUsedWithBothSignsIsComputedOnce) {
  const std::vector<Expr> both = {x - y, y - x, (x - y) * z, (y - x) * z};
  EXPECT_EQ(operations(both), 4);  // difference, its negative, product, its negative
  EXPECT_EQ(run(both),
            (std::vector<double>{0.7 + 1.3, -1.3 - 0.7, (0.7 + 1.3) * 2.9, (-1.3 - 0.7) * 2.9}));
}

TEST_F(Programs, ResultsMayRepeatAndMayBeLeaves) {
  const std::vector<Expr> results = {x * y, x, g.number(4), x * y, x};
  EXPECT_EQ(operations(results), 1);
  EXPECT_EQ(run(results), (std::vector<double>{0.7 * -1.3, 0.7, 4, 0.7 * -1.3, 0.7}));
  EXPECT_TRUE(run({}).empty());
}

TEST_F(Programs, SineAndCosineOfOneAngleStandTogether) {
  const std::vector<Expr> results = {cos(x), sin(y) * z, sin(x), cos(z)};
  const Program program = make_program(g, results);
  int pairs = 0;
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    pairs += program.is_sine_pair(i) ? 1 : 0;
  EXPECT_EQ(pairs, 1);
  EXPECT_NEAR(run(results)[0], std::cos(0.7), 1e-15);
  EXPECT_NEAR(run(results)[2], std::sin(0.7), 1e-15);
}

TEST_F(Programs, HoldOnlyWhatTheResultsNeed) {
  const Expr unused = sin(x * y);
  (void)unused;
  const Program program = make_program(g, std::vector<Expr>{x + z});
  EXPECT_EQ(program.instructions.size(), 3U);
}

TEST_F(Programs, OperandsComeBeforeTheirUse) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Graph graph;
    const Program program =
        make_program(graph, testing::build(graph, testing::make_recipe(seed, 4, 60)));
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
      const Instruction& k = program.instructions[i];
      const int count = operand_count(k.op);
      ASSERT_TRUE(count < 1 || k.a < i);
      ASSERT_TRUE(count < 2 || k.b < i);
      ASSERT_TRUE(count < 3 || k.c < i);
    }
  }
}

// Parameters are array 1, hoisted constants array 2. Reference: the unhoisted program; the same
// operations on the same operands, so the same value but for the order of commutative operands,
// which does not change a bit.
TEST_F(Programs, HoistingMovesParameterWorkOutAndKeepsTheValue) {
  const Expr m = g.symbol(1, 0), l = g.symbol(1, 1);
  const std::vector<Expr> original = {m * (l * l) * x + sin(m) * y, m * l, x * z, g.number(3), m};
  std::vector<Expr> results = original;
  const std::vector<Expr> constants = hoist(g, results, 1, 2);
  for (const Expr& result : results) EXPECT_FALSE(depends_on(g, result, 1));
  for (const Expr& constant : constants) EXPECT_FALSE(depends_on(g, constant, 0));
  EXPECT_EQ(constants.size(), 4U);  // m l^2, sin(m), m l, m
  EXPECT_EQ(operations(results), 4);
  EXPECT_EQ(results[2], original[2]);
  EXPECT_EQ(results[3], original[3]);

  const std::vector<double> c = run(constants);
  const double* in[] = {point.data(), nullptr, c.data()};
  std::vector<double> out(results.size()), scratch;
  interpret(make_program(g, results), in, out.data(), scratch);
  EXPECT_EQ(out, run(original));
}

TEST_F(Programs, DependenciesAreThoseOfTheFoldedExpression) {
  const Expr u = g.symbol(3, 2);
  EXPECT_TRUE(depends_on(g, x * u, 3));
  EXPECT_FALSE(depends_on(g, x + u - u, 3));
  EXPECT_EQ(dependency_mask(g, sin(y) * z, 0, 4), (std::vector<bool>{false, true, true, false}));
}

TEST_F(Programs, LongChainsAreNoDeepCalls) {
  Expr e = x;
  for (int i = 0; i < 100000; ++i) e = sin(e) + y;
  const Program program = make_program(g, std::span(&e, 1));
  EXPECT_EQ(program.operation_count(), 200000);
  EXPECT_TRUE(depends_on(g, e, 0));
}

}  // namespace
}  // namespace mechfmu
