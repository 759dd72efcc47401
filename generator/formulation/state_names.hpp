// The continuous states of a system as variables of the FMU: names, units, derivatives.
#pragma once
#include <string>
#include <vector>

#include "formulation/formulated.hpp"

namespace mechfmu {

struct StateName {
  std::string name;             // "state.A.position"
  std::string unit, rate_unit;  // "" = none
  std::string description;
};

// q in its order, then v.
std::vector<StateName> make_state_names(const Formulated& system, const Mechanism& mechanism);

// N(q) v, and what keeps quaternions on the unit sphere in model exchange.
std::vector<Expr> position_rates(const Formulated& system);

}  // namespace mechfmu
