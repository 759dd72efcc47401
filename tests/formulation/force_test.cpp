// Every row of forces.def against virtual work: the generalised force that the system adds, times
// any velocity w, is the law's force times the velocity it acts along. With the joint in the tree,
// against its direction and closing a loop, in both formulations.
//
//     Q(q, v) . w = sum F(q, v) . r(q, w)         Q = f with the force less f without it, at the
//     same q and v
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "formulation/joint_mechanisms.hpp"
#include "formulation/newton.hpp"

namespace mechfmu::testing {
namespace {

using Eigen::VectorXd;

// Sensors by name at one state.
class Sensed {
 public:
  Sensed(MechanismRun& run, const std::vector<std::string>& sensors) {
    for (const std::string& sensor : sensors) values_[sensor] = run.get(probe(sensor));
    for (const char* frame : {"base.grip", "link.grip"}) rotations_[frame] = rotation(run, frame);
  }
  double operator[](const std::string& sensor) const { return values_.at(sensor); }
  [[nodiscard]] Vector3d vector(const std::string& sensor) const {
    return {values_.at(sensor + "[1]"), values_.at(sensor + "[2]"), values_.at(sensor + "[3]")};
  }
  [[nodiscard]] const Matrix3d& axes(const std::string& frame) const {
    return rotations_.at(frame);
  }

