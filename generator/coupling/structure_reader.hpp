// Reads .ssd files and the parameter files that they name.
//
// What this master has no use for (geometry, annotations, enumerations, dictionaries nobody refers
// to) is passed over. Elements are recognised by their local names: files in the wild bind the
// namespaces to many prefixes.
#pragma once
#include <functional>

#include "coupling/system_structure.hpp"

namespace mechfmu {

// Where a relative reference of the .ssd leads; an empty path and an error if it may not be used.
class SourceFolder {
 public:
  // References may leave the folder only if it is not that of an unpacked archive.
  SourceFolder(std::string folder, bool is_archive)
      : folder_(std::move(folder)), is_archive_(is_archive) {}

  [[nodiscard]] std::string resolve(const std::string& reference, Span span,
                                    Diagnostics& diagnostics) const;

 private:
  std::string folder_;
  bool is_archive_;
};

// Nothing if `file` (the last of `files`) is no system structure; else all that could be read:
// errors are in the diagnostics of the files.
std::optional<SystemStructure> read_system_structure(SourceFiles& files,
                                                     const SourceFolder& folder);

}  // namespace mechfmu
