// A kernel before it is text: a list of operations on numbered slots, made from the part of the
// graph that its results need. The same Program is printed as C++ (print.hpp) or run as it is
// (interpret), with the same value to the bit.
//
// Leaves (constants, symbols) appear where they are first used. Sine and cosine of the same operand
// stand next to each other and are computed together.
#pragma once
#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace mechfmu {

struct Instruction {
  Op op;
  std::uint32_t a = 0, b = 0, c = 0;  // slots of the operands; a symbol: array a, index b; a
                                      // table: operand a, table b, order c
  double value = 0;                   // constants
};

struct Program {
  std::vector<Instruction> instructions;      // instruction i fills slot i
  std::vector<TableFunction> tables;          // those of the graph, if any is used
  std::vector<std::uint32_t> results;         // slot of out[k]; slots may repeat and may be leaves
  [[nodiscard]] int operation_count() const;  // arithmetic only
  // whether instructions i and i + 1 are the sine and the cosine of one operand
  [[nodiscard]] bool is_sine_pair(std::size_t i) const;
};

Program make_program(const Graph& graph, std::span<const Expr> results);

// in[array][index]; `scratch` has one number per instruction. Scalar = double, or complex for
// derivative checks.
template <class Scalar>
void interpret(const Program& program, const Scalar* const* in, Scalar* out,
               std::vector<Scalar>& scratch);
extern template void interpret<double>(const Program&, const double* const*, double*,
                                       std::vector<double>&);
extern template void interpret<std::complex<double>>(const Program&,
                                                     const std::complex<double>* const*,
                                                     std::complex<double>*,
                                                     std::vector<std::complex<double>>&);

// Moves everything that depends on nothing but `parameter_array` symbols out of `results`: each
// largest such subexpression becomes a symbol of `constant_array`. Returns what those symbols stand
// for, in index order.
std::vector<Expr> hoist(Graph& graph, std::span<Expr> results, int parameter_array,
                        int constant_array);

// Every symbol that the expressions depend on, once, in no order.
void for_each_symbol(const Graph& graph, std::span<const Expr> of,
                     const std::function<void(int array, std::uint32_t index)>& visit);
// Whether `of` depends on any symbol of the array; on which of its first `count` symbols.
bool depends_on(const Graph& graph, Expr of, int array);
bool depends_on(const Graph& graph, std::span<const Expr> of, int array);  // any of them
std::vector<bool> dependency_mask(const Graph& graph, Expr of, int array, int count);

}  // namespace mechfmu
