// Planar problems: all axes are z, gravity is -y.
#include <cmath>

#include "problems/problem.hpp"

namespace mechfmu::bench {
namespace {

constexpr double kPi = 3.14159265358979323846;

Joint hinge(const std::string& name, int parent, const Vector3d& in_parent, int child) {
  Joint joint;
  joint.name = name;
  joint.parent = parent;
  joint.in_parent = in_parent;
  joint.child = child;
  return joint;
}

Joint closing_hinge(const std::string& name, int parent, const Vector3d& in_parent, int child,
                    const Vector3d& in_child) {
  Joint joint = hinge(name, parent, in_parent, child);
  joint.in_child = in_child;
  joint.closes_loop = true;
  return joint;
}

Joint started(Joint joint, double position, double speed, bool is_given) {
  joint.start[0] = position;
  joint.speed = speed;
  joint.is_given = is_given;
  return joint;
}

Vector3d along(double length) { return {length, 0, 0}; }

}  // namespace

Problem four_bar() {
  constexpr double kCrank = 1, kCoupler = 2.5, kRocker = 2, kGround = 2.5;
  const double theta = 100 * kPi / 180;
  // C is where the circles of coupler and rocker meet, above the line B-D
  const Vector3d b(kCrank * std::cos(theta), kCrank * std::sin(theta), 0);
  const Vector3d d(kGround, 0, 0);
  const Vector3d bd = d - b;
  const double s = bd.squaredNorm();
  const double forward = (kCoupler * kCoupler - kRocker * kRocker + s) / (2 * s);
  const double aside = std::sqrt(kCoupler * kCoupler / s - forward * forward);
  const Vector3d c = b + forward * bd + aside * Vector3d(-bd.y(), bd.x(), 0);
  const double phi = std::atan2(c.y() - b.y(), c.x() - b.x());
  const double psi = std::atan2(c.y(), c.x() - d.x());

  Problem p;
  p.name = "four_bar";
  p.title = "four-bar";
  p.source =
      "crank 1.0, coupler 2.5, rocker 2.0, ground 2.5 m, rods of 1 kg/m, crank at 100 deg, at rest";
  p.bodies = {make_rod("crank", kCrank, kCrank), make_rod("coupler", kCoupler, kCoupler),
              make_rod("rocker", kRocker, kRocker)};
  p.joints = {started(hinge("A", kWorld, along(0), 0), theta, 0, true),
              started(hinge("B", 0, along(kCrank), 1), phi - theta, 0, false),
              started(hinge("D", kWorld, d, 2), psi, 0, false),
              closing_hinge("C", 1, along(kCoupler), 2, along(kRocker))};
  p.marker_body = 0;
  p.marker = along(kCrank);
  p.duration = 10;
  p.is_planar = true;
  return p;
}

Problem slider_crank() {
  constexpr double kCrank = 0.5, kRod = 1.5;
  const double theta = 100 * kPi / 180;
  const double phi = -std::asin(kCrank * std::sin(theta) / kRod);
  const double x = kCrank * std::cos(theta) + kRod * std::cos(phi);

  Problem p;
  p.name = "slider_crank";
  p.title = "slider-crank";
  p.source = "crank 0.5, rod 1.5 m, 1 kg/m, slider 2 kg, crank at 100 deg, at rest";
  p.bodies = {make_rod("crank", kCrank, kCrank),
              make_rod("rod", kRod, kRod),
              {"slider", 2, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}};
  Joint guide = started(hinge("guide", kWorld, along(0), 2), x, 0, false);
  guide.kind = JointKind::prismatic;
  guide.axis = Vector3d::UnitX();
  p.joints = {started(hinge("A", kWorld, along(0), 0), theta, 0, true),
              started(hinge("B", 0, along(kCrank), 1), phi - theta, 0, false), guide,
              closing_hinge("C", 1, along(kRod), 2, along(0))};
  p.marker_body = 0;
  p.marker = along(kCrank);
  p.duration = 10;
  p.is_planar = true;
  return p;
}

Problem n_four_bar(int n) {
  Problem p;
  p.name = "n_four_bar_" + std::to_string(n);
  p.title = "N-four-bar, N = " + std::to_string(n);
  p.source = "IFToMM multibody benchmark library, A02: rods of 1 m and 1 kg, v_x(B0) = 1 m/s";
  for (int i = 0; i <= n; ++i) p.bodies.push_back(make_rod("bar" + std::to_string(i), 1, 1));
  for (int i = 1; i <= n; ++i) p.bodies.push_back(make_rod("coupler" + std::to_string(i), 1, 1));
  for (int i = 0; i <= n; ++i)
    p.joints.push_back(
        started(hinge("A" + std::to_string(i), kWorld, along(i), i), kPi / 2, -1, i == 0));
  for (int i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    p.joints.push_back(started(hinge("B" + number, i - 1, along(1), n + i), -kPi / 2, 1, false));
    p.joints.push_back(closing_hinge("C" + number, n + i, along(1), i, along(1)));
  }
  p.marker_body = 0;
  p.marker = along(1);
  p.duration = n > 2 ? 20 : 10;
  p.is_planar = true;
  return p;
}

Problem five_bar() {
  constexpr double kSide = 0.2;
  Problem p;
  p.name = "five_bar";
  p.title = "five-bar";
  p.source =
      "Malczyk and Fraczek (2012): regular pentagon, side 0.2 m, links of 1 kg and 0.25 kg m2, at "
      "rest";
  for (int i = 1; i <= 4; ++i)
    p.bodies.push_back(
        {"link" + std::to_string(i), 1, {kSide / 2, 0, 0}, 0.25 * Matrix3d::Identity()});
  p.joints = {started(hinge("J1", kWorld, along(0), 0), -0.6 * kPi, 0, true)};
  for (int i = 1; i < 4; ++i)
    p.joints.push_back(
        started(hinge("J" + std::to_string(i + 1), i - 1, along(kSide), i), 0.4 * kPi, 0, i == 1));
  Joint last = closing_hinge("J5", kWorld, along(kSide), 3, along(kSide));
  p.joints.push_back(last);
  p.marker_body = 1;
  p.marker = along(kSide);
  p.duration = 5;
  p.is_planar = true;
  return p;
}

Problem chain(int links) {
  constexpr double kLength = 0.1;
  Problem p;
  p.name = "chain_" + std::to_string(links);
  p.title = "chain of " + std::to_string(links);
  p.source = "links of 0.1 m and 0.1 kg, horizontal, at rest";
  for (int i = 0; i < links; ++i) {
    const std::string number = std::to_string(i + 1);
    p.bodies.push_back(make_rod("link" + number, kLength, 0.1));
    p.joints.push_back(
        started(hinge("J" + number, i - 1, along(i == 0 ? 0 : kLength), i), 0, 0, true));
  }
  p.marker_body = links - 1;
  p.marker = along(kLength);
  p.duration = 1;
  p.samples = 100;
  p.is_planar = true;
  return p;
}

Problem squeezer() {
  const auto body = [](const char* name, double mass, double x, double y, double inertia) {
    return Body{name, mass, {x, y, 0}, Vector3d(inertia / 2, inertia / 2, inertia).asDiagonal()};
  };
  const Vector3d a(-0.06934, -0.00227, 0), b(-0.03635, 0.03273, 0), c(0.014, 0.072, 0);

  Problem p;
  p.name = "squeezer";
  p.title = "Andrews' squeezer";
  p.source = "IVP test set, Andrews' squeezing mechanism";
  p.gravity = Vector3d::Zero();
  p.bodies = {body("K1", 0.04325, 0.00092, 0, 2.194e-6),
              body("K2", 0.00365, -0.0115, 0, 4.410e-7),
              body("K3", 0.02373, 0.01043, -0.01874, 5.255e-6),
              body("K4", 0.00706, 0, 0.01421 - 0.02, 5.667e-7),
              body("K5", 0.07050, 0.02308, -0.00916, 1.169e-5),
              body("K6", 0.00706, 0.02 - 0.01421, 0, 5.667e-7),
              body("K7", 0.05498, 0.00449, -0.01228, 1.912e-5)};
  enum { K1, K2, K3, K4, K5, K6, K7 };
  Joint crank =
      started(hinge("O", kWorld, along(0), K1), -0.0617138900142764496358948458001, 0, true);
  crank.torque = 0.033;
  const Vector3d p2(-0.028, 0, 0), p3(0, -0.035, 0), p4(0, -0.02, 0), p6(0.02, 0, 0);
  p.joints = {
      crank,
      started(hinge("J12", K1, along(0.007), K2), 0, 0, false),
      started(hinge("B", kWorld, b, K3), 0.455279819163070380255912382449, 0, false),
      started(hinge("A5", kWorld, a, K5), 0.487364979543842550225598953530, 0, false),
      started(hinge("J54", K5, along(0.04), K4), 0.222668390165885884674473185609, 0, false),
      started(hinge("A7", kWorld, a, K7), 1.23054744454982119249735015568, 0, false),
      started(hinge("J76", K7, {0, -0.04, 0}, K6), -0.222668390165885884674473185609, 0, false),
      closing_hinge("P3", K2, p2, K3, p3),
      closing_hinge("P4", K2, p2, K4, p4),
      closing_hinge("P6", K2, p2, K6, p6)};
  p.springs = {{"spring", kWorld, K3, c, {0.02, -0.018, 0}, 4530, 0.07785}};
  p.marker_body = K1;
  p.marker = along(0.007);
  p.duration = 0.03;
  p.samples = 200;
  p.is_planar = true;
  return p;
}

}  // namespace mechfmu::bench
