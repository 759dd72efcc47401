// mechfmu new --coupled: a plant, a sampled controller, and the system of both, ready to run.
#pragma once
#include <string>

#include "cli/command.hpp"

namespace mechfmu {

inline constexpr const char* kCoupledFolder = "cart_pendulum";

// Writes the files, builds the FMUs, packs the .ssp. Nothing that is there is overwritten; nothing
// is written if an FMU cannot be built.
void write_coupled_example(const std::string& folder, Session& session);

}  // namespace mechfmu
