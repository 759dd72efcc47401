#include "coupling/source_folder.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <string_view>

namespace mechfmu {

namespace fs = std::filesystem;

namespace {

// "%20" is a blank in a URI reference.
std::string decode_reference(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr ==
            text.data() + i + 3) {
      decoded += static_cast<char>(code);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

}  // namespace

std::string SourceFolder::resolve(const std::string& reference, Span span,
                                  Diagnostics& diagnostics) const {
  std::string text = reference;
  if (text.starts_with("file://")) text.erase(0, 7);
  if (text.find("://") != std::string::npos) {
    diagnostics.error("E810", span, fmt::format("'{}' is not a file", reference),
                      "copy it beside the .ssd and name it by its relative path");
    return {};
  }
  const fs::path path = fs::path(decode_reference(text)).lexically_normal();
  const bool leaves = path.is_absolute() || (!path.empty() && *path.begin() == "..");
  if (leaves && is_archive_) {
    diagnostics.error("E810", span, fmt::format("'{}' leaves the archive", reference),
                      "put the file into the .ssp, under resources/");
    return {};
  }
  if (path.string().find('\0') != std::string::npos) {
    diagnostics.error("E810", span, "the name of the file has a character 0");
    return {};
  }
  return path.is_absolute() ? path.string()
                            : (fs::path(folder_) / path).lexically_normal().string();
}

}  // namespace mechfmu
