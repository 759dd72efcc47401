// A robot description (URDF, the XML format of ROS) as it was written: links in the axes of their
// own origin, joints between them. What has no meaning for a mechanism (meshes, collision shapes,
// transmissions, simulator settings) is told with its line and left out.
#pragma once
#include <Eigen/Dense>
#include <optional>
#include <string>
#include <vector>

#include "readers/xml_document.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

struct UrdfPose {
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();
  [[nodiscard]] bool is_identity() const { return xyz.isZero(0) && rpy.isZero(0); }
};

struct UrdfInertial {
  double mass = 0;
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the com, in the axes of the link
  Span span;
};

struct UrdfVisual {
  std::string shape;  // box, cylinder, sphere
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  UrdfPose pose;
  std::string color;  // "#rrggbb", "" if there is none
  Span span;
};

struct UrdfLink {
  std::string name;
  Span span;
  std::optional<UrdfInertial> inertial;  // only with mass
  std::vector<UrdfVisual> visuals;
};

struct UrdfMimic {
  std::string joint;
  double multiplier = 1, offset = 0;
  Span span;
};

struct UrdfJoint {
  std::string name, type;  // revolute continuous prismatic fixed floating planar
  Span span;
  std::string parent, child;
  UrdfPose pose;  // of the joint, which is the origin of the child, in the parent link
  Eigen::Vector3d axis{1, 0, 0};
  std::optional<double> lower, upper;
  double damping = 0, friction = 0;
  std::optional<UrdfMimic> mimic;
  [[nodiscard]] bool is_scalar() const {
    return type == "revolute" || type == "continuous" || type == "prismatic";
  }
};

struct UrdfRobot {
  std::string name;
  Span span;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
};

// Nothing if the description has errors (E144); what is left out is a warning (W111).
std::optional<UrdfRobot> read_urdf(const XmlElement& robot, Diagnostics& diagnostics);

Eigen::Matrix3d rotation_from_rpy(const Eigen::Vector3d& rpy);  // about fixed x, y, z
Eigen::Vector3d rpy_from_rotation(const Eigen::Matrix3d& R);

}  // namespace mechfmu
