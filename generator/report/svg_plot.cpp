#include "report/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "emit/template_text.hpp"

namespace mechfmu {

namespace {

constexpr double kWidth = 560, kPanelHeight = 200;
constexpr double kLeft = 64, kRight = 14, kTop = 10, kGap = 22, kBottom = 42;
constexpr double kRowHeight = 17;  // of the key
constexpr double kLetter = 6.4;    // width of one, for the key
constexpr std::size_t kMostPoints = 1200;

struct LineStyle {
  const char *color, *dash;
};
// Darkest first; no two have both the same dash and a similar grey.
constexpr std::array<LineStyle, 8> kStyles = {{{"#000000", ""},
                                               {"#0b5fa5", "7 3"},
                                               {"#c4462d", "2 2.5"},
                                               {"#3c8a4e", "9 3 2 3"},
                                               {"#7a4fa3", ""},
                                               {"#b07a10", "5 2"},
                                               {"#2a8f9d", "1.5 3.5"},
                                               {"#8a8a8a", ""}}};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

// A coordinate on the sheet; `from` is that of `low`.
struct Axis {
  double low, high, from, to;
  [[nodiscard]] double at(double x) const { return from + (x - low) / (high - low) * (to - from); }
};

struct Panel {
  std::string unit;
  bool is_logarithmic = false;
  std::vector<std::size_t> lines;
};

std::vector<Panel> make_panels(const std::vector<PlotLine>& lines) {
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto found = std::find_if(panels.begin(), panels.end(), [&](const Panel& p) {
      return p.unit == lines[i].unit && p.is_logarithmic == lines[i].is_logarithmic;
    });
    if (found == panels.end())
      panels.push_back({lines[i].unit, lines[i].is_logarithmic, {i}});
    else
      found->lines.push_back(i);
  }
  return panels;
}

// What is drawn: the value, or its decade.
double drawn(const PlotLine& line, std::size_t i) {
  if (!line.is_logarithmic) return line.values[i];
  return line.values[i] > 0 ? std::log10(line.values[i]) : std::nan("");
}

// "N.m" -> "N·m", "rad/s2" -> "rad/s²"
std::string unit_text(const std::string& unit) {
  std::string text;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const char c = unit[i];
    const bool raised = i > 0 && ((c >= '2' && c <= '3') || c == '1' || c == '-');
    if (c == '.')
      text += "\u00b7";
    else if (raised)
      text += c == '1' ? "\u00b9" : c == '2' ? "\u00b2" : c == '3' ? "\u00b3" : "\u207b";
    else
      text += c;
  }
  return escape_xml(text);
}

std::string tick_text(double x, double step) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
  if (std::fabs(x) < 1e-9 * step) x = 0;
  std::string text = std::fabs(x) >= 1e6 || digits > 6 ? fmt::format("{:.3g}", x)
                                                       : fmt::format("{:.{}f}", x, digits);
  return text.front() == '-' ? "\u2212" + text.substr(1) : text;
}

class SvgPlot {
 public:
  explicit SvgPlot(const std::vector<PlotLine>& lines) : lines_(lines) {}

