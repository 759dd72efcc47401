#include "readers/expression_text.hpp"

#include <cmath>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

enum Strength : int { kComparison, kSum, kProduct, kSign, kPower, kPrimary };

Strength strength_of(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::number:
      return std::signbit(e.value) ? kSign : kPrimary;
    case Expression::Kind::negate:
      return kSign;
    case Expression::Kind::binary:
      switch (e.text[0]) {
        case '+':
        case '-':
          return kSum;
        case '*':
        case '/':
          return kProduct;
        case '^':
          return kPower;
        default:
          return kComparison;
      }
    default:
      return kPrimary;
  }
}

std::string operand_text(const Expression& e, Strength least) {
  const std::string text = expression_text(e);
  return strength_of(e) >= least ? text : "(" + text + ")";
}

}  // namespace

std::string expression_text(const Expression& e) {
  switch (e.kind) {
    case Expression::Kind::number:
      return number_text(e.value);
    case Expression::Kind::name:
      return e.text;
    case Expression::Kind::negate:
      return "-" + operand_text(e.arguments[0], kSign);
    case Expression::Kind::binary: {
      const Strength own = strength_of(e);
      const auto next = static_cast<Strength>(own + 1);
      // ^ binds to the right, the others to the left
      const Strength left = own == kPower ? kPrimary : own == kComparison ? kSum : own;
      const Strength right = own == kPower ? kSign : next;
      return operand_text(e.arguments[0], left) + e.text + operand_text(e.arguments[1], right);
    }
    case Expression::Kind::call:
      break;
  }
  std::string list;
  for (const Expression& argument : e.arguments)
    list += (list.empty() ? "" : ",") + expression_text(argument);
  return e.text + "(" + list + ")";
}

}  // namespace mechfmu
