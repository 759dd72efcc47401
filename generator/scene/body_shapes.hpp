// Shapes of a body: its <visual>s, else its solids, else lines through its joint frames.
#pragma once
#include <vector>

#include "mechanism/mechanism.hpp"
#include "scene/scene.hpp"

namespace mechfmu {

class ShapeMaker {
 public:
  ShapeMaker(const Mechanism& mechanism, std::vector<double> parameter_values)
      : mechanism_(mechanism), parameter_values_(std::move(parameter_values)) {}

  [[nodiscard]] double number(const Expression& expression) const;
  [[nodiscard]] Point3 point(const VectorExpression& v) const;
  [[nodiscard]] Point3 point(const Argument& argument) const;
  // Origin of a frame in its body (body kGround: in the world).
  [[nodiscard]] Point3 frame_origin(const FrameReference& frame) const;

  [[nodiscard]] std::vector<SceneShape> visuals(const std::vector<Visual>& list) const;
  // `places` are the points of the body at which it is held or pulled.
  [[nodiscard]] std::vector<SceneShape> body(const Body& body, const Point3& center,
                                             const std::vector<Point3>& places) const;

 private:
  [[nodiscard]] std::vector<SceneShape> solids(const Body& body) const;

  const Mechanism& mechanism_;
  std::vector<double> parameter_values_;
};

std::array<double, 4> quaternion_of_axis(const Point3& axis);  // turns z onto it

// "#8af", "#88aaff" and a few names as "#rrggbb"; empty for anything else: what a user wrote as a
// color must not become a reference to something elsewhere.
std::string normal_color(const std::string& text);

}  // namespace mechfmu
