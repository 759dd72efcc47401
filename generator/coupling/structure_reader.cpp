#include "coupling/structure_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "package/file_io.hpp"
#include "readers/units.hpp"
#include "readers/xml_document.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

using Type = FmuVariable::Type;
using Kind = Connector::Kind;

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20U;

constexpr std::pair<std::string_view, Kind> kKinds[] = {
    {"input", Kind::input},
    {"output", Kind::output},
    {"parameter", Kind::parameter},
    {"calculatedParameter", Kind::calculated_parameter},
    {"inout", Kind::inout}};
// Float64 and Int32 are what SSP 2.0 calls them.
constexpr std::pair<std::string_view, Type> kTypes[] = {
    {"Real", Type::real},     {"Integer", Type::integer},         {"Boolean", Type::boolean},
    {"String", Type::string}, {"Enumeration", Type::enumeration}, {"Float64", Type::real},
    {"Int32", Type::integer}};

// "Component" of "ssd:Component"
std::string_view local(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

const XmlElement* find_child(const XmlElement& element, std::string_view name) {
  for (const XmlElement& child : element.children)
    if (local(child.name) == name) return &child;
  return nullptr;
}

template <class Visit>
void each(const XmlElement* element, std::string_view name, const Visit& visit) {
  if (element == nullptr) return;
  for (const XmlElement& child : element->children)
    if (local(child.name) == name) visit(child);
}

// Attributes of the elements of one file.
class Attributes {
 public:
  explicit Attributes(SourceFile& file) : file_(file) {}

  [[nodiscard]] std::string text(const XmlElement& element, std::string_view name) const {
    const XmlAttribute* attribute = element.find(name);
    return attribute == nullptr ? std::string() : attribute->value.text;
  }

  std::string required(const XmlElement& element, std::string_view name) {
    const XmlAttribute* attribute = element.find(name);
    if (attribute != nullptr && !attribute->value.text.empty()) return attribute->value.text;
    error("E802", element.span, fmt::format("<{}> has no attribute '{}'", element.name, name));
    return {};
  }

  std::optional<double> number(const XmlElement& element, std::string_view name) {
    const XmlAttribute* attribute = element.find(name);
    if (attribute == nullptr) return std::nullopt;
    const std::optional<double> value = parse_number(attribute->value.text);
    if (!value)
      error("E802", attribute->value.span,
            fmt::format("{}=\"{}\" is not a number", name, attribute->value.text));
    return value;
  }

  bool truth(const XmlElement& element, std::string_view name) {
    const std::string value = text(element, name);
    if (!value.empty() && value != "true" && value != "false" && value != "1" && value != "0")
      error("E802", element.find(name)->value.span,
            fmt::format("{}=\"{}\" is not true or false", name, value));
    return value == "true" || value == "1";
  }

  static Span span(const XmlElement& element, std::string_view name) {
    const XmlAttribute* attribute = element.find(name);
    return attribute == nullptr ? element.span : attribute->value.span;
  }

  void error(const char* code, Span span, std::string message, std::string hint = {}) {
    file_.diagnostics.error(code, span, std::move(message), std::move(hint));
  }

 private:
  SourceFile& file_;
};

UnitTable read_units(const XmlElement& parent, Attributes& read) {
  UnitTable units;
  each(find_child(parent, "Units"), "Unit", [&](const XmlElement& element) {
    FmuUnit unit;
    unit.name = read.required(element, "name");
    if (const XmlElement* base = find_child(element, "BaseUnit")) {
      unit.has_base_unit = true;
      for (std::size_t i = 0; i < kBaseUnits.size(); ++i)
        unit.exponents[i] = static_cast<int>(read.number(*base, kBaseUnits[i]).value_or(0));
      unit.factor = read.number(*base, "factor").value_or(1);
      unit.offset = read.number(*base, "offset").value_or(0);
      if (unit.factor == 0)
        read.error("E802", base->span, fmt::format("unit '{}': the factor is 0", unit.name));
    }
    units[unit.name] = unit;
  });
  return units;
}

LinearTransformation read_transformation(const XmlElement& parent, Attributes& read) {
  LinearTransformation result;
  for (const XmlElement& child : parent.children) {
    if (local(child.name) == "LinearTransformation") {
      result.factor = read.number(child, "factor").value_or(1);
      result.offset = read.number(child, "offset").value_or(0);
    } else if (child.name.ends_with("MappingTransformation")) {
      read.error("E802", child.span, fmt::format("<{}> is not supported", child.name),
                 "only linear transformations of Real signals are");
    }
  }
  return result;
}

class StructureReader {
 public:
  StructureReader(SourceFiles& files, const SourceFolder& folder)
      : files_(files), folder_(folder), file_(files.back()), read_(file_) {}

  std::optional<SystemStructure> read() {
    const std::optional<XmlElement> root = parse_xml(file_.text, file_.diagnostics);
    if (!root) return std::nullopt;
    if (local(root->name) != "SystemStructureDescription") {
      read_.error(
          "E801", root->span,
          fmt::format("the root element is <{}>, not <ssd:SystemStructureDescription>", root->name),
          "couple takes the .ssd and .ssp files of the SSP standard");
      return std::nullopt;
    }
    const XmlElement* system = find_child(*root, "System");
    if (system == nullptr) {
      read_.error("E802", root->span, "there is no <ssd:System>");
      return std::nullopt;
    }
    SystemStructure structure;
    structure.file = &file_;
    structure.name = read_.text(*root, "name");
    structure.units = read_units(*root, read_);
    structure.root = read_element(*system, true);
    if (const XmlElement* experiment = find_child(*root, "DefaultExperiment")) {
      structure.start = read_.number(*experiment, "startTime");
      structure.stop = read_.number(*experiment, "stopTime");
    }
    structure.step = find_master_step(*system);
    return structure;
  }

 private:
  // <oms:FixedStepMaster stepSize="..."/> in an annotation of the system
  std::optional<double> find_master_step(const XmlElement& element) {
    if (local(element.name) == "FixedStepMaster") return read_.number(element, "stepSize");
    const bool is_inside = local(element.name).find("Annotation") != std::string_view::npos ||
                           local(element.name) == "SimulationInformation";
    for (const XmlElement& child : element.children)
      if (is_inside || local(child.name) == "Annotations")
        if (const std::optional<double> step = find_master_step(child)) return step;
    return std::nullopt;
  }

  SystemElement read_element(const XmlElement& element, bool is_system) {
    SystemElement result;
    result.span = element.span;
    result.is_system = is_system;
    result.name = read_.required(element, "name");
    each(find_child(element, "Connectors"), "Connector",
         [&](const XmlElement& e) { read_connector(e, result); });
    each(find_child(element, "ParameterBindings"), "ParameterBinding",
         [&](const XmlElement& e) { read_binding(e, result); });
    if (!is_system) {
      result.source = read_.required(element, "source");
      result.source_span = Attributes::span(element, "source");
      result.type = read_.text(element, "type");
      result.implementation = read_.text(element, "implementation");
      return result;
    }
    if (const XmlElement* elements = find_child(element, "Elements"))
      for (const XmlElement& child : elements->children) read_inner(child, result);
    each(find_child(element, "Connections"), "Connection",
         [&](const XmlElement& e) { result.connections.push_back(read_connection(e)); });
    return result;
  }

  void read_inner(const XmlElement& child, SystemElement& system) {
    const std::string_view name = local(child.name);
    if (name == "SignalDictionaryReference")
      return read_.error("E802", child.span, "signal dictionaries are not supported",
                         "connect the components directly");
    if (name != "Component" && name != "System")
      return read_.error("E802", child.span, fmt::format("<{}> is not an element", child.name),
                         did_you_mean(name, {"Component", "System"}, "elements"));
    SystemElement element = read_element(child, name == "System");
    const auto same = std::find_if(system.elements.begin(), system.elements.end(),
                                   [&](const auto& e) { return e.name == element.name; });
    if (same != system.elements.end())
      return read_.error("E802", Attributes::span(child, "name"),
                         fmt::format("there are two elements '{}'", element.name),
                         "give one of them another name");
    system.elements.push_back(std::move(element));
  }

  void read_connector(const XmlElement& element, SystemElement& owner) {
    Connector connector;
    connector.name = read_.required(element, "name");
    connector.span = Attributes::span(element, "name");
    const std::string kind = read_.required(element, "kind");
    const auto* known = std::find_if(std::begin(kKinds), std::end(kKinds),
                                     [&](const auto& k) { return k.first == kind; });
    if (known != std::end(kKinds)) {
      connector.kind = known->second;
    } else if (!kind.empty()) {
      std::vector<std::string_view> words;
      for (const auto& [word, value] : kKinds) words.push_back(word);
      return read_.error("E802", Attributes::span(element, "kind"),
                         fmt::format("connector '{}': kind is '{}'", connector.name, kind),
                         did_you_mean(kind, words, "kinds"));
    }
    for (const XmlElement& child : element.children)
      for (const auto& [word, type] : kTypes)
        if (local(child.name) == word) {
          connector.type = type;
          connector.unit = read_.text(child, "unit");
        }
    const bool is_there = std::any_of(owner.connectors.begin(), owner.connectors.end(),
                                      [&](const auto& c) { return c.name == connector.name; });
    if (is_there)
      return read_.error("E802", connector.span,
                         fmt::format("'{}' has two connectors '{}'", owner.name, connector.name),
                         "remove one of them");
    owner.connectors.push_back(std::move(connector));
  }

  Connection read_connection(const XmlElement& element) {
    Connection c;
    c.span = element.span;
    c.start_element = read_.text(element, "startElement");
    c.start_connector = read_.required(element, "startConnector");
    c.end_element = read_.text(element, "endElement");
    c.end_connector = read_.required(element, "endConnector");
    c.start_span = Attributes::span(element, "startConnector");
    c.end_span = Attributes::span(element, "endConnector");
    c.suppresses_units = read_.truth(element, "suppressUnitConversion");
    c.transformation = read_transformation(element, read_);
    return c;
  }

  // ---- parameters -------------------------------------------------------------------------------

  void read_binding(const XmlElement& element, SystemElement& owner) {
    ParameterBinding binding;
    binding.prefix = read_.text(element, "prefix");
    if (const XmlElement* mapping = find_child(element, "ParameterMapping"))
      binding.mapping = read_mapping(*mapping);
    if (element.find("source") != nullptr) {
      const auto external = open(element);
      if (!external) return;
      const auto& [file, root] = *external;
      if (local(root.name) != "ParameterSet") {
        file->diagnostics.error(
            "E801", root.span,
            fmt::format("the root element is <{}>, not <ssv:ParameterSet>", root.name));
        return;
      }
      read_parameters(root, *file, binding);
    } else if (const XmlElement* values = find_child(element, "ParameterValues")) {
      const XmlElement* set = find_child(*values, "ParameterSet");
      if (set == nullptr)
        return read_.error("E802", values->span, "<ssd:ParameterValues> has no <ssv:ParameterSet>");
      read_parameters(*set, file_, binding);
    } else {
      return read_.error("E802", element.span,
                         "the parameter binding has neither a source nor <ssd:ParameterValues>");
    }
    owner.bindings.push_back(std::move(binding));
  }

  void read_parameters(const XmlElement& set, SourceFile& file, ParameterBinding& binding) {
    Attributes read(file);
    binding.file = &file;
    binding.units = read_units(set, read);
    each(find_child(set, "Parameters"), "Parameter", [&](const XmlElement& element) {
      ParameterValue value;
      value.name = read.required(element, "name");
      value.span = Attributes::span(element, "name");
      bool has_type = false;
      for (const XmlElement& child : element.children)
        for (const auto& [word, type] : kTypes)
          if (local(child.name) == word) {
            has_type = true;
            value.type = type;
            value.unit = read.text(child, "unit");
            value.span = Attributes::span(child, "value");
            value.value =
                type == Type::string ? read.text(child, "value") : read.required(child, "value");
          }
      if (has_type)
        binding.values.push_back(std::move(value));
      else
        read.error("E802", element.span,
                   fmt::format("parameter '{}' has no value of a known type", value.name),
                   "<ssv:Real value=\"...\"/>, Integer, Boolean, String or Enumeration");
    });
  }

  std::vector<MappingEntry> read_mapping(const XmlElement& element) {
    std::vector<MappingEntry> entries;
    const auto take = [&](const XmlElement& mapping, Attributes& read) {
      each(&mapping, "MappingEntry", [&](const XmlElement& e) {
        entries.push_back({read.required(e, "source"), read.required(e, "target"),
                           read_transformation(e, read), read.truth(e, "suppressUnitConversion")});
      });
    };
    if (element.find("source") != nullptr) {
      if (const auto external = open(element)) {
        Attributes read(*external->first);
        take(external->second, read);
      }
    } else if (const XmlElement* mapping = find_child(element, "ParameterMapping")) {
      take(*mapping, read_);
    }
    return entries;
  }

  // The file that an element's `source` names, parsed.
  std::optional<std::pair<SourceFile*, XmlElement>> open(const XmlElement& element) {
    const XmlAttribute& source = *element.find("source");
    const std::string path =
        folder_.resolve(source.value.text, source.value.span, file_.diagnostics);
    if (path.empty()) return std::nullopt;
    std::string content;
    if (const std::string reason = read_file(path, kLargestFile, content); !reason.empty()) {
      read_.error("E809", source.value.span,
                  fmt::format("'{}' cannot be read: {}", source.value.text, reason),
                  "sources are relative to the .ssd file");
      return std::nullopt;
    }
    SourceFile& file = files_.emplace_back(SourceFile{SourceText(path, std::move(content)), {}});
    std::optional<XmlElement> root = parse_xml(file.text, file.diagnostics);
    if (!root) return std::nullopt;
    return std::pair{&file, std::move(*root)};
  }

  SourceFiles& files_;
  const SourceFolder& folder_;
  SourceFile& file_;
  Attributes read_;
};

}  // namespace

std::optional<SystemStructure> read_system_structure(SourceFiles& files,
                                                     const SourceFolder& folder) {
  return StructureReader(files, folder).read();
}

}  // namespace mechfmu
