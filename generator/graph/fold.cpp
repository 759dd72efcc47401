// The folding rules: what Graph::make does before it makes a node. Each rule is an identity of real
// numbers; graph.hpp says what that means for floating point.
//
// Constants meet constants: c1 + (c2 + x), c1*(c2*x), (c1*x)/(c2*y), c1*x + c2*x, c*x + c*y. The
// merged constant is rounded once where the nested ones were rounded twice; a product or quotient
// that leaves the normal range is not merged, because its rounding would be large (or make an exact
// zero of something that is none). x/c becomes x*(1/c). Constants are not moved across anything
// that is not constant: (c*x)*y stays, because c*x may be shared.
//
// Equal terms of nested sums cancel: (x + y) - (x + z) -> y - z. The result is closer to the exact
// value than what it replaces, and it is what makes frames that hang on the same body lose that
// body's position.
#include <algorithm>
#include <array>
#include <cmath>

#include "graph/graph.hpp"
#include "support/assert.hpp"

namespace mechfmu {

struct Graph::Signed {
  bool minus;
  Expr x;
};

namespace {

// Rules on sums lead to rules on smaller sums. That is a recursion over the depth of the graph; it
// ends here, with a correct but less folded node.
constexpr int kFoldingDepth = 64;

bool is_negative(double value) { return std::signbit(value); }

// c*x with a constant c in front
bool has_coefficient(const Graph& graph, const Node& n) {
  return n.op == Op::multiply && graph.node(n.a).op == Op::constant;
}

// The factors of a product of products, ascending; what is more than fits stays multiplied.
struct Factors {
  std::array<NodeId, 8> id;
  std::size_t count = 1;

  Factors(const Graph& graph, NodeId product) : id{product} {
    for (std::size_t i = 0; i < count;) {
      const Node& n = graph.node(id[i]);
      if (n.op == Op::multiply && count < id.size()) {
        id[i] = n.a;
        id[count++] = n.b;
      } else {
        ++i;
      }
    }
    std::sort(id.begin(), id.begin() + count);
  }
};

// Two products, factor by factor: what only one of them has, and what they share.
struct Comparison {
  std::array<NodeId, 8> only_p{}, only_q{}, common{};
  std::size_t p_count = 0, q_count = 0, common_count = 0;

  Comparison(const Factors& p, const Factors& q) {
    std::size_t i = 0, k = 0;
    while (i < p.count && k < q.count) {
      if (p.id[i] == q.id[k]) {
        common[common_count++] = p.id[i];
        ++i, ++k;
      } else if (p.id[i] < q.id[k]) {
        only_p[p_count++] = p.id[i++];
      } else {
        only_q[q_count++] = q.id[k++];
      }
    }
    while (i < p.count) only_p[p_count++] = p.id[i++];
    while (k < q.count) only_q[q_count++] = q.id[k++];
  }

  [[nodiscard]] bool is_equal() const { return p_count == 0 && q_count == 0; }

