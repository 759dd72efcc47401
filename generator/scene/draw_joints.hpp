// Joints and the ground below them as symbols.
#pragma once
#include <vector>

#include "scene/view.hpp"

namespace mechfmu {

// What is tied to the ground stands on hatching; it belongs behind the bodies.
std::vector<Mark> draw_ground(const Scene& scene, const View& view, const DrawingStyle& style);
std::vector<Mark> draw_joints(const Scene& scene, const View& view, const DrawingStyle& style);

}  // namespace mechfmu
