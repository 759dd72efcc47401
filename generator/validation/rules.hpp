// What the rules of rules.def share.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mechanism/mechanism.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

inline constexpr int kUnresolved = -2;  // body index of a reference that names nothing; reported

struct NamedThing {
  enum class Kind {
    parameter,
    input,
    output,
    body,
    joint,
    force,
    drive,
    constraint,
    table,
    coordinate,
    block
  };
  Kind kind;
  std::size_t index;
};

struct RuleContext {
  Mechanism& mechanism;
  Diagnostics& diagnostics;
  std::unordered_map<std::string, NamedThing> names;  // filled by check_names
  std::vector<double> parameter_values;  // filled by check_parameters; nan if there is none

  // Value of an expression over parameters; nothing if it is poisoned or has none. Values that are
  // asked for here have passed check_values.
  [[nodiscard]] std::optional<double> find_value(const Expression& expression) const;
  [[nodiscard]] std::optional<std::vector<double>> find_values(
      const std::vector<Expression>& expressions) const;
};

// What an expression may refer to.
enum class Scope {
  parameters,  // lengths, masses, starts: known before the mechanism moves
  potential,   // also positions
  kinetic,     // also positions and velocities
  drive,       // parameters, inputs, time
  holonomic,   // also positions
  signal,      // forces, nonholonomic constraints: also velocities
  output,      // every sensor
};

// Reports what is wrong with the expression and poisons it, so that no other rule trips over it
// again.
void check_expression(Expression& expression, Scope scope, const std::string& subject,
                      RuleContext& context);

std::string_view kind_word(NamedThing::Kind kind);  // "parameter", "body", ...

#define RULE(function, sentence) void function(RuleContext& context);
#include "validation/rules.def"
#undef RULE

}  // namespace mechfmu
