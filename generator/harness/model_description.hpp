// modelDescription.xml of any FMI 2.0 FMU, as a host needs it.
//
// FMUs of other tools bend the rules in many small ways. Only what makes a run impossible is an
// error here (no guid, no name, no type, a value reference that is not a number); unknown elements
// and attributes are passed over, and a value that is merely odd (a start that does not parse, a
// dependency out of range) is a warning.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

struct FmuVariable {
  enum class Type { real, integer, boolean, string, enumeration };
  enum class Causality { parameter, calculated_parameter, input, output, local, independent };
  enum class Variability { constant, fixed, tunable, discrete, continuous };
  struct Item {
    std::string name;
    int value = 0;
  };

  std::string name;
  unsigned value_reference = 0;
  Type type = Type::real;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  std::string initial;  // as written, else the default of the standard; "" where it has none
  std::string description;
  std::string declared_type;
  std::string unit, display_unit;    // of the variable, else of its declared type
  std::optional<std::string> start;  // as written
  std::optional<double> min, max, nominal;
  std::vector<Item> items;           // enumerations
  std::optional<int> derivative_of;  // 0-based
  Span span;                         // of its element

  [[nodiscard]] bool can_be_set() const;  // before initialization: parameters, start values, inputs
};

struct FmuUnknown {
  int variable = 0;             // 0-based
  bool depends_on_all = true;   // no `dependencies` attribute
  std::vector<int> depends_on;  // 0-based
};

struct FmuCapabilities {
  std::string model_identifier;
  bool needs_execution_tool = false;
  bool can_handle_variable_step = false;
  bool can_interpolate_inputs = false;
  int max_output_derivative_order = 0;
  bool can_run_asynchronously = false;
  bool only_one_instance = false;
  bool no_memory_callbacks = false;
  bool can_get_and_set_state = false;
  bool can_serialize_state = false;
  bool has_directional_derivative = false;
};

struct FmuExperiment {
  std::optional<double> start, stop, tolerance, step;
};

struct FmuUnit {
  std::string name;
  bool has_base_unit = false;
  // value in base units = factor * value + offset
  std::array<int, 8> exponents{};  // in the order of kBaseUnits (readers/units.hpp)
  double factor = 1, offset = 0;
};

struct ModelDescription {
  std::string fmi_version, model_name, guid;
  std::string description, author, version, copyright, license;
  std::string generation_tool, generation_time, naming_convention;
  std::optional<FmuCapabilities> co_simulation, model_exchange;
  std::vector<FmuUnit> units;
  std::vector<std::string> log_categories;
  FmuExperiment experiment;
  std::vector<FmuVariable> variables;  // in the order of the file
  std::vector<FmuUnknown> outputs, derivatives, initial_unknowns;

  [[nodiscard]] const FmuVariable* find(std::string_view name) const;  // nullptr if there is none
};

std::string_view word(
    FmuVariable::Type type);  // as in the XML: "Real", "calculatedParameter", "fixed"
std::string_view word(FmuVariable::Causality causality);
std::string_view word(FmuVariable::Variability variability);

// Nothing is returned if there is an error.
std::optional<ModelDescription> read_model_description(const SourceText& source,
                                                       Diagnostics& diagnostics);

}  // namespace mechfmu
