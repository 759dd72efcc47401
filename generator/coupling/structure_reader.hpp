// Reads .ssd files and the parameter files that they name.
//
// What this master has no use for (geometry, annotations, enumerations, dictionaries nobody refers
// to) is passed over. Elements are recognised by their local names: files in the wild bind the
// namespaces to many prefixes.
#pragma once
#include "coupling/source_folder.hpp"
#include "coupling/system_structure.hpp"

namespace mechfmu {

// Nothing if `file` (the last of `files`) is no system structure; else all that could be read:
// errors are in the diagnostics of the files.
std::optional<SystemStructure> read_system_structure(SourceFiles& files,
                                                     const SourceFolder& folder);

}  // namespace mechfmu
