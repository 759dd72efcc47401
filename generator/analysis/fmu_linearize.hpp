// FMUs as linear systems. One of ours carries its mechanism: that is linearized, with the start
// values of the FMU. Any other one is asked for its directional derivatives in model exchange, in
// its own states.
#pragma once
#include "analysis/linearize.hpp"
#include "harness/fmu.hpp"

namespace mechfmu {

// Parameters, starts and inputs as the FMU has them.
void take_start_values(const ModelDescription& description, OperatingPoint& point);

// At the start, after initialization. Nothing and errors if the FMU offers no directional
// derivatives in model exchange, or refuses a call.
std::optional<LinearModel> linearize_fmu(
    const Fmu& fmu, const std::vector<std::pair<std::string, std::string>>& start_values,
    const FmuMessageSink& messages, Diagnostics& diagnostics);

}  // namespace mechfmu
