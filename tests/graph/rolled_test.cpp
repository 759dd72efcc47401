// Kernels with loops: what is found, and that compiled loops equal the interpreter, which knows of
// none, bit for bit.
#include <gtest/gtest.h>

#include <random>

#include "graph/compiled_kernels.hpp"
#include "graph/random_expression.hpp"

namespace mechfmu {
namespace {

using testing::interpreted;
using testing::Library;
using testing::same_bits;

constexpr int kRounds = 40;

// A row of equal cells. Each reads a symbol, the cell before, a value that all share, a number of
// its own, and what another row left; some results are leaves, some repeat.
std::vector<Expr> make_rows(Graph& g, std::uint64_t seed, int rounds) {
  std::mt19937_64 random(seed);
  const auto choose = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr Op kBinary[] = {Op::add, Op::subtract, Op::multiply, Op::min, Op::atan2};
  struct Step {
    int kind, a, b;
    Op op;
  };
  std::vector<Step> recipe;
  for (int i = 0; i < 12; ++i)
    recipe.push_back({choose(6), choose(1000), choose(1000), kBinary[choose(5)]});
  std::vector<Expr> results, row(static_cast<std::size_t>(rounds), g.symbol(1, 0));
  const Expr shared = g.symbol(0, 0) * g.symbol(0, 1) + 2.5;
  for (int pass = 0; pass < 2; ++pass) {
    Expr carried = g.symbol(1, 1);
    for (int k = 0; k < rounds; ++k) {
      const int index = pass == 0 ? k : rounds - 1 - k;
      std::vector<Expr> values = {g.symbol(0, 2 + index), carried, shared,
                                  row[static_cast<std::size_t>(index)]};
      for (const Step& s : recipe) {
        const auto pick = [&](int n) {
          return values[static_cast<std::size_t>(n) % values.size()];
        };
        const Expr a = pick(s.a), b = pick(s.b);
        if (s.kind == 0)
          values.push_back(sin(a) + cos(a) * b);
        else if (s.kind == 1)
          values.push_back((1.0 + 0.01 * (index % 7 + 3 * index)) * a + b);
        else
          values.push_back(g.make(s.op, a, b + 0.5));
      }
      carried = values.back() * 0.25;
      row[static_cast<std::size_t>(index)] = values[values.size() - 2];
      results.push_back(values[values.size() - 3]);
    }
    results.push_back(carried);
  }
  results.push_back(results.front());
  results.push_back(g.number(3));
  results.push_back(g.symbol(0, 5));
  for (int k = 0; k < 30; ++k) results.push_back(g.symbol(0, 30 - k));
  for (int k = 0; k < 30; ++k) results.push_back(g.number(k * k));
  return results;
}

TEST(RolledKernel, EqualsTheInterpreter) {
  REQUIRE_COMPILER();
  Library library;
  struct Case {
    Program program;
    std::size_t kernel;
  };
  std::vector<Case> cases;
  int with_loops = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Graph g;
    Case c{make_program(g, make_rows(g, seed, kRounds)), 0};
    with_loops += library.add_rolled(c.program, c.kernel) ? 1 : 0;
    cases.push_back(std::move(c));
  }
  EXPECT_GT(with_loops, 50);
  ASSERT_EQ(library.build(), "");
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> real(-2, 2);
  for (const Case& c : cases)
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<double> q(kRounds + 2), v(2);
      for (double& x : q) x = real(random);
      for (double& x : v) x = real(random);
      const double* in[] = {q.data(), v.data()};
      const std::vector<double> expected = interpreted(c.program, in);
      std::vector<double> out(expected.size(), 7);
      library.run(c.kernel, in, out.data());
      for (std::size_t k = 0; k < out.size(); ++k)
        ASSERT_TRUE(same_bits(out[k], expected[k])) << "kernel " << c.kernel << " result " << k;
    }
}

// x_k = x_(k-1) cos q_k + x_0: the first iteration makes what all others read.
TEST(RolledKernel, ReadsOnlyWhatIsThereBeforeTheLoop) {
  REQUIRE_COMPILER();
  Library library;
  Graph g;
  const Expr first = g.symbol(0, 0) * g.symbol(1, 0) + cos(g.symbol(0, 0));
  Expr x = first;
  std::vector<Expr> results;
  for (int k = 0; k < kRounds; ++k) {
    x = x * cos(g.symbol(0, k)) + first * g.symbol(0, k + 1);
    x = x + g.symbol(1, 1) * x;
    results.push_back(x);
  }
  const Program program = make_program(g, results);
  std::size_t kernel = 0;
  ASSERT_TRUE(library.add_rolled(program, kernel));
  ASSERT_EQ(library.build(), "");
  std::vector<double> q(kRounds + 1), v = {0.3, -0.4};
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = 0.1 * static_cast<double>(i);
  const double* in[] = {q.data(), v.data()};
  std::vector<double> out(results.size());
  library.run(kernel, in, out.data());
  EXPECT_EQ(out, interpreted(program, in));
}

TEST(Roll, FindsOneLoopWhateverItsLength) {
  for (const int rounds : {20, 200, 2000}) {
    Graph g;
    Expr x = g.symbol(0, 0);
    for (int k = 1; k <= rounds; ++k) {
      const Expr s = sin(x), y = s * g.symbol(0, k) + 0.5;
      x = (y * y + s) / (2.0 + y * s);
    }
    const Program program = make_program(g, std::vector<Expr>{x});
    const RolledProgram rolled = roll(program);
    ASSERT_EQ(rolled.loops.size(), 1U) << rounds;
    const ProgramLoop& loop = rolled.loops[0];
    EXPECT_LE(loop.length, 16U);
    EXPECT_GT(loop.length * loop.count, rolled.order.size() * 8 / 10);
  }
}

TEST(Roll, LeavesAloneWhatDoesNotRepeat) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Graph g;
    const testing::Recipe recipe = testing::make_recipe(seed, 4, 300);
    EXPECT_TRUE(roll(make_program(g, testing::build(g, recipe))).loops.empty()) << seed;
  }
}

}  // namespace
}  // namespace mechfmu
