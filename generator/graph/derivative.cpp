#include "graph/derivative.hpp"

#include <algorithm>

#include "support/assert.hpp"

namespace mechfmu {

namespace {

using Map = std::unordered_map<NodeId, NodeId>;

constexpr NodeId kPending = 0xffffffffU;

template <class Visit>
void each_operand(const Node& n, Visit visit) {
  const int count = operand_count(n.op);
  if (count > 0) visit(n.a);
  if (count > 1) visit(n.b);
  if (count > 2) visit(n.c);
}

// Ids reachable from `root` whose entry in `known` is missing, operands first; the entries are
// made. Iterative: a long chain of sums must not exhaust the stack.
std::vector<NodeId> add_pending(const Graph& graph, NodeId root, Map& known) {
  std::vector<NodeId> found;
  const auto visit = [&](NodeId id) {
    if (known.try_emplace(id, kPending).second) found.push_back(id);
  };
  visit(root);
  for (std::size_t i = 0; i < found.size(); ++i) each_operand(graph.node(found[i]), visit);
  std::sort(found.begin(), found.end());  // ascending ids are an evaluation order
  return found;
}

// d f(a, b, c), given the derivatives of the operands.
Expr differentiate(Graph& graph, NodeId id, Expr da, Expr db, Expr dc,
                   AtKinks at_kinks = AtKinks::undefined) {
  const Node n = graph.node(id);
  const Expr zero = graph.number(0);
  if (da.is_zero() && db.is_zero() && dc.is_zero()) return zero;
  const Expr x{&graph, id};
  const Expr a{&graph, n.a}, b{&graph, n.b};
  // at a norm of zero, an arc cosine of one, an angle of no vector
  const auto quotient = [&](Expr over, Expr under) {
    if (at_kinks == AtKinks::undefined || over.is_zero()) return over / under;
    return select(graph.make(Op::equal, under, zero), zero, over / under);
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
      return quotient(da, sqrt(1.0 - a * a));
    case Op::acos:
      return -quotient(da, sqrt(1.0 - a * a));
    case Op::atan:
      return da / (1.0 + a * a);
    case Op::atan2:
      return quotient(b * da - a * db, a * a + b * b);
    case Op::sinh:
      return graph.make(Op::cosh, a) * da;
    case Op::cosh:
      return graph.make(Op::sinh, a) * da;
    case Op::tanh:
      return (1.0 - x * x) * da;
    case Op::exp:
      return x * da;
    case Op::log:
      return da / a;
    case Op::sqrt:
      return quotient(da, 2.0 * x);
    case Op::abs:
      return select(less(a, zero), -da, da);
    case Op::power: {
      // a^b: b a^(b-1) da + log(a) a^b db, where the second term is 0 at a = 0 and not 0 * infinity
      const Expr first = da.is_zero() ? zero : b * graph.make(Op::power, a, b - 1.0) * da;
      if (db.is_zero()) return first;
      const Expr second = graph.make(Op::log, a) * x * db;
      return first + select(graph.make(Op::equal, a, zero), zero, second);
    }
    case Op::min:
      return select(less(a, b), da, db);
    case Op::max:
      return select(less(b, a), da, db);
    case Op::select:
      return select(a, db, dc);
    case Op::table:
      return graph.look_up(static_cast<int>(n.b), static_cast<int>(n.c) + 1, a) * da;
    default:
      return zero;  // round, comparisons: piecewise constant
  }
}

struct Seed {
  Expr of;
  Expr rate;
};

// The seed, and what it says about x where its node is -x, c + x or c*x.
std::vector<Seed> find_implied(Graph& graph, Expr of, Expr rate) {
  std::vector<Seed> seeds{{of, rate}};
  for (;;) {
    const Node n = of.node();
    const Expr a{&graph, n.a}, b{&graph, n.b};
    if (n.op == Op::negate) {
      of = a;
      rate = -rate;
    } else if (n.op == Op::add && a.is_constant()) {
      of = b;
    } else if (n.op == Op::multiply && a.is_constant()) {
      of = b;
      rate = rate / a;
    } else {
      return seeds;
    }
    seeds.push_back({of, rate});
  }
}

}  // namespace

void Direction::seed(Expr of, Expr rate) {
  if (of.is_constant()) return;
  bool stale = false;
  for (const Seed& s : find_implied(graph_, of, rate)) {
    if (s.of == of)
      seeds_[of.id()] = rate.id();
    else if (seeds_.contains(s.of.id()))
      continue;
    else
      implied_[s.of.id()] = s.rate.id();
    // what is known stays known unless it was found without this seed
    if (!known_.empty() && !known_.try_emplace(s.of.id(), s.rate.id()).second)
      stale = stale || known_.at(s.of.id()) != s.rate.id();
  }
  if (stale) known_.clear();
}

Expr Direction::derivative(Expr of) {
  if (known_.empty()) {
    known_ = implied_;
    for (const auto& [id, rate] : seeds_) known_[id] = rate;
  }
  const auto rate = [&](bool exists, NodeId operand) {
    return Expr{&graph_, exists ? known_.at(operand) : 0};
  };
  for (const NodeId id : add_pending(graph_, of.id(), known_)) {
    const Node n = graph_.node(id);
    const int count = operand_count(n.op);
    known_[id] = differentiate(graph_, id, rate(count > 0, n.a), rate(count > 1, n.b),
                               rate(count > 2, n.c), at_kinks_)
                     .id();
  }
  return {&graph_, known_.at(of.id())};
}

namespace {

// For every node of `order`, the positions in `order` of the nodes that it is an operand of.
class Users {
 public:
  Users(const Graph& graph, const std::vector<NodeId>& order, const Map& position)
      : first_(order.size() + 1, 0) {
    for (const NodeId id : order)
      each_operand(graph.node(id), [&](NodeId operand) { ++first_[position.at(operand) + 1]; });
    for (std::size_t i = 0; i < order.size(); ++i) first_[i + 1] += first_[i];
    users_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t i = 0; i < order.size(); ++i)
      each_operand(graph.node(order[i]),
                   [&](NodeId operand) { users_[next[position.at(operand)]++] = i; });
  }

  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t position) const {
    return {users_.data() + first_[position], users_.data() + first_[position + 1]};
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> users_;
};

}  // namespace

