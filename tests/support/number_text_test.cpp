// Numbers as text. Reference: the double itself (round trip), and IEEE 754 for the ends of its
// range.
#include "support/number_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace mechfmu {
namespace {

TEST(NumberText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(number_text(0.12), "0.12");
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-3), "-3");
  EXPECT_EQ(number_text(1e-5), "1e-05");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

// Random bit patterns, seed 1.
TEST(NumberText, ReadsBackAsTheSameDouble) {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(static_cast<std::uint64_t>(engine()));
    if (!std::isfinite(value)) continue;
    const std::optional<double> back = parse_number(number_text(value));
    ASSERT_TRUE(back) << number_text(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value));
  }
  EXPECT_EQ(parse_number(number_text(std::numeric_limits<double>::max())),
            std::numeric_limits<double>::max());
  EXPECT_EQ(parse_number(number_text(std::numeric_limits<double>::denorm_min())),
            std::numeric_limits<double>::denorm_min());
}

TEST(ParseNumber, TakesOnlyWholeFiniteNumbers) {
  EXPECT_EQ(parse_number("-1.5e3"), -1500);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5);
  EXPECT_EQ(parse_number("+2"), 2);
  for (const char* text : {"", "-", "+", ".", "e5", "1e", "1e+", "1 ", " 1", "1,5", "0x10", "inf",
                           "nan", "--1", "1e999", "1.2.3"})
    EXPECT_FALSE(parse_number(text)) << text;
}

TEST(NumberPrefix, EndsWhereTheLiteralEnds) {
  EXPECT_EQ(find_number_prefix("12mm").length, 2U);
  EXPECT_EQ(find_number_prefix("1e5x").length, 3U);
  EXPECT_EQ(find_number_prefix("1e").length, 1U);  // e begins a word
  EXPECT_EQ(find_number_prefix("1e+x").length, 1U);
  EXPECT_EQ(find_number_prefix("x").length, 0U);
  EXPECT_TRUE(find_number_prefix("1e999").out_of_range);
  EXPECT_FALSE(find_number_prefix("1e308").out_of_range);
}

// A German or French host must not change what is written; skipped where no such locale is
// installed.
TEST(NumberText, DoesNotDependOnTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const bool set = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr ||
                   std::setlocale(LC_ALL, "fr_FR.UTF-8") != nullptr;
  const std::string text = number_text(0.5);
  const std::optional<double> value = parse_number("0.5");
  std::setlocale(LC_ALL, before.c_str());
  if (!set) GTEST_SKIP() << "no locale with a decimal comma is installed";
  EXPECT_EQ(text, "0.5");
  EXPECT_EQ(value, 0.5);
}

}  // namespace
}  // namespace mechfmu
