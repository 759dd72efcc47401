#include "coupling/coupled_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "coupling/open_component.hpp"
#include "coupling/parameter_values.hpp"
#include "coupling/unit_conversion.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

using Causality = FmuVariable::Causality;
using Kind = Connector::Kind;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A connector somewhere in the tree of systems.
struct Node {
  std::string name;  // "plant.x", "outer.x"; "x" for the outermost system
  std::size_t component = kNone;
  const FmuVariable* variable = nullptr;  // of a component
  Kind kind = Kind::input;
  std::optional<FmuVariable::Type> type;
  std::string unit;
  const UnitTable* units = nullptr;  // where the unit is defined
  // what feeds it
  std::size_t source = kNone;
  LinearTransformation transformation;
  bool suppresses_units = false;
  Span fed_at;
};

std::string_view kind_word(Kind kind) {
  constexpr std::string_view kWords[] = {"input", "output", "parameter", "calculatedParameter",
                                         "inout"};
  return kWords[static_cast<std::size_t>(kind)];
}

class SystemMaker {
 public:
  SystemMaker(const SystemStructure& structure, const SourceFolder& folder)
      : structure_(structure), folder_(folder), diagnostics_(structure.file->diagnostics) {}

  std::optional<CoupledSystem> make(
      const std::vector<std::pair<std::string, std::string>>& start_values, Diagnostics& usage) {
    system_.name = structure_.name.empty() ? structure_.root.name : structure_.name;
    system_.experiment.start = structure_.start;
    system_.experiment.stop = structure_.stop;
    system_.experiment.step = structure_.step;
    add_system(structure_.root, "");
    if (system_.components.empty() && !diagnostics_.has_errors())
      diagnostics_.error("E802", structure_.root.span, "the system has no components");
    complete_experiment();
    for (std::size_t i = 0; i < nodes_.size(); ++i) add_link(i);
    set_parameters(start_values, usage);
    const bool parameters_fail = std::any_of(values_.begin(), values_.end(), [](const auto& v) {
      return v.binding->file->diagnostics.has_errors();
    });
    if (diagnostics_.has_errors() || usage.has_errors() || parameters_fail) return std::nullopt;
    return std::move(system_);
  }

 private:
  // What the system does not say follows from its FMUs: the smallest step, the latest stop.
  void complete_experiment() {
    FmuExperiment& e = system_.experiment;
    std::optional<double> step, stop;
    for (const CoupledComponent& component : system_.components) {
      const FmuExperiment& own = component.fmu->description().experiment;
      if (own.step && *own.step > 0) step = std::min(step.value_or(*own.step), *own.step);
      if (own.stop) stop = std::max(stop.value_or(*own.stop), *own.stop);
    }
    if (!e.step) e.step = step;
    if (!e.stop) e.stop = stop;
  }

  // ---- elements and their connectors ------------------------------------------------------------

  void add_system(const SystemElement& system, const std::string& prefix) {
    // outer values are stronger, so they come later
    for (const SystemElement& element : system.elements) {
      const std::string name = prefix + element.name;
      if (element.is_system) {
        add_connectors(element, name, kNone);
        add_system(element, name + ".");
      } else {
        add_component(element, name);
      }
    }
    if (prefix.empty()) add_connectors(system, "", kNone);
    for (const Connection& connection : system.connections)
      add_connection(connection, system, prefix);
    collect_values(system, prefix);
  }

  void add_component(const SystemElement& element, const std::string& name) {
    const std::string& type = element.type;
    if (!type.empty() && type != "application/x-fmu-sharedlibrary")
      return diagnostics_.error("E812", element.source_span,
                                fmt::format("component '{}' is of type {}", name, type),
                                "components are FMUs: application/x-fmu-sharedlibrary");
    if (element.implementation == "ModelExchange")
      return diagnostics_.error(
          "E812", element.span,
          fmt::format("component '{}' asks for model exchange; couple runs co-simulation", name),
          "write implementation=\"CoSimulation\" if the FMU offers it");
    const Fmu* fmu = open_component(element, name, folder_, system_.fmus, diagnostics_);
    if (fmu == nullptr) return;
    unit_tables_.try_emplace(fmu, make_unit_table(fmu->description()));
    const std::size_t index = system_.components.size();
    system_.components.push_back({name, fmu, {}});
    add_connectors(element, name, index);
    collect_values(element, name + ".");
  }

