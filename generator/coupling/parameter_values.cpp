#include "coupling/parameter_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "coupling/unit_conversion.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

using Type = FmuVariable::Type;

// Later values replace earlier ones of the same reference.
template <class Value>
void put(FmuInstance::References& references, std::vector<Value>& values,
         fmi2ValueReference reference, const Value& value) {
  const auto it = std::find(references.begin(), references.end(), reference);
  if (it != references.end()) {
    values[static_cast<std::size_t>(it - references.begin())] = value;
    return;
  }
  references.push_back(reference);
  values.push_back(value);
}

// One value for one variable; what is wrong with it, or "".
class ValueSetter {
 public:
  ValueSetter(const NamedValue& value, const FmuVariable& variable, const UnitTable& fmu_units,
              const UnitTable& system_units, StartValues& to)
      : value_(value),
        variable_(variable),
        fmu_units_(fmu_units),
        system_units_(system_units),
        to_(to) {}

  std::string set() {
    const Type given = value_.value->type;
    const bool whole_for_real = variable_.type == Type::real && given == Type::integer;
    if (given != variable_.type && !whole_for_real)
      return fmt::format("the value is {}, the variable {}", word(given), word(variable_.type));
    if (!variable_.can_be_set()) return "it is computed by the FMU";
    switch (variable_.type) {
      case Type::real:
        return set_real();
      case Type::integer:
        return set_integer();
      case Type::boolean:
        return set_boolean();
      case Type::enumeration:
        return set_item();
      case Type::string:
        put(to_.strings, to_.string_values, variable_.value_reference, value_.value->value);
        return {};
    }
    return {};
  }

 private:
  [[nodiscard]] const std::string& text() const { return value_.value->value; }

  std::string set_real() {
    std::optional<double> number = parse_number(text());
    if (!number) return fmt::format("'{}' is not a number", text());
    LinearTransformation change = value_.transformation;
    const std::string& unit = value_.value->unit;
    if (!unit.empty() && !variable_.unit.empty() && unit != variable_.unit &&
        !value_.suppresses_units) {
      auto from = find_defined_unit(unit, value_.binding->units);
      if (!from) from = find_defined_unit(unit, system_units_);
      const auto to = find_defined_unit(variable_.unit, fmu_units_);
      const auto conversion = from && to ? convert_unit(*from, *to) : std::nullopt;
      if (!conversion)
        return fmt::format("it is in {} and cannot be given in {}", variable_.unit, unit);
      change = chain(*conversion, change);
    }
    put(to_.reals, to_.real_values, variable_.value_reference,
        change.changes() ? change.factor * *number + change.offset : *number);
    return {};
  }

  std::string set_integer() {
    int number = 0;
    const auto [end, status] =
        std::from_chars(text().data(), text().data() + text().size(), number);
    if (status != std::errc() || end != text().data() + text().size())
      return fmt::format("'{}' is not a whole number", text());
    put(to_.integers, to_.integer_values, variable_.value_reference, number);
    return {};
  }

  std::string set_boolean() {
    if (text() != "true" && text() != "false" && text() != "1" && text() != "0")
      return fmt::format("'{}' is not true or false", text());
    put(to_.booleans, to_.boolean_values, variable_.value_reference,
        text() == "true" || text() == "1" ? fmi2True : fmi2False);
    return {};
  }

  std::string set_item() {
    std::vector<std::string_view> names;
    for (const FmuVariable::Item& item : variable_.items) {
      names.push_back(item.name);
      if (item.name != text()) continue;
      put(to_.integers, to_.integer_values, variable_.value_reference, item.value);
      return {};
    }
    return fmt::format("'{}' is not one of its items; {}", text(),
                       did_you_mean(text(), names, "items"));
  }

  const NamedValue& value_;
  const FmuVariable& variable_;
  const UnitTable& fmu_units_;
  const UnitTable& system_units_;
  StartValues& to_;
};

void override_one(StartValues& values, const StartValues& stronger) {
  for (std::size_t i = 0; i < stronger.reals.size(); ++i)
    put(values.reals, values.real_values, stronger.reals[i], stronger.real_values[i]);
  for (std::size_t i = 0; i < stronger.integers.size(); ++i)
    put(values.integers, values.integer_values, stronger.integers[i], stronger.integer_values[i]);
  for (std::size_t i = 0; i < stronger.booleans.size(); ++i)
    put(values.booleans, values.boolean_values, stronger.booleans[i], stronger.boolean_values[i]);
  for (std::size_t i = 0; i < stronger.strings.size(); ++i)
    put(values.strings, values.string_values, stronger.strings[i], stronger.string_values[i]);
}

}  // namespace

void map_values(const ParameterBinding& binding, const std::string& prefix,
                std::vector<NamedValue>& values) {
  for (const ParameterValue& value : binding.values) {
    const std::string name = binding.prefix + value.name;
    NamedValue named;
    named.value = &value;
    named.binding = &binding;
    bool is_mapped = false;
    if (binding.mapping)
      for (const MappingEntry& entry : *binding.mapping) {
        if (entry.source != name) continue;
        is_mapped = true;
        named.name = prefix + entry.target;
        named.transformation = entry.transformation;
        named.suppresses_units = entry.suppresses_units;
        values.push_back(named);
      }
    if (is_mapped) continue;
    named.name = prefix + name;
    values.push_back(named);
  }
}

void apply_values(std::vector<NamedValue>& values, const std::string& name,
                  const ModelDescription& description, const UnitTable& fmu_units,
                  const UnitTable& system_units, ParsedStartValues& result) {
  for (NamedValue& value : values) {
    if (!value.name.starts_with(name + ".")) continue;
    const FmuVariable* variable = description.find(value.name.substr(name.size() + 1));
    if (variable == nullptr) continue;
    value.is_used = true;
    StartValues& to =
        variable->causality == FmuVariable::Causality::input ? result.inputs : result.before;
    const std::string problem = ValueSetter(value, *variable, fmu_units, system_units, to).set();
    if (!problem.empty())
      value.binding->file->diagnostics.error("E811", value.value->span,
                                             fmt::format("parameter '{}': {}", value.name, problem),
                                             "'mechfmu info FMU' lists the variables");
  }
}

void override_values(ParsedStartValues& values, const ParsedStartValues& stronger) {
  override_one(values.before, stronger.before);
  override_one(values.inputs, stronger.inputs);
}

}  // namespace mechfmu
