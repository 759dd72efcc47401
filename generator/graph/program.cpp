#include "graph/program.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "graph/derivative.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

template <class Visit>
void each_operand(const Node& n, Visit visit) {
  const int count = operand_count(n.op);
  if (count > 0) visit(n.a);
  if (count > 1) visit(n.b);
  if (count > 2) visit(n.c);
}

// Everything the roots need, operands first.
std::vector<NodeId> reachable(const Graph& graph, std::span<const Expr> roots) {
  NodeId last = 0;
  for (const Expr& root : roots) last = std::max(last, root.id());
  std::vector<bool> seen(std::size_t{last} + 1, false);
  std::vector<NodeId> found;
  const auto visit = [&](NodeId id) {
    if (seen[id]) return;
    seen[id] = true;
    found.push_back(id);
  };
  for (const Expr& root : roots) visit(root.id());
  for (std::size_t i = 0; i < found.size(); ++i) each_operand(graph.node(found[i]), visit);
  std::sort(found.begin(), found.end());
  return found;
}

// Graph nodes to instructions. The graph writes signs outside (-(a - b), -(c*x)) so that equal
// things look equal; where nothing else uses the inside, the sign goes back in and costs nothing:
// b - a, (-c)*x. The value is the same to the bit, but for the sign of a zero.
class Lowering {
 public:
  Lowering(const Graph& graph, std::span<const Expr> results)
      : graph_(graph), order_(reachable(graph, results)) {
    const std::size_t size = order_.empty() ? 0 : std::size_t{order_.back()} + 1;
    slot_.assign(size, kNone);
    uses_.assign(size, 0);
    for (const NodeId id : order_)
      each_operand(graph.node(id), [&](NodeId operand) { ++uses_[operand]; });
    for (const Expr& result : results) ++uses_[result.id()];
    find_absorbed();
    find_sine_pairs();
    for (const NodeId id : order_) {
      const bool leaf = operand_count(graph.node(id).op) == 0;
      if (!leaf && uses_[id] > 0 && slot_[id] == kNone) add(id);
    }
    for (const Expr& result : results) program_.results.push_back(slot(result.id()));
  }

  Program take() { return std::move(program_); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  [[nodiscard]] bool is_constant(NodeId id) const { return graph_.node(id).op == Op::constant; }

  // an operation that can be computed with the other sign at no cost
  [[nodiscard]] bool has_opposite(const Node& n) const {
    return n.op == Op::subtract ||
           ((n.op == Op::add || n.op == Op::multiply || n.op == Op::divide) && is_constant(n.a));
  }

  void find_absorbed() {
    for (const NodeId id : order_) {
      const Node& n = graph_.node(id);
      if (n.op == Op::negate && uses_[n.a] == 1 && has_opposite(graph_.node(n.a))) uses_[n.a] = 0;
    }
  }

  void find_sine_pairs() {
    std::unordered_map<NodeId, NodeId> of_operand;
    for (const NodeId id : order_) {
      const Node& n = graph_.node(id);
      if (n.op != Op::sin && n.op != Op::cos) continue;
      const auto [other, first] = of_operand.try_emplace(n.a, id);
      if (!first) partner_[id] = other->second, partner_[other->second] = id;
    }
  }

  std::uint32_t push(const Instruction& instruction) {
    program_.instructions.push_back(instruction);
    return static_cast<std::uint32_t>(program_.instructions.size() - 1);
  }

  std::uint32_t constant(double value) {
    const auto [it, inserted] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), 0);
    if (inserted) it->second = push({Op::constant, 0, 0, 0, value});
    return it->second;
  }

  // leaves are made when they are first used
  std::uint32_t slot(NodeId id) {
    const Node& n = graph_.node(id);
    if (slot_[id] == kNone && n.op == Op::constant) slot_[id] = constant(n.value);
    if (slot_[id] == kNone && n.op == Op::symbol) slot_[id] = push({Op::symbol, n.a, n.b});
    MECHFMU_ASSERT(slot_[id] != kNone, "operands come before what uses them");
    return slot_[id];
  }

  void add(NodeId id) {
    const Node& n = graph_.node(id);
    const auto partner = partner_.find(id);
    if (partner != partner_.end()) {
      const NodeId sine = n.op == Op::sin ? id : partner->second;
      const NodeId cosine = n.op == Op::sin ? partner->second : id;
      const std::uint32_t angle = slot(n.a);
      slot_[sine] = push({Op::sin, angle});
      slot_[cosine] = push({Op::cos, angle});
    } else if (n.op == Op::negate && uses_[n.a] == 0) {
      slot_[id] = add_opposite(graph_.node(n.a));
    } else if (n.op == Op::add && is_constant(n.a) && graph_.node(n.a).value < 0) {
      const std::uint32_t x = slot(n.b);
      slot_[id] = push({Op::subtract, x, constant(-graph_.node(n.a).value)});
    } else {
      Instruction instruction{n.op};
      const int count = operand_count(n.op);
      instruction.a = slot(n.a);
      if (count > 1) instruction.b = slot(n.b);
      if (count > 2) instruction.c = slot(n.c);
      if (n.op == Op::table) {
        instruction.b = n.b;
        instruction.c = n.c;
        program_.tables = graph_.tables();
      }
      slot_[id] = push(instruction);
    }
  }

  std::uint32_t add_opposite(const Node& n) {
    const std::uint32_t b = slot(n.b);
    if (n.op == Op::subtract) return push({Op::subtract, b, slot(n.a)});
    const std::uint32_t minus_a = constant(-graph_.node(n.a).value);
    return push({n.op == Op::add ? Op::subtract : n.op, minus_a, b});
  }

  const Graph& graph_;
  std::vector<NodeId> order_;
  std::vector<std::uint32_t> slot_;
  std::vector<std::uint32_t> uses_;             // 0: absorbed by its negation
  std::unordered_map<NodeId, NodeId> partner_;  // sine of a cosine and the reverse
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;
  Program program_;
};

}  // namespace

