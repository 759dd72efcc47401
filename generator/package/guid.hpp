// The GUID of an FMU is a hash of everything that can change its results: hosts cache unpacked FMUs
// by it. It does not depend on compiler, target, path or date, so builds for several platforms of
// one model have one GUID.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

// "{8-4-4-4-12}" hex digits. The parts are hashed with their lengths: {"ab", "c"} and {"a", "bc"}
// differ.
std::string make_guid(const std::vector<std::string_view>& parts);

}  // namespace mechfmu
