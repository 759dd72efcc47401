// Bodies and springs as marks.
#pragma once
#include <string>
#include <vector>

#include "scene/view.hpp"

namespace mechfmu {

std::string body_color(const Scene& scene, std::size_t body);

// Bodies and what belongs to the ground, from back to front.
std::vector<Mark> draw_bodies(const Scene& scene, const View& view, const DrawingStyle& style);
std::vector<Mark> draw_springs(const Scene& scene, const View& view, const DrawingStyle& style);

// Where a body's name would stand best: the middle of its largest shape.
Point2 body_middle(const SceneBody& body, const View& view);

}  // namespace mechfmu
