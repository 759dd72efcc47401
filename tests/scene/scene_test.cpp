// resources/scene.json. References: plane trigonometry for the four-bar, the definition of frames
// in the language (design.md 4), tests/support/json.hpp as a strict reader of JSON.
#include "scene/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "scene/body_shapes.hpp"
#include "scene/geometry.hpp"
#include "scene/scene_json.hpp"
#include "support/json.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

constexpr double kPi = 3.14159265358979323846;

Scene make(const std::string& xml) {
  const SourceText source("test.xml", xml);
  Diagnostics diagnostics;
  std::optional<SystemModel> system;
  if (const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics))
    system = make_system(*mechanism, {}, diagnostics);
  EXPECT_TRUE(system.has_value()) << render(diagnostics, source);
  return system ? system->scene : Scene();
}

const SceneJoint& joint(const Scene& scene, const std::string& name) {
  for (const SceneJoint& j : scene.joints)
    if (j.name == name) return j;
  throw std::runtime_error("no joint " + name);
}

const SceneBody& body(const Scene& scene, const std::string& name) {
  for (const SceneBody& b : scene.bodies)
    if (b.name == name) return b;
  throw std::runtime_error("no body " + name);
}

void expect_near(const Point3& a, const Point3& b, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

// B lies at the end of the crank; C where circles about B and D meet, on the upper side. The scene
// is rounded to 1e-12 and the assembly ends below 1e-12.
TEST(Scene, JointsOfTheFourBarStandWhereTrigonometrySays) {
  const Scene scene = make(example_text("four_bar"));
  const Point3 b = {0.12 * std::cos(kPi / 3), 0.12 * std::sin(kPi / 3), 0}, d = {0.3, 0, 0};
  const double base = length(d - b);
  const double along = (0.3 * 0.3 - 0.25 * 0.25 + base * base) / (2 * base);
  const Point3 e = unit(d - b), up = {-e[1], e[0], 0};
  const Point3 c = b + along * e + std::sqrt(0.3 * 0.3 - along * along) * up;
  expect_near(joint(scene, "A").place, {0, 0, 0}, tol(1e-11));
  expect_near(joint(scene, "B").place, b, tol(1e-11));
  expect_near(joint(scene, "C").place, c, tol(1e-11));
  expect_near(joint(scene, "D").place, d, tol(1e-11));
  EXPECT_TRUE(scene.planar);
  expect_near(scene.normal, {0, 0, 1}, tol(1e-12));
  expect_near(joint(scene, "C").axis, {0, 0, 1}, tol(1e-12));
}

// Poses of bodies and points of joints in them are found in different ways: they must agree.
TEST(Scene, BothSidesOfAHingeMeetInEveryExample) {
  for (const std::string& name : example_names()) {
    const Scene scene = make(example_text(name));
    const auto place = [&](const SceneAnchor& a) {
      return a.body < 0
                 ? a.point
                 : place_point(scene.bodies[static_cast<std::size_t>(a.body)].start, a.point);
    };
    for (const SceneJoint& j : scene.joints) {
      if (j.type != "revolute" && j.type != "spherical" && j.type != "universal") continue;
      expect_near(place(j.parent), place(j.child), tol(1e-8));
      expect_near(place(j.child), j.place, tol(1e-8));
    }
    for (const SceneBody& b : scene.bodies) {
      double square = 0;
      for (const double e : b.start.quaternion) square += e * e;
      EXPECT_NEAR(square, 1, tol(1e-11)) << name << " " << b.name;
      EXPECT_FALSE(b.shapes.empty()) << name << " " << b.name;
    }
  }
}

TEST(Scene, NamesTheVariablesThatMoveABody) {
  const Scene few = make(example_text("bricard"));
  EXPECT_EQ(body(few, "rod3").position, (VariableNames{"P3_x", "P3_y", "P3_z"}));
  EXPECT_TRUE(body(few, "rod3").rpy.empty());
  EXPECT_TRUE(body(few, "rod1").position.empty());
  std::string errors;  // everything is exposed here
  const Scene all = make_test_system(example_text("bricard"), {}, errors)->scene;
  EXPECT_EQ(body(all, "rod1").position[2], "rod1.position[3]");
  const Scene driven = make(example_text("four_bar"));
  ASSERT_EQ(joint(driven, "A").motions.size(), 1u);
  EXPECT_EQ(joint(driven, "A").motions[0].name, "position");
  EXPECT_EQ(joint(driven, "A").motions[0].variable, "crank_angle");
  EXPECT_TRUE(joint(driven, "B").motions.empty());
}

constexpr const char* kShapes = R"xml(<mechanism name="Shapes" gravity="0 -9.81 0">
  <ground><visual shape="box" size="1 2 3" color="#abc"/></ground>
  <body name="seen"><rod length="1" mass="1" axis="1 0 0" com="0.5 0 0"/><frame name="tip" xyz="1 0 0"/>
    <visual shape="cylinder" size="0.1 0.1 0.4" xyz="0.2 0 0" rpy="90 0 0 deg" color="url(x)"/></body>
  <body name="solid"><cylinder radius="0.1" length="1" mass="1" axis="1 0 0" com="0.5 0 0"/>
    <frame name="tip" xyz="1 0 0"/></body>
  <body name="bare"><inertial mass="1" com="0.5 0 0" inertia="0 0.1 0.1"/><frame name="tip" xyz="1 0 0"/></body>
  <body name="bob"><point mass="1" xyz="0.5 0 0"/></body>
  <joint name="J1" type="revolute" parent="ground" child="seen" axis="0 0 1"/>
  <joint name="J2" type="revolute" parent="seen.tip" child="solid" axis="0 0 1"/>
  <joint name="J3" type="revolute" parent="solid.tip" child="bare" axis="0 0 1"/>
  <joint name="J4" type="revolute" parent="bare.tip" child="bob" axis="0 0 1"/>
</mechanism>)xml";

