// The functions of the expression language, as data: the parser checks names and arity, the
// evaluator and the graph give them meaning.
#pragma once
#include <string_view>
#include <vector>

#include "mechanism/expression.hpp"

namespace mechfmu {

struct FunctionType {
  std::string_view name;
  int least;  // number of arguments
  int most;   // -1: any number from `least`
  std::string_view help;
};

const std::vector<FunctionType>& function_types();
const FunctionType* find_function_type(std::string_view name);  // nullptr if unknown

// The first call of something that is no function of the language: a table, or a mistake.
const Expression* find_unknown_call(const Expression& expression);

}  // namespace mechfmu
