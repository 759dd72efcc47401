// Printed kernels, compiled with the flags of an FMU, against the interpreter: bit for bit. Without
// a compiler the tests are skipped and say so.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "graph/compiled_kernels.hpp"
#include "graph/derivative.hpp"
#include "graph/random_expression.hpp"

namespace mechfmu {
namespace {

using testing::interpreted;
using testing::Library;
using testing::same_bits;

TEST(CompiledKernel, EqualsTheInterpreterOnRandomExpressions) {
  REQUIRE_COMPILER();
  struct Case {
    testing::Recipe recipe;
    Program program;
    std::size_t whole, cut;  // kernels: one block, several
  };
  Library library;
  std::vector<Case> cases;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Case c{testing::make_recipe(seed, 4, 40), {}, 0, 0};
    Graph g;
    std::vector<Expr> results = testing::build(g, c.recipe);  // leaves, repeats, inner nodes
    Direction direction(g);
    direction.seed(g.symbol(0, 1), g.symbol(1, 0));
    results.push_back(direction.derivative(results.back()));
    results.push_back(direction.derivative(results[results.size() - 3]));
    c.program = make_program(g, results);
    // all of them whole as well: a compiler that sees everything has the most to change
    c.whole = library.add(c.program);
    const int limits[] = {1, 7, 20};
    c.cut = library.add(c.program, limits[seed % 3]);
    cases.push_back(std::move(c));
  }
  ASSERT_EQ(library.build(), "");

