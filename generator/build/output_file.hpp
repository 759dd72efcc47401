// The file that a build leaves behind. It appears complete or not at all: written under a name that
// nobody can guess in the same folder, then renamed. What stands there before is replaced only at
// that moment.
#pragma once
#include <string>
#include <string_view>

#include "support/diagnostic.hpp"

namespace mechfmu {

// Whether `path` can become the output: its folder exists and can be written to, and it is not a
// folder, device or read-only file. Asked before the work is done; S610 says what is wrong.
bool check_output(const std::string& path, Diagnostics& diagnostics);

// False: S610, and nothing of it is left.
bool write_output(const std::string& path, std::string_view content, Diagnostics& diagnostics);

}  // namespace mechfmu
