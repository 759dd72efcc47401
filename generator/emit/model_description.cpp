#include "emit/model_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>

#include "emit/template_text.hpp"
#include "formulation/system_kernels.hpp"
#include "interface/real_types.hpp"
#include "interface/unit_definitions.hpp"
#include "support/assert.hpp"
#include "support/embedded.hpp"
#include "support/number_text.hpp"

namespace mechfmu {
namespace {

// hosts pass it to fmi2SetupExperiment, which sets solver.tolerance: the two must agree
constexpr double kDefaultTolerance = 1e-6;
constexpr double kDefaultSteps = 500;  // communication steps if the file gives none

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, escape_xml(value));
}

std::string require_number(double value, const std::string& name) {
  MECHFMU_ASSERT(std::isfinite(value), "'" + name + "' has a value that XML cannot hold");
  return number_text(value);
}

// Whether FMI asks for a start value: everything with initial = exact, and inputs.
bool has_start(const InterfaceVariable& variable) {
  return variable.causality == Causality::parameter || variable.causality == Causality::input ||
         variable.variability == Variability::constant;
}

std::string make_initial(const InterfaceVariable& variable) {
  if (variable.causality == Causality::input) return {};
  return attribute("initial", has_start(variable) ? "exact" : "calculated");
}

bool is_legal(const InterfaceVariable& variable) {
  if (variable.type != ValueType::real && variable.variability == Variability::continuous)
    return false;
  const bool is_changing = variable.variability == Variability::discrete ||
                           variable.variability == Variability::continuous;
  switch (variable.causality) {
    case Causality::parameter:
    case Causality::calculated_parameter:
      return variable.variability == Variability::fixed ||
             variable.variability == Variability::tunable;
    case Causality::input:
      return is_changing;
    case Causality::output:
      return is_changing || variable.variability == Variability::constant;
    case Causality::local:
      break;
  }
  return true;
}

std::string make_choice_name(const Interface& interface, const std::string& variable) {
  return make_type_name(interface, variable + ".Choice");
}

// The unit stands beside the type: not every host looks there.
std::string make_unit_attributes(const std::vector<RealType>& types,
                                 const InterfaceVariable& variable) {
  if (variable.unit.empty()) return {};
  std::string text;
  for (const RealType& type : types)
    if (type.unit == variable.unit) text += attribute("declaredType", type.name);
  text += attribute("unit", variable.unit);
  if (const std::string_view display = find_display(variable); !display.empty())
    text += attribute("displayUnit", display);
  return text;
}

std::string make_type_attributes(const Interface& interface, const std::vector<RealType>& types,
                                 const InterfaceVariable& variable) {
  std::string text;
  const auto add_number = [&](std::string_view name, const std::optional<double>& value) {
    if (!value) return;
    if (variable.type == ValueType::real) {
      if (std::isfinite(*value) || name == "start")
        text += attribute(name, require_number(*value, variable.name));
      return;
    }
    MECHFMU_ASSERT(*value == std::floor(*value) && std::abs(*value) <= 2147483647.0,
                   "'" + variable.name + "' must be an integer");
    text += attribute(name, std::to_string(static_cast<long long>(*value)));
  };
  if (variable.type == ValueType::enumeration) {
    text += attribute("declaredType", make_choice_name(interface, variable.name));
  } else {
    text += make_unit_attributes(types, variable);
    add_number("min", variable.min);
    add_number("max", variable.max);
    add_number("nominal", variable.nominal);
    if (variable.derivative_of >= 0)
      text += attribute("derivative", std::to_string(variable.derivative_of + 1));
    // a projection moves them
    if (variable.is_state) text += attribute("reinit", "true");
  }
  if (has_start(variable)) {
    MECHFMU_ASSERT(variable.start.has_value(), "'" + variable.name + "' must have a start value");
    add_number("start", variable.start);
  }
  return text;
}

TemplateValues make_variable(const Interface& interface, const std::vector<RealType>& types,
                             std::size_t index) {
  const InterfaceVariable& variable = interface.variables[index];
  MECHFMU_ASSERT(
      is_legal(variable),
      "'" + variable.name + "' has a causality and a variability that exclude each other");
  std::string attributes = make_initial(variable);
  if (!variable.description.empty()) attributes += attribute("description", variable.description);
  TemplateValues values;
  values.values = {{"name", escape_xml(variable.name)},
                   {"value_reference", std::to_string(variable.value_reference)},
                   {"causality", std::string(causality_text(variable.causality))},
                   {"variability", std::string(variability_text(variable.variability))},
                   {"attributes", attributes},
                   {"type", variable.type == ValueType::real      ? "Real"
                            : variable.type == ValueType::integer ? "Integer"
                                                                  : "Enumeration"},
                   {"type_attributes", make_type_attributes(interface, types, variable)}};
  return values;
}

enum class Knowns { inputs_and_states, inputs_and_exact };

std::string_view kind_text(Dependency::Kind kind) {
  switch (kind) {
    case Dependency::Kind::constant:
      return "constant";
    case Dependency::Kind::fixed:
      return "fixed";
    case Dependency::Kind::dependent:
      break;
  }
  return "dependent";
}

