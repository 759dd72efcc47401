// The model as a whole: identity, capabilities, experiment, log categories, annotations.
#include <fmt/format.h>

#include <set>

#include "harness/validate/semantic_rules.hpp"
#include "support/number_text.hpp"

namespace mechfmu::fmu_check {
namespace {

constexpr std::size_t kLongestIdentifier = 200;  // file names have at most 255 bytes

bool is_c_identifier(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  return !text.empty() && text.find_first_not_of(kLetters) == std::string_view::npos &&
         (text.front() < '0' || text.front() > '9');
}

void check_interface(const InterfaceFacts& interface, Findings& findings) {
  const FindingPlace place = {kDescriptionFile, interface.line, ""};
  if (!is_c_identifier(interface.identifier))
    findings.add(Rule::model_identifier_illegal, place,
                 fmt::format("modelIdentifier is '{}'", printable(interface.identifier)));
  if (interface.identifier.size() > kLongestIdentifier)
    findings.add(Rule::model_identifier_long, place,
                 fmt::format("modelIdentifier has {} characters", interface.identifier.size()));
  if (interface.can_serialize_state && !interface.can_get_and_set_state)
    findings.add(Rule::model_serialize_alone, place,
                 "canSerializeFMUstate is true, canGetAndSetFMUstate is not");
}

void check_experiment(const ModelFacts& model, Findings& findings) {
  const pugi::xml_node node = model.root.child("DefaultExperiment");
  const auto number = [&](const char* name) {
    return parse_number(trim_blanks(node.attribute(name).value()));
  };
  const std::optional<double> start = number("startTime");
  const std::optional<double> stop = number("stopTime");
  if (stop && start.value_or(0) >= *stop)
    findings.add(Rule::model_experiment_times, model.place(node),
                 fmt::format("stopTime {} is not after startTime {}", number_text(*stop),
                             number_text(start.value_or(0))));
  for (const char* name : {"stepSize", "tolerance"})
    if (const std::optional<double> value = number(name); value && *value <= 0)
      findings.add(Rule::model_experiment_step, model.place(node),
                   fmt::format("{} is {}", name, number_text(*value)));
}

void check_annotations(const ModelFacts& model, const pugi::xml_node& list, Findings& findings) {
  std::set<std::string_view> names;
  for (const pugi::xml_node& tool : list.children("Tool"))
    if (!names.insert(tool.attribute("name").value()).second)
      findings.add(
          Rule::model_tool_duplicate, model.place(tool),
          fmt::format("tool '{}' is there twice", printable(tool.attribute("name").value())));
}

}  // namespace

void check_model(const ModelFacts& model, Findings& findings) {
  const pugi::xml_node& root = model.root;
  const std::string_view version = root.attribute("fmiVersion").value();
  if (root.attribute("fmiVersion") && version != "2.0")
    findings.add(Rule::model_version, model.place(root),
                 fmt::format("fmiVersion is '{}'", printable(version)));
  if (root.attribute("guid") && trim_blanks(root.attribute("guid").value()).empty())
    findings.add(Rule::model_guid_empty, model.place(root), "guid is empty");
  if (root.attribute("modelName") && trim_blanks(root.attribute("modelName").value()).empty())
    findings.add(Rule::model_name_empty, model.place(root), "modelName is empty");
  for (const InterfaceFacts* interface : model.interfaces()) check_interface(*interface, findings);

  if (!model.model_exchange && model.event_indicators > 0)
    findings.add(Rule::model_me_attribute, model.place(root),
                 fmt::format("numberOfEventIndicators is {} in a co-simulation FMU",
                             model.event_indicators));
  if (!model.model_exchange)
    for (const VariableFacts& v : model.variables) {
      if (v.has_reinit)
        findings.add(Rule::model_me_attribute, model.place(v),
                     "it has the attribute reinit in a co-simulation FMU");
      if (v.has_multiple_set)
        findings.add(
            Rule::model_me_attribute, model.place(v),
            "it has the attribute canHandleMultipleSetPerTimeInstant in a co-simulation FMU");
    }
  check_experiment(model, findings);

  std::set<std::string_view> categories;
  for (const pugi::xml_node& category : root.child("LogCategories").children("Category")) {
    const std::string_view name = category.attribute("name").value();
    if (name.empty() && category.attribute("name"))
      findings.add(Rule::model_category_duplicate, model.place(category),
                   "a log category has an empty name");
    else if (!categories.insert(name).second)
      findings.add(Rule::model_category_duplicate, model.place(category),
                   fmt::format("log category '{}' is there twice", printable(name)));
  }
  check_annotations(model, root.child("VendorAnnotations"), findings);
  for (const pugi::xml_node& v : root.child("ModelVariables").children("ScalarVariable"))
    check_annotations(model, v.child("Annotations"), findings);
}

}  // namespace mechfmu::fmu_check
