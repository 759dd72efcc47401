// Values of parameter sets on their way to the variables of FMUs. Names are resolved as SSP says:
// prefix, then mapping, then the path of the element that holds the binding; of two values for one
// variable the later one counts, and outer elements come after inner ones.
#pragma once
#include <string>
#include <vector>

#include "coupling/system_structure.hpp"
#include "harness/start_values.hpp"

namespace mechfmu {

struct NamedValue {
  std::string name;  // "plant.mass"
  const ParameterValue* value = nullptr;
  const ParameterBinding* binding = nullptr;
  LinearTransformation transformation;
  bool suppresses_units = false;
  bool is_used = false;
};

// Appends the values of the binding of an element whose inner names begin with `prefix`.
void map_values(const ParameterBinding& binding, const std::string& prefix,
                std::vector<NamedValue>& values);

// Values for the component `name`; those that fit no variable of it stay unused, those that do not
// fit their variable are errors in their file.
void apply_values(std::vector<NamedValue>& values, const std::string& name,
                  const ModelDescription& description, const UnitTable& fmu_units,
                  const UnitTable& system_units, ParsedStartValues& result);

// `stronger` replaces what `values` has for the same variables.
void override_values(ParsedStartValues& values, const ParsedStartValues& stronger);

}  // namespace mechfmu