  // k sin(x)^2 and k cos(x)^2
  [[nodiscard]] bool is_circle(const Graph& graph) const {
    if (p_count != 2 || q_count != 2 || only_p[0] != only_p[1] || only_q[0] != only_q[1])
      return false;
    const Node& f = graph.node(only_p[0]);
    const Node& h = graph.node(only_q[0]);
    return f.a == h.a &&
           ((f.op == Op::sin && h.op == Op::cos) || (f.op == Op::cos && h.op == Op::sin));
  }
};

}  // namespace

Expr Graph::make_signed(Signed x) { return x.minus ? make_negate(x.x) : x.x; }

// constant + b
Expr Graph::make_shifted(double constant, Signed b) {
  if (constant == 0) return make_signed(b);
  if (b.minus) return make_negate(make_shifted(-constant, {false, b.x}));
  const Node nb = b.x.node();
  if (nb.op == Op::add && at(nb.a).is_constant()) {
    const double sum = constant + node(nb.a).value;
    if (std::isfinite(sum)) return make_shifted(sum, {false, at(nb.b)});
  }
  return intern({Op::add, number(constant).id(), b.x.id(), 0, 0});
}

Expr Graph::make_sum(Signed a, Signed b, int depth) {
  for (Signed* s : {&a, &b})
    if (s->x.node().op == Op::negate) *s = {!s->minus, at(s->x.node().a)};
  const Node na = a.x.node();
  const Node nb = b.x.node();
  const auto sign = [](const Signed& s) { return s.minus ? -1.0 : 1.0; };
  if (na.op == Op::constant && nb.op == Op::constant)
    return number(sign(a) * na.value + sign(b) * nb.value);
  if (na.op == Op::constant) return make_shifted(sign(a) * na.value, b);
  if (nb.op == Op::constant) return make_shifted(sign(b) * nb.value, a);

  // as ca*ya + cb*yb with constants ca, cb
  const bool with_a = has_coefficient(*this, na);
  const bool with_b = has_coefficient(*this, nb);
  const double ca = sign(a) * (with_a ? node(na.a).value : 1.0);
  const double cb = sign(b) * (with_b ? node(nb.a).value : 1.0);
  const Expr ya = with_a ? at(na.b) : a.x;
  const Expr yb = with_b ? at(nb.b) : b.x;
  bool equal = ya == yb;
  if (!equal && ya.node().op == Op::multiply && yb.node().op == Op::multiply) {
    const Comparison factors(Factors(*this, ya.id()), Factors(*this, yb.id()));
    equal = factors.is_equal();
    if (ca == cb && factors.is_circle(*this)) {
      Expr product = number(ca);
      for (std::size_t i = 0; i < factors.common_count; ++i)
        product = make_multiply(product, at(factors.common[i]));
      return product;
    }
  }
  if (equal && std::isfinite(ca + cb)) return make_multiply(number(ca + cb), ya);

  if (depth < kFoldingDepth) {
    if (with_a && with_b && std::fabs(ca) == std::fabs(cb))
      return make_multiply(number(std::fabs(ca)),
                           make_sum({is_negative(ca), ya}, {is_negative(cb), yb}, depth + 1));

    // terms of both that cancel
    const auto terms = [&](const Signed& s, const Node& n, std::array<Signed, 2>& list) {
      if (n.op != Op::add && n.op != Op::subtract) {
        list[0] = s;
        return 1;
      }
      list[0] = {s.minus, at(n.a)};
      list[1] = {s.minus != (n.op == Op::subtract), at(n.b)};
      return 2;
    };
    std::array<Signed, 2> p{}, q{};
    const int p_count = terms(a, na, p);
    const int q_count = terms(b, nb, q);
    for (int i = 0; i < p_count; ++i)
      for (int k = 0; k < q_count; ++k) {
        const auto pi = static_cast<std::size_t>(i), qk = static_cast<std::size_t>(k);
        if (p[pi].x != q[qk].x || p[pi].minus == q[qk].minus) continue;
        if (p_count == 1) return make_signed(q[1 - qk]);
        if (q_count == 1) return make_signed(p[1 - pi]);
        return make_sum(p[1 - pi], q[1 - qk], depth + 1);
      }
  }

  if (a.x.id() > b.x.id()) std::swap(a, b);
  const Op op = a.minus == b.minus ? Op::add : Op::subtract;
  return make_signed({a.minus, intern({op, a.x.id(), b.x.id(), 0, 0})});
}

Expr Graph::make_multiply(Expr a, Expr b) {
  if (a.is_zero() || b.is_zero()) return number(0);
  if (b.is_constant()) std::swap(a, b);
  const Node na = a.node();
  const Node nb = b.node();
  if (na.op == Op::constant) {
    if (nb.op == Op::constant) return number(na.value * nb.value);
    if (na.value == 1) return b;
    if (na.value < 0) return make_negate(make_multiply(number(-na.value), b));
  }
  // signs move outwards, so that products that differ only in sign are one node
  if (na.op == Op::negate) return make_negate(make_multiply(at(na.a), b));
  if (nb.op == Op::negate) return make_negate(make_multiply(a, at(nb.a)));
  if (na.op == Op::constant) {
    if ((nb.op == Op::multiply || nb.op == Op::divide) && at(nb.a).is_constant()) {
      const double product = na.value * node(nb.a).value;
      if (std::isnormal(product))
        return nb.op == Op::multiply ? make_multiply(number(product), at(nb.b))
                                     : make_divide(number(product), at(nb.b));
    }
  } else {
    if (a == b && na.op == Op::sqrt) return at(na.a);
    if (a == b && na.op == Op::abs) return make_multiply(at(na.a), at(na.a));
    if (a.id() > b.id()) std::swap(a, b);
  }
  return intern({Op::multiply, a.id(), b.id(), 0, 0});
}

Expr Graph::make_divide(Expr a, Expr b) {
  const Node na = a.node();
  const Node nb = b.node();
  if (na.op == Op::constant && nb.op == Op::constant) return number(na.value / nb.value);
  if (a.is_zero()) return a;
  if (a == b) return number(1);
  if (na.op == Op::negate) return make_negate(make_divide(at(na.a), b));
  if (nb.op == Op::negate) return make_negate(make_divide(a, at(nb.a)));
  if (na.op == Op::constant && na.value < 0) return make_negate(make_divide(number(-na.value), b));

  const bool with_a = has_coefficient(*this, na);
  const bool with_b = has_coefficient(*this, nb);
  if (nb.op == Op::constant) {
    // one rounding for (c1*x)/c2
    const double quotient = with_a ? node(na.a).value / nb.value : 1 / nb.value;
    if (std::isnormal(quotient)) return make_multiply(number(quotient), with_a ? at(na.b) : a);
  }
  if (with_a && with_b) {
    const double quotient = node(na.a).value / node(nb.a).value;
    if (std::isnormal(quotient))
      return make_multiply(number(quotient), make_divide(at(na.b), at(nb.b)));
  }
  return intern({Op::divide, a.id(), b.id(), 0, 0});
}

Expr Graph::make_negate(Expr a) {
  const Node na = a.node();
  if (na.op == Op::constant) return number(-na.value);
  if (na.op == Op::negate) return at(na.a);
  return intern({Op::negate, a.id(), 0, 0, 0});
}

// Multiples of one half up to 8 are multiplications and a square root: faster than pow, and their
// derivatives stay of that kind. By squaring, so that x^4 shares x^2.
Expr Graph::make_power(Expr a, double exponent) {
  const double size = std::fabs(exponent);
  if (exponent == 0) return number(1);
  if (!(size <= 8) || 2 * size != std::floor(2 * size))
    return intern({Op::power, a.id(), number(exponent).id(), 0, 0});
  Expr result = number(1);
  Expr square = a;
  for (int n = static_cast<int>(size); n > 0; n /= 2) {
    if (n % 2 == 1) result = make_multiply(result, square);
    if (n > 1) square = make_multiply(square, square);
  }
  if (size != std::floor(size)) result = make_multiply(result, make(Op::sqrt, a));
  return exponent > 0 ? result : make_divide(number(1), result);
}

Expr Graph::make_unary(Op op, Expr a) {
  const Node na = a.node();
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::round:
      if (na.op == Op::negate) return make_negate(make_unary(op, at(na.a)));
      break;
    case Op::abs:
      if (na.op == Op::sqrt) return a;
      [[fallthrough]];
    case Op::cos:
    case Op::cosh:
      if (na.op == Op::negate || na.op == Op::abs) return make_unary(op, at(na.a));
      break;
    case Op::sqrt:
      // the length of a vector with one component; |x| also has a derivative at 0
      if (na.op == Op::multiply && na.a == na.b) return make_unary(Op::abs, at(na.a));
      break;
    default:
      break;
  }
  return intern({op, a.id(), 0, 0, 0});
}

