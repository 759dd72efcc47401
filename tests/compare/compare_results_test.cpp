// Two tables of results. References: differences that are put in by hand.
#include "compare/compare_results.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mechfmu {
namespace {

CsvTable table(const std::string& text) {
  Diagnostics diagnostics;
  const auto parsed = parse_csv(SourceText("t", text), diagnostics);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(CsvTable{});
}

TEST(CompareResults, FindsTheLargestDifferenceAndItsTime) {
  const ResultComparison c =
      compare_results(table("time,x,y\n0,1,5\n1,2,5\n2,4,5\n"),
                      table("time,y,x\n0,5,1\n1,5,2.25\n2,5,3.9\n"), {0.01, 0.001});
  ASSERT_EQ(c.columns.size(), 2u);
  EXPECT_EQ(c.columns[0].name, "x");
  EXPECT_DOUBLE_EQ(c.columns[0].difference, 0.25);
  EXPECT_EQ(c.columns[0].at, 1);
  EXPECT_EQ(c.columns[0].first, 2);
  EXPECT_EQ(c.columns[0].second, 2.25);
  EXPECT_DOUBLE_EQ(c.columns[0].allowed, 0.001 + 0.01 * 4);
  EXPECT_FALSE(c.columns[0].is_within());
  EXPECT_TRUE(c.columns[1].is_within());
  EXPECT_FALSE(c.agrees());
}

TEST(CompareResults, InterpolatesRowsAtOtherTimes) {
  const CsvTable fine = table("time,x\n0,0\n0.5,1\n1,2\n1.5,3\n2,4\n");
  const CsvTable coarse = table("time,x\n0,0\n2,4\n");
  EXPECT_TRUE(compare_results(fine, coarse, {0, 1e-12}).agrees());
  EXPECT_TRUE(compare_results(coarse, fine, {0, 1e-12}).agrees());
}

TEST(CompareResults, AJumpMatchesEitherSide) {
  const CsvTable one = table("time,x\n0,0\n1,0\n1,5\n2,5\n");
  EXPECT_TRUE(compare_results(one, one, {0, 0}).agrees());
  const CsvTable other = table("time,x\n0,0\n1,0\n1,5.5\n2,5.5\n");
  EXPECT_DOUBLE_EQ(compare_results(one, other, {0, 0}).columns[0].difference, 0.5);
}

TEST(CompareResults, WhatOnlyOneHasIsADifference) {
  const ResultComparison c =
      compare_results(table("time,x,a\n0,0,0\n1,0,0\n"), table("time,x,b\n0,0,0\n1,0,0\n"), {});
  EXPECT_EQ(c.only_first, std::vector<std::string>{"a"});
  EXPECT_EQ(c.only_second, std::vector<std::string>{"b"});
  EXPECT_FALSE(c.agrees());
}

TEST(CompareResults, AShorterRunDiffers) {
  const ResultComparison c =
      compare_results(table("time,x\n0,0\n1,0\n2,0\n"), table("time,x\n0,0\n1,0\n"), {});
  EXPECT_FALSE(c.covers_all);
  EXPECT_EQ(c.stop, 1);
  EXPECT_FALSE(c.agrees());
}

TEST(CompareResults, WhatIsNotANumberIsNeverWithin) {
  ColumnDifference column;
  column.allowed = 1;
  column.difference = std::nan("");
  EXPECT_FALSE(column.is_within());
}

}  // namespace
}  // namespace mechfmu
