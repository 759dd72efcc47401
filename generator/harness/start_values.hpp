// --start-value name=value: texts become values of the type that the FMU's variable has.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "harness/fmu_instance.hpp"
#include "harness/model_description.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

// Values to set, by FMI base type (enumerations are integers).
struct StartValues {
  FmuInstance::References reals, integers, booleans, strings;
  std::vector<double> real_values;
  std::vector<int> integer_values, boolean_values;
  std::vector<std::string> string_values;

  // The first status that is not OK, else OK; goes on after a warning.
  fmi2Status set(FmuInstance& instance) const;
};

struct ParsedStartValues {
  StartValues before;  // parameters and start values: set before initialization
  StartValues inputs;  // set in initialization mode
};

// Reals are numbers, with a unit if the variable has an SI unit ("120 mm"); enumerations an item's
// name or number; booleans true, false, 1, 0. Unknown names, values of the wrong type and variables
// that cannot be set are errors (wrong usage).
ParsedStartValues parse_start_values(const std::vector<std::pair<std::string, std::string>>& given,
                                     const ModelDescription& description, Diagnostics& diagnostics);

// The hint for a variable that is not there.
std::string suggest_variable(std::string_view name, const ModelDescription& description);

}  // namespace mechfmu
