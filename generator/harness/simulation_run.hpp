// A run of one co-simulation FMU, as `mechfmu simulate` does it: start values, inputs from a table,
// communication points, rows of results.
//
// A run has two halves so that the first can be refused as wrong usage: the plan checks everything
// the user asked for against the model description; the run itself can only be stopped by the FMU
// (or by the disk).
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/communication_plan.hpp"
#include "harness/csv.hpp"
#include "harness/fmu.hpp"
#include "harness/start_values.hpp"

namespace mechfmu {

struct SimulationRequest {
  CommunicationRequest communication;
  std::vector<std::pair<std::string, std::string>> start_values;  // name, text
  std::vector<std::string> output_variables;                      // empty: all outputs
  std::optional<CsvTable> inputs;
};

struct SimulationPlan {
  struct Input {
    const FmuVariable* variable = nullptr;
    std::size_t column = 0;
  };
  CommunicationPlan communication;
  ParsedStartValues start_values;
  std::vector<const FmuVariable*> recorded;
  std::vector<const FmuVariable*> observed;  // for a report, beside what is recorded; no strings
  std::vector<Input> inputs;
  CsvTable input_table;
  bool gives_input_slopes = false;  // the FMU says that it interpolates inputs
};

// `description` must outlive the plan. Errors about the input file carry spans into its text and go
// to `input_diagnostics`.
std::optional<SimulationPlan> make_simulation_plan(const ModelDescription& description,
                                                   const SimulationRequest& request,
                                                   Diagnostics& diagnostics,
                                                   Diagnostics& input_diagnostics);

// A number followed through the run at the recorded points.
struct Watched {
  double first = 0, last = 0, lowest = 0, highest = 0;
};

struct SimulationReport {
  bool completed = false;     // false: the FMU, or the sink, stopped it before the stop time
  bool ended_by_fmu = false;  // completed before the stop time: the FMU wanted to end there
  bool sink_failed = false;
  double time = 0;  // reached [s]
  std::int64_t steps = 0;
  std::int64_t rows = 0;
  double cpu_seconds = 0;           // of the steps and the recording
  std::optional<Watched> residual;  // constraint.residual
  std::optional<Watched> energy;    // energy.total
};

// Gets the lines of the CSV, the header first; false stops the run.
using LineSink = std::function<bool(const std::string& line)>;

// Gets the numbers of plan.observed at the points that are recorded; enumerations and booleans are
// numbers here.
using RowSink = std::function<void(double time, std::span<const double> values)>;

// `fmu` must be loaded. Why the run stopped is appended as an error.
SimulationReport run_simulation(const Fmu& fmu, const SimulationPlan& plan, const LineSink& sink,
                                const FmuMessageSink& messages, const CallLog& log,
                                Diagnostics& diagnostics, const RowSink& rows = {});

}  // namespace mechfmu
