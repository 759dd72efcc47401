// The command that made an FMU, from the options that can change it; no path of the machine.
#pragma once
#include <string>

#include "formulation/system_model.hpp"

namespace mechfmu {

// "mechfmu build mechanism.xml -o FourBar.fmu --scheme baumgarte:alpha=50"
std::string make_build_command(const SystemModel& system);

}  // namespace mechfmu
