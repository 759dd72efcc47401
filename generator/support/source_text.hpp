// The text of a user's file: lines and columns of byte offsets, and the one form in which a
// diagnostic is shown:
//
//   four_bar.xml:14:23: error E203: body 'coupler': mass must be > 0, got -1.5
//      14 |   <inertial mass="-1.5"/>
//         |                   ^~~~
//      hint: masses are in kg
//
// Lines and columns count from 1; a column is a UTF-8 code point, as editors count it.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"

namespace mechfmu {

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
};

class SourceText {
 public:
  SourceText(std::string path, std::string content);

  [[nodiscard]] const std::string& path() const { return path_; }  // as the user gave it
  [[nodiscard]] const std::string& content() const { return content_; }
  [[nodiscard]] Place find_place(std::size_t offset) const;  // an offset past the end is the end
  [[nodiscard]] std::string_view find_line(std::size_t line) const;  // without its line end

 private:
  std::string path_;
  std::string content_;
  std::vector<std::size_t> line_starts_;
};

inline constexpr std::size_t kShownDiagnostics = 20;

// One diagnostic, ending with a line feed.
std::string render(const Diagnostic& diagnostic, const SourceText& source, bool color = false);
// A diagnostic about the world (no source line); an empty path leaves out "path: ".
std::string render(const Diagnostic& diagnostic, std::string_view path, bool color = false);
// All of them by position in the file, those about the file as a whole first, at most `limit`,
// errors before anything else is dropped; then "... and N more".
std::string render(const Diagnostics& diagnostics, const SourceText& source, bool color = false,
                   std::size_t limit = kShownDiagnostics);

}  // namespace mechfmu
