#include "graph/derivative.hpp"

#include <algorithm>

namespace mechfmu {

void Direction::seed(Expr of, Expr rate) {
  if (!of.is_constant()) known_[of.id()] = rate.id();
}

namespace {

// Ids reachable from `root` whose entry in `known` is missing, operands first. Iterative: a long
// chain of sums must not exhaust the stack.
template <class Map>
std::vector<NodeId> pending(const Graph& graph, NodeId root, const Map& known) {
  std::vector<NodeId> stack{root};
  std::vector<NodeId> found;
  std::unordered_map<NodeId, bool> seen;
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (known.contains(id) || !seen.try_emplace(id, true).second) continue;
    found.push_back(id);
    const Node& n = graph.node(id);
    const int count = operand_count(n.op);
    if (count > 0) stack.push_back(n.a);
    if (count > 1) stack.push_back(n.b);
    if (count > 2) stack.push_back(n.c);
  }
  std::sort(found.begin(), found.end());  // ascending ids are an evaluation order
  return found;
}

}  // namespace

Expr Direction::derivative(Expr of) {
  for (const NodeId id : pending(graph_, of.id(), known_)) known_[id] = differentiate(id).id();
  return {&graph_, known_.at(of.id())};
}

// d f(a, b, c) with the operands' derivatives already known.
Expr Direction::differentiate(NodeId id) {
  const Node n = graph_.node(id);
  const int count = operand_count(n.op);
  const Expr zero = graph_.number(0);
  const Expr x{&graph_, id};
  const Expr a{&graph_, n.a}, b{&graph_, n.b}, c{&graph_, n.c};
  const Expr da = count > 0 ? Expr{&graph_, known_.at(n.a)} : zero;
  const Expr db = count > 1 ? Expr{&graph_, known_.at(n.b)} : zero;
  const Expr dc = count > 2 ? Expr{&graph_, known_.at(n.c)} : zero;
  if (da.is_zero() && db.is_zero() && dc.is_zero()) return zero;

  const auto sign = [&](Expr y) {
    return select(less(y, zero), graph_.number(-1), graph_.number(1));
  };
  switch (n.op) {
    case Op::add:
      return da + db;
    case Op::subtract:
      return da - db;
    case Op::multiply:
      return da * b + a * db;
    case Op::divide:
      return (da - x * db) / b;
    case Op::negate:
      return -da;
    case Op::sin:
      return cos(a) * da;
    case Op::cos:
      return -(sin(a) * da);
    case Op::tan:
      return (1.0 + x * x) * da;
    case Op::asin:
      return da / sqrt(1.0 - a * a);
    case Op::acos:
      return -(da / sqrt(1.0 - a * a));
    case Op::atan:
      return da / (1.0 + a * a);
    case Op::atan2:
      return (b * da - a * db) / (a * a + b * b);
    case Op::sinh:
      return graph_.make(Op::cosh, a) * da;
    case Op::cosh:
      return graph_.make(Op::sinh, a) * da;
    case Op::tanh:
      return (1.0 - x * x) * da;
    case Op::exp:
      return x * da;
    case Op::log:
      return da / a;
    case Op::sqrt:
      return da / (2.0 * x);
    case Op::abs:
      return sign(a) * da;
    case Op::power: {
      // a^b: b a^(b-1) da + log(a) a^b db; the second term only where the exponent moves
      const Expr first = da.is_zero() ? zero : b * graph_.make(Op::power, a, b - 1.0) * da;
      const Expr second = db.is_zero() ? zero : graph_.make(Op::log, a) * x * db;
      return first + second;
    }
    case Op::min:
      return select(less(a, b), da, db);
    case Op::max:
      return select(less(b, a), da, db);
    case Op::select:
      return select(a, db, dc);
    default:
      return zero;  // round, comparisons: piecewise constant
  }
}

std::vector<SparseEntry> jacobian(Graph& graph, std::span<const Expr> rows,
                                  std::span<const Expr> columns) {
  std::vector<SparseEntry> entries;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    Direction direction(graph);
    direction.seed(columns[j], graph.number(1));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Expr value = direction.derivative(rows[i]);
      if (!value.is_zero()) entries.push_back({static_cast<int>(i), static_cast<int>(j), value});
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const SparseEntry& x, const SparseEntry& y) { return x.row < y.row; });
  return entries;
}

Expr Substitution::apply(Expr in) {
  for (const NodeId id : pending(graph_, in.id(), known_)) {
    const Node n = graph_.node(id);
    const auto of = [&](NodeId operand) { return Expr{&graph_, known_.at(operand)}; };
    Expr result{&graph_, id};
    switch (operand_count(n.op)) {
      case 1:
        result = graph_.make(n.op, of(n.a));
        break;
      case 2:
        result = graph_.make(n.op, of(n.a), of(n.b));
        break;
      case 3:
        result = graph_.make(n.op, of(n.a), of(n.b), of(n.c));
        break;
      default:
        break;
    }
    known_[id] = result.id();
  }
  return {&graph_, known_.at(in.id())};
}

}  // namespace mechfmu
