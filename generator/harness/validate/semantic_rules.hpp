// Rules of modelDescription.xml that no schema can express. Each function is one chapter; a value
// that the schema rules have refused already is not reported again.
#pragma once
#include <string_view>

#include "harness/validate/findings.hpp"
#include "harness/validate/model_facts.hpp"

namespace mechfmu::fmu_check {

void check_model(const ModelFacts& model, Findings& findings);
void check_units_and_types(const ModelFacts& model, Findings& findings);
void check_variables(const ModelFacts& model, Findings& findings);
void check_aliases(const ModelFacts& model, Findings& findings);
void check_structure(const ModelFacts& model, Findings& findings);

// Whether the name follows the grammar of variableNamingConvention="structured".
bool is_structured_name(std::string_view name);

}  // namespace mechfmu::fmu_check
