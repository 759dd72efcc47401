#include "package/temporary_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "package/file_io.hpp"

namespace mechfmu {

std::unique_ptr<TemporaryFolder> TemporaryFolder::make(Diagnostics& diagnostics) {
  const char* given = std::getenv("TMPDIR");
  std::error_code error;
  const std::filesystem::path base =
      std::filesystem::absolute(given != nullptr && *given != '\0' ? given : "/tmp", error);
  std::string path = (base / "mechfmu-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    diagnostics.error(
        "S611", {},
        fmt::format("cannot make a temporary folder in '{}': {}", base.string(), error_text(errno)),
        "set TMPDIR to a folder that can be written to");
    return nullptr;
  }
  return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(std::move(path)));
}

}  // namespace mechfmu
