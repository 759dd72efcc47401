// Program -> straight-line C++. One `const double` per operation, sine and cosine of the same angle
// by one call, and functions capped in size: the compiler's time grows faster than linearly beyond
// a few thousand operations, so a long program becomes several functions that hand their shared
// values over in a scratch array.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "graph/program.hpp"

namespace mechfmu {

inline constexpr int kBlockOperations = 1000;

// `arrays[k]` is the C++ name of input array k. The text defines
//   static void NAME(const void*, const double* const* in, double* out)
std::string print_kernel(std::string_view name, const Program& program,
                         std::span<const std::string_view> arrays,
                         int block_operations = kBlockOperations);

}  // namespace mechfmu
