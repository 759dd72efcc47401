// A benchmark problem, once for everybody: our mechanism file, every peer's model and the reference
// are made from this one description, so that nobody can simulate something else.
//
// Bodies have frames of their own; a joint coordinate 0 means that the axes of parent and child
// agree. Tree joints come in an order in which parents are placed before their children; joints
// that close loops have no coordinates.
#pragma once
#include <Eigen/Dense>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu::bench {

using Eigen::Matrix3d;
using Eigen::Vector3d;

inline constexpr int kWorld = -1;

struct Body {
  std::string name;
  double mass = 0;   // [kg]
  Vector3d com;      // [m] in the body's frame
  Matrix3d inertia;  // [kg m^2] about the centre of mass
};

enum class JointKind { revolute, prismatic, universal, spherical };

struct Joint {
  std::string name;
  JointKind kind = JointKind::revolute;
  int parent = kWorld, child = 0;
  Vector3d in_parent = Vector3d::Zero(), in_child = Vector3d::Zero();  // [m] where it is
  Vector3d axis = Vector3d::UnitZ(), axis2 = Vector3d::UnitY();
  bool closes_loop = false;
  bool is_given = false;  // its start is exact and chosen; the others follow from closing the loops
  std::array<double, 2> start{};                   // [rad, m] also of those that follow
  double speed = 0;                                // [rad/s, m/s]
  double torque = 0;                               // [N m] constant
  Matrix3d start_rotation = Matrix3d::Identity();  // spherical: child in parent
};

struct Spring {  // between two points, without damping
  std::string name;
  int body_a = kWorld, body_b = kWorld;
  Vector3d point_a, point_b;  // [m] in the bodies' frames
  double stiffness = 0;       // [N/m]
  double length = 0;          // [m] unloaded
};

struct Problem {
  std::string name;    // "four_bar"
  std::string title;   // "four-bar"
  std::string source;  // where the numbers are from
  Vector3d gravity{0, -9.81, 0};
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Spring> springs;
  int marker_body = 0;  // whose path is compared
  Vector3d marker = Vector3d::Zero();
  double duration = 0;     // [s]
  int samples = 400;       // of the path, equally spaced, the start not counted
  bool is_planar = false;  // all moves in x and y

  [[nodiscard]] double sample_time(int i) const { return duration * i / samples; }
  [[nodiscard]] double interval() const { return duration / samples; }
};

// A uniform rod from the origin along x, thin, but not so thin that it cannot turn about itself.
Body make_rod(const std::string& name, double length, double mass);

Problem four_bar();
Problem slider_crank();
Problem n_four_bar(int n);
Problem five_bar();
Problem bricard();
Problem arm_6r();
Problem chain(int links);
Problem squeezer();
Problem stewart();

// All of the benchmark, in the order of its tables.
const std::vector<std::string>& problem_names();
Problem find_problem(std::string_view name);  // throws std::out_of_range

}  // namespace mechfmu::bench
