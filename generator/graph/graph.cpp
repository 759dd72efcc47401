#include "graph/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "platform/elementary.hpp"
#include "support/assert.hpp"

namespace mechfmu {

int operand_count(Op op) {
  switch (op) {
    case Op::constant:
    case Op::symbol:
      return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::atan2:
    case Op::power:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return 2;
    case Op::select:
      return 3;
    default:
      return 1;
  }
}

std::string_view op_name(Op op) {
  static constexpr std::string_view names[] = {
      "constant", "symbol", "add",        "subtract", "multiply", "divide", "negate", "sin",
      "cos",      "tan",    "asin",       "acos",     "atan",     "atan2",  "sinh",   "cosh",
      "tanh",     "exp",    "log",        "sqrt",     "abs",      "power",  "min",    "max",
      "round",    "less",   "less_equal", "equal",    "select",   "table"};
  return names[static_cast<std::size_t>(op)];
}

double apply(Op op, double a, double b, double c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::negate:
      return -a;
    case Op::sin:
      return runtime::calc_sine(a);
    case Op::cos:
      return runtime::calc_cosine(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::fabs(a);
    case Op::power:
      return std::pow(a, b);
    case Op::min:
      return a < b ? a : b;
    case Op::max:
      return a > b ? a : b;
    case Op::round:
      return std::nearbyint(a);
    case Op::less:
      return a < b ? 1.0 : 0.0;
    case Op::less_equal:
      return a <= b ? 1.0 : 0.0;
    case Op::equal:
      return a == b ? 1.0 : 0.0;
    case Op::select:
      return a != 0 ? b : c;
    case Op::constant:
    case Op::symbol:
    case Op::table:
      break;
  }
  MECHFMU_ASSERT(false, "constants, symbols and tables are not applied");
}

double Expr::constant() const {
  MECHFMU_ASSERT(is_constant(), "a constant is expected here");
  return node().value;
}

namespace {

constexpr NodeId kEmpty = 0xffffffffU;

std::size_t hash(const Node& n) {
  std::uint64_t h = static_cast<std::uint64_t>(n.op) * 0x9e3779b97f4a7c15ULL;
  for (const std::uint64_t x : {(std::uint64_t{n.a} << 32) | n.b,
                                std::uint64_t{n.c} ^ std::bit_cast<std::uint64_t>(n.value)}) {
    h = (h ^ x) * 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  return h;
}

bool same(const Node& x, const Node& y) {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

Graph::Graph() {
  grow_table();
  number(0);  // id 0, see Expr::is_zero()
}

void Graph::grow_table() {
  table_.assign(std::max<std::size_t>(1024, 2 * table_.size()), kEmpty);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t id = 0; id < nodes_.size(); ++id) {
    std::size_t place = hash(nodes_[id]) & mask;
    while (table_[place] != kEmpty) place = (place + 1) & mask;
    table_[place] = static_cast<NodeId>(id);
  }
}

Expr Graph::intern(const Node& node) {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash(node) & mask;
  for (; table_[place] != kEmpty; place = (place + 1) & mask)
    if (same(nodes_[table_[place]], node)) return {this, table_[place]};
  MECHFMU_ASSERT(nodes_.size() < kEmpty, "a graph has fewer than 2^32 - 1 nodes");
  const auto id = static_cast<NodeId>(nodes_.size());
  table_[place] = id;
  nodes_.push_back(node);
  if (2 * nodes_.size() > table_.size()) grow_table();
  return {this, id};
}

Expr Graph::number(double value) {
  if (value == 0) value = 0;  // one zero: -0.0 would be a second node
  return intern({Op::constant, 0, 0, 0, value});
}

Expr Graph::symbol(int array, int index) {
  MECHFMU_ASSERT(array >= 0 && index >= 0, "a symbol is an element of an input array");
  return intern({Op::symbol, static_cast<NodeId>(array), static_cast<NodeId>(index), 0, 0});
}

int Graph::add_table(TableFunction table) {
  tables_.push_back(std::move(table));
  return static_cast<int>(tables_.size()) - 1;
}

Expr Graph::look_up(int table, int order, Expr x) {
  const TableFunction& function = tables_[static_cast<std::size_t>(table)];
  if (order > function.degree) return number(0);
  if (x.is_constant()) return number(runtime::evaluate_table(function.view(), order, x.constant()));
  return intern({Op::table, x.id(), static_cast<NodeId>(table), static_cast<NodeId>(order), 0});
}

Expr operator+(Expr a, Expr b) { return a.graph()->make(Op::add, a, b); }
Expr operator-(Expr a, Expr b) { return a.graph()->make(Op::subtract, a, b); }
Expr operator*(Expr a, Expr b) { return a.graph()->make(Op::multiply, a, b); }
Expr operator/(Expr a, Expr b) { return a.graph()->make(Op::divide, a, b); }
Expr operator-(Expr a) { return a.graph()->make(Op::negate, a); }
Expr operator+(Expr a, double b) { return a + a.graph()->number(b); }
Expr operator-(Expr a, double b) { return a - a.graph()->number(b); }
Expr operator*(Expr a, double b) { return a * a.graph()->number(b); }
Expr operator/(Expr a, double b) { return a / a.graph()->number(b); }
Expr operator+(double a, Expr b) { return b.graph()->number(a) + b; }
Expr operator-(double a, Expr b) { return b.graph()->number(a) - b; }
Expr operator*(double a, Expr b) { return b.graph()->number(a) * b; }
Expr operator/(double a, Expr b) { return b.graph()->number(a) / b; }

Expr sin(Expr x) { return x.graph()->make(Op::sin, x); }
Expr cos(Expr x) { return x.graph()->make(Op::cos, x); }
Expr tanh(Expr x) { return x.graph()->make(Op::tanh, x); }
Expr sqrt(Expr x) { return x.graph()->make(Op::sqrt, x); }
Expr asin(Expr x) { return x.graph()->make(Op::asin, x); }
Expr round(Expr x) { return x.graph()->make(Op::round, x); }
Expr atan2(Expr y, Expr x) { return x.graph()->make(Op::atan2, y, x); }
Expr less(Expr a, Expr b) { return a.graph()->make(Op::less, a, b); }
Expr select(Expr condition, Expr yes, Expr no) {
  return condition.graph()->make(Op::select, condition, yes, no);
}

}  // namespace mechfmu
