#include "harness/model_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <pugixml.hpp>
#include <system_error>
#include <unordered_map>

#include "readers/units.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr std::array<std::string_view, 5> kTypes = {"Real", "Integer", "Boolean", "String",
                                                    "Enumeration"};
constexpr std::array<std::string_view, 6> kCausalities = {
    "parameter", "calculatedParameter", "input", "output", "local", "independent"};
constexpr std::array<std::string_view, 5> kVariabilities = {"constant", "fixed", "tunable",
                                                            "discrete", "continuous"};

std::string_view trim(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  text = trim(text);
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A declared type: what its variables inherit.
struct SimpleType {
  std::string unit, display_unit;
  std::optional<double> min, max, nominal;
  std::vector<FmuVariable::Item> items;
};

class Reader {
 public:
  Reader(const SourceText& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  std::optional<ModelDescription> read() {
    const int errors_before = diagnostics_.error_count();
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer(source_.content().data(), source_.content().size());
    if (!parsed) {
      const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset));
      diagnostics_.error("E612", Span{offset, offset},
                         fmt::format("not well-formed XML: {}", parsed.description()));
      return std::nullopt;
    }
    const pugi::xml_node root = document.document_element();
    if (std::string_view(root.name()) != "fmiModelDescription") {
      diagnostics_.error(
          "E612", span_of(root),
          fmt::format("the root element is <{}>, not <fmiModelDescription>", root.name()));
      return std::nullopt;
    }
    description_.fmi_version = root.attribute("fmiVersion").value();
    if (trim(description_.fmi_version) != "2.0") {
      diagnostics_.error("E613", span_of(root),
                         fmt::format("fmiVersion is '{}', not '2.0'", description_.fmi_version),
                         "mechfmu runs FMI 2.0 FMUs; most tools can export that version");
      return std::nullopt;
    }

    read_root(root);
    read_types(root.child("TypeDefinitions"));
    read_variables(root.child("ModelVariables"));
    const pugi::xml_node structure = root.child("ModelStructure");
    read_unknowns(structure.child("Outputs"), description_.outputs);
    read_unknowns(structure.child("Derivatives"), description_.derivatives);
    read_unknowns(structure.child("InitialUnknowns"), description_.initial_unknowns);
    if (diagnostics_.error_count() > errors_before) return std::nullopt;
    return std::move(description_);
  }

 private:
  static Span span_of(const pugi::xml_node& node) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
    return {offset, offset + std::string_view(node.name()).size()};
  }

  std::string required(const pugi::xml_node& node, const char* name) {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute)
      diagnostics_.error("E614", span_of(node),
                         fmt::format("<{}> has no attribute '{}'", node.name(), name));
    return attribute.value();
  }

  std::optional<double> number(const pugi::xml_node& node, const char* name) {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return std::nullopt;
    const std::optional<double> value = parse_number(trim(attribute.value()));
    if (!value) warn_value(node, name, "a number");
    return value;
  }

  bool flag(const pugi::xml_node& node, const char* name) {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return false;
    const std::string_view text = trim(attribute.value());
    if (text == "true" || text == "1") return true;
    if (text != "false" && text != "0") warn_value(node, name, "true or false");
    return false;
  }

  void warn_value(const pugi::xml_node& node, const char* name, std::string_view expected) {
    diagnostics_.warning("W611", span_of(node),
                         fmt::format("<{}>: {}=\"{}\" is not {}; it is ignored", node.name(), name,
                                     node.attribute(name).value(), expected));
  }

  // A word of a fixed list; absent means `fallback`.
  template <class E, std::size_t N>
  E choice(const pugi::xml_node& node, const char* name,
           const std::array<std::string_view, N>& words, E fallback) {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (!attribute) return fallback;
    const auto it = std::find(words.begin(), words.end(), trim(attribute.value()));
    if (it != words.end()) return static_cast<E>(it - words.begin());
    diagnostics_.error("E614", span_of(node),
                       fmt::format("variable '{}': {} is '{}'", node.attribute("name").value(),
                                   name, attribute.value()),
                       did_you_mean(attribute.value(), {words.begin(), words.end()}, "values"));
    return fallback;
  }

  void read_root(const pugi::xml_node& root) {
    description_.model_name = required(root, "modelName");
    description_.guid = required(root, "guid");
    description_.description = root.attribute("description").value();
    description_.author = root.attribute("author").value();
    description_.version = root.attribute("version").value();
    description_.copyright = root.attribute("copyright").value();
    description_.license = root.attribute("license").value();
    description_.generation_tool = root.attribute("generationTool").value();
    description_.generation_time = root.attribute("generationDateAndTime").value();
    description_.naming_convention = root.attribute("variableNamingConvention").value();
    if (description_.naming_convention.empty()) description_.naming_convention = "flat";

    if (const pugi::xml_node node = root.child("CoSimulation"))
      description_.co_simulation = read_capabilities(node);
    if (const pugi::xml_node node = root.child("ModelExchange"))
      description_.model_exchange = read_capabilities(node);
    if (!description_.co_simulation && !description_.model_exchange)
      diagnostics_.error("E614", span_of(root), "neither <CoSimulation> nor <ModelExchange>");

    for (const pugi::xml_node& unit : root.child("UnitDefinitions").children("Unit"))
      description_.units.push_back(read_unit(unit));
    for (const pugi::xml_node& category : root.child("LogCategories").children("Category"))
      description_.log_categories.emplace_back(category.attribute("name").value());

    const pugi::xml_node experiment = root.child("DefaultExperiment");
    description_.experiment = {number(experiment, "startTime"), number(experiment, "stopTime"),
                               number(experiment, "tolerance"), number(experiment, "stepSize")};
  }

  FmuUnit read_unit(const pugi::xml_node& node) {
    FmuUnit unit;
    unit.name = node.attribute("name").value();
    const pugi::xml_node base = node.child("BaseUnit");
    unit.has_base_unit = !base.empty();
    for (std::size_t i = 0; i < kBaseUnits.size(); ++i)
      unit.exponents[i] =
          parse_whole<int>(base.attribute(kBaseUnits[i].data()).value()).value_or(0);
    unit.factor = number(base, "factor").value_or(1);
    unit.offset = number(base, "offset").value_or(0);
    return unit;
  }

  FmuCapabilities read_capabilities(const pugi::xml_node& node) {
    FmuCapabilities c;
    c.model_identifier = required(node, "modelIdentifier");
    // it becomes a file name: nothing that could leave the folder of the FMU
    if (c.model_identifier.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos ||
        c.model_identifier == "." || c.model_identifier == "..")
      diagnostics_.error(
          "E614", span_of(node),
          fmt::format("modelIdentifier '{}' is not a file name", c.model_identifier));
    c.needs_execution_tool = flag(node, "needsExecutionTool");
    c.can_handle_variable_step = flag(node, "canHandleVariableCommunicationStepSize");
    c.can_interpolate_inputs = flag(node, "canInterpolateInputs");
    if (const pugi::xml_attribute order = node.attribute("maxOutputDerivativeOrder")) {
      const std::optional<int> value = parse_whole<int>(order.value());
      if (!value || *value < 0) warn_value(node, "maxOutputDerivativeOrder", "a count");
      c.max_output_derivative_order = std::max(0, value.value_or(0));
    }
    c.can_run_asynchronously = flag(node, "canRunAsynchronuously");  // spelled so by the standard
    c.only_one_instance = flag(node, "canBeInstantiatedOnlyOncePerProcess");
    c.no_memory_callbacks = flag(node, "canNotUseMemoryManagementFunctions");
    c.can_get_and_set_state = flag(node, "canGetAndSetFMUstate");
    c.can_serialize_state = flag(node, "canSerializeFMUstate");
    c.has_directional_derivative = flag(node, "providesDirectionalDerivative");
    return c;
  }

  void read_types(const pugi::xml_node& definitions) {
    for (const pugi::xml_node& node : definitions.children("SimpleType")) {
      SimpleType type;
      const pugi::xml_node real = node.child("Real");
      type.unit = real.attribute("unit").value();
      type.display_unit = real.attribute("displayUnit").value();
      const pugi::xml_node base = real ? real : node.child("Integer");
      type.min = number(base, "min");
      type.max = number(base, "max");
      type.nominal = number(real, "nominal");
      for (const pugi::xml_node& item : node.child("Enumeration").children("Item")) {
        const std::optional<int> value = parse_whole<int>(item.attribute("value").value());
        if (!value) warn_value(item, "value", "a whole number");
        type.items.push_back({item.attribute("name").value(),
                              value.value_or(static_cast<int>(type.items.size()) + 1)});
      }
      types_.emplace(node.attribute("name").value(), std::move(type));
    }
  }

  void read_variables(const pugi::xml_node& list) {
    if (!list) {
      diagnostics_.error("E614", std::nullopt, "no element <ModelVariables>");
      return;
    }
    std::unordered_map<std::string, int> seen;
    for (const pugi::xml_node& node : list.children("ScalarVariable")) {
      FmuVariable variable = read_variable(node);
      if (!seen.emplace(variable.name, 0).second && !variable.name.empty())
        diagnostics_.error("E614", variable.span,
                           fmt::format("variable '{}' is there twice", variable.name));
      description_.variables.push_back(std::move(variable));
    }
    const int count = static_cast<int>(description_.variables.size());
    for (FmuVariable& variable : description_.variables)
      if (variable.derivative_of && *variable.derivative_of >= count)
        variable.derivative_of.reset();
  }

  FmuVariable read_variable(const pugi::xml_node& node) {
    FmuVariable v;
    v.span = span_of(node);
    v.name = required(node, "name");
    const std::string reference = required(node, "valueReference");
    if (const std::optional<unsigned> value = parse_whole<unsigned>(reference))
      v.value_reference = *value;
    else if (!reference.empty())
      diagnostics_.error("E614", v.span,
                         fmt::format("variable '{}': valueReference is '{}'", v.name, reference));
    v.description = node.attribute("description").value();
    v.causality = choice(node, "causality", kCausalities, FmuVariable::Causality::local);
    v.variability =
        choice(node, "variability", kVariabilities, FmuVariable::Variability::continuous);

    pugi::xml_node type_node;
    for (std::size_t i = 0; i < kTypes.size() && !type_node; ++i) {
      type_node = node.child(kTypes[i].data());
      v.type = static_cast<FmuVariable::Type>(i);
    }
    if (!type_node) {
      diagnostics_.error("E614", v.span, fmt::format("variable '{}' has no type", v.name));
      return v;
    }
    v.initial = node.attribute("initial").value();
    if (v.initial.empty()) v.initial = default_initial(v);
    v.declared_type = type_node.attribute("declaredType").value();
    if (const pugi::xml_attribute start = type_node.attribute("start")) v.start = start.value();
    const auto declared = types_.find(v.declared_type);
    const SimpleType type = declared == types_.end() ? SimpleType{} : declared->second;
    if (!v.declared_type.empty() && declared == types_.end())
      diagnostics_.warning(
          "W611", v.span,
          fmt::format("variable '{}': type '{}' is not defined", v.name, v.declared_type));
    v.items = type.items;
    const auto text_or = [&](const char* name, const std::string& inherited) {
      const pugi::xml_attribute attribute = type_node.attribute(name);
      return attribute ? std::string(attribute.value()) : inherited;
    };
    v.unit = text_or("unit", type.unit);
    v.display_unit = text_or("displayUnit", type.display_unit);
    v.min = type_node.attribute("min") ? number(type_node, "min") : type.min;
    v.max = type_node.attribute("max") ? number(type_node, "max") : type.max;
    v.nominal = type_node.attribute("nominal") ? number(type_node, "nominal") : type.nominal;
    if (const pugi::xml_attribute derivative = type_node.attribute("derivative")) {
      const std::optional<int> index = parse_whole<int>(derivative.value());
      if (index && *index >= 1)
        v.derivative_of = *index - 1;
      else
        warn_value(type_node, "derivative", "the number of a variable");
    }
    return v;
  }

  static std::string default_initial(const FmuVariable& v) {
    using C = FmuVariable::Causality;
    if (v.causality == C::input || v.causality == C::independent) return {};
    if (v.causality == C::parameter || v.variability == FmuVariable::Variability::constant)
      return "exact";
    return "calculated";
  }

  void read_unknowns(const pugi::xml_node& list, std::vector<FmuUnknown>& unknowns) {
    const int count = static_cast<int>(description_.variables.size());
    for (const pugi::xml_node& node : list.children("Unknown")) {
      const std::optional<int> index = parse_whole<int>(node.attribute("index").value());
      if (!index || *index < 1 || *index > count) {
        warn_value(node, "index", "the number of a variable");
        continue;
      }
      FmuUnknown unknown;
      unknown.variable = *index - 1;
      if (const pugi::xml_attribute dependencies = node.attribute("dependencies")) {
        unknown.depends_on_all = false;
        std::string_view rest = trim(dependencies.value());
        while (!rest.empty()) {
          const std::size_t end = std::min(rest.find_first_of(" \t\r\n"), rest.size());
          const std::optional<int> known = parse_whole<int>(rest.substr(0, end));
          if (known && *known >= 1 && *known <= count)
            unknown.depends_on.push_back(*known - 1);
          else
            warn_value(node, "dependencies", "a list of numbers of variables");
          rest = trim(rest.substr(end));
        }
      }
      unknowns.push_back(std::move(unknown));
    }
  }

  const SourceText& source_;
  Diagnostics& diagnostics_;
  ModelDescription description_;
  std::map<std::string, SimpleType, std::less<>> types_;
};

}  // namespace

bool FmuVariable::can_be_set() const {
  if (variability == Variability::constant || causality == Causality::independent) return false;
  return causality == Causality::input || initial == "exact" || initial == "approx";
}

const FmuVariable* ModelDescription::find(std::string_view name) const {
  const auto it = std::find_if(variables.begin(), variables.end(),
                               [&](const FmuVariable& v) { return v.name == name; });
  return it == variables.end() ? nullptr : &*it;
}

std::string_view word(FmuVariable::Type type) { return kTypes[static_cast<std::size_t>(type)]; }
std::string_view word(FmuVariable::Causality causality) {
  return kCausalities[static_cast<std::size_t>(causality)];
}
std::string_view word(FmuVariable::Variability variability) {
  return kVariabilities[static_cast<std::size_t>(variability)];
}

std::optional<ModelDescription> read_model_description(const SourceText& source,
                                                       Diagnostics& diagnostics) {
  return Reader(source, diagnostics).read();
}

}  // namespace mechfmu
