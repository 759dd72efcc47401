#include "scene/body_shapes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "scene/geometry.hpp"
#include "validation/parameter_values.hpp"

namespace mechfmu {

namespace {

constexpr double kSame = 1e-9;    // [m] points nearer than this are one
constexpr double kInside = 0.05;  // how far beyond a shape a joint may sit, as a part of its size

std::array<double, 4> quaternion_from_rpy(const Point3& rpy) {
  const double cr = std::cos(rpy[0] / 2), sr = std::sin(rpy[0] / 2);
  const double cp = std::cos(rpy[1] / 2), sp = std::sin(rpy[1] / 2);
  const double cy = std::cos(rpy[2] / 2), sy = std::sin(rpy[2] / 2);
  return {cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
          cr * cp * sy - sr * sp * cy};
}

bool is_within(const SceneShape& shape, const Point3& p) {
  const double reach = kInside * std::max({shape.size[0], shape.size[1], shape.size[2]});
  switch (shape.kind) {
    case SceneShape::Kind::box:
    case SceneShape::Kind::cylinder:
    case SceneShape::Kind::sphere: {
      const Point3 q = rotate_back(shape.pose.quaternion, p - shape.pose.position);
      for (std::size_t i = 0; i < 3; ++i)
        if (std::fabs(q[i]) > shape.size[i] / 2 + reach + kSame) return false;
      return true;
    }
    case SceneShape::Kind::line: {
      const Point3 along = shape.points[1] - shape.points[0];
      const double part = std::clamp(
          dot(p - shape.points[0], along) / std::max(dot(along, along), 1e-300), 0.0, 1.0);
      return length(p - shape.points[0] - part * along) < kInside * length(along) + kSame;
    }
    case SceneShape::Kind::polygon:
    case SceneShape::Kind::point:
      break;
  }
  return length(p - shape.pose.position) < kSame;
}

std::vector<Point3> without_doubles(const std::vector<Point3>& points) {
  std::vector<Point3> result;
  for (const Point3& p : points)
    if (std::none_of(result.begin(), result.end(),
                     [&](const Point3& q) { return length(p - q) < kSame; }))
      result.push_back(p);
  return result;
}

// Around their centre, in the plane in which they spread most; beginning with the first one.
std::vector<Point3> in_circular_order(const std::vector<Point3>& points) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Point3& p : points) mean += Eigen::Vector3d(p[0], p[1], p[2]);
  mean /= static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Point3& p : points) {
    const Eigen::Vector3d d = Eigen::Vector3d(p[0], p[1], p[2]) - mean;
    spread += d * d.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(spread);
  std::vector<double> angles;
  for (const Point3& p : points) {
    const Eigen::Vector3d d = Eigen::Vector3d(p[0], p[1], p[2]) - mean;
    angles.push_back(
        std::atan2(eigen.eigenvectors().col(1).dot(d), eigen.eigenvectors().col(2).dot(d)));
  }
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return angles[a] < angles[b]; });
  std::rotate(order.begin(), std::find(order.begin(), order.end(), std::size_t{0}), order.end());
  // either way round is as good: the sign of an eigenvector must not show
  if (order.back() < order[1]) std::reverse(order.begin() + 1, order.end());
  std::vector<Point3> result;
  for (const std::size_t i : order) result.push_back(points[i]);
  return result;
}

SceneShape make_line(const Point3& a, const Point3& b) {
  SceneShape shape;
  shape.kind = SceneShape::Kind::line;
  shape.points = {a, b};
  return shape;
}

bool is_between(const Point3& p, const Point3& a, const Point3& b) {
  return length(p - a) + length(p - b) < length(a - b) * (1 + 1e-6) + kSame;
}

// Lines from the places to each other and to the centre of mass where it lies aside.
std::vector<SceneShape> skeleton(const std::vector<Point3>& given, const Point3& center) {
  const std::vector<Point3> places = without_doubles(given);
  std::vector<SceneShape> shapes;
  if (places.size() == 1 && length(places[0] - center) > kSame)
    shapes.push_back(make_line(places[0], center));
  if (places.size() == 2) {
    shapes.push_back(make_line(places[0], places[1]));
    if (!is_between(center, places[0], places[1]) && length(center - places[0]) > kSame &&
        length(center - places[1]) > kSame)
      for (const Point3& p : places) shapes.push_back(make_line(p, center));
  }
  if (places.size() > 2) {
    // what lies in the middle of the others, a hub, is held by spokes
    Point3 mean{};
    for (const Point3& p : places) mean = mean + (1.0 / static_cast<double>(places.size())) * p;
    double reach = 0;
    for (const Point3& p : places) reach = std::max(reach, length(p - mean));
    std::vector<Point3> rim, hubs;
    for (const Point3& p : places) (length(p - mean) < 0.4 * reach ? hubs : rim).push_back(p);
    if (rim.size() > 2) {
      SceneShape shape;
      shape.kind = SceneShape::Kind::polygon;
      shape.points = in_circular_order(rim);
      shapes.push_back(shape);
    } else {
      shapes.push_back(make_line(rim.front(), rim.back()));
    }
    for (const Point3& hub : hubs)
      if (rim.size() > 2 || !is_between(hub, rim.front(), rim.back()))
        for (const Point3& p : rim) shapes.push_back(make_line(hub, p));
  }
  return shapes;
}

}  // namespace

