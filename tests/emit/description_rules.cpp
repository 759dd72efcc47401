#include "emit/description_rules.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <regex>
#include <set>
#include <sstream>

namespace mechfmu::test {
namespace {

struct Variable {
  std::string name, causality, variability, initial, type;
  pugi::xml_node typed;
};

std::string or_default(const pugi::xml_node& node, const char* name, const char* fallback) {
  const pugi::xml_attribute attribute = node.attribute(name);
  return attribute ? attribute.value() : fallback;
}

std::optional<double> find_number(const pugi::xml_node& node, const char* name) {
  const std::string text = node.attribute(name).value();
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

class Rules {
 public:
  explicit Rules(const std::string& xml) : xml_(xml) {}

  std::vector<std::string> run() {
    require(xml_.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), "first line");
    pugi::xml_document document;
    if (!document.load_buffer(xml_.data(), xml_.size())) {
      require(false, "well-formed");
      return faults_;
    }
    root_ = document.child("fmiModelDescription");
    check_root();
    check_units();
    check_types();
    read_variables();
    for (const Variable& variable : variables_) check_variable(variable);
    check_structure();
    return faults_;
  }

 private:
  void require(bool condition, const std::string& rule) {
    if (!condition) faults_.push_back(rule);
  }

  void check_root() {
    require(root_.attribute("fmiVersion").value() == std::string("2.0"), "fmiVersion");
    require(root_.attribute("guid").value() != std::string(), "guid");
    const pugi::xml_node cs = root_.child("CoSimulation");
    require(std::regex_match(cs.attribute("modelIdentifier").value(),
                             std::regex("[A-Za-z_][A-Za-z0-9_]*")),
            "modelIdentifier");
    for (const pugi::xml_node& kind : {cs, root_.child("ModelExchange")})
      require(!kind.attribute("canSerializeFMUstate").as_bool() ||
                  kind.attribute("canGetAndSetFMUstate").as_bool(),
              "canSerialize implies canGetAndSet");
    std::set<std::string> categories;
    for (const pugi::xml_node& category : root_.child("LogCategories").children("Category"))
      require(categories.insert(category.attribute("name").value()).second,
              "log categories unique");
    const pugi::xml_node experiment = root_.child("DefaultExperiment");
    for (const char* name : {"startTime", "stopTime", "tolerance", "stepSize"})
      require(find_number(experiment, name).has_value(), std::string("DefaultExperiment ") + name);
    for (const char* list :
         {"UnitDefinitions", "TypeDefinitions", "LogCategories", "ModelVariables"})
      require(!root_.child(list) || root_.child(list).first_child(),
              std::string(list) + " not empty");
  }

  void check_units() {
    for (const pugi::xml_node& unit : root_.child("UnitDefinitions").children("Unit")) {
      const std::string name = unit.attribute("name").value();
      require(!name.empty() && displays_.emplace(name, std::set<std::string>()).second,
              "unit names unique: " + name);
      require(unit.child("BaseUnit"), "BaseUnit of " + name);
      for (const pugi::xml_node& display : unit.children("DisplayUnit"))
        require(displays_[name].insert(display.attribute("name").value()).second,
                "display units unique");
    }
  }

  void check_types() {
    for (const pugi::xml_node& type : root_.child("TypeDefinitions").children("SimpleType")) {
      require(types_.emplace(type.attribute("name").value(), type.first_child().name()).second,
              "type names unique");
      std::set<std::string> values;
      for (const pugi::xml_node& item : type.child("Enumeration").children("Item"))
        require(values.insert(item.attribute("value").value()).second, "item values unique");
      require(!type.child("Enumeration") || !values.empty(), "enumeration has items");
      const pugi::xml_node real = type.child("Real");
      const std::string unit = real.attribute("unit").value();
      const std::string display = real.attribute("displayUnit").value();
      require(unit.empty() || displays_.contains(unit), "unit of a type defined");
      require(display.empty() || (displays_.contains(unit) && displays_[unit].contains(display)),
              "displayUnit of a type defined");
      type_units_[type.attribute("name").value()] = unit;
    }
  }

  void read_variables() {
    std::set<std::string> names;
    std::set<std::pair<std::string, std::string>> references;
    for (const pugi::xml_node& node : root_.child("ModelVariables").children("ScalarVariable")) {
      Variable v;
      v.name = node.attribute("name").value();
      v.causality = or_default(node, "causality", "local");
      v.variability = or_default(node, "variability", "continuous");
      v.typed = node.first_child();
      v.type = v.typed.name();
      const bool is_exact = v.causality == "parameter" || v.variability == "constant";
      v.initial = or_default(node, "initial",
                             v.causality == "input" ? ""
                             : is_exact             ? "exact"
                                                    : "calculated");
      require(!(v.causality == "input" && node.attribute("initial")),
              "no initial for input " + v.name);
      require(!node.attribute("canHandleMultipleSetPerTimeInstant"), "ME attribute on " + v.name);
      require(names.insert(v.name).second, "variable names unique: " + v.name);
      require(!types_.contains(v.name), "type name differs from variable " + v.name);
      const std::string space = v.type == "Enumeration" ? "Integer" : v.type;
      require(references.emplace(space, node.attribute("valueReference").value()).second,
              "value references unique: " + v.name);
      require(v.name != "time", "no variable called time");
      variables_.push_back(v);
    }
  }

  void check_variable(const Variable& v) {
    static const std::regex kStructured(
        R"((der\()?[A-Za-z_]\w*(\[\d+(,\d+)*\])?(\.[A-Za-z_]\w*(\[\d+(,\d+)*\])?)*(,\d+)?\)?)");
    require(std::regex_match(v.name, kStructured), "structured name: " + v.name);
    static const std::map<std::string, std::set<std::string>> kLegal = {
        {"parameter", {"fixed", "tunable"}},
        {"calculatedParameter", {"fixed", "tunable"}},
        {"input", {"discrete", "continuous"}},
        {"output", {"constant", "discrete", "continuous"}},
        {"local", {"constant", "fixed", "tunable", "discrete", "continuous"}}};
    require(kLegal.contains(v.causality) && kLegal.at(v.causality).contains(v.variability),
            "causality and variability of " + v.name);
    require(v.type == "Real" || v.variability != "continuous",
            "only reals are continuous: " + v.name);
    const bool must_be_exact = v.causality == "parameter" || v.variability == "constant";
    require(v.causality == "input" || (v.initial == "exact") == must_be_exact,
            "initial of " + v.name);
    const bool needs_start =
        v.initial == "exact" || v.initial == "approx" || v.causality == "input";
    require(needs_start == !v.typed.attribute("start").empty(), "start of " + v.name);
    check_values(v);
  }

  void check_values(const Variable& v) {
    for (const char* name : {"start", "min", "max", "nominal"})
      if (v.typed.attribute(name))
        require(find_number(v.typed, name).has_value(), "number of " + v.name);
    const auto start = find_number(v.typed, "start");
    const auto min = find_number(v.typed, "min");
    const auto max = find_number(v.typed, "max");
    require(!start || ((!min || *min <= *start) && (!max || *start <= *max)),
            "min <= start <= max: " + v.name);
    if (v.typed.attribute("unit")) {
      const std::string unit = v.typed.attribute("unit").value();
      require(displays_.contains(unit), "unit defined: " + v.name);
      const std::string display = v.typed.attribute("displayUnit").value();
      require(display.empty() || (displays_.contains(unit) && displays_[unit].contains(display)),
              "displayUnit defined: " + v.name);
    } else {
      require(!v.typed.attribute("displayUnit"), "displayUnit needs a unit: " + v.name);
    }
    const std::string declared = v.typed.attribute("declaredType").value();
    require(declared.empty() ? v.type != "Enumeration"
                             : types_.contains(declared) && types_[declared] == v.type,
            "declaredType of " + v.name);
    require(declared.empty() || v.type != "Real" ||
                type_units_[declared] == v.typed.attribute("unit").value(),
            "unit of the declaredType of " + v.name);
    const auto nominal = find_number(v.typed, "nominal");
    require(!nominal || *nominal > 0, "nominal of " + v.name);
  }

  void check_structure() {
    std::vector<std::size_t> outputs;
    std::vector<std::size_t> derivatives;
    std::vector<std::size_t> unknowns;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const Variable& v = variables_[i];
      if (v.causality == "output") outputs.push_back(i + 1);
      if (v.typed.attribute("derivative")) {
        derivatives.push_back(i + 1);
        states_.insert(v.typed.attribute("derivative").as_uint());
      }
    }
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const Variable& v = variables_[i];
      const bool is_unknown = v.causality == "output" || v.causality == "calculatedParameter" ||
                              states_.contains(i + 1) || v.typed.attribute("derivative");
      if (is_unknown && v.initial != "exact") unknowns.push_back(i + 1);
    }
    const pugi::xml_node structure = root_.child("ModelStructure");
    check_unknowns(structure.child("Outputs"), outputs, false);
    check_unknowns(structure.child("Derivatives"), derivatives, false);
    check_unknowns(structure.child("InitialUnknowns"), unknowns, true);
  }

