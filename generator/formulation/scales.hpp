// How long, heavy and slow a mechanism is, as orders of magnitude: what nominal values are made of.
//
//     nominal = mass^kg length^m time^s of the unit's exponents, to a power of ten
//
// Hosts scale absolute tolerances with it: a linkage of some centimetres is not exact enough at
// 1e-6 m. Equations of others have no scales that could be read off; theirs are 1.
#pragma once
#include <optional>
#include <string>

#include "formulation/formulated.hpp"

namespace mechfmu {

struct Scales {
  double length = 1;  // [m] the largest one in a body or joint
  double mass = 1;    // [kg] of the heaviest body
  double time = 1;    // [s] of a fall over `length`, 1 without gravity
};

Scales find_scales(const Formulated& system, const Mechanism& mechanism,
                   const std::vector<double>& parameter_values);

// Nothing without unit, or with one that has nothing to do with mechanics.
std::optional<double> find_nominal(const Scales& scales, const std::string& unit);

}  // namespace mechfmu
