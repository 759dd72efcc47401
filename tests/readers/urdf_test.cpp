// Robot descriptions as mechanisms: the arm UR5 against its Denavit-Hartenberg parameters, and
// every element of the format on small robots.
#include "readers/urdf.hpp"

#include <gtest/gtest.h>

#include "analysis/tangent_space.hpp"
#include "readers/canonical.hpp"
#include "readers/messages.hpp"
#include "readers/xml_reader.hpp"
#include "support/mechanism_run.hpp"
#include "support/test_folder.hpp"

namespace mechfmu {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::tol;

struct Translated {
  explicit Translated(const std::string& urdf, const UrdfOptions& options = {})
      : source("robot.urdf", urdf) {
    std::optional<XmlElement> root = parse_xml(source, diagnostics);
    if (root) root = translate_urdf(*root, options, diagnostics);
    if (!root) return;
    mechanism = read_mechanism(*root, "", diagnostics);
    if (mechanism && !validate(*mechanism, diagnostics)) mechanism.reset();
    if (mechanism) text = write_canonical(*root, *mechanism);
  }
  [[nodiscard]] std::string messages() const { return render(diagnostics, source); }
  SourceText source;
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism;
  std::string text;
};

// The published parameters: a [m], d [m], alpha [rad], mass [kg], centre of mass in frame i [m].
struct DhLink {
  double a, d, alpha, mass;
  Vector3d com, inertia;
};
const double kHalf = std::acos(0.0);
const DhLink kUr5[] = {
    {0, 0.089159, kHalf, 3.7, {0, -0.02561, 0.00193}, {0.0102675, 0.00666, 0.0102675}},
    {-0.425, 0, 0, 8.393, {0.2125, 0, 0.11336}, {0.0151074, 0.133886, 0.133886}},
    {-0.39225, 0, 0, 2.33, {0.15, 0, 0.0265}, {0.0040951, 0.0312168, 0.0312168}},
    {0, 0.10915, kHalf, 1.219, {0, -0.0018, 0.01634}, {0.0020137, 0.0020137, 0.0021942}},
    {0, 0.09465, -kHalf, 1.219, {0, 0.0018, 0.01634}, {0.0020137, 0.0020137, 0.0021942}},
    {0, 0.0823, 0, 0.1879, {0, 0, -0.001159}, {0.0000983, 0.0000983, 0.0001321}}};

// T = Rz(q) Tz(d) Tx(a) Rx(alpha), standard Denavit-Hartenberg.
Matrix4d dh_step(const DhLink& l, double q) {
  const double c = std::cos(q), s = std::sin(q), ca = std::cos(l.alpha), sa = std::sin(l.alpha);
  Matrix4d T;
  T << c, -s * ca, s * sa, l.a * c, s, c * ca, -c * sa, l.a * s, 0, sa, ca, l.d, 0, 0, 0, 1;
  return T;
}

class Ur5 : public ::testing::Test {
 protected:
  Ur5() : arm_(testing::read_project_file("tests/data/ur5.urdf")) {
    if (!arm_.mechanism) throw std::runtime_error(arm_.messages());
    std::string text = arm_.text;
    text.insert(text.rfind("</mechanism>"), R"(
      <output name="tool_x" value="wrist_3.tool0.position[1]"/>
      <output name="tool_y" value="wrist_3.tool0.position[2]"/>
      <output name="tool_z" value="wrist_3.tool0.position[3]"/>
      <output name="roll" value="wrist_3.tool0.rpy[1]"/>
      <output name="pitch" value="wrist_3.tool0.rpy[2]"/>
      <output name="yaw" value="wrist_3.tool0.rpy[3]"/>)");
    std::string errors;
    system_ = testing::make_test_system(text, {}, errors);
    if (!system_) throw std::runtime_error(errors);
    point_ = std::make_unique<OperatingPoint>(*system_);
    EXPECT_TRUE(point_->initialize(0));
    q_ << 0.3, -1.1, 0.9, -0.4, 1.2, 0.7;
    for (int i = 0; i < 6; ++i) point_->simulation().position()[i] = q_(i);
    point_->simulation().mark_moved();
    EXPECT_TRUE(point_->update());
    Matrix4d T = Matrix4d::Identity();
    for (int i = 0; i < 6; ++i) {
      before_.push_back(T);
      T = T * dh_step(kUr5[i], q_(i));
      after_.push_back(T);
    }
  }
  double operator[](const char* name) const {
    return point_->value(*system_->interface.find(name));
  }

