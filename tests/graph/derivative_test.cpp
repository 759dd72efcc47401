// Derivatives: against the complex step, against closed forms, and in amount of work.
#include "graph/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "graph/program.hpp"
#include "graph/random_expression.hpp"

namespace mechfmu {
namespace {

double value_of(Graph& g, Expr e, const std::vector<double>& point) {
  const Program program = make_program(g, std::span(&e, 1));
  const double* in[] = {point.data()};
  double out = 0;
  std::vector<double> scratch;
  interpret(program, in, &out, scratch);
  return out;
}

// Reference: Im f(x + i h d) / h with h = 1e-30, which has no subtraction and so no step size
// error. A wrong rule is wrong in the first digits; rounding grows by at most the slopes of the
// recipe's operations (below 30 each, error of the value below 1e-9 by construction), so that 1e-6
// of the largest derivative in the recipe is far from both.
TEST(Derivative, AgreesWithTheComplexStepOnRandomExpressions) {
  const double h = 1e-30;
  int moving = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const testing::Recipe recipe = testing::make_recipe(seed, 3, 30);
    std::mt19937_64 random(seed + 7);
    std::uniform_real_distribution<double> real(-1, 1);
    Graph g;
    const std::vector<Expr> e = testing::build(g, recipe);
    Direction direction(g);
    std::vector<std::complex<double>> point;
    for (std::size_t i = 0; i < recipe.point.size(); ++i) {
      const double d = real(random);
      direction.seed(g.symbol(0, static_cast<int>(i)), g.number(d));
      point.emplace_back(recipe.point[i], h * d);
    }
    std::vector<Expr> rates;
    for (const Expr& x : e) rates.push_back(direction.derivative(x));

    const std::complex<double>* complex_in[] = {point.data()};
    std::vector<std::complex<double>> complex_out(e.size()), complex_scratch;
    interpret(make_program(g, e), complex_in, complex_out.data(), complex_scratch);
    const double* in[] = {recipe.point.data()};
    std::vector<double> out(e.size()), scratch;
    interpret(make_program(g, rates), in, out.data(), scratch);

    double largest = 1;
    for (const auto& z : complex_out) largest = std::max(largest, std::fabs(z.imag() / h));
    for (std::size_t k = 0; k < e.size(); ++k) {
      ASSERT_NEAR(out[k], complex_out[k].imag() / h, 1e-6 * largest)
          << "seed " << seed << " step " << k << " " << op_name(recipe.steps[k].op);
      if (out[k] != 0) ++moving;
    }
  }
  EXPECT_GT(moving, 20000);  // else most of it was constant
}

// Every operation alone, so that none hides behind a random choice. Reference: central difference
// with h = 1e-5, error h^2 f'''/6 + eps f / h < 1e-8 for these arguments.
TEST(Derivative, OfEveryOperationIsItsSlope) {
  const double h = 1e-5;
  for (int k = static_cast<int>(Op::add); k <= static_cast<int>(Op::select); ++k) {
    const Op op = static_cast<Op>(k);
    for (int moved = 0; moved < operand_count(op); ++moved) {
      Graph g;
      const std::vector<double> point = {0.6, 0.3, 0.8};
      const Expr a = g.symbol(0, 0), b = g.symbol(0, 1), c = g.symbol(0, 2);
      const int count = operand_count(op);
      const Expr f = count == 1   ? g.make(op, a)
                     : count == 2 ? g.make(op, a, b)
                                  : g.make(op, a, b, c);
      Direction direction(g);
      direction.seed(g.symbol(0, moved), g.number(1));
      std::vector<double> low = point, high = point;
      low[static_cast<std::size_t>(moved)] -= h;
      high[static_cast<std::size_t>(moved)] += h;
      const double slope =
          (apply(op, high[0], high[1], high[2]) - apply(op, low[0], low[1], low[2])) / (2 * h);
      EXPECT_NEAR(value_of(g, direction.derivative(f), point), slope, 1e-8)
          << op_name(op) << " operand " << moved;
    }
  }
}

TEST(Derivative, OfASquareAndARootIsWrittenWithoutWaste) {
  Graph g;
  const Expr x = g.symbol(0, 0), y = g.symbol(0, 1);
  Direction direction(g);
  direction.seed(x, g.symbol(1, 0));
  direction.seed(y, g.symbol(1, 1));
  EXPECT_EQ(direction.derivative(x * x), 2.0 * (x * g.symbol(1, 0)));
  // d sqrt(x^2 + y^2) = (x dx + y dy) / r
  const Expr r = sqrt(x * x + y * y);
  EXPECT_EQ(direction.derivative(r), (x * g.symbol(1, 0) + y * g.symbol(1, 1)) / r);
}

TEST(Derivative, WithRespectToAnExponentIsZeroAtBaseZero) {
  Graph g;
  const Expr a = g.symbol(0, 0), b = g.symbol(0, 1);
  Direction direction(g);
  direction.seed(b, g.number(1));
  // 0^b = 0 for all b > 0
  EXPECT_EQ(value_of(g, direction.derivative(g.make(Op::power, a, b)), {0.0, 1.7}), 0.0);
}

TEST(Derivative, StopsAtASeededInnerNode) {
  Graph g;
  const Expr x = g.symbol(0, 0), v = g.symbol(1, 0);
  const Expr p = sin(x);
  Direction direction(g);
  direction.seed(p, v);
  EXPECT_EQ(direction.derivative(p * p), 2.0 * (p * v));
  EXPECT_TRUE(direction.derivative(x).is_zero());
}

// -p, c + p and c*p are folded into what surrounds them; their seeds must survive that. Reference:
// chain rule by hand.
TEST(Derivative, SeedsOnFoldedWrappersReachWhatTheyWrap) {
  Graph g;
  const Expr x = g.symbol(0, 0), y = g.symbol(0, 1), v = g.symbol(1, 0);
  const Expr p = x * y;
  for (const auto& [wrapped, factor] : {std::pair{-p, -1.0}, std::pair{p + 1.5, 1.0},
                                        std::pair{4.0 * p, 4.0}, std::pair{2.0 - 4.0 * p, -4.0}}) {
    Direction direction(g);
    direction.seed(wrapped, v);
    EXPECT_EQ(direction.derivative(wrapped), v);
    EXPECT_EQ(direction.derivative(wrapped - 1.0), v);
    EXPECT_EQ(direction.derivative(wrapped * 2.0), 2.0 * v);
    EXPECT_EQ(direction.derivative(y - wrapped), -v);
    EXPECT_EQ(direction.derivative(p), v / factor);
    EXPECT_TRUE(direction.derivative(x).is_zero());
  }
}

TEST(Derivative, ExplicitSeedsWinOverImpliedOnes) {
  Graph g;
  const Expr x = g.symbol(0, 0), v = g.symbol(1, 0), w = g.symbol(1, 1);
  for (const bool explicit_first : {true, false}) {
    Direction direction(g);
    if (explicit_first) direction.seed(x, w);
    direction.seed(-x, v);
    if (!explicit_first) direction.seed(x, w);
    EXPECT_EQ(direction.derivative(x), w);
    EXPECT_EQ(direction.derivative(-x), v);
  }
}

TEST(Derivative, ASeedThatComesLateStillCounts) {
  Graph g;
  const Expr x = g.symbol(0, 0), y = g.symbol(0, 1);
  Direction direction(g);
  direction.seed(x, g.number(1));
  EXPECT_EQ(direction.derivative(x * y), y);
  direction.seed(y, g.number(1));
  EXPECT_EQ(direction.derivative(x * y), x + y);
  direction.seed(y, g.number(3));
  EXPECT_EQ(direction.derivative(x * y), 3.0 * x + y);
}

TEST(Derivative, ASeedOnAConstantIsIgnored) {
  Graph g;
  const Expr x = g.symbol(0, 0);
  Direction direction(g);
  direction.seed(g.number(2), x);
  EXPECT_TRUE(direction.derivative(2.0 * x).is_zero());
}

// Reference: one Direction per column, which is the definition.
TEST(Jacobian, EntriesAreTheColumnDerivativesInRowOrder) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Graph g;
    const std::vector<Expr> rows = testing::build(g, testing::make_recipe(seed, 5, 40));
    std::vector<Expr> columns;
    for (int i = 4; i >= 0; --i) columns.push_back(g.symbol(0, i));
    columns.push_back(g.symbol(0, 17));  // nothing depends on it
    const std::vector<SparseEntry> entries = jacobian(g, rows, columns);
    std::size_t next = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j) {
        Direction direction(g);
        direction.seed(columns[j], g.number(1));
        const Expr expected = direction.derivative(rows[i]);
        if (expected.is_zero()) continue;
        ASSERT_LT(next, entries.size());
        ASSERT_EQ(entries[next].row, static_cast<int>(i));
        ASSERT_EQ(entries[next].column, static_cast<int>(j));
        ASSERT_EQ(entries[next].value, expected);
        ++next;
      }
    ASSERT_EQ(next, entries.size());
  }
}

