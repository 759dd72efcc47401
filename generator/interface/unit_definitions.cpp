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

// One of its own, which is another scale of the same quantity.
bool has_display(const InterfaceVariable& v) {
  if (v.display_unit.empty() || v.display_unit == v.unit) return false;
  const Unit shown = require_unit(v.display_unit), own = require_unit(v.unit);
  return shown.exponents == own.exponents && shown.factor() != own.factor();
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
    // and those of the file
    for (const InterfaceVariable& v : interface.variables) {
      const auto has_name = [&](const DisplayUnit& d) { return d.name == v.display_unit; };
      if (v.unit != name || !has_display(v) ||
          std::any_of(definition.display_units.begin(), definition.display_units.end(), has_name))
        continue;
      const Unit shown = require_unit(v.display_unit);
      definition.display_units.push_back(
          {v.display_unit, unit.factor() * shown.divisor / shown.multiplier});
    }
    definitions.push_back(std::move(definition));
  }
  return definitions;
}

std::string_view find_display(const InterfaceVariable& variable) {
  return has_display(variable) ? std::string_view(variable.display_unit)
                               : find_preferred_display(variable.unit);
}

std::string_view find_preferred_display(std::string_view unit) {
  for (const Display& display : kDisplays)
    if (display.unit == unit && display.is_preferred) return display.display;
  return {};
}

}  // namespace mechfmu
