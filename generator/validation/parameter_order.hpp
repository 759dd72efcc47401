// The order in which parameters can be computed, and the cycles that prevent it.
#pragma once
#include <cstddef>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace mechfmu {

struct ParameterOrder {
  std::vector<std::size_t> order;  // all parameters, each after those it needs (except in cycles)
  std::vector<std::vector<std::size_t>> cycles;  // each from a parameter along what it needs
};

ParameterOrder find_parameter_order(const Mechanism& mechanism);

}  // namespace mechfmu
