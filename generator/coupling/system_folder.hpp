// Where a system lies: an .ssd file beside its FMUs, or an .ssp archive, which is unpacked into a
// private folder that is gone with this object. An .ssp of several variants holds
// SystemStructure.ssd and more *.ssd files in its root; one of those can be asked for by name.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "coupling/structure_reader.hpp"
#include "package/temporary_folder.hpp"

namespace mechfmu {

struct SystemFolder {
  std::unique_ptr<TemporaryFolder> unpacked;  // null for an .ssd
  std::string path;                           // the folder of the .ssd
  bool is_archive = false;

  [[nodiscard]] SourceFolder sources() const { return {path, is_archive}; }
};

// The text of the structure becomes the first of `files`. Nothing and errors in `diagnostics`
// (about `path` as a whole) if it cannot be had.
std::optional<SystemFolder> open_system_folder(const std::string& path, const std::string& variant,
                                               SourceFiles& files, Diagnostics& diagnostics);

}  // namespace mechfmu
