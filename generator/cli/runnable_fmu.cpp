#include "cli/runnable_fmu.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "build/build.hpp"
#include "package/temporary_folder.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostBodiesExposed = 40;

bool ends_with_fmu(const std::string& path) {
  return path.size() > 4 && path.compare(path.size() - 4, 4, ".fmu") == 0;
}

// Builds the mechanism into a private folder; path of the FMU, "" and an exit code if that failed.
std::string build_private(const std::string& file, const SystemArguments& arguments,
                          ExposeByDefault expose, const std::string& folder, Session& session) {
  std::optional<SystemOptions> options = make_system_options(arguments, session);
  if (!options) return {};
  LoadedSystem loaded = load_system(file, *options, LoadUntil::mechanism, session);
  if (session.exit_code == kExitUsage) return {};
  if (loaded.mechanism) {
    if (expose == ExposeByDefault::for_report && !arguments.expose &&
        loaded.mechanism->bodies.size() <= kMostBodiesExposed)
      options->expose = "all";
    loaded.system = make_system(*loaded.mechanism, *options, loaded.diagnostics);
  }
  std::string path;
  if (loaded.system) {
    BuildOptions build;
    path = build.output = folder + "/" + loaded.system->name + ".fmu";
    build.self_test = false;  // the run follows at once
    if (!build_fmu(*loaded.system, loaded.source, build, loaded.diagnostics)) path.clear();
  }
  session.exit_code = report_loaded(loaded, session);
  return session.exit_code == kExitDone ? path : std::string();
}

}  // namespace

std::optional<RunnableFmu> open_runnable(const std::string& file, const SystemArguments& arguments,
                                         ExposeByDefault expose, Session& session) {
  RunnableFmu runnable;
  Diagnostics diagnostics;
  std::string path = file;
  std::error_code ignored;
  const bool exists = fs::exists(path, ignored);
  if (is_archive(path) || (exists && ends_with_fmu(path))) {
    if (const std::string given = arguments.find_given(); !given.empty()) {
      session.usage_error(
          fmt::format("{} needs a mechanism file; {} is an FMU already", given, path),
          "an FMU's scheme.* and solver.* parameters are set with --start-value");
      return std::nullopt;
    }
  } else if (!exists && path != "-") {
    diagnostics.error("E101", std::nullopt, "the file cannot be opened: No such file or directory");
    const SourceText nowhere(path, "");
    session.exit_code = session.report(diagnostics, &nowhere);
    return std::nullopt;
  } else {
    runnable.folder = TemporaryFolder::make(diagnostics);
    if (runnable.folder)
      path = build_private(file, arguments, expose, runnable.folder->path(), session);
    if (!runnable.folder) session.exit_code = session.report(diagnostics, nullptr);
    if (session.exit_code != kExitDone) return std::nullopt;
  }

  std::optional<SourceText> text;
  runnable.fmu = Fmu::open(path, diagnostics, &text);
  session.exit_code = session.report(diagnostics, text ? &*text : nullptr);
  if (!runnable.fmu) return std::nullopt;
  Diagnostics load_diagnostics;
  const bool is_loaded = runnable.fmu->load(load_diagnostics);
  session.exit_code = session.report(load_diagnostics, nullptr);
  if (!is_loaded) return std::nullopt;
  return runnable;
}

}  // namespace mechfmu
