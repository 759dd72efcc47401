// A problem as a mechanism file, as a user would write it.
#pragma once
#include <string>

#include "problems/problem.hpp"

namespace mechfmu::bench {

// The marker's coordinates are the outputs marker_x, marker_y and, in space, marker_z.
std::string mechanism_text(const Problem& problem);

}  // namespace mechfmu::bench
