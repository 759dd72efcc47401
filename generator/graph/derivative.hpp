// Derivatives of graph expressions, as graph expressions.
//
// A Direction says how some nodes move: d(node) = seed. Seeds may sit on symbols (q_dot = N v) or
// on inner nodes: the kinematics already knows the velocity of every frame, so seeding the frame's
// position with its velocity gives the time derivative of a constraint without differentiating the
// recursion a second time.
//
// Folding may have taken a seeded inner node out of an expression ((p + a) - (p + b) has no p). Its
// operands remain, so seeds on inner nodes are a short cut that must agree with seeds on the
// symbols below, never a replacement for them.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"

namespace mechfmu {

// What a derivative is where there is none: at the norm of a vector that is zero, for instance.
enum class AtKinks { undefined, zero };

class Direction {
 public:
  explicit Direction(Graph& graph, AtKinks at_kinks = AtKinks::undefined)
      : graph_(graph), at_kinks_(at_kinks) {}

  // d(of) = rate. Seeding a constant is a mistake of the caller and ignored: it cannot move. Where
  // `of` is -x, c + x or c*x, x moves accordingly unless it has a seed of its own: such wrappers
  // are the first to be folded away.
  void seed(Expr of, Expr rate);
  Expr derivative(Expr of);

 private:
  Graph& graph_;
  AtKinks at_kinks_;
  std::unordered_map<NodeId, NodeId> seeds_;
  std::unordered_map<NodeId, NodeId> implied_;  // below -x, c + x, c*x
  std::unordered_map<NodeId, NodeId> known_;    // all of these and what follows from them
};

struct SparseEntry {
  int row;
  int column;
  Expr value;
};

// Nonzero entries of d(rows)/d(columns), row by row, columns ascending. The work is the number of
// pairs (node, column it depends on). Columns are usually symbols; an inner node is taken as
// independent of everything below it.
std::vector<SparseEntry> jacobian(Graph& graph, std::span<const Expr> rows,
                                  std::span<const Expr> columns);

// Replaces nodes (usually symbols) by expressions, folding again on the way. An inner node is
// replaced where it is an operand; see above for where it may be missing.
class Substitution {
 public:
  explicit Substitution(Graph& graph) : graph_(graph) {}
  void replace(Expr what, Expr by);
  Expr apply(Expr in);

 private:
  Graph& graph_;
  std::unordered_map<NodeId, NodeId> replaced_;
  std::unordered_map<NodeId, NodeId> known_;
};

}  // namespace mechfmu
