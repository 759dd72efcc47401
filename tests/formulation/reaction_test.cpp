// Reactions and accelerations against Newton's and Euler's laws of each body by itself, for every
// row of joints.def, in both formulations, with the joint in the tree, against its direction, and
// closing a loop:
//
//     m a_com = sum of forces            I alpha + w x I w = sum of moments about the centre of
//     mass
//
// The forces are gravity, two constant loads and the joint's reaction as users read it: on the
// child at the child frame's origin in parent axes; the parent feels the opposite. No integration:
// only rounding separates both sides.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "formulation/joint_mechanisms.hpp"
#include "formulation/newton.hpp"

namespace mechfmu::testing {
namespace {

struct Case {
  std::string id;
  Arrangement arrangement;
  std::string coordinates;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.id; }

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const std::string& id : joint_ids())
    for (const Arrangement a : {Arrangement::tree, Arrangement::reversed_tree, Arrangement::cut})
      for (const char* coordinates : {"joint", "absolute"})
        if (applies(id, a) && !is_coupling(id)) list.push_back({id, a, coordinates});
  return list;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return info.param.id + "_" + arrangement_name(info.param.arrangement) + "_" +
         info.param.coordinates;
}

class Reaction : public ::testing::TestWithParam<Case> {
 protected:
  Reaction()
      : run_(with_probes(joint_mechanism(GetParam().id, GetParam().arrangement), sensors()),
             options()) {
    run_.initialize();
  }
  static SystemOptions options() {
    SystemOptions result;
    result.coordinates = GetParam().coordinates;
    return result;
  }
  static bool has_force() { return has(mechfmu::Reaction::force); }
  static bool has_torque() { return has(mechfmu::Reaction::torque); }
  static bool has(mechfmu::Reaction part) {
    const mechfmu::Reaction reaction = find_joint_type(GetParam().id)->reaction;
    return reaction == part || reaction == mechfmu::Reaction::both;
  }
  static bool is_reversed() { return GetParam().arrangement == Arrangement::reversed_tree; }
  static std::string parent() { return is_reversed() ? "link.c" : "base.p"; }
  static std::string child() { return is_reversed() ? "base.p" : "link.c"; }
  static std::vector<std::string> sensors() {
    std::vector<std::string> list;
    for (const char* frame : {"base", "link", "base.p", "link.c", "base.grip", "link.grip"})
      add_frame_sensors(list, frame);
    if (has_force()) add_components(list, "J.force");
    if (has_torque()) add_components(list, "J.torque");
    return list;
  }
  // On the child, in world axes.
  Load reaction() {
    const Matrix3d R = rotation(run_, parent());
    const Vector3d torque = has_torque() ? vector(run_, "J.torque") : Vector3d::Zero();
    const Vector3d force = has_force() ? vector(run_, "J.force") : Vector3d::Zero();
    return {vector(run_, child() + ".position"), R * force, R * torque};
  }
  MechanismRun run_;
};

TEST_P(Reaction, BalancesEachBody) {
  const Load on_child = reaction();
  const Load on_parent{on_child.point, -on_child.force, -on_child.torque};
  const Load pull{vector(run_, "link.grip.position"), {7, -4, 9}, Vector3d::Zero()};
  const Load twist{vector(run_, "base.grip.position"), Vector3d::Zero(), {-0.8, 1.1, 0.6}};
  const auto [base_force, base_moment] =
      imbalance(run_, bodies()[0], {twist, is_reversed() ? on_child : on_parent});
  const auto [link_force, link_moment] =
      imbalance(run_, bodies()[1], {pull, is_reversed() ? on_parent : on_child});
  // forces here are of the order of 20 N, moments 5 N.m
  EXPECT_LE(base_force.norm(), tol(1e-10));
  EXPECT_LE(base_moment.norm(), tol(1e-10));
  EXPECT_LE(link_force.norm(), tol(1e-10));
  EXPECT_LE(link_moment.norm(), tol(1e-10));
}

// An ideal joint: what it exerts does no work on the motion it leaves.
TEST_P(Reaction, DoesNoWork) {
  const Load load = reaction();
  const Vector3d w_parent = vector(run_, parent() + ".angular_velocity");
  const Vector3d arm = load.point - vector(run_, parent() + ".position");
  const Vector3d v = vector(run_, child() + ".velocity") - vector(run_, parent() + ".velocity") -
                     w_parent.cross(arm);
  const Vector3d w = vector(run_, child() + ".angular_velocity") - w_parent;
  EXPECT_NEAR(load.force.dot(v) + load.torque.dot(w), 0, tol(1e-10));
}

// A joint that holds something has something to hold here: guards against balances of zeros.
TEST_P(Reaction, IsNotZeroUnlessTheJointIsFree) {
  const Load load = reaction();
  if (GetParam().id == "free")
    EXPECT_LE(load.force.norm() + load.torque.norm(), tol(1e-12));
  else
    EXPECT_GT(load.force.norm() + load.torque.norm(), 0.1);
}

