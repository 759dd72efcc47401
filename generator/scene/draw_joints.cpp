#include "scene/draw_joints.hpp"

#include <algorithm>
#include <cmath>

#include "scene/geometry.hpp"

namespace mechfmu {

namespace {

constexpr double kInSheet = 0.2;  // an axis that is shorter than this in the sheet has no direction

class JointDrawer {
 public:
  JointDrawer(const View& view, const DrawingStyle& style)
      : view_(view), s_(style.symbol), line_(style.symbol / 4.5) {}

  void draw_grounds(const Scene& scene) {
    for (const SceneJoint& joint : scene.joints) draw_ground(joint);
    for (const SceneSpring& spring : scene.springs) {
      if (spring.from.body < 0) draw_foot(view_(spring.from_place));
      if (spring.to.body < 0) draw_foot(view_(spring.to_place));
    }
  }
  void draw_symbols(const Scene& scene) {
    for (const SceneJoint& joint : scene.joints) draw_symbol(joint);
  }
  std::vector<Mark> finish() { return std::move(marks_); }

 private:
  static bool slides(const SceneJoint& j) {
    return j.type == "prismatic" || j.type == "cylindrical" || j.type == "screw" ||
           j.type == "point_on_line";
  }
  // Unit direction of the axis in the sheet; none if it points at the viewer.
  [[nodiscard]] bool find_axis(const SceneJoint& j, Point2& along) const {
    along = view_.direction(j.axis);
    if (!j.has_axis || length(along) < kInSheet) return false;
    along = (1 / length(along)) * along;
    return true;
  }

  Mark& add(Mark::Kind kind, std::vector<Point2> points, Paint fill) {
    Mark mark;
    mark.kind = kind;
    mark.points = std::move(points);
    mark.fill = fill;
    mark.stroke = Paint::ink;
    mark.width = line_;
    marks_.push_back(std::move(mark));
    return marks_.back();
  }
  void add_line(const Point2& a, const Point2& b) {
    add(Mark::Kind::polyline, {a, b}, Paint::none);
  }
  void add_circle(const Point2& center, double radius, Paint fill) {
    add(Mark::Kind::circle, {center}, fill).radius = radius;
  }
  void add_rectangle(const Point2& center, const Point2& along, double a, double b, Paint fill) {
    const Point2 across = {-along.y, along.x};
    add(Mark::Kind::polygon,
        {center - a * along - b * across, center + a * along - b * across,
         center + a * along + b * across, center - a * along + b * across},
        fill);
  }

  // A line with hatches on the side of `below`.
  void add_hatched(const Point2& from, const Point2& to, const Point2& below) {
    add_line(from, to);
    const double span = length(to - from);
    const Point2 along = (1 / std::max(span, 1e-9)) * (to - from);
    const int count = std::max(3, static_cast<int>(span / (0.85 * s_)));
    for (int i = 0; i < count; ++i) {
      const Point2 top = from + ((i + 0.7) * span / count) * along;
      add_line(top, top + 0.75 * s_ * below - 0.6 * s_ * along);
    }
  }

  // Where something is tied to the ground.
  void draw_foot(const Point2& place) {
    const Point2 base = place + Point2{0, 0.6 * s_};
    add_hatched(base + Point2{-1.8 * s_, 0}, base + Point2{1.8 * s_, 0}, {0, 1});
    add_circle(place, 0.45 * s_, Paint::paper);
  }

