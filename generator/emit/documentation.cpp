#include "emit/documentation.hpp"

#include <fmt/format.h>

#include <array>

#include "emit/model_description.hpp"
#include "emit/template_text.hpp"
#include "interface/unit_definitions.hpp"
#include "mechanism/catalogue.hpp"
#include "support/embedded.hpp"
#include "support/number_text.hpp"

namespace mechfmu {
namespace {

std::string count_text(int count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Title of a row of schemes.def or integrators.def; the id itself if there is none.
std::string find_scheme_title(std::string_view id) {
  const SchemeType* type = find_scheme_type(id);
  return std::string(type != nullptr ? type->title : id);
}

std::string find_integrator_title(std::string_view id) {
  const IntegratorType* type = find_integrator_type(id);
  if (type == nullptr) return std::string(id);
  return fmt::format("{}, order {}", type->title, type->order);
}

std::string range_text(const InterfaceVariable& variable) {
  if (variable.type == ValueType::enumeration) return join(variable.items);
  if (!variable.min && !variable.max) return {};
  return fmt::format("{} ... {}", variable.min ? number_text(*variable.min) : "",
                     variable.max ? number_text(*variable.max) : "");
}

std::string start_text(const InterfaceVariable& variable) {
  if (!variable.start) return {};
  const auto item = static_cast<std::size_t>(*variable.start) - 1;
  if (variable.type == ValueType::enumeration && item < variable.items.size())
    return variable.items[item];
  return number_text(*variable.start);
}

TemplateValues make_row(const InterfaceVariable& variable) {
  TemplateValues row;
  row.values = {{"name", escape_xml(variable.name)},
                {"variability", std::string(variability_text(variable.variability))},
                {"unit", escape_xml(variable.unit)},
                {"start", escape_xml(start_text(variable))},
                {"range", escape_xml(range_text(variable))},
                {"description", escape_xml(variable.description)}};
  return row;
}

struct Group {
  Causality causality;
  const char* title;
  const char* text;
};

constexpr std::array<Group, 5> kGroups = {{
    {Causality::input, "Inputs", "Held constant during a communication step."},
    {Causality::output, "Outputs", "Values at the communication point that was reached last."},
    {Causality::parameter, "Parameters",
     "Tunable ones may be changed between steps, fixed ones until initialization is left. A start "
     "value or a length that is changed before that moves the mechanism: it is assembled again."},
    {Causality::calculated_parameter, "Calculated parameters", "Known after initialization."},
    {Causality::local, "Internal variables", "For looking into; nothing needs to be connected."},
}};

std::vector<TemplateValues> make_groups(const Interface& interface) {
  std::vector<TemplateValues> groups;
  for (const Group& group : kGroups) {
    TemplateValues values;
    values.values = {{"title", group.title}, {"text", group.text}};
    for (const InterfaceVariable& variable : interface.variables)
      if (variable.causality == group.causality)
        values.lists["variables"].push_back(make_row(variable));
    if (values.lists.contains("variables")) groups.push_back(std::move(values));
  }
  return groups;
}

}  // namespace

std::vector<std::string> describe_analysis(const Analysis& analysis) {
  std::vector<std::string> sentences;
  sentences.push_back(
      fmt::format("{}, {}, {}: {}.", count_text(analysis.bodies, "body", "bodies"),
                  count_text(analysis.joints, "joint", "joints"),
                  count_text(static_cast<int>(analysis.loops.size()), "loop", "loops"),
                  count_text(analysis.mobility, "degree of freedom", "degrees of freedom")));
  if (analysis.mobility_at_start > analysis.mobility)
    sentences.push_back(fmt::format(
        "The start pose is singular: there the mechanism has {}.",
        count_text(analysis.mobility_at_start, "degree of freedom", "degrees of freedom")));
  for (const LoopReport& loop : analysis.loops)
    if (!loop.explanation.empty())
      sentences.push_back(fmt::format("Loop {}: {}.", loop.name, loop.explanation));
  if (!analysis.formulation.empty())
    sentences.push_back(fmt::format(
        "Formulation '{}'{}: {}, {} of rank {}.", analysis.formulation,
        analysis.formulation_reason.empty() ? "" : " (" + analysis.formulation_reason + ")",
        count_text(analysis.coordinates, "coordinate", "coordinates"),
        count_text(analysis.equations, "constraint equation", "constraint equations"),
        analysis.rank));
  if (!analysis.cut_joints.empty())
    sentences.push_back(fmt::format("Loops are closed at {}.", join(analysis.cut_joints)));
  if (!analysis.indeterminate_joints.empty())
    sentences.push_back(fmt::format(
        "The reactions of {} are not unique for rigid bodies; the smallest ones are given.",
        join(analysis.indeterminate_joints)));
  sentences.push_back(fmt::format("Assembled with |phi| = {:.2g}, |phi_dot| = {:.2g}.",
                                  analysis.position_residual, analysis.velocity_residual));
  return sentences;
}

std::string emit_documentation(const SystemModel& system, const std::string& guid) {
  const Experiment& experiment = system.experiment;
  TemplateValues values;
  values.values = {
      {"name", escape_xml(system.name)},
      {"guid", escape_xml(guid)},
      {"tool", "mechfmu " MECHFMU_VERSION},
      {"scheme", escape_xml(system.scheme)},
      {"scheme_title", escape_xml(find_scheme_title(system.scheme))},
      {"integrator", escape_xml(system.integrator)},
      {"integrator_title", escape_xml(find_integrator_title(system.integrator))},
      {"solver", escape_xml(system.solver)},
      {"step", number_text(system.step)},
      {"start_time", number_text(experiment.start)},
      {"stop_time", number_text(experiment.stop)},
      {"step_size",
       number_text(experiment.step.value_or((experiment.stop - experiment.start) / 500))}};
  std::vector<TemplateValues>& descriptions = values.lists["descriptions"];
  if (!system.description.empty()) {
    descriptions.emplace_back();
    descriptions.back().values = {{"text", escape_xml(system.description)}};
  }
  std::vector<TemplateValues>& sentences = values.lists["sentences"];
  for (const std::string& sentence : describe_analysis(system.analysis)) {
    sentences.emplace_back();
    sentences.back().values = {{"text", escape_xml(sentence)}};
  }
  values.lists["groups"] = make_groups(system.interface);
  return fill_template(find_embedded(embedded_templates(), "documentation.html.in"), values);
}

}  // namespace mechfmu