INSTANTIATE_TEST_SUITE_P(EveryType, Reaction, ::testing::ValuesIn(cases()), case_name);

// What drives a joint is no reaction: the body feels both, the reaction alone still does no work. 4
// N.m or 4 N about or along the axis on the child, the opposite on the parent at the same point.
struct DrivenCase {
  const char* id;
  const char* force;
  const char* coordinate;
  Arrangement arrangement;
  const char* coordinates;
};
void PrintTo(const DrivenCase& c, std::ostream* out) { *out << c.id << " " << c.force; }

std::vector<DrivenCase> driven_cases() {
  std::vector<DrivenCase> list;
  for (const Arrangement a : {Arrangement::tree, Arrangement::reversed_tree, Arrangement::cut})
    for (const char* coordinates : {"joint", "absolute"}) {
      list.push_back({"revolute", "joint_torque", "", a, coordinates});
      list.push_back({"prismatic", "joint_force", "", a, coordinates});
      list.push_back({"cylindrical", "joint_torque", "coordinate='angle'", a, coordinates});
      list.push_back({"cylindrical", "joint_force", "coordinate='translation'", a, coordinates});
    }
  return list;
}

class DrivenJoint : public ::testing::TestWithParam<DrivenCase> {};

TEST_P(DrivenJoint, BalancesEachBodyWithReactionAndDrive) {
  const DrivenCase& c = GetParam();
  const bool reversed = c.arrangement == Arrangement::reversed_tree;
  const std::string parent = reversed ? "link.c" : "base.p", child = reversed ? "base.p" : "link.c";
  std::vector<std::string> sensors;
  for (const char* frame : {"base", "link", "base.p", "link.c", "base.grip", "link.grip"})
    add_frame_sensors(sensors, frame);
  add_components(sensors, "J.force");
  add_components(sensors, "J.torque");
  const std::string drive = std::string("<force name='drive' type='") + c.force +
                            "' joint='J' value='4' " + c.coordinate + "/>";
  SystemOptions options;
  options.coordinates = c.coordinates;
  MechanismRun run(with_probes(joint_mechanism(c.id, c.arrangement, drive), sensors), options);
  run.initialize();

  const Matrix3d R = rotation(run, parent);
  const Vector3d axis = R * Vector3d(1, 2, -0.5).normalized();
  const bool turns = c.force == std::string("joint_torque");
  const Vector3d point = vector(run, child + ".position");
  const Load reaction{point, R * vector(run, "J.force"), R * vector(run, "J.torque")};
  const Load on_child{point, reaction.force + (turns ? 0 : 4) * axis,
                      reaction.torque + (turns ? 4 : 0) * axis};
  const Load on_parent{point, -on_child.force, -on_child.torque};
  const Load pull{vector(run, "link.grip.position"), {7, -4, 9}, Vector3d::Zero()};
  const Load twist{vector(run, "base.grip.position"), Vector3d::Zero(), {-0.8, 1.1, 0.6}};
  const auto [base_force, base_moment] =
      imbalance(run, bodies()[0], {twist, reversed ? on_child : on_parent});
  const auto [link_force, link_moment] =
      imbalance(run, bodies()[1], {pull, reversed ? on_parent : on_child});
  EXPECT_LE(base_force.norm() + base_moment.norm(), tol(1e-10));
  EXPECT_LE(link_force.norm() + link_moment.norm(), tol(1e-10));
  if (turns)
    EXPECT_NEAR(reaction.torque.dot(axis), 0, tol(1e-10));
  else
    EXPECT_NEAR(reaction.force.dot(axis), 0, tol(1e-10));
}

std::string driven_name(const ::testing::TestParamInfo<DrivenCase>& info) {
  return std::string(info.param.id) + "_" + info.param.force + "_" +
         arrangement_name(info.param.arrangement) + "_" + info.param.coordinates;
}

INSTANTIATE_TEST_SUITE_P(EveryType, DrivenJoint, ::testing::ValuesIn(driven_cases()), driven_name);

// A coupling pushes along two motions of the joint U: with U's reaction and these two efforts each
// body is in balance, and the efforts together do no work.
class Coupling : public ::testing::TestWithParam<std::tuple<std::string, const char*>> {};

