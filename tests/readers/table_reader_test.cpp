// Tables: what is read from attributes and CSV files, and what is said about points that are no
// function.
#include "readers/table_reader.hpp"

#include <gtest/gtest.h>

#include <random>

#include "readers/messages.hpp"
#include "support/test_folder.hpp"

namespace mechfmu {
namespace {

using test::messages;
using test::messages_in;
using test::TestFolder;
using test::with_link;

TEST(TableError, ThereAreNoPoints) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t"/>)xml")),
            R"txt(model.xml:2:1: error E141: table 't': points come from x and y, or from a file
    2 | <table name="t"/>
      | ^~~~~~
   hint: write x="0 1 2" y="0 1 4", or file="points.csv"
)txt");
}

TEST(TableError, PointsComeFromBothPlaces) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="0 1" y="0 1" file="a.csv"/>)xml")),
            R"txt(model.xml:2:1: error E141: table 't': points come from x and y, or from a file
    2 | <table name="t" x="0 1" y="0 1" file="a.csv"/>
      | ^~~~~~
   hint: write x="0 1 2" y="0 1 4", or file="points.csv"
)txt");
}

TEST(TableError, TheValuesAreMissing) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="0 1"/>)xml")),
            R"txt(model.xml:2:1: error E141: table 't': points come from x and y, or from a file
    2 | <table name="t" x="0 1"/>
      | ^~~~~~
   hint: write x="0 1 2" y="0 1 4", or file="points.csv"
)txt");
}

TEST(TableError, ThereAreFewerValuesThanPlaces) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="0 1 2" y="0 1"/>)xml")),
            R"txt(model.xml:2:20: error E141: table 't': there are 3 places x and 2 values y
    2 | <table name="t" x="0 1 2" y="0 1"/>
      |                    ^~~~~
   hint: every x has its y
)txt");
}

TEST(TableError, ThereIsOnePoint) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="0" y="1"/>)xml")),
            R"txt(model.xml:2:20: error E141: table 't': two points are needed at least
    2 | <table name="t" x="0" y="1"/>
      |                    ^
)txt");
}

TEST(TableError, PlacesDoNotAscend) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="t" x="0 1 1 2" y="0 1 2 3"/>)xml")),
      R"txt(model.xml:2:20: error E141: table 't': x must ascend, but point 3 is at 1 and the one before at 1
    2 | <table name="t" x="0 1 1 2" y="0 1 2 3"/>
      |                    ^~~~~~~
   hint: sort the points; every x stands once
)txt");
}

TEST(TableError, PlacesDescend) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="t" x="360 180 0 deg" y="0 1 0"/>)xml")),
      R"txt(model.xml:2:20: error E141: table 't': x must ascend, but point 2 is at 3.141592653589793 and the one before at 6.283185307179586
    2 | <table name="t" x="360 180 0 deg" y="0 1 0"/>
      |                    ^~~~~~~~~~~~~
   hint: sort the points; every x stands once
)txt");
}

TEST(TableError, APeriodicTableEndsElsewhere) {
  EXPECT_EQ(
      messages(
          with_link(R"xml(<table name="t" x="0 1 2" y="0 1 2" extrapolation="periodic"/>)xml")),
      R"txt(model.xml:2:20: error E141: table 't': periodic, but y begins with 0 and ends with 2
    2 | <table name="t" x="0 1 2" y="0 1 2" extrapolation="periodic"/>
      |                    ^~~~~
   hint: the last point is the first one a period later
)txt");
}

TEST(TableError, PlacesAreEmpty) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="" y="0 1"/>)xml")),
            R"txt(model.xml:2:19: error E401: table 't': x: there are no numbers
    2 | <table name="t" x="" y="0 1"/>
      |                   ^~
)txt");
}

TEST(TableError, PlacesAreAUnitAlone) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="mm" y="0 1"/>)xml")),
            R"txt(model.xml:2:20: error E401: table 't': x: there are no numbers
    2 | <table name="t" x="mm" y="0 1"/>
      |                    ^~
)txt");
}

TEST(TableError, APlaceIsAnExpression) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="0 2*pi" y="0 1"/>)xml")),
            R"txt(model.xml:2:22: error E402: table 't': x: '2*pi' is not a plain number
    2 | <table name="t" x="0 2*pi" y="0 1"/>
      |                      ^~~~
   hint: numbers are separated by blanks
)txt");
}

TEST(TableError, PlacesAreSeparatedByCommas) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="0, 1" y="0 1"/>)xml")),
            R"txt(model.xml:2:20: error E402: table 't': x: '0,' is not a plain number
    2 | <table name="t" x="0, 1" y="0 1"/>
      |                    ^~
   hint: numbers are separated by blanks
)txt");
}