  void draw_ground(const SceneJoint& j) {
    const bool parent = j.parent.body < 0, child = j.child.body < 0;
    if ((!parent && !child) || j.type == "free" || j.type == "parallel" ||
        j.type == "perpendicular" || j.type == "angle")
      return;
    const Point2 place = view_(parent ? j.parent_place : j.place);
    const Point2 down = {0, 1};
    Point2 along;
    if (slides(j) && find_axis(j, along)) {
      Point2 below = {-along.y, along.x};
      if (below.y < -1e-6) below = -1.0 * below;
      // from the frame on the ground to where the slider is, and a little further
      const Point2 slider = view_(j.place), fixed = view_(j.parent_place);
      const double travel = (slider - fixed).x * along.x + (slider - fixed).y * along.y;
      const double first = std::min(0.0, travel) - 5 * s_, last = std::max(0.0, travel) + 5 * s_;
      const Point2 base = fixed + 1.15 * s_ * below;
      add_hatched(base + first * along, base + last * along, below);
      return;
    }
    if (j.radius > 0) {  // rolls: the ground is a radius below
      const Point2 foot = view_(j.place - j.radius * view_.up());
      add_hatched(foot + Point2{-6 * s_, 0}, foot + Point2{6 * s_, 0}, down);
      return;
    }
    if (j.type == "fixed" || j.type == "planar" || j.type == "point_on_plane" ||
        j.type == "blade") {
      const Point2 base = place + 1.1 * s_ * down;
      add_hatched(base + Point2{-2.6 * s_, 0}, base + Point2{2.6 * s_, 0}, down);
      return;
    }
    const Point2 base = place + 2.3 * s_ * down;
    add(Mark::Kind::polygon, {place, base + Point2{-1.5 * s_, 0}, base + Point2{1.5 * s_, 0}},
        Paint::paper);
    add_hatched(base + Point2{-2.3 * s_, 0}, base + Point2{2.3 * s_, 0}, down);
  }

  void draw_symbol(const SceneJoint& j) {
    const Point2 p = view_(j.place), parent = view_(j.parent_place);
    Point2 along;
    const bool has_direction = find_axis(j, along);
    const double spread = 0.707 * s_;
    if (j.type == "free" || j.type == "parallel" || j.type == "perpendicular" || j.type == "angle")
      return;
    if (j.type == "revolute") {
      if (has_direction) add_line(p - 1.9 * s_ * along, p + 1.9 * s_ * along);
      add_circle(p, s_, Paint::paper);
    } else if (j.type == "prismatic" || j.type == "cylindrical" || j.type == "screw") {
      if (j.parent.body >= 0 && j.child.body >= 0 && length(p - parent) > 2 * s_)
        add_line(parent, p);
      add_rectangle(p, has_direction ? along : Point2{1, 0}, 1.8 * s_, 0.95 * s_, Paint::paper);
      if (j.type == "cylindrical") add_circle(p, 0.55 * s_, Paint::paper);
      if (j.type == "screw") add_line(p + Point2{-spread, spread}, p + Point2{spread, -spread});
    } else if (j.type == "spherical") {
      add_circle(p, s_, Paint::paper);
      add_circle(p, 0.45 * s_, Paint::ink);
    } else if (j.type == "universal") {
      add_circle(p, s_, Paint::paper);
      add_line(p + Point2{-spread, -spread}, p + Point2{spread, spread});
      add_line(p + Point2{-spread, spread}, p + Point2{spread, -spread});
    } else if (j.type == "fixed") {
      add_rectangle(p, {1, 0}, 0.55 * s_, 0.55 * s_, Paint::ink);
    } else if (j.type == "planar" || j.type == "point_on_plane" || j.type == "blade") {
      add_rectangle(p, {1, 0}, 1.6 * s_, 0.5 * s_, Paint::paper);
    } else if (j.type == "distance") {
      add_line(parent, p);
      add_circle(parent, 0.6 * s_, Paint::paper);
      add_circle(p, 0.6 * s_, Paint::paper);
    } else if (j.radius > 0) {
      add_circle(p, 0.45 * s_, Paint::paper);
    } else {
      add(Mark::Kind::polygon,
          {p + Point2{-s_, 0}, p + Point2{0, -s_}, p + Point2{s_, 0}, p + Point2{0, s_}},
          Paint::paper);
    }
  }

  const View& view_;
  double s_, line_;
  std::vector<Mark> marks_;
};

}  // namespace

std::vector<Mark> draw_ground(const Scene& scene, const View& view, const DrawingStyle& style) {
  JointDrawer drawer(view, style);
  drawer.draw_grounds(scene);
  return drawer.finish();
}

std::vector<Mark> draw_joints(const Scene& scene, const View& view, const DrawingStyle& style) {
  JointDrawer drawer(view, style);
  drawer.draw_symbols(scene);
  return drawer.finish();
}

}  // namespace mechfmu
