// Points and poses as plain numbers.
#pragma once
#include <cmath>

#include "scene/scene.hpp"

namespace mechfmu {

inline Point3 operator+(const Point3& a, const Point3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Point3 operator-(const Point3& a, const Point3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Point3 operator*(double s, const Point3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Point3& a, const Point3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Point3& a) { return std::sqrt(dot(a, a)); }
inline Point3 unit(const Point3& a) { return (1 / length(a)) * a; }  // a is not zero

// v + 2 e x (e x v + e0 v)
inline Point3 rotate(const std::array<double, 4>& q, const Point3& v) {
  const Point3 e = {q[1], q[2], q[3]};
  return v + 2.0 * cross(e, cross(e, v) + q[0] * v);
}
inline Point3 rotate_back(const std::array<double, 4>& q, const Point3& v) {
  return rotate({q[0], -q[1], -q[2], -q[3]}, v);
}
inline Point3 place_point(const ScenePose& pose, const Point3& p) {
  return pose.position + rotate(pose.quaternion, p);
}

}  // namespace mechfmu
