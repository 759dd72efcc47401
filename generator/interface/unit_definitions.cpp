#include "interface/unit_definitions.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "support/assert.hpp"

namespace mechfmu {
namespace {

struct Display {
  std::string_view unit;
  std::string_view display;
  bool is_preferred;
};

// What engineers expect on their axes. Seconds, newtons and joules are what they are.
constexpr std::array<Display, 5> kDisplays = {{{"rad", "deg", true},
                                               {"rad/s", "deg/s", false},
                                               {"rad/s", "rpm", false},
                                               {"m", "mm", false},
                                               {"rad/s2", "deg/s2", false}}};

Unit require_unit(std::string_view name) {
  std::optional<Unit> unit = find_unit(name);
  MECHFMU_ASSERT(unit.has_value(), "a variable has the unknown unit '" + std::string(name) + "'");
  return *unit;
}

}  // namespace

std::vector<UnitDefinition> make_unit_definitions(const Interface& interface) {
  std::vector<UnitDefinition> definitions;
  for (const InterfaceVariable& variable : interface.variables) {
    const std::string& name = variable.unit;
    if (name.empty() || std::any_of(definitions.begin(), definitions.end(),
                                    [&](const UnitDefinition& d) { return d.name == name; }))
      continue;
    const Unit unit = require_unit(name);
    UnitDefinition definition{name, unit.exponents, unit.factor(), {}};
    for (const Display& display : kDisplays) {
      if (display.unit != name) continue;
      const Unit shown = require_unit(display.display);
      definition.display_units.push_back(
          {std::string(display.display), shown.divisor / shown.multiplier});
    }
    definitions.push_back(std::move(definition));
  }
  return definitions;
}

std::string_view find_preferred_display(std::string_view unit) {
  for (const Display& display : kDisplays)
    if (display.unit == unit && display.is_preferred) return display.display;
  return {};
}

}  // namespace mechfmu
