#include "build/output_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "package/file_io.hpp"
#include "package/interrupt.hpp"

namespace mechfmu {
namespace {

bool fail(const std::string& path, const std::string& reason, Diagnostics& diagnostics,
          const std::string& hint = {}) {
  diagnostics.error("S610", {}, fmt::format("cannot write '{}': {}", path, reason), hint);
  return false;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

bool check_output(const std::string& path, Diagnostics& diagnostics) {
  if (path.empty() || path.back() == '/')
    return fail(path, "it names no file", diagnostics, "give the name of the FMU: -o FourBar.fmu");
  const std::string folder = folder_of(path);
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0)
    return fail(path, fmt::format("folder '{}': {}", folder, error_text(errno)), diagnostics,
                errno == ENOENT ? "make the folder first" : "");
  if (!S_ISDIR(status.st_mode))
    return fail(path, fmt::format("'{}' is not a folder", folder), diagnostics);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return fail(path, fmt::format("folder '{}': {}", folder, error_text(errno)), diagnostics);
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return fail(path, "there is a folder of this name", diagnostics,
                  "give the name of the FMU: -o FourBar.fmu");
    // renaming over /dev/null would remove the device
    if (!S_ISREG(status.st_mode)) return fail(path, "it is not a regular file", diagnostics);
    if (::access(path.c_str(), W_OK) != 0) return fail(path, error_text(errno), diagnostics);
  }
  return true;
}

bool write_output(const std::string& path, std::string_view content, Diagnostics& diagnostics) {
  if (!check_output(path, diagnostics)) return false;
  RemovedPath partial(folder_of(path) + "/.mechfmu-" + make_random_name() + ".part");
  if (const std::string reason = write_file(partial.path(), content, IfExists::fail);
      !reason.empty())
    return fail(path, reason, diagnostics);
  if (std::rename(partial.path().c_str(), path.c_str()) != 0)
    return fail(path, error_text(errno), diagnostics);
  partial.keep();
  return true;
}

}  // namespace mechfmu