  Translated arm_;
  std::optional<SystemModel> system_;
  std::unique_ptr<OperatingPoint> point_;
  Eigen::Matrix<double, 6, 1> q_;
  std::vector<Matrix4d> before_, after_;
};

TEST_F(Ur5, HasItsMassAndSixJoints) {
  double mass = 0;
  for (const Body& body : arm_.mechanism->bodies)
    for (const Solid& solid : body.solids) mass += solid.arguments["mass"].values[0].value;
  EXPECT_NEAR(3.7 + 8.393 + 2.33 + 1.219 + 1.219 + 0.1879, mass, tol(1e-12));
  EXPECT_EQ(6u, arm_.mechanism->bodies.size());  // base_link and tool0 are frames
  EXPECT_EQ(6, system_->analysis.mobility);
  EXPECT_EQ(6u, arm_.mechanism->forces.size());  // stops
}

TEST_F(Ur5, ToolIsWhereDenavitAndHartenbergSay) {
  const Matrix4d& T = after_.back();
  EXPECT_NEAR(T(0, 3), (*this)["tool_x"], tol(1e-12));
  EXPECT_NEAR(T(1, 3), (*this)["tool_y"], tol(1e-12));
  EXPECT_NEAR(T(2, 3), (*this)["tool_z"], tol(1e-12));
  const Matrix3d R = rotation_from_rpy(Vector3d((*this)["roll"], (*this)["pitch"], (*this)["yaw"]));
  EXPECT_NEAR(0, (R - T.topLeftCorner<3, 3>()).norm(), tol(1e-12));
}

// M = sum m Jv^T Jv + Jw^T R I R^T Jw, weights g = sum m Jv^T (0, 0, g): geometry alone.
TEST_F(Ur5, MassMatrixAndWeightsAreThoseOfItsLinks) {
  Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> weight = Eigen::Matrix<double, 6, 1>::Zero();
  for (int i = 0; i < 6; ++i) {
    const Matrix3d R = after_[static_cast<std::size_t>(i)].topLeftCorner<3, 3>();
    const Vector3d com =
        after_[static_cast<std::size_t>(i)].topRightCorner<3, 1>() + R * kUr5[i].com;
    Eigen::Matrix<double, 3, 6> Jv = Eigen::Matrix<double, 3, 6>::Zero(), Jw = Jv;
    for (int j = 0; j <= i; ++j) {
      const Vector3d axis = before_[static_cast<std::size_t>(j)].block<3, 1>(0, 2);
      const Vector3d origin = before_[static_cast<std::size_t>(j)].topRightCorner<3, 1>();
      Jw.col(j) = axis;
      Jv.col(j) = axis.cross(com - origin);
    }
    M += kUr5[i].mass * Jv.transpose() * Jv +
         Jw.transpose() * R * kUr5[i].inertia.asDiagonal() * R.transpose() * Jw;
    weight += kUr5[i].mass * 9.81 * Jv.row(2).transpose();
  }
  runtime::Simulation& s = point_->simulation();
  s.system().evaluate_dynamics(0, s.position(), s.velocity());
  const Eigen::MatrixXd found =
      TangentSpace::multiply_mass(*point_, Eigen::MatrixXd::Identity(6, 6));
  EXPECT_NEAR(0, (found - M).norm(), tol(1e-11));
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(-weight(i), s.system().force()[i], tol(1e-11));
}

TEST(Urdf, TextOfASmallRobot) {
  const Translated t(R"(<robot name="two-link">
  <material name="red"><color rgba="1 0 0.5 1"/></material>
  <link name="world"/>
  <link name="arm">
    <inertial><origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>
    <visual><geometry><cylinder radius="0.02" length="0.3"/></geometry><material name="red"/></visual>
    <visual><geometry><mesh filename="package://x/arm.stl"/></geometry></visual>
  </link>
  <link name="slide"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="hand"/>
  <joint name="arm" type="continuous"><parent link="world"/><child link="arm"/><axis xyz="0 0 1"/>
    <dynamics damping="0.5" friction="0.2"/></joint>
  <joint name="lift" type="prismatic"><origin xyz="0.3 0 0" rpy="0 1.5 0"/><parent link="arm"/><child link="slide"/>
    <limit lower="0.1" upper="0.4" effort="9" velocity="1"/></joint>
  <joint name="grip" type="fixed"><origin xyz="0 0 0.05"/><parent link="slide"/><child link="hand"/></joint>
  <transmission name="t"/>
</robot>)");
  ASSERT_TRUE(t.mechanism) << t.messages();
  EXPECT_EQ(R"(<?xml version="1.0" encoding="UTF-8"?>
<mechanism name="two_link">
  <parameter name="limit_stiffness" value="10000" description="stiffness of the joints' stops, N.m/rad or N/m"/>
  <parameter name="limit_damping" value="10" description="damping of the joints' stops"/>
  <body name="arm">
    <inertial mass="2" com="0.1 0 0" inertia="2 1 2.5"/>
    <frame name="lift" xyz="0.3 0 0" rpy="0 1.5 0"/>
    <visual shape="cylinder" size="0.04 0.04 0.3" color="#ff0080"/>
  </body>
  <body name="slide">
    <inertial mass="1" inertia="1 1 1"/>
    <frame name="hand" xyz="0 0 0.05"/>
  </body>
  <joint name="arm_joint" type="revolute" parent="ground" child="arm" axis="0 0 1"/>
  <joint name="lift" type="prismatic" parent="arm.lift" child="slide" axis="1 0 0">
    <start position="0.25"/>
  </joint>
  <force name="arm_friction" type="friction" joint="arm_joint" coulomb="0.2" viscous="0.5"/>
  <force name="lift_limit" type="joint_limit" joint="lift" lower="0.1" upper="0.4" stiffness="limit_stiffness" damping="limit_damping"/>
</mechanism>
)",
            t.text);
  const std::string said = t.messages();
  for (const char* part :
       {"robot.urdf:1:1: warning W112: 'two-link' is called 'two_link'",
        "robot.urdf:8:23: warning W111: link 'arm': <mesh> is not drawn (package://x/arm.stl)",
        "warning W112: 'arm' is called 'arm_joint'", "limits of effort and velocity are left out",
        "warning W111: <transmission> is left out"})
    EXPECT_NE(std::string::npos, said.find(part)) << part << "\n" << said;
}

