#include "scene/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/geometry.hpp"

namespace mechfmu {

namespace {

constexpr double kPi = 3.14159265358979323846;
// from the right and a little above; a round angle would put corners of a cube on each other
constexpr double kAzimuth = 34 * kPi / 180;
constexpr double kElevation = 24 * kPi / 180;

std::size_t main_axis(const Point3& v) {
  std::size_t main = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (std::fabs(v[i]) > std::fabs(v[main]) + 1e-9) main = i;
  return main;
}

Point3 axis(std::size_t i) {
  Point3 a{};
  a[i] = 1;
  return a;
}

}  // namespace

double length(const Point2& a) { return std::hypot(a.x, a.y); }

View::View(const Scene& scene) {
  up_ = length(scene.gravity) > 1e-9 ? unit(-1.0 * scene.gravity) : axis(2);
  if (scene.planar) {
    const Point3 normal = unit(scene.normal);
    top_ = up_ - dot(up_, normal) * normal;
    // seen from above: the second axis of the plane points up
    if (length(top_) < 1e-6) top_ = axis((main_axis(normal) + 2) % 3);
    top_ = unit(top_ - dot(top_, normal) * normal);
    right_ = cross(top_, normal);
    towards_ = normal;
    if (right_[main_axis(right_)] < 0) {  // from the other side, so that x runs to the right
      right_ = -1.0 * right_;
      towards_ = -1.0 * towards_;
    }
    return;
  }
  const Point3 first = axis(main_axis(up_) == 0 ? 1 : 0);
  const Point3 e1 = unit(first - dot(first, up_) * up_);
  const Point3 e2 = cross(up_, e1);
  right_ = std::cos(kAzimuth) * e1 + std::sin(kAzimuth) * e2;
  const Point3 front = std::sin(kAzimuth) * e1 - std::cos(kAzimuth) * e2;
  towards_ = std::cos(kElevation) * front + std::sin(kElevation) * up_;
  top_ = std::cos(kElevation) * up_ - std::sin(kElevation) * front;
}

void View::fit(const std::vector<Point3>& points, const DrawingStyle& style) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double left = kInfinity, right = -kInfinity, bottom = kInfinity, top = -kInfinity;
  for (const Point3& p : points) {
    const double x = dot(p, right_), y = dot(p, top_);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    left = std::min(left, x);
    right = std::max(right, x);
    bottom = std::min(bottom, y);
    top = std::max(top, y);
  }
  if (left > right) left = right = bottom = top = 0;
  const double room = style.width - 2 * style.margin;
  const double tallest = style.largest_height - 2 * style.margin;
  const double size = std::max({right - left, top - bottom, 1e-6});
  scale_ = std::min(room / std::max(right - left, 0.05 * size),
                    tallest / std::max(top - bottom, 0.05 * size));
  height_ = std::clamp((top - bottom) * scale_ + 2 * style.margin, style.smallest_height,
                       style.largest_height);
  origin_ = {style.width / 2 - scale_ * (left + right) / 2,
             height_ / 2 + scale_ * (bottom + top) / 2};
}

Point2 View::operator()(const Point3& p) const {
  return {origin_.x + scale_ * dot(p, right_), origin_.y - scale_ * dot(p, top_)};
}

Point2 View::direction(const Point3& d) const { return {dot(d, right_), -dot(d, top_)}; }

double View::depth(const Point3& p) const { return dot(p, towards_); }

std::vector<Point3> outline_points(const SceneShape& shape, const ScenePose& body) {
  std::vector<Point3> points;
  const auto add = [&](double x, double y, double z) {
    points.push_back(place_point(
        body, place_point(shape.pose,
                          {shape.size[0] / 2 * x, shape.size[1] / 2 * y, shape.size[2] / 2 * z})));
  };
  constexpr int kCorners = 40;
  const auto add_circle = [&](double radius, double z) {
    for (int i = 0; i < kCorners; ++i)
      add(radius * std::cos(2 * kPi * i / kCorners), radius * std::sin(2 * kPi * i / kCorners), z);
  };
  switch (shape.kind) {
    case SceneShape::Kind::box:
      for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
          for (const double z : {-1.0, 1.0}) add(x, y, z);
      break;
    case SceneShape::Kind::cylinder:
      add_circle(1, -1);
      add_circle(1, 1);
      break;
    case SceneShape::Kind::sphere:
      for (int i = -10; i <= 10; ++i) add_circle(std::cos(kPi * i / 20), std::sin(kPi * i / 20));
      break;
    case SceneShape::Kind::line:
    case SceneShape::Kind::polygon:
      for (const Point3& p : shape.points) points.push_back(place_point(body, p));
      break;
    case SceneShape::Kind::point:
      points.push_back(place_point(body, shape.pose.position));
      break;
  }
  return points;
}

std::vector<Point2> convex_hull(std::vector<Point2> points) {  // Andrew's monotone chain
  std::sort(points.begin(), points.end(), [](const Point2& a, const Point2& b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  });
  const auto turn = [](const Point2& o, const Point2& a, const Point2& b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  };
  std::vector<Point2> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t first = hull.size();
    for (const Point2& p : points) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 1e-6)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull.empty() ? points : hull;
}

}  // namespace mechfmu
