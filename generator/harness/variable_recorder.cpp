#include "harness/variable_recorder.hpp"

#include <algorithm>
#include <cmath>

#include "harness/csv.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

using Type = FmuVariable::Type;

VariableRecorder::VariableRecorder(const std::vector<const FmuVariable*>& variables)
    : variables_(variables) {
  for (const FmuVariable* variable : variables)
    references(variable->type).push_back(variable->value_reference);
}

fmi2Status VariableRecorder::read(FmuInstance& instance) {
  fmi2Status worst = fmi2OK;
  const auto apply = [&](fmi2Status status) { worst = std::max(worst, status); };
  const auto goes_on = [&] { return worst == fmi2OK || worst == fmi2Warning; };
  if (!real_references_.empty()) apply(instance.get_real(real_references_, reals_));
  if (!integer_references_.empty() && goes_on())
    apply(instance.get_integer(integer_references_, integers_));
  if (!boolean_references_.empty() && goes_on())
    apply(instance.get_boolean(boolean_references_, booleans_));
  if (!string_references_.empty() && goes_on())
    apply(instance.get_string(string_references_, strings_));
  return worst;
}

const FmuVariable* VariableRecorder::find_not_finite() const {
  std::size_t real = 0;
  for (const FmuVariable* variable : variables_)
    if (variable->type == Type::real && !std::isfinite(reals_[real++])) return variable;
  return nullptr;
}

void VariableRecorder::take_numbers(std::vector<double>& numbers) const {
  std::size_t real = 0;
  std::size_t integer = 0;
  std::size_t boolean = 0;
  for (const FmuVariable* variable : variables_)
    if (variable->type == Type::real)
      numbers.push_back(reals_[real++]);
    else if (variable->type == Type::boolean)
      numbers.push_back(booleans_[boolean++]);
    else if (variable->type != Type::string)
      numbers.push_back(integers_[integer++]);
}

void VariableRecorder::append_fields(std::string& text) const {
  std::size_t real = 0;
  std::size_t integer = 0;
  std::size_t boolean = 0;
  std::size_t string = 0;
  for (const FmuVariable* variable : variables_) {
    text += ',';
    switch (variable->type) {
      case Type::real:
        text += number_text(reals_[real++]);
        break;
      case Type::integer:
      case Type::enumeration:
        text += std::to_string(integers_[integer++]);
        break;
      case Type::boolean:
        text += booleans_[boolean++] == fmi2False ? '0' : '1';
        break;
      case Type::string:
        text += make_csv_field(strings_[string++]);
        break;
    }
  }
}

FmuInstance::References& VariableRecorder::references(Type type) {
  switch (type) {
    case Type::real:
      return real_references_;
    case Type::boolean:
      return boolean_references_;
    case Type::string:
      return string_references_;
    case Type::integer:
    case Type::enumeration:
      break;
  }
  return integer_references_;
}

}  // namespace mechfmu
