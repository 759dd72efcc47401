// Files that a mechanism file refers to. Nothing outside its folder: a file that was sent to
// somebody must not read his other files.
#pragma once
#include <string>

namespace mechfmu {

// A name, or a path into a folder below.
inline bool is_beside(const std::string& name) {
  return !name.empty() && name.front() != '/' &&
         ("/" + name + "/").find("/../") == std::string::npos &&
         name.find_first_of("\\:\n\r\t") == std::string::npos;
}

}  // namespace mechfmu
