// Units as modelDescription.xml declares them: every unit that a variable uses, with its exponents
// of the base units (P13: a unit that is not declared makes hosts refuse the FMU) and the units in
// which people like to see it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "interface/variables.hpp"
#include "readers/units.hpp"

namespace mechfmu {

struct DisplayUnit {
  std::string name;   // "deg"
  double factor = 1;  // value in deg = factor * value in rad
};

struct UnitDefinition {
  std::string name;
  UnitExponents exponents{};
  double factor = 1;  // value in base units = factor * value
  std::vector<DisplayUnit> display_units;
};

// Units in the order of their first use.
std::vector<UnitDefinition> make_unit_definitions(const Interface& interface);

// The unit in which a host shall show a variable, "" = its own.
std::string_view find_display(const InterfaceVariable& variable);

// The unit that a host shall show without being asked: "deg" for "rad"; "" = the unit itself.
std::string_view find_preferred_display(std::string_view unit);

}  // namespace mechfmu
