#include "readers/value_parser.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "readers/expression_parser.hpp"
#include "readers/functions.hpp"
#include "readers/units.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr double kFullTurn = 6.28318530717958647692;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// A range of a value's text, without the blanks around it.
struct Piece {
  std::size_t from = 0;
  std::size_t to = 0;
};

Piece trim(std::string_view text, Piece piece) {
  while (piece.from < piece.to && is_blank(text[piece.from])) ++piece.from;
  while (piece.to > piece.from && is_blank(text[piece.to - 1])) --piece.to;
  return piece;
}

// Components: separated by blanks that are in no parentheses.
std::vector<Piece> split_components(std::string_view text) {
  std::vector<Piece> pieces;
  int depth = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_blank(text[i]) && depth <= 0) {
      inside = false;
      continue;
    }
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (!inside) pieces.push_back({i, i});
    inside = true;
    pieces.back().to = i + 1;
  }
  return pieces;
}

// 3 or -3 as written: what a unit may follow.
std::optional<double> find_literal(const Expression& e) {
  if (e.kind == Expression::Kind::number) return e.value;
  if (e.kind == Expression::Kind::negate && e.arguments[0].kind == Expression::Kind::number)
    return -e.arguments[0].value;
  return std::nullopt;
}

std::string describe_dimension(std::string_view unit) {
  constexpr std::pair<std::string_view, std::string_view> kDimensions[] = {
      {"kg", "mass"},
      {"m", "length"},
      {"s", "time"},
      {"rad", "angle"},
      {"m/s", "velocity"},
      {"rad/s", "angular velocity"},
      {"m/s2", "acceleration"},
      {"N", "force"},
      {"N.m", "torque"},
      {"N/m", "stiffness"},
      {"N.s/m", "damping"},
      {"N.m/rad", "torsional stiffness"},
      {"N.m.s/rad", "torsional damping"},
      {"kg.m2", "moment of inertia"},
      {"kg/m3", "density"}};
  for (const auto& [name, dimension] : kDimensions)
    if (unit == name) return std::string(dimension);
  return {};
}

// The unit that follows a number, checked against what is expected.
std::optional<Unit> parse_unit(const ValueText& value, Piece piece, const Quantity& quantity,
                               Diagnostics& diagnostics) {
  const std::string text = value.text.substr(piece.from, piece.to - piece.from);
  const Span span = value.part(piece.from, piece.to);
  const std::optional<Unit> unit = find_unit(text);
  if (!unit) {
    diagnostics.error("E405", span, fmt::format("{}: '{}' is not a unit", quantity.subject, text),
                      did_you_mean(text, unit_symbols(), "units"));
    return std::nullopt;
  }
  if (quantity.accepts_any_unit) return unit;
  const std::optional<Unit> expected = find_unit(quantity.unit.empty() ? "1" : quantity.unit);
  if (expected && is_compatible(*unit, *expected)) return unit;
  const std::string dimension = describe_dimension(quantity.unit);
  if (quantity.unit.empty() || quantity.unit == "1")
    diagnostics.error(
        "E408", span,
        fmt::format("{}: a number without unit is expected, not '{}'", quantity.subject, text),
        "leave the unit out");
  else
    diagnostics.error(
        "E408", span,
        dimension.empty()
            ? fmt::format("{}: '{}' does not convert to {}", quantity.subject, text, quantity.unit)
            : fmt::format("{}: '{}' is not a unit of {}", quantity.subject, text, dimension),
        fmt::format("expected {} or a multiple of it", quantity.unit));
  return std::nullopt;
}

Expression apply_unit(const Expression& literal, double number, const Unit& unit,
                      const Quantity& quantity, Diagnostics& diagnostics) {
  const double si = unit.to_si(number);
  if (std::isfinite(si) && (si != 0 || number == 0)) return Expression::number(si, literal.span);
  diagnostics.error(
      "E402", literal.span,
      fmt::format("{}: the number is outside the range of a double in SI units", quantity.subject));
  return make_poison(literal.span);
}

// 90 without a unit where an angle is asked for is nearly always meant in degrees.
void warn_about_degrees(const Expression& e, const Quantity& quantity, Diagnostics& diagnostics) {
  const std::optional<double> number = find_literal(e);
  if (quantity.unit != "rad" || quantity.accepts_any_unit || !number) return;
  if (!(std::abs(*number) > kFullTurn)) return;
  const std::string text = number_text(*number);
  diagnostics.warning("W101", e.span,
                      fmt::format("{}: {} rad is more than a full turn", quantity.subject, text),
                      fmt::format("did you mean '{0} deg'? If not, write '{0} rad'", text));
}

