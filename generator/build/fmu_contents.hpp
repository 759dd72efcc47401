// What is inside an FMU, in the order of its archive:
//
//   modelDescription.xml  model.png  binaries/PLATFORM/NAME.so
//   documentation/index.html  documentation/licenses/license.txt
//   resources/scene.json (mechanisms)  resources/mechanism.xml and its CSV files (unless unwanted)
//   terminalsAndIcons/ (if there are terminals)  sources/ (if wanted)
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "build/source_fmu.hpp"
#include "formulation/system_model.hpp"
#include "package/archive.hpp"

namespace mechfmu {

struct FmuContents {
  std::string guid;
  std::string description;   // modelDescription.xml
  std::string library_name;  // "binaries/linux64/FourBar.so"
  std::string library;
  const std::string* mechanism = nullptr;  // text of the mechanism file; null: it stays outside
  std::optional<SourceFmu> sources;
};

std::vector<ArchiveFile> list_files(const SystemModel& system, FmuContents contents);

// How sources/ becomes a shared library, from the folder above it.
std::string make_compile_command(const std::string& model_name);

}  // namespace mechfmu