TemplateValues make_unknown(const Interface& interface, std::size_t index,
                            const std::vector<Dependency>& dependencies, bool on_all,
                            Knowns knowns) {
  const auto is_known = [&](int dependency) {
    if (dependency < 0 || static_cast<std::size_t>(dependency) >= interface.variables.size())
      return false;
    const InterfaceVariable& variable = interface.variables[static_cast<std::size_t>(dependency)];
    return knowns == Knowns::inputs_and_states
               ? variable.causality == Causality::input || variable.is_state
               : has_start(variable);
  };
  std::map<int, Dependency::Kind> sorted;
  for (const Dependency& dependency : dependencies) sorted[dependency.index] = dependency.kind;
  std::string indices;
  std::string kinds;
  for (const auto& [dependency, kind] : sorted) {
    MECHFMU_ASSERT(is_known(dependency), "'" + interface.variables[index].name +
                                             "' depends on something that is not known");
    if (!indices.empty()) {
      indices += ' ';
      kinds += ' ';
    }
    indices += std::to_string(dependency + 1);
    kinds += kind_text(kind);
  }
  TemplateValues values;
  // without the attribute an unknown depends on everything
  values.values = {{"index", std::to_string(index + 1)},
                   {"dependencies", on_all ? ""
                                           : " " + attribute("dependencies", indices) + " " +
                                                 attribute("dependenciesKind", kinds)}};
  return values;
}

// A list element of the XML that must be absent if it would be empty.
std::vector<TemplateValues> make_optional_list(const char* name, std::vector<TemplateValues> list) {
  if (list.empty()) return {};
  TemplateValues values;
  values.lists[name] = std::move(list);
  return {std::move(values)};
}

std::vector<TemplateValues> make_units(const Interface& interface) {
  std::vector<TemplateValues> list;
  for (const UnitDefinition& unit : make_unit_definitions(interface)) {
    std::string base;
    for (std::size_t i = 0; i < kBaseUnits.size(); ++i)
      if (unit.exponents[i] != 0)
        base += attribute(kBaseUnits[i], std::to_string(unit.exponents[i]));
    if (unit.factor != 1) base += attribute("factor", number_text(unit.factor));
    TemplateValues values;
    values.values = {{"name", escape_xml(unit.name)}, {"base", base}};
    std::vector<TemplateValues>& shown = values.lists["display_units"];
    for (const DisplayUnit& display : unit.display_units) {
      shown.emplace_back();
      shown.back().values = {{"name", escape_xml(display.name)},
                             {"factor", number_text(display.factor)}};
    }
    list.push_back(std::move(values));
  }
  return list;
}

std::vector<TemplateValues> make_types(const Interface& interface,
                                       const std::vector<RealType>& real_types) {
  std::vector<TemplateValues> list;
  for (const RealType& type : real_types) {
    std::string attributes = attribute("quantity", type.quantity) + attribute("unit", type.unit);
    if (!type.display_unit.empty()) attributes += attribute("displayUnit", type.display_unit);
    TemplateValues values;
    values.values = {{"name", escape_xml(type.name)}};
    values.lists["real"] = {{{{"attributes", attributes}}, {}}};
    values.lists["enumeration"] = {};
    list.push_back(std::move(values));
  }
  for (const InterfaceVariable& variable : interface.variables) {
    if (variable.type != ValueType::enumeration) continue;
    MECHFMU_ASSERT(!variable.items.empty(), "'" + variable.name + "' must have items");
    TemplateValues values;
    values.values = {{"name", escape_xml(make_choice_name(interface, variable.name))}};
    values.lists["real"] = {};
    TemplateValues& choice = values.lists["enumeration"].emplace_back();
    for (std::size_t i = 0; i < variable.items.size(); ++i) {
      TemplateValues item;
      item.values = {{"name", escape_xml(variable.items[i])}, {"value", std::to_string(i + 1)}};
      choice.lists["items"].push_back(std::move(item));
    }
    list.push_back(std::move(values));
  }
  return list;
}

std::vector<TemplateValues> make_log_categories() {
  std::vector<TemplateValues> list;
  const auto add = [&](std::string_view name, std::string_view description) {
    list.emplace_back();
    list.back().values = {{"name", escape_xml(name)}, {"description", escape_xml(description)}};
  };
#define CATEGORY(name, status, enabled, description) add(#name, description);
#include "fmi/log_categories.def"
#undef CATEGORY
  return list;
}

// "" unless SOURCE_DATE_EPOCH is a number of seconds.
std::string make_date() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::optional<double> seconds = parse_number(epoch != nullptr ? epoch : "");
  constexpr double kYear9999 = 253402300799.0;
  if (!seconds || *seconds < 0 || *seconds > kYear9999) return {};
  const auto time = static_cast<std::time_t>(*seconds);
  std::tm parts{};
  std::string text(20, '\0');
  if (gmtime_r(&time, &parts) == nullptr) return {};
  text.resize(std::strftime(text.data(), text.size() + 1, "%Y-%m-%dT%H:%M:%SZ", &parts));
  return text;
}

