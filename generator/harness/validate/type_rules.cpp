// Units, types and their use.
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "harness/validate/semantic_rules.hpp"
#include "support/number_text.hpp"

namespace mechfmu::fmu_check {
namespace {

using Units = std::map<std::string, std::set<std::string>>;  // unit -> its display units

Units check_units(const ModelFacts& model, Findings& findings) {
  Units units;
  const auto check_factor = [&](const pugi::xml_node& node) {
    const pugi::xml_attribute factor = node.attribute("factor");
    if (factor && parse_number(trim_blanks(factor.value())) == 0.0)
      findings.add(Rule::unit_factor_zero, model.place(node),
                   fmt::format("the factor of <{}> is 0", node.name()));
  };
  for (const pugi::xml_node& unit : model.root.child("UnitDefinitions").children("Unit")) {
    const std::string name = unit.attribute("name").value();
    const auto [it, is_new] = units.emplace(name, std::set<std::string>());
    if (!is_new)
      findings.add(Rule::unit_name_duplicate, model.place(unit),
                   fmt::format("unit '{}' is defined twice", printable(name)));
    check_factor(unit.child("BaseUnit"));
    for (const pugi::xml_node& display : unit.children("DisplayUnit")) {
      const std::string display_name = display.attribute("name").value();
      if (!it->second.insert(display_name).second)
        findings.add(Rule::unit_display_duplicate, model.place(display),
                     fmt::format("unit '{}' has the display unit '{}' twice", printable(name),
                                 printable(display_name)));
      check_factor(display);
    }
  }
  return units;
}

void check_unit_use(const FindingPlace& place, const std::string& user, const std::string& unit,
                    const std::string& display, const Units& units, Findings& findings) {
  const auto it = units.find(unit);
  if (!unit.empty() && it == units.end())
    findings.add(Rule::unit_undefined, place,
                 fmt::format("{} has the unit '{}', which is not defined", user, printable(unit)));
  if (display.empty()) return;
  if (unit.empty())
    findings.add(Rule::unit_display_alone, place,
                 fmt::format("{} has the display unit '{}' but no unit", user, printable(display)));
  else if (it != units.end() && !it->second.contains(display) && display != unit)
    findings.add(Rule::unit_display_undefined, place,
                 fmt::format("{} has the display unit '{}', which unit '{}' does not define", user,
                             printable(display), printable(unit)));
}

void check_items(const ModelFacts& model, const pugi::xml_node& enumeration, Findings& findings) {
  std::set<std::string> names;
  std::set<int> values;
  for (const pugi::xml_node& item : enumeration.children("Item")) {
    const std::string name = item.attribute("name").value();
    if (!names.insert(name).second)
      findings.add(Rule::type_item_duplicate, model.place(item),
                   fmt::format("item '{}' is there twice", printable(name)));
    const std::optional<int> value = parse_int(item.attribute("value").value());
    if (value && !values.insert(*value).second)
      findings.add(
          Rule::type_item_duplicate, model.place(item),
          fmt::format("item '{}' has the value {} of another item", printable(name), *value));
  }
}

}  // namespace

void check_units_and_types(const ModelFacts& model, Findings& findings) {
  const Units units = check_units(model, findings);
  std::map<std::string, std::string> types;  // name -> base type
  for (const pugi::xml_node& type : model.root.child("TypeDefinitions").children("SimpleType")) {
    const std::string name = type.attribute("name").value();
    const pugi::xml_node base = type.first_child();
    const std::string user = fmt::format("type '{}'", printable(name));
    if (!types.emplace(name, base.name()).second)
      findings.add(Rule::type_name_duplicate, model.place(type), user + " is defined twice");
    check_unit_use(model.place(type), user, base.attribute("unit").value(),
                   base.attribute("displayUnit").value(), units, findings);
    check_items(model, type.child("Enumeration"), findings);
    const auto number = [&](const char* attribute) {
      return parse_number(trim_blanks(base.attribute(attribute).value()));
    };
    const std::optional<double> min = number("min");
    const std::optional<double> max = number("max");
    if (min && max && *min > *max)
      findings.add(
          Rule::type_range, model.place(type),
          fmt::format("{} has min {} and max {}", user, number_text(*min), number_text(*max)));
    if (const std::optional<double> nominal = number("nominal"); nominal && *nominal <= 0)
      findings.add(Rule::type_nominal, model.place(type),
                   fmt::format("{} has the nominal value {}", user, number_text(*nominal)));
  }
  for (const VariableFacts& v : model.variables) {
    check_unit_use(model.place(v), "it", v.unit, v.display_unit, units, findings);
    if (types.contains(v.name))
      findings.add(Rule::type_name_is_variable, model.place(v), "a type has the same name");
    if (v.declared_type.empty()) continue;
    const auto it = types.find(v.declared_type);
    if (it == types.end())
      findings.add(Rule::type_undefined, model.place(v),
                   fmt::format("its type '{}' is not defined", printable(v.declared_type)));
    else if (it->second != word(v.type))
      findings.add(Rule::type_mismatch, model.place(v),
                   fmt::format("it is {} but its type '{}' is {}", word(v.type),
                               printable(v.declared_type), printable(it->second)));
  }
}

}  // namespace mechfmu::fmu_check