std::string component_hint(const ValueText& value, std::size_t count) {
  if (value.text.find(',') != std::string::npos && value.text.find('(') == std::string::npos)
    return "components are separated by blanks, not commas";
  if (count > 3) return "a component has no blanks: write a+b or (a + b)";
  return "for example 0 0 1";
}

Span span_or_around(const ValueText& value) {
  if (value.span.end > value.span.begin) return value.span;
  // an empty value has no character of its own: show its quotes
  return {value.span.begin > 0 ? value.span.begin - 1 : 0, value.span.end + 1};
}

bool uses_names(const Expression& e) {
  if (e.kind == Expression::Kind::name) return e.text != "pi";
  for (const Expression& argument : e.arguments)
    if (uses_names(argument)) return true;
  return false;
}

}  // namespace

Expression make_poison(Span span) {
  return Expression::number(std::numeric_limits<double>::quiet_NaN(), span);
}

bool is_poisoned(const Expression& e) {
  return e.kind == Expression::Kind::number && std::isnan(e.value);
}

Expression parse_scalar(const ValueText& value, const Quantity& quantity, Diagnostics& diagnostics,
                        WrittenUnit* unit_found) {
  const Piece whole = trim(value.text, {0, value.text.size()});
  if (whole.from == whole.to) {
    diagnostics.error("E401", span_or_around(value),
                      fmt::format("{}: the value is empty", quantity.subject));
    return make_poison(value.span);
  }
  std::optional<ParsedPrefix> prefix =
      parse_expression_prefix(value, whole.from, whole.to, quantity.subject, diagnostics);
  if (!prefix) return make_poison(value.span);

  const Piece rest = trim(value.text, {prefix->end, whole.to});
  if (rest.from == rest.to) {
    warn_about_degrees(prefix->expression, quantity, diagnostics);
    return std::move(prefix->expression);
  }
  const std::string rest_text = value.text.substr(rest.from, rest.to - rest.from);
  const std::optional<double> number = find_literal(prefix->expression);
  if (!number) {
    const bool is_unit = find_unit(rest_text).has_value();
    diagnostics.error(is_unit ? "E404" : "E401", value.part(rest.from, rest.to),
                      is_unit ? fmt::format("{}: the unit '{}' follows an expression",
                                            quantity.subject, rest_text)
                              : fmt::format("{}: expected an operator, found '{}'",
                                            quantity.subject, rest_text.substr(0, 20)),
                      is_unit ? "a unit follows a plain number; expressions are in SI units" : "");
    return make_poison(value.span);
  }
  const std::optional<Unit> unit = parse_unit(value, rest, quantity, diagnostics);
  if (!unit) return make_poison(value.span);
  if (unit_found != nullptr) *unit_found = {unit->si_name, rest_text};
  return apply_unit(prefix->expression, *number, *unit, quantity, diagnostics);
}

