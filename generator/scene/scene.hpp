// What a mechanism looks like: bodies with shapes, joints with places, springs, and where all of it
// is at the assembled start. Plain numbers in SI units, made by make_scene(); resources/scene.json,
// the picture in the documentation and the icon are drawn from it. Format: resources/docs/scene.md.
#pragma once
#include <array>
#include <string>
#include <vector>

namespace mechfmu {

using Point3 = std::array<double, 3>;

struct ScenePose {
  Point3 position{};
  std::array<double, 4> quaternion{1, 0, 0, 0};  // scalar first
};

struct SceneShape {
  enum class Kind {
    box,       // size: edges
    cylinder,  // along z; size: diameters and length
    sphere,    // size: diameters
    line,      // points, in body axes
    polygon,   // points, closed
    point,     // a place without size
  };
  Kind kind = Kind::point;
  ScenePose pose;  // in the body; lines and polygons have their points in the body itself
  Point3 size{};
  std::vector<Point3> points;
  std::string color;  // "#rrggbb", or empty: as the drawing likes
};

// FMU variables that hold a quantity, component by component; empty if it is not exposed.
using VariableNames = std::vector<std::string>;

struct SceneBody {
  std::string name;
  std::vector<SceneShape> shapes;
  ScenePose start;  // in the world
  Point3 center{};  // of mass, in the body
  VariableNames position, rpy, quaternion;
};

// A point of a body; body -1 is the ground.
struct SceneAnchor {
  int body = -1;
  Point3 point{};
};

struct SceneJoint {
  std::string name;
  std::string type;  // id of joints.def
  SceneAnchor parent, child;
  Point3 place{};  // the child's frame in the world at the start
  Point3 parent_place{};
  bool has_axis = false;
  Point3 axis{};       // in the world at the start
  double radius = 0;   // of what rolls
  struct Motion {      // scalar coordinates, where they are exposed
    std::string name;  // "position", "angle", ...
    std::string variable;
  };
  std::vector<Motion> motions;
};

struct SceneSpring {  // a force between two points
  std::string name;
  std::string type;  // id of forces.def
  SceneAnchor from, to;
  Point3 from_place{}, to_place{};
};

struct Scene {
  bool planar = false;
  Point3 normal{0, 0, 1};  // of the plane, if it is planar
  Point3 gravity{};
  std::vector<SceneShape> ground;
  std::vector<SceneBody> bodies;  // none: equations, nothing can be drawn
  std::vector<SceneJoint> joints;
  std::vector<SceneSpring> springs;
};

}  // namespace mechfmu
