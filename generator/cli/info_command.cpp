// mechfmu info: what is in a mechanism file, or in an FMU of any tool.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/analysis_text.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/system_options.hpp"
#include "cli/words.hpp"
#include "emit/model_description.hpp"
#include "harness/fmu.hpp"
#include "package/archive.hpp"
#include "package/binary_check.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

struct InfoArguments {
  std::string file;
  bool json = false;
  SystemArguments system;
};

// One line of the variable table, whether it comes from a mechanism or from an FMU.
struct VariableRow {
  std::string name, causality, variability, type, unit, start, description;
};

std::vector<VariableRow> make_rows(const Interface& interface) {
  std::vector<VariableRow> rows;
  for (const InterfaceVariable& v : interface.variables) {
    std::string start = v.start ? number_text(*v.start) : "";
    const auto item = static_cast<std::size_t>(std::max(1.0, v.start.value_or(1))) - 1;
    if (v.type == ValueType::enumeration && item < v.items.size()) start = v.items[item];
    rows.push_back({v.name, std::string(causality_text(v.causality)),
                    std::string(variability_text(v.variability)),
                    v.type == ValueType::real      ? "Real"
                    : v.type == ValueType::integer ? "Integer"
                                                   : "Enumeration",
                    v.unit, std::move(start), v.description});
  }
  return rows;
}

std::vector<VariableRow> make_rows(const ModelDescription& description) {
  std::vector<VariableRow> rows;
  for (const FmuVariable& v : description.variables) {
    std::string start = v.start.value_or("");
    for (const FmuVariable::Item& item : v.items)
      if (std::to_string(item.value) == start) start = item.name;
    rows.push_back({v.name, std::string(word(v.causality)), std::string(word(v.variability)),
                    std::string(word(v.type)), v.unit, std::move(start), v.description});
  }
  return rows;
}

