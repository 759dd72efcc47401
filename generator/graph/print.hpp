// Program -> straight-line C++. One `const double` per operation, sine and cosine of the same angle
// by one call, and functions capped in size: the compiler's time grows faster than linearly beyond
// a few thousand operations, so a long program becomes several functions that hand their shared
// values over in a scratch array on the stack. A place in it is used again when its value has had
// its last use, so that it stays small.
//
// `out` may overlap input arrays (new memory from old memory, a solution in place of its right-hand
// side): nothing is stored before everything has been read.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "graph/program.hpp"

namespace mechfmu {

inline constexpr int kBlockOperations = 1000;

// The tables that kernels look up, as constants kTable0, kTable1, ...; empty if there are none.
std::string print_tables(const std::vector<TableFunction>& tables);

// `arrays[k]` is the C++ name of input array k; "in", "out", "shared" and call_... are taken. The
// text defines
//   void NAME(const void*, const double* const* in, double* out)
// and expects platform/portable_math.hpp. The same program gives the same text.
std::string print_kernel(std::string_view name, const Program& program,
                         std::span<const std::string_view> arrays,
                         int block_operations = kBlockOperations);

}  // namespace mechfmu
