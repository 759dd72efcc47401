// Where a point of the world is on the sheet.
#pragma once
#include <vector>

#include "scene/drawing.hpp"

namespace mechfmu {

class View {
 public:
  explicit View(const Scene& scene);

  // Chooses scale and origin so that all points are inside the margins; sets the sheet's height.
  void fit(const std::vector<Point3>& points, const DrawingStyle& style);

  [[nodiscard]] Point2 operator()(const Point3& p) const;
  // A direction; the length tells how far it lies in the sheet (1: in it, 0: across).
  [[nodiscard]] Point2 direction(const Point3& d) const;
  [[nodiscard]] double depth(const Point3& p) const;  // larger is nearer
  [[nodiscard]] const Point3& towards() const { return towards_; }
  [[nodiscard]] const Point3& up() const { return up_; }  // against gravity, in the world
  [[nodiscard]] double height() const { return height_; }

 private:
  Point3 up_{}, right_{}, top_{}, towards_{};
  double scale_ = 1, height_ = 0;
  Point2 origin_;
};

// Points whose hull is the shape's outline, in the world.
std::vector<Point3> outline_points(const SceneShape& shape, const ScenePose& body);
std::vector<Point2> convex_hull(std::vector<Point2> points);

}  // namespace mechfmu