Expr Graph::make(Op op, Expr a) {
  MECHFMU_ASSERT(operand_count(op) == 1, "a unary operation");
  MECHFMU_ASSERT(a.graph() == this, "operands of this graph");
  if (a.is_constant()) return number(apply(op, a.constant()));
  return op == Op::negate ? make_negate(a) : make_unary(op, a);
}

Expr Graph::make(Op op, Expr a, Expr b) {
  MECHFMU_ASSERT(operand_count(op) == 2, "a binary operation");
  MECHFMU_ASSERT(a.graph() == this && b.graph() == this, "operands of this graph");
  if (a.is_constant() && b.is_constant()) return number(apply(op, a.constant(), b.constant()));
  switch (op) {
    case Op::add:
      return make_sum({false, a}, {false, b}, 0);
    case Op::subtract:
      return make_sum({false, a}, {true, b}, 0);
    case Op::multiply:
      return make_multiply(a, b);
    case Op::divide:
      return make_divide(a, b);
    case Op::power:
      if (b.is_constant()) return make_power(a, b.constant());
      if (a.is_constant(1)) return a;
      break;
    case Op::min:
    case Op::max:
      if (a == b) return a;
      if (a.id() > b.id()) std::swap(a, b);
      break;
    case Op::less:
      if (a == b) return number(0);
      break;
    case Op::less_equal:
      if (a == b) return number(1);
      break;
    case Op::equal:
      if (a == b) return number(1);
      if (a.id() > b.id()) std::swap(a, b);
      break;
    default:
      break;
  }
  return intern({op, a.id(), b.id(), 0, 0});
}

Expr Graph::make(Op op, Expr a, Expr b, Expr c) {
  MECHFMU_ASSERT(op == Op::select, "the only ternary operation");
  MECHFMU_ASSERT(a.graph() == this && b.graph() == this && c.graph() == this,
                 "operands of this graph");
  if (a.is_constant()) return a.constant() != 0 ? b : c;
  if (b == c) return b;
  return intern({op, a.id(), b.id(), c.id(), 0});
}

}  // namespace mechfmu
