#include "scene/make_scene.hpp"

#include <fmt/format.h>

#include <cmath>

#include "formulation/tree_builder.hpp"
#include "graph/program.hpp"
#include "scene/body_shapes.hpp"
#include "scene/geometry.hpp"
#include "validation/parameter_values.hpp"

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// To 1e-12: what is left of sines of 180 degrees, and what differs between two processors, is not
// geometry.
double tidy(double x) { return std::nearbyint(x * 1e12) / 1e12 + 0.0; }
template <std::size_t N>
void tidy(std::array<double, N>& values) {
  for (double& x : values) x = tidy(x);
}
void tidy(ScenePose& pose) {
  tidy(pose.position);
  tidy(pose.quaternion);
}
void tidy(std::vector<SceneShape>& shapes) {
  for (SceneShape& shape : shapes) {
    tidy(shape.pose);
    tidy(shape.size);
    for (Point3& p : shape.points) tidy(p);
  }
}

class SceneMaker {
 public:
  SceneMaker(const Formulated& system, const Mechanism& mechanism, const Interface& interface,
             const std::vector<double>& q)
      : system_(system),
        mechanism_(mechanism),
        interface_(interface),
        q_(q),
        parameters_(calc_parameter_values(mechanism)),
        shapes_(mechanism, parameters_) {}

  Scene make() {
    scene_.gravity = shapes_.point(mechanism_.gravity);
    scene_.ground = shapes_.visuals(mechanism_.ground_visuals);
    find_poses();
    for (int j = 0; j < static_cast<int>(mechanism_.joints.size()); ++j)
      if (mechanism_.joints[at(j)].connects_frames()) add_joint(j);
    for (const Force& force : mechanism_.forces) add_spring(force);
    add_shapes();
    tidy_all();
    return std::move(scene_);
  }

 private:
  // All poses and axes in one program of the graph.
  void find_poses() {
    Graph& graph = *system_.graph;
    std::vector<Expr> wanted;
    const auto want = [&](const Vec3& v) { wanted.insert(wanted.end(), v.e.begin(), v.e.end()); };
    for (int b = 0; b < static_cast<int>(mechanism_.bodies.size()); ++b) {
      const Pose pose = system_.frame(mechanism_, b, kOriginFrame).pose;
      want(pose.p);
      const Quaternion e = quaternion_from_rotation(pose.R);
      wanted.insert(wanted.end(), e.begin(), e.end());
      want(calc_centre_of_mass(graph, mechanism_.bodies[at(b)],
                               system_.parameters_only(mechanism_)));
    }
    for (int j = 0; j < static_cast<int>(mechanism_.joints.size()); ++j) {
      const Joint& joint = mechanism_.joints[at(j)];
      if (!joint.connects_frames()) continue;
      // a disc carries its axis with it
      const bool in_child = joint.type->id == "rolling_disc" || joint.type->id == "blade";
      const FrameReference& f = in_child ? joint.child : joint.parent;
      want(system_.frame(mechanism_, f.body, f.frame).pose.R *
           make_joint_setting(system_, mechanism_, j).geometry.axis);
    }
    const std::vector<double> values = evaluate(wanted);
    std::size_t next = 0;
    const auto take = [&](auto& target) {
      for (double& x : target) x = values[next++];
    };
    for (const Body& body : mechanism_.bodies) {
      scene_.bodies.emplace_back();
      SceneBody& b = scene_.bodies.back();
      b.name = body.name.text;
      take(b.start.position);
      take(b.start.quaternion);
      take(b.center);
      b.position = find_vector(b.name + ".position", 3);
      b.rpy = find_vector(b.name + ".rpy", 3);
      b.quaternion = find_vector(b.name + ".quaternion", 4);
    }
    axes_.resize(mechanism_.joints.size());
    for (std::size_t j = 0; j < axes_.size(); ++j)
      if (mechanism_.joints[j].connects_frames()) take(axes_[j]);
  }

  [[nodiscard]] std::vector<double> evaluate(const std::vector<Expr>& wanted) const {
    std::vector<double> independent;
    for (const int i : system_.independent_parameters) independent.push_back(parameters_[at(i)]);
    const Program program = make_program(*system_.graph, wanted);
    const double* in[runtime::kInputArrayCount] = {};
    in[runtime::kParameter] = independent.data();
    in[runtime::kPosition] = q_.data();
    std::vector<double> scratch, values(wanted.size());
    interpret(program, in, values.data(), scratch);
    return values;
  }

  [[nodiscard]] VariableNames find_vector(const std::string& sensor, int size) const {
    VariableNames names;
    for (int i = 1; i <= size; ++i) {
      names.push_back(
          find_sensor_variable(mechanism_, interface_, fmt::format("{}[{}]", sensor, i)));
      if (names.back().empty()) return {};
    }
    return names;
  }

