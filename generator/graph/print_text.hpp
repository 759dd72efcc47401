// Pieces of C++ text that straight and rolled kernels share.
#pragma once
#include <array>
#include <set>
#include <string>

#include "graph/program.hpp"

namespace mechfmu {

// Shortest decimal that reads back as the same double, always of type double, never with a bare
// sign.
std::string literal_text(double value);

// The operation on operands that are already text.
std::string formula_text(const Instruction& x, const std::array<std::string, 3>& operands);

// Angles whose sine and cosine a stretch of code computes: two are computed together.
struct SinePair {
  std::string angle, sine, cosine;
};
std::string sine_pair_text(const SinePair& one, const SinePair* other);

// Functions of the C library are called through pointers that the compiler cannot see through. It
// would otherwise compute sinh(c ? 1.25 : -1.0) itself, with another last bit than the library's.
class CalledFunctions {
 public:
  void add(Op op);
  [[nodiscard]] std::string text() const;  // their declarations, one a line

 private:
  std::set<std::string> lines_;
};

}  // namespace mechfmu
