// Systems for the tests of the master: .ssd text written from short lists, FMUs built from
// equations, results as a table.
#pragma once
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "build/build.hpp"
#include "coupling/coupled_run.hpp"
#include "coupling/system_folder.hpp"
#include "harness/csv.hpp"
#include "support/mechanism_run.hpp"
#include "support/test_folder.hpp"

namespace mechfmu::test {

inline void build_fmu_file(const std::string& xml, const std::string& path) {
  const SourceText source("model.xml", xml);
  Diagnostics diagnostics;
  const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics);
  std::optional<SystemModel> system;
  if (mechanism) system = make_system(*mechanism, {}, diagnostics);
  BuildOptions build;
  build.output = path;
  build.self_test = false;
  if (!system || !build_fmu(*system, source, build, diagnostics))
    throw std::runtime_error(render(diagnostics, source));
}

// "x out m", "F in N", "n in Integer": name, direction, then type or unit
inline std::string connector(const std::string& text) {
  std::istringstream words(text);
  std::string name, direction, what;
  words >> name >> direction >> what;
  const bool is_type = what == "Integer" || what == "Boolean" || what == "String";
  return "<ssd:Connector name=\"" + name + "\" kind=\"" + (direction == "in" ? "input" : "output") +
         "\"><ssc:" + (is_type ? what : "Real") +
         (is_type || what.empty() ? "" : " unit=\"" + what + "\"") + "/></ssd:Connector>";
}

inline std::string component(const std::string& name, const std::string& source,
                             const std::vector<std::string>& connectors,
                             const std::string& bindings = "") {
  std::string text =
      "<ssd:Component name=\"" + name + "\" source=\"" + source + "\">\n<ssd:Connectors>\n";
  for (const std::string& c : connectors) text += connector(c) + "\n";
  return text + "</ssd:Connectors>\n" + bindings + "</ssd:Component>\n";
}

// "a.x > b.u"; an end without a dot is a connector of the system. Names of variables have no dot.
inline std::string connection(const std::string& text, const std::string& inside = "",
                              const std::string& attributes = "") {
  const std::size_t arrow = text.find(" > ");
  const auto end = [](const std::string& path, const std::string& which) {
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos) return which + "Connector=\"" + path + "\" ";
    return which + "Element=\"" + path.substr(0, dot) + "\" " + which + "Connector=\"" +
           path.substr(dot + 1) + "\" ";
  };
  return "<ssd:Connection " + end(text.substr(0, arrow), "start") +
         end(text.substr(arrow + 3), "end") + attributes + ">" + inside + "</ssd:Connection>\n";
}

inline std::string inline_values(const std::string& parameters,
                                 const std::string& attributes = "") {
  return "<ssd:ParameterBindings><ssd:ParameterBinding " + attributes +
         "><ssd:ParameterValues><ssv:ParameterSet version=\"1.0\" name=\"p\"><ssv:Parameters>" +
         parameters +
         "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding>"
         "</ssd:ParameterBindings>\n";
}
inline std::string real_value(const std::string& name, const std::string& value,
                              const std::string& unit = "") {
  return "<ssv:Parameter name=\"" + name + "\"><ssv:Real value=\"" + value + "\"" +
         (unit.empty() ? "" : " unit=\"" + unit + "\"") + "/></ssv:Parameter>";
}

struct SystemText {
  std::string connectors, bindings, elements, connections, units;
  std::string stop = "1";

  [[nodiscard]] std::string ssd() const {
    const auto wrap = [](const std::string& name, const std::string& content) {
      return content.empty() ? "" : "<ssd:" + name + ">\n" + content + "</ssd:" + name + ">\n";
    };
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<ssd:SystemStructureDescription "
           "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
           "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" "
           "xmlns:ssm=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\" "
           "xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" "
           "version=\"1.0\" name=\"test\">\n<ssd:System name=\"root\">\n" +
           wrap("Connectors", connectors) + bindings + wrap("Elements", elements) +
           wrap("Connections", connections) + "</ssd:System>\n" + wrap("Units", units) +
           "<ssd:DefaultExperiment startTime=\"0\" stopTime=\"" + stop +
           "\"/>\n</ssd:SystemStructureDescription>\n";
  }
};

struct CoupledResult {
  CoupledReport report;
  CsvTable table;
  std::string text;  // of the table, as written
  Diagnostics diagnostics;

  [[nodiscard]] double at(std::size_t row, const std::string& name) const {
    const auto column = table.find_column(name);
    if (!column) throw std::runtime_error("no column " + name);
    return table.at(row, *column);
  }
  [[nodiscard]] double last(const std::string& name) const { return at(table.rows() - 1, name); }
};

// What the reading of a system says: one line per diagnostic, "E803 12: message | hint".
inline std::string read_messages(const std::string& path) {
  SourceFiles files;
  Diagnostics other;
  std::string text;
  const auto folder = open_system_folder(path, "", files, other);
  if (folder) {
    const SourceFolder sources = folder->sources();
    if (const auto structure = read_system_structure(files, sources))
      make_coupled_system(*structure, sources, {}, other);
  }
  const auto add = [&](const Diagnostics& diagnostics, const SourceText* source) {
    for (const Diagnostic& d : diagnostics.all())
      text += d.code +
              (d.span && source != nullptr
                   ? " " + std::to_string(source->find_place(d.span->begin).line)
                   : "") +
              ": " + d.message + " | " + d.hint + "\n";
  };
  for (const SourceFile& file : files) add(file.diagnostics, &file.text);
  add(other, nullptr);
  return text;
}

inline CoupledResult run_system(
    const std::string& path, const CouplingOptions& options, const CommunicationRequest& request,
    const std::vector<std::pair<std::string, std::string>>& start_values = {},
    const std::vector<std::string>& output_variables = {}) {
  CoupledResult result;
  SourceFiles files;
  const auto folder = open_system_folder(path, "", files, result.diagnostics);
  std::optional<CoupledSystem> system;
  if (folder) {
    const SourceFolder sources = folder->sources();
    if (const auto structure = read_system_structure(files, sources))
      system = make_coupled_system(*structure, sources, start_values, result.diagnostics);
  }
  std::optional<CoupledPlan> plan;
  if (system) plan = make_coupled_plan(*system, request, output_variables, result.diagnostics);
  if (!plan) throw std::runtime_error(read_messages(path));
  if (!CouplingMaster::check(*system, options, result.diagnostics)) return result;
  result.report = run_coupled(
      *system, *plan, options,
      [&](const std::string& line) {
        result.text += line;
        return true;
      },
      {}, {}, result.diagnostics);
  Diagnostics ignored;
  if (auto table = parse_csv(SourceText("result", result.text), ignored))
    result.table = std::move(*table);
  return result;
}

}  // namespace mechfmu::test
