#include "graph/print_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

// Functions of one number whose last bit depends on who computes them; sqrt, abs and round are
// exact.
bool is_called(Op op) {
  switch (op) {
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::exp:
    case Op::log:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string literal_text(double value) {
  if (std::isnan(value))
    return std::signbit(value) ? "(-__builtin_nan(\"\"))" : "__builtin_nan(\"\")";
  if (std::isinf(value)) return value < 0 ? "(-__builtin_inf())" : "__builtin_inf()";
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return std::signbit(value) ? "(" + text + ")" : text;
}

std::string formula_text(const Instruction& x, const std::array<std::string, 3>& operands) {
  const auto& [a, b, c] = operands;
  switch (x.op) {
    case Op::add:
      return fmt::format("{} + {}", a, b);
    case Op::subtract:
      return fmt::format("{} - {}", a, b);
    case Op::multiply:
      return fmt::format("{} * {}", a, b);
    case Op::divide:
      return fmt::format("{} / {}", a, b);
    case Op::negate:
      return fmt::format("-{}", a);
    case Op::min:
      return fmt::format("{0} < {1} ? {0} : {1}", a, b);
    case Op::max:
      return fmt::format("{0} > {1} ? {0} : {1}", a, b);
    case Op::abs:
      return fmt::format("__builtin_fabs({})", a);
    case Op::sqrt:
      return fmt::format("__builtin_sqrt({})", a);
    case Op::round:
      return fmt::format("nearbyint({})", a);
    case Op::power:
      return fmt::format("call_pow({}, {})", a, b);
    case Op::less:
      return fmt::format("{} < {} ? 1.0 : 0.0", a, b);
    case Op::less_equal:
      return fmt::format("{} <= {} ? 1.0 : 0.0", a, b);
    case Op::equal:
      return fmt::format("{} == {} ? 1.0 : 0.0", a, b);
    case Op::atan2:
      return fmt::format("call_atan2({}, {})", a, b);
    case Op::table:
      return fmt::format("mechfmu::runtime::evaluate_table(kTable{}, {}, {})", x.b, x.c, a);
    case Op::sin:
      return fmt::format("mechfmu::runtime::sine({})", a);
    case Op::cos:
      return fmt::format("mechfmu::runtime::cosine({})", a);
    case Op::select:
      return fmt::format("{} != 0.0 ? {} : {}", a, b, c);
    default:
      return fmt::format("call_{}({})", op_name(x.op), a);
  }
}

std::string sine_pair_text(const SinePair& one, const SinePair* other) {
  const std::string first = fmt::format("{}, &{}, &{}", one.angle, one.sine, one.cosine);
  if (other == nullptr)
    return fmt::format("  double {}, {};\n  mechfmu::runtime::sine_cosine({});\n", one.sine,
                       one.cosine, first);
  return fmt::format(
      "  double {}, {}, {}, {};\n  mechfmu::runtime::sine_cosine({}, {}, &{}, &{});\n", one.sine,
      one.cosine, other->sine, other->cosine, first, other->angle, other->sine, other->cosine);
}

void CalledFunctions::add(Op op) {
  const auto line = [&](std::string_view function, std::string_view operands) {
    lines_.insert(fmt::format("  static double (*const volatile call_{0})({1}) = {0};\n", function,
                              operands));
  };
  if (op == Op::power)
    line("pow", "double, double");
  else if (op == Op::atan2)
    line("atan2", "double, double");
  else if (is_called(op))
    line(op_name(op), "double");
}

std::string CalledFunctions::text() const {
  std::string text;
  for (const std::string& line : lines_) text += line;
  return text;
}

}  // namespace mechfmu
