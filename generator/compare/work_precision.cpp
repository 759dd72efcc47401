#include "compare/work_precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "emit/template_text.hpp"

namespace mechfmu {

namespace {

constexpr double kLeft = 64, kTop = 14, kWidth = 560, kHeight = 380, kLegend = 250;
// told apart by color, and by dashes where colors come round again
constexpr const char* kColors[] = {"#0b6fb8", "#c2410c", "#15803d", "#7c3aed", "#b45309",
                                   "#0e7490", "#be185d", "#4d7c0f", "#475569", "#a21caf"};
constexpr const char* kDashes[] = {"", "6 3", "2 3"};

struct Decades {
  int low = 0, high = 1;
  void take(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    const int below = static_cast<int>(std::floor(std::log10(value)));
    const int above = static_cast<int>(std::ceil(std::log10(value)));
    if (is_empty_) low = below, high = above;
    is_empty_ = false;
    low = std::min(low, below);
    high = std::max(high, std::max(above, low + 1));
  }
  [[nodiscard]] double share(double value) const {
    return (std::log10(value) - low) / static_cast<double>(high - low);
  }

 private:
  bool is_empty_ = true;
};

}  // namespace

std::string make_work_precision_plot(const Comparison& comparison, const Goal& goal) {
  // below what is known of the reference nothing can be told
  const double floor = std::max(comparison.reference_error, 1e-15);
  Decades x, y;
  for (const MethodRun& run : comparison.runs)
    if (run.completed) {
      x.take(std::max(run.error, floor));
      y.take(run.cost);
    }
  x.take(goal.error);
  const auto at_x = [&](double value) { return kLeft + kWidth * x.share(std::max(value, floor)); };
  const auto at_y = [&](double value) { return kTop + kHeight * (1 - y.share(value)); };
  std::string svg = fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.0f} {:.0f}" role="img" )svg"
      R"svg(aria-label="cost against error of every method" font-family="sans-serif" font-size="12">)svg",
      kLeft + kWidth + kLegend, kTop + kHeight + 50);
  const int x_stride = std::max(1, (x.high - x.low) / 8);
  for (int d = x.low; d <= x.high; d += x_stride) {
    const double place = at_x(std::pow(10.0, d));
    svg += fmt::format(
        R"svg(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}" stroke="#8884"/><text x="{0:.1f}" y="{3}" text-anchor="middle" fill="currentColor">1e{4}</text>)svg",
        place, kTop, kTop + kHeight, kTop + kHeight + 18, d);
  }
  for (int d = y.low; d <= y.high; ++d) {
    const double place = at_y(std::pow(10.0, d));
    svg += fmt::format(
        R"svg(<line x1="{1}" x2="{2}" y1="{0:.1f}" y2="{0:.1f}" stroke="#8884"/><text x="{3}" y="{4:.1f}" text-anchor="end" fill="currentColor">1e{5}</text>)svg",
        place, kLeft, kLeft + kWidth, kLeft - 6, place + 4, d);
  }
  svg += fmt::format(
      R"svg(<line x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}" stroke="currentColor" stroke-dasharray="3 3"><title>the goal</title></line>)svg",
      at_x(goal.error), kTop, kTop + kHeight);
  svg += fmt::format(
      R"svg(<text x="{}" y="{}" text-anchor="middle" fill="currentColor">error of a coordinate [m, rad]</text>)svg",
      kLeft + kWidth / 2, kTop + kHeight + 40);
  svg += fmt::format(
      R"svg(<text transform="translate(14 {}) rotate(-90)" text-anchor="middle" fill="currentColor">CPU seconds per simulated second</text>)svg",
      kTop + kHeight / 2);
  std::size_t shown = 0;
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    std::string points, marks;
    const std::string color = kColors[shown % std::size(kColors)];
    const std::string dash = kDashes[shown / std::size(kColors) % std::size(kDashes)];
    const std::string name = escape_xml(name_of(comparison.methods[m]));
    for (const MethodRun& run : comparison.runs) {
      if (run.method != m || !run.completed) continue;
      points += fmt::format("{:.1f},{:.1f} ", at_x(run.error), at_y(run.cost));
      marks += fmt::format(
          R"svg(<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"><title>{}, {} {:.3g}: error {:.2g}, {:.2g} s/s</title></circle>)svg",
          at_x(run.error), at_y(run.cost), color, name,
          comparison.methods[m].is_adaptive ? "tolerance" : "step", run.setting, run.error,
          run.cost);
    }
    if (points.empty()) continue;
    svg += fmt::format(
        R"svg(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.5" stroke-dasharray="{}"/>)svg",
        points, color, dash);
    svg += marks;
    const double row = kTop + 10 + 15.0 * static_cast<double>(shown++);
    svg += fmt::format(
        R"svg(<line x1="{0}" x2="{1}" y1="{2:.0f}" y2="{2:.0f}" stroke="{3}" stroke-width="2" stroke-dasharray="{4}"/><text x="{5}" y="{6:.0f}" font-size="11" fill="currentColor">{7}</text>)svg",
        kLeft + kWidth + 12, kLeft + kWidth + 34, row, color, dash, kLeft + kWidth + 40, row + 4,
        name);
  }
  return svg + "</svg>\n";
}

}  // namespace mechfmu
