// Values of attributes: an expression or a number with a unit, alone or as the components of a
// vector.
//
// A unit follows plain numbers only ("0.12 m", "0 0 90 deg" for all components): in "2*a + 3 mm"
// nobody could say what is meant. A value that could not be read becomes a poisoned number (nan),
// so that later checks can pass over it silently instead of reporting the same mistake twice.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/expression.hpp"
#include "readers/value_text.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

// What is being read: for messages and for the check of units.
struct Quantity {
  std::string subject;            // "body 'coupler': mass"
  std::string_view unit;          // SI unit expected; "" = none
  bool accepts_any_unit = false;  // parameters; friction, whose unit depends on the joint
};

Expression make_poison(Span span);
bool is_poisoned(const Expression& expression);

// The unit behind a number.
struct WrittenUnit {
  std::string si_name;  // "m", "" if there was none
  std::string text;     // "mm"
};

// One number or expression. `unit_found` receives the unit that was written, if any.
Expression parse_scalar(const ValueText& value, const Quantity& quantity, Diagnostics& diagnostics,
                        WrittenUnit* unit_found = nullptr);

// Three components, or three or six.
std::vector<Expression> parse_vector(const ValueText& value, const Quantity& quantity,
                                     bool six_allowed, Diagnostics& diagnostics);

// Plain numbers, as many as there are, with one unit for all.
std::vector<Expression> parse_numbers(const ValueText& value, const Quantity& quantity,
                                      Diagnostics& diagnostics);

// A number with or without unit and no names, such as --step "1 ms". On failure `problem` says why,
// in one line.
std::optional<double> parse_constant(std::string_view text, std::string_view unit,
                                     std::string& problem);

}  // namespace mechfmu
