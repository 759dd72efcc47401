#include "scene/raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mechfmu {

namespace {

constexpr int kSamples = 4;  // per pixel, in each direction

double distance_to_segment(const Point2& p, const Point2& a, const Point2& b) {
  const Point2 d = b - a;
  const double square = d.x * d.x + d.y * d.y;
  const double part =
      square > 0 ? std::clamp(((p - a).x * d.x + (p - a).y * d.y) / square, 0.0, 1.0) : 0.0;
  return length(p - a - part * d);
}

bool is_on_stroke(const Mark& mark, const Point2& p) {
  const double half = mark.width / 2;
  if (mark.kind == Mark::Kind::circle)
    return std::fabs(length(p - mark.points[0]) - mark.radius) <= half;
  for (std::size_t i = 0; i + 1 < mark.points.size(); ++i)
    if (distance_to_segment(p, mark.points[i], mark.points[i + 1]) <= half) return true;
  return mark.kind == Mark::Kind::polygon &&
         distance_to_segment(p, mark.points.back(), mark.points.front()) <= half;
}

std::uint8_t mix(std::uint8_t below, std::uint8_t above, double amount) {
  return static_cast<std::uint8_t>(std::lround(below + amount * (above - below)));
}

class Painter {
 public:
  Painter(Image& image, Color ink, Color paper) : image_(image), ink_(ink), paper_(paper) {}

  void draw(const Mark& mark) {
    if (mark.kind == Mark::Kind::text || mark.points.empty()) return;
    double left = std::numeric_limits<double>::max(), top = left, right = -left, bottom = -left;
    for (const Point2& p : mark.points) {
      left = std::min(left, p.x);
      right = std::max(right, p.x);
      top = std::min(top, p.y);
      bottom = std::max(bottom, p.y);
    }
    const double reach = mark.radius + mark.width / 2 + 1;
    const int x0 = clamp(left - reach, image_.width), x1 = clamp(right + reach, image_.width);
    const int y0 = clamp(top - reach, image_.height), y1 = clamp(bottom + reach, image_.height);
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) {
        int filled = 0, stroked = 0;
        for (int i = 0; i < kSamples * kSamples; ++i) {
          const Point2 p = {x + (i % kSamples + 0.5) / kSamples,
                            y + (std::floor(i / kSamples) + 0.5) / kSamples};
          if (mark.fill != Paint::none && is_inside(mark, p)) ++filled;
          if (mark.stroke != Paint::none && is_on_stroke(mark, p)) ++stroked;
        }
        constexpr double kAll = kSamples * kSamples;
        blend(x, y, color_of(mark.fill, mark), filled / kAll * mark.opacity);
        blend(x, y, color_of(mark.stroke, mark), stroked / kAll);
      }
  }

 private:
  static int clamp(double x, int limit) {
    return static_cast<int>(std::clamp(std::floor(x), 0.0, static_cast<double>(limit)));
  }
  [[nodiscard]] Color color_of(Paint paint, const Mark& mark) const {
    if (paint == Paint::color) return parse_color(mark.color);
    return paint == Paint::ink ? ink_ : paper_;
  }
  void blend(int x, int y, Color above, double amount) {
    if (amount <= 0) return;
    Color& c = image_.at(x, y);
    c = {mix(c.red, above.red, amount), mix(c.green, above.green, amount),
         mix(c.blue, above.blue, amount)};
  }

  Image& image_;
  Color ink_, paper_;
};

}  // namespace

bool is_inside(const Mark& mark, const Point2& p) {
  if (mark.kind == Mark::Kind::circle) return length(p - mark.points[0]) <= mark.radius;
  if (mark.kind != Mark::Kind::polygon) return false;
  bool inside = false;  // even number of edges to the right: outside
  for (std::size_t i = 0, j = mark.points.size() - 1; i < mark.points.size(); j = i++) {
    const Point2 &a = mark.points[i], &b = mark.points[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
      inside = !inside;
  }
  return inside;
}

Color parse_color(const std::string& text) {
  if (text.size() != 7) return {};
  const auto part = [&](std::size_t i) {
    return static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16));
  };
  return {part(1), part(3), part(5)};
}

void draw_marks(Image& image, const std::vector<Mark>& marks, Color ink, Color paper) {
  Painter painter(image, ink, paper);
  for (const Mark& mark : marks) painter.draw(mark);
}

}  // namespace mechfmu
