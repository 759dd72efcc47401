// The drawing and its SVG. References: pugixml as a reader of XML, the sheet's own size.
#include <gtest/gtest.h>

#include <cmath>
#include <pugixml.hpp>

#include "scene/svg.hpp"
#include "scene/view.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

Scene make(const std::string& xml) {
  std::string errors;
  const std::optional<SystemModel> system = make_test_system(xml, {}, errors);
  EXPECT_TRUE(system.has_value()) << errors;
  return system ? system->scene : Scene();
}

TEST(Drawing, EveryExampleStaysOnItsSheet) {
  for (const std::string& name : example_names()) {
    const DrawingStyle style;
    const Drawing drawing = draw_scene(make(example_text(name)), style);
    EXPECT_GE(drawing.height, style.smallest_height);
    EXPECT_LE(drawing.height, style.largest_height);
    for (const Mark& mark : drawing.marks)
      for (const Point2& p : mark.points) {
        ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y)) << name;
        if (mark.kind != Mark::Kind::text && mark.stroke == Paint::ink) continue;  // rails go on
        EXPECT_TRUE(p.x >= 0 && p.x <= drawing.width && p.y >= 0 && p.y <= drawing.height)
            << name << " " << mark.text;
      }
  }
}

TEST(Drawing, NamesTheBodiesAndJointsOfTheFourBar) {
  const Drawing drawing = draw_scene(make(example_text("four_bar")), {});
  std::vector<std::string> names;
  for (const Mark& mark : drawing.marks)
    if (mark.kind == Mark::Kind::text) names.push_back(mark.text);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"A", "B", "C", "D", "coupler", "crank_link", "rocker",
                                             "spring"}));
}

// The plane is seen so that gravity points down and x to the right, whichever way the axes point.
TEST(View, GravityPointsDown) {
  for (const char* plane : {"0 0 1", "0 0 -1"}) {
    Scene scene;
    scene.planar = true;
    scene.normal = {0, 0, plane == std::string("0 0 1") ? 1.0 : -1.0};
    scene.gravity = {0, -9.81, 0};
    const View view(scene);
    EXPECT_NEAR(view.direction({0, 1, 0}).y, -1, tol(1e-12)) << plane;
    EXPECT_NEAR(view.direction({1, 0, 0}).x, 1, tol(1e-12)) << plane;
  }
  Scene scene;
  scene.planar = true;
  scene.normal = {0, 1, 0};
  scene.gravity = {0, 0, -9.81};
  const View view(scene);
  EXPECT_NEAR(view.direction({0, 0, 1}).y, -1, tol(1e-12));
  EXPECT_NEAR(view.direction({1, 0, 0}).x, 1, tol(1e-12));
}

TEST(View, HullOfASquareWithPointsInsideIsTheSquare) {
  EXPECT_EQ(convex_hull({{0, 0}, {1, 1}, {0.5, 0.5}, {1, 0}, {0, 1}, {0.2, 0.7}}).size(), 4u);
}

TEST(Svg, IsWellFormedForEveryExampleAndTheSameEveryTime) {
  for (const std::string& name : example_names()) {
    const Scene scene = make(example_text(name));
    const std::string svg = make_svg(draw_scene(scene, {}), name, 13);
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(svg.c_str())) << name;
    EXPECT_STREQ(document.document_element().name(), "svg");
    EXPECT_STREQ(document.document_element().child_value("title"), name.c_str());
    EXPECT_EQ(svg, make_svg(draw_scene(make(example_text(name)), {}), name, 13));
    for (const char* part : {"<script", "http", "nan", "inf\"", "url("})
      EXPECT_EQ(svg.find(part), std::string::npos) << name << " " << part;
  }
}

TEST(Svg, NamesAreNotMarkup) {
  Drawing drawing;
  Mark mark;
  mark.kind = Mark::Kind::text;
  mark.points = {{1, 1}};
  mark.text = "<script>&";
  drawing.marks.push_back(mark);
  const std::string svg = make_svg(drawing, "\"<b>", 13);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
}

}  // namespace
}  // namespace mechfmu::testing
