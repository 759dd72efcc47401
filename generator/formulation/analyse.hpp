// What can be said about a mechanism before it is simulated: does it assemble, how many freedoms
// has it, which equations are redundant and why, whose reactions are not unique.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "formulation/formulated.hpp"
#include "formulation/system_kernels.hpp"
#include "support/diagnostic.hpp"
#include "topology/analysis.hpp"

namespace mechfmu {

struct NumericAnalysis {
  double energy_flow = 0;  // largest |dE/dt| seen beyond rounding at random velocities
  Analysis report;
  std::vector<int> block_ranks;    // at regular poses
  std::vector<double> row_scales;  // diagonal of S = J M^-1 J^T at regular poses, a power of two
  std::vector<double> start;       // q at the assembled start
};

// Nothing: the mechanism cannot be assembled or has no accelerations; the diagnostics say why.
std::optional<NumericAnalysis> analyse(const Formulated& system, const Mechanism& mechanism,
                                       const SpanningTree& tree,
                                       const std::shared_ptr<const SystemKernels>& kernels,
                                       Diagnostics& diagnostics);

}  // namespace mechfmu