// q2 = -0.5 q1 + 0.1 whatever moves them.
TEST(Urdf, MimicIsACoupler) {
  const Translated t(R"(<robot name="r"><link name="base"/>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="J2" type="revolute"><parent link="base"/><child link="b"/><axis xyz="0 1 0"/><mimic joint="J1" multiplier="-0.5" offset="0.1"/></joint>
  <joint name="J1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint></robot>)");
  ASSERT_TRUE(t.mechanism) << t.messages();
  std::string text = t.text;
  text.insert(text.rfind("</mechanism>"),
              R"(<force name="f" type="joint_torque" joint="J1" value="1"/>)");
  testing::MechanismRun run(text);
  run.initialize();
  const double start = run.get("J1.position");
  run.advance(1);
  // (1 + 0.25) q'' = 1
  EXPECT_NEAR(start + 0.5 / 1.25, run.get("J1.position"), tol(1e-9));
  EXPECT_NEAR(-0.5 * run.get("J1.position") + 0.1, run.get("J2.position"), tol(1e-9));
}

TEST(Urdf, FreeBasesAndLinksWithoutMass) {
  const std::string inertial =
      "<inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
  const std::string robot = "<robot name=\"r\"><link name=\"base\">" + inertial +
                            "</link><link name=\"knee\"/><link name=\"foot\">" + inertial +
                            "</link><joint name=\"A\" type=\"continuous\"><parent link=\"base\"/>"
                            "<child link=\"knee\"/><axis xyz=\"0 1 0\"/></joint>"
                            "<joint name=\"B\" type=\"planar\"><parent link=\"knee\"/>"
                            "<child link=\"foot\"/><axis xyz=\"0 0 1\"/></joint></robot>";
  const Translated t(robot, {"left_", "ground", "free", true, true});
  ASSERT_TRUE(t.mechanism) << t.messages();
  EXPECT_EQ("free", t.mechanism->joints[0].type->id);
  EXPECT_EQ("planar", t.mechanism->joints[2].type->id);
  EXPECT_EQ("left_knee", t.mechanism->bodies[1].name.text);
  EXPECT_EQ("left_A_position", t.mechanism->outputs[0].name.text);
  EXPECT_NE(std::string::npos, t.messages().find("link 'knee' has no mass and needs one here"));
  std::string errors;
  const auto system = testing::make_test_system(t.text, {}, errors);
  ASSERT_TRUE(system) << errors;
  EXPECT_EQ(10, system->analysis.mobility);
}

