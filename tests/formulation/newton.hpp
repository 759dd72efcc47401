// Newton's and Euler's laws of the two bodies of joint_mechanism(), each by itself, from the
// sensors that users read.
#pragma once
#include <Eigen/Dense>
#include <string>
#include <utility>
#include <vector>

#include "formulation/joint_mechanisms.hpp"

namespace mechfmu::testing {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct BodyData {
  std::string name;
  double mass;
  Vector3d com;
  Matrix3d inertia;
};

inline Matrix3d symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  Matrix3d I;
  I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return I;
}

// The numbers of joint_mechanism().
inline const std::vector<BodyData>& bodies() {
  static const std::vector<BodyData> list = {
      {"base", 2.1, {0.11, -0.07, 0.05}, symmetric(0.05, 0.06, 0.07, 0.004, -0.006, 0.003)},
      {"link", 1.4, {-0.06, 0.09, 0.12}, symmetric(0.03, 0.025, 0.04, -0.002, 0.005, 0.001)},
  };
  return list;
}

inline const Vector3d kGravity(0.7, -1.9, -9.3);

struct Load {  // in world axes
  Vector3d point, force, torque;
};

// m a_com - F and I alpha + w x I w - M.
inline std::pair<Vector3d, Vector3d> imbalance(MechanismRun& run, const BodyData& body,
                                               const std::vector<Load>& loads) {
  const Matrix3d R = rotation(run, body.name);
  const Vector3d c = R * body.com;
  const Vector3d w = vector(run, body.name + ".angular_velocity");
  const Vector3d alpha = vector(run, body.name + ".angular_acceleration");
  const Vector3d a_com =
      vector(run, body.name + ".acceleration") + alpha.cross(c) + w.cross(w.cross(c));
  const Matrix3d I = R * body.inertia * R.transpose();
  Vector3d force = body.mass * (a_com - kGravity);
  Vector3d moment = I * alpha + w.cross(I * w);
  const Vector3d p_com = vector(run, body.name + ".position") + c;
  for (const Load& load : loads) {
    force -= load.force;
    moment -= load.torque + (load.point - p_com).cross(load.force);
  }
  return {force, moment};
}

}  // namespace mechfmu::testing
