// The variables of the FMU, in the order of modelDescription.xml: one list that the XML, the tables
// of the binary, `info`, the documentation and the tests are made from.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace mechfmu {

enum class Causality { parameter, calculated_parameter, input, output, local };
enum class Variability { constant, fixed, tunable, discrete, continuous };
enum class ValueType { real, integer, enumeration };

// On a known that is changed alone. The kind says what the derivative by it is: a number, fixed for
// an instance, or anything else.
struct Dependency {
  enum class Kind { dependent, constant, fixed };
  int index = 0;  // 0-based, into the list of variables
  Kind kind = Kind::dependent;
};

struct InterfaceVariable {
  std::string name;              // structured name, unique
  unsigned value_reference = 0;  // per base type (enumerations share the integers' space)
  ValueType type = ValueType::real;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  std::string unit;          // FMI spelling ("N.m"), "" = none
  std::string display_unit;  // as the file has it ("mm"), "" = what is usual for the unit
  std::string description;
  std::optional<double> start;  // parameters and inputs (integers and enumerations too)
  std::optional<double> min, max;
  std::optional<double> nominal;          // order of magnitude of what changes
  std::vector<std::string> items;         // enumeration: item k has value k + 1
  std::vector<Dependency> depends_on;     // outputs and derivatives: inputs and states
  std::vector<int> initially_depends_on;  // outputs and calculated parameters: inputs and
                                          // parameters at initialization
  // More than kMostListed: the lists stay empty and FMI's rule for what is not listed is used.
  bool depends_on_all = false, initially_depends_on_all = false;
  bool needs_acceleration = false;
  bool is_state = false;
  int derivative_of = -1;  // index of the state
};

inline constexpr std::size_t kMostListed = 256;

struct Interface {
  std::vector<InterfaceVariable> variables;
  [[nodiscard]] const InterfaceVariable* find(const std::string& name) const;
};

}  // namespace mechfmu
