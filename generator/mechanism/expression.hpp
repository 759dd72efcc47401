// An expression as the user wrote it, parsed but not resolved: names are still text. Units are
// already applied (SI inside), so "30 deg" is the number 0.5235... . What a name means is decided
// by the stage that owns the scope.
#pragma once
#include <string>
#include <vector>

#include "support/span.hpp"

namespace mechfmu {

struct Expression {
  enum class Kind {
    number,  // value
    name,    // text: "crank", "A.position", "D.force[2]", "time", "pi"
    negate,  // arguments[0]
    binary,  // text: + - * / ^ < <= > >= == !=
    call,    // text: function name, "if", "der"
  };
  Kind kind = Kind::number;
  double value = 0;
  std::string text;
  std::vector<Expression> arguments;
  Span span;

  static Expression number(double v, Span s = {}) { return {Kind::number, v, {}, {}, s}; }
};

}  // namespace mechfmu
