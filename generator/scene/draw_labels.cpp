#include "scene/draw_labels.hpp"

#include <algorithm>
#include <cmath>

#include "scene/draw_bodies.hpp"
#include "scene/raster.hpp"

namespace mechfmu {

namespace {

struct Rectangle {
  double left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] bool meets(const Rectangle& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
  [[nodiscard]] bool holds(const Point2& p) const {
    return left < p.x && p.x < right && top < p.y && p.y < bottom;
  }
};

class LabelPlacer {
 public:
  LabelPlacer(const DrawingStyle& style, double height, const std::vector<Mark>& drawn)
      : style_(style), sheet_{2, 2, style.width - 2, height - 2} {
    for (const Mark& mark : drawn) add_obstacle(mark);
  }

  void place(const Point2& at, const std::string& text, double clearance,
             const std::string& color) {
    if (text.empty() || text.size() > 24) return;
    // code points, each about as wide as a letter
    const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    });
    const double wide = 0.58 * style_.text * static_cast<double>(letters);
    Rectangle best;
    double best_cost = 1e9;
    for (const double distance : {1.0, 2.2, 3.6})
      for (int direction = 0; direction < 8; ++direction) {
        // up and right first
        static constexpr double kX[] = {1, 0, -1, 1, -1, 0, 1, -1};
        static constexpr double kY[] = {-1, -1, -1, 0, 0, 1, 1, 1};
        const double x = kX[direction], y = kY[direction];
        const double reach = clearance * distance * (x != 0 && y != 0 ? 0.75 : 1);
        const Point2 middle = {at.x + x * (reach + wide / 2), at.y + y * (reach + style_.text / 2)};
        const Rectangle r = {middle.x - wide / 2, middle.y - style_.text / 2, middle.x + wide / 2,
                             middle.y + style_.text / 2};
        const double cost = find_cost(r) + 0.6 * distance + 0.02 * direction;
        if (cost >= best_cost) continue;
        best_cost = cost;
        best = r;
      }
    if (best_cost >= kNoRoom) return;
    taken_.push_back({best.left - 2, best.top - 1, best.right + 2, best.bottom + 1});
    Mark mark;
    mark.kind = Mark::Kind::text;
    mark.points = {{best.left, best.bottom - 0.22 * style_.text}};
    mark.text = text;
    mark.fill = color.empty() ? Paint::ink : Paint::color;
    mark.color = color;
    marks_.push_back(std::move(mark));
  }

  std::vector<Mark> finish() { return std::move(marks_); }

 private:
  static constexpr double kNoRoom = 1000;
  static constexpr double kGap = 3;  // pixels between a name and a line

  // Points along lines and around circles, a few pixels apart.
  void add_obstacle(const Mark& mark) {
    if (mark.kind == Mark::Kind::circle) {
      for (int i = 0; i < 8; ++i)
        points_.push_back(mark.points[0] +
                          mark.radius * Point2{std::cos(0.785 * i), std::sin(0.785 * i)});
      points_.push_back(mark.points[0]);
      return;
    }
    if (mark.kind == Mark::Kind::polygon && mark.fill != Paint::none) areas_.push_back(&mark);
    const std::size_t count = mark.points.size();
    for (std::size_t i = 0; i + (mark.kind == Mark::Kind::polygon ? 0 : 1) < count; ++i) {
      const Point2 a = mark.points[i], b = mark.points[(i + 1) % count];
      const int steps = std::min(400, static_cast<int>(length(b - a) / 4) + 1);
      for (int k = 0; k <= steps; ++k)
        points_.push_back(a + (static_cast<double>(k) / steps) * (b - a));
    }
  }

  [[nodiscard]] double find_cost(const Rectangle& r) const {
    if (r.left < sheet_.left || r.right > sheet_.right || r.top < sheet_.top ||
        r.bottom > sheet_.bottom)
      return kNoRoom;
    for (const Rectangle& other : taken_)
      if (r.meets(other)) return kNoRoom;
    double cost = 0;
    const Rectangle wide = {r.left - kGap, r.top - kGap, r.right + kGap, r.bottom + kGap};
    for (const Point2& p : points_)
      if (wide.holds(p)) cost += 1;
    const Point2 middle = {(r.left + r.right) / 2, (r.top + r.bottom) / 2};
    for (const Mark* area : areas_)
      if (is_inside(*area, middle)) cost += 3;
    return cost;
  }

  const DrawingStyle& style_;
  Rectangle sheet_;
  std::vector<Point2> points_;
  std::vector<const Mark*> areas_;
  std::vector<Rectangle> taken_;
  std::vector<Mark> marks_;
};

}  // namespace

std::vector<Mark> draw_labels(const Scene& scene, const View& view, const DrawingStyle& style,
                              const std::vector<Mark>& drawn) {
  LabelPlacer placer(style, view.height(), drawn);
  for (const SceneJoint& joint : scene.joints)
    if (joint.type != "free" && joint.type != "fixed")
      placer.place(view(joint.place), joint.name, 1.7 * style.symbol, "");
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    placer.place(body_middle(scene.bodies[b], view), scene.bodies[b].name, 1.2 * style.symbol,
                 body_color(scene, b));
  for (const SceneSpring& spring : scene.springs)
    if (length(view(spring.from_place) - view(spring.to_place)) > 2 * style.symbol)
      placer.place(0.5 * (view(spring.from_place) + view(spring.to_place)), spring.name,
                   1.6 * style.symbol, "");
  return placer.finish();
}

}  // namespace mechfmu
