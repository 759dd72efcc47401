// The text of an attribute after XML decoding, and where each of its bytes stands in the file:
// "&lt;" is one character of an expression but four columns of the source line.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "support/span.hpp"

namespace mechfmu {

struct ValueText {
  std::string text;
  Span span;                         // of the raw text in the file, without the quotes
  std::vector<std::size_t> offsets;  // place of each byte of `text`; empty if text == raw text

  [[nodiscard]] std::size_t offset_of(std::size_t index) const {
    if (index >= text.size()) return span.end;
    return offsets.empty() ? span.begin + index : offsets[index];
  }
  [[nodiscard]] Span part(std::size_t from, std::size_t to) const {
    return {offset_of(from), offset_of(to)};
  }
};

}  // namespace mechfmu