  void add_connectors(const SystemElement& element, const std::string& owner,
                      std::size_t component) {
    for (const Connector& connector : element.connectors) {
      Node node;
      node.name = owner.empty() ? connector.name : owner + "." + connector.name;
      node.component = component;
      node.kind = connector.kind;
      node.type = connector.type;
      node.unit = connector.unit;
      node.units = &structure_.units;
      if (component != kNone && !check_variable(connector, owner, component, node)) continue;
      place_.emplace(std::pair(owner, connector.name), nodes_.size());
      nodes_.push_back(std::move(node));
    }
  }

  // A component's connector stands for a variable of its FMU.
  bool check_variable(const Connector& connector, const std::string& owner, std::size_t component,
                      Node& node) {
    const Fmu& fmu = *system_.components[component].fmu;
    const FmuVariable* variable = fmu.description().find(connector.name);
    const auto refuse = [&](const std::string& message, std::string hint) {
      diagnostics_.error(
          "E804", connector.span,
          fmt::format("component '{}', connector '{}': {}", owner, connector.name, message),
          std::move(hint));
      return false;
    };
    if (variable == nullptr)
      return refuse("the FMU has no such variable",
                    suggest_variable(connector.name, fmu.description()));
    const Causality c = variable->causality;
    const bool fits =
        (connector.kind == Kind::input && c == Causality::input) ||
        (connector.kind == Kind::output && c == Causality::output) ||
        (connector.kind == Kind::parameter && c == Causality::parameter) ||
        (connector.kind == Kind::calculated_parameter && c == Causality::calculated_parameter);
    if (!fits)
      return refuse(
          fmt::format("its kind is {}, but the FMU's variable is {} {}", kind_word(connector.kind),
                      c == Causality::input || c == Causality::output ? "an" : "a", word(c)),
          fmt::format("write kind=\"{}\"", word(c)));
    if (connector.type && *connector.type != variable->type)
      return refuse(fmt::format("its type is {}, but the FMU's variable is {}",
                                word(*connector.type), word(variable->type)),
                    fmt::format("write <ssc:{}/>", word(variable->type)));
    node.variable = variable;
    node.type = variable->type;
    if (!variable->unit.empty()) {
      const UnitTable& own = unit_tables_[&fmu];
      const auto inner = find_defined_unit(variable->unit, own);
      const auto outer = find_defined_unit(connector.unit, structure_.units);
      if (inner && outer && !convert_unit(*outer, *inner))
        return refuse(fmt::format("its unit is {}, but the FMU's variable is in {}", connector.unit,
                                  variable->unit),
                      fmt::format("write unit=\"{}\"", variable->unit));
      node.unit = variable->unit;
      node.units = &own;
    }
    return true;
  }

  // ---- connections ------------------------------------------------------------------------------

  // The connector that one end of a connection names; kNone and an error if there is none.
  std::size_t find_end(const std::string& element, const std::string& connector, Span span,
                       const SystemElement& system, const std::string& prefix) {
    const SystemElement* owner = &system;
    if (!element.empty()) {
      const auto it = std::find_if(system.elements.begin(), system.elements.end(),
                                   [&](const auto& e) { return e.name == element; });
      if (it == system.elements.end()) {
        std::vector<std::string_view> names;
        for (const SystemElement& e : system.elements) names.push_back(e.name);
        diagnostics_.error("E803", span, fmt::format("there is no element '{}'", element),
                           did_you_mean(element, names, "elements"));
        return kNone;
      }
      owner = &*it;
    }
    const bool is_declared = std::any_of(owner->connectors.begin(), owner->connectors.end(),
                                         [&](const Connector& c) { return c.name == connector; });
    std::string path = prefix + element;
    if (element.empty() && !prefix.empty()) path.pop_back();
    const auto node = place_.find(std::pair(path, connector));
    if (node != place_.end()) return node->second;
    if (is_declared) return kNone;  // it is wrong, or its FMU is: said already
    std::vector<std::string_view> names;
    for (const Connector& c : owner->connectors) names.push_back(c.name);
    std::string hint = names.empty() ? std::string() : did_you_mean(connector, names, "connectors");
    const auto component =
        std::find_if(system_.components.begin(), system_.components.end(),
                     [&](const CoupledComponent& c) { return c.name == prefix + element; });
    if (component != system_.components.end())
      if (const FmuVariable* v = component->fmu->description().find(connector))
        hint = fmt::format(
            "the FMU has it: add <ssd:Connector name=\"{}\" kind=\"{}\"> to the component",
            connector, word(v->causality));
    diagnostics_.error("E803", span,
                       element.empty()
                           ? fmt::format("the system has no connector '{}'", connector)
                           : fmt::format("'{}' has no connector '{}'", element, connector),
                       hint);
    return kNone;
  }

