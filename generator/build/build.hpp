// SystemModel -> X.fmu on disk: sources are emitted and compiled, the library is linked and
// checked, everything is zipped, and the result is loaded and stepped once before it gets its name.
// Written beside the output and renamed, so that a failed build leaves nothing.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "formulation/system_model.hpp"
#include "support/diagnostic.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

struct BuildOptions {
  std::string output;         // path of the .fmu; its folder must exist
  std::string keep;           // --keep DIR: emitted sources and modelDescription.xml are left there
  bool carry_source = true;   // put the mechanism file into the FMU
  bool with_sources = false;  // and what compiles to the library
  bool self_test = true;
};

struct BuildResult {
  std::string guid;
  std::size_t fmu_bytes = 0;
  std::size_t library_bytes = 0;
  std::string needed;      // "libm.so.6 libc.so.6"
  std::string glibc;       // newest symbol version needed: "2.14"
  double cpu_seconds = 0;  // of this process and the compiler
};

std::optional<BuildResult> build_fmu(const SystemModel& system, const SourceText& source,
                                     const BuildOptions& options, Diagnostics& diagnostics);

}  // namespace mechfmu
