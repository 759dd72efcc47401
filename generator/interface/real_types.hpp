// Declared types of modelDescription.xml: one for every physical quantity among the Real variables
// ("Angle" in rad, shown in deg), so that hosts can group and convert them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "interface/variables.hpp"

namespace mechfmu {

struct RealType {
  std::string name;           // unlike that of any variable
  std::string_view quantity;  // "Angle"
  std::string_view unit;
  std::string_view display_unit;  // "" = the unit itself
};

// Those of the variables' units, in the order of the table; a unit without a quantity of its own
// has no type.
std::vector<RealType> make_real_types(const Interface& interface);

// A name for a type: the one wanted, unless a variable has it.
std::string make_type_name(const Interface& interface, std::string wanted);

}  // namespace mechfmu
