// Text to expression tree. Precedence, loosest first:
//
//   a < b  <= > >= == !=      not chained, only as the condition of if()
//   a + b, a - b              left to right
//   a * b, a / b              left to right
//   -a, +a
//   a ^ b                     right to left; the exponent may have a sign: 2^-3; -x^2 = -(x^2)
//   numbers, names (A.position, D.force[2]), f(a, b), (a)
//
// Nothing is folded and no name is looked up. Sizes are limited so that no later stage can run out
// of stack.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "mechanism/expression.hpp"
#include "readers/value_text.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

inline constexpr std::size_t kMaxExpressionLength = 10000;  // bytes
inline constexpr int kMaxExpressionNesting = 200;           // parentheses, signs, exponents, calls
inline constexpr int kMaxExpressionNodes = 2000;            // bounds the depth of a long sum, too

struct ParsedPrefix {
  Expression expression;
  std::size_t end = 0;  // index into the text: first byte that is not part of the expression
};

// The longest expression at the beginning of value.text[from, to). `subject` begins the messages
// ("force 'motor': value"). Errors are appended and nothing is returned.
std::optional<ParsedPrefix> parse_expression_prefix(const ValueText& value, std::size_t from,
                                                    std::size_t to, std::string_view subject,
                                                    Diagnostics& diagnostics);

// The whole text as one expression, without unit.
std::optional<Expression> parse_expression(const ValueText& value, std::string_view subject,
                                           Diagnostics& diagnostics);

// The value of an expression. `lookup` is asked for every name except pi; comparisons are 1 or 0.
// der() and vectors in norm() have no value here: nan.
using Lookup = std::function<double(std::string_view name)>;
double evaluate(const Expression& expression, const Lookup& lookup);

}  // namespace mechfmu
