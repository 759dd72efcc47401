// Reference: RFC 4180 for quoting, facts about spreadsheets (byte order mark, CRLF), and the rule
// of the contract that a result can be read back without loss.
#include "harness/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/number_text.hpp"

namespace mechfmu {
namespace {

std::optional<CsvTable> parse(const std::string& text, Diagnostics& diagnostics) {
  return parse_csv(SourceText("in.csv", text), diagnostics);
}

// The only error, as "line:column code".
std::string find_fault(const std::string& text) {
  const SourceText source("in.csv", text);
  Diagnostics diagnostics;
  if (parse_csv(source, diagnostics)) return "no fault";
  const Diagnostic& d = diagnostics.all().front();
  if (!d.span) return d.code;
  const Place place = source.find_place(d.span->begin);
  return std::to_string(place.line) + ":" + std::to_string(place.column) + " " + d.code;
}

TEST(Csv, ReadsNamesAndNumbers) {
  Diagnostics diagnostics;
  const auto table = parse("time,u,D.force[2]\n0,1,-2.5\n1e-3,+3,.5\n", diagnostics);
  ASSERT_TRUE(table);
  EXPECT_EQ((std::vector<std::string>{"time", "u", "D.force[2]"}), table->names);
  ASSERT_EQ(2U, table->rows());
  EXPECT_EQ(-2.5, table->at(0, 2));
  EXPECT_EQ(1e-3, table->at(1, 0));
  EXPECT_EQ(3.0, table->at(1, 1));
}

TEST(Csv, AcceptsByteOrderMarkCrlfBlanksAndEmptyLines) {
  Diagnostics diagnostics;
  const auto table = parse("\xEF\xBB\xBF\"time\" , \"u\"\r\n\r\n 0 , 1 \r\n1,2", diagnostics);
  ASSERT_TRUE(table);
  EXPECT_EQ("time", table->names[0]);
  EXPECT_EQ("u", table->names[1]);
  ASSERT_EQ(2U, table->rows());
  EXPECT_EQ(2.0, table->at(1, 1));
}

TEST(Csv, QuotedFieldsHoldCommasQuotesAndLineEnds) {
  Diagnostics diagnostics;
  const std::vector<std::string> names = {"a[1,2]", "say \"x\"", "two\nlines", " blank "};
  const auto table = parse(make_csv_header(names) + "0,1,2,3,4\n", diagnostics);
  ASSERT_TRUE(table);
  EXPECT_EQ("time", table->names[0]);
  EXPECT_EQ(names, std::vector<std::string>(table->names.begin() + 1, table->names.end()));
}

TEST(Csv, EveryDoubleSurvivesWritingAndReading) {
  const std::vector<double> values = {
      0.1, 1.0 / 3, -1e-300, 5e-324, 1.7976931348623157e308, -0.0, 123456789012345678.0};
  std::string text = "time,v\n";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += number_text(static_cast<double>(i)) + "," + number_text(values[i]) + "\n";
  Diagnostics diagnostics;
  const auto table = parse(text, diagnostics);
  ASSERT_TRUE(table);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i], table->at(i, 1));
    EXPECT_EQ(std::signbit(values[i]), std::signbit(table->at(i, 1)));
  }
}

TEST(Csv, FaultsAreFoundAtLineAndColumn) {
  EXPECT_EQ("E701", find_fault(""));
  EXPECT_EQ("E701", find_fault("\n\n"));
  EXPECT_EQ("E701", find_fault("time,u\n"));
  EXPECT_EQ("1:1 E702", find_fault("t,u\n0,1\n"));
  EXPECT_EQ("1:1 E702", find_fault("time;u\n0;1\n"));
  EXPECT_EQ("1:6 E702", find_fault("time,,u\n0,1,2\n"));
  EXPECT_EQ("1:8 E702", find_fault("time,u,u\n0,1,2\n"));
  EXPECT_EQ("3:1 E703", find_fault("time,u\n0,1\n1\n"));
  EXPECT_EQ("2:1 E703", find_fault("time,u\n0,1,2\n"));
  EXPECT_EQ("2:3 E704", find_fault("time,u\n0,abc\n"));
  EXPECT_EQ("2:3 E704", find_fault("time,u\n0,\n"));
  EXPECT_EQ("2:3 E704", find_fault("time,u\n0,nan\n"));
  EXPECT_EQ("2:3 E704", find_fault("time,u\n0,1e999\n"));
  EXPECT_EQ("2:3 E704", find_fault("time,u\n0,\"1,5\"\n"));
  EXPECT_EQ("3:1 E705", find_fault("time,u\n1,0\n0,0\n"));
  EXPECT_EQ("2:3 E701", find_fault("time,u\n0,\"1\n"));
  EXPECT_EQ("2:6 E701", find_fault("time,u\n0,\"1\"2\n"));
}

TEST(Csv, OneRunReportsEveryFaultButNotEndlessly) {
  Diagnostics two;
  EXPECT_FALSE(parse("time,u\n0,x\n1,y\n2,3\n", two));
  EXPECT_EQ(2, two.error_count());
  std::string text = "time,u\n";
  for (int i = 0; i < 1000; ++i) text += "0;1\n";
  Diagnostics many;
  EXPECT_FALSE(parse(text, many));
  EXPECT_LE(many.error_count(), 25);
}

class Signal : public ::testing::Test {
 protected:
  Signal() {
    Diagnostics diagnostics;
    // a ramp to 10 at t = 1, a jump to 20, constant to t = 2
    table_ = *parse("time,u\n0,0\n1,10\n1,20\n2,20\n", diagnostics);
  }
  CsvTable table_;
};

TEST_F(Signal, LinearBetweenRows) {
  EXPECT_DOUBLE_EQ(2.5, calc_signal(table_, 1, 0.25, Interpolation::linear));
  EXPECT_DOUBLE_EQ(20, calc_signal(table_, 1, 1.5, Interpolation::linear));
}

TEST_F(Signal, HoldKeepsTheLastRow) {
  EXPECT_EQ(0, calc_signal(table_, 1, 0.999, Interpolation::hold));
  EXPECT_EQ(20, calc_signal(table_, 1, 1, Interpolation::hold));
}

TEST_F(Signal, EndValuesHoldOutside) {
  EXPECT_EQ(0, calc_signal(table_, 1, -5, Interpolation::linear));
  EXPECT_EQ(20, calc_signal(table_, 1, 99, Interpolation::linear));
}

TEST_F(Signal, AtAJumpTheValueAfterItCountsUnlessTheOneBeforeIsAskedFor) {
  EXPECT_EQ(20, calc_signal(table_, 1, 1, Interpolation::linear));
  EXPECT_EQ(10, calc_signal_before(table_, 1, 1, Interpolation::linear));
}

TEST_F(Signal, APointJustBeforeAJumpIsTheJump) {
  EXPECT_EQ(20, calc_signal(table_, 1, 1 - 1e-12, Interpolation::linear, 1e-9));
  EXPECT_EQ(20, calc_signal(table_, 1, 1 - 1e-12, Interpolation::hold, 1e-9));
  EXPECT_EQ(10, calc_signal_before(table_, 1, 1 + 1e-12, Interpolation::linear, 1e-9));
}

}  // namespace
}  // namespace mechfmu
