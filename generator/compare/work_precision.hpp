// Cost against error of all methods, both in decades, as SVG text.
#pragma once
#include <string>

#include "compare/comparison.hpp"

namespace mechfmu {

std::string make_work_precision_plot(const Comparison& comparison, const Goal& goal);

}  // namespace mechfmu
