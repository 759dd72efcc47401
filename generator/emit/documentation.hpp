// System -> documentation/index.html of the FMU: a picture, what it is, how it is solved, its
// variables, how to import it, how it was made. For the person who gets the .fmu without the
// mechanism file. One page, no scripts, nothing loaded from elsewhere.
#pragma once
#include <string>

#include "formulation/system_model.hpp"

namespace mechfmu {

// What else is in the FMU.
struct DocumentationContext {
  bool has_mechanism = true;        // resources/mechanism.xml
  bool has_model_exchange = false;  // beside co-simulation
  std::string compile_command;      // of the sources; empty: there are none
};

std::string emit_documentation(const SystemModel& system, const std::string& guid,
                               const DocumentationContext& context = {});

// The analysis in sentences: bodies, loops, degrees of freedom, redundant equations. Plain text.
std::vector<std::string> describe_analysis(const Analysis& analysis);

}  // namespace mechfmu
