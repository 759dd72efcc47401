// model.png: the mechanism at its start in 160 x 120 pixels, or the initials of its name where
// there is nothing to draw.
#pragma once
#include <string>

#include "scene/raster.hpp"
#include "scene/scene.hpp"

namespace mechfmu {

inline constexpr int kIconWidth = 160, kIconHeight = 120;

Image draw_icon(const std::string& model_name, const Scene& scene);
std::string find_initials(const std::string& model_name);  // "SqueezerEquations" -> "SE"

}  // namespace mechfmu
