#include "analysis/operating_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "formulation/system_kernels.hpp"
#include "readers/value_parser.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

std::optional<double> parse_value(const std::string& text, const InterfaceVariable& variable,
                                  std::string& problem) {
  if (variable.type == ValueType::real) {
    if (const std::optional<double> plain = parse_number(text)) return plain;
    return parse_constant(text, variable.unit, problem);
  }
  for (std::size_t i = 0; i < variable.items.size(); ++i)
    if (variable.items[i] == text) return static_cast<double>(i + 1);
  const std::optional<double> number = parse_number(text);
  if (number && *number == std::floor(*number)) return number;
  problem = fmt::format("'{}' is not a whole number or the name of an item", text);
  return std::nullopt;
}

std::string find_refusal(const InterfaceVariable& variable) {
  if (variable.causality != Causality::parameter && variable.causality != Causality::input)
    return "it is computed by the mechanism";
  return variable.variability == Variability::constant ? "it is a constant" : "";
}

}  // namespace

OperatingPoint::OperatingPoint(const SystemModel& system)
    : system_(system),
      interpreted_(system.kernels),
      memory_(runtime::Simulation::bytes(interpreted_.model()) / sizeof(double) + 2),
      simulation_(interpreted_.model(), memory_.data()) {}

bool OperatingPoint::set(const std::vector<std::pair<std::string, std::string>>& values,
                         Diagnostics& diagnostics) {
  std::set<std::string, std::less<>> seen;
  for (const auto& [name, text] : values) {
    const InterfaceVariable* variable = system_.interface.find(name);
    if (variable == nullptr) {
      std::vector<std::string_view> names;
      for (const InterfaceVariable& v : system_.interface.variables)
        if (find_refusal(v).empty()) names.push_back(v.name);
      diagnostics.error("E711", std::nullopt, fmt::format("--start-value: no variable '{}'", name),
                        did_you_mean(name, names, "variables"));
      continue;
    }
    std::string problem = find_refusal(*variable);
    if (!problem.empty()) problem = "cannot be set: " + problem;
    if (!seen.insert(name).second) problem = "is given twice";
    if (!problem.empty()) {
      diagnostics.error("E713", std::nullopt, fmt::format("--start-value: '{}' {}", name, problem));
      continue;
    }
    const std::optional<double> value = parse_value(text, *variable, problem);
    if (!value)
      diagnostics.error("E712", std::nullopt, fmt::format("--start-value {}: {}", name, problem));
    else if ((variable->min && *value < *variable->min) ||
             (variable->max && *value > *variable->max))
      diagnostics.error("E712", std::nullopt,
                        fmt::format("--start-value {}: {} is outside [{}, {}]", name, text,
                                    variable->min ? number_text(*variable->min) : "-inf",
                                    variable->max ? number_text(*variable->max) : "inf"));
    else
      set(*variable, *value);
  }
  return !diagnostics.has_errors();
}

void OperatingPoint::set(const InterfaceVariable& variable, double value) {
  int reference = static_cast<int>(variable.value_reference);
  if (variable.type != ValueType::real)
    reference = system_.kernels->integers[variable.value_reference].setting;
  simulation_.values()[reference] = value;
  simulation_.mark_changed(model().reals[reference].kind);
}

void OperatingPoint::follow_inputs_directly() {
  direct_ = true;
  for (int k = 0; k < model().n_followed; ++k)
    for (const int order : {1, 2}) simulation_.set_input_derivative(model().followed[k], order, 0);
}

bool OperatingPoint::initialize(double time) { return simulation_.initialize(time); }

bool OperatingPoint::advance_to(double time) {
  const double begin = simulation_.time();
  const double step = system_.experiment.step.value_or(time - begin);
  const double count = std::max(1.0, std::ceil((time - begin) / step - 1e-9));
  for (double k = 0; k < count; ++k) {
    const double from = k == 0 ? begin : simulation_.time();
    const double to = k + 1 == count ? time : begin + (k + 1) * ((time - begin) / count);
    if (!simulation_.advance(from, to - from)) return false;
    if (direct_) {  // what a host gave holds for one step
      follow_inputs_directly();
    }
  }
  return true;
}

double OperatingPoint::value(const InterfaceVariable& variable) const {
  return simulation_.values()[variable.value_reference];
}

int OperatingPoint::first_input() const {
  return model().n_parameters + model().n_starts + model().n_settings;
}

}  // namespace mechfmu