TEST(Jacobian, TakesRepeatedRowsConstantsAndInnerColumns) {
  Graph g;
  const Expr x = g.symbol(0, 0), y = g.symbol(0, 1);
  const Expr p = x * y, minus_x = -x;
  const Expr rows[] = {sin(p), g.number(2), sin(p), x};
  const Expr columns[] = {p, g.number(1), minus_x};
  const std::vector<SparseEntry> entries = jacobian(g, rows, columns);
  ASSERT_EQ(entries.size(), 5U);
  EXPECT_EQ(entries[0].value, cos(p));         // d sin(p) / dp
  EXPECT_EQ(entries[1].value, -(cos(p) * y));  // d sin(x y) / d(-x)
  EXPECT_EQ(entries[2].row, 2);
  EXPECT_EQ(entries[2].value, cos(p));
  EXPECT_EQ(entries[4].row, 3);
  EXPECT_EQ(entries[4].column, 2);
  EXPECT_EQ(entries[4].value, g.number(-1));  // dx / d(-x)
}

// 1000 rows, each in two of 1000 columns, all over one long prefix that depends on no column.
// Reference: an entry of this Jacobian needs at most 6 nodes; work that visits every node for every
// column would make a million.
TEST(Jacobian, CostsNothingWhereARowDoesNotDependOnAColumn) {
  Graph g;
  Expr prefix = g.symbol(1, 0);
  for (int i = 1; i < 20000; ++i) prefix = sin(prefix) * g.symbol(1, i);
  std::vector<Expr> rows, columns;
  for (int i = 0; i <= 1000; ++i) columns.push_back(g.symbol(0, i));
  for (std::size_t i = 0; i < 1000; ++i) rows.push_back(prefix * sin(columns[i] * columns[i + 1]));
  const std::size_t before = g.size();
  const std::vector<SparseEntry> entries = jacobian(g, rows, columns);
  EXPECT_EQ(entries.size(), 2000U);
  EXPECT_LT(g.size() - before, 12000U);
}

