// Rotations as graph expressions: the conventions of the input language in one place.
#pragma once
#include <array>

#include "graph/vector3.hpp"

namespace mechfmu {

using Quaternion = std::array<Expr, 4>;  // scalar first

// About a unit axis: I + sin(angle) a~ + (1 - cos(angle)) a~ a~ (Rodrigues). With an axis along x,
// y or z most of it folds away.
Mat3 rotation_about(const Vec3& unit_axis, Expr angle);

// URDF habit: roll about x, then pitch about y, then yaw about z, all fixed axes: Rz(yaw) Ry(pitch)
// Rx(roll).
Mat3 rotation_from_rpy(const Vec3& rpy);
Vec3 rpy_from_rotation(const Mat3& R);

Mat3 rotation_from_quaternion(const Quaternion& e);
// Shepperd's four cases by `select`; the result has e0 >= 0 or its largest part positive.
Quaternion quaternion_from_rotation(const Mat3& R);
// e_dot = H(e) w with w in the rotating (child) axes (document 000, eq. 9 with its erratum).
Quaternion quaternion_rate(const Quaternion& e, const Vec3& w_child);

// The rotation that turns `from` into `to` (unit vectors) by the shortest way.
Mat3 shortest_rotation(const Vec3& from, const Vec3& to);

}  // namespace mechfmu
