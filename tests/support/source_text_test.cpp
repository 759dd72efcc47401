// How a diagnostic is shown. Reference: the form at the head of source_text.hpp.
#include "support/source_text.hpp"

#include <gtest/gtest.h>

namespace mechfmu {
namespace {

Diagnostic make_error(std::size_t begin, std::size_t end, std::string hint = {}) {
  return {Severity::error, "E203", Span{begin, end}, "message", std::move(hint)};
}

TEST(SourceText, CountsLinesAndCodePointsFromOne) {
  const SourceText source("f",
                          "ab\nc\xC3\xA4"
                          "d\r\n\nx");
  EXPECT_EQ(source.find_place(0).line, 1U);
  EXPECT_EQ(source.find_place(0).column, 1U);
  EXPECT_EQ(source.find_place(2).column, 3U);  // the line feed itself
  EXPECT_EQ(source.find_place(6).line, 2U);
  EXPECT_EQ(source.find_place(6).column, 3U);  // after the two bytes of a-umlaut
  EXPECT_EQ(source.find_place(9).line, 3U);
  EXPECT_EQ(source.find_place(1000).line, 4U);
  EXPECT_EQ(source.find_place(1000).column, 2U);
  EXPECT_EQ(source.find_line(2),
            "c\xC3\xA4"
            "d");
  EXPECT_EQ(source.find_line(3), "");
  EXPECT_EQ(source.find_line(5), "");
  EXPECT_EQ(source.find_line(0), "");
}

TEST(SourceText, IgnoresAByteOrderMarkWhenCounting) {
  const SourceText source("f", "\xEF\xBB\xBF<a>");
  EXPECT_EQ(source.find_place(3).column, 1U);
  EXPECT_EQ(render(make_error(3, 5), source),
            "f:1:1: error E203: message\n    1 | <a>\n      | ^~\n");
}

TEST(Render, ShowsLineCaretAndHint) {
  const SourceText source("four_bar.xml", "one\n  <inertial mass=\"-1.5\"/>\n");
  EXPECT_EQ(render(make_error(22, 26, "masses are in kg"), source),
            "four_bar.xml:2:19: error E203: message\n"
            "    2 |   <inertial mass=\"-1.5\"/>\n"
            "      |                   ^~~~\n"
            "   hint: masses are in kg\n");
}

TEST(Render, ShowsWarningsAndNotesWithoutPlace) {
  const SourceText source("f", "x");
  EXPECT_EQ(render(Diagnostic{Severity::warning, "W101", std::nullopt, "m", "h"}, source),
            "f: warning W101: m\n   hint: h\n");
  EXPECT_EQ(render(Diagnostic{Severity::note, "N1", std::nullopt, "m", ""}, ""), "note N1: m\n");
}

TEST(Render, PutsTheCaretUnderCharactersNotBytes) {
  const SourceText source("f", "\t\xC3\xA4 \xE2\x82\xAC = ?");
  EXPECT_EQ(render(make_error(10, 11), source),
            "f:1:8: error E203: message\n    1 |  \xC3\xA4 \xE2\x82\xAC = ?\n      |        ^\n");
}

TEST(Render, MakesControlCharactersHarmless) {
  const SourceText source("f", "a\x1b[31mb");
  EXPECT_EQ(render(make_error(0, 1), source),
            "f:1:1: error E203: message\n    1 | a [31mb\n      | ^\n");
}

TEST(Render, EndsTheCaretAtTheEndOfTheLine) {
  const SourceText source("f", "abc\ndef");
  EXPECT_EQ(render(make_error(1, 6), source),
            "f:1:2: error E203: message\n    1 | abc\n      |  ^~\n");
  EXPECT_EQ(render(make_error(7, 7), source),
            "f:2:4: error E203: message\n    2 | def\n      |    ^\n");
}

TEST(Render, ShowsAWindowOfALongLine) {
  std::string line(1000, 'a');
  line[500] = 'X';
  const std::string text = render(make_error(500, 501), SourceText("f", line));
  const std::string shown =
      text.substr(text.find("| ") + 2, text.find("\n      |") - text.find("| ") - 2);
  EXPECT_EQ(shown, "..." + std::string(55, 'a') + "X" + std::string(54, 'a') + "...");
  EXPECT_NE(text.find("      | " + std::string(58, ' ') + "^\n"), std::string::npos);
}

TEST(Render, ColorsOnlyOnRequest) {
  const SourceText source("f", "x");
  EXPECT_EQ(render(make_error(0, 1), source).find('\x1b'), std::string::npos);
  EXPECT_NE(render(make_error(0, 1), source, true).find("\x1b[1;31merror E203:\x1b[0m"),
            std::string::npos);
}

TEST(Render, SortsByPlaceAndDropsWarningsBeforeErrors) {
  const SourceText source("f", "abcdef");
  Diagnostics diagnostics;
  diagnostics.warning("W101", Span{0, 1}, "w");
  diagnostics.error("E204", Span{4, 5}, "late");
  diagnostics.error("E203", Span{2, 3}, "early");
  diagnostics.error("E101", std::nullopt, "whole");
  const std::string all = render(diagnostics, source);
  EXPECT_LT(all.find("whole"), all.find("W101"));
  EXPECT_LT(all.find("W101"), all.find("early"));
  EXPECT_LT(all.find("early"), all.find("late"));
  const std::string three = render(diagnostics, source, false, 3);
  EXPECT_EQ(three.find("W101"), std::string::npos);
  EXPECT_NE(three.find("late"), std::string::npos);
  EXPECT_EQ(three.substr(three.size() - 15), "... and 1 more\n");
}

}  // namespace
}  // namespace mechfmu
