#include "scene/draw_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/geometry.hpp"

namespace mechfmu {

namespace {

// Told apart on white and on black, also by people who do not see red and green.
constexpr std::array<const char*, 8> kPalette = {"#3b7dbd", "#e08a1e", "#3f9b6b", "#c9504f",
                                                 "#8a6bbf", "#5aa9b5", "#b07a3c", "#c873a8"};
constexpr const char* kGroundColor = "#8a9199";

// Between a color (0) and white (1); below 0 towards black.
std::string shade(const std::string& color, double amount) {
  std::string result = "#";
  for (std::size_t i = 1; i < 7; i += 2) {
    const int value = std::stoi(color.substr(i, 2), nullptr, 16);
    const double mixed = amount >= 0 ? value + amount * (255 - value) : value * (1 + amount);
    result += fmt::format("{:02x}", std::clamp(static_cast<int>(std::lround(mixed)), 0, 255));
  }
  return result;
}

class ShapeDrawer {
 public:
  ShapeDrawer(const Scene& scene, const View& view, const DrawingStyle& style)
      : scene_(scene), view_(view), style_(style) {}

  void add(const SceneShape& shape, const ScenePose& body, const std::string& body_color) {
    const std::string color = shape.color.empty() ? body_color : shape.color;
    const std::vector<Point3> points = outline_points(shape, body);
    Point3 middle{};
    for (const Point3& p : points) middle = middle + (1.0 / static_cast<double>(points.size())) * p;
    groups_.push_back({view_.depth(middle), {}});
    switch (shape.kind) {
      case SceneShape::Kind::line:
      case SceneShape::Kind::polygon:
      case SceneShape::Kind::point:
        add_lines(shape, points, color);
        break;
      case SceneShape::Kind::box:
        if (!scene_.planar)
          add_faces(shape, body, color);
        else
          add_outline(points, color);
        break;
      case SceneShape::Kind::cylinder:
      case SceneShape::Kind::sphere:
        add_outline(points, color);
        if (!scene_.planar && shape.kind == SceneShape::Kind::cylinder) add_cap(points, color);
        break;
    }
  }

  std::vector<Mark> finish() {
    if (!scene_.planar)
      std::stable_sort(groups_.begin(), groups_.end(),
                       [](const Group& a, const Group& b) { return a.depth < b.depth; });
    std::vector<Mark> marks;
    for (Group& group : groups_)
      for (Mark& mark : group.marks) marks.push_back(std::move(mark));
    return marks;
  }

 private:
  struct Group {
    double depth = 0;
    std::vector<Mark> marks;
  };

  [[nodiscard]] std::vector<Point2> project(const std::vector<Point3>& points) const {
    std::vector<Point2> result;
    for (const Point3& p : points) result.push_back(view_(p));
    return result;
  }

  Mark& add_mark(Mark::Kind kind, std::vector<Point2> points) {
    Mark mark;
    mark.kind = kind;
    mark.points = std::move(points);
    groups_.back().marks.push_back(std::move(mark));
    return groups_.back().marks.back();
  }

  // Things in a plane lie over each other: they are transparent. In space the nearer one hides.
  void fill(Mark& mark, const std::string& color, double amount) {
    mark.fill = mark.stroke = Paint::color;
    mark.color = scene_.planar ? color : shade(color, amount);
    mark.opacity = scene_.planar ? 0.35 : 1;
    mark.width = style_.line / 4;
  }

  void add_lines(const SceneShape& shape, const std::vector<Point3>& points,
                 const std::string& color) {
    if (shape.kind == SceneShape::Kind::point) {
      Mark& mark = add_mark(Mark::Kind::circle, project(points));
      mark.radius = 0.85 * style_.symbol;
      mark.fill = Paint::color;
      mark.color = color;
      return;
    }
    const bool closed = shape.kind == SceneShape::Kind::polygon;
    Mark& mark = add_mark(closed ? Mark::Kind::polygon : Mark::Kind::polyline, project(points));
    mark.stroke = Paint::color;
    mark.color = color;
    mark.width = closed ? style_.line / 2 : style_.line;
    if (!closed) return;
    mark.fill = Paint::color;
    mark.opacity = 0.35;
  }

  void add_outline(const std::vector<Point3>& points, const std::string& color) {
    fill(add_mark(Mark::Kind::polygon, convex_hull(project(points))), color, 0.25);
    if (!scene_.planar) edge(color);
  }
  void edge(const std::string& color) {
    Mark& mark = groups_.back().marks.back();
    Mark line = mark;
    line.fill = Paint::none;
    line.stroke = Paint::color;
    line.color = shade(color, -0.25);
    line.width = style_.line / 5;
    mark.stroke = Paint::none;
    groups_.back().marks.push_back(std::move(line));
  }