TEST_P(Coupling, BalancesEachBodyWithItsEffortsAndDoesNoWork) {
  const std::string id = std::get<0>(GetParam());
  const JointType& type = *find_joint_type(coupled_joints().at(id).first);
  std::vector<std::string> sensors;
  for (const char* frame : {"base", "link", "base.p", "link.c", "base.grip", "link.grip"})
    add_frame_sensors(sensors, frame);
  add_components(sensors, "U.force");
  add_components(sensors, "U.torque");
  for (const char* sensor : {"J.effort[1]", "J.effort[2]"}) sensors.emplace_back(sensor);
  for (const Coordinate& c : type.coordinates) {
    sensors.push_back("U." + std::string(c.name));
    sensors.push_back("U." + std::string(c.rate_name));
  }
  SystemOptions options;
  options.coordinates = std::get<1>(GetParam());
  MechanismRun run(with_probes(joint_mechanism(id, Arrangement::cut), sensors), options);
  run.initialize();

  const Matrix3d R = rotation(run, "base.p"), C = rotation(run, "link.c");
  const double effort[] = {run.get(probe("J.effort[1]")), run.get(probe("J.effort[2]"))};
  Vector3d force = R * vector(run, "U.force"), torque = R * vector(run, "U.torque");
  double power = 0;
  if (id == "gear") {
    torque += effort[0] * (R * Vector3d(1, 2, 0).normalized());
    torque += effort[1] * (C * Vector3d(-2, 1, 0.5).normalized());
    power = effort[0] * run.get(probe("U.angle_velocity[1]")) +
            effort[1] * run.get(probe("U.angle_velocity[2]"));
    EXPECT_NEAR(run.get(probe("U.angle[1]")), -1.7 * run.get(probe("U.angle[2]")) + 0.2,
                tol(1e-10));
  } else {
    const Vector3d axis = R * Vector3d(1, 2, -0.5).normalized();
    torque += effort[1] * axis;
    power = effort[1] * run.get(probe("U.angle_velocity"));
    if (id == "rack_and_pinion") {
      force += effort[0] * axis;
      power += effort[0] * run.get(probe("U.translation_velocity"));
      EXPECT_NEAR(run.get(probe("U.translation")), 0.25 * run.get(probe("U.angle")) - 0.05,
                  tol(1e-10));
    } else {
      // x of a planar joint is along the side that the geometry chooses: the z axis here, made
      // square to the normal (the axis after the largest component of "1 2 -0.5")
      const Vector3d normal = Vector3d(1, 2, -0.5).normalized();
      const Vector3d side = (Vector3d::UnitZ() - normal.z() * normal).normalized();
      force += effort[0] * (R * side);
      power += effort[0] * run.get(probe("U.x_velocity"));
      EXPECT_NEAR(run.get(probe("U.x")), 0.3 * run.get(probe("U.angle")) + 0.1, tol(1e-10));
    }
  }
  EXPECT_NEAR(power, 0, tol(1e-10));
  EXPECT_GT(std::fabs(effort[0]), 0.1);
  const Vector3d point = vector(run, "link.c.position");
  const Load pull{vector(run, "link.grip.position"), {7, -4, 9}, Vector3d::Zero()};
  const Load twist{vector(run, "base.grip.position"), Vector3d::Zero(), {-0.8, 1.1, 0.6}};
  const auto [base_force, base_moment] =
      imbalance(run, bodies()[0], {twist, {point, -force, -torque}});
  const auto [link_force, link_moment] =
      imbalance(run, bodies()[1], {pull, {point, force, torque}});
  EXPECT_LE(base_force.norm() + base_moment.norm(), tol(1e-9));
  EXPECT_LE(link_force.norm() + link_moment.norm(), tol(1e-9));
}
INSTANTIATE_TEST_SUITE_P(EveryType, Coupling,
                         ::testing::Combine(::testing::Values("gear", "coupler", "rack_and_pinion"),
                                            ::testing::Values("joint", "absolute")));

// The same start, the same accelerations and reactions, whichever the formulation.
class Formulations : public ::testing::TestWithParam<Case> {};

TEST_P(Formulations, Agree) {
  const Case& c = GetParam();
  std::vector<std::string> sensors;
  for (const char* frame : {"base", "link.c"}) add_frame_sensors(sensors, frame);
  const mechfmu::Reaction reaction = find_joint_type(c.id)->reaction;
  if (reaction != mechfmu::Reaction::torque) add_components(sensors, "J.force");
  if (reaction != mechfmu::Reaction::force) add_components(sensors, "J.torque");
  const std::string text = with_probes(joint_mechanism(c.id, c.arrangement), sensors);
  SystemOptions joint, absolute;
  joint.coordinates = "joint";
  absolute.coordinates = "absolute_spatial";
  MechanismRun a(text, joint), b(text, absolute);
  a.initialize();
  b.initialize();
  // the bodies at a rod's ends have guesses for a start, which the assembly meets to 1e-9
  const double tolerance = has_guesses(c.id) ? 1e-7 : 1e-9;
  for (const std::string& sensor : sensors) {
    const double x = a.get(probe(sensor)), y = b.get(probe(sensor));
    EXPECT_NEAR(x, y, tol(tolerance) * std::max(1.0, std::fabs(x))) << sensor;
  }
}

std::vector<Case> arrangements() {
  std::vector<Case> list;
  for (const Case& c : cases())
    if (c.coordinates == "joint") list.push_back(c);
  return list;
}

INSTANTIATE_TEST_SUITE_P(EveryType, Formulations, ::testing::ValuesIn(arrangements()), case_name);

}  // namespace
}  // namespace mechfmu::testing