TEST(Urdf, MistakesAreToldWithTheirPlace) {
  const auto said = [](const std::string& inside) {
    return Translated("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>\n" + inside +
                      "</robot>")
        .messages();
  };
  const auto expect = [&](const std::string& inside, const std::string& part) {
    const std::string text = said(inside);
    EXPECT_NE(std::string::npos, text.find(part)) << text;
    EXPECT_NE(std::string::npos, text.find("robot.urdf:2:")) << text;
  };
  const std::string ends = "<parent link=\"a\"/><child link=\"b\"/>";
  expect("<joint name=\"J\" type=\"revolut\">" + ends + "</joint>", "did you mean 'revolute'?");
  expect("<joint name=\"J\" type=\"fixed\"><parent link=\"a\"/><child link=\"bb\"/></joint>",
         "there is no link 'bb'");
  expect("<joint name=\"J\" type=\"fixed\"><parent link=\"a\"/></joint>", "needs <parent");
  expect("<joint name=\"J\" type=\"fixed\"><origin xyz=\"0 0 o\"/>" + ends + "</joint>",
         "'o' is not a number");
  expect("<joint name=\"J\" type=\"fixed\"><origin xyz=\"0 0\"/>" + ends + "</joint>",
         "3 numbers are expected, got 2");
  expect("<joint name=\"J\" type=\"continuous\"><axis xyz=\"0 0 0\"/>" + ends + "</joint>",
         "no direction");
  expect("<joint name=\"J\" type=\"fixed\">" + ends + "</joint><joint name=\"K\" type=\"fixed\">" +
             ends + "</joint>",
         "child of two joints");
  EXPECT_NE(std::string::npos, said("<joint name=\"J\" type=\"fixed\">" + ends +
                                    "</joint><joint name=\"K\" type=\"fixed\"><parent "
                                    "link=\"b\"/><child link=\"a\"/></joint>")
                                   .find("none is the first one"));
  expect("<xacro:include filename=\"x\"/>", "expand the file first");
  expect("<link name=\"a\"/>", "two links 'a'");
  EXPECT_NE(std::string::npos, said("").find("is the child of no joint, like another one"));
  // a circle beside the tree
  EXPECT_NE(std::string::npos,
            said("<link name=\"c\"/><link name=\"d\"/><joint name=\"J\" type=\"fixed\">" + ends +
                 "</joint><joint name=\"K\" type=\"fixed\"><parent link=\"c\"/><child "
                 "link=\"d\"/></joint><joint name=\"L\" type=\"fixed\"><parent link=\"d\"/><child "
                 "link=\"c\"/></joint>")
                .find("in a circle"));
}

class Import : public ::testing::Test {
 protected:
  Import() { folder_.write("arm.urdf", kArm); }
  std::string said(const std::string& text) const {
    return test::messages_in(folder_.path(), text);
  }
  std::optional<Mechanism> load(const std::string& text) {
    Diagnostics diagnostics;
    const SourceText source(folder_ / "model.xml", text);
    auto mechanism = load_mechanism(source, diagnostics);
    EXPECT_TRUE(mechanism) << render(diagnostics, source);
    return mechanism;
  }
  test::TestFolder folder_;
  static constexpr const char* kArm = R"(<robot name="arm"><link name="base"/>
<link name="upper"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
<joint name="hip" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>)";
};

// Two arms side by side, a rod between them, a motor on one: a loop on top of foreign files.
TEST_F(Import, LoopsInputsAndOutputsOnTopOfARobot) {
  const auto mechanism = load(R"(<mechanism name="Two">
  <import file="arm.urdf" prefix="left_" limits="false"/>
  <import file="arm.urdf" prefix="right_" limits="false"/>
  <ground><frame name="mark" xyz="1 0 0"/></ground>
  <joint name="rod" type="distance" parent="left_upper" child="right_upper" length="1"/>
  <input name="tau" unit="N.m"/><force name="m" type="joint_torque" joint="left_hip" value="tau"/>
  <output name="angle" value="right_hip.position"/></mechanism>)");
  ASSERT_TRUE(mechanism);
  EXPECT_EQ(2u, mechanism->bodies.size());
  EXPECT_EQ("right_hip", mechanism->joints[1].name.text);
  EXPECT_EQ(2u, mechanism->imports.size());
  EXPECT_EQ("arm.urdf", mechanism->imports[0].name);
  EXPECT_TRUE(mechanism->forces.size() == 1);
}