int Program::operation_count() const {
  return static_cast<int>(std::count_if(
      instructions.begin(), instructions.end(),
      [](const Instruction& i) { return i.op != Op::constant && i.op != Op::symbol; }));
}

bool Program::is_sine_pair(std::size_t i) const {
  return i + 1 < instructions.size() && instructions[i].op == Op::sin &&
         instructions[i + 1].op == Op::cos && instructions[i].a == instructions[i + 1].a;
}

Program make_program(const Graph& graph, std::span<const Expr> results) {
  return Lowering(graph, results).take();
}

std::vector<Expr> hoist(Graph& graph, std::span<Expr> results, int parameter_array,
                        int constant_array) {
  const std::vector<NodeId> order = reachable(graph, results);
  enum : std::uint8_t { kNumber, kParameter, kMoving };
  std::vector<std::uint8_t> level(order.empty() ? 0 : std::size_t{order.back()} + 1, kNumber);
  for (const NodeId id : order) {
    const Node& n = graph.node(id);
    if (n.op == Op::symbol)
      level[id] = static_cast<int>(n.a) == parameter_array ? kParameter : kMoving;
    each_operand(n, [&](NodeId operand) { level[id] = std::max(level[id], level[operand]); });
  }
  std::vector<NodeId> hoisted;
  const auto want = [&](NodeId id) {
    if (level[id] == kParameter) hoisted.push_back(id);
  };
  for (const NodeId id : order)
    if (level[id] == kMoving) each_operand(graph.node(id), want);
  for (const Expr& result : results) want(result.id());
  std::sort(hoisted.begin(), hoisted.end());
  hoisted.erase(std::unique(hoisted.begin(), hoisted.end()), hoisted.end());

  Substitution substitution(graph);
  std::vector<Expr> constants;
  for (const NodeId id : hoisted) {
    substitution.replace({&graph, id},
                         graph.symbol(constant_array, static_cast<int>(constants.size())));
    constants.emplace_back(&graph, id);
  }
  for (Expr& result : results) result = substitution.apply(result);
  return constants;
}

void for_each_symbol(const Graph& graph, std::span<const Expr> of,
                     const std::function<void(int array, std::uint32_t index)>& visit) {
  NodeId last = 0;
  bool leaves = true;
  for (const Expr& e : of) {
    last = std::max(last, e.id());
    leaves = leaves && operand_count(e.node().op) == 0;
  }
  const auto tell = [&](const Node& n) {
    if (n.op == Op::symbol) visit(static_cast<int>(n.a), n.b);
  };
  if (leaves) {  // most variables: no room for marks is needed
    for (const Expr& e : of) tell(e.node());
    return;
  }
  std::vector<bool> seen(std::size_t{last} + 1, false);
  std::vector<NodeId> found;
  const auto reach = [&](NodeId id) {
    if (seen[id]) return;
    seen[id] = true;
    found.push_back(id);
  };
  for (const Expr& e : of) reach(e.id());
  while (!found.empty()) {
    const NodeId id = found.back();
    found.pop_back();
    tell(graph.node(id));
    each_operand(graph.node(id), reach);
  }
}

bool depends_on(const Graph& graph, std::span<const Expr> of, int array) {
  bool found = false;
  for_each_symbol(graph, of, [&](int a, std::uint32_t) { found = found || a == array; });
  return found;
}

bool depends_on(const Graph& graph, Expr of, int array) {
  return depends_on(graph, std::span(&of, 1), array);
}

std::vector<bool> dependency_mask(const Graph& graph, Expr of, int array, int count) {
  std::vector<bool> mask(static_cast<std::size_t>(count), false);
  for_each_symbol(graph, std::span(&of, 1), [&](int a, std::uint32_t index) {
    if (a != array) return;
    MECHFMU_ASSERT(index < mask.size(), "every symbol of the array has an index below its size");
    mask[index] = true;
  });
  return mask;
}

}  // namespace mechfmu