  [[nodiscard]] SceneAnchor anchor(const FrameReference& frame) const {
    return {frame.body, shapes_.frame_origin(frame)};
  }
  [[nodiscard]] Point3 place(const SceneAnchor& anchor) const {
    return anchor.body == kGround ? anchor.point
                                  : place_point(scene_.bodies[at(anchor.body)].start, anchor.point);
  }

  void add_joint(int index) {
    const Joint& joint = mechanism_.joints[at(index)];
    SceneJoint j;
    j.name = joint.name.text;
    j.type = joint.type->id;
    j.parent = anchor(joint.parent);
    j.child = anchor(joint.child);
    j.parent_place = place(j.parent);
    j.place = place(j.child);
    j.has_axis = joint.arguments.find("axis") != nullptr;
    if (j.has_axis) j.axis = axes_[at(index)];
    if (const Argument* radius = joint.arguments.find("radius"))
      j.radius = shapes_.number(radius->values[0]);
    for (const Coordinate& coordinate : joint.type->coordinates) {
      const std::string variable = find_sensor_variable(
          mechanism_, interface_, fmt::format("{}.{}", j.name, coordinate.name));
      if (!variable.empty()) j.motions.push_back({std::string(coordinate.name), variable});
    }
    scene_.joints.push_back(std::move(j));
  }

  void add_spring(const Force& force) {
    if (force.type->id != "spring_damper" && force.type->id != "bushing") return;
    SceneSpring spring;
    spring.name = force.name.text;
    spring.type = force.type->id;
    spring.from = anchor(force.arguments["from"].frame);
    spring.to = anchor(force.arguments["to"].frame);
    spring.from_place = place(spring.from);
    spring.to_place = place(spring.to);
    scene_.springs.push_back(std::move(spring));
  }

  // A ball, or a thin disc.
  static SceneShape make_roller(const SceneJoint& joint, const ScenePose& body) {
    SceneShape shape;
    const double d = 2 * joint.radius;
    shape.kind = joint.has_axis ? SceneShape::Kind::cylinder : SceneShape::Kind::sphere;
    shape.size = {d, d, joint.has_axis ? 0.04 * d : d};
    shape.pose.position = joint.child.point;
    if (joint.has_axis)
      shape.pose.quaternion = quaternion_of_axis(rotate_back(body.quaternion, joint.axis));
    return shape;
  }

  void add_shapes() {
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      std::vector<Point3> places;
      const auto add = [&](const SceneAnchor& a) {
        if (a.body == static_cast<int>(b)) places.push_back(a.point);
      };
      for (const SceneJoint& j : scene_.joints) {
        if (j.type == "free") continue;
        add(j.parent);
        add(j.child);
      }
      for (const SceneSpring& s : scene_.springs) {
        add(s.from);
        add(s.to);
      }
      std::vector<SceneShape>& shapes = scene_.bodies[b].shapes;
      shapes = shapes_.body(mechanism_.bodies[b], scene_.bodies[b].center, places);
      // nobody drew it, but it must be round
      if (shapes.size() == 1 && shapes[0].kind == SceneShape::Kind::point)
        for (const SceneJoint& j : scene_.joints)
          if (j.radius > 0 && j.child.body == static_cast<int>(b))
            shapes[0] = make_roller(j, scene_.bodies[b].start);
    }
  }

  void tidy_all() {
    tidy(scene_.gravity);
    tidy(scene_.ground);
    for (SceneBody& body : scene_.bodies) {
      tidy(body.shapes);
      tidy(body.start);
      tidy(body.center);
    }
    for (SceneJoint& j : scene_.joints)
      for (Point3* p : {&j.place, &j.parent_place, &j.axis, &j.parent.point, &j.child.point})
        tidy(*p);
    for (SceneSpring& s : scene_.springs)
      for (Point3* p : {&s.from_place, &s.to_place, &s.from.point, &s.to.point}) tidy(*p);
  }

  const Formulated& system_;
  const Mechanism& mechanism_;
  const Interface& interface_;
  const std::vector<double>& q_;
  std::vector<double> parameters_;
  ShapeMaker shapes_;
  std::vector<Point3> axes_;  // per joint
  Scene scene_;
};

}  // namespace

std::string find_sensor_variable(const Mechanism& mechanism, const Interface& interface,
                                 const std::string& sensor) {
  if (interface.find(sensor) != nullptr) return sensor;
  for (const Output& output : mechanism.outputs)
    if (output.value.kind == Expression::Kind::name && output.value.text == sensor)
      return output.name.text;
  return {};
}

Scene make_scene(const Formulated& system, const Mechanism& mechanism, const Interface& interface,
                 const std::vector<double>& q, const std::optional<Point3>& normal) {
  if (mechanism.equations || mechanism.controller) return {};
  Scene scene = SceneMaker(system, mechanism, interface, q).make();
  scene.planar = normal.has_value();
  if (normal) scene.normal = *normal;
  return scene;
}

}  // namespace mechfmu
