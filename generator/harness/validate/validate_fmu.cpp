#include "harness/validate/validate_fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "build/process.hpp"
#include "harness/validate/archive_rules.hpp"
#include "harness/validate/binary_rules.hpp"
#include "harness/validate/run_checks.hpp"
#include "harness/validate/schema_rules.hpp"
#include "harness/validate/semantic_rules.hpp"
#include "package/archive.hpp"
#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"

namespace mechfmu {

namespace fs = std::filesystem;
using namespace fmu_check;

namespace {

// The official schema by xmllint; false if that could not be run.
bool check_official_schema(const std::string& folder, const std::string& description,
                           const std::string& temporary, Findings& findings,
                           Diagnostics& diagnostics) {
  const std::string schema = folder + "/fmi2ModelDescription.xsd";
  const auto fail = [&](std::string message, std::string hint) {
    diagnostics.error("S634", std::nullopt, std::move(message), std::move(hint));
    return false;
  };
  std::error_code ignored;
  if (!fs::is_regular_file(schema, ignored))
    return fail(fmt::format("there is no file '{}'", schema),
                "--schema-dir is the folder of fmi2ModelDescription.xsd");
  if (find_program("xmllint").empty())
    return fail("--schema-dir needs the program xmllint, which is not installed",
                "install libxml2-utils, or leave out --schema-dir");
  const std::string file = temporary + "/" + kDescriptionFile;
  if (const std::string reason = write_file(file, description, IfExists::replace); !reason.empty())
    return fail(fmt::format("cannot write '{}': {}", file, reason), "");
  ProcessRequest request;
  request.command = {"xmllint", "--nonet", "--noout", "--schema", schema, file};
  const ProcessResult result = run_process(request);
  if (result.is_success()) return true;
  if (result.end != ProcessResult::End::exited) return fail("xmllint " + describe_end(result), "");
  // "<file>:<line>: element X: Schemas validity error : <text>"
  std::string_view rest = result.output;
  bool is_told = false;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.starts_with(file + ":")) continue;
    line.remove_prefix(file.size() + 1);
    const std::size_t colon = line.find(':');
    const std::optional<unsigned> number = parse_unsigned_int(line.substr(0, colon));
    const std::size_t text = line.find(" error : ");
    if (!number || text == std::string_view::npos) continue;
    findings.add(Rule::schema_official, {kDescriptionFile, *number, ""},
                 std::string(line.substr(text + 9)));
    is_told = true;
  }
  if (is_told) return true;
  return fail(fmt::format("xmllint says: {}", result.output), "");
}

class FmuRunner {
 public:
  FmuRunner(const FileContents& files, const ModelFacts& facts, const ModelDescription& description,
            const ValidateOptions& options, ValidationReport& report)
      : files_(files),
        facts_(facts),
        description_(description),
        options_(options),
        report_(report) {}

  bool run(const std::string& folder, Diagnostics& diagnostics) {
    if (facts_.needs_tool) {
      report_.notes.emplace_back("not run: the FMU needs the tool that made it");
      return true;
    }
    if (!unpack(folder, diagnostics)) return false;
    if (description_.co_simulation) run_interface(folder, fmi2CoSimulation);
    if (description_.model_exchange) run_interface(folder, fmi2ModelExchange);
    return true;
  }

 private:
  bool unpack(const std::string& folder, Diagnostics& diagnostics) {
    const auto fail = [&](const std::string& what, const std::string& reason) {
      diagnostics.error("S621", std::nullopt,
                        fmt::format("cannot unpack to '{}': {}", what, reason));
      return false;
    };
    if (const std::string reason = make_folders(folder + "/fmu/resources"); !reason.empty())
      return fail(folder, reason);
    for (const auto& [name, content] : files_) {
      const std::string path = folder + "/fmu/" + name;
      const std::string above = path.substr(0, path.rfind('/'));
      if (const std::string reason = make_folders(above); !reason.empty())
        return fail(above, reason);
      if (const std::string reason = write_file(path, content, IfExists::replace); !reason.empty())
        return fail(path, reason);
    }
    std::error_code error;
    fs::create_directory_symlink("fmu", folder + "/with blank", error);
    return !error || fail(folder, error.message());
  }

