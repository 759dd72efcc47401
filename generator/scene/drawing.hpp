// Scene -> marks on a sheet: the one drawing from which both the SVG in the documentation and the
// icon are made. x to the right, y down, in pixels. Parallel projection: across the plane of a
// planar mechanism, from the side and above for a spatial one.
#pragma once
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace mechfmu {

struct Point2 {
  double x = 0, y = 0;
};
inline Point2 operator+(const Point2& a, const Point2& b) { return {a.x + b.x, a.y + b.y}; }
inline Point2 operator-(const Point2& a, const Point2& b) { return {a.x - b.x, a.y - b.y}; }
inline Point2 operator*(double s, const Point2& a) { return {s * a.x, s * a.y}; }
double length(const Point2& a);

// Ink and paper are the colors of text and page, whatever these are where it is shown.
enum class Paint { none, ink, paper, color };

struct Mark {
  enum class Kind { polygon, polyline, circle, text };
  Kind kind = Kind::polyline;
  std::vector<Point2> points;  // a circle and a text have one
  double radius = 0;           // circle
  Paint fill = Paint::none, stroke = Paint::none;
  std::string color;    // "#rrggbb", where a paint is `color`
  double opacity = 1;   // of the fill
  double width = 0;     // of the stroke; ends and corners are round
  bool dashed = false;  // polyline
  std::string text;     // begins at its point
};

struct Drawing {
  double width = 0, height = 0;
  std::vector<Mark> marks;  // from back to front
};

struct DrawingStyle {
  double width = 720;
  double smallest_height = 220, largest_height = 460;  // it takes the height it needs
  double margin = 56;
  double symbol = 7;  // radius of a hinge
  double line = 6;    // width of a body that is a line
  double text = 13;   // height of names; 0: none
};

Drawing draw_scene(const Scene& scene, const DrawingStyle& style);

}  // namespace mechfmu
