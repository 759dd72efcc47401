// Problems in space.
#include <cmath>

#include "problems/problem.hpp"

namespace mechfmu::bench {
namespace {

constexpr double kPi = 3.14159265358979323846;

Matrix3d box_inertia(double mass, const Vector3d& size) {
  const Vector3d s = size.cwiseProduct(size);
  return Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal() * (mass / 12);
}

Matrix3d inertia(double xx, double yy, double zz, double xy = 0, double xz = 0, double yz = 0) {
  Matrix3d m;
  m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return m;
}

Joint joint_of(const std::string& name, JointKind kind, int parent, const Vector3d& in_parent,
               int child, const Vector3d& axis) {
  Joint joint;
  joint.name = name;
  joint.kind = kind;
  joint.parent = parent;
  joint.in_parent = in_parent;
  joint.child = child;
  joint.axis = axis;
  return joint;
}

void add_point_mass(Body& body, double mass, const Vector3d& at) {
  const auto about = [](double m, const Vector3d& r) -> Matrix3d {
    return m * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  };
  const double total = body.mass + mass;
  const Vector3d com = (body.mass * body.com + mass * at) / total;
  body.inertia += about(body.mass, body.com - com) + about(mass, at - com);
  body.mass = total;
  body.com = com;
}

}  // namespace

// At the start all frames have the axes of the world and the rods lie on the edges of a cube.
Problem bricard() {
  constexpr double kSection = 0.1;
  const std::array<Vector3d, 5> rods = {Vector3d(1, 0, 0), Vector3d(0, -1, 0), Vector3d(0, 0, 1),
                                        Vector3d(-1, 0, 0), Vector3d(0, 1, 0)};
  const std::array<Vector3d, 6> axes = {Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX(),
                                        Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX()};
  Problem p;
  p.name = "bricard";
  p.title = "Bricard";
  p.source =
      "IFToMM multibody benchmark library, A04: rods of 1 m and 1 kg, square section of 0.1 m";
  for (int i = 0; i < 5; ++i) {
    const Vector3d& rod = rods[static_cast<std::size_t>(i)];
    const Vector3d size = rod.cwiseAbs() + kSection * (Vector3d::Ones() - rod.cwiseAbs());
    p.bodies.push_back({"rod" + std::to_string(i + 1), 1, rod / 2, box_inertia(1, size)});
    const Vector3d at = i == 0 ? Vector3d(0, 0, 0) : rods[static_cast<std::size_t>(i - 1)];
    p.joints.push_back(joint_of("H" + std::to_string(i + 1), JointKind::revolute, i - 1, at, i,
                                axes[static_cast<std::size_t>(i)]));
    p.joints.back().is_given = i == 0;
  }
  Joint last = joint_of("H6", JointKind::revolute, kWorld, {0, 0, 1}, 4, axes[5]);
  last.in_child = rods[4];
  last.closes_loop = true;
  p.joints.push_back(last);
  p.marker_body = 2;  // P3 of the library, the hinge between rods 2 and 3
  p.marker = Vector3d::Zero();
  p.duration = 10;
  return p;
}

Problem arm_6r() {
  Problem p;
  p.name = "arm_6r";
  p.title = "6R arm";
  p.source = "the example arm_6r with a payload of 3 kg, without friction, all motors off";
  p.gravity = {0, 0, -9.81};
  p.bodies = {{"link1", 32, {0.04, -0.02, 0.28}, inertia(1.1, 1.2, 0.6, 0.02, -0.09, 0.04)},
              {"link2", 18, {0.02, -0.06, 0.27}, inertia(0.75, 0.8, 0.12, 0.01, 0.03, -0.02)},
              {"link3", 12, {0.09, 0.01, 0.06}, inertia(0.11, 0.2, 0.19, -0.005, 0.012, 0.003)},
              {"link4", 5, {0.22, 0, 0.005}, inertia(0.012, 0.09, 0.088, 0.001, -0.002, 0)},
              {"link5", 2.2, {0.02, 0.004, 0}, inertia(0.004, 0.006, 0.0055)},
              {"link6", 0.6, {0.015, 0, 0}, inertia(6e-4, 4e-4, 4e-4)}};
  const Vector3d tool(0.12, 0, 0.04);
  add_point_mass(p.bodies[5], 3, tool);
  const std::array<Vector3d, 6> at = {Vector3d(0, 0, 0),    Vector3d(0.15, 0, 0.45),
                                      Vector3d(0, 0, 0.6),  Vector3d(0.2, 0, 0.1),
                                      Vector3d(0.42, 0, 0), Vector3d(0.09, 0, 0)};
  const std::array<Vector3d, 6> axes = {Vector3d::UnitZ(), Vector3d::UnitY(), Vector3d::UnitY(),
                                        Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitX()};
  const std::array<double, 6> start = {30, -20, 35, 40, 50, -60};  // [deg]
  for (std::size_t i = 0; i < 6; ++i) {
    const int body = static_cast<int>(i);
    p.joints.push_back(
        joint_of("J" + std::to_string(i + 1), JointKind::revolute, body - 1, at[i], body, axes[i]));
    p.joints.back().start[0] = start[i] * kPi / 180;
    p.joints.back().is_given = true;
  }
  p.marker_body = 5;
  p.marker = tool;
  p.duration = 1;
  p.samples = 100;
  return p;
}

// A table on six legs; a leg stands in a universal joint, slides in itself and carries the table by
// a ball joint. A spring along each leg carries the weight; released from where it is unloaded.
Problem stewart() {
  constexpr double kBase = 0.7, kTable = 0.4, kHeight = 0.8, kStiffness = 4000;
  const std::array<int, 6> feet = {1, 11, 13, 23, 25, 35}, seats = {5, 7, 17, 19, 29, 31};
  const auto on_circle = [](double radius, int place) {  // places are 10 degrees apart
    return Vector3d(radius * std::cos(place * kPi / 18), radius * std::sin(place * kPi / 18), 0);
  };
  Problem p;
  p.name = "stewart";
  p.title = "Stewart platform";
  p.source = "the example stewart, springs of 4000 N/m along the legs in place of the drives";
  p.gravity = {0, 0, -9.81};
  p.duration = 5;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i + 1);
    const int barrel = static_cast<int>(p.bodies.size()), rod = barrel + 1;
    p.bodies.push_back({"barrel" + number, 3, {0, 0, 0.25}, inertia(0.06, 0.06, 0.002)});
    p.bodies.push_back({"rod" + number, 1.5, {0, 0, -0.2}, inertia(0.03, 0.03, 0.0004)});
    const Vector3d foot = on_circle(kBase, feet[i]), seat = on_circle(kTable, seats[i]);
    const Vector3d leg = seat + Vector3d(0, 0, kHeight) - foot;
    const Vector3d along = leg.normalized();
    Joint hinge =
        joint_of("hinge" + number, JointKind::universal, kWorld, foot, barrel, Vector3d::UnitX());
    hinge.start = {std::atan2(-along.y(), along.z()), std::asin(along.x())};
    Joint slide = joint_of("slide" + number, JointKind::prismatic, barrel, {0, 0, leg.norm()}, rod,
                           Vector3d::UnitZ());
    slide.is_given = true;
    p.joints.push_back(hinge);
    p.joints.push_back(slide);
  }
  const int table = static_cast<int>(p.bodies.size());
  p.bodies.push_back({"table", 40, {0.02, -0.01, 0.1}, inertia(1.2, 1.4, 2.2)});
  for (std::size_t i = 0; i < 6; ++i) {
    const int rod = static_cast<int>(2 * i + 1);
    const std::string number = std::to_string(i + 1);
    Joint ball = joint_of("ball" + number, JointKind::spherical, rod, Vector3d::Zero(), table,
                          Vector3d::UnitZ());
    ball.in_child = on_circle(kTable, seats[i]);
    ball.closes_loop = i > 0;
    const std::array<double, 2>& hinge = p.joints[2 * i].start;
    if (i == 0)
      ball.start_rotation = (Eigen::AngleAxisd(hinge[0], Vector3d::UnitX()) *
                             Eigen::AngleAxisd(hinge[1], Vector3d::UnitY()))
                                .toRotationMatrix()
                                .transpose();
    p.joints.push_back(ball);
    const Vector3d foot = on_circle(kBase, feet[i]);
    p.springs.push_back({"spring" + number, kWorld, table, foot, ball.in_child, kStiffness,
                         (ball.in_child + Vector3d(0, 0, kHeight) - foot).norm()});
  }
  p.marker_body = table;
  p.marker = Vector3d(0.4, 0, 0);
  return p;
}

}  // namespace mechfmu::bench
