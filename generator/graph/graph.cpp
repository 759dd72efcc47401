#include "graph/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

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
      "round",    "less",   "less_equal", "equal",    "select"};
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
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
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
      break;
  }
  MECHFMU_ASSERT(false, "constants and symbols are not applied");
}

const Node& Expr::node() const { return graph_->node(id_); }
bool Expr::is_constant() const { return node().op == Op::constant; }
bool Expr::is_zero() const { return is_constant() && node().value == 0; }
bool Expr::is_constant(double v) const { return is_constant() && node().value == v; }
double Expr::constant() const {
  MECHFMU_ASSERT(is_constant(), "a constant is expected here");
  return node().value;
}

std::size_t Graph::Hash::operator()(const Node& n) const {
  std::uint64_t h = static_cast<std::uint64_t>(n.op) * 0x9e3779b97f4a7c15ULL;
  for (const std::uint64_t x : {std::uint64_t{n.a}, std::uint64_t{n.b}, std::uint64_t{n.c},
                                std::bit_cast<std::uint64_t>(n.value)}) {
    h ^= x + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  return h;
}

bool Graph::Equal::operator()(const Node& x, const Node& y) const {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

Graph::Graph() { number(0); }

Expr Graph::intern(const Node& node) {
  const auto [it, inserted] = index_.try_emplace(node, static_cast<NodeId>(nodes_.size()));
  if (inserted) nodes_.push_back(node);
  return {this, it->second};
}

Expr Graph::number(double value) {
  if (value == 0) value = 0;  // one zero: -0.0 would be a second node
  return intern({Op::constant, 0, 0, 0, value});
}

Expr Graph::symbol(int array, int index) {
  return intern({Op::symbol, static_cast<NodeId>(array), static_cast<NodeId>(index), 0, 0});
}

namespace {

// sin(x)^2 and cos(x)^2 with the same x
bool is_circle(const Graph& g, const Node& p, const Node& q) {
  if (p.op != Op::multiply || q.op != Op::multiply || p.a != p.b || q.a != q.b) return false;
  const Node& f = g.node(p.a);
  const Node& h = g.node(q.a);
  return f.a == h.a &&
         ((f.op == Op::sin && h.op == Op::cos) || (f.op == Op::cos && h.op == Op::sin));
}

}  // namespace

Expr Graph::make_add(Expr a, Expr b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const Node na = a.node();
  const Node nb = b.node();
  if (na.op == Op::negate && nb.op == Op::negate) return make_negate(make_add(at(na.a), at(nb.a)));
  if (nb.op == Op::negate) return make_subtract(a, at(nb.a));
  if (na.op == Op::negate) return make_subtract(b, at(na.a));
  if (is_circle(*this, na, nb)) return number(1);
  // constants to the front and together: c1 + (c2 + x)
  if (b.is_constant() && !a.is_constant()) return make_add(b, a);
  if (a.is_constant() && nb.op == Op::add && at(nb.a).is_constant())
    return make_add(number(na.value + node(nb.a).value), at(nb.b));
  if (!a.is_constant() && a.id() > b.id()) std::swap(a, b);
  return intern({Op::add, a.id(), b.id(), 0, 0});
}

Expr Graph::make_subtract(Expr a, Expr b) {
  if (b.is_zero()) return a;
  if (a == b) return number(0);
  if (a.is_zero()) return make_negate(b);
  const Node na = a.node();
  const Node nb = b.node();
  if (nb.op == Op::negate) return make_add(a, at(nb.a));
  if (na.op == Op::negate) return make_negate(make_add(at(na.a), b));
  if (b.is_constant()) return make_add(number(-nb.value), a);
  return intern({Op::subtract, a.id(), b.id(), 0, 0});
}

Expr Graph::make_multiply(Expr a, Expr b) {
  if (a.is_zero() || b.is_zero()) return number(0);
  if (a.is_constant(1)) return b;
  if (b.is_constant(1)) return a;
  if (a.is_constant(-1)) return make_negate(b);
  if (b.is_constant(-1)) return make_negate(a);
  const Node na = a.node();
  const Node nb = b.node();
  // signs move outwards, so that products that differ only in sign are one node
  if (na.op == Op::negate) return make_negate(make_multiply(at(na.a), b));
  if (nb.op == Op::negate) return make_negate(make_multiply(a, at(nb.a)));
  if (b.is_constant() && !a.is_constant()) return make_multiply(b, a);
  if (a.is_constant()) {
    if (na.value < 0) return make_negate(make_multiply(number(-na.value), b));
    if (nb.op == Op::multiply && at(nb.a).is_constant())
      return make_multiply(number(na.value * node(nb.a).value), at(nb.b));
  } else if (a.id() > b.id()) {
    std::swap(a, b);
  }
  return intern({Op::multiply, a.id(), b.id(), 0, 0});
}

Expr Graph::make_divide(Expr a, Expr b) {
  if (a.is_zero()) return number(0);
  if (b.is_constant(1)) return a;
  if (a == b) return number(1);
  const Node na = a.node();
  const Node nb = b.node();
  if (na.op == Op::negate) return make_negate(make_divide(at(na.a), b));
  if (nb.op == Op::negate) return make_negate(make_divide(a, at(nb.a)));
  if (b.is_constant() && std::isfinite(1 / nb.value)) return make_multiply(number(1 / nb.value), a);
  return intern({Op::divide, a.id(), b.id(), 0, 0});
}

Expr Graph::make_negate(Expr a) {
  const Node na = a.node();
  if (a.is_constant()) return number(-na.value);
  if (na.op == Op::negate) return at(na.a);
  if (na.op == Op::subtract) return make_subtract(at(na.b), at(na.a));
  return intern({Op::negate, a.id(), 0, 0, 0});
}

Expr Graph::make_power(Expr a, Expr b) {
  if (b.is_constant()) {
    const double n = b.constant();
    if (n == 0) return number(1);
    if (n == 0.5) return make(Op::sqrt, a);
    if (n == std::floor(n) && std::fabs(n) <= 8) {
      Expr result = a;
      for (int i = 1; i < static_cast<int>(std::fabs(n)); ++i) result = make_multiply(result, a);
      return n > 0 ? result : make_divide(number(1), result);
    }
  }
  return intern({Op::power, a.id(), b.id(), 0, 0});
}

Expr Graph::make(Op op, Expr a) {
  MECHFMU_ASSERT(operand_count(op) == 1, "a unary operation");
  if (a.is_constant() && std::isfinite(apply(op, a.constant())))
    return number(apply(op, a.constant()));
  const Node na = a.node();
  switch (op) {
    case Op::negate:
      return make_negate(a);
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
      if (na.op == Op::negate) return make_negate(make(op, at(na.a)));
      break;
    case Op::cos:
    case Op::cosh:
    case Op::abs:
      if (na.op == Op::negate) return make(op, at(na.a));
      break;
    default:
      break;
  }
  return intern({op, a.id(), 0, 0, 0});
}

Expr Graph::make(Op op, Expr a, Expr b) {
  MECHFMU_ASSERT(operand_count(op) == 2, "a binary operation");
  if (a.is_constant() && b.is_constant()) {
    const double value = apply(op, a.constant(), b.constant());
    if (std::isfinite(value)) return number(value);
  }
  switch (op) {
    case Op::add:
      return make_add(a, b);
    case Op::subtract:
      return make_subtract(a, b);
    case Op::multiply:
      return make_multiply(a, b);
    case Op::divide:
      return make_divide(a, b);
    case Op::power:
      return make_power(a, b);
    case Op::min:
    case Op::max:
      if (a == b) return a;
      break;
    default:
      break;
  }
  return intern({op, a.id(), b.id(), 0, 0});
}

Expr Graph::make(Op op, Expr a, Expr b, Expr c) {
  MECHFMU_ASSERT(op == Op::select, "the only ternary operation");
  if (a.is_constant()) return a.constant() != 0 ? b : c;
  if (b == c) return b;
  return intern({op, a.id(), b.id(), c.id(), 0});
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
