// Terminals -> terminalsAndIcons/terminalsAndIcons.xml. It declares an icon:
// terminalsAndIcons/icon.png must stand beside it.
#pragma once
#include <string>
#include <vector>

#include "interface/terminals.hpp"

namespace mechfmu {

std::string emit_terminals(const std::vector<Terminal>& terminals);

}  // namespace mechfmu
