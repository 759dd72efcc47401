#include "graph/program.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "graph/derivative.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

std::vector<NodeId> reachable(const Graph& graph, std::span<const Expr> roots) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<NodeId> stack;
  std::vector<NodeId> found;
  for (const Expr& root : roots) stack.push_back(root.id());
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    found.push_back(id);
    const Node& n = graph.node(id);
    const int count = operand_count(n.op);
    if (count > 0) stack.push_back(n.a);
    if (count > 1) stack.push_back(n.b);
    if (count > 2) stack.push_back(n.c);
  }
  std::sort(found.begin(), found.end());
  return found;
}

double apply_scalar(Op op, double a, double b, double c) { return apply(op, a, b, c); }

// Complex step: |imag| is tiny, comparisons and rounding look at the real part.
std::complex<double> apply_scalar(Op op, std::complex<double> a, std::complex<double> b,
                                  std::complex<double> c) {
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
    case Op::atan2:  // analytic continuation of the angle: real part by atan2, slope by (x dy - y
                     // dx) / r^2
      return {std::atan2(a.real(), b.real()), (b.real() * a.imag() - a.real() * b.imag()) /
                                                  (a.real() * a.real() + b.real() * b.real())};
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
      return a.real() < 0 ? -a : a;
    case Op::power:
      return std::pow(a, b);
    case Op::min:
      return a.real() < b.real() ? a : b;
    case Op::max:
      return a.real() > b.real() ? a : b;
    case Op::round:
      return std::nearbyint(a.real());
    case Op::less:
      return a.real() < b.real() ? 1.0 : 0.0;
    case Op::less_equal:
      return a.real() <= b.real() ? 1.0 : 0.0;
    case Op::equal:
      return a.real() == b.real() ? 1.0 : 0.0;
    case Op::select:
      return a.real() != 0 ? b : c;
    case Op::constant:
    case Op::symbol:
      break;
  }
  MECHFMU_ASSERT(false, "constants and symbols are not applied");
}

}  // namespace

int Program::operation_count() const {
  return static_cast<int>(std::count_if(
      instructions.begin(), instructions.end(),
      [](const Instruction& i) { return i.op != Op::constant && i.op != Op::symbol; }));
}

Program make_program(const Graph& graph, std::span<const Expr> results) {
  Program program;
  std::unordered_map<NodeId, std::uint32_t> slot;
  for (const NodeId id : reachable(graph, results)) {
    const Node& n = graph.node(id);
    Instruction instruction{n.op, n.a, n.b, n.c, n.value};
    const int count = operand_count(n.op);
    if (count > 0) instruction.a = slot.at(n.a);
    if (count > 1) instruction.b = slot.at(n.b);
    if (count > 2) instruction.c = slot.at(n.c);
    slot[id] = static_cast<std::uint32_t>(program.instructions.size());
    program.instructions.push_back(instruction);
  }
  for (const Expr& result : results) program.results.push_back(slot.at(result.id()));
  return program;
}

template <class Scalar>
void interpret(const Program& program, const Scalar* const* in, Scalar* out,
               std::vector<Scalar>& scratch) {
  scratch.resize(std::max(scratch.size(), program.instructions.size()));
  Scalar* slot = scratch.data();
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& x = program.instructions[i];
    if (x.op == Op::constant) {
      slot[i] = x.value;
    } else if (x.op == Op::symbol) {
      slot[i] = in[x.a][x.b];
    } else {
      const int count = operand_count(x.op);
      slot[i] = apply_scalar(x.op, slot[x.a], count > 1 ? slot[x.b] : Scalar{},
                             count > 2 ? slot[x.c] : Scalar{});
    }
  }
  for (std::size_t k = 0; k < program.results.size(); ++k) out[k] = slot[program.results[k]];
}
template void interpret<double>(const Program&, const double* const*, double*,
                                std::vector<double>&);
template void interpret<std::complex<double>>(const Program&, const std::complex<double>* const*,
                                              std::complex<double>*,
                                              std::vector<std::complex<double>>&);

std::vector<Expr> hoist(Graph& graph, std::span<Expr> results, int parameter_array,
                        int constant_array) {
  const std::vector<NodeId> order = reachable(graph, results);
  // 0: numbers only, 1: parameters only, 2: something that moves
  std::unordered_map<NodeId, int> level;
  for (const NodeId id : order) {
    const Node& n = graph.node(id);
    int l = 0;
    if (n.op == Op::symbol) l = static_cast<int>(n.a) == parameter_array ? 1 : 2;
    const int count = operand_count(n.op);
    if (count > 0) l = std::max(l, level.at(n.a));
    if (count > 1) l = std::max(l, level.at(n.b));
    if (count > 2) l = std::max(l, level.at(n.c));
    level[id] = l;
  }
  std::unordered_map<NodeId, bool> wanted;
  std::vector<NodeId> hoisted;
  const auto want = [&](NodeId id) {
    if (level.at(id) == 1 && wanted.try_emplace(id, true).second) hoisted.push_back(id);
  };
  for (const NodeId id : order) {
    if (level.at(id) != 2) continue;
    const Node& n = graph.node(id);
    const int count = operand_count(n.op);
    if (count > 0) want(n.a);
    if (count > 1) want(n.b);
    if (count > 2) want(n.c);
  }
  for (const Expr& result : results) want(result.id());
  std::sort(hoisted.begin(), hoisted.end());

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

bool depends_on(const Graph& graph, Expr of, int array) {
  for (const NodeId id : reachable(graph, std::span(&of, 1)))
    if (graph.node(id).op == Op::symbol && static_cast<int>(graph.node(id).a) == array) return true;
  return false;
}

std::vector<bool> dependency_mask(const Graph& graph, Expr of, int array, int count) {
  std::vector<bool> mask(static_cast<std::size_t>(count), false);
  for (const NodeId id : reachable(graph, std::span(&of, 1))) {
    const Node& n = graph.node(id);
    if (n.op == Op::symbol && static_cast<int>(n.a) == array) mask[n.b] = true;
  }
  return mask;
}

}  // namespace mechfmu
