// The analysis of a mechanism in words (check, info) and as JSON.
#pragma once
#include <string>

#include "formulation/system_model.hpp"
#include "support/diagnostic.hpp"
#include "support/json_writer.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

// "3 bodies, 4 joints, 1 loop -> 1 degree of freedom"
std::string make_headline(const SystemModel& system);

// "scheme projection, integrator rk4, step 0.001 s"
std::string make_method_line(const SystemModel& system);

// All of it, several lines, each ending with a line feed.
std::string make_analysis_text(const SystemModel& system);

void write_analysis(JsonWriter& json, const SystemModel& system);  // as members of an open object
// "diagnostics": [...]
void write_diagnostics(JsonWriter& json, const Diagnostics& diagnostics, const SourceText& source);

}  // namespace mechfmu
