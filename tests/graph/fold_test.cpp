// Folding: identities that must give one node, values that must not change, chains that must not
// recurse.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "graph/derivative.hpp"
#include "graph/graph.hpp"
#include "graph/program.hpp"
#include "graph/random_expression.hpp"

namespace mechfmu {
namespace {

class Folding : public ::testing::Test {
 protected:
  Graph g;
  Expr x = g.symbol(0, 0), y = g.symbol(0, 1), z = g.symbol(0, 2), w = g.symbol(0, 3);
  Expr zero = g.number(0), one = g.number(1);
  Expr f(Op op, Expr a) { return g.make(op, a); }
  Expr f(Op op, Expr a, Expr b) { return g.make(op, a, b); }
};

// reference for this whole group: school algebra
TEST_F(Folding, EqualExpressionsAreOneNode) {
  EXPECT_EQ(g.symbol(0, 1), y);
  EXPECT_EQ(sin(x * y), sin(y * x));
  EXPECT_FALSE(g.symbol(1, 0) == x);
  EXPECT_FALSE(x / y == y / x);
}

TEST_F(Folding, MinusZeroAndZeroAreOneConstant) {
  EXPECT_EQ(g.number(-0.0), zero);
  EXPECT_TRUE(g.number(-0.0).is_zero());
  EXPECT_FALSE(std::signbit(g.number(-0.0).constant()));
}

TEST_F(Folding, ZerosAndOnesVanish) {
  EXPECT_EQ(x + zero, x);
  EXPECT_EQ(zero + x, x);
  EXPECT_EQ(x - zero, x);
  EXPECT_EQ(zero - x, -x);
  EXPECT_EQ(x * zero, zero);
  EXPECT_EQ(zero * x, zero);
  EXPECT_EQ(x * one, x);
  EXPECT_EQ(x * -1.0, -x);
  EXPECT_EQ(x / one, x);
  EXPECT_EQ(x / -1.0, -x);
  EXPECT_EQ(zero / x, zero);
  EXPECT_EQ(x - x, zero);
  EXPECT_EQ(x / x, one);
  EXPECT_EQ(x + -x, zero);
  EXPECT_EQ(-(-x), x);
}

TEST_F(Folding, CommutativeOperandsHaveOneOrder) {
  for (const Op op : {Op::add, Op::multiply, Op::min, Op::max, Op::equal}) {
    EXPECT_EQ(f(op, x, y), f(op, y, x)) << op_name(op);
    EXPECT_EQ(f(op, x, g.number(3)), f(op, g.number(3), x)) << op_name(op);
  }
  for (const Op op : {Op::less, Op::less_equal, Op::atan2, Op::power, Op::divide})
    EXPECT_FALSE(f(op, x, y) == f(op, y, x)) << op_name(op);
}

TEST_F(Folding, SignsMoveOutwards) {
  EXPECT_EQ(y - x, -(x - y));
  EXPECT_EQ((x - y) * (x - y), (y - x) * (y - x));
  EXPECT_EQ(3.0 - x, -(x - 3.0));
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ((-x) * y, -(x * y));
  EXPECT_EQ(x * -2.0, -(2.0 * x));
  EXPECT_EQ((-x) / (-y), x / y);
  EXPECT_EQ(-3.0 / x, -(3.0 / x));
  EXPECT_EQ((-x) + (-y), -(x + y));
  EXPECT_EQ((-x) - y, -(x + y));
  EXPECT_EQ(x - (-y), x + y);
  EXPECT_EQ((-x) + y, y - x);
  for (const Op op : {Op::sin, Op::tan, Op::asin, Op::atan, Op::sinh, Op::tanh, Op::round})
    EXPECT_EQ(f(op, -x), -f(op, x)) << op_name(op);
  for (const Op op : {Op::cos, Op::cosh, Op::abs}) EXPECT_EQ(f(op, -x), f(op, x)) << op_name(op);
}

TEST_F(Folding, ConstantsMeet) {
  EXPECT_EQ(1.5 + (2.0 + x), 3.5 + x);
  EXPECT_EQ((x - 1.5) + 1.5, x);
  EXPECT_EQ(1.5 - (2.0 - x), x - 0.5);
  EXPECT_EQ(3.0 * (2.0 * x), 6.0 * x);
  EXPECT_EQ(0.5 * (2.0 * x), x);
  EXPECT_EQ(2.0 * (3.0 / x), 6.0 / x);
  EXPECT_EQ(x / 4.0, 0.25 * x);
  EXPECT_EQ((6.0 * x) / 3.0, 2.0 * x);
  EXPECT_EQ((6.0 * x) / (3.0 * y), 2.0 * (x / y));
  EXPECT_EQ((2.0 * x) / (2.0 * y), x / y);
  EXPECT_EQ(x + x, 2.0 * x);
  EXPECT_EQ(3.0 * x - x, 2.0 * x);
  EXPECT_EQ(x + x + x - 3.0 * x, zero);
  EXPECT_EQ(2.0 * x + 2.0 * y, 2.0 * (x + y));
  EXPECT_EQ(2.0 * x - 2.0 * y, 2.0 * (x - y));
}

// 1e-200*(1e-200*x) is 1e-100 for x = 1e300, but 1e-200*1e-200 is an exact zero in floating point;
// the same upside down for 1e200.
TEST_F(Folding, ConstantsThatLeaveTheNormalRangeAreNotMerged) {
  EXPECT_FALSE((1e-200 * (1e-200 * x)).is_zero());
  EXPECT_EQ((1e200 * (1e200 * x)).node().op, Op::multiply);
  EXPECT_FALSE((1e200 * (1e200 * x)).node().a == g.number(INFINITY).id());
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ((x / g.number(tiny)).node().op, Op::divide);
  EXPECT_EQ((x / g.number(1.5e308)).node().op, Op::divide);
}

TEST_F(Folding, EqualTermsOfNestedSumsCancel) {
  EXPECT_EQ((x + y) - x, y);
  EXPECT_EQ((x + y) - y, x);
  EXPECT_EQ(x - (x + y), -y);
  EXPECT_EQ(x - (x - y), y);
  EXPECT_EQ((x - y) + y, x);
  EXPECT_EQ((x - y) - x, -y);
  EXPECT_EQ((x + y) - (x + z), y - z);
  EXPECT_EQ((x + y) - (z + y), x - z);
  EXPECT_EQ((x - y) + (y - z), x - z);
  EXPECT_EQ((x - y) - (x - z), z - y);
  EXPECT_EQ((1.5 + x) - (1.5 + y), x - y);
  EXPECT_FALSE((x + y) + x == y);
  EXPECT_FALSE((x - y) - y == x);
}

TEST_F(Folding, ProductsWithTheSameFactorsAreEqualTerms) {
  EXPECT_EQ((x * y) * z - x * (y * z), zero);
  EXPECT_EQ((x * y) * z + (z * x) * y, 2.0 * ((x * y) * z));
  EXPECT_FALSE(((x * y) * z - x * (y * y)).is_zero());
}

TEST_F(Folding, SineAndCosineSquaredAddToOne) {
  const Expr s = sin(x), c = cos(x);
  EXPECT_EQ(s * s + c * c, one);
  EXPECT_EQ(c * c + s * s, one);
  EXPECT_EQ(2.5 * (s * s) + 2.5 * (c * c), g.number(2.5));
  EXPECT_EQ(-(s * s) - c * c, g.number(-1));
  EXPECT_EQ((y * s) * (y * s) + (y * c) * (y * c), y * y);
  EXPECT_EQ(s * (y * s) + c * (c * y), y);
  EXPECT_FALSE(s * s + cos(y) * cos(y) == one);
  EXPECT_FALSE(s * s - c * c == one);
  EXPECT_FALSE(s * s + s * s == one);
  EXPECT_FALSE((y * s) * (y * s) + (z * c) * (z * c) == y * y);
}

TEST_F(Folding, SmallPowersBecomeProductsAndRoots) {
  const auto power = [&](double n) { return f(Op::power, x, g.number(n)); };
  EXPECT_EQ(power(0), one);
  EXPECT_EQ(power(1), x);
  EXPECT_EQ(power(2), x * x);
  EXPECT_EQ(power(4), (x * x) * (x * x));
  EXPECT_EQ(power(-1), 1.0 / x);
  EXPECT_EQ(power(-2), 1.0 / (x * x));
  EXPECT_EQ(power(0.5), sqrt(x));
  EXPECT_EQ(power(-0.5), 1.0 / sqrt(x));
  EXPECT_EQ(power(1.5), x * sqrt(x));
  EXPECT_EQ(power(0.3).node().op, Op::power);
  EXPECT_EQ(power(9).node().op, Op::power);
  EXPECT_EQ(power(INFINITY).node().op, Op::power);
  EXPECT_EQ(power(NAN).node().op, Op::power);
  EXPECT_EQ(f(Op::power, one, x), one);
}

TEST_F(Folding, RootsAndAbsoluteValuesOfSquares) {
  EXPECT_EQ(sqrt(x) * sqrt(x), x);
  EXPECT_EQ(sqrt(x * x), f(Op::abs, x));
  EXPECT_EQ(f(Op::abs, x) * f(Op::abs, x), x * x);
  EXPECT_EQ(f(Op::abs, f(Op::abs, x)), f(Op::abs, x));
  EXPECT_EQ(f(Op::abs, sqrt(x)), sqrt(x));
  EXPECT_EQ(cos(f(Op::abs, x)), cos(x));
}

TEST_F(Folding, ComparisonsAndChoicesOfEqualThings) {
  EXPECT_EQ(less(x, x), zero);
  EXPECT_EQ(f(Op::less_equal, x, x), one);
  EXPECT_EQ(f(Op::equal, x, x), one);
  EXPECT_EQ(f(Op::min, x, x), x);
  EXPECT_EQ(f(Op::max, x, x), x);
  EXPECT_EQ(select(less(x, y), z, z), z);
  EXPECT_EQ(select(one, x, y), x);
  EXPECT_EQ(select(zero, x, y), y);
  EXPECT_EQ(select(g.number(-2), x, y), x);
}

TEST_F(Folding, ConstantsFoldToWhatTheInterpreterComputes) {
  for (int k = static_cast<int>(Op::add); k <= static_cast<int>(Op::equal); ++k) {
    const Op op = static_cast<Op>(k);
    const Expr e =
        operand_count(op) == 1 ? f(op, g.number(0.7)) : f(op, g.number(0.7), g.number(2.3));
    ASSERT_TRUE(e.is_constant()) << op_name(op);
    EXPECT_EQ(e.constant(), operand_count(op) == 1 ? apply(op, 0.7) : apply(op, 0.7, 2.3))
        << op_name(op);
  }
  EXPECT_EQ((one / zero).constant(), INFINITY);
  EXPECT_EQ((g.number(1e308) + g.number(1e308)).constant(), INFINITY);
  EXPECT_TRUE(std::isnan(sqrt(g.number(-1)).constant()));
}

// Reference: the unfolded recipe in plain arithmetic. Both it and the folded form are within the
// first-order rounding bound of the exact value (a merged constant is counted in it); twice the sum
// of the two for second-order effects.
TEST(FoldingProperty, RandomExpressionsKeepTheirValue) {
  int folded = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const testing::Recipe recipe = testing::make_recipe(seed, 3, 40);
    Graph g;
    const std::vector<Expr> e = testing::build(g, recipe);
    const Program program = make_program(g, e);
    std::vector<double> out(e.size()), scratch;
    const double* in[] = {recipe.point.data()};
    interpret(program, in, out.data(), scratch);
    for (std::size_t k = 0; k < e.size(); ++k)
      ASSERT_NEAR(out[k], recipe.value[k], 4 * recipe.error[k])
          << "seed " << seed << " step " << k << " " << op_name(recipe.steps[k].op);
    if (program.operation_count() < 40) ++folded;
  }
  EXPECT_GT(folded, 1000);  // else the property says nothing about folding
}

// Reference: the definition of a normal form.
TEST(FoldingProperty, MakingANodeAgainGivesTheSameNode) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Graph g;
    testing::build(g, testing::make_recipe(seed, 3, 60));
    const std::size_t size = g.size();
    for (NodeId id = 0; id < size; ++id) {
      const Node n = g.node(id);
      const Expr a(&g, n.a), b(&g, n.b), c(&g, n.c);
      const int count = operand_count(n.op);
      if (count == 0) continue;
      const Expr again = count == 1   ? g.make(n.op, a)
                         : count == 2 ? g.make(n.op, a, b)
                                      : g.make(n.op, a, b, c);
      ASSERT_EQ(again.id(), id) << "seed " << seed << " " << op_name(n.op);
    }
  }
}

