// Where the bodies of a problem are at the start, and how they move: what engines need that are not
// told joint angles.
#pragma once
#include <vector>

#include "problems/problem.hpp"

namespace mechfmu::bench {

struct BodyState {
  Matrix3d rotation = Matrix3d::Identity();  // body in world
  Vector3d origin = Vector3d::Zero();        // [m]
  Vector3d angular = Vector3d::Zero();       // [rad/s] world axes
  Vector3d velocity = Vector3d::Zero();      // [m/s] of the origin

  [[nodiscard]] Vector3d at(const Vector3d& point) const { return origin + rotation * point; }
  [[nodiscard]] Vector3d velocity_at(const Vector3d& point) const {
    return velocity + angular.cross(rotation * point);
  }
};

// By body; the tree joints' starts are taken as they are.
std::vector<BodyState> start_pose(const Problem& problem);
BodyState state_of(const std::vector<BodyState>& bodies, int body);  // kWorld: at rest

// Largest distance of two points that a loop joins; rounding, if the problem is right.
double largest_gap(const Problem& problem, const std::vector<BodyState>& bodies);

Vector3d marker_position(const Problem& problem, const std::vector<BodyState>& bodies);

}  // namespace mechfmu::bench