// Column by column, along the users of the column only: a row that does not depend on a column
// costs nothing.
std::vector<SparseEntry> jacobian(Graph& graph, std::span<const Expr> rows,
                                  std::span<const Expr> columns) {
  Map position;
  std::vector<NodeId> order;
  for (const Expr& row : rows) {
    const std::vector<NodeId> more = add_pending(graph, row.id(), position);
    order.insert(order.end(), more.begin(), more.end());
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<NodeId>(i);
  const Users users(graph, order, position);

  std::vector<NodeId> rate(order.size(), 0);  // of each node along the column; 0 is the constant 0
  std::vector<bool> moves(order.size(), false);
  std::vector<SparseEntry> entries;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].is_constant()) continue;
    std::vector<std::uint32_t> moving;
    for (const Seed& seed : find_implied(graph, columns[j], graph.number(1)))
      if (const auto found = position.find(seed.of.id()); found != position.end()) {
        rate[found->second] = seed.rate.id();
        moves[found->second] = true;
        moving.push_back(found->second);
      }
    const std::size_t seeds = moving.size();
    for (std::size_t i = 0; i < moving.size(); ++i)
      for (const std::uint32_t user : users.of(moving[i])) {
        if (moves[user]) continue;
        moves[user] = true;
        moving.push_back(user);
      }
    std::sort(moving.begin() + static_cast<std::ptrdiff_t>(seeds), moving.end());
    for (std::size_t i = seeds; i < moving.size(); ++i) {
      const NodeId id = order[moving[i]];
      const Node n = graph.node(id);
      const int count = operand_count(n.op);
      const auto of = [&](bool exists, NodeId operand) {
        return Expr{&graph, exists ? rate[position.at(operand)] : 0};
      };
      rate[moving[i]] =
          differentiate(graph, id, of(count > 0, n.a), of(count > 1, n.b), of(count > 2, n.c)).id();
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Expr value{&graph, rate[position.at(rows[i].id())]};
      if (!value.is_zero()) entries.push_back({static_cast<int>(i), static_cast<int>(j), value});
    }
    for (const std::uint32_t i : moving) rate[i] = 0, moves[i] = false;
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const SparseEntry& x, const SparseEntry& y) { return x.row < y.row; });
  return entries;
}

void Substitution::replace(Expr what, Expr by) {
  replaced_[what.id()] = by.id();
  known_.clear();
}

Expr Substitution::apply(Expr in) {
  if (known_.empty()) known_ = replaced_;
  for (const NodeId id : add_pending(graph_, in.id(), known_)) {
    const Node n = graph_.node(id);
    const auto of = [&](NodeId operand) { return Expr{&graph_, known_.at(operand)}; };
    bool changed = false;
    each_operand(n, [&](NodeId operand) { changed = changed || known_.at(operand) != operand; });
    Expr result{&graph_, id};
    if (changed) {
      switch (operand_count(n.op)) {
        case 1:
          result = n.op == Op::table
                       ? graph_.look_up(static_cast<int>(n.b), static_cast<int>(n.c), of(n.a))
                       : graph_.make(n.op, of(n.a));
          break;
        case 2:
          result = graph_.make(n.op, of(n.a), of(n.b));
          break;
        default:
          result = graph_.make(n.op, of(n.a), of(n.b), of(n.c));
          break;
      }
    }
    known_[id] = result.id();
  }
  return {&graph_, known_.at(in.id())};
}

}  // namespace mechfmu
