// mechfmu doctor: what works on this machine, and how to get the rest.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "build/compiler.hpp"
#include "build/process.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "harness/fmu_library.hpp"
#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"
#include "support/json_writer.hpp"

namespace mechfmu {

namespace {

struct Finding {
  std::string what;
  bool ok = false;
  bool needed = true;  // without it no FMU can be built
  std::string text;
  std::string package;  // Debian package that brings it; "" if none does
};

// The compiler's answer to --version says little: a compiler without C library headers answers,
// too.
std::string try_compiler(const Compiler& compiler, const std::string& folder) {
  constexpr std::string_view kProgram =
      "#include <cmath>\n#include <cstddef>\n"
      "extern \"C\" double probe(double x) { return std::sin(x); }\n";
  if (std::string reason = write_file(folder + "/probe.cpp", kProgram, IfExists::replace);
      !reason.empty())
    return reason;
  ProcessRequest request;
  request.command = compiler.command;
  for (const char* word : {"-std=c++20", "-shared", "-fPIC", "probe.cpp", "-o", "probe.so", "-lm"})
    request.command.emplace_back(word);
  request.folder = folder;
  request.environment = {{"LC_ALL", "C"}, {"TMPDIR", folder}};
  request.seconds_allowed = 120;
  const ProcessResult result = run_process(request);
  if (result.is_success()) return {};
  return describe_end(result) + (result.output.empty() ? "" : ": " + result.output);
}

std::vector<Finding> examine() {
  std::vector<Finding> findings;
  Diagnostics diagnostics;
  const std::unique_ptr<TemporaryFolder> folder = TemporaryFolder::make(diagnostics);
  findings.push_back({"temporary folder", folder != nullptr, true,
                      folder ? std::filesystem::path(folder->path()).parent_path().string()
                             : diagnostics.all().front().message,
                      ""});

  Diagnostics compiler_diagnostics;
  const std::optional<Compiler> compiler = find_compiler(compiler_diagnostics);
  if (!compiler) {
    findings.push_back(
        {"C++ compiler", false, true, compiler_diagnostics.all().front().message, "g++"});
  } else {
    const std::string version = compiler_version(*compiler);
    findings.push_back({"C++ compiler", !version.empty(), true,
                        fmt::format("{}: {}", compiler->command.front(),
                                    version.empty() ? "does not answer to --version" : version),
                        "g++"});
    if (folder) {
      const std::string problem = try_compiler(*compiler, folder->path());
      findings.push_back({"makes a shared library", problem.empty(), true,
                          problem.empty() ? "yes" : problem, "g++"});
    }
  }
  const std::string xmllint = find_program("xmllint");
  findings.push_back(
      {"xmllint", !xmllint.empty(), false,
       xmllint.empty() ? "not found; checks files against 'mechfmu schema'" : xmllint,
       "libxml2-utils"});
  return findings;
}

void run_doctor(bool as_json, Session& session) {
  const std::vector<Finding> findings = examine();
  std::string missing;
  bool can_build = true;
  JsonWriter json;
  json.begin_object().member("platform", host_platform());
  json.key("findings").begin_array();
  for (const Finding& finding : findings) {
    can_build = can_build && (finding.ok || !finding.needed);
    if (!finding.ok && !finding.package.empty() &&
        missing.find(finding.package) == std::string::npos)
      missing += ' ' + finding.package;
    json.begin_object()
        .member("what", finding.what)
        .member("ok", finding.ok)
        .member("needed", finding.needed)
        .member("text", finding.text)
        .end_object();
    if (!as_json)
      session.result(fmt::format("{:<8}{}: {}",
                                 finding.ok       ? "ok"
                                 : finding.needed ? "MISSING"
                                                  : "absent",
                                 finding.what, finding.text));
  }
  json.end_array().member("can_build", can_build).end_object();
  if (as_json)
    session.result(json.text());
  else
    session.result(fmt::format("{:<8}platform: {}", "ok", host_platform()));

  session.exit_code = can_build ? kExitDone : kExitEnvironment;
  if (!missing.empty())
    session.message(fmt::format("next: apt install{}", missing));
  else if (can_build)
    session.message("next: mechfmu new");
}

}  // namespace

void add_doctor_command(CLI::App& app, Session& session) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App& command = add_command(app, "doctor", "what works on this machine",
                                  "mechfmu doctor\nmechfmu doctor --json",
                                  [as_json, &session] { run_doctor(*as_json, session); });
  add_flag(command, "--json", *as_json, "as JSON");
}

}  // namespace mechfmu
