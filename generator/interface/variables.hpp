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

struct InterfaceVariable {
  std::string name;              // structured name, unique
  unsigned value_reference = 0;  // per base type (enumerations share the integers' space)
  ValueType type = ValueType::real;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  std::string unit;  // FMI spelling ("N.m"), "" = none
  std::string description;
  std::optional<double> start;  // parameters and inputs (integers and enumerations too)
  std::optional<double> min, max;
  std::vector<std::string> items;  // enumeration: item k has value k + 1
  std::vector<int> depends_on;     // outputs: indices (0-based, into this list) of the inputs they
                                   // depend on directly
  std::vector<int> initially_depends_on;  // outputs and calculated parameters: inputs and
                                          // parameters at initialization
  bool needs_acceleration = false;
};

struct Interface {
  std::vector<InterfaceVariable> variables;
  [[nodiscard]] const InterfaceVariable* find(const std::string& name) const;
};

}  // namespace mechfmu
