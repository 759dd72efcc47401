// mechfmu validate: what is wrong with an FMU, of any tool, by the rules of FMI 2.0.
#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/json_writer.hpp"
#include "cli/options.hpp"
#include "harness/validate/validate_fmu.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

using fmu_check::Finding;
using fmu_check::Findings;
using fmu_check::RuleText;

namespace {

struct ValidateArguments {
  std::string file, schema_folder;
  std::optional<std::string> time_limit;
  bool json = false;
  bool is_static = false;
  bool strict = false;
};

std::string_view severity_word(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

std::string count_text(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string make_summary(const ValidationReport& report) {
  return fmt::format(
      "{}, {}{}", count_text(report.findings.count(Severity::error), "error"),
      count_text(report.findings.count(Severity::warning), "warning"),
      report.checks_run == 0
          ? std::string()
          : fmt::format("; {} with the FMU running",
                        count_text(static_cast<std::size_t>(report.checks_run), "check")));
}

std::string make_text(const std::string& path, const ValidationReport& report) {
  std::string text;
  for (const Finding& finding : report.findings.all()) {
    const RuleText& rule = fmu_check::rule_text(finding.rule);
    const std::string place = fmu_check::place_text(finding.place);
    text += fmt::format("{}{}{} {}: {}. Rule: {}\n", place, place.empty() ? "" : ": ",
                        severity_word(rule.severity), rule.id,
                        fmu_check::printable(finding.message), rule.text);
  }
  for (const auto& [rule, count] : report.findings.hidden())
    text += fmt::format("... and {} more of {}\n", count, fmu_check::rule_text(rule).id);
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  return text + fmt::format("{}: {}", path, make_summary(report));
}

std::string make_json(const std::string& path, const ValidationReport& report) {
  JsonWriter json;
  const auto count = [&](Severity severity) {
    return static_cast<std::int64_t>(report.findings.count(severity));
  };
  json.begin_object()
      .member("file", path)
      .member("errors", count(Severity::error))
      .member("warnings", count(Severity::warning))
      .member("checks_run", report.checks_run)
      .list("notes", report.notes);
  json.key("findings").begin_array();
  for (const Finding& finding : report.findings.all()) {
    const RuleText& rule = fmu_check::rule_text(finding.rule);
    json.begin_object()
        .member("severity", severity_word(rule.severity))
        .member("rule", rule.id)
        .member("file", finding.place.file);
    json.key("line");
    if (finding.place.line > 0)
      json.value(static_cast<std::int64_t>(finding.place.line));
    else
      json.null();
    json.member("variable", finding.place.variable)
        .member("message", finding.message)
        .member("standard", rule.text)
        .end_object();
  }
  json.end_array().key("hidden").begin_object();
  for (const auto& [rule, number] : report.findings.hidden())
    json.member(fmu_check::rule_text(rule).id, static_cast<std::int64_t>(number));
  return json.end_object().end_object().text();
}

void run_validate(const ValidateArguments& arguments, Session& session) {
  ValidateOptions options;
  options.schema_folder = arguments.schema_folder;
  options.runs_fmu = !arguments.is_static;
  options.is_strict = arguments.strict;
  if (arguments.time_limit) {
    const std::optional<double> seconds = parse_number(*arguments.time_limit);
    if (!seconds || *seconds <= 0) {
      session.usage_error(
          fmt::format("--time-limit: '{}' is not a number of seconds", *arguments.time_limit));
      return;
    }
    options.seconds_allowed = *seconds;
  }
  Diagnostics diagnostics;
  const std::optional<ValidationReport> report = validate_fmu(arguments.file, options, diagnostics);
  session.exit_code = session.report(diagnostics, nullptr);
  if (!report) return;
  session.result(arguments.json ? make_json(arguments.file, *report)
                                : make_text(arguments.file, *report));
  session.exit_code = report->findings.count(Severity::error) > 0 ? kExitModelErrors : kExitDone;
}

}  // namespace

void add_validate_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<ValidateArguments>();
  CLI::App& command = add_command(app, "validate", "what is wrong with an FMU, of any tool",
                                  "mechfmu validate FourBar.fmu\n"
                                  "mechfmu validate Other.fmu --static --json",
                                  [arguments, &session] { run_validate(*arguments, session); });
  add_argument(command, "FMU", arguments->file, "the FMU", true);
  add_flag(command, "--json", arguments->json, "as JSON");
  add_flag(command, "--static", arguments->is_static, "look at the files only, do not run it");
  add_flag(command, "--strict", arguments->strict, "also call it with NULL pointers");
  add_option(command, "--schema-dir", "DIR", arguments->schema_folder,
             "folder of the official fmi2ModelDescription.xsd (needs xmllint)");
  add_option(command, "--time-limit", "SECONDS", arguments->time_limit,
             "for each check that runs the FMU; default 30");
}

}  // namespace mechfmu
