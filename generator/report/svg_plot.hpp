// Plots over time for papers: one panel per unit above a common time axis, as SVG text. Lines are
// told apart by color, grey value and dashes, so that they survive a copier.
#pragma once
#include <string>
#include <vector>

namespace mechfmu {

struct PlotLine {
  std::string name, unit;  // FMI spelling of the unit, or ""
  std::vector<double> time, values;
  bool is_logarithmic = false;  // decades; what is not positive leaves a gap
};

// The values k * 10^n, k = 1, 2 or 5, inside [low, high]: about `wanted` of them.
std::vector<double> make_ticks(double low, double high, int wanted);

std::string make_svg_plot(const std::vector<PlotLine>& lines);  // at least one line

}  // namespace mechfmu
