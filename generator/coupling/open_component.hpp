// The FMU of a component: each file is opened and loaded once, however many components use it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "coupling/source_folder.hpp"
#include "coupling/system_structure.hpp"
#include "harness/fmu.hpp"

namespace mechfmu {

// One of `fmus`, which it may join; nullptr and errors at the component's source if it cannot be
// used.
const Fmu* open_component(const SystemElement& element, const std::string& name,
                          const SourceFolder& folder, std::vector<std::unique_ptr<Fmu>>& fmus,
                          Diagnostics& diagnostics);

}  // namespace mechfmu
