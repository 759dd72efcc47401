// The expression graph: every number the FMU will ever compute is a node here first.
//
// Nodes are hash-consed (equal expressions are one node), folded when they are made (fold.cpp), and
// immutable. A node's operands always have smaller ids than the node, so ascending id order is an
// evaluation order. Dead dimensions of planar mechanisms, aligned axes and structurally redundant
// constraint rows disappear by folding alone; no later stage looks for them.
//
// Equal expressions look equal because there is one way to write them: a + b and b + a are one node
// (smaller id first, constants before all), b - a is -(a - b), signs move out of products,
// quotients and odd functions. make_program() takes the signs back in where nothing is shared.
//
// What folding may change. Never more than rounding: every rule is an identity of real numbers and
// takes roundings away or exchanges one for another (x/3 is x times the rounded 1/3). The
// exceptions are points where the unfolded value is not a number: x*0, 0/x, x/x, x-x fold for
// finite, nonzero x; a kernel never relies on NaN spreading through a structural zero. The sign of
// a zero is not kept.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/table_function.hpp"

namespace mechfmu {

enum class Op : std::uint8_t {
  constant,
  symbol,
  add,
  subtract,
  multiply,
  divide,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  power,
  min,
  max,
  round,  // to the nearest integer; its derivative is zero
  less,
  less_equal,
  equal,   // 1 or 0; derivative zero
  select,  // a != 0 ? b : c; differentiates piecewise
  table    // derivative of order c of the graph's table b, at a
};

int operand_count(Op op);
std::string_view op_name(Op op);

using NodeId = std::uint32_t;

struct Node {
  Op op = Op::constant;
  NodeId a = 0, b = 0, c = 0;  // operands; a symbol has array a, index b; see Op::table
  double value = 0;            // constants
};

class Graph;

// A handle to a node. Cheap to copy; arithmetic makes new nodes in the same graph.
class Expr {
 public:
  Expr() = default;
  Expr(Graph* graph, NodeId id) : graph_(graph), id_(id) {}
  [[nodiscard]] Graph* graph() const { return graph_; }
  [[nodiscard]] NodeId id() const { return id_; }
  [[nodiscard]] const Node& node() const;
  [[nodiscard]] bool is_constant() const { return node().op == Op::constant; }
  [[nodiscard]] bool is_zero() const { return id_ == 0; }  // the constant 0 is the first node
  [[nodiscard]] bool is_constant(double v) const { return is_constant() && node().value == v; }
  [[nodiscard]] double constant() const;  // asserts is_constant()
  friend bool operator==(const Expr& x, const Expr& y) { return x.id_ == y.id_; }

 private:
  Graph* graph_ = nullptr;
  NodeId id_ = 0;
};

class Graph {
 public:
  Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Expr number(double value);  // -0.0 is 0.0
  Expr symbol(int array, int index);
  Expr make(Op op, Expr a);
  Expr make(Op op, Expr a, Expr b);
  Expr make(Op op, Expr a, Expr b, Expr c);

  int add_table(TableFunction table);
  Expr look_up(int table, int order, Expr x);
  [[nodiscard]] const std::vector<TableFunction>& tables() const { return tables_; }

  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  Expr intern(const Node& node);
  void grow_table();
  Expr at(NodeId id) { return {this, id}; }

  // The rules, in fold.cpp. `depth` counts how often a rule on sums led to the next one.
  struct Signed;
  Expr make_sum(Signed a, Signed b, int depth);
  Expr make_shifted(double constant, Signed b);
  Expr make_signed(Signed x);
  Expr make_multiply(Expr a, Expr b);
  Expr make_divide(Expr a, Expr b);
  Expr make_negate(Expr a);
  Expr make_power(Expr a, double exponent);
  Expr make_unary(Op op, Expr a);

  std::vector<Node> nodes_;
  std::vector<TableFunction> tables_;
  std::vector<NodeId> table_;  // open addressing, a power of two, at most half full
};

inline const Node& Expr::node() const { return graph_->node(id_); }

// The value of one operation on numbers: the one definition that folding, the interpreter and the
// tests share.
double apply(Op op, double a, double b = 0, double c = 0);

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, double b);
Expr operator-(Expr a, double b);
Expr operator*(Expr a, double b);
Expr operator/(Expr a, double b);
Expr operator+(double a, Expr b);
Expr operator-(double a, Expr b);
Expr operator*(double a, Expr b);
Expr operator/(double a, Expr b);

Expr sin(Expr x);
Expr cos(Expr x);
Expr tanh(Expr x);
Expr sqrt(Expr x);
Expr atan2(Expr y, Expr x);
Expr asin(Expr x);
Expr round(Expr x);
Expr less(Expr a, Expr b);
Expr select(Expr condition, Expr yes, Expr no);

}  // namespace mechfmu
