// Work-precision plots, one panel per problem: error against cost, both in decades. Of each engine
// the lower edge of all its runs is drawn: the least error that each cost has bought.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/problem.hpp"
#include "report/results.hpp"

namespace mechfmu::bench {
namespace {

struct Style {
  const char *engine, *colour, *dash;
};
constexpr Style kStyles[] = {{"mechfmu", "#c22", ""},    {"hand", "#222", "4 3"},
                             {"simbody", "#1670c0", ""}, {"mujoco", "#e08a00", ""},
                             {"ode", "#3a9a3a", ""},     {"bullet", "#8a4fbf", ""},
                             {"dart", "#8b6b4f", ""}};
constexpr double kPanel = 300, kHeight = 230, kLeft = 48, kTop = 26, kRight = 10, kBottom = 34;
constexpr int kColumns = 3;
constexpr double kErrorLow = -9, kErrorHigh = 1;  // decades

struct Axis {
  double low, high, from, to;
  [[nodiscard]] double at(double decade) const {
    return from + (decade - low) / (high - low) * (to - from);
  }
};

// (cost, error) by growing cost, falling error.
std::vector<std::pair<double, double>> edge(const Pair& pair) {
  std::vector<std::pair<double, double>> points, result;
  for (const MethodResult& method : pair.methods)
    for (const Point& point : method.points)
      if (method.competes && std::isfinite(point.error) && point.error > 0)
        points.emplace_back(std::log10(point.cost), std::log10(point.error));
  std::sort(points.begin(), points.end());
  double least = 1e300;
  for (const auto& [cost, error] : points) {
    if (error >= least) continue;
    least = error;
    result.emplace_back(cost, std::clamp(error, kErrorLow, kErrorHigh));
  }
  return result;
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

std::string label(double x, double y, const std::string& text, const char* style) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, text);
}

std::string panel(const Results& results, const std::string& problem, double x0, double y0) {
  double low = 0, high = -6;
  for (const Style& style : kStyles)
    if (const Pair* pair = results.find(style.engine, problem))
      for (const auto& [cost, error] : edge(*pair)) {
        low = std::min(low, std::floor(cost));
        high = std::max(high, std::ceil(cost));
      }
  if (high <= low) high = low + 1;
  const Axis x{low, high, x0 + kLeft, x0 + kPanel - kRight};
  const Axis y{kErrorLow, kErrorHigh, y0 + kHeight - kBottom, y0 + kTop};
  std::string svg =
      label(x0 + kLeft, y0 + kTop - 9, find_problem(problem).title, "font-weight=\"bold\"");
  for (double d = low; d <= high; ++d) {
    svg += line(x.at(d), y.from, x.at(d), y.to, "stroke=\"#ddd\"");
    svg += label(x.at(d), y.from + 13, fmt::format("1e{:g}", d), "text-anchor=\"middle\"");
  }
  for (double d = kErrorLow; d <= kErrorHigh; d += 2) {
    svg += line(x.from, y.at(d), x.to, y.at(d), "stroke=\"#ddd\"");
    svg += label(x.from - 5, y.at(d) + 3, fmt::format("1e{:g}", d), "text-anchor=\"end\"");
  }
  for (const double tolerance : kTolerances)
    svg += line(x.from, y.at(std::log10(tolerance)), x.to, y.at(std::log10(tolerance)),
                "stroke=\"#999\" stroke-dasharray=\"2 2\"");
  for (const Style& style : kStyles) {
    const Pair* pair = results.find(style.engine, problem);
    if (pair == nullptr) continue;
    std::string points, marks;
    for (const auto& [cost, error] : edge(*pair)) {
      points += fmt::format("{:.1f},{:.1f} ", x.at(cost), y.at(error));
      marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.8\" fill=\"{}\"/>\n",
                           x.at(cost), y.at(error), style.colour);
    }
    svg += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" "
        "stroke-dasharray=\"{}\"/>\n{}",
        points, style.colour, style.dash, marks);
  }
  return svg;
}

}  // namespace

std::string make_plot(const Results& results) {
  const int count = static_cast<int>(results.problems.size());
  const int rows = (count + kColumns - 1) / kColumns;
  const double width = kColumns * kPanel, height = rows * kHeight + 44;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"100%\" "
      "height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  double x = kLeft;
  for (const Style& style : kStyles) {
    if (std::find(results.engines.begin(), results.engines.end(), style.engine) ==
        results.engines.end())
      continue;
    svg += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"14\" x2=\"{:.1f}\" y2=\"14\" stroke=\"{}\" stroke-width=\"2\" "
        "stroke-dasharray=\"{}\"/>\n",
        x, x + 22, style.colour, style.dash);
    svg += label(x + 27, 18, style.engine, "font-size=\"12\"");
    x += 100;
  }
  for (int i = 0; i < count; ++i)
    svg += panel(results, results.problems[static_cast<std::size_t>(i)], kPanel * (i % kColumns),
                 28 + kHeight * (i / kColumns));
  svg +=
      label(kLeft, height - 6,
            "across: CPU seconds per simulated second; up: largest position error [m]; lower left "
            "is better",
            "fill=\"#555\"");
  return svg + "</svg>\n";
}

}  // namespace mechfmu::bench