void add_experiment(const SystemModel& system, TemplateValues& values) {
  const Experiment& experiment = system.experiment;
  const InterfaceVariable* tolerance = nullptr;
  for (const InterfaceVariable& variable : system.interface.variables)
    if (variable.name == "solver.tolerance" && variable.start) tolerance = &variable;
  const double step =
      experiment.step.value_or((experiment.stop - experiment.start) / kDefaultSteps);
  values.values["start_time"] = require_number(experiment.start, "start time");
  values.values["stop_time"] = require_number(experiment.stop, "stop time");
  values.values["step_size"] = require_number(step, "step size");
  values.values["tolerance"] =
      require_number(tolerance != nullptr ? *tolerance->start : kDefaultTolerance, "tolerance");
}

// Derivatives of inputs are used wherever there are inputs.
bool has_inputs(const Interface& interface) {
  return std::any_of(interface.variables.begin(), interface.variables.end(),
                     [](const InterfaceVariable& v) { return v.causality == Causality::input; });
}

}  // namespace

std::string_view causality_text(Causality causality) {
  switch (causality) {
    case Causality::parameter:
      return "parameter";
    case Causality::calculated_parameter:
      return "calculatedParameter";
    case Causality::input:
      return "input";
    case Causality::output:
      return "output";
    case Causality::local:
      break;
  }
  return "local";
}

std::string_view variability_text(Variability variability) {
  switch (variability) {
    case Variability::constant:
      return "constant";
    case Variability::fixed:
      return "fixed";
    case Variability::tunable:
      return "tunable";
    case Variability::discrete:
      return "discrete";
    case Variability::continuous:
      break;
  }
  return "continuous";
}

std::string emit_model_description(const SystemModel& system, const std::string& guid) {
  const Interface& interface = system.interface;
  TemplateValues values;

  std::string optional;
  if (!system.description.empty()) optional += "\n " + attribute("description", system.description);
  if (const std::string date = guid.empty() ? "" : make_date(); !date.empty())
    optional += "\n " + attribute("generationDateAndTime", date);
  values.values = {
      {"model_name", escape_xml(system.name)},
      {"model_identifier", escape_xml(system.name)},
      {"guid", escape_xml(guid)},
      {"can_interpolate_inputs", has_inputs(interface) ? "true" : "false"},
      {"generation_tool", "mechfmu " MECHFMU_VERSION},
      {"event_indicators", std::to_string(system.kernels ? system.kernels->n_indicators : 0)},
      {"optional_attributes", optional}};
  // what is held between samples has no derivatives
  values.values["output_derivatives"] = system.sampled ? "0" : "1";
  values.values["directional"] = system.sampled ? "false" : "true";
  std::vector<TemplateValues>& exchange = values.lists["model_exchange"];
  if (!system.sampled) {
    exchange.emplace_back();
    exchange.back().values["model_identifier"] = escape_xml(system.name);
  }
  add_experiment(system, values);

  values.lists["unit_definitions"] = make_optional_list("units", make_units(interface));
  const std::vector<RealType> types = make_real_types(interface);
  values.lists["type_definitions"] = make_optional_list("types", make_types(interface, types));
  values.lists["log_categories"] = make_log_categories();

  std::vector<TemplateValues> outputs;
  std::vector<TemplateValues> derivatives;
  std::vector<TemplateValues> initial_unknowns;
  for (std::size_t i = 0; i < interface.variables.size(); ++i) {
    const InterfaceVariable& variable = interface.variables[i];
    values.lists["variables"].push_back(make_variable(interface, types, i));
    if (variable.causality == Causality::output)
      outputs.push_back(make_unknown(interface, i, variable.depends_on, variable.depends_on_all,
                                     Knowns::inputs_and_states));
    if (variable.derivative_of >= 0)
      derivatives.push_back(make_unknown(interface, i, variable.depends_on, variable.depends_on_all,
                                         Knowns::inputs_and_states));
    const bool is_unknown = variable.causality == Causality::calculated_parameter ||
                            variable.causality == Causality::output || variable.is_state ||
                            variable.derivative_of >= 0;
    if (is_unknown && !has_start(variable)) {
      std::vector<Dependency> initially;
      for (const int known : variable.initially_depends_on)
        initially.push_back({known, Dependency::Kind::dependent});
      initial_unknowns.push_back(make_unknown(
          interface, i, initially, variable.initially_depends_on_all, Knowns::inputs_and_exact));
    }
  }
  MECHFMU_ASSERT(!interface.variables.empty(), "an FMU must have variables");
  values.lists["outputs"] = make_optional_list("unknowns", std::move(outputs));
  values.lists["derivatives"] = make_optional_list("unknowns", std::move(derivatives));
  values.lists["initial_unknowns"] = make_optional_list("unknowns", std::move(initial_unknowns));

  return fill_template(find_embedded(embedded_templates(), "modelDescription.xml.in"), values);
}

}  // namespace mechfmu
