// Names beside bodies and joints, where there is room.
#pragma once
#include <vector>

#include "scene/view.hpp"

namespace mechfmu {

// Names keep clear of each other and, as well as they can, of the marks that are drawn. One for
// which there is no room is left out.
std::vector<Mark> draw_labels(const Scene& scene, const View& view, const DrawingStyle& style,
                              const std::vector<Mark>& drawn);

}  // namespace mechfmu
