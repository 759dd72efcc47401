// The checking half of a run: the user's wishes against the model description.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/simulation_run.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

using Causality = FmuVariable::Causality;
using Type = FmuVariable::Type;

std::vector<const FmuVariable*> find_recorded(const ModelDescription& description,
                                              const std::vector<std::string>& names,
                                              Diagnostics& diagnostics) {
  std::vector<const FmuVariable*> recorded;
  if (names.empty()) {
    for (const FmuVariable& variable : description.variables)
      if (variable.causality == Causality::output) recorded.push_back(&variable);
    return recorded;
  }
  for (const std::string& name : names) {
    const FmuVariable* variable = description.find(name);
    if (variable == nullptr)
      diagnostics.error("E711", std::nullopt,
                        fmt::format("--output-variable: no variable '{}'", name),
                        suggest_variable(name, description));
    else if (std::find(recorded.begin(), recorded.end(), variable) == recorded.end())
      recorded.push_back(variable);
  }
  return recorded;
}

std::string suggest_input(const ModelDescription& description) {
  std::string list;
  for (const FmuVariable& variable : description.variables)
    if (variable.causality == Causality::input) list += (list.empty() ? "" : ", ") + variable.name;
  return list.empty() ? "the FMU has no inputs" : "inputs: " + list;
}

// Values that the type of the input can hold.
void check_input_values(const CsvTable& table, std::size_t column, const FmuVariable& variable,
                        Diagnostics& diagnostics) {
  if (variable.type == Type::real) return;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double value = table.at(row, column);
    const bool fits =
        variable.type == Type::boolean
            ? value == 0 || value == 1
            : value == std::round(value) && value >= -2147483648.0 && value <= 2147483647.0;
    if (fits) continue;
    diagnostics.error(
        "E707", table.name_spans[column],
        fmt::format("column '{}': {} at time {} is not a value of the {} input", variable.name,
                    number_text(value), number_text(table.at(row, 0)), word(variable.type)));
    return;
  }
}

std::vector<SimulationPlan::Input> find_inputs(const ModelDescription& description,
                                               const CsvTable& table, Diagnostics& diagnostics) {
  std::vector<SimulationPlan::Input> inputs;
  for (std::size_t column = 1; column < table.columns(); ++column) {
    const std::string& name = table.names[column];
    const FmuVariable* variable = description.find(name);
    if (variable == nullptr) {
      std::string hint = suggest_variable(name, description);
      if (hint.compare(0, 3, "did") != 0) hint = suggest_input(description);
      diagnostics.error("E706", table.name_spans[column],
                        fmt::format("the FMU has no variable '{}'", name), hint);
    } else if (variable->causality != Causality::input) {
      diagnostics.error("E706", table.name_spans[column],
                        fmt::format("'{}' is not an input ({})", name, word(variable->causality)),
                        suggest_input(description));
    } else if (variable->type == Type::string) {
      diagnostics.error("E706", table.name_spans[column],
                        fmt::format("'{}' is a text; only numbers can be read from a table", name));
    } else {
      check_input_values(table, column, *variable, diagnostics);
      inputs.push_back({variable, column});
    }
  }
  return inputs;
}

}  // namespace

std::optional<SimulationPlan> make_simulation_plan(const ModelDescription& description,
                                                   const SimulationRequest& request,
                                                   Diagnostics& diagnostics,
                                                   Diagnostics& input_diagnostics) {
  SimulationPlan plan;
  plan.start_values = parse_start_values(request.start_values, description, diagnostics);
  plan.recorded = find_recorded(description, request.output_variables, diagnostics);
  if (request.inputs) {
    plan.inputs = find_inputs(description, *request.inputs, input_diagnostics);
    plan.input_table = *request.inputs;
  }
  const bool can_vary_step =
      description.co_simulation && description.co_simulation->can_handle_variable_step;
  plan.gives_input_slopes =
      description.co_simulation && description.co_simulation->can_interpolate_inputs;
  const std::optional<CommunicationPlan> communication = CommunicationPlan::make(
      request.communication, description.experiment, can_vary_step, diagnostics);
  if (communication) plan.communication = *communication;
  if (diagnostics.has_errors() || input_diagnostics.has_errors()) return std::nullopt;
  return plan;
}

}  // namespace mechfmu
