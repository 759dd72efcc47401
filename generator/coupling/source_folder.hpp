// References of a system to its files: paths relative to the .ssd, or file:// addresses.
#pragma once
#include <string>

#include "support/diagnostic.hpp"

namespace mechfmu {

// Where a relative reference of the .ssd leads; an empty path and an error if it may not be used.
class SourceFolder {
 public:
  // References may leave the folder only if it is not that of an unpacked archive.
  SourceFolder(std::string folder, bool is_archive)
      : folder_(std::move(folder)), is_archive_(is_archive) {}

  [[nodiscard]] std::string resolve(const std::string& reference, Span span,
                                    Diagnostics& diagnostics) const;

 private:
  std::string folder_;
  bool is_archive_;
};

}  // namespace mechfmu
