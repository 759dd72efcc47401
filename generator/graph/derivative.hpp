// Derivatives of graph expressions, as graph expressions.
//
// A Direction says how some nodes move: d(node) = seed. Seeds may sit on symbols (q_dot = N v) or
// on inner nodes: the kinematics already knows the velocity of every frame, so seeding the frame's
// position with its velocity gives the time derivative of a constraint without differentiating the
// recursion a second time.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"

namespace mechfmu {

class Direction {
 public:
  explicit Direction(Graph& graph) : graph_(graph) {}

  // d(of) = rate. Seeding a constant is a mistake of the caller and ignored: it cannot move.
  void seed(Expr of, Expr rate);
  Expr derivative(Expr of);

 private:
  Expr differentiate(NodeId id);
  Graph& graph_;
  std::unordered_map<NodeId, NodeId> known_;  // seeds and memo
};

struct SparseEntry {
  int row;
  int column;
  Expr value;
};

// Nonzero entries of d(rows)/d(columns), row by row.
std::vector<SparseEntry> jacobian(Graph& graph, std::span<const Expr> rows,
                                  std::span<const Expr> columns);

// Replaces nodes (usually symbols) by expressions, folding again on the way.
class Substitution {
 public:
  explicit Substitution(Graph& graph) : graph_(graph) {}
  void replace(Expr what, Expr by) { known_[what.id()] = by.id(); }
  Expr apply(Expr in);

 private:
  Graph& graph_;
  std::unordered_map<NodeId, NodeId> known_;
};

}  // namespace mechfmu