  void check_unknowns(const pugi::xml_node& list, const std::vector<std::size_t>& expected,
                      bool initial) {
    require(expected.empty() == list.empty(), "list of unknowns present exactly if needed");
    std::vector<std::size_t> found;
    for (const pugi::xml_node& unknown : list.children("Unknown")) {
      found.push_back(unknown.attribute("index").as_uint());
      require(unknown.attribute("dependencies"), "dependencies given");
      const std::vector<std::string> dependencies =
          split(unknown.attribute("dependencies").value());
      const std::vector<std::string> kinds = split(unknown.attribute("dependenciesKind").value());
      require(kinds.size() == dependencies.size(), "as many kinds as dependencies");
      for (const std::string& kind : kinds)
        require(kind == "dependent" || kind == "constant" ||
                    (!initial && (kind == "fixed" || kind == "tunable" || kind == "discrete")),
                "kind of dependency");
      std::size_t last = 0;
      for (const std::string& text : dependencies) {
        const std::size_t index = std::stoul(text);
        require(index > last, "dependencies ascending");
        last = index;
        require(index >= 1 && index <= variables_.size(), "dependency in range");
        if (index < 1 || index > variables_.size()) continue;
        const Variable& known = variables_[index - 1];
        require(known.causality == "input" || (initial && known.initial == "exact") ||
                    (!initial && states_.contains(index)),
                "dependency is a known");
      }
    }
    require(found == expected,
            initial ? "InitialUnknowns complete and sorted" : "Outputs complete and sorted");
  }

  const std::string& xml_;
  pugi::xml_node root_;
  std::map<std::string, std::set<std::string>> displays_;
  std::map<std::string, std::string> types_, type_units_;
  std::vector<Variable> variables_;
  std::set<std::size_t> states_;  // 1-based
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> find_description_faults(const std::string& xml) {
  return Rules(xml).run();
}

}  // namespace mechfmu::test