  void run_interface(const std::string& folder, fmi2Type type) {
    TestedModel model;
    model.description = &description_;
    model.type = type;
    model.capabilities =
        type == fmi2CoSimulation ? &*description_.co_simulation : &*description_.model_exchange;
    const std::string library =
        fmt::format("binaries/{}/{}.so", host_platform(), model.capabilities->model_identifier);
    if (!files_.contains(library)) {
      report_.notes.push_back(fmt::format("not run: the FMU has no {}", printable(library)));
      return;
    }
    model.library = folder + "/fmu/" + library;
    model.resources = folder + "/fmu/resources";
    model.resources_with_blank = folder + "/with blank/resources";
    model.event_indicators = static_cast<std::size_t>(std::max(0, facts_.event_indicators));
    model.completed_step_not_needed = facts_.completed_step_not_needed;
    model.strict = options_.is_strict;
    model.seconds_allowed = options_.seconds_allowed;
    std::vector<RunCheck> checks;
    for (const auto* list : {&instance_checks(), &value_checks(), &capability_checks()})
      checks.insert(checks.end(), list->begin(), list->end());
    std::stable_partition(checks.begin(), checks.end(),
                          [](const RunCheck& c) { return c.stops != StopsOthers::never; });
    for (const RunCheck& check : checks) {
      if (check.applies != nullptr && !check.applies(model)) continue;
      if (run_check(check, model, library)) continue;
      report_.notes.push_back(
          fmt::format("not run further as {}: the check of {} has failed",
                      type == fmi2CoSimulation ? "co-simulation" : "model exchange", check.title));
      return;
    }
  }

  // What only model exchange shows in an FMU of both interfaces says so.
  void add(const Finding& finding, const TestedModel& model) {
    if (report_.findings.has(finding)) return;
    const bool is_second = model.is_model_exchange() && description_.co_simulation;
    report_.findings.add(finding.rule, finding.place,
                         (is_second ? "as model exchange, " : "") + finding.message);
  }

  // Whether the others can be run, too.
  bool run_check(const RunCheck& check, const TestedModel& model, const std::string& library) {
    Findings found;
    const ChildEnd end = run_in_child(
        [&](Reporter& reporter) {
          TestedLibrary loaded(model, reporter);
          if (loaded.is_loaded()) check.run(loaded);
        },
        options_.seconds_allowed, library, found);
    ++report_.checks_run;
    for (const Finding& finding : found.all()) add(finding, model);
    if (end.kind == ChildEnd::Kind::finished)
      return check.stops != StopsOthers::if_it_finds_errors || found.count(Severity::error) == 0;
    if (end.kind == ChildEnd::Kind::not_started) {
      report_.notes.push_back(
          fmt::format("not run ({}): no process could be started", check.title));
      return true;
    }
    add({end.kind == ChildEnd::Kind::timed_out ? Rule::run_hang : check.crash_rule,
         {library, 0, ""},
         fmt::format("check of {}: {}", check.title, describe_end(end, options_.seconds_allowed))},
        model);
    return check.stops == StopsOthers::never;
  }

  const FileContents& files_;
  const ModelFacts& facts_;
  const ModelDescription& description_;
  const ValidateOptions& options_;
  ValidationReport& report_;
};

}  // namespace

std::optional<ValidationReport> validate_fmu(const std::string& path,
                                             const ValidateOptions& options,
                                             Diagnostics& diagnostics) {
  ValidationReport report;
  std::string bytes;
  if (const std::string reason = read_file(path, ArchiveLimits().archive_bytes, bytes);
      !reason.empty()) {
    diagnostics.error("S620", std::nullopt, fmt::format("cannot read '{}': {}", path, reason));
    return std::nullopt;
  }
  const std::unique_ptr<TemporaryFolder> folder = TemporaryFolder::make(diagnostics);
  if (!folder) return std::nullopt;

  const FileContents files = check_archive(bytes, path, report.findings);
  const auto description_file = files.find(kDescriptionFile);
  if (description_file == files.end()) return report;
  const SourceText source(kDescriptionFile, description_file->second);
  pugi::xml_document document;
  if (!parse_description(source, document, report.findings)) return report;
  check_schema(source, document.document_element(), report.findings);
  if (!options.schema_folder.empty() &&
      !check_official_schema(options.schema_folder, source.content(), folder->path(),
                             report.findings, diagnostics))
    return std::nullopt;

  const ModelFacts facts(source, document);
  check_model(facts, report.findings);
  check_units_and_types(facts, report.findings);
  check_variables(facts, report.findings);
  check_aliases(facts, report.findings);
  check_structure(facts, report.findings);
  check_layout(files, facts, report.findings);
  check_binaries(files, facts, report.findings);

  if (!options.runs_fmu) {
    report.notes.emplace_back("not run: --static");
    return report;
  }
  Diagnostics reading;
  const std::optional<ModelDescription> description = read_model_description(source, reading);
  if (!description) {
    report.notes.emplace_back("not run: modelDescription.xml has errors that hide what to call");
    return report;
  }
  FmuRunner runner(files, facts, *description, options, report);
  if (!runner.run(folder->path(), diagnostics)) return std::nullopt;
  return report;
}

}  // namespace mechfmu
