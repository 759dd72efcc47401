// From an FMU and recorded numbers to a Report. Bodies are moved by the FMU's states where it
// carries its mechanism; else by pose variables that its scene names; else they stand at the start.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "harness/fmu.hpp"
#include "report/report.hpp"

namespace mechfmu {

// Variables that a run records for its report: outputs, inputs, states, parameters, what tells how
// accurate the run is, and other local variables as long as they are not too many. `rows` are those
// of the run; `left_out` counts what did not fit.
struct Observed {
  std::vector<const FmuVariable*> variables;
  std::size_t left_out = 0;
};
Observed choose_observed(const ModelDescription& description,
                         const std::vector<std::string>& asked_for, std::int64_t rows);

// One FMU of a coupled system: its variables are recorded under "prefix" + name.
struct ReportPart {
  std::string prefix;  // "plant."
  const Fmu* fmu = nullptr;
};

struct ReportSources {
  const Fmu* fmu = nullptr;           // null: numbers only
  std::vector<ReportPart> parts;      // instead of one FMU; the first mechanism is animated
  std::string title;                  // of a coupled system
  std::vector<Recording> recordings;  // at least one, each with a row
  LabelledTexts facts;                // about the run
  std::vector<std::string> notes;
};

Report make_report(ReportSources sources);

}  // namespace mechfmu