// Reference: d/dx of x + x^2 + ... by the chain e -> (e + t) x is known through the same recurrence
// in numbers.
TEST(DeepChains, DerivativesAndSubstitutionsDoNotRecurse) {
  Graph g;
  const Expr x = g.symbol(0, 0);
  Expr e = x;
  double value = 0.5, slope = 1;
  for (int i = 0; i < 100000; ++i) {
    e = (e + 0.25) * x;
    slope = slope * 0.5 + (value + 0.25);
    value = (value + 0.25) * 0.5;
  }
  Direction direction(g);
  direction.seed(x, g.number(1));
  EXPECT_NEAR(value_of(g, direction.derivative(e), {0.5}), slope, 1e-12);
  Substitution substitution(g);
  substitution.replace(x, g.number(0.5));
  EXPECT_NEAR(substitution.apply(e).constant(), value, 1e-12);
}

TEST(Substitution, FoldsAgainAndKeepsWhatDoesNotChange) {
  Graph g;
  const Expr x = g.symbol(0, 0), y = g.symbol(0, 1), z = g.symbol(0, 2);
  Substitution substitution(g);
  substitution.replace(x, g.number(0));
  EXPECT_EQ(substitution.apply(x * y + z), z);
  const Expr untouched = sin(y) * z;
  EXPECT_EQ(substitution.apply(untouched), untouched);
  substitution.replace(z, y);  // also after a first use
  EXPECT_EQ(substitution.apply(x * y + z), y);
}

// Reference: evaluation of the original at the substituted values; tolerance as in fold_test.
TEST(Substitution, OfNumbersForSymbolsIsEvaluation) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const testing::Recipe recipe = testing::make_recipe(seed, 3, 40);
    Graph g;
    const std::vector<Expr> e = testing::build(g, recipe);
    Substitution substitution(g);
    for (std::size_t i = 0; i < recipe.point.size(); ++i)
      substitution.replace(g.symbol(0, static_cast<int>(i)), g.number(recipe.point[i]));
    for (std::size_t k = 0; k < e.size(); ++k)
      ASSERT_NEAR(substitution.apply(e[k]).constant(), recipe.value[k], 4 * recipe.error[k])
          << "seed " << seed;
  }
}

}  // namespace
}  // namespace mechfmu
