// Mass properties of every row of solids.def against integration over the solid, and the mass
// matrix against the kinetic energy.
//
// A solid is integrated with Gauss points in its own coordinates, which is exact for the quadratic
// functions that mass, moment and inertia are; its points are then simply masses: T = sum dm |v + w
// x r|^2 / 2, V = -sum dm g.r.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "formulation/joint_mechanisms.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct PointMass {
  double mass;
  Vector3d place;
};
using Points = std::vector<PointMass>;

// Three Gauss points on [a, b]: exact up to degree five.
void integrate(double a, double b, const std::function<void(double x, double weight)>& f) {
  const double middle = (a + b) / 2, half = (b - a) / 2, x = std::sqrt(0.6);
  f(middle - x * half, half * 5 / 9);
  f(middle, half * 8 / 9);
  f(middle + x * half, half * 5 / 9);
}

// Equal angles: exact for the second harmonics that inertia has.
void integrate_angle(const std::function<void(double angle, double weight)>& f) {
  for (int i = 0; i < 8; ++i) f(2 * M_PI * i / 8, 2 * M_PI / 8);
}

Points box(const Vector3d& size, double density, const Vector3d& centre) {
  Points points;
  integrate(-size[0] / 2, size[0] / 2, [&](double x, double wx) {
    integrate(-size[1] / 2, size[1] / 2, [&](double y, double wy) {
      integrate(-size[2] / 2, size[2] / 2, [&](double z, double wz) {
        points.push_back({density * wx * wy * wz, centre + Vector3d(x, y, z)});
      });
    });
  });
  return points;
}

// Turns z onto the axis.
Matrix3d axes_of(const Vector3d& axis) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix();
}

Points cylinder(double radius, double length, const Vector3d& axis, double density,
                const Vector3d& centre) {
  Points points;
  const Matrix3d R = axes_of(axis);
  integrate(0, radius, [&](double r, double wr) {
    integrate_angle([&](double a, double wa) {
      integrate(-length / 2, length / 2, [&](double z, double wz) {
        points.push_back({density * r * wr * wa * wz,
                          centre + R * Vector3d(r * std::cos(a), r * std::sin(a), z)});
      });
    });
  });
  return points;
}

Points sphere(double radius, double density, const Vector3d& centre) {
  Points points;
  integrate(0, radius, [&](double r, double wr) {
    integrate(-1, 1, [&](double c, double wc) {
      integrate_angle([&](double a, double wa) {
        const double s = std::sqrt(1 - c * c);
        points.push_back({density * r * r * wr * wc * wa,
                          centre + r * Vector3d(s * std::cos(a), s * std::sin(a), c)});
      });
    });
  });
  return points;
}

Points rod(double length, double mass, const Vector3d& axis, const Vector3d& centre) {
  Points points;
  integrate(-length / 2, length / 2, [&](double z, double w) {
    points.push_back({mass * w / length, centre + z * axis.normalized()});
  });
  return points;
}

// Six masses on the principal axes of the inertia, three pairs: pair k at distance s has moment sum
// dm s^2 = d_k with d_k = trace / 2 - I_k.
Points inertial(double mass, const Vector3d& com, const Matrix3d& inertia) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(inertia);
  Points points;
  for (int k = 0; k < 3; ++k) {
    const double second = inertia.trace() / 2 - principal.eigenvalues()[k];
    const Vector3d arm = std::sqrt(second * 3 / mass) * principal.eigenvectors().col(k);
    points.push_back({mass / 6, com + arm});
    points.push_back({mass / 6, com - arm});
  }
  return points;
}

struct Solid {
  std::string type, text;
  Points points;
};

const std::vector<Solid>& solids() {
  const Vector3d c(0.11, -0.07, 0.05), n(1, -2, 0.5);
  const double cylinder_volume = M_PI * 0.06 * 0.06 * 0.3,
               sphere_volume = 4 * M_PI / 3 * 0.09 * 0.09 * 0.09;
  Matrix3d I;
  I << 0.05, 0.004, -0.006, 0.004, 0.06, 0.003, -0.006, 0.003, 0.07;
  static const std::vector<Solid> list = {
      {"inertial", "mass='2.1' com='0.11 -0.07 0.05' inertia='0.05 0.06 0.07 0.004 -0.006 0.003'",
       inertial(2.1, c, I)},
      {"inertial", "mass='2.1' com='0.11 -0.07 0.05' inertia='0.05 0.06 0.07'",
       inertial(2.1, c, Vector3d(0.05, 0.06, 0.07).asDiagonal())},
      {"box", "size='0.3 0.2 0.1' density='800' com='0.11 -0.07 0.05'",
       box({0.3, 0.2, 0.1}, 800, c)},
      {"box", "size='0.3 0.2 0.1' mass='3'", box({0.3, 0.2, 0.1}, 3 / 0.006, Vector3d::Zero())},
      {"cylinder", "radius='0.06' length='0.3' density='800'",
       cylinder(0.06, 0.3, {0, 0, 1}, 800, Vector3d::Zero())},
      {"cylinder", "radius='0.06' length='0.3' mass='3' axis='1 -2 0.5' com='0.11 -0.07 0.05'",
       cylinder(0.06, 0.3, n, 3 / cylinder_volume, c)},
      {"rod", "length='0.4' mass='0.7' axis='1 -2 0.5' com='0.11 -0.07 0.05'", rod(0.4, 0.7, n, c)},
      {"sphere", "radius='0.09' density='800' com='0.11 -0.07 0.05'", sphere(0.09, 800, c)},
      {"sphere", "radius='0.09' mass='3'", sphere(0.09, 3 / sphere_volume, Vector3d::Zero())},
      {"point", "mass='1.3' xyz='0.11 -0.07 0.05'", {{1.3, c}}},
  };
  return list;
}

