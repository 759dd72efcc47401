// Repetition found in a Program: a chain of a thousand links is one link's operations a thousand
// times, with other operands. Found again from the list of operations alone, so nothing that makes
// expressions has to know about it.
//
// A loop is a stretch of `length` operations that is followed by itself, count times in all. What
// an operation's operands are in the course of the iterations falls into a few classes; a stretch
// whose operands fall into none is no loop.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/program.hpp"

namespace mechfmu {

struct OperandCourse {
  enum class Kind {
    inside,   // operation `place` of the same iteration
    carried,  // operation `place` of the iteration before; `first` in the first one
    fixed,    // always the same value: `first`
    symbols,  // of one input array; which one in `slots`
    numbers,  // constants, in `slots`
    values    // computed elsewhere, in `slots`
  };
  Kind kind = Kind::fixed;
  std::size_t place = 0;
  std::uint32_t first = 0;
  std::vector<std::uint32_t> slots;  // by iteration
};

struct ProgramLoop {
  std::size_t first = 0, length = 0, count = 0;      // places in RolledProgram::order
  std::vector<std::vector<OperandCourse>> operands;  // by place in the body, by operand
};

struct RolledProgram {
  std::vector<std::uint32_t> order;  // instructions that are not leaves
  std::vector<std::size_t> place;    // the inverse: of each instruction in `order`
  std::vector<ProgramLoop> loops;    // ascending
};

RolledProgram roll(const Program& program);

}  // namespace mechfmu
