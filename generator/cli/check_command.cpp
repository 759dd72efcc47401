// mechfmu check: reads, validates, counts degrees of freedom, assembles; builds nothing.
#include <fmt/format.h>

#include <memory>

#include "cli/analysis_text.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/system_options.hpp"
#include "cli/words.hpp"

namespace mechfmu {

namespace {

struct CheckArguments {
  std::string file;
  bool json = false;
  SystemArguments system;
};

void run_check(const CheckArguments& arguments, Session& session) {
  const std::optional<SystemOptions> options = make_system_options(arguments.system, session);
  if (!options) return;
  const LoadedSystem loaded = load_system(arguments.file, *options, LoadUntil::system, session);
  if (session.exit_code == kExitUsage) return;
  session.exit_code = report_loaded(loaded, session);

  if (arguments.json) {
    JsonWriter json;
    json.begin_object().member("file", arguments.file).member("ok", loaded.system.has_value());
    if (loaded.system) write_analysis(json, *loaded.system);
    write_diagnostics(json, loaded.diagnostics, loaded.source);
    session.result(json.end_object().text());
  } else if (loaded.system) {
    session.result(make_analysis_text(*loaded.system));
  }
  if (loaded.system)
    session.message(fmt::format("next: mechfmu build {}", shell_word(arguments.file)));
  else if (const int errors = loaded.diagnostics.error_count(); errors > 0)
    session.message(fmt::format("{}; 'mechfmu explain CODE' says more about each",
                                count_text(errors, "error")));
}

}  // namespace

void add_check_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App& command = add_command(app, "check", "read a mechanism, count its freedom, assemble it",
                                  "mechfmu check four_bar.xml\nmechfmu check four_bar.xml --json",
                                  [arguments, &session] { run_check(*arguments, session); });
  add_argument(command, "FILE", arguments->file, "mechanism file; - is the standard input", true);
  add_flag(command, "--json", arguments->json, "the analysis as JSON");
  add_system_options(command, arguments->system);
}

}  // namespace mechfmu
