// fmi2GetDirectionalDerivative and fmi2GetRealOutputDerivatives.
#pragma once
#include <cstddef>

#include "fmi/instance.hpp"

namespace mechfmu::fmi {

// Unknowns: any computed variable. Knowns: inputs, in initialization mode parameters and starts as
// well. Anything else is refused.
fmi2Status get_directional_derivative(Instance& instance, const fmi2ValueReference unknowns[],
                                      std::size_t unknown_count, const fmi2ValueReference knowns[],
                                      std::size_t known_count, const fmi2Real change[],
                                      fmi2Real result[]);

// Order 1, at the present communication point; higher orders are refused.
fmi2Status get_output_derivatives(Instance& instance, const fmi2ValueReference references[],
                                  std::size_t count, const fmi2Integer orders[], fmi2Real values[]);

}  // namespace mechfmu::fmi