 private:
  std::map<std::string, double> values_;
  std::map<std::string, Matrix3d> rotations_;
};

struct Law {
  std::string force;       // row of forces.def
  std::string joint;       // row of joints.def that is between the bodies
  std::string coordinate;  // of this joint, if it acts on one
  std::string attributes;
  // power of the force at state v along the velocity w
  std::function<double(const Sensed& v, const Sensed& w)> work;
  bool conservative = false;
  bool dissipative = false;
  bool internal = true;  // between the two bodies
};
std::string rate_of(const std::string& joint, const std::string& coordinate) {
  for (const Coordinate& c : find_joint_type(joint)->coordinates)
    if (c.name == coordinate) return "J." + std::string(c.rate_name);
  throw std::runtime_error("joint '" + joint + "' has no " + coordinate);
}

bool is_angle(const std::string& joint, const std::string& coordinate) {
  for (const Coordinate& c : find_joint_type(joint)->coordinates)
    if (c.name == coordinate) return c.unit == "rad";
  return false;
}

double tension(const Sensed& s, double stiffness, double damping, double length) {
  const Vector3d d = s.vector("link.grip.position") - s.vector("base.grip.position");
  const double speed =
      d.normalized().dot(s.vector("link.grip.velocity") - s.vector("base.grip.velocity"));
  return stiffness * (d.norm() - length) + damping * speed;
}
double stretching(const Sensed& s) {
  const Vector3d d = s.vector("link.grip.position") - s.vector("base.grip.position");
  return d.normalized().dot(s.vector("link.grip.velocity") - s.vector("base.grip.velocity"));
}

// Displacement and turn of a bushing from base.grip to link.grip, in axes of the former: position
// of the latter, and 2 sin(theta/2) n, twice the vector part of the relative quaternion.
using Vector6d = Eigen::Matrix<double, 6, 1>;

Vector6d deformation(const Sensed& s) {
  const Matrix3d& R = s.axes("base.grip");
  const Eigen::Quaterniond e(R.transpose() * s.axes("link.grip"));
  Vector6d x;
  x << R.transpose() * (s.vector("link.grip.position") - s.vector("base.grip.position")),
      2 * (e.w() < 0 ? -1 : 1) * e.vec();
  return x;
}
Vector6d deformation_rate(const Sensed& s) {
  const Matrix3d& R = s.axes("base.grip");
  const Matrix3d& C = s.axes("link.grip");
  const Eigen::Quaterniond e(R.transpose() * C);
  const double sign = e.w() < 0 ? -1 : 1;
  const Vector3d w1 = s.vector("base.grip.angular_velocity");
  const Vector3d d = s.vector("link.grip.position") - s.vector("base.grip.position");
  const Vector3d w = C.transpose() * (s.vector("link.grip.angular_velocity") - w1);
  Vector6d rate;
  // e_dot = 1/2 e (0, w), w in axes of link.grip
  rate << R.transpose() *
              (s.vector("link.grip.velocity") - s.vector("base.grip.velocity") - w1.cross(d)),
      sign * (e.w() * w + e.vec().cross(w));
  return rate;
}

void add_bushing_laws(std::vector<Law>& laws) {
  const std::string ends = "from='base.grip' to='link.grip' ";
  Vector6d k, c;
  k << 100, 200, 50, 3, 4, 5;
  c << 6, 7, 8, 0.3, 0.2, 0.1;
  const std::string stiff = "stiffness='100 200 50' torsional_stiffness='3 4 5' ";
  const std::string damped = "damping='6 7 8' torsional_damping='0.3 0.2 0.1'";
  laws.push_back({"bushing", "free", "", ends + stiff,
                  [=](const Sensed& v, const Sensed& w) {
                    return -k.cwiseProduct(deformation(v)).dot(deformation_rate(w));
                  },
                  true});
  laws.push_back({"bushing", "spherical", "", ends + damped,
                  [=](const Sensed& v, const Sensed& w) {
                    return -c.cwiseProduct(deformation_rate(v)).dot(deformation_rate(w));
                  },
                  false, true});
  laws.push_back(
      {"bushing", "revolute", "", ends + stiff + damped, [=](const Sensed& v, const Sensed& w) {
         const Vector6d force =
             k.cwiseProduct(deformation(v)) + c.cwiseProduct(deformation_rate(v));
         return -force.dot(deformation_rate(w));
       }});
}

void add_potential_laws(std::vector<Law>& laws) {
  laws.push_back({"potential", "cylindrical", "",
                  "value='20*(J.angle - 0.3)^2*(1 + J.translation)'",
                  [](const Sensed& v, const Sensed& w) {
                    const double a = v["J.angle"] - 0.3;
                    return -40 * a * (1 + v["J.translation"]) * w["J.angle_velocity"] -
                           20 * a * a * w["J.translation_velocity"];
                  },
                  true});
  laws.push_back({"potential", "universal", "",
                  "value='15*((link.grip.position[1] - base.grip.position[1])^2 + "
                  "(link.grip.position[2] - base.grip.position[2])^2 + "
                  "(link.grip.position[3] - base.grip.position[3])^2)'",
                  [](const Sensed& v, const Sensed& w) {
                    return -30 * (v.vector("link.grip.position") - v.vector("base.grip.position"))
                                     .dot(w.vector("link.grip.velocity") -
                                          w.vector("base.grip.velocity"));
                  },
                  true});
}

void add_frame_laws(std::vector<Law>& laws) {
  const std::string ends = "from='base.grip' to='link.grip' ";
  laws.push_back(
      {"spring_damper", "spherical", "", ends + "stiffness='300' length='0.2'",
       [](const Sensed& v, const Sensed& w) { return -tension(v, 300, 0, 0.2) * stretching(w); },
       true});
  laws.push_back(
      {"spring_damper", "cylindrical", "", ends + "damping='7'",
       [](const Sensed& v, const Sensed& w) { return -tension(v, 0, 7, 0) * stretching(w); }, false,
       true});
  laws.push_back(
      {"spring_damper", "revolute", "", ends + "stiffness='300' damping='7' length='0.2'",
       [](const Sensed& v, const Sensed& w) { return -tension(v, 300, 7, 0.2) * stretching(w); }});
  const Vector3d F(3, -5, 8);
  const std::string value = "at='link.grip' value='3 -5 8' ";
  laws.push_back(
      {"force", "revolute", "", value,
       [=](const Sensed&, const Sensed& w) { return F.dot(w.vector("link.grip.velocity")); }, false,
       false, false});
  laws.push_back({"force", "universal", "", value + "axes='body'",
                  [=](const Sensed& v, const Sensed& w) {
                    return (v.axes("link.grip") * F).dot(w.vector("link.grip.velocity"));
                  },
                  false, false, false});
  laws.push_back({"torque", "revolute", "", value,
                  [=](const Sensed&, const Sensed& w) {
                    return F.dot(w.vector("link.grip.angular_velocity"));
                  },
                  false, false, false});
  laws.push_back({"torque", "planar", "", value + "axes='body'",
                  [=](const Sensed& v, const Sensed& w) {
                    return (v.axes("link.grip") * F).dot(w.vector("link.grip.angular_velocity"));
                  },
                  false, false, false});
}

// On every scalar coordinate of every joint.
void add_joint_laws(std::vector<Law>& laws, const std::string& joint,
                    const std::string& coordinate) {
  const std::string position = "J." + coordinate, rate = rate_of(joint, coordinate);
  const bool several = find_joint_type(joint)->coordinates.size() > 1;
  const std::string on = "joint='J' " + (several ? "coordinate='" + coordinate + "' " : "");
  const auto push = [&](const std::string& force, const std::string& attributes, auto value,
                        bool conservative, bool dissipative) {
    laws.push_back({force, joint, coordinate, on + attributes,
                    [=](const Sensed& v, const Sensed& w) { return value(v) * w[rate]; },
                    conservative, dissipative});
  };
  push(
      "friction", "coulomb='2' viscous='1.5' velocity='0.5'",
      [=](const Sensed& s) { return -2 * std::tanh(s[rate] / 0.5) - 1.5 * s[rate]; }, false, true);
  // far beyond the upper stop, and half way into the transition of the lower one
  push(
      "joint_limit", "upper='-2' stiffness='30' damping='2' transition='0.1'",
      [=](const Sensed& s) { return -std::max(0.0, 30 * (s[position] + 2) + 2 * s[rate]); }, false,
      false);
  push(
      "joint_limit", "lower='2' stiffness='30'",
      [=](const Sensed& s) { return 30 * (2 - s[position]); }, true, false);
  if (joint == "revolute")
    push(
        "joint_limit", "lower='0.75' upper='9' stiffness='30' damping='2' transition='0.1'",
        [=](const Sensed& s) {
          const double depth = 0.75 - s[position];  // 0.05: half the transition, half the damping
          return std::max(0.0, 30 * depth - 2 * 0.5 * s[rate]);
        },
        false, false);
  if (!is_angle(joint, coordinate)) {
    push(
        "joint_force", "value='6'", [](const Sensed&) { return 6.0; }, false, false);
    return;
  }
  push(
      "joint_torque", "value='6'", [](const Sensed&) { return 6.0; }, false, false);
  push(
      "torsion_spring", "stiffness='9' angle='0.3'",
      [=](const Sensed& s) { return -9 * (s[position] - 0.3); }, true, false);
  push(
      "torsion_spring", "damping='0.8'", [=](const Sensed& s) { return -0.8 * s[rate]; }, false,
      true);
}

const std::vector<Law>& laws() {
  static const std::vector<Law> list = [] {
    std::vector<Law> all;
    add_frame_laws(all);
    add_bushing_laws(all);
    add_potential_laws(all);
    for (const JointType& type : joint_types())
      for (const Coordinate& c : type.coordinates)
        add_joint_laws(all, std::string(type.id), std::string(c.name));
    return all;
  }();
  return list;
}

TEST(Forces, AreAllTested) {
  for (const ForceType& type : force_types())
    EXPECT_TRUE(std::any_of(laws().begin(), laws().end(),
                            [&](const Law& law) { return law.force == type.id; }))
        << "force '" << type.id << "' has no law in force_test.cpp";
}

struct Setting {
  Law law;
  Arrangement arrangement;
  const char* coordinates;
};
void PrintTo(const Setting& s, std::ostream* out) { *out << s.law.attributes; }

// All laws, or those of one kind, in all ways that a joint can be represented.
std::vector<Setting> settings(const std::function<bool(const Law&)>& wanted) {
  std::vector<Setting> list;
  for (const Law& law : laws()) {
    if (!wanted(law)) continue;
    for (const Arrangement a : {Arrangement::tree, Arrangement::reversed_tree, Arrangement::cut})
      list.push_back({law, a, "joint"});
    list.push_back({law, Arrangement::tree, "absolute"});
  }
  return list;
}

class ForceLaws : public ::testing::TestWithParam<Setting> {
 protected:
  ForceLaws() : with_(text(true), options()), without_(text(false), options()) {
    with_.initialize();
    without_.initialize();
  }
  static const Law& law() { return GetParam().law; }
  static SystemOptions options() {
    SystemOptions result;
    result.coordinates = GetParam().coordinates;
    return result;
  }
  static std::vector<std::string> sensors() {
    std::vector<std::string> list;
    for (const char* frame : {"base", "link", "base.grip", "link.grip"})
      add_frame_sensors(list, frame);
    for (const Coordinate& c : find_joint_type(law().joint)->coordinates) {
      list.push_back("J." + std::string(c.name));
      list.push_back("J." + std::string(c.rate_name));
    }
    return list;
  }
  static std::string text(bool with) {
    const std::string force =
        "<force name='F' type='" + law().force + "' " + law().attributes + "/>";
    return with_probes(joint_mechanism(law().joint, GetParam().arrangement, with ? force : ""),
                       sensors());
  }
  VectorXd random_velocity() {
    VectorXd v(with_.simulation().system().nv);
    for (double& x : v) x = uniform_(random_);
    return v;
  }
  VectorXd position() {
    return Eigen::Map<const VectorXd>(with_.simulation().position(),
                                      with_.simulation().system().nq);
  }
  static VectorXd right_side(MechanismRun& run, const VectorXd& q, const VectorXd& v) {
    runtime::System& system = run.simulation().system();
    system.evaluate_dynamics(0, q.data(), v.data());
    return Eigen::Map<const VectorXd>(system.force(), system.nv);
  }
  VectorXd generalised_force(const VectorXd& q, const VectorXd& v) {
    return right_side(with_, q, v) - right_side(without_, q, v);
  }
  void set_state(MechanismRun& run, const VectorXd& q, const VectorXd& v) {
    Eigen::Map<VectorXd>(run.simulation().position(), q.size()) = q;
    Eigen::Map<VectorXd>(run.simulation().velocity(), v.size()) = v;
    run.simulation().mark_moved();
  }
  Sensed sense(const VectorXd& q, const VectorXd& v) {
    set_state(with_, q, v);
    return {with_, sensors()};
  }

