#include "harness/start_values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>
#include <system_error>

#include "readers/units.hpp"
#include "readers/value_parser.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

using Type = FmuVariable::Type;

std::optional<int> parse_int(std::string_view text) {
  int value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_real(const std::string& text, const FmuVariable& variable,
                                 std::string& problem) {
  if (const std::optional<double> value = parse_number(text)) return value;
  const std::optional<Unit> unit = find_unit(variable.unit);
  if (unit && unit->is_si()) return parse_constant(text, variable.unit, problem);
  problem = fmt::format("'{}' is not a number", text);
  return std::nullopt;
}

std::optional<int> parse_item(const std::string& text, const FmuVariable& variable,
                              std::string& problem) {
  const std::optional<int> number = parse_int(text);
  std::vector<std::string_view> names;
  for (const FmuVariable::Item& item : variable.items) {
    if (item.name == text || (number && item.value == *number)) return item.value;
    names.push_back(item.name);
  }
  if (number && names.empty()) return number;
  problem =
      fmt::format("'{}' is not one of its items; {}", text, did_you_mean(text, names, "items"));
  return std::nullopt;
}

// Why the value of this variable cannot be given; empty if it can.
std::string find_refusal(const FmuVariable& variable) {
  if (variable.can_be_set()) return {};
  if (variable.variability == FmuVariable::Variability::constant) return "it is a constant";
  return fmt::format("it is computed by the FMU ({})", word(variable.causality));
}

}  // namespace

std::string suggest_variable(std::string_view name, const ModelDescription& description) {
  std::vector<std::string_view> names;
  for (const FmuVariable& variable : description.variables) names.push_back(variable.name);
  return did_you_mean(name, names, "variables");
}

fmi2Status StartValues::set(FmuInstance& instance) const {
  fmi2Status worst = fmi2OK;
  const auto apply = [&](fmi2Status status) { worst = std::max(worst, status); };
  if (!reals.empty()) apply(instance.set_real(reals, real_values));
  if (!integers.empty() && worst <= fmi2Warning)
    apply(instance.set_integer(integers, integer_values));
  if (!booleans.empty() && worst <= fmi2Warning)
    apply(instance.set_boolean(booleans, boolean_values));
  if (!strings.empty() && worst <= fmi2Warning) apply(instance.set_string(strings, string_values));
  return worst;
}

ParsedStartValues parse_start_values(const std::vector<std::pair<std::string, std::string>>& given,
                                     const ModelDescription& description,
                                     Diagnostics& diagnostics) {
  ParsedStartValues result;
  std::set<std::string, std::less<>> seen;
  for (const auto& [name, text] : given) {
    const FmuVariable* variable = description.find(name);
    if (variable == nullptr) {
      diagnostics.error("E711", std::nullopt, fmt::format("--start-value: no variable '{}'", name),
                        suggest_variable(name, description));
      continue;
    }
    if (!seen.insert(name).second) {
      diagnostics.error("E713", std::nullopt,
                        fmt::format("--start-value: '{}' is given twice", name));
      continue;
    }
    if (const std::string refusal = find_refusal(*variable); !refusal.empty()) {
      diagnostics.error("E713", std::nullopt,
                        fmt::format("--start-value: '{}' cannot be set: {}", name, refusal));
      continue;
    }
    StartValues& values =
        variable->causality == FmuVariable::Causality::input ? result.inputs : result.before;
    std::string problem;
    switch (variable->type) {
      case Type::real:
        if (const std::optional<double> value = parse_real(text, *variable, problem)) {
          values.reals.push_back(variable->value_reference);
          values.real_values.push_back(*value);
        }
        break;
      case Type::integer:
        if (const std::optional<int> value = parse_int(text)) {
          values.integers.push_back(variable->value_reference);
          values.integer_values.push_back(*value);
        } else {
          problem = fmt::format("'{}' is not a whole number", text);
        }
        break;
      case Type::enumeration:
        if (const std::optional<int> value = parse_item(text, *variable, problem)) {
          values.integers.push_back(variable->value_reference);
          values.integer_values.push_back(*value);
        }
        break;
      case Type::boolean:
        if (text == "true" || text == "1" || text == "false" || text == "0") {
          values.booleans.push_back(variable->value_reference);
          values.boolean_values.push_back(text == "true" || text == "1" ? fmi2True : fmi2False);
        } else {
          problem = fmt::format("'{}' is not true or false", text);
        }
        break;
      case Type::string:
        values.strings.push_back(variable->value_reference);
        values.string_values.push_back(text);
        break;
    }
    if (!problem.empty())
      diagnostics.error("E712", std::nullopt, fmt::format("--start-value {}: {}", name, problem));
  }
  return result;
}

}  // namespace mechfmu