  std::string make() {
    Range time;
    for (const PlotLine& line : lines_)
      for (const double t : line.time) time.include(t);
    if (!(time.high > time.low)) time = {time.low - 0.5, time.low + 0.5};
    x_ = {time.low, time.high, kLeft, kWidth - kRight};
    const std::vector<Panel> panels = make_panels(lines_);
    double y = 0;
    for (std::size_t i = 0; i < panels.size(); ++i)
      y = add_panel(panels[i], y, i + 1 == panels.size());
    add_text((x_.from + x_.to) / 2, y + kBottom - 24 + 14, "middle", "time in s");
    const double height = y + kBottom - 4;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
        "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"Helvetica, Arial, sans-serif\" "
        "font-size=\"12\" fill=\"#000000\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#ffffff\"/>\n{2}</svg>\n",
        kWidth, height, text_);
  }

 private:
  void add_text(double x, double y, const char* anchor, const std::string& text) {
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                         anchor, text);
  }
  void add_stroke(const std::string& path, const char* color, const char* dash, double width) {
    text_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\"{} "
        "stroke-linejoin=\"round\"/>\n",
        path, color, width, *dash == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
  }

  // Its key, its frame, its lines; returns where it ends.
  double add_panel(const Panel& panel, double top, bool is_last) {
    const double begin = add_key(panel, top + kTop);
    Range range;
    for (const std::size_t i : panel.lines)
      for (std::size_t k = 0; k < lines_[i].values.size(); ++k)
        if (const double v = drawn(lines_[i], k); std::isfinite(v)) range.include(v);
    if (range.low > range.high) range = {0, 1};
    const double size = std::max(std::fabs(range.low), std::fabs(range.high));
    double air = 0.05 * (range.high - range.low);
    if (air <= 1e-13 * size) air = size > 0 ? 0.1 * size : 1;
    const Axis y{range.low - air, range.high + air, begin + kPanelHeight, begin};
    add_frame(panel, y, is_last);
    for (std::size_t k = 0; k < panel.lines.size(); ++k) {
      const LineStyle& style = kStyles[k % kStyles.size()];
      add_stroke(make_path(lines_[panel.lines[k]], y), style.color, style.dash, 1.4);
    }
    return y.from;
  }

  double add_key(const Panel& panel, double top) {
    double x = kLeft, y = top + 10;
    for (std::size_t k = 0; k < panel.lines.size(); ++k) {
      const std::string& name = lines_[panel.lines[k]].name;
      const double width = 34 + kLetter * static_cast<double>(name.size()) + 18;
      if (x > kLeft && x + width > kWidth) {
        x = kLeft;
        y += kRowHeight;
      }
      const LineStyle& style = kStyles[k % kStyles.size()];
      add_stroke(fmt::format("M{:.1f} {:.1f}h26", x, y - 4), style.color, style.dash, 1.6);
      add_text(x + 32, y, "start", escape_xml(name));
      x += width;
    }
    return y + kGap - 12;
  }

  void add_frame(const Panel& panel, const Axis& y, bool is_last) {
    std::string marks;
    const std::vector<double> times = make_ticks(x_.low, x_.high, 6);
    const double time_step = times.size() > 1 ? times[1] - times[0] : 1;
    for (const double t : times) {
      marks += fmt::format("M{:.1f} {:.1f}v-4", x_.at(t), y.from);
      if (is_last) add_text(x_.at(t), y.from + 16, "middle", tick_text(t, time_step));
    }
    std::vector<double> values = make_ticks(y.low, y.high, 5);
    if (panel.is_logarithmic)
      values.erase(
          std::remove_if(values.begin(), values.end(), [](double v) { return v != std::round(v); }),
          values.end());
    const double step = values.size() > 1 ? values[1] - values[0] : 1;
    for (const double v : values) {
      marks += fmt::format("M{:.1f} {:.1f}h4", x_.from, y.at(v));
      const std::string text = panel.is_logarithmic ? "10<tspan dy=\"-4\" font-size=\"9\">" +
                                                          tick_text(v, 1) + "</tspan>"
                                                    : tick_text(v, step);
      add_text(x_.from - 6, y.at(v) + 4, "end", text);
    }
    add_stroke(marks, "#000000", "", 0.8);
    add_stroke(fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}", x_.from, y.to, y.from, x_.to), "#000000",
               "", 0.8);
    const double middle = (y.from + y.to) / 2;
    if (!panel.unit.empty())
      text_ += fmt::format(
          "<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
          middle, unit_text(panel.unit));
  }

  // Of many points in a row the lowest and the highest are kept: no peak is lost.
  [[nodiscard]] std::string make_path(const PlotLine& line, const Axis& y) const {
    const std::size_t count = line.values.size();
    const std::size_t group = std::max<std::size_t>(1, 2 * count / kMostPoints);
    std::string path;
    bool pen_down = false;
    const auto add = [&](std::size_t i) {
      const double value = drawn(line, i);
      if (!std::isfinite(value)) {
        pen_down = false;
        return;
      }
      path +=
          fmt::format("{}{:.2f} {:.2f}", pen_down ? 'L' : 'M', x_.at(line.time[i]), y.at(value));
      pen_down = true;
    };
    for (std::size_t begin = 0; begin < count; begin += group) {
      const std::size_t end = std::min(begin + group, count);
      std::size_t low = begin, high = begin;
      for (std::size_t i = begin; i < end; ++i) {
        if (line.values[i] < line.values[low]) low = i;
        if (line.values[i] > line.values[high]) high = i;
      }
      add(std::min(low, high));
      if (low != high) add(std::max(low, high));
    }
    if (group > 1) add(count - 1);
    return path;
  }

  const std::vector<PlotLine>& lines_;
  Axis x_{0, 1, 0, 1};
  std::string text_;
};

}  // namespace

std::vector<double> make_ticks(double low, double high, int wanted) {
  const double rough = (high - low) / wanted;
  const double decade = std::pow(10, std::floor(std::log10(rough)));
  const double lead = rough / decade;
  const double step = decade * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  std::vector<double> ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    ticks.push_back(k * step);
  return ticks;
}

std::string make_svg_plot(const std::vector<PlotLine>& lines) { return SvgPlot(lines).make(); }

}  // namespace mechfmu
