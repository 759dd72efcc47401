// Joints and the ground below them as symbols.
#pragma once
#include <vector>

#include "scene/view.hpp"

namespace mechfmu {

std::vector<Mark> draw_joints(const Scene& scene, const View& view, const DrawingStyle& style);

}  // namespace mechfmu