std::string make_variable_table(const std::vector<VariableRow>& rows) {
  std::size_t name_width = 4;
  std::size_t unit_width = 4;
  std::size_t start_width = 5;
  for (const VariableRow& row : rows) {
    name_width = std::max(name_width, row.name.size());
    unit_width = std::max(unit_width, row.unit.size());
    start_width = std::max(start_width, row.start.size());
  }
  std::string text =
      fmt::format("{:<{}}  {:<19}  {:<11}  {:<{}}  {:<{}}  description\n", "name", name_width,
                  "causality", "variability", "unit", unit_width, "start", start_width);
  for (const VariableRow& row : rows) {
    std::string line = fmt::format("{:<{}}  {:<19}  {:<11}  {:<{}}  {:<{}}  {}", row.name,
                                   name_width, row.causality, row.variability, row.unit, unit_width,
                                   row.start, start_width, row.description);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

void write_variables(JsonWriter& json, const std::vector<VariableRow>& rows) {
  json.key("variables").begin_array();
  for (const VariableRow& row : rows)
    json.begin_object()
        .member("name", row.name)
        .member("causality", row.causality)
        .member("variability", row.variability)
        .member("type", row.type)
        .member("unit", row.unit)
        .member("start", row.start)
        .member("description", row.description)
        .end_object();
  json.end_array();
}

// A library inside the FMU; what ELF does not tell (Windows, macOS) stays empty.
struct BinaryFile {
  std::string platform, name;
  std::size_t bytes = 0;
  std::optional<BinaryReport> report;
};

std::vector<BinaryFile> find_binaries(const std::vector<ArchiveFile>& files) {
  std::vector<BinaryFile> binaries;
  for (const ArchiveFile& file : files) {
    const fs::path path(file.name);
    if (file.name.compare(0, 9, "binaries/") != 0) continue;
    BinaryFile binary{path.parent_path().filename().string(), file.name, file.content.size(), {}};
    Diagnostics ignored;
    binary.report = read_binary(file.content, ignored);
    binaries.push_back(std::move(binary));
  }
  return binaries;
}

std::vector<std::string> list_capabilities(const FmuCapabilities& c) {
  std::vector<std::string> words;
  const auto add = [&](bool has, const char* text) {
    if (has) words.emplace_back(text);
  };
  add(c.can_handle_variable_step, "variable communication step");
  add(c.can_interpolate_inputs, "interpolates inputs");
  add(c.max_output_derivative_order > 0, "output derivatives");
  add(c.can_get_and_set_state, "saves and restores its state");
  add(c.can_serialize_state, "serialises its state");
  add(c.has_directional_derivative, "directional derivatives");
  add(!c.only_one_instance, "several instances");
  add(c.needs_execution_tool, "NEEDS ITS TOOL");
  return words;
}

std::string make_fmu_text(const std::string& path, std::size_t bytes, const ModelDescription& d,
                          const std::vector<BinaryFile>& binaries) {
  std::string text = fmt::format("{}: {}, FMI {}, {:.1f} kB\n", path, d.model_name, d.fmi_version,
                                 static_cast<double>(bytes) / 1000);
  const auto line = [&](const char* label, const std::string& content) {
    if (!content.empty()) text += fmt::format("{:<14}{}\n", label, content);
  };
  line("description", d.description);
  line("guid", d.guid);
  line("made by", d.generation_tool);
  line("date", d.generation_time);
  line("author", d.author);
  line("licence", d.license);
  if (d.co_simulation) line("co-simulation", join(list_capabilities(*d.co_simulation)));
  if (d.model_exchange) line("model exchange", "yes");
  const FmuExperiment& e = d.experiment;
  std::vector<std::string> experiment;
  if (e.start) experiment.push_back(fmt::format("start {} s", number_text(*e.start)));
  if (e.stop) experiment.push_back(fmt::format("stop {} s", number_text(*e.stop)));
  if (e.step) experiment.push_back(fmt::format("step {} s", number_text(*e.step)));
  if (e.tolerance) experiment.push_back(fmt::format("tolerance {}", number_text(*e.tolerance)));
  line("experiment", join(experiment));
  for (const BinaryFile& binary : binaries) {
    std::string content =
        fmt::format("{} ({:.1f} kB)", binary.name, static_cast<double>(binary.bytes) / 1000);
    if (binary.report)
      content += fmt::format(", needs {}{}", join(binary.report->needed, " "),
                             binary.report->glibc.major == 0
                                 ? std::string()
                                 : ", glibc " + version_text(binary.report->glibc) + " or later");
    line(binary.platform.c_str(), content);
  }
  if (binaries.empty()) line("binaries", "none: a source FMU");
  return text;
}

std::string make_fmu_json(const std::string& path, std::size_t bytes, const ModelDescription& d,
                          const std::vector<BinaryFile>& binaries) {
  JsonWriter json;
  json.begin_object()
      .member("file", path)
      .member("bytes", static_cast<std::int64_t>(bytes))
      .member("model_name", d.model_name)
      .member("fmi_version", d.fmi_version)
      .member("guid", d.guid)
      .member("description", d.description)
      .member("generation_tool", d.generation_tool)
      .member("co_simulation", d.co_simulation.has_value())
      .member("model_exchange", d.model_exchange.has_value());
  if (d.co_simulation) json.list("capabilities", list_capabilities(*d.co_simulation));
  json.key("experiment").begin_object();
  const auto write = [&](const char* name, const std::optional<double>& value) {
    if (value) json.member(name, *value);
  };
  write("start", d.experiment.start);
  write("stop", d.experiment.stop);
  write("step", d.experiment.step);
  write("tolerance", d.experiment.tolerance);
  json.end_object().key("binaries").begin_array();
  for (const BinaryFile& binary : binaries) {
    json.begin_object()
        .member("platform", binary.platform)
        .member("name", binary.name)
        .member("bytes", static_cast<std::int64_t>(binary.bytes));
    if (binary.report)
      json.list("needed", binary.report->needed)
          .member("glibc", version_text(binary.report->glibc));
    json.end_object();
  }
  json.end_array();
  write_variables(json, make_rows(d));
  return json.end_object().text();
}

void run_fmu_info(const InfoArguments& arguments, Session& session) {
  Diagnostics diagnostics;
  const auto files = read_archive(arguments.file, diagnostics);
  if (!files) {
    session.exit_code = session.report(diagnostics, nullptr);
    return;
  }
  const auto entry = std::find_if(files->begin(), files->end(), [](const ArchiveFile& file) {
    return file.name == "modelDescription.xml";
  });
  if (entry == files->end()) {
    diagnostics.error(
        "E611", std::nullopt,
        fmt::format("'{}' is a zip file without modelDescription.xml: not an FMU", arguments.file));
    session.exit_code = session.report(diagnostics, nullptr);
    return;
  }
  const SourceText source(arguments.file + "/modelDescription.xml", entry->content);
  const std::optional<ModelDescription> description = read_model_description(source, diagnostics);
  session.exit_code = session.report(diagnostics, &source);
  if (!description) return;

  std::error_code ignored;
  const auto bytes = static_cast<std::size_t>(fs::file_size(arguments.file, ignored));
  const std::vector<BinaryFile> binaries = find_binaries(*files);
  if (arguments.json) {
    session.result(make_fmu_json(arguments.file, bytes, *description, binaries));
  } else {
    session.result(make_fmu_text(arguments.file, bytes, *description, binaries));
    session.result("");
    session.result(make_variable_table(make_rows(*description)));
  }
  session.message(fmt::format("next: mechfmu simulate {}", shell_word(arguments.file)));
}

void run_mechanism_info(const InfoArguments& arguments, Session& session) {
  const std::optional<SystemOptions> options = make_system_options(arguments.system, session);
  if (!options) return;
  const LoadedSystem loaded = load_system(arguments.file, *options, LoadUntil::system, session);
  if (session.exit_code == kExitUsage) return;
  session.exit_code = report_loaded(loaded, session);
  if (!loaded.system) return;
  const std::vector<VariableRow> rows = make_rows(loaded.system->interface);
  if (arguments.json) {
    JsonWriter json;
    json.begin_object().member("file", arguments.file);
    write_analysis(json, *loaded.system);
    write_variables(json, rows);
    session.result(json.end_object().text());
  } else {
    session.result(make_analysis_text(*loaded.system));
    session.result("");
    session.result(make_variable_table(rows));
  }
  session.message(fmt::format("next: mechfmu build {}", shell_word(arguments.file)));
}

void run_info(const InfoArguments& arguments, Session& session) {
  std::error_code ignored;
  const fs::path path(arguments.file);
  const bool is_fmu = is_archive(arguments.file) ||
                      (path.extension() == ".fmu" && fs::is_regular_file(path, ignored));
  if (!is_fmu) return run_mechanism_info(arguments, session);
  if (const std::string given = arguments.system.find_given(); !given.empty())
    session.usage_error(
        fmt::format("{} needs a mechanism file; {} is an FMU already", given, arguments.file));
  else
    run_fmu_info(arguments, session);
}

}  // namespace

void add_info_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<InfoArguments>();
  CLI::App& command = add_command(app, "info", "what is in a mechanism or in an FMU",
                                  "mechfmu info four_bar.xml\nmechfmu info FourBar.fmu --json",
                                  [arguments, &session] { run_info(*arguments, session); });
  add_argument(command, "FILE", arguments->file, "mechanism file or FMU", true);
  add_flag(command, "--json", arguments->json, "as JSON");
  add_system_options(command, arguments->system);
}

}  // namespace mechfmu