  void add_connection(const Connection& c, const SystemElement& system, const std::string& prefix) {
    std::size_t from = find_end(c.start_element, c.start_connector, c.start_span, system, prefix);
    std::size_t to = find_end(c.end_element, c.end_connector, c.end_span, system, prefix);
    if (from == kNone || to == kNone) return;
    for (const std::size_t end : {from, to})
      if (nodes_[end].kind != Kind::input && nodes_[end].kind != Kind::output)
        return diagnostics_.error(
            "E806", c.span,
            fmt::format("'{}' is of kind {}; only inputs and outputs are connected",
                        nodes_[end].name, kind_word(nodes_[end].kind)),
            "give parameters their values with <ssd:ParameterBindings>");
    // seen from inside, the inputs of a system are sources; start and end carry no direction
    const auto is_source = [&](std::size_t node, const std::string& element) {
      return (nodes_[node].kind == Kind::output) != element.empty();
    };
    const bool start_gives = is_source(from, c.start_element);
    const bool end_gives = is_source(to, c.end_element);
    if (start_gives == end_gives)
      return diagnostics_.error(
          "E806", c.span,
          fmt::format("the connection joins '{}' and '{}': both {} a value", nodes_[from].name,
                      nodes_[to].name, start_gives ? "give" : "take"),
          "a connection leads from an output to an input");
    if (end_gives) std::swap(from, to);
    Node& sink = nodes_[to];
    if (sink.source != kNone)
      return diagnostics_.error(
          "E805", c.span,
          fmt::format("'{}' is connected twice: to '{}' and to '{}'", sink.name,
                      nodes_[sink.source].name, nodes_[from].name),
          fmt::format("the first connection is in line {}; remove one of them",
                      structure_.file->text.find_place(sink.fed_at.begin).line));
    const Node& source = nodes_[from];
    if (source.type && sink.type && *source.type != *sink.type)
      return diagnostics_.error("E807", c.span,
                                fmt::format("'{}' is {}, '{}' is {}", source.name,
                                            word(*source.type), sink.name, word(*sink.type)),
                                "connect variables of the same type");
    const auto type = source.type ? source.type : sink.type;
    if (c.transformation.changes() && type && *type != FmuVariable::Type::real)
      return diagnostics_.error(
          "E807", c.span,
          fmt::format("a linear transformation of '{}', which is {}", source.name, word(*type)),
          "only Real signals can be transformed");
    sink.source = from;
    sink.transformation = c.transformation;
    sink.suppresses_units = c.suppresses_units;
    sink.fed_at = c.span;
  }

  // From the input of a component back to the output that feeds it.
  void add_link(std::size_t end) {
    if (nodes_[end].component == kNone || nodes_[end].kind != Kind::input) return;
    std::vector<std::size_t> path = {end};
    while (nodes_[path.back()].source != kNone && path.size() <= nodes_.size())
      path.push_back(nodes_[path.back()].source);
    const Node& origin = nodes_[path.back()];
    const Node& sink = nodes_[end];
    if (path.size() == 1) return;  // not connected
    if (origin.component == kNone) {
      system_.open_inputs.push_back(origin.name);
      return;
    }
    LinearTransformation total;
    std::string unit = origin.unit;
    const UnitTable* units = origin.units;
    for (std::size_t i = path.size() - 1; i-- > 0;) {
      const Node& next = nodes_[path[i]];
      if (next.type && *next.type != origin.variable->type)
        return diagnostics_.error(
            "E807", next.fed_at,
            fmt::format("'{}' is {}, '{}' is {}", origin.name, word(origin.variable->type),
                        next.name, word(*next.type)),
            "connect variables of the same type");
      if (!next.unit.empty()) {
        if (!next.suppresses_units && !unit.empty() && !convert(unit, units, next, origin, total))
          return;
        unit = next.unit;
        units = next.units;
      }
      total = chain(total, next.transformation);
    }
    system_.links.push_back({origin.component, origin.variable, sink.component, sink.variable,
                             total.factor, total.offset});
  }