std::array<double, 4> quaternion_of_axis(const Point3& axis) {
  const Point3 a = unit(axis);
  if (a[2] < -1 + 1e-12) return {0, 1, 0, 0};
  const double scale = 1 / std::sqrt(2 * (1 + a[2]));
  return {(1 + a[2]) * scale, -a[1] * scale, a[0] * scale, 0};
}

std::string normal_color(const std::string& text) {
  static constexpr std::pair<const char*, const char*> kNames[] = {
      {"black", "#000000"}, {"silver", "#c0c0c0"}, {"gray", "#808080"},   {"grey", "#808080"},
      {"white", "#ffffff"}, {"maroon", "#800000"}, {"red", "#ff0000"},    {"purple", "#800080"},
      {"green", "#008000"}, {"lime", "#00ff00"},   {"olive", "#808000"},  {"yellow", "#ffff00"},
      {"navy", "#000080"},  {"blue", "#0000ff"},   {"teal", "#008080"},   {"aqua", "#00ffff"},
      {"brown", "#a52a2a"}, {"orange", "#ffa500"}, {"fuchsia", "#ff00ff"}};
  for (const auto& [name, value] : kNames)
    if (text == name) return value;
  if ((text.size() != 4 && text.size() != 7) || text[0] != '#' ||
      text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
    return {};
  std::string result = "#";
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'F' ? static_cast<char>(text[i] + 32) : text[i];
    result.append(text.size() == 4 ? 2 : 1, c);
  }
  return result;
}

double ShapeMaker::number(const Expression& expression) const {
  return evaluate_at(expression, mechanism_, parameter_values_);
}

Point3 ShapeMaker::point(const VectorExpression& v) const {
  return {number(v[0]), number(v[1]), number(v[2])};
}

Point3 ShapeMaker::point(const Argument& argument) const {
  return {number(argument.values[0]), number(argument.values[1]), number(argument.values[2])};
}

Point3 ShapeMaker::frame_origin(const FrameReference& frame) const {
  if (frame.frame == kOriginFrame) return {};
  const auto index = static_cast<std::size_t>(frame.frame);
  return point(frame.body == kGround
                   ? mechanism_.ground_frames[index].xyz
                   : mechanism_.bodies[static_cast<std::size_t>(frame.body)].frames[index].xyz);
}

std::vector<SceneShape> ShapeMaker::visuals(const std::vector<Visual>& list) const {
  std::vector<SceneShape> shapes;
  for (const Visual& visual : list) {
    SceneShape shape;
    shape.kind = visual.shape == "box"        ? SceneShape::Kind::box
                 : visual.shape == "cylinder" ? SceneShape::Kind::cylinder
                                              : SceneShape::Kind::sphere;
    shape.size = point(visual.size);
    shape.pose = {point(visual.xyz), quaternion_from_rpy(point(visual.rpy))};
    shape.color = normal_color(visual.color);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

std::vector<SceneShape> ShapeMaker::solids(const Body& body) const {
  std::vector<SceneShape> shapes;
  for (const Solid& solid : body.solids) {
    const Arguments& in = solid.arguments;
    const auto scalar = [&](const char* name) { return number(in[name].values[0]); };
    const std::string_view id = solid.type->id;
    if (id == "inertial") continue;
    SceneShape shape;
    shape.pose.position = point(in[id == "point" ? "xyz" : "com"]);
    if (id == "box") {
      shape.kind = SceneShape::Kind::box;
      shape.size = point(in["size"]);
    } else if (id == "cylinder") {
      shape.kind = SceneShape::Kind::cylinder;
      shape.size = {2 * scalar("radius"), 2 * scalar("radius"), scalar("length")};
      shape.pose.quaternion = quaternion_of_axis(point(in["axis"]));
    } else if (id == "sphere") {
      shape.kind = SceneShape::Kind::sphere;
      shape.size = {2 * scalar("radius"), 2 * scalar("radius"), 2 * scalar("radius")};
    } else if (id == "rod") {
      const Point3 half = (scalar("length") / 2) * unit(point(in["axis"]));
      shape = make_line(shape.pose.position - half, shape.pose.position + half);
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

std::vector<SceneShape> ShapeMaker::body(const Body& body, const Point3& center,
                                         const std::vector<Point3>& places) const {
  if (!body.visuals.empty()) return visuals(body.visuals);
  std::vector<SceneShape> shapes = solids(body);
  // a point mass says nothing of the rod it is held by: lines show what the shapes do not reach
  const bool are_reached = std::all_of(places.begin(), places.end(), [&](const Point3& p) {
    return std::any_of(shapes.begin(), shapes.end(),
                       [&](const SceneShape& shape) { return is_within(shape, p); });
  });
  if (!are_reached) {
    const std::vector<SceneShape> lines = skeleton(places, center);
    shapes.insert(shapes.begin(), lines.begin(), lines.end());
  }
  if (shapes.empty()) {
    shapes.emplace_back();
    shapes.back().pose.position = center;
  }
  return shapes;
}

}  // namespace mechfmu
