// The folder sources/ of an FMU that can be compiled where no binary was foreseen: generated
// kernels and tables, the runtime, the FMI headers. Flat and with the model's name in every file
// that is compiled and in every symbol, so that several models can be put into one program (P6).
#pragma once
#include <string>
#include <vector>

#include "emit/sources.hpp"

namespace mechfmu {

struct SourceFmu {
  std::vector<SourceFile> files;      // names relative to sources/
  std::vector<std::string> compiled;  // of them, what a compiler is given
};

SourceFmu make_source_fmu(const SystemModel& system, const std::vector<SourceFile>& generated);

// modelDescription.xml with <SourceFiles> in every interface type.
std::string add_source_files(std::string description, const std::vector<std::string>& names);

}  // namespace mechfmu
