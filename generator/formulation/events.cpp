#include "formulation/events.hpp"

#include <algorithm>
#include <cmath>

#include "system/model.hpp"

namespace mechfmu {

namespace {

constexpr double kGuard = 1e-9;  // max(1e-12, length) divides safely and is no bend

// Nodes below `roots`, ascending, and which of all depend on more than parameters.
struct Reachable {
  std::vector<NodeId> nodes;
  std::vector<bool> moves;
};

Reachable find_reachable(const Graph& g, const std::vector<Expr>& roots) {
  std::vector<bool> wanted(g.size(), false);
  for (const Expr& root : roots) wanted[root.id()] = true;
  Reachable found{{}, std::vector<bool>(g.size(), false)};
  // operands have smaller ids than their nodes: down for what is needed, up for what moves
  const auto for_operands = [&](NodeId id, auto act) {
    const Node& n = g.node(id);
    const int count = operand_count(n.op);
    if (count > 0) act(n.a);
    if (count > 1) act(n.b);
    if (count > 2) act(n.c);
  };
  for (auto id = static_cast<NodeId>(g.size()); id-- > 0;)
    if (wanted[id]) for_operands(id, [&](NodeId operand) { wanted[operand] = true; });
  for (NodeId id = 0; id < g.size(); ++id) {
    if (!wanted[id]) continue;
    found.nodes.push_back(id);
    const Node& n = g.node(id);
    bool moves = n.op == Op::symbol && n.a != runtime::kParameter && n.a != runtime::kConstant;
    for_operands(id, [&](NodeId operand) { moves = moves || found.moves[operand]; });
    found.moves[id] = moves;
  }
  return found;
}

bool is_guard(const Expr& e) {
  return e.is_constant() && !e.is_zero() && std::fabs(e.constant()) <= kGuard;
}

}  // namespace

EventPlan find_events(Graph& graph, const std::vector<Expr>& motion) {
  EventPlan plan;
  std::vector<Expr> bends;
  const Reachable reachable = find_reachable(graph, motion);
  for (const NodeId id : reachable.nodes) {
    const Node n = graph.node(id);
    if (!reachable.moves[id]) continue;
    const Expr a(&graph, n.a), b(&graph, n.b);
    if (n.op == Op::less || n.op == Op::less_equal) {
      plan.conditions.emplace_back(&graph, id);
      plan.indicators.push_back(a - b);
    } else if (n.op == Op::abs) {
      bends.push_back(a);
    } else if ((n.op == Op::min || n.op == Op::max) && !is_guard(a) && !is_guard(b)) {
      bends.push_back(a - b);
    }
  }
  for (const Expr& bend : bends)
    if (std::find(plan.indicators.begin(), plan.indicators.end(), bend) == plan.indicators.end())
      plan.indicators.push_back(bend);
  return plan;
}

}  // namespace mechfmu
