// Runs the FMU that holds all methods, once for the numbers and again for the time, several runs at
// once. The reference is computed by the same FMU in two ways that have little in common, at
// tolerances far below those that are compared; their distance says how well it is known.
#pragma once
#include <functional>

#include "compare/comparison.hpp"
#include "harness/communication_plan.hpp"
#include "harness/fmu.hpp"
#include "harness/start_values.hpp"

namespace mechfmu {

struct ComparisonRequest {
  CommunicationPlan communication;
  std::string reference_scheme;  // in the FMU; takes integrators
  ParsedStartValues start_values;
  std::vector<double> steps;       // [s], coarse first; empty: parts of the communication step
  std::vector<double> tolerances;  // of adaptive methods, loose first
  unsigned threads = 1;
};

// The FMU must carry all `comparison.methods`, and dopri5 and rk4 for the reference, and expose its
// states. Fills runs and what is known about the reference. False and an error if not even the
// reference could be computed.
bool run_comparison(const Fmu& fmu, const ComparisonRequest& request,
                    const std::function<void(std::size_t done, std::size_t all)>& progress,
                    Comparison& comparison, Diagnostics& diagnostics);

}  // namespace mechfmu