  MechanismRun with_, without_;
  std::mt19937 random_{5};
  std::uniform_real_distribution<double> uniform_{-2, 2};
};

TEST_P(ForceLaws, DoTheirVirtualWork) {
  const VectorXd q = position();
  for (int k = 0; k < 5; ++k) {
    const VectorXd v = random_velocity(), w = random_velocity();
    const double expected = law().work(sense(q, v), sense(q, w));
    // forces of order 10 at velocities of order 1: rounding is 1e-14
    EXPECT_NEAR(generalised_force(q, v).dot(w), expected, tol(1e-10)) << "try " << k;
    if (law().force != "joint_limit") {
      EXPECT_GT(std::fabs(expected), 1e-6);
    }
  }
}

class Springs : public ForceLaws {};

TEST_P(Springs, StoreTheEnergyWhoseGradientTheyAre) {
  const VectorXd q = position();
  const double h = 1e-5;
  const auto energy = [&](const VectorXd& step) {
    VectorXd moved = q;
    with_.simulation().system().move(moved.data(), step.data());
    double value = 0;
    for (MechanismRun* run : {&with_, &without_}) {
      set_state(*run, moved, VectorXd::Zero(step.size()));
      value += (run == &with_ ? 1 : -1) * run->get("energy.potential");
    }
    return value;
  };
  for (int k = 0; k < 5; ++k) {
    const VectorXd w = random_velocity();
    const double slope = (energy(h * w) - energy(-h * w)) / (2 * h);
    // central difference: h^2 times a third derivative of order 100
    EXPECT_NEAR(generalised_force(q, VectorXd::Zero(w.size())).dot(w), -slope, tol(1e-6))
        << "try " << k;
  }
}

class Dampers : public ForceLaws {};

TEST_P(Dampers, TakeEnergyOut) {
  const VectorXd q = position();
  for (int k = 0; k < 5; ++k) {
    const VectorXd v = random_velocity();
    EXPECT_LT(generalised_force(q, v).dot(v), 0) << "try " << k;
  }
}

// Action is reaction: with and without the force the momentum of both bodies together changes
// alike, if it acts between them; if it acts from outside, by that force.
TEST_P(ForceLaws, ChangeNoMomentumFromInside) {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  for (MechanismRun* run : {&with_, &without_}) {
    const double sign = run == &with_ ? 1 : -1;
    for (const BodyData& body : bodies()) {
      const auto [f, m] = imbalance(*run, body, {});
      const Vector3d p_com =
          vector(*run, body.name + ".position") + rotation(*run, body.name) * body.com;
      force += sign * f;
      moment += sign * (m + p_com.cross(f));
    }
  }
  if (law().internal) {
    EXPECT_LE(force.norm(), tol(1e-10));
    EXPECT_LE(moment.norm(), tol(1e-10));
  } else {
    EXPECT_NEAR(law().force == "force" ? force.norm() : moment.norm(), Vector3d(3, -5, 8).norm(),
                tol(1e-10));
  }
}

std::string setting_name(const ::testing::TestParamInfo<Setting>& info) {
  const Law& law = info.param.law;
  std::string name = std::to_string(info.index) + "_" + law.force + "_" + law.joint + "_" +
                     law.coordinate + "_" + arrangement_name(info.param.arrangement) + "_" +
                     info.param.coordinates;
  for (char& c : name)
    if (c == '[' || c == ']') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryType, ForceLaws,
                         ::testing::ValuesIn(settings([](const Law&) { return true; })),
                         setting_name);
INSTANTIATE_TEST_SUITE_P(EveryType, Springs, ::testing::ValuesIn(settings([](const Law& law) {
                           return law.conservative;
                         })),
                         setting_name);
INSTANTIATE_TEST_SUITE_P(EveryType, Dampers, ::testing::ValuesIn(settings([](const Law& law) {
                           return law.dissipative;
                         })),
                         setting_name);

}  // namespace
}  // namespace mechfmu::testing
