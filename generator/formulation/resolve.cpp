#include "formulation/symbols.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace {

constexpr double kPi = 3.14159265358979323846;

struct Scope {
  const TableNames& tables;
  const NameMeaning& meaning;
};

Expr resolve_in(Graph& graph, const Expression& e, const Scope& scope);
std::vector<Expr> resolve_all(Graph& graph, const Expression& e, const Scope& scope);

Expr resolve_binary(Graph& graph, const Expression& e, const Scope& scope) {
  const Expr a = resolve_in(graph, e.arguments[0], scope);
  const Expr b = resolve_in(graph, e.arguments[1], scope);
  const Expr one = graph.number(1), zero = graph.number(0);
  if (e.text == "+") return a + b;
  if (e.text == "-") return a - b;
  if (e.text == "*") return a * b;
  if (e.text == "/") return a / b;
  if (e.text == "^") return graph.make(Op::power, a, b);
  if (e.text == "<") return graph.make(Op::less, a, b);
  if (e.text == "<=") return graph.make(Op::less_equal, a, b);
  if (e.text == ">") return graph.make(Op::less, b, a);
  if (e.text == ">=") return graph.make(Op::less_equal, b, a);
  if (e.text == "==") return graph.make(Op::equal, a, b);
  MECHFMU_ASSERT(e.text == "!=", "the parser knows no other operator than '" + e.text + "'");
  return select(graph.make(Op::equal, a, b), zero, one);
}

struct UnaryName {
  std::string_view name;
  Op op;
};
constexpr UnaryName kUnary[] = {
    {"sin", Op::sin},   {"cos", Op::cos},   {"tan", Op::tan},   {"asin", Op::asin},
    {"acos", Op::acos}, {"atan", Op::atan}, {"sinh", Op::sinh}, {"cosh", Op::cosh},
    {"tanh", Op::tanh}, {"exp", Op::exp},   {"log", Op::log},   {"sqrt", Op::sqrt},
    {"abs", Op::abs},
};

// der(x), der(der(x)) as the name under which their meaning is known
std::string der_name(const Expression& e) {
  return e.kind == Expression::Kind::name ? e.text : "der(" + der_name(e.arguments[0]) + ")";
}

Expr resolve_call(Graph& graph, const Expression& e, const Scope& scope) {
  if (e.text == "der") {
    const std::optional<std::vector<Expr>> found = scope.meaning(der_name(e));
    MECHFMU_ASSERT(found.has_value(), "validation let " + der_name(e) + " pass");
    return (*found)[0];
  }
  if (e.text == "norm") {
    Expr sum = graph.number(0);
    for (const Expression& argument : e.arguments)
      for (const Expr& x : resolve_all(graph, argument, scope)) sum = sum + x * x;
    return sqrt(sum);
  }
  std::vector<Expr> x;
  for (const Expression& argument : e.arguments) x.push_back(resolve_in(graph, argument, scope));
  if (const auto table = scope.tables.find(e.text); table != scope.tables.end())
    return graph.look_up(table->second, 0, x[0]);
  for (const UnaryName& unary : kUnary)
    if (e.text == unary.name) return graph.make(unary.op, x[0]);
  if (e.text == "atan2") return atan2(x[0], x[1]);
  if (e.text == "if") return select(x[0], x[1], x[2]);
  MECHFMU_ASSERT(e.text == "min" || e.text == "max",
                 "the parser knows no function '" + e.text + "'");
  Expr result = x[0];
  for (std::size_t i = 1; i < x.size(); ++i)
    result = graph.make(e.text == "min" ? Op::min : Op::max, result, x[i]);
  return result;
}

std::vector<Expr> resolve_all(Graph& graph, const Expression& e, const Scope& scope) {
  if (e.kind != Expression::Kind::name || e.text == "pi") return {resolve_in(graph, e, scope)};
  const std::optional<std::vector<Expr>> found = scope.meaning(e.text);
  MECHFMU_ASSERT(found.has_value(), "validation let the unknown name '" + e.text + "' pass");
  return *found;
}

Expr resolve_in(Graph& graph, const Expression& e, const Scope& scope) {
  switch (e.kind) {
    case Expression::Kind::number:
      return graph.number(e.value);
    case Expression::Kind::name: {
      if (e.text == "pi") return graph.number(kPi);
      const std::vector<Expr> found = resolve_all(graph, e, scope);
      MECHFMU_ASSERT(found.size() == 1,
                     "validation let the vector '" + e.text + "' pass as a number");
      return found[0];
    }
    case Expression::Kind::negate:
      return -resolve_in(graph, e.arguments[0], scope);
    case Expression::Kind::binary:
      return resolve_binary(graph, e, scope);
    case Expression::Kind::call:
      return resolve_call(graph, e, scope);
  }
  MECHFMU_ASSERT(false, "an expression of no kind");
}

}  // namespace

Expr resolve(Graph& graph, const Expression& e, const TableNames& tables,
             const NameMeaning& meaning) {
  return resolve_in(graph, e, {tables, meaning});
}

Expr resolve(Graph& graph, const Expression& e, const NameMeaning& meaning) {
  static const TableNames kNoTables;
  return resolve_in(graph, e, {kNoTables, meaning});
}

}  // namespace mechfmu
