// Validation of any FMI 2.0 FMU: archive, modelDescription.xml, libraries, and runs. Everything
// that is wrong is a finding with a rule of its own (rules.def); the function itself only fails if
// the world does (the file cannot be read, no temporary folder).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/validate/findings.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

struct ValidateOptions {
  std::string schema_folder;    // of the official XSD; "" = none
  bool runs_fmu = true;         // false: look at the files only
  bool is_strict = false;       // also calls that the standard does not define, with NULL pointers
  double seconds_allowed = 30;  // for one check that runs the FMU
};

struct ValidationReport {
  fmu_check::Findings findings;
  std::vector<std::string> notes;  // what was not checked, and why
  int checks_run = 0;              // with the FMU running
};

// Nothing and an error in `diagnostics` if validation could not be done.
std::optional<ValidationReport> validate_fmu(const std::string& path,
                                             const ValidateOptions& options,
                                             Diagnostics& diagnostics);

}  // namespace mechfmu