TEST(TableError, AUnitIsUnknown) {
  EXPECT_EQ(messages(with_link(R"xml(<table name="t" x="0 1 dge" y="0 1"/>)xml")),
            R"txt(model.xml:2:24: error E405: table 't': x: 'dge' is not a unit
    2 | <table name="t" x="0 1 dge" y="0 1"/>
      |                        ^~~
   hint: did you mean 'deg'?
)txt");
}

TEST(TableError, ASlopeIsInfinite) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="t" x="0 1e-200" y="0 1e200"/>)xml")),
      R"txt(model.xml:2:20: error E141: table 't': from point 1 to point 2 the slope is beyond all numbers
    2 | <table name="t" x="0 1e-200" y="0 1e200"/>
      |                    ^~~~~~~~
   hint: look for a missing or misplaced exponent
)txt");
}

TEST(TableError, TheInterpolationIsUnknown) {
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="t" x="0 1" y="0 1" interpolation="spline"/>)xml")),
      R"txt(model.xml:2:48: error E117: table 't': interpolation: 'spline' is not one of the choices
    2 | <table name="t" x="0 1" y="0 1" interpolation="spline"/>
      |                                                ^~~~~~
   hint: one of: akima, linear
)txt");
}

TEST(TableError, TheFileIsNotThere) {
  const TestFolder folder;
  EXPECT_EQ(
      messages_in(folder.path(), with_link(R"xml(<table name="t" file="lift.csv"/>)xml")),
      R"txt(model.xml:2:23: error E142: table 't': lift.csv: the file cannot be opened: No such file or directory
    2 | <table name="t" file="lift.csv"/>
      |                       ^~~~~~~~
)txt");
}

TEST(TableError, TheFileIsAFolder) {
  const TestFolder folder;
  folder.write("data/a.csv", "x,y\n");
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="data"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': data: this is a folder, not a file
    2 | <table name="t" file="data"/>
      |                       ^~~~
)txt");
}

TEST(TableError, TheFileIsEmpty) {
  const TestFolder folder;
  folder.write("a.csv", "\n");
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': a.csv: the file is empty
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
)txt");
}

TEST(TableError, TheFileIsOutsideTheFolder) {
  const TestFolder folder;
  EXPECT_EQ(
      messages_in(folder.path(), with_link(R"xml(<table name="t" file="../a.csv"/>)xml")),
      R"txt(model.xml:2:23: error E142: table 't': '../a.csv' is not a file beside the mechanism file
    2 | <table name="t" file="../a.csv"/>
      |                       ^~~~~~~~
   hint: give its name, or a path into a folder below
)txt");
}

TEST(TableError, TheFileHasAnAbsolutePath) {
  const TestFolder folder;
  EXPECT_EQ(
      messages_in(folder.path(), with_link(R"xml(<table name="t" file="/etc/passwd"/>)xml")),
      R"txt(model.xml:2:23: error E142: table 't': '/etc/passwd' is not a file beside the mechanism file
    2 | <table name="t" file="/etc/passwd"/>
      |                       ^~~~~~~~~~~
   hint: give its name, or a path into a folder below
)txt");
}

TEST(TableError, TheFileIsOnAWindowsDrive) {
  const TestFolder folder;
  EXPECT_EQ(
      messages_in(folder.path(), with_link(R"xml(<table name="t" file="C:\lift.csv"/>)xml")),
      R"txt(model.xml:2:23: error E142: table 't': 'C:\lift.csv' is not a file beside the mechanism file
    2 | <table name="t" file="C:\lift.csv"/>
      |                       ^~~~~~~~~~~
   hint: give its name, or a path into a folder below
)txt");
}

TEST(TableError, TheFileNameIsEmpty) {
  const TestFolder folder;
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file=""/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': '' is not a file beside the mechanism file
    2 | <table name="t" file=""/>
      |                       ^
   hint: give its name, or a path into a folder below
)txt");
}

TEST(TableError, TheFileHasOneColumn) {
  const TestFolder folder;
  folder.write("a.csv", "x\n1\n2\n");
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': a.csv: two columns are needed
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
   hint: a line of names comes first: x,y
)txt");
}

TEST(TableError, TheFileIsSeparatedBySemicolons) {
  const TestFolder folder;
  folder.write("a.csv", "x;y\n0;1\n1;2\n");
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': a.csv: two columns are needed
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
   hint: columns are separated by commas
)txt");
}

TEST(TableError, TheFileHasNoNames) {
  const TestFolder folder;
  folder.write("a.csv", "0,0\n1,1\n");
  EXPECT_EQ(
      messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
      R"txt(model.xml:2:23: error E142: table 't': a.csv: the first line must hold the names of the columns
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
   hint: for example: angle,lift
)txt");
}

TEST(TableError, TheFileHasComments) {
  const TestFolder folder;
  folder.write("a.csv", "# nothing else\n");
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': a.csv: the file has no line of names
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
)txt");
}

