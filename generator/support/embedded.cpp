#include "support/embedded.hpp"

namespace mechfmu {

std::string_view find_embedded(std::span<const EmbeddedFile> files, std::string_view name) {
  for (const EmbeddedFile& file : files)
    if (file.name == name) return file.content;
  return {};
}

}  // namespace mechfmu