TEST(Scene, ShapesComeFromVisualsThenSolidsThenJointFrames) {
  const Scene scene = make(kShapes);
  using Kind = SceneShape::Kind;
  ASSERT_EQ(scene.ground.size(), 1u);
  EXPECT_EQ(scene.ground[0].color, "#aabbcc");
  const SceneShape& seen = body(scene, "seen").shapes.at(0);
  EXPECT_EQ(body(scene, "seen").shapes.size(), 1u);
  EXPECT_EQ(seen.kind, Kind::cylinder);
  EXPECT_EQ(seen.color, "");
  // turned by 90 degrees about x, the axis z of the cylinder points along -y
  expect_near(rotate(seen.pose.quaternion, {0, 0, 1}), {0, -1, 0}, tol(1e-11));
  const SceneShape& solid = body(scene, "solid").shapes.at(0);
  EXPECT_EQ(solid.kind, Kind::cylinder);
  expect_near(rotate(solid.pose.quaternion, {0, 0, 1}), {1, 0, 0}, tol(1e-11));
  expect_near(solid.size, {0.2, 0.2, 1}, tol(1e-12));
  const SceneShape& bare = body(scene, "bare").shapes.at(0);
  EXPECT_EQ(bare.kind, Kind::line);
  ASSERT_EQ(bare.points.size(), 2u);
  EXPECT_NEAR(length(bare.points[0] - bare.points[1]), 1, tol(1e-12));
  // a point mass and the rod that holds it
  ASSERT_EQ(body(scene, "bob").shapes.size(), 2u);
  EXPECT_EQ(body(scene, "bob").shapes[0].kind, Kind::line);
  EXPECT_EQ(body(scene, "bob").shapes[1].kind, Kind::point);
}

TEST(Scene, ColorsAreColorsOrNothing) {
  EXPECT_EQ(normal_color("#8899AA"), "#8899aa");
  EXPECT_EQ(normal_color("orange"), "#ffa500");
  for (const char* text : {"", "#12345", "url(http://x)", "red;x", "#12345g", "\"/><script>"})
    EXPECT_EQ(normal_color(text), "") << text;
}

TEST(SceneJson, IsStrictJsonWithTheNumbersOfTheScene) {
  const Scene scene = make(example_text("four_bar"));
  auto json = test::JsonReader(make_scene_json("FourBar", scene)).read();
  EXPECT_EQ(json["format"], "mechfmu-scene");
  EXPECT_EQ(json["version"], "1");
  EXPECT_EQ(json["model"], "FourBar");
  EXPECT_EQ(json["planar"], "true");
  EXPECT_EQ(json["bodies.1.name"], "coupler");
  EXPECT_EQ(json["bodies.1.shapes.0.shape"], "box");
  EXPECT_EQ(json["joints.1.parent.body"], "crank_link");
  EXPECT_EQ(json["joints.0.parent.body"], "ground");
  EXPECT_EQ(json["joints.0.variables.position"], "crank_angle");
  EXPECT_EQ(json["springs.0.name"], "spring");
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(std::stod(json["joints.3.position." + std::to_string(i)]), scene.joints[3].place[i]);
}

TEST(SceneJson, IsStrictJsonForEveryExampleAndTheSameEveryTime) {
  for (const std::string& name : example_names()) {
    const std::string text = make_scene_json(name, make(example_text(name)));
    EXPECT_NO_THROW(test::JsonReader(text).read()) << name;
    EXPECT_EQ(text, make_scene_json(name, make(example_text(name)))) << name;
  }
}

TEST(Scene, EquationsHaveNothingToDraw) {
  EXPECT_TRUE(make(example_text("squeezer_equations")).bodies.empty());
}

}  // namespace
}  // namespace mechfmu::testing
