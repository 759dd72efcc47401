// Which knowns the computed variables depend on, by the structure of their expressions and of the
// equations of motion: inputs and states while the FMU runs, parameters, starts and inputs at the
// start. initial_dependencies.hpp takes out what is not really there.
#pragma once
#include "formulation/system_kernels.hpp"

namespace mechfmu {

struct DependencyPlaces {
  const std::vector<int>& input_index;  // of the inputs, among the variables
  int state_index = 0;                  // of the first state
  unsigned computed_first = 0;          // value reference
};

void link_dependencies(const Formulated& system, const Mechanism& mechanism,
                       const DependencyPlaces& places, VariablePlan& plan);

// The same for a controller: at a sample its outputs follow its inputs.
void link_sampled(const Formulated& system, const DependencyPlaces& places, VariablePlan& plan);

}  // namespace mechfmu
