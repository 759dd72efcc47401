#include <algorithm>
#include <cmath>
#include <limits>

#include "readers/expression_parser.hpp"
#include "readers/functions.hpp"

namespace mechfmu {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double evaluate_binary(const std::string& op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return a / b;
  if (op == "^") return std::pow(a, b);
  if (std::isnan(a) || std::isnan(b)) return kNan;
  if (op == "<") return a < b ? 1 : 0;
  if (op == "<=") return a <= b ? 1 : 0;
  if (op == ">") return a > b ? 1 : 0;
  if (op == ">=") return a >= b ? 1 : 0;
  if (op == "==") return a == b ? 1 : 0;
  if (op == "!=") return a != b ? 1 : 0;
  return kNan;
}

struct UnaryFunction {
  std::string_view name;
  double (*apply)(double);
};

constexpr UnaryFunction kUnaryFunctions[] = {
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"abs", [](double x) { return std::abs(x); }},
};

double evaluate_call(const Expression& e, const Lookup& lookup) {
  if (e.text == "der" || e.arguments.empty() || find_function_type(e.text) == nullptr) return kNan;
  // only the branch that is taken counts: if(x > 0, 1/x, 0) has a value at x = 0
  if (e.text == "if") {
    const double condition = evaluate(e.arguments[0], lookup);
    if (std::isnan(condition)) return kNan;
    return evaluate(e.arguments[condition != 0 ? 1 : 2], lookup);
  }
  const double first = evaluate(e.arguments[0], lookup);
  for (const UnaryFunction& function : kUnaryFunctions)
    if (e.text == function.name) return function.apply(first);
  if (e.text == "atan2") return std::atan2(first, evaluate(e.arguments[1], lookup));

  double result = e.text == "norm" ? first * first : first;
  for (std::size_t i = 1; i < e.arguments.size(); ++i) {
    const double x = evaluate(e.arguments[i], lookup);
    if (std::isnan(x)) return kNan;
    if (e.text == "min") result = std::min(result, x);
    if (e.text == "max") result = std::max(result, x);
    if (e.text == "norm") result += x * x;
  }
  return e.text == "norm" ? std::sqrt(result) : result;
}

}  // namespace

double evaluate(const Expression& e, const Lookup& lookup) {
  switch (e.kind) {
    case Expression::Kind::number:
      return e.value;
    case Expression::Kind::name:
      return e.text == "pi" ? 3.14159265358979323846 : lookup(e.text);
    case Expression::Kind::negate:
      return -evaluate(e.arguments[0], lookup);
    case Expression::Kind::binary:
      return evaluate_binary(e.text, evaluate(e.arguments[0], lookup),
                             evaluate(e.arguments[1], lookup));
    case Expression::Kind::call:
      return evaluate_call(e, lookup);
  }
  return kNan;
}

}  // namespace mechfmu