TEST(FoldingProperty, OperandsHaveSmallerIdsThanTheirUsers) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Graph g;
    testing::build(g, testing::make_recipe(seed, 3, 60));
    for (NodeId id = 0; id < g.size(); ++id) {
      const Node& n = g.node(id);
      const int count = operand_count(n.op);
      ASSERT_TRUE(count < 1 || n.a < id);
      ASSERT_TRUE(count < 2 || n.b < id);
      ASSERT_TRUE(count < 3 || n.c < id);
    }
  }
}

// Two sums of 100000 terms that differ in the innermost one: cancelling them term by term would
// need 100000 nested rules. Reference: the value of the difference, w - z = 1, to the rounding of
// sums below 100000.
TEST(DeepChains, CancellationDoesNotRecurseWithoutEnd) {
  Graph g;
  Expr p = g.symbol(0, 0), q = g.symbol(0, 1);
  for (int i = 0; i < 100000; ++i) {
    const Expr t = g.symbol(1, i);
    p = t + p;
    q = t + q;
  }
  const Expr d = q - p;
  const Program program = make_program(g, std::span(&d, 1));
  const double zw[] = {1.0, 2.0};
  const std::vector<double> t(100000, 0.5);
  const double* in[] = {zw, t.data()};
  double out = 0;
  std::vector<double> scratch;
  interpret(program, in, &out, scratch);
  EXPECT_NEAR(out, 1.0, 1e-9);
}

// The same for signs and factors that move outwards. Reference: (-1)^n 2^n cancels against 0.5^n.
TEST(DeepChains, SignsAndFactorsDoNotAccumulate) {
  Graph g;
  const Expr x = g.symbol(0, 0);
  Expr e = x;
  for (int i = 0; i < 100000; ++i) e = 0.5 * (-(2.0 * e));
  EXPECT_EQ(e, x);
}

}  // namespace
}  // namespace mechfmu
