#include "harness/fmu_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

// The platforms the FMU has, for the message that ours is missing.
std::string list_platforms(const fs::path& folder) {
  std::vector<std::string> platforms;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "binaries", ignored))
    if (entry.is_directory(ignored)) platforms.push_back(entry.path().filename().string());
  std::sort(platforms.begin(), platforms.end());
  std::string list;
  for (const std::string& platform : platforms) list += (list.empty() ? "" : ", ") + platform;
  return list;
}

}  // namespace

std::string_view host_platform() {
#if defined(__x86_64__)
  return "linux64";
#elif defined(__i386__)
  return "linux32";
#elif defined(__aarch64__)
  return "aarch64-linux";
#elif defined(__riscv)
  return "riscv64-linux";
#else
  return "unknown";
#endif
}

std::unique_ptr<FmuLibrary> FmuLibrary::load(const std::string& folder,
                                             const std::string& identifier, const std::string& name,
                                             Diagnostics& diagnostics) {
  const fs::path path =
      fs::absolute(fs::path(folder) / "binaries" / host_platform() / (identifier + ".so"));
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    const std::string platforms = list_platforms(folder);
    diagnostics.error(
        "E616", std::nullopt,
        fmt::format("{}: no binaries/{}/{}.so", name, host_platform(), identifier),
        platforms.empty()
            ? std::string("it holds no binaries at all: a source FMU must be compiled first")
            : fmt::format("it holds binaries for: {}", platforms));
    return nullptr;
  }

  std::unique_ptr<FmuLibrary> library(new FmuLibrary);
  library->handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library->handle_ == nullptr) {
    const char* reason = dlerror();
    std::string text = reason == nullptr ? "unknown reason" : reason;
    // the private folder says nothing to the user
    const std::string prefix = path.string() + ": ";
    if (text.compare(0, prefix.size(), prefix) == 0) text.erase(0, prefix.size());
    diagnostics.error("E617", std::nullopt,
                      fmt::format("{}: {}.so cannot be loaded: {}", name, identifier, text),
                      text.find("cannot open shared object file") != std::string::npos
                          ? "install the library it needs"
                          : "");
    return nullptr;
  }

  std::string missing;
  const auto find = [&](auto*& function, const char* symbol) {
    using Pointer = std::remove_reference_t<decltype(function)>;
    function = reinterpret_cast<Pointer>(dlsym(library->handle_, symbol));
    if (function == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(symbol);
  };
#define FUNCTION(function) find(library->functions_.function, "fmi2" #function);
#include "harness/fmi2_functions.def"
#undef FUNCTION
  if (!missing.empty()) {
    diagnostics.error("E618", std::nullopt,
                      fmt::format("{}: {}.so does not have {}", name, identifier, missing),
                      "a co-simulation FMU must have all 34 functions");
    return nullptr;
  }
  return library;
}

FmuLibrary::~FmuLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

}  // namespace mechfmu
