// The printed text: literals, blocks, names. What the text computes is in compiled_test.cpp.
#include "graph/print.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "graph/random_expression.hpp"
#include "support/number_text.hpp"

namespace mechfmu {
namespace {

constexpr std::string_view kNames[] = {"q", "v"};

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// What stands between the first `left` and the next `right`; empty if there is no such place.
std::string between(const std::string& text, const std::string& left, const std::string& right) {
  const std::size_t begin = text.find(left);
  if (begin == std::string::npos) return "";
  const std::size_t end = text.find(right, begin + left.size());
  return text.substr(begin + left.size(), end - begin - left.size());
}

std::string print(const Graph& g, const std::vector<Expr>& results, int block = kBlockOperations) {
  return print_kernel("kernel", make_program(g, results), kNames, block);
}

TEST(Print, AKernelIsOneConstantPerOperation) {
  Graph g;
  const Expr x = g.symbol(0, 0), y = g.symbol(1, 2);
  EXPECT_EQ(print(g, {x * y + 2.0, x}),
            "void kernel(const void*, const double* const* in, double* out) {\n"
            "  const double* q = in[0];\n"
            "  const double* v = in[1];\n"
            "  const double x2 = q[0] * v[2];\n"
            "  const double x4 = 2.0 + x2;\n"
            "  const double r1 = q[0];\n"
            "  out[0] = x4;\n"
            "  out[1] = r1;\n"
            "}\n");
}

// Reference: strtod of the printed digits, bit for bit.
TEST(Print, LiteralsReadBackAsTheSameDouble) {
  const double least = std::numeric_limits<double>::denorm_min();
  const double largest = std::numeric_limits<double>::max();
  for (const double value :
       {3.0, 0.1, 1e22, 1e-5, 1.0 / 3, least, largest, 123456789.0, 2.5e-310}) {
    Graph g;
    const std::string text = print(g, {g.number(value), g.number(-value)});
    const std::string digits = between(text, "out[0] = ", ";");
    ASSERT_FALSE(digits.empty()) << text;
    EXPECT_EQ(std::strtod(digits.c_str(), nullptr), value) << digits;
    EXPECT_NE(digits.find_first_of(".e"), std::string::npos) << digits << " would be an integer";
    EXPECT_NE(text.find("out[1] = (-" + digits + ");"), std::string::npos) << text;
  }
}

TEST(Print, TheSameProgramGivesTheSameText) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Graph g, h;
    const testing::Recipe recipe = testing::make_recipe(seed, 3, 60);
    EXPECT_EQ(print(g, testing::build(g, recipe), 9), print(h, testing::build(h, recipe), 9));
  }
}

TEST(Print, SineAndCosineShareACallAlsoWhenTheyAreFarApart) {
  Graph g;
  const Expr x = g.symbol(0, 0);
  Expr e = cos(x);
  for (int i = 0; i < 20; ++i) e = e * e + x;
  const std::string text = print(g, {e, sin(x)}, 5);
  EXPECT_EQ(count(text, "sine_cosine("), 1);
  EXPECT_EQ(count(text, "::sine("), 0);
  EXPECT_EQ(count(text, "::cosine("), 0);
}

TEST(Print, AnglesThatAreKnownAreComputedTwoAtATime) {
  Graph g;
  std::vector<Expr> results;
  for (int i = 0; i < 5; ++i) results.push_back(sin(g.symbol(0, i)) + cos(g.symbol(0, i)));
  EXPECT_EQ(count(print(g, results, 100), "sine_cosine("), 3);
  // an angle that needs the sine of another has to wait for it
  const Expr second = sin(g.symbol(0, 0)) + g.symbol(0, 1);
  EXPECT_EQ(count(print(g, {cos(g.symbol(0, 0)), sin(second) * cos(second)}, 100), "sine_cosine("),
            2);
}

TEST(Print, NoBlockIsLargerThanTheLimit) {
  Graph g;
  Expr e = g.symbol(0, 0);
  for (int i = 0; i < 500; ++i) e = sin(e) * cos(e) + g.symbol(0, i);
  for (const int limit : {1, 2, 3, 10, 1000}) {
    const std::string text = print(g, {e}, limit);
    std::size_t begin = 0;
    int blocks = 0;
    for (std::size_t end = text.find("\n}\n"); end != std::string::npos;
         end = text.find("\n}\n", begin)) {
      const std::string block = text.substr(begin, end - begin);
      // a pair is two operations and never cut, even by a limit of one
      EXPECT_LE(count(block, "  const double x") + 2 * count(block, "sine_cosine("),
                std::max(limit, 2));
      begin = end + 3;
      ++blocks;
    }
    EXPECT_GE(blocks, 2000 / std::max(limit, 2));  // 500 pairs, products and sums
  }
}

// A chain hands one or two values from block to block. Reference: without reuse it would be one
// place per block.
TEST(Print, PlacesOfSharedValuesAreUsedAgain) {
  Graph g;
  Expr e = g.symbol(0, 0);
  for (int i = 0; i < 1000; ++i) e = sin(e) + g.symbol(0, i);
  const std::string text = print(g, {e}, 10);
  const std::string size = between(text, "double shared[", "]");
  ASSERT_FALSE(size.empty()) << text;
  EXPECT_LE(std::stoi(size), 2);
}

TEST(Print, BlocksAreNotInlinedIntoOneAgain) {
  Graph g;
  const Expr x = g.symbol(0, 0);
  const std::string text = print(g, {sin(sin(sin(x)))}, 1);
  EXPECT_EQ(count(text, "[[gnu::noinline]] static void kernel_"), 3);
}

TEST(Print, NamesThatTheKernelUsesItselfAreRefused) {
  Graph g;
  const Program program = make_program(g, std::vector<Expr>{g.symbol(0, 0)});
  for (const std::string_view name : {"in", "out", "shared", "call_sin"})
    EXPECT_THROW(print_kernel("k", program, std::span(&name, 1)), std::logic_error) << name;
}

TEST(DeepChains, PrintingDoesNotRecurse) {
  Graph g;
  Expr e = g.symbol(0, 0);
  for (int i = 0; i < 100000; ++i) e = sin(e) + g.symbol(0, i);
  EXPECT_EQ(count(print(g, {e}), "[[gnu::noinline]]"), 200);  // 200000 operations in blocks of 1000
}

}  // namespace
}  // namespace mechfmu
