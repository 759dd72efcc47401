// Program -> straight-line C++. One `const double` per operation, sine and cosine of the same angle
// by one call, two angles at a time where both are known, and functions capped in size: the
// compiler's time grows faster than linearly beyond a few thousand operations, so a long program
// becomes several functions that hand their shared values over in a scratch array on the stack. A
// place in it is used again when its value has had its last use, so that it stays small.
//
// A program that repeats itself (a chain of links, a row of cells) becomes loops over constant
// tables instead, see roll.hpp: compile time and size do not grow with the number of links.
//
// `out` of a straight kernel may overlap input arrays: nothing is stored before everything has been
// read. That of a rolled one may not, its results are also its memory.
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
// and expects platform/elementary.hpp. The same program gives the same text.
std::string print_kernel(std::string_view name, const Program& program,
                         std::span<const std::string_view> arrays,
                         int block_operations = kBlockOperations);

struct PrintOptions {
  std::span<const std::string_view> arrays;
  int block_operations = kBlockOperations;
  int roll_from = 1200;   // operations; below, straight code is small enough
  int shared_array = -1;  // input array that is memory for values handed over; -1: the stack
};
struct PrintedKernel {
  std::string text;
  int shared_count = 0;  // numbers that the shared array must hold
};
PrintedKernel print_kernel(std::string_view name, const Program& program,
                           const PrintOptions& options);

struct RolledProgram;
PrintedKernel print_rolled_kernel(std::string_view name, const Program& program,
                                  const RolledProgram& rolled, const PrintOptions& options);

}  // namespace mechfmu