  bool convert(const std::string& unit, const UnitTable* units, const Node& next,
               const Node& origin, LinearTransformation& total) {
    const auto from = find_defined_unit(unit, *units);
    const auto to = find_defined_unit(next.unit, *next.units);
    if ((!from || !to) && unit == next.unit) return true;
    std::optional<LinearTransformation> conversion;
    if (from && to) conversion = convert_unit(*from, *to);
    if (!conversion) {
      const std::string unknown = !from ? unit : !to ? next.unit : "";
      diagnostics_.error(
          "E808", next.fed_at,
          fmt::format("'{}' is in {}, '{}' in {}: {}", origin.name, unit, next.name, next.unit,
                      unknown.empty() ? "they measure different things"
                                      : fmt::format("the unit '{}' is defined nowhere", unknown)),
          unknown.empty() ? "connect another variable, or write suppressUnitConversion=\"true\" if "
                            "the numbers are meant to pass unchanged"
                          : "define it in <ssd:Units>");
      return false;
    }
    total = chain(total, *conversion);
    return true;
  }

  // ---- parameters -------------------------------------------------------------------------------

  void collect_values(const SystemElement& element, const std::string& prefix) {
    for (const ParameterBinding& binding : element.bindings) map_values(binding, prefix, values_);
  }

  void set_parameters(const std::vector<std::pair<std::string, std::string>>& start_values,
                      Diagnostics& usage) {
    for (std::size_t i = 0; i < system_.components.size(); ++i) {
      CoupledComponent& component = system_.components[i];
      apply_values(values_, component.name, component.fmu->description(),
                   unit_tables_[component.fmu], structure_.units, component.start_values);
    }
    // a set for a whole system may be made for more than is there; a name nobody knows is told
    for (const NamedValue& value : values_)
      if (!value.is_used) warn_unused(value);
    apply_given(start_values, usage);
  }

  void warn_unused(const NamedValue& value) {
    const CoupledComponent* owner = find_owner(value.name);
    value.binding->file->diagnostics.warning(
        "W811", value.value->span,
        fmt::format("no component has the parameter '{}'; it is ignored", value.name),
        owner == nullptr ? std::string()
                         : suggest_variable(value.name.substr(owner->name.size() + 1),
                                            owner->fmu->description()));
  }

  // The component whose name begins the dotted name.
  const CoupledComponent* find_owner(const std::string& name) const {
    const CoupledComponent* best = nullptr;
    for (const CoupledComponent& component : system_.components)
      if (name.starts_with(component.name + ".") &&
          (best == nullptr || component.name.size() > best->name.size()))
        best = &component;
    return best;
  }

  void apply_given(const std::vector<std::pair<std::string, std::string>>& given,
                   Diagnostics& usage) {
    std::map<const CoupledComponent*, std::vector<std::pair<std::string, std::string>>> by_owner;
    for (const auto& [name, text] : given) {
      const CoupledComponent* owner = find_owner(name);
      if (owner != nullptr) {
        by_owner[owner].emplace_back(name.substr(owner->name.size() + 1), text);
        continue;
      }
      std::vector<std::string_view> names;
      for (const CoupledComponent& c : system_.components) names.push_back(c.name);
      usage.error("E711", std::nullopt,
                  fmt::format("--start-value: '{}' is not COMPONENT.VARIABLE", name),
                  did_you_mean(name.substr(0, name.find('.')), names, "components"));
    }
    for (CoupledComponent& component : system_.components)
      if (const auto mine = by_owner.find(&component); mine != by_owner.end())
        override_values(component.start_values,
                        parse_start_values(mine->second, component.fmu->description(), usage));
  }

  const SystemStructure& structure_;
  const SourceFolder& folder_;
  Diagnostics& diagnostics_;
  CoupledSystem system_;
  std::vector<Node> nodes_;
  std::map<std::pair<std::string, std::string>, std::size_t> place_;  // by element, connector
  std::map<const Fmu*, UnitTable> unit_tables_;
  std::vector<NamedValue> values_;
};

}  // namespace

std::optional<CoupledSystem> make_coupled_system(
    const SystemStructure& structure, const SourceFolder& folder,
    const std::vector<std::pair<std::string, std::string>>& start_values, Diagnostics& usage) {
  return SystemMaker(structure, folder).make(start_values, usage);
}

}  // namespace mechfmu