TEST(Solids, AreAllTested) {
  for (const SolidType& type : solid_types())
    EXPECT_TRUE(std::any_of(solids().begin(), solids().end(),
                            [&](const Solid& s) { return s.type == type.id; }))
        << "solid '" << type.id << "' is not in mass_test.cpp";
}

std::string element(const Solid& solid) { return "<" + solid.type + " " + solid.text + "/>"; }

// A body that floats on a frame which sits askew in it; a small ball keeps point masses and rods
// from being singular.
const Points& ballast() {
  static const Points points = sphere(0.05, 1000, {0.02, 0.03, -0.04});
  return points;
}
std::string body_mechanism(const std::string& elements) {
  return single_to_double_quotes(R"(<mechanism name='M' gravity='1.5 -2.5 -9'>
    <body name='b'>)" + elements +
                                 R"(<sphere radius='0.05' density='1000' com='0.02 0.03 -0.04'/>
      <frame name='f' xyz='0.2 0.1 -0.3' rpy='0.4 0.5 -0.6'/></body>
    <joint name='J' type='free' parent='ground' child='b.f'>
      <start xyz='0.3 0.1 0.2' rpy='0.2 -0.3 0.4' velocity='1 2 -1' angular_velocity='2 -1.5 3' fixed='true'/></joint>
    </mechanism>)");
}

void check_energies(const std::string& elements, Points points, const char* coordinates) {
  points.insert(points.end(), ballast().begin(), ballast().end());
  SystemOptions options;
  options.coordinates = coordinates;
  std::vector<std::string> sensors;
  add_frame_sensors(sensors, "b");
  MechanismRun run(with_probes(body_mechanism(elements), sensors), options);
  run.initialize();
  const Vector3d gravity(1.5, -2.5, -9);
  double offset = 0;  // of the potential energy
  for (int k = 0; k < 5; ++k) {
    const Matrix3d R = rotation(run, "b");
    const Vector3d p = vector(run, "b.position"), v = vector(run, "b.velocity"),
                   w = vector(run, "b.angular_velocity");
    double kinetic = 0, potential = 0;
    for (const PointMass& m : points) {
      kinetic += m.mass * (v + w.cross(R * m.place)).squaredNorm() / 2;
      potential -= m.mass * gravity.dot(p + R * m.place);
    }
    EXPECT_NEAR(run.get("energy.kinetic"), kinetic, tol(1e-11) * kinetic) << elements;
    if (k == 0) offset = run.get("energy.potential") - potential;
    EXPECT_NEAR(run.get("energy.potential") - offset, potential, tol(1e-9)) << elements;
    run.advance(0.05);  // to another pose and velocity
  }
}

class MassOfSolid : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formulations, MassOfSolid, ::testing::Values("joint", "absolute"));

TEST_P(MassOfSolid, IsThatOfItsPoints) {
  for (const Solid& solid : solids()) check_energies(element(solid), solid.points, GetParam());
}

TEST_P(MassOfSolid, AddsUpInABody) {
  Points all;
  std::string elements;
  for (const Solid& solid : solids()) {
    elements += element(solid);
    all.insert(all.end(), solid.points.begin(), solid.points.end());
  }
  check_energies(elements, all, GetParam());
}

// T is a quadratic form of v, so M follows exactly: M_ij = T(e_i + e_j) - T(e_i) - T(e_j).
class MassMatrix : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(MassMatrix, IsTheHessianOfTheKineticEnergy) {
  const auto& [example, coordinates] = GetParam();
  SystemOptions options;
  options.coordinates = coordinates;
  MechanismRun run(example_text(example), options);
  run.initialize();
  run.advance(0.1);  // somewhere
  runtime::Simulation& simulation = run.simulation();
  runtime::System& system = simulation.system();
  const int nv = system.nv;
  system.evaluate_kinematics(simulation.time(), simulation.position(), simulation.velocity());
  MatrixXd M = MatrixXd::Zero(nv, nv);
  for (int k = 0; k < system.model.mass.count; ++k)
    M(system.model.mass.row[k], system.model.mass.column[k]) =
        M(system.model.mass.column[k], system.model.mass.row[k]) = system.mass()[k];
  const auto kinetic = [&](const VectorXd& v) {
    Eigen::Map<VectorXd>(simulation.velocity(), nv) = v;
    simulation.mark_moved();
    return run.get("energy.kinetic");
  };
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j <= i; ++j) {
      const VectorXd a = VectorXd::Unit(nv, i), b = VectorXd::Unit(nv, j);
      const double expected = i == j ? 2 * kinetic(a) : kinetic(a + b) - kinetic(a) - kinetic(b);
      EXPECT_NEAR(M(i, j), expected, tol(1e-12) * std::max(M(i, i), M(j, j))) << i << "," << j;
    }
}

std::string matrix_name(
    const ::testing::TestParamInfo<std::tuple<const char*, const char*>>& info) {
  return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, MassMatrix,
    ::testing::Combine(::testing::Values("arm_6r", "four_bar", "spatial_loop", "tumbling_body"),
                       ::testing::Values("joint", "absolute", "absolute_spatial")),
    matrix_name);

}  // namespace
}  // namespace mechfmu::testing
