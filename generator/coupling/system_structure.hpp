// A system of the SSP standard (version 1.0) as its files say it: elements with connectors,
// connections, parameters. Nothing is looked up yet; make_coupled_system() does that.
//
// Several files take part (the .ssd, parameter sets .ssv, mappings .ssm). Each keeps its own
// diagnostics, so that every message can show its line.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/model_description.hpp"
#include "support/diagnostic.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

struct SourceFile {
  SourceText text;
  Diagnostics diagnostics;
};
using SourceFiles = std::deque<SourceFile>;  // addresses stay

struct Connector {
  enum class Kind { input, output, parameter, calculated_parameter, inout };
  std::string name;
  Kind kind = Kind::input;
  std::optional<FmuVariable::Type> type;
  std::string unit;
  Span span;
};

struct LinearTransformation {
  double factor = 1, offset = 0;
  [[nodiscard]] bool changes() const { return factor != 1 || offset != 0; }
};

struct Connection {
  std::string start_element, start_connector;  // element "": a connector of the system itself
  std::string end_element, end_connector;
  LinearTransformation transformation;
  bool suppresses_units = false;
  Span span, start_span, end_span;
};

using UnitTable = std::map<std::string, FmuUnit, std::less<>>;

struct ParameterValue {
  std::string name;
  FmuVariable::Type type = FmuVariable::Type::real;
  std::string value, unit;
  Span span;
};

struct MappingEntry {
  std::string source, target;
  LinearTransformation transformation;
  bool suppresses_units = false;
};

struct ParameterBinding {
  std::string prefix;
  std::vector<ParameterValue> values;
  UnitTable units;  // of the parameter set's own file
  std::optional<std::vector<MappingEntry>> mapping;
  SourceFile* file = nullptr;  // where the values stand
};

struct SystemElement {
  std::string name;
  Span span;
  std::vector<Connector> connectors;
  std::vector<ParameterBinding> bindings;
  bool is_system = false;
  // a component
  std::string source, type, implementation;
  Span source_span;
  // a system
  std::vector<SystemElement> elements;
  std::vector<Connection> connections;
};

struct SystemStructure {
  std::string name;
  SystemElement root;
  UnitTable units;
  std::optional<double> start, stop;  // of the default experiment [s]
  std::optional<double> step;         // of an annotation for OMSimulator [s]
  SourceFile* file = nullptr;
};

}  // namespace mechfmu
