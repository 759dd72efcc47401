// Drawing -> <svg> element for a page of its own colors: ink and paper are the classes `ink` and
// `paper`, which the page defines. No scripts, nothing loaded from elsewhere.
#pragma once
#include <string>

#include "scene/drawing.hpp"

namespace mechfmu {

// `title` is read out instead of the picture.
std::string make_svg(const Drawing& drawing, const std::string& title, double text_size);

}  // namespace mechfmu
