#include "report/svg_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <pugixml.hpp>

namespace mechfmu {
namespace {

PlotLine wave(const std::string& name, const std::string& unit, int points = 101) {
  PlotLine line{name, unit, {}, {}};
  for (int i = 0; i < points; ++i) {
    line.time.push_back(10.0 * i / (points - 1));
    line.values.push_back(std::sin(line.time.back()));
  }
  return line;
}

std::string texts_of(const pugi::xml_document& document) {
  std::string texts;
  for (const pugi::xpath_node& node : document.select_nodes("//text | //tspan"))
    texts += std::string(node.node().text().get()) + "|";
  return texts;
}

TEST(SvgPlot, TicksAreRound) {
  EXPECT_EQ(make_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(make_ticks(-1.1, 1.1, 5), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  const auto small = make_ticks(1e-9, 5e-9, 4);
  ASSERT_EQ(small.size(), 5u);
  EXPECT_NEAR(small[1] - small[0], 1e-9, 1e-20);
}

TEST(SvgPlot, HasAPanelPerUnitAndNamesThem) {
  pugi::xml_document document;
  const std::string svg = make_svg_plot({wave("a", "rad"), wave("b", "rad"), wave("c<&>", "N.m")});
  ASSERT_TRUE(document.load_string(svg.c_str()));
  const std::string texts = texts_of(document);
  for (const char* text : {"a|", "b|", "c<&>|", "rad|", "N\u00b7m|", "time in s|", "10|"})
    EXPECT_NE(texts.find(text), std::string::npos) << text << " in " << texts;
  EXPECT_EQ(svg.find("http://"), svg.rfind("http://")) << "the namespace is the only address";
}

// On paper without color: no two of the first four lines have the same dashes.
TEST(SvgPlot, LinesDifferInDashes) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(
      make_svg_plot({wave("a", ""), wave("b", ""), wave("c", ""), wave("d", "")}).c_str()));
  std::vector<std::string> dashes;
  for (const pugi::xpath_node& node : document.select_nodes("//path[@stroke-width='1.4']"))
    dashes.emplace_back(node.node().attribute("stroke-dasharray").value());
  ASSERT_EQ(dashes.size(), 4u);
  std::sort(dashes.begin(), dashes.end());
  EXPECT_EQ(std::unique(dashes.begin(), dashes.end()), dashes.end());
}

// 200,000 points become a small file, and the one that sticks out is still there.
TEST(SvgPlot, KeepsPeaksOfManyPoints) {
  PlotLine line = wave("a", "m", 200'001);
  line.values[123'457] = 50;
  const std::string svg = make_svg_plot({line});
  EXPECT_LT(svg.size(), 40'000u);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  const std::string path =
      document.select_node("//path[@stroke-width='1.4']").node().attribute("d").value();
  double highest = 1e9, lowest = -1e9;  // down is positive
  std::string numbers = path;
  std::replace_if(
      numbers.begin(), numbers.end(), [](char c) { return c == 'M' || c == 'L'; }, ' ');
  std::istringstream stream(numbers);
  for (double x = 0, y = 0; stream >> x >> y;) {
    highest = std::min(highest, y);
    lowest = std::max(lowest, y);
  }
  EXPECT_GT(lowest - highest, 170) << "51 of 51 with the usual air";
}

TEST(SvgPlot, LogarithmicLinesShowDecades) {
  PlotLine line{"constraint.residual", "", {0, 1, 2, 3}, {1e-12, 0, 1e-9, 1e-6}, true};
  const std::string svg = make_svg_plot({line});
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  EXPECT_NE(texts_of(document).find("\u221212|"), std::string::npos) << texts_of(document);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(SvgPlot, ConstantAndSinglePointAreDrawn) {
  const std::string svg = make_svg_plot({{"a", "m", {0, 1}, {2, 2}}, {"b", "s", {0}, {0}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace mechfmu
