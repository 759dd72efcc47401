// System -> the text of modelDescription.xml, through model_templates/modelDescription.xml.in.
//
// Deterministic: same system, same bytes, except for generationDateAndTime, which is written only
// if SOURCE_DATE_EPOCH is set.
#pragma once
#include <string>
#include <string_view>

#include "formulation/system_model.hpp"

namespace mechfmu {

// With guid "" the result is what the GUID itself is hashed from; it carries no date.
std::string emit_model_description(const SystemModel& system, const std::string& guid);

std::string_view causality_text(Causality causality);        // "calculatedParameter"
std::string_view variability_text(Variability variability);  // "tunable"

}  // namespace mechfmu
