// [M J^T; J 0] eliminated symbolically, in an order chosen now: first M (sparse L D L^T, fewest
// neighbours first, which for a tree means leaves first and no fill-in), then the Schur complement
// S = J M^-1 J^T in the same way. No pivot is searched at run time; a weak pivot of S is reported
// instead (`weakness` <= 0) and the runtime takes another way.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "graph/derivative.hpp"

namespace mechfmu {

// L D L^T of a symmetric sparse matrix of expressions.
struct SymbolicFactor {
  int size = 0;
  std::vector<int> order;  // order[k] = row eliminated k-th
  std::vector<std::vector<std::pair<int, Expr>>>
      lower;                        // lower[k]: (i, L_ik), i > k, in elimination numbers
  std::vector<Expr> pivot;          // D_k
  std::vector<Expr> inverse_pivot;  // 1 / D_k
};

// `lower_triangle` has row >= column.
SymbolicFactor factor_symbolically(Graph& graph, int size,
                                   const std::vector<SparseEntry>& lower_triangle);

// x := L^-1 x and x := L^-T x, x in elimination order. Structural zeros stay zeros.
void solve_lower(const SymbolicFactor& factor, std::vector<Expr>& x);
void solve_upper(const SymbolicFactor& factor, std::vector<Expr>& x);

// Replaces what a factor holds by what it is stored as.
SymbolicFactor map_factor(const SymbolicFactor& factor, const std::function<Expr(Expr)>& stored);

}  // namespace mechfmu
