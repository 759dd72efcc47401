// The expression graph: every number the FMU will ever compute is a node here first.
//
// Nodes are hash-consed (equal expressions are one node), folded when they are made (constants,
// exact zeros and ones, double negation, sin^2 + cos^2), and immutable. A node's operands always
// have smaller ids than the node, so ascending id order is an evaluation order. Dead dimensions of
// planar mechanisms, aligned axes and structurally redundant constraint rows disappear by these
// rules alone; no later stage looks for them.
//
// Folding x*0 -> 0 is exact for finite x only; a kernel never relies on NaN spreading through a
// structural zero.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

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
  equal,  // 1 or 0; derivative zero
  select  // a != 0 ? b : c; differentiates piecewise
};

int operand_count(Op op);
std::string_view op_name(Op op);

using NodeId = std::uint32_t;

struct Node {
  Op op = Op::constant;
  NodeId a = 0, b = 0, c = 0;  // operands; a symbol has array a, index b
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
  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] bool is_zero() const;  // the constant 0
  [[nodiscard]] bool is_constant(double v) const;
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

  Expr number(double value);
  Expr symbol(int array, int index);
  Expr make(Op op, Expr a);
  Expr make(Op op, Expr a, Expr b);
  Expr make(Op op, Expr a, Expr b, Expr c);

  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  Expr intern(const Node& node);
  Expr make_add(Expr a, Expr b);
  Expr make_subtract(Expr a, Expr b);
  Expr make_multiply(Expr a, Expr b);
  Expr make_divide(Expr a, Expr b);
  Expr make_negate(Expr a);
  Expr make_power(Expr a, Expr b);
  Expr at(NodeId id) { return {this, id}; }

  struct Hash {
    std::size_t operator()(const Node& n) const;
  };
  struct Equal {
    bool operator()(const Node& x, const Node& y) const;
  };
  std::vector<Node> nodes_;
  std::unordered_map<Node, NodeId, Hash, Equal> index_;
};

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
