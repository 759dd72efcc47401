#include "cli/coupled_example.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "build/build.hpp"
#include "cli/words.hpp"
#include "package/archive.hpp"
#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"
#include "support/assert.hpp"
#include "support/embedded.hpp"
#include "validation/validate.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestFmu = std::uint64_t{256} << 20U;

std::string find_text(const std::string& name) {
  const std::string_view text = find_embedded(embedded_templates(), "coupled/" + name + ".in");
  MECHFMU_ASSERT(!text.empty(), "the template coupled/" + name + " is embedded");
  return std::string(text);
}

// The bytes of the FMU; nothing and diagnostics if it cannot be built (no compiler, no room).
std::optional<std::string> build_bytes(const std::string& file, const std::string& folder,
                                       Diagnostics& diagnostics) {
  const SourceText source(file, find_text(file));
  const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics);
  std::optional<SystemModel> system;
  if (mechanism) system = make_system(*mechanism, {}, diagnostics);
  if (!system) return std::nullopt;
  BuildOptions build;
  build.output = folder + "/" + system->name + ".fmu";
  if (!build_fmu(*system, source, build, diagnostics)) return std::nullopt;
  std::string bytes;
  if (const std::string reason = read_file(build.output, kLargestFmu, bytes); !reason.empty()) {
    diagnostics.error("S620", std::nullopt,
                      fmt::format("'{}' cannot be read again: {}", build.output, reason));
    return std::nullopt;
  }
  return bytes;
}

std::optional<std::vector<ArchiveFile>> make_files(Diagnostics& diagnostics) {
  const auto folder = TemporaryFolder::make(diagnostics);
  if (!folder) return std::nullopt;
  std::vector<ArchiveFile> system = {
      {"SystemStructure.ssd", find_text("SystemStructure.ssd"), false}};
  std::vector<ArchiveFile> files;
  for (const char* name : {"CartPendulum", "Balance"}) {
    const std::string file = std::string(name) + ".xml";
    const std::optional<std::string> fmu = build_bytes(file, folder->path(), diagnostics);
    if (!fmu) return std::nullopt;
    files.push_back({file, find_text(file), false});
    system.push_back({fmt::format("resources/{}.fmu", name), *fmu, false});
  }
  for (const char* name : {"README.md", "run_omsimulator.py"})
    files.push_back({name, find_text(name), false});
  const std::string packed = make_archive(system);
  files.insert(files.end(), system.begin(), system.end());
  files.push_back({"cart_pendulum.ssp", packed, false});
  return files;
}

}  // namespace

void write_coupled_example(const std::string& given, Session& session) {
  const fs::path folder = given.empty() ? kCoupledFolder : given;
  Diagnostics diagnostics;
  std::error_code ignored;
  for (const char* name : {"CartPendulum.xml", "Balance.xml", "README.md", "run_omsimulator.py",
                           "SystemStructure.ssd", "resources", "cart_pendulum.ssp"})
    if (fs::exists(fs::symlink_status(folder / name, ignored)))
      diagnostics.error("S641", std::nullopt,
                        fmt::format("'{}' is already there", (folder / name).string()),
                        "name another folder: mechfmu new --coupled DIR");
  std::optional<std::vector<ArchiveFile>> files;
  if (!diagnostics.has_errors()) {
    session.message("building the FMUs of plant and controller");
    files = make_files(diagnostics);
  }
  if (files)
    for (const ArchiveFile& file : *files) {
      const fs::path path = folder / file.name;
      std::string reason = make_folders(path.parent_path().string());
      if (reason.empty()) reason = write_file(path.string(), file.content, IfExists::fail);
      if (reason.empty()) continue;
      diagnostics.error("S632", std::nullopt,
                        fmt::format("cannot write '{}': {}", path.string(), reason));
      break;
    }
  session.exit_code = session.report(diagnostics, nullptr);
  if (!files || session.exit_code != kExitDone) return;
  for (const ArchiveFile& file : *files) session.result((folder / file.name).string());
  session.message(fmt::format("next: mechfmu couple {} --report run.html",
                              shell_word((folder / "cart_pendulum.ssp").string())));
}

}  // namespace mechfmu