  // The end of a cylinder that can be seen: its second half of points, or its first.
  void add_cap(const std::vector<Point3>& points, const std::string& color) {
    const auto half = static_cast<std::ptrdiff_t>(points.size() / 2);
    const std::vector<Point3> first(points.begin(), points.begin() + half);
    const std::vector<Point3> second(points.begin() + half, points.end());
    const bool is_second = view_.depth(second[0]) > view_.depth(first[0]);
    fill(add_mark(Mark::Kind::polygon, project(is_second ? second : first)), color, 0.45);
    edge(color);
  }

  // The three sides of a box that can be seen, lit from above.
  void add_faces(const SceneShape& shape, const ScenePose& body, const std::string& color) {
    const auto corner = [&](const Point3& p) {
      return view_(place_point(
          body, place_point(shape.pose, {shape.size[0] / 2 * p[0], shape.size[1] / 2 * p[1],
                                         shape.size[2] / 2 * p[2]})));
    };
    for (std::size_t i = 0; i < 3; ++i)
      for (const double side : {-1.0, 1.0}) {
        Point3 normal{};
        normal[i] = side;
        const Point3 out = rotate(body.quaternion, rotate(shape.pose.quaternion, normal));
        if (dot(out, view_.towards()) <= 1e-9) continue;
        std::vector<Point2> face;
        for (const auto& [a, b] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
          Point3 p = normal;
          p[(i + 1) % 3] = a;
          p[(i + 2) % 3] = b;
          face.push_back(corner(p));
        }
        fill(add_mark(Mark::Kind::polygon, std::move(face)), color,
             0.2 + 0.3 * dot(out, view_.up()));
        edge(color);
      }
  }

  const Scene& scene_;
  const View& view_;
  const DrawingStyle& style_;
  std::vector<Group> groups_;
};

}  // namespace

std::string body_color(const Scene& scene, std::size_t body) {
  const auto& shapes = scene.bodies[body].shapes;
  if (!shapes.empty() && !shapes[0].color.empty()) return shapes[0].color;
  return kPalette[body % kPalette.size()];
}

std::vector<Mark> draw_bodies(const Scene& scene, const View& view, const DrawingStyle& style) {
  ShapeDrawer drawer(scene, view, style);
  for (const SceneShape& shape : scene.ground) drawer.add(shape, {}, kGroundColor);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (const SceneShape& shape : scene.bodies[b].shapes)
      drawer.add(shape, scene.bodies[b].start, body_color(scene, b));
  return drawer.finish();
}

std::vector<Mark> draw_springs(const Scene& scene, const View& view, const DrawingStyle& style) {
  std::vector<Mark> marks;
  for (const SceneSpring& spring : scene.springs) {
    const Point2 a = view(spring.from_place), b = view(spring.to_place);
    const double span = length(b - a);
    if (span < 2 * style.symbol) continue;
    const Point2 along = (1 / span) * (b - a);
    const Point2 across = {-along.y, along.x};
    const double lead = std::min(0.2 * span, 2.5 * style.symbol);
    const int turns = std::clamp(static_cast<int>((span - 2 * lead) / (1.7 * style.symbol)), 3, 20);
    Mark mark;
    mark.points = {a, a + lead * along};
    for (int i = 0; i < 2 * turns; ++i)
      mark.points.push_back(a + (lead + (i + 0.5) * (span - 2 * lead) / (2 * turns)) * along +
                            (i % 2 == 0 ? 0.8 : -0.8) * style.symbol * across);
    mark.points.push_back(b - lead * along);
    mark.points.push_back(b);
    mark.stroke = Paint::ink;
    mark.width = style.symbol / 5;
    marks.push_back(std::move(mark));
  }
  return marks;
}

Point2 body_middle(const SceneBody& body, const View& view) {
  Point2 best = view(place_point(body.start, body.center));
  double largest = -1;
  for (const SceneShape& shape : body.shapes) {
    Point3 low{}, high{}, sum{};
    const std::vector<Point3> points = outline_points(shape, body.start);
    for (std::size_t i = 0; i < points.size(); ++i) {
      sum = sum + points[i];
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = i == 0 ? points[i][k] : std::min(low[k], points[i][k]);
        high[k] = i == 0 ? points[i][k] : std::max(high[k], points[i][k]);
      }
    }
    if (length(high - low) <= largest) continue;
    largest = length(high - low);
    best = view((1.0 / static_cast<double>(points.size())) * sum);
  }
  return best;
}

}  // namespace mechfmu