TEST(TableError, TheFileHasNamesOnly) {
  const TestFolder folder;
  folder.write("a.csv", "x,y\n");
  EXPECT_EQ(
      messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
      R"txt(model.xml:2:23: error E142: table 't': a.csv: there are no rows of numbers under the names
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
)txt");
}

TEST(TableError, TheColumnIsUnknown) {
  const TestFolder folder;
  folder.write("a.csv", "angle,lift\n0,0\n1,1\n");
  EXPECT_EQ(
      messages_in(
          folder.path(),
          with_link(R"xml(<table name="t" file="a.csv" x_column="angel" y_column="lift"/>)xml")),
      R"txt(model.xml:2:40: error E142: table 't': 'a.csv' has no column 'angel'
    2 | <table name="t" file="a.csv" x_column="angel" y_column="lift"/>
      |                                        ^~~~~
   hint: did you mean 'angle'?
)txt");
}

TEST(TableError, AFieldIsNoNumber) {
  const TestFolder folder;
  folder.write("a.csv", "x,y\n0,0\n1,one\n");
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': a.csv: line 3: 'one' is not a number
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
)txt");
}

TEST(TableError, ARowIsShort) {
  const TestFolder folder;
  folder.write("a.csv", "x,y\n# comment\n0,0\n1\n");
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': a.csv: line 4 has no field number 2
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
   hint: every row has one field per column, separated by commas
)txt");
}

TEST(TableError, AFieldIsInfinite) {
  const TestFolder folder;
  folder.write("a.csv", "x,y\n0,0\n1,inf\n");
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': a.csv: line 3: 'inf' is not a number
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
)txt");
}

TEST(TableError, PlacesOfTheFileDoNotAscend) {
  const TestFolder folder;
  folder.write("a.csv", "x,y\n1,0\n0,1\n");
  EXPECT_EQ(
      messages_in(folder.path(), with_link(R"xml(<table name="t" file="a.csv"/>)xml")),
      R"txt(model.xml:2:23: error E141: table 't': x must ascend, but point 2 is at 0 and the one before at 1
    2 | <table name="t" file="a.csv"/>
      |                       ^~~~~
   hint: sort the points; every x stands once
)txt");
}

Table read(const std::string& attributes, const TestFolder* folder = nullptr) {
  const SourceText source((folder != nullptr ? folder->path() + "/" : "") + "model.xml",
                          with_link("<table name=\"t\" " + attributes + "/>"));
  Diagnostics diagnostics;
  const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics);
  if (!mechanism) {
    ADD_FAILURE() << render(diagnostics, source);
    return {};
  }
  return mechanism->tables.at(0);
}

using Numbers = std::vector<double>;

// Reference: the points as written, units converted by hand.
TEST(TableReader, ReadsPointsWithUnits) {
  const Table table = read(R"xml(x="0 90 180 deg" y="-1 +0.5e1 .25 mm")xml");
  EXPECT_EQ(table.name.text, "t");
  EXPECT_EQ(table.x, (Numbers{0, 1.5707963267948966, 3.141592653589793}));
  ASSERT_EQ(table.y.size(), 3U);
  EXPECT_DOUBLE_EQ(table.y[0], -0.001);
  EXPECT_DOUBLE_EQ(table.y[1], 0.005);
  EXPECT_DOUBLE_EQ(table.y[2], 0.00025);
}

// Reference: language.md (defaults).
TEST(TableReader, InterpolatesWithAkimaAndContinuesStraightUnlessTold) {
  const Table plain = read(R"xml(x="0 1" y="2 3")xml");
  EXPECT_EQ(plain.interpolation, "akima");
  EXPECT_EQ(plain.extrapolation, "linear");
  const Table told =
      read(R"xml(x="0 1" y="2 2" interpolation="linear" extrapolation="periodic")xml");
  EXPECT_EQ(told.interpolation, "linear");
  EXPECT_EQ(told.extrapolation, "periodic");
}

TEST(TableReader, TakesTheFirstTwoColumnsOfAFile) {
  const TestFolder folder;
  folder.write("a.csv", "angle,lift,other\n0,1,7\n2,3,8\n");
  const Table table = read(R"xml(file="a.csv")xml", &folder);
  EXPECT_EQ(table.x, (Numbers{0, 2}));
  EXPECT_EQ(table.y, (Numbers{1, 3}));
}

TEST(TableReader, TakesTheColumnsThatAreNamed) {
  const TestFolder folder;
  folder.write("deep/er/a.csv", "a,b,c\n1,2,3\n4,5,6\n");
  const Table table = read(R"xml(file="deep/er/a.csv" x_column="c" y_column="a")xml", &folder);
  EXPECT_EQ(table.x, (Numbers{3, 6}));
  EXPECT_EQ(table.y, (Numbers{1, 4}));
  const Table same = read(R"xml(file="deep/er/a.csv" x_column="b" y_column="b")xml", &folder);
  EXPECT_EQ(same.x, (Numbers{2, 5}));
  EXPECT_EQ(same.y, (Numbers{2, 5}));
}

