#include "readers/solve_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "readers/attribute_reader.hpp"
#include "readers/element_types.hpp"
#include "readers/value_parser.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

std::optional<double> number_of(const Arguments& arguments, std::string_view name) {
  const Argument* argument = arguments.find(name);
  if (argument == nullptr || is_poisoned(argument->values[0])) return std::nullopt;
  return argument->values[0].value;
}

std::optional<Name> word_of(const Arguments& arguments, std::string_view name) {
  const Argument* argument = arguments.find(name);
  if (argument == nullptr || argument->text.empty()) return std::nullopt;
  return Name{argument->text, argument->span};
}

std::optional<double> positive_step(const Arguments& arguments, std::string_view owner,
                                    Diagnostics& diagnostics) {
  const std::optional<double> step = number_of(arguments, "step");
  if (!step || *step > 0) return step;
  diagnostics.error("E132", arguments["step"].span,
                    fmt::format("{}: step must be > 0, got {}", owner, number_text(*step)));
  return std::nullopt;
}

std::optional<double> tolerance_of(const Arguments& arguments, Diagnostics& diagnostics) {
  const std::optional<double> tolerance = number_of(arguments, "tolerance");
  if (!tolerance || (*tolerance >= kLeastTolerance && *tolerance <= kMostTolerance))
    return tolerance;
  diagnostics.error("E132", arguments["tolerance"].span,
                    fmt::format("experiment: tolerance must be between {} and {}, got {}",
                                number_text(kLeastTolerance), number_text(kMostTolerance),
                                number_text(*tolerance)));
  return std::nullopt;
}

// A scheme's parameters as rows of an attribute table: free text, checked below.
std::vector<Attribute> make_parameter_attributes(const SchemeType& scheme) {
  std::vector<Attribute> attributes;
  for (const SchemeParameter& p : scheme.parameters)
    attributes.push_back({p.name, AttributeKind::text, p.unit, kOptional, p.choices, p.help});
  return attributes;
}

void check_parameter(const SchemeParameter& parameter, const Argument& argument,
                     Diagnostics& diagnostics) {
  const std::string subject = fmt::format("solve: {}", parameter.name);
  if (parameter.kind == SchemeParameter::Kind::choice) {
    const std::vector<std::string_view> words = choice_words(parameter.choices);
    if (std::find(words.begin(), words.end(), argument.text) == words.end())
      diagnostics.error("E117", argument.span,
                        fmt::format("{}: '{}' is not one of the choices", subject, argument.text),
                        did_you_mean(argument.text, words, "choices"));
    return;
  }
  std::string problem;
  const std::optional<double> value = parse_constant(argument.text, parameter.unit, problem);
  if (!value) {
    diagnostics.error("E131", argument.span, fmt::format("{}: {}", subject, problem));
  } else if (*value < parameter.min || *value > parameter.max) {
    diagnostics.error(
        "E131", argument.span,
        fmt::format("{} must be between {} and {}, got {}", subject, number_text(parameter.min),
                    number_text(parameter.max), number_text(*value)),
        fmt::format("{}: {}", parameter.name, parameter.help));
  } else if (parameter.kind == SchemeParameter::Kind::integer && *value != std::floor(*value)) {
    diagnostics.error(
        "E131", argument.span,
        fmt::format("{} must be a whole number, got {}", subject, number_text(*value)));
  }
}

}  // namespace

Solve read_solve(const XmlElement& element, Diagnostics& diagnostics) {
  const ElementType& type = find_element_type("solve");
  const std::string_view id = find_choice(element, type.attributes.front());
  const SchemeType* scheme = id.empty() ? &scheme_types().front() : find_scheme_type(id);
  const std::vector<Attribute> parameters = make_parameter_attributes(*scheme);
  const Arguments arguments =
      read_arguments(element, {"solve", "solve: ", fmt::format("scheme '{}'", scheme->id)},
                     {type.attributes, parameters}, diagnostics);

  Solve solve;
  solve.integrator = word_of(arguments, "integrator");
  solve.solver = word_of(arguments, "solver");
  solve.coordinates = word_of(arguments, "coordinates");
  solve.start_as_given = text_of(arguments, "start") == "as_given";
  solve.step = positive_step(arguments, "solve", diagnostics);

  SchemeChoice choice;
  choice.name = std::string(scheme->id);
  for (const SchemeParameter& parameter : scheme->parameters) {
    const Argument* argument = arguments.find(parameter.name);
    if (argument == nullptr) continue;
    check_parameter(parameter, *argument, diagnostics);
    choice.parameters.emplace_back(parameter.name, argument->text);
  }
  const Argument* given = arguments.find("scheme");
  if (given != nullptr) choice.span = given->span;
  if (given != nullptr || !choice.parameters.empty()) solve.scheme = std::move(choice);
  return solve;
}

Experiment read_experiment(const XmlElement& element, Diagnostics& diagnostics) {
  const Arguments arguments =
      read_arguments(element, {"experiment", "experiment: ", {}},
                     {find_element_type("experiment").attributes}, diagnostics);
  Experiment experiment;
  const std::optional<double> start = number_of(arguments, "start");
  const std::optional<double> stop = number_of(arguments, "stop");
  experiment.start = start.value_or(experiment.start);
  experiment.stop = stop.value_or(experiment.stop);
  experiment.step = positive_step(arguments, "experiment", diagnostics);
  experiment.tolerance = tolerance_of(arguments, diagnostics);
  if (start && stop && !(*stop > *start))
    diagnostics.error("E133", arguments["stop"].span,
                      fmt::format("experiment: stop must be after start, got {} s and {} s",
                                  number_text(*stop), number_text(*start)));
  return experiment;
}

}  // namespace mechfmu
