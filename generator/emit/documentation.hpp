// System -> documentation/index.html of the FMU: what it is, how it is solved, its variables, how
// to import it. For the person who gets the .fmu without the mechanism file. One page, no scripts,
// nothing loaded from elsewhere.
#pragma once
#include <string>

#include "formulation/system_model.hpp"

namespace mechfmu {

std::string emit_documentation(const SystemModel& system, const std::string& guid);

// The analysis in sentences: bodies, loops, degrees of freedom, redundant equations. Plain text.
std::vector<std::string> describe_analysis(const Analysis& analysis);

}  // namespace mechfmu
