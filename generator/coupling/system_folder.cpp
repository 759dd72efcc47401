#include "coupling/system_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/fmu.hpp"
#include "package/archive.hpp"
#include "package/file_io.hpp"
#include "support/did_you_mean.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {
constexpr std::uint64_t kLargestStructure = std::uint64_t{64} << 20U;
}

std::optional<SystemFolder> open_system_folder(const std::string& path, const std::string& variant,
                                               SourceFiles& files, Diagnostics& diagnostics) {
  SystemFolder folder;
  std::error_code ignored;
  folder.is_archive = is_archive(path);
  std::string structure = path;
  if (!fs::exists(path, ignored)) {
    diagnostics.error(
        "E101", std::nullopt,
        fmt::format("{}: the file cannot be opened: No such file or directory", path));
    return std::nullopt;
  }
  if (folder.is_archive) {
    folder.unpacked = TemporaryFolder::make(diagnostics);
    if (!folder.unpacked || !extract_archive(path, folder.unpacked->path(), diagnostics))
      return std::nullopt;
    folder.path = folder.unpacked->path();
    const std::string name = variant.empty() ? "SystemStructure.ssd" : variant;
    structure = (fs::path(folder.path) / name).string();
    std::vector<std::string> there;
    for (const auto& entry : fs::directory_iterator(folder.path, ignored))
      if (entry.path().extension() == ".ssd") there.push_back(entry.path().filename().string());
    if (std::find(there.begin(), there.end(), name) == there.end()) {
      diagnostics.error("E801", std::nullopt, fmt::format("{}: holds no {}", path, name),
                        there.empty()
                            ? "an .ssp is a zip file with SystemStructure.ssd in its root"
                            : did_you_mean(name, {there.begin(), there.end()}, "structures"));
      return std::nullopt;
    }
  } else {
    folder.path = fs::absolute(fs::path(path), ignored).parent_path().string();
  }
  std::string content;
  if (const std::string reason = read_file(structure, kLargestStructure, content);
      !reason.empty()) {
    diagnostics.error("E101", std::nullopt,
                      fmt::format("{}: the file cannot be opened: {}", path, reason));
    return std::nullopt;
  }
  const std::string shown =
      folder.is_archive ? path + "/" + fs::path(structure).filename().string() : path;
  files.push_back({SourceText(shown, std::move(content)), {}});
  return folder;
}

}  // namespace mechfmu
