#include "scene/scene_json.hpp"

#include "support/json_writer.hpp"

namespace mechfmu {

namespace {

const char* kind_name(SceneShape::Kind kind) {
  switch (kind) {
    case SceneShape::Kind::box:
      return "box";
    case SceneShape::Kind::cylinder:
      return "cylinder";
    case SceneShape::Kind::sphere:
      return "sphere";
    case SceneShape::Kind::line:
      return "line";
    case SceneShape::Kind::polygon:
      return "polygon";
    case SceneShape::Kind::point:
      break;
  }
  return "point";
}

class SceneJson {
 public:
  std::string write(const std::string& model_name, const Scene& scene) {
    json_.begin_object();
    json_.member("format", "mechfmu-scene");
    json_.member("version", kSceneVersion);
    json_.member("model", model_name);
    json_.member("planar", scene.planar);
    if (scene.planar) json_.key("normal").numbers(scene.normal);
    json_.key("gravity").numbers(scene.gravity);
    json_.key("ground").begin_object();
    write_shapes(scene.ground);
    json_.end_object();
    json_.key("bodies").begin_array();
    for (const SceneBody& body : scene.bodies) write_body(body);
    json_.end_array();
    json_.key("joints").begin_array();
    for (const SceneJoint& joint : scene.joints) write_joint(joint, scene);
    json_.end_array();
    json_.key("springs").begin_array();
    for (const SceneSpring& spring : scene.springs) write_spring(spring, scene);
    json_.end_array();
    json_.end_object();
    return json_.text() + "\n";
  }

 private:
  void write_pose(const ScenePose& pose) {
    json_.key("position").numbers(pose.position);
    json_.key("quaternion").numbers(pose.quaternion);
  }

  void write_shapes(const std::vector<SceneShape>& shapes) {
    json_.key("shapes").begin_array();
    for (const SceneShape& shape : shapes) {
      json_.begin_object().member("shape", kind_name(shape.kind));
      if (!shape.points.empty()) {
        json_.key("points").begin_array();
        for (const Point3& p : shape.points) json_.numbers(p);
        json_.end_array();
      } else {
        write_pose(shape.pose);
        if (shape.kind != SceneShape::Kind::point) json_.key("size").numbers(shape.size);
      }
      if (!shape.color.empty()) json_.member("color", shape.color);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_body(const SceneBody& body) {
    json_.begin_object().member("name", body.name);
    write_shapes(body.shapes);
    json_.key("center").numbers(body.center);
    json_.key("start").begin_object();
    write_pose(body.start);
    json_.end_object();
    json_.key("variables").begin_object();
    if (!body.position.empty()) json_.list("position", body.position);
    if (!body.rpy.empty()) json_.list("rpy", body.rpy);
    if (!body.quaternion.empty()) json_.list("quaternion", body.quaternion);
    json_.end_object();
    json_.end_object();
  }

  void write_anchor(const char* name, const SceneAnchor& anchor, const Scene& scene) {
    json_.key(name).begin_object();
    json_.member("body", anchor.body < 0
                             ? std::string("ground")
                             : scene.bodies[static_cast<std::size_t>(anchor.body)].name);
    json_.key("point").numbers(anchor.point);
    json_.end_object();
  }

  void write_joint(const SceneJoint& joint, const Scene& scene) {
    json_.begin_object().member("name", joint.name).member("type", joint.type);
    write_anchor("parent", joint.parent, scene);
    write_anchor("child", joint.child, scene);
    json_.key("position").numbers(joint.place);
    if (joint.has_axis) json_.key("axis").numbers(joint.axis);
    if (joint.radius > 0) json_.member("radius", joint.radius);
    json_.key("variables").begin_object();
    for (const SceneJoint::Motion& motion : joint.motions)
      json_.member(motion.name, motion.variable);
    json_.end_object();
    json_.end_object();
  }

  void write_spring(const SceneSpring& spring, const Scene& scene) {
    json_.begin_object().member("name", spring.name).member("type", spring.type);
    write_anchor("from", spring.from, scene);
    write_anchor("to", spring.to, scene);
    json_.end_object();
  }

  JsonWriter json_;
};

}  // namespace

std::string make_scene_json(const std::string& model_name, const Scene& scene) {
  return SceneJson().write(model_name, scene);
}

}  // namespace mechfmu
