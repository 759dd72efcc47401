// A place in the source text: a half-open range of byte offsets. The text itself (lines, columns)
// is SourceText's business; everything downstream of the readers carries only spans.
#pragma once
#include <cstddef>

namespace mechfmu {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

}  // namespace mechfmu