  std::mt19937_64 random(42);
  std::uniform_real_distribution<double> real(-3, 3);
  for (const Case& c : cases)
    for (int trial = 0; trial < 50; ++trial) {
      // first where everything is in its domain, then anywhere, infinities and NaN included
      std::vector<double> point = c.recipe.point;
      if (trial > 0)
        for (double& x : point) x = real(random);
      const double v[] = {real(random)};
      const double* in[] = {point.data(), v};
      const std::vector<double> expected = interpreted(c.program, in);
      for (const std::size_t kernel : {c.whole, c.cut}) {
        std::vector<double> out(expected.size(), 7);
        library.run(kernel, in, out.data());
        for (std::size_t k = 0; k < out.size(); ++k)
          ASSERT_TRUE(same_bits(out[k], expected[k]))
              << "kernel " << kernel << " trial " << trial << " result " << k;
      }
    }
}

// A compiler that learns that an argument is one of two numbers may compute the function itself,
// correctly rounded where the C library is not. Reference: the interpreter, which asks the library.
TEST(CompiledKernel, LeavesFunctionsOfChosenConstantsToTheLibrary) {
  REQUIRE_COMPILER();
  Library library;
  std::vector<Program> programs;
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> real(0.05, 0.95);
  for (int k = 0; k < 100; ++k) {
    Graph g;
    const Expr x =
        select(less(g.symbol(0, 0), g.number(0)), g.number(real(random)), g.number(real(random)));
    std::vector<Expr> results = {g.make(Op::power, x, x),
                                 g.make(Op::atan2, x, g.number(real(random)))};
    for (const Op op : {Op::sin, Op::tan, Op::asin, Op::acos, Op::atan, Op::sinh, Op::cosh,
                        Op::tanh, Op::exp, Op::log})
      results.push_back(g.make(op, x));
    programs.push_back(make_program(g, results));
    library.add(programs.back());
  }
  ASSERT_EQ(library.build(), "");
  for (std::size_t k = 0; k < programs.size(); ++k)
    for (const double q : {-1.0, 1.0}) {
      const double* in[] = {&q, nullptr};
      const std::vector<double> expected = interpreted(programs[k], in);
      std::vector<double> out(expected.size(), 7);
      library.run(k, in, out.data());
      for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_TRUE(same_bits(out[i], expected[i])) << k << " " << i;
    }
}

// Every operation on arguments where a careless translation shows: zeros of both signs, ties of
// rounding, equal operands, infinities, subnormal numbers, large angles.
TEST(CompiledKernel, EqualsTheInterpreterOnEveryOperation) {
  REQUIRE_COMPILER();
  Library library;
  std::vector<Program> programs;
  for (int k = static_cast<int>(Op::add); k <= static_cast<int>(Op::select); ++k) {
    const Op op = static_cast<Op>(k);
    Graph g;
    const Expr a = g.symbol(0, 0), b = g.symbol(0, 1), c = g.symbol(1, 0);
    const Expr low = g.number(-1.5);
    const int count = operand_count(op);
    std::vector<Expr> results;
    if (count == 1) results = {g.make(op, a), g.make(op, a * b)};
    if (count == 2)
      results = {g.make(op, a, b), g.make(op, a, low), g.make(op, low, a), g.make(op, a, a * b)};
    if (count == 3)
      results = {g.make(op, a, b, c), g.make(op, less(a, b), low, c), g.make(op, a - b, c, low)};
    programs.push_back(make_program(g, results));
    library.add(programs.back());
  }
  ASSERT_EQ(library.build(), "");

  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> special = {0.0,
                                       -0.0,
                                       1.0,
                                       -1.0,
                                       0.5,
                                       1.5,
                                       2.5,
                                       -0.5,
                                       -1.5,
                                       -2.5,
                                       3.0,
                                       0.1,
                                       -0.7,
                                       1e-310,
                                       1e-8,
                                       1e8,
                                       1e22,
                                       1e300,
                                       infinity,
                                       -infinity,
                                       0.9,
                                       2.0,
                                       0.49999999999999994,
                                       4503599627370497.5};
  for (std::size_t k = 0; k < programs.size(); ++k)
    for (const double a : special)
      for (const double b : special) {
        const double q[] = {a, b}, v[] = {0.25};
        const double* in[] = {q, v};
        double out[4] = {7, 7, 7, 7};
        library.run(k, in, out);
        const std::vector<double> expected = interpreted(programs[k], in);
        for (std::size_t i = 0; i < expected.size(); ++i)
          ASSERT_TRUE(same_bits(out[i], expected[i]))
              << op_name(static_cast<Op>(static_cast<int>(Op::add) + static_cast<int>(k)))
              << " result " << i << " of " << a << ", " << b;
      }
}

// One sincos call, a sine alone and a cosine alone, over all sizes of angle.
TEST(CompiledKernel, EqualsTheInterpreterOnSinesAlone) {
  REQUIRE_COMPILER();
  Library library;
  Graph g;
  const Expr x = g.symbol(0, 0);
  const Program programs[] = {make_program(g, std::vector<Expr>{sin(x), cos(x)}),
                              make_program(g, std::vector<Expr>{sin(x)}),
                              make_program(g, std::vector<Expr>{cos(x)})};
  for (const Program& program : programs) library.add(program);
  ASSERT_EQ(library.build(), "");

  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> angle(-7, 7), exponent(-12, 12);
  for (int i = 0; i < 200000; ++i) {
    const double q[] = {i % 2 == 0 ? angle(random) : std::exp(exponent(random))};
    const double* in[] = {q, nullptr};
    for (std::size_t k = 0; k < 3; ++k) {
      double out[2] = {7, 7};
      library.run(k, in, out);
      const std::vector<double> expected = interpreted(programs[k], in);
      for (std::size_t r = 0; r < expected.size(); ++r)
        ASSERT_TRUE(same_bits(out[r], expected[r])) << q[0];
    }
  }
}

// Results written over the inputs they are made from: a swap, a shift, a value that a later block
// needs. Reference: the interpreter with separate arrays.
TEST(CompiledKernel, MayWriteItsResultsOverItsInputs) {
  REQUIRE_COMPILER();
  Library library;
  Graph g;
  const Expr x = g.symbol(0, 0), y = g.symbol(0, 1), z = g.symbol(0, 2);
  const std::vector<Expr> results = {y, x, x + y, sin(x * z) + y, z * g.symbol(0, 3)};
  const Program program = make_program(g, results);
  for (const int limit : {kBlockOperations, 1, 2}) library.add(program, limit);
  ASSERT_EQ(library.build(), "");
  for (std::size_t k = 0; k < 3; ++k) {
    double q[] = {0.3, 1.7, -2.2, 0.9, 0};
    const double* in[] = {q, q};
    const std::vector<double> expected = interpreted(program, in);
    library.run(k, in, q);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(same_bits(q[i], expected[i])) << k << " " << i;
  }
}

TEST(CompiledKernel, TakesConstantsInfinitiesAndNothingAtAll) {
  REQUIRE_COMPILER();
  Library library;
  Graph g;
  const Expr x = g.symbol(0, 0);
  const Expr huge = g.number(1) / g.number(0), undefined = sqrt(g.number(-1));
  const Program constants = make_program(
      g, std::vector<Expr>{g.number(3), g.number(-0.1), huge, -huge, undefined, x + huge, x * -3.0,
                           x - -2.0, x / 0.0, g.number(5e-324), g.number(1.7976931348623157e308)});
  const Program nothing = make_program(g, std::vector<Expr>{});
  library.add(constants);
  library.add(nothing);
  ASSERT_EQ(library.build(), "");
  const double q[] = {0.4};
  const double* in[] = {q, nullptr};
  std::vector<double> out(constants.results.size(), 7);
  library.run(0, in, out.data());
  const std::vector<double> expected = interpreted(constants, in);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(same_bits(out[i], expected[i])) << i;
  library.run(1, in, nullptr);
}

}  // namespace
}  // namespace mechfmu
