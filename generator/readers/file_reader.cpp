// read_file(): the only place of the generator that reads what a user named. The size is asked
// before a byte is read.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <vector>

#include "readers/xml_reader.hpp"

namespace mechfmu {

namespace {

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
  return bytes % kMebibyte == 0 ? fmt::format("{} MiB", bytes / kMebibyte)
                                : fmt::format("{} bytes", bytes);
}

void refuse_size(Diagnostics& diagnostics, std::size_t limit) {
  diagnostics.error("E103", std::nullopt,
                    fmt::format("the file is larger than {}", size_text(limit)),
                    "a mechanism file holds text only; is this the right file?");
}

// At most limit + 1 bytes: one more than allowed tells that there is too much (pipes have no size
// to ask for).
std::string read_stream(std::istream& stream, std::size_t limit) {
  std::string content;
  std::vector<char> block(65536);
  while (stream && content.size() <= limit) {
    const std::size_t wanted = std::min(block.size(), limit + 1 - content.size());
    stream.read(block.data(), static_cast<std::streamsize>(wanted));
    content.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  return content;
}

}  // namespace

std::optional<SourceText> read_file(const std::string& path, Diagnostics& diagnostics,
                                    std::size_t limit) {
  std::string content;
  if (path == "-") {
    content = read_stream(std::cin, limit);
  } else {
    std::error_code status;
    if (std::filesystem::is_directory(path, status)) {
      diagnostics.error("E101", std::nullopt, "this is a folder, not a file",
                        "name the mechanism file in it");
      return std::nullopt;
    }
    const bool is_plain = std::filesystem::is_regular_file(path, status);
    if (is_plain && std::filesystem::file_size(path, status) > limit && !status) {
      refuse_size(diagnostics, limit);
      return std::nullopt;
    }
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
      const int reason = errno;
      diagnostics.error("E101", std::nullopt,
                        fmt::format("the file cannot be opened: {}",
                                    reason == 0 ? "unknown reason" : std::strerror(reason)));
      return std::nullopt;
    }
    content = read_stream(stream, limit);
  }
  if (content.size() > limit) {
    refuse_size(diagnostics, limit);
    return std::nullopt;
  }
  if (content.find_first_not_of(" \t\r\n") == std::string::npos) {
    diagnostics.error("E102", std::nullopt, "the file is empty",
                      "'mechfmu new' writes a mechanism to start from");
    return std::nullopt;
  }
  return SourceText(path == "-" ? "<stdin>" : path, std::move(content));
}

}  // namespace mechfmu
