// The shared library of an FMU in this process, and its functions.
//
// Loaded with RTLD_NOW (what is missing is reported here, not in the middle of a run) and
// RTLD_LOCAL (two FMUs with the same names inside do not meet).
#pragma once
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "fmi2FunctionTypes.h"
#include "support/diagnostic.hpp"

namespace mechfmu {

struct FmuFunctions {
#define FUNCTION(name) fmi2##name##TYPE* name = nullptr;
#include "harness/fmi2_functions.def"
#undef FUNCTION
};

inline constexpr auto kFmuFunctionNames = std::to_array<std::string_view>({
#define FUNCTION(name) "fmi2" #name,
#include "harness/fmi2_functions.def"
#undef FUNCTION
});

// The folder under binaries/ for the machine this program runs on: "linux64", else an FMI 3.0 name.
std::string_view host_platform();

class FmuLibrary {
 public:
  // binaries/<platform>/<identifier>.so of an unpacked FMU; nullptr and errors if it is not there,
  // cannot be loaded or lacks a function. `name` begins the messages.
  static std::unique_ptr<FmuLibrary> load(const std::string& folder, const std::string& identifier,
                                          const std::string& name, Diagnostics& diagnostics);

  FmuLibrary(const FmuLibrary&) = delete;
  FmuLibrary& operator=(const FmuLibrary&) = delete;
  ~FmuLibrary();

  [[nodiscard]] const FmuFunctions& functions() const { return functions_; }

 private:
  FmuLibrary() = default;

  void* handle_ = nullptr;
  FmuFunctions functions_;
};

}  // namespace mechfmu
