#include "readers/functions.hpp"

#include <algorithm>

namespace mechfmu {

const std::vector<FunctionType>& function_types() {
  static const std::vector<FunctionType> types = {
      {"sin", 1, 1, "sine"},
      {"cos", 1, 1, "cosine"},
      {"tan", 1, 1, "tangent"},
      {"asin", 1, 1, "arc sine"},
      {"acos", 1, 1, "arc cosine"},
      {"atan", 1, 1, "arc tangent"},
      {"atan2", 2, 2, "angle of the point (x, y), written atan2(y, x)"},
      {"sinh", 1, 1, "hyperbolic sine"},
      {"cosh", 1, 1, "hyperbolic cosine"},
      {"tanh", 1, 1, "hyperbolic tangent"},
      {"exp", 1, 1, "exponential"},
      {"log", 1, 1, "natural logarithm"},
      {"sqrt", 1, 1, "square root"},
      {"abs", 1, 1, "absolute value"},
      {"min", 2, -1, "smallest of its arguments"},
      {"max", 2, -1, "largest of its arguments"},
      {"norm", 1, -1, "Euclidean length of a vector sensor or of several numbers"},
      {"if", 3, 3, "if(condition, value if true, value if false)"},
      {"der", 1, 1, "time derivative of a coordinate"},
  };
  return types;
}

const Expression* find_unknown_call(const Expression& e) {
  if (e.kind == Expression::Kind::call && find_function_type(e.text) == nullptr) return &e;
  for (const Expression& argument : e.arguments)
    if (const Expression* found = find_unknown_call(argument)) return found;
  return nullptr;
}

const FunctionType* find_function_type(std::string_view name) {
  const std::vector<FunctionType>& types = function_types();
  const auto it = std::find_if(types.begin(), types.end(),
                               [&](const FunctionType& type) { return type.name == name; });
  return it == types.end() ? nullptr : &*it;
}

}  // namespace mechfmu
