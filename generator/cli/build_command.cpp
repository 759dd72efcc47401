// mechfmu build: mechanism in, FMU out.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "build/build.hpp"
#include "cli/analysis_text.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/system_options.hpp"
#include "cli/words.hpp"
#include "emit/sources.hpp"
#include "support/did_you_mean.hpp"

namespace mechfmu {

namespace {

struct BuildArguments {
  std::string file;
  std::string output;
  std::string keep;
  std::optional<std::string> stop_after, dump;
  bool no_source = false;
  bool with_sources = false;
  SystemArguments system;
};

bool check_stage(const std::string& option, const std::optional<std::string>& stage,
                 const std::vector<std::string_view>& known, Session& session) {
  if (!stage || std::find(known.begin(), known.end(), *stage) != known.end()) return true;
  session.usage_error(fmt::format("{}: unknown stage '{}'", option, *stage),
                      did_you_mean(*stage, known, "stages"));
  return false;
}

std::string make_source_dump(const SystemModel& system) {
  std::string text;
  for (const SourceFile& file : emit_sources(system, ""))
    text += fmt::format("// ==> {} <==\n{}", file.name, file.content);
  return text;
}

void print_summary(const BuildArguments& arguments, const std::string& output,
                   const SystemModel& system, const BuildResult& result, const Session& session) {
  if (!session.quiet) {
    session.result(fmt::format("{}: {}", arguments.file, make_headline(system)));
    session.result(make_method_line(system));
    session.result(fmt::format(
        "wrote {}: {:.1f} kB ({}, needs {}, glibc {} or later), {}, {:.2f} s of CPU time", output,
        static_cast<double>(result.fmu_bytes) / 1000, system.name, result.needed, result.glibc,
        count_text(static_cast<long long>(system.interface.variables.size()), "variable"),
        result.cpu_seconds));
  }
  session.detail(fmt::format("guid {}, library {} bytes", result.guid, result.library_bytes));
  session.message(fmt::format("next: mechfmu simulate {}", shell_word(output)));
}

void run_build(const BuildArguments& arguments, Session& session) {
  if (!check_stage("--stop-after", arguments.stop_after, {"read", "check", "emit"}, session) ||
      !check_stage("--dump", arguments.dump, {"check", "emit"}, session))
    return;
  const std::optional<SystemOptions> options = make_system_options(arguments.system, session);
  if (!options) return;

  const bool stops_after_read = arguments.stop_after == "read";
  LoadedSystem loaded =
      load_system(arguments.file, *options,
                  stops_after_read ? LoadUntil::mechanism : LoadUntil::system, session);
  if (session.exit_code == kExitUsage) return;
  if (stops_after_read || !loaded.system) {
    session.exit_code = report_loaded(loaded, session);
    return;
  }
  if (arguments.dump == "check") session.result(make_analysis_text(*loaded.system));
  if (arguments.dump == "emit") session.result(make_source_dump(*loaded.system));
  if (arguments.stop_after) {
    session.exit_code = report_loaded(loaded, session);
    return;
  }

  BuildOptions build;
  build.output = arguments.output.empty() ? loaded.system->name + ".fmu" : arguments.output;
  build.keep = arguments.keep;
  build.carry_source = !arguments.no_source;
  build.with_sources = arguments.with_sources;
  const std::optional<BuildResult> result =
      build_fmu(*loaded.system, loaded.source, build, loaded.diagnostics);
  session.exit_code = report_loaded(loaded, session);
  if (result) print_summary(arguments, build.output, *loaded.system, *result, session);
}

}  // namespace

void add_build_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<BuildArguments>();
  CLI::App& command = add_command(
      app, "build", "compile a mechanism into an FMU",
      "mechfmu build four_bar.xml\n"
      "mechfmu build four_bar.xml -o arm.fmu --scheme baumgarte:alpha=50 --step '0.5 ms'",
      [arguments, &session] { run_build(*arguments, session); });
  add_argument(command, "FILE", arguments->file, "mechanism file; - is the standard input", true);
  add_option(command, "-o,--output", "X.fmu", arguments->output,
             "the FMU (default: NAME.fmu in the current folder)");
  add_system_options(command, arguments->system);
  add_option(command, "--keep", "DIR", arguments->keep,
             "leave the generated sources and modelDescription.xml there");
  add_flag(command, "--no-source", arguments->no_source,
           "do not put the mechanism file into the FMU");
  add_flag(command, "--with-sources", arguments->with_sources,
           "put the source code of the library into the FMU, too");
  add_option(command, "--stop-after", "STAGE", arguments->stop_after, "read, check or emit");
  add_option(command, "--dump", "STAGE", arguments->dump,
             "print what a stage made: check (analysis), emit (C++ sources)");
}

}  // namespace mechfmu
