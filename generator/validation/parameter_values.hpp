// Nominal values of a validated mechanism's parameters, which may refer to each other in any order.
#pragma once
#include <vector>

#include "mechanism/mechanism.hpp"

namespace mechfmu {

// One value per parameter, in the order of the file; nan where a parameter has none (a cycle, an
// unknown name).
std::vector<double> calc_parameter_values(const Mechanism& mechanism);

// A value over parameters only (lengths, masses, starts), at the given parameter values.
double evaluate_at(const Expression& expression, const Mechanism& mechanism,
                   const std::vector<double>& parameter_values);

}  // namespace mechfmu