// A first link without mass on a frame of one's own.
TEST_F(Import, StandsOnAnyFrame) {
  const auto mechanism = load(R"(<mechanism name="M">
  <ground><frame name="table" xyz="0 0 0.7"/></ground>
  <import file="arm.urdf" parent="ground.table" limits="false"/>
  <output name="z" value="upper.position[3]"/></mechanism>)");
  ASSERT_TRUE(mechanism);
  EXPECT_EQ(2u, mechanism->bodies.size());
  EXPECT_EQ("base_base", mechanism->joints[0].name.text);
  Diagnostics diagnostics;
  const auto system = make_system(*mechanism, {}, diagnostics);
  ASSERT_TRUE(system);
  EXPECT_EQ(1, system->analysis.mobility);
  OperatingPoint point(*system);
  ASSERT_TRUE(point.initialize(0) && point.update());
  EXPECT_NEAR(0.7, point.value(*system->interface.find("z")), tol(1e-12));
  // or hangs on a joint that the file has itself
  const auto own = load(R"(<mechanism name="M">
  <import file="arm.urdf" base="none" limits="false"/>
  <joint name="rail" type="prismatic" parent="ground" child="base" axis="1 0 0"/></mechanism>)");
  ASSERT_TRUE(own);
  EXPECT_EQ(2u, own->joints.size());
}

TEST_F(Import, MessagesNameBothFiles) {
  const std::string limits = said(R"(<mechanism name="M"><import file="arm.urdf"/></mechanism>)");
  EXPECT_NE(std::string::npos,
            limits.find("model.xml:1:35: warning W111: arm.urdf:3: limits of effort"))
      << limits;
  folder_.write("bad.urdf", "<robot name=\"r\">\n<joint name=\"J\" type=\"fixed\"/></robot>");
  EXPECT_NE(std::string::npos,
            said(R"(<mechanism name="M"><import file="bad.urdf"/></mechanism>)")
                .find("model.xml:1:35: error E144: bad.urdf:2: joint 'J' needs <parent"));
  // errors of the mechanism itself stand at the import
  folder_.write("thin.urdf", R"(<robot name="r"><link name="a"/>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9"/></inertial></link>
<joint name="J" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)");
  EXPECT_NE(std::string::npos, said(R"(<mechanism name="M"><import file="thin.urdf"/></mechanism>)")
                                   .find("model.xml:1:35: error E205: body 'b'"));
}

TEST_F(Import, OnlyFilesBesideTheMechanismAreRead) {
  for (const char* name : {"../arm.urdf", "/etc/passwd", "a\\\\b", ""}) {
    const std::string text = said("<mechanism name=\"M\"><import file=\"" + std::string(name) +
                                  "\"/><body name=\"b\"><inertial mass=\"1\"/></body><joint "
                                  "name=\"J\" type=\"free\" parent=\"ground\" "
                                  "child=\"b\"/></mechanism>");
    EXPECT_NE(std::string::npos, text.find(*name == 0 ? "E116" : "E143")) << text;
  }
  EXPECT_NE(std::string::npos,
            said(R"(<mechanism name="M"><import file="none.urdf"/></mechanism>)").find("E143"));
  EXPECT_NE(std::string::npos,
            said(R"(<mechanism name="M"><import file="arm.urdf" prefix="1-"/></mechanism>)")
                .find("E121"));
  folder_.write("other.xml", "<mechanism name=\"O\"/>");
  EXPECT_NE(std::string::npos,
            said(R"(<mechanism name="M"><import file="other.xml"/></mechanism>)").find("E144"));
}

// A long chain, and one that is too deep for recursion.
TEST(Urdf, LongChainsAreRead) {
  std::string text = "<robot name=\"r\"><link name=\"l0\"/>";
  constexpr int n = 20000;
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i), before = std::to_string(i - 1);
    text += "<link name=\"l" + k + "\"/><joint name=\"j" + k +
            "\" type=\"fixed\"><parent link=\"l" + before + "\"/><child link=\"l" + k +
            "\"/></joint>";
  }
  Diagnostics diagnostics;
  const SourceText source("r.urdf", text + "</robot>");
  const auto root = parse_xml(source, diagnostics);
  ASSERT_TRUE(root);
  const auto mechanism = translate_urdf(*root, {}, diagnostics);
  ASSERT_TRUE(mechanism);
  ASSERT_EQ(1u, mechanism->children.size());
  EXPECT_EQ(static_cast<std::size_t>(n), mechanism->children[0].children.size());
}

}  // namespace
}  // namespace mechfmu
