// Names that mean something else already: in expressions, in the FMU's variable names, or in
// Modelica, whose tools make identifiers of them when they import the FMU.
#pragma once
#include <string_view>

namespace mechfmu {

// What the name is taken for ("a function", "a keyword of Modelica"); empty if it is free.
std::string_view find_reserved_use(std::string_view name);

// Why a library cannot be called so ("a keyword of C or C++", "a device of Windows"); empty if it
// can.
std::string_view find_library_name_problem(std::string_view name);

}  // namespace mechfmu