std::vector<Expression> parse_vector(const ValueText& value, const Quantity& quantity,
                                     bool six_allowed, Diagnostics& diagnostics) {
  const auto make_failure = [&] { return std::vector<Expression>(3, make_poison(value.span)); };
  std::vector<Piece> pieces = split_components(value.text);
  std::optional<Piece> unit_piece;
  if (pieces.size() == 4 || (six_allowed && pieces.size() == 7)) {
    const Piece last = pieces.back();
    const char first = value.text[last.from];
    const bool is_word = first != '-' && first != '+' && first != '(' && first != '*';
    if (is_word && (find_unit(value.text.substr(last.from, last.to - last.from)) ||
                    (first < '0' || first > '9'))) {
      unit_piece = last;
      pieces.pop_back();
    }
  }
  if (pieces.size() != 3 && !(six_allowed && pieces.size() == 6)) {
    diagnostics.error("E406", span_or_around(value),
                      fmt::format("{}: {} components are needed, got {}", quantity.subject,
                                  six_allowed ? "3 or 6" : "3", pieces.size()),
                      component_hint(value, pieces.size()));
    return make_failure();
  }

  std::vector<Expression> components;
  for (const Piece& piece : pieces) {
    std::optional<ParsedPrefix> prefix =
        parse_expression_prefix(value, piece.from, piece.to, quantity.subject, diagnostics);
    if (!prefix) return make_failure();
    if (prefix->end != piece.to) {
      const std::string rest =
          value.text.substr(prefix->end, std::min<std::size_t>(piece.to - prefix->end, 20));
      diagnostics.error(
          "E401", value.part(prefix->end, piece.to),
          fmt::format("{}: expected an operator, found '{}'", quantity.subject, rest),
          rest.front() == ',' ? "components are separated by blanks, not commas" : "");
      return make_failure();
    }
    components.push_back(std::move(prefix->expression));
  }
  if (!unit_piece) {
    for (const Expression& e : components) warn_about_degrees(e, quantity, diagnostics);
    return components;
  }
  const std::optional<Unit> unit = parse_unit(value, *unit_piece, quantity, diagnostics);
  if (!unit) return make_failure();
  for (Expression& e : components) {
    const std::optional<double> number = find_literal(e);
    if (!number) {
      diagnostics.error(
          "E404", value.part(unit_piece->from, unit_piece->to),
          fmt::format("{}: the unit '{}' follows an expression", quantity.subject,
                      value.text.substr(unit_piece->from, unit_piece->to - unit_piece->from)),
          "a unit follows plain numbers; expressions are in SI units");
      return make_failure();
    }
    e = apply_unit(e, *number, *unit, quantity, diagnostics);
  }
  return components;
}

std::vector<Expression> parse_numbers(const ValueText& value, const Quantity& quantity,
                                      Diagnostics& diagnostics) {
  std::vector<Piece> pieces = split_components(value.text);
  std::optional<Unit> unit;
  if (!pieces.empty()) {
    const char first = value.text[pieces.back().from];
    const bool is_word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
    if (is_word) {
      unit = parse_unit(value, pieces.back(), quantity, diagnostics);
      if (!unit) return {make_poison(value.span)};
      pieces.pop_back();
    }
  }
  if (pieces.empty()) {
    diagnostics.error("E401", span_or_around(value),
                      fmt::format("{}: there are no numbers", quantity.subject));
    return {make_poison(value.span)};
  }
  std::vector<Expression> numbers;
  for (const Piece& piece : pieces) {
    const std::optional<ParsedPrefix> prefix =
        parse_expression_prefix(value, piece.from, piece.to, quantity.subject, diagnostics);
    if (!prefix) return {make_poison(value.span)};
    const std::optional<double> number = find_literal(prefix->expression);
    if (!number || prefix->end != piece.to) {
      diagnostics.error("E402", value.part(piece.from, piece.to),
                        fmt::format("{}: '{}' is not a plain number", quantity.subject,
                                    value.text.substr(piece.from, piece.to - piece.from)),
                        "numbers are separated by blanks");
      return {make_poison(value.span)};
    }
    const Expression literal = Expression::number(*number, prefix->expression.span);
    numbers.push_back(unit ? apply_unit(literal, *number, *unit, quantity, diagnostics) : literal);
  }
  return numbers;
}

std::optional<double> parse_constant(std::string_view text, std::string_view unit,
                                     std::string& problem) {
  ValueText value;
  value.text = std::string(text);
  value.span = {0, text.size()};
  Diagnostics diagnostics;
  const Quantity quantity{"", unit, false};
  const Expression e = parse_scalar(value, quantity, diagnostics);
  if (diagnostics.has_errors()) {
    for (const Diagnostic& d : diagnostics.all()) {
      if (d.severity != Severity::error) continue;
      problem = d.message.substr(d.message.find_first_not_of(": "));
      if (!d.hint.empty()) problem += " (" + d.hint + ")";
      return std::nullopt;
    }
  }
  if (const Expression* call = find_unknown_call(e)) {
    problem = fmt::format("there is no function '{}'", call->text);
    return std::nullopt;
  }
  if (uses_names(e)) {
    problem = fmt::format("'{}' is not a number", text);
    return std::nullopt;
  }
  const double result = evaluate(e, [](std::string_view) { return 0.0; });
  if (!std::isfinite(result)) {
    problem = fmt::format("'{}' has no finite value", text);
    return std::nullopt;
  }
  return result;
}

}  // namespace mechfmu