// What spreadsheets and measuring programs write: a byte order mark, CRLF, quotes, commas and
// quotes in names, blanks, comments, empty lines, no end of line at the end.
TEST(TableReader, ReadsWhatOtherProgramsWrite) {
  const TestFolder folder;
  folder.write("a.csv",
               "\xEF\xBB\xBF# measured, on Monday\r\n\r\n"
               "\"angle, \"\"cam\"\"\", lift \r\n"
               "\"0\" ,\t1e-3\r\n"
               "# in between\r\n"
               " 1.5,\"-2\"\r\n"
               "2,3");
  const Table table =
      read(R"xml(file="a.csv" x_column="angle, &quot;cam&quot;" y_column="lift")xml", &folder);
  EXPECT_EQ(table.x, (Numbers{0, 1.5, 2}));
  EXPECT_EQ(table.y, (Numbers{1e-3, -2, 3}));
}

TEST(TableReader, ByteOrderMarkIsNoPartOfTheFirstName) {
  const TestFolder folder;
  folder.write("a.csv", "\xEF\xBB\xBFx,y\n0,1\n1,2\n");
  EXPECT_EQ(read(R"xml(file="a.csv" x_column="x")xml", &folder).x, (Numbers{0, 1}));
}

// "-" means standard input where the user names the mechanism file; here it is a file's name.
TEST(TableReader, NeverReadsStandardInput) {
  const TestFolder folder;
  folder.write("-", "x,y\n0,1\n1,2\n");
  EXPECT_EQ(read(R"xml(file="-")xml", &folder).y, (Numbers{1, 2}));
  EXPECT_EQ(
      messages(with_link(R"xml(<table name="t" file="-"/>)xml")),
      R"txt(model.xml:2:23: error E142: table 't': -: the file cannot be opened: No such file or directory
    2 | <table name="t" file="-"/>
      |                       ^
)txt");
}

// Dots are refused only as a way out.
TEST(TableReader, TakesNamesWithDots) {
  const TestFolder folder;
  folder.write("a..b.csv", "x,y\n0,1\n1,2\n");
  EXPECT_EQ(read(R"xml(file="a..b.csv")xml", &folder).y, (Numbers{1, 2}));
  EXPECT_EQ(read(R"xml(file="./a..b.csv")xml", &folder).y, (Numbers{1, 2}));
}

// Reference: kMaxTablePoints; at the limit all is well, one more is refused.
TEST(TableReader, LimitsTheNumberOfPoints) {
  const TestFolder folder;
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < kMaxTablePoints; ++i) text += std::to_string(i) + ",0\n";
  folder.write("a.csv", text);
  folder.write("b.csv", text + std::to_string(kMaxTablePoints) + ",0\n");
  EXPECT_EQ(read(R"xml(file="a.csv")xml", &folder).x.size(), kMaxTablePoints);
  EXPECT_EQ(messages_in(folder.path(), with_link(R"xml(<table name="t" file="b.csv"/>)xml")),
            R"txt(model.xml:2:23: error E142: table 't': b.csv: more than 100000 points
    2 | <table name="t" file="b.csv"/>
      |                       ^~~~~
)txt");
}

// A table without points would be a function without values: whatever the file holds, the table
// has points or there is an error. Bytes changed at random, seed 5.
TEST(TableReader, HasPointsOrComplains) {
  const TestFolder folder;
  const std::string good = "# c\nangle,\"lift\"\r\n0,1\n1e0,-2.5\n2,0.5\n";
  std::mt19937 engine(5);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine);
  };
  const std::string characters = ",\"#\n\r \t0.e-+xX;\xC3";
  for (int i = 0; i < 1000; ++i) {
    std::string text = good;
    for (std::size_t k = pick(3) + 1; k > 0; --k) {
      const std::size_t at = pick(text.size());
      if (pick(2) == 0)
        text[at] = characters[pick(characters.size())];
      else
        text.erase(at, pick(8) + 1);
      if (text.empty()) text = "x";
    }
    folder.write("a.csv", text);
    const SourceText source(folder / "model.xml",
                            with_link(R"xml(<table name="t" file="a.csv"/>)xml"));
    Diagnostics diagnostics;
    const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics);
    ASSERT_EQ(mechanism.has_value(), !diagnostics.has_errors()) << text;
    if (!mechanism) continue;
    const Table& table = mechanism->tables.at(0);
    ASSERT_GE(table.x.size(), 2U) << text;
    ASSERT_EQ(table.x.size(), table.y.size()) << text;
  }
}

}  // namespace
}  // namespace mechfmu
