#include "scene/drawing.hpp"

#include "scene/draw_bodies.hpp"
#include "scene/draw_joints.hpp"
#include "scene/draw_labels.hpp"
#include "scene/geometry.hpp"
#include "scene/view.hpp"

namespace mechfmu {

namespace {

std::vector<Point3> find_extent(const Scene& scene, const View& view) {
  std::vector<Point3> points;
  const auto add = [&](const SceneShape& shape, const ScenePose& pose) {
    const std::vector<Point3> outline = outline_points(shape, pose);
    points.insert(points.end(), outline.begin(), outline.end());
  };
  for (const SceneShape& shape : scene.ground) add(shape, {});
  for (const SceneBody& body : scene.bodies)
    for (const SceneShape& shape : body.shapes) add(shape, body.start);
  for (const SceneJoint& joint : scene.joints) {
    if (joint.type == "free") continue;
    points.push_back(joint.place);
    if (joint.radius > 0) points.push_back(joint.place - joint.radius * view.up());
    // where a rolling contact or a plane has its origin may be far away
    if (joint.radius == 0 && joint.type != "blade" && joint.type != "point_on_plane")
      points.push_back(joint.parent_place);
  }
  for (const SceneSpring& spring : scene.springs) {
    points.push_back(spring.from_place);
    points.push_back(spring.to_place);
  }
  return points;
}

}  // namespace

Drawing draw_scene(const Scene& scene, const DrawingStyle& style) {
  View view(scene);
  view.fit(find_extent(scene, view), style);
  Drawing drawing;
  drawing.width = style.width;
  drawing.height = view.height();
  const auto add = [&](std::vector<Mark> marks) {
    for (Mark& mark : marks) drawing.marks.push_back(std::move(mark));
  };
  add(draw_ground(scene, view, style));
  add(draw_bodies(scene, view, style));
  add(draw_springs(scene, view, style));
  add(draw_joints(scene, view, style));
  if (style.text > 0) add(draw_labels(scene, view, style, drawing.marks));
  return drawing;
}

}  // namespace mechfmu
