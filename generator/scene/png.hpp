// Image -> bytes of a PNG file (8 bits per color, no alpha, nothing that changes with time or
// place).
#pragma once
#include <string>

#include "scene/raster.hpp"

namespace mechfmu {

std::string make_png(const Image& image);

}  // namespace mechfmu
