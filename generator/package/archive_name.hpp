// Which names an archive may hold: both the writer (as an assertion) and the reader (as a refusal)
// ask here.
#pragma once
#include <string_view>

namespace mechfmu {

// Why the name of a file or folder ("a/b", "a/") must not be used; empty if it may.
std::string_view find_name_fault(std::string_view name);

}  // namespace mechfmu
