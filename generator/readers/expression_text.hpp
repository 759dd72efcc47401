// An expression as text that reads back as the same expression: SI numbers, no blanks, as few
// parentheses as its tree allows.
#pragma once
#include <string>

#include "mechanism/expression.hpp"

namespace mechfmu {

std::string expression_text(const Expression& expression);

}  // namespace mechfmu
