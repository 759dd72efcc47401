// A run of a coupled system from start to stop: communication points, rows of results.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "coupling/master.hpp"
#include "harness/communication_plan.hpp"
#include "harness/simulation_run.hpp"

namespace mechfmu {

// "plant.x" as a column.
struct CoupledVariable {
  std::size_t component = 0;
  const FmuVariable* variable = nullptr;
};

struct CoupledPlan {
  CommunicationPlan communication;
  std::vector<CoupledVariable> recorded;
  std::vector<CoupledVariable> observed;  // for a report, without texts
};

// Columns: the outputs of all components in their order, or those asked for. Wrong names are
// errors.
std::optional<CoupledPlan> make_coupled_plan(const CoupledSystem& system,
                                             const CommunicationRequest& request,
                                             const std::vector<std::string>& output_variables,
                                             Diagnostics& diagnostics);

std::string column_name(const CoupledSystem& system, const CoupledVariable& variable);

struct CoupledReport {
  bool completed = false;
  bool sink_failed = false;
  double time = 0;  // reached [s]
  std::int64_t rows = 0;
  double cpu_seconds = 0;
  CouplingStatistics statistics;
  std::vector<std::string> component_order;
};

CoupledReport run_coupled(const CoupledSystem& system, const CoupledPlan& plan,
                          const CouplingOptions& options, const LineSink& sink,
                          const FmuMessageSink& messages, const CallSink& calls,
                          Diagnostics& diagnostics, const RowSink& rows = {});

}  // namespace mechfmu
