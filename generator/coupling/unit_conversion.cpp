#include "coupling/unit_conversion.hpp"

#include "readers/units.hpp"

namespace mechfmu {

std::optional<FmuUnit> find_defined_unit(const std::string& name, const UnitTable& defined) {
  if (const auto it = defined.find(name); it != defined.end() && it->second.has_base_unit)
    return it->second;
  const std::optional<Unit> known = find_unit(name);
  if (!known) return std::nullopt;
  return FmuUnit{name, true, known->exponents, known->factor(), known->offset};
}

UnitTable make_unit_table(const ModelDescription& description) {
  UnitTable table;
  for (const FmuUnit& unit : description.units) table[unit.name] = unit;
  return table;
}

std::optional<LinearTransformation> convert_unit(const FmuUnit& from, const FmuUnit& to) {
  if (from.exponents != to.exponents) return std::nullopt;
  if (from.factor == to.factor && from.offset == to.offset) return LinearTransformation{};
  return LinearTransformation{from.factor / to.factor, (from.offset - to.offset) / to.factor};
}

LinearTransformation chain(const LinearTransformation& first, const LinearTransformation& second) {
  return {second.factor * first.factor, second.factor * first.offset + second.offset};
}

}  // namespace mechfmu
