#include "harness/validate/model_facts.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "support/number_text.hpp"

namespace mechfmu::fmu_check {
namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  text = trim_blanks(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with("+-")) return std::nullopt;
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The position of a word in the list; `fallback` if the attribute is not there, nothing if it is
// another word.
template <class E, std::size_t N>
std::optional<E> find_word(const pugi::xml_attribute& attribute,
                           const std::array<const char*, N>& words, E fallback) {
  if (!attribute) return fallback;
  const auto it = std::find(words.begin(), words.end(), trim_blanks(attribute.value()));
  if (it == words.end()) return std::nullopt;
  return static_cast<E>(it - words.begin());
}

constexpr std::array<const char*, 5> kTypes = {"Real", "Integer", "Boolean", "String",
                                               "Enumeration"};
constexpr std::array<const char*, 6> kCausalities = {
    "parameter", "calculatedParameter", "input", "output", "local", "independent"};
constexpr std::array<const char*, 5> kVariabilities = {"constant", "fixed", "tunable", "discrete",
                                                       "continuous"};

std::optional<double> number(const pugi::xml_node& node, const char* name) {
  const pugi::xml_attribute attribute = node.attribute(name);
  return attribute ? parse_number(trim_blanks(attribute.value())) : std::nullopt;
}

bool flag(const pugi::xml_node& node, const char* name) {
  return parse_boolean(node.attribute(name).value()).value_or(false);
}

}  // namespace

std::string_view trim_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<bool> parse_boolean(std::string_view text) {
  text = trim_blanks(text);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

std::optional<int> parse_int(std::string_view text) { return parse_whole<int>(text); }
std::optional<unsigned> parse_unsigned_int(std::string_view text) {
  return parse_whole<unsigned>(text);
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trim_blanks(text); !text.empty(); text = trim_blanks(text)) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

ModelFacts::ModelFacts(const SourceText& source, const pugi::xml_document& document)
    : root(document.document_element()), source_(source) {
  if (const pugi::xml_node node = root.child("ModelExchange"))
    model_exchange = read_interface(node);
  if (const pugi::xml_node node = root.child("CoSimulation")) co_simulation = read_interface(node);
  completed_step_not_needed = flag(root.child("ModelExchange"), "completedIntegratorStepNotNeeded");
  needs_tool = flag(root.child("ModelExchange"), "needsExecutionTool") ||
               flag(root.child("CoSimulation"), "needsExecutionTool");
  event_indicators = parse_int(root.attribute("numberOfEventIndicators").value()).value_or(0);
  is_structured = trim_blanks(root.attribute("variableNamingConvention").value()) == "structured";
  for (const pugi::xml_node& node : root.child("ModelVariables").children("ScalarVariable"))
    variables.push_back(read_variable(node));
}

std::size_t ModelFacts::line(const pugi::xml_node& node) const {
  return source_
      .find_place(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug())))
      .line;
}

std::vector<const InterfaceFacts*> ModelFacts::interfaces() const {
  std::vector<const InterfaceFacts*> list;
  if (model_exchange) list.push_back(&*model_exchange);
  if (co_simulation) list.push_back(&*co_simulation);
  return list;
}

InterfaceFacts ModelFacts::read_interface(const pugi::xml_node& node) const {
  InterfaceFacts facts;
  facts.is_model_exchange = std::string_view(node.name()) == "ModelExchange";
  facts.line = line(node);
  facts.identifier = node.attribute("modelIdentifier").value();
  facts.can_get_and_set_state = flag(node, "canGetAndSetFMUstate");
  facts.can_serialize_state = flag(node, "canSerializeFMUstate");
  for (const pugi::xml_node& file : node.child("SourceFiles").children("File"))
    facts.source_files.emplace_back(file.attribute("name").value(), line(file));
  return facts;
}

VariableFacts ModelFacts::read_variable(const pugi::xml_node& node) const {
  VariableFacts v;
  v.line = line(node);
  v.name = node.attribute("name").value();
  v.reference = parse_unsigned_int(node.attribute("valueReference").value());
  v.value_reference = v.reference.value_or(0);
  const auto causality =
      find_word(node.attribute("causality"), kCausalities, FmuVariable::Causality::local);
  const auto variability = find_word(node.attribute("variability"), kVariabilities,
                                     FmuVariable::Variability::continuous);
  v.is_sound = causality && variability;
  v.causality = causality.value_or(FmuVariable::Causality::local);
  v.variability = variability.value_or(FmuVariable::Variability::continuous);
  v.has_multiple_set = !node.attribute("canHandleMultipleSetPerTimeInstant").empty();

  const pugi::xml_attribute initial = node.attribute("initial");
  v.has_initial = !initial.empty();
  if (v.has_initial)
    v.initial = trim_blanks(initial.value());
  else if (v.causality == FmuVariable::Causality::parameter ||
           v.variability == FmuVariable::Variability::constant)
    v.initial = "exact";
  else if (v.causality != FmuVariable::Causality::input &&
           v.causality != FmuVariable::Causality::independent)
    v.initial = "calculated";
  if (v.has_initial && v.initial != "exact" && v.initial != "approx" && v.initial != "calculated")
    v.is_sound = false;

  pugi::xml_node type_node;
  int count = 0;
  for (std::size_t i = 0; i < kTypes.size(); ++i)
    for (const pugi::xml_node& child : node.children(kTypes[i])) {
      type_node = child;
      v.type = static_cast<FmuVariable::Type>(i);
      ++count;
    }
  v.has_type = count == 1;
  if (!v.has_type) return v;
  v.declared_type = type_node.attribute("declaredType").value();
  pugi::xml_node declared;
  if (!v.declared_type.empty())
    declared = root.child("TypeDefinitions")
                   .find_child_by_attribute("SimpleType", "name", v.declared_type.c_str())
                   .child(kTypes[static_cast<std::size_t>(v.type)]);
  const auto inherited = [&](const char* name) {
    return type_node.attribute(name) ? type_node : declared;
  };
  v.unit = inherited("unit").attribute("unit").value();
  v.display_unit = inherited("displayUnit").attribute("displayUnit").value();
  v.min = number(inherited("min"), "min");
  v.max = number(inherited("max"), "max");
  v.nominal = number(inherited("nominal"), "nominal");
  if (const pugi::xml_attribute start = type_node.attribute("start")) v.start = start.value();
  if (const pugi::xml_attribute derivative = type_node.attribute("derivative"))
    v.derivative = parse_unsigned_int(derivative.value());
  v.has_reinit = !type_node.attribute("reinit").empty();
  v.is_reinit = flag(type_node, "reinit");
  if (v.type == FmuVariable::Type::enumeration)
    for (const pugi::xml_node& item : declared.children("Item"))
      if (const std::optional<int> value = parse_int(item.attribute("value").value()))
        v.items.push_back({item.attribute("name").value(), *value});
  return v;
}

}  // namespace mechfmu::fmu_check
