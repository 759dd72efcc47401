// Random expressions with a written seed, for property tests.
//
// A Recipe is a list of operations on earlier values. It is kept unfolded, so it can be evaluated
// as it stands (the reference) and built in a Graph (the thing under test). At the sample point
// every operation is well inside its domain, away from kinks and of moderate size, so that rounding
// stays small and comparisons cannot flip.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "graph/graph.hpp"

namespace mechfmu::testing {

struct Step {
  Op op;
  std::size_t a = 0, b = 0, c = 0;  // earlier steps; a symbol: index a
  double value = 0;                 // constants
};

struct Recipe {
  std::vector<Step> steps;
  std::vector<double> point;  // values of the symbols
  std::vector<double> value;  // of each step at the point
  std::vector<double> error;  // first-order bound on the rounding of `value`
};

inline constexpr Op kOperations[] = {
    Op::add,    Op::subtract, Op::multiply, Op::add,        Op::subtract, Op::multiply,
    Op::divide, Op::negate,   Op::sin,      Op::cos,        Op::tan,      Op::asin,
    Op::acos,   Op::atan,     Op::atan2,    Op::sinh,       Op::cosh,     Op::tanh,
    Op::exp,    Op::log,      Op::sqrt,     Op::abs,        Op::power,    Op::min,
    Op::max,    Op::round,    Op::less,     Op::less_equal, Op::equal,    Op::select};

// |df/da| and |df/db| where the operation is smooth; used for the error bound only.
struct Slopes {
  double a, b;
};
inline Slopes find_slopes(Op op, double a, double b, double f) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::min:
    case Op::max:
      return {1, 1};
    case Op::multiply:
      return {std::fabs(b), std::fabs(a)};
    case Op::divide:
      return {std::fabs(1 / b), std::fabs(f / b)};
    case Op::tan:
      return {1 + f * f, 0};
    case Op::asin:
    case Op::acos:
      return {1 / std::sqrt(1 - a * a), 0};
    case Op::atan2:
      return {1 / std::hypot(a, b), 1 / std::hypot(a, b)};
    case Op::sinh:
    case Op::cosh:
      return {std::cosh(a), 0};
    case Op::exp:
      return {f, 0};
    case Op::log:
      return {1 / a, 0};
    case Op::sqrt:
      return {0.5 / f, 0};
    case Op::power:
      return {std::fabs(b * f / a), std::fabs(f * std::log(a))};
    case Op::round:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return {0, 0};
    default:
      return {1, 0};  // negate, sin, cos, atan, tanh, abs: at most 1
  }
}

inline bool is_in_domain(Op op, double a, double b) {
  switch (op) {
    case Op::divide:
      return std::fabs(b) > 0.2;
    case Op::tan:
      return std::fabs(std::cos(a)) > 0.3;
    case Op::asin:
    case Op::acos:
      return std::fabs(a) < 0.9;
    case Op::atan2:
      return std::hypot(a, b) > 0.2 && b > 0.1;
    case Op::sinh:
    case Op::cosh:
    case Op::exp:
      return std::fabs(a) < 3;
    case Op::log:
    case Op::sqrt:
      return a > 0.1;
    case Op::power:
      return a > 0.2 && std::fabs(b) <= 8;
    case Op::abs:
      return std::fabs(a) > 1e-3;
    case Op::round:
      return std::fabs(a - std::floor(a) - 0.5) > 1e-3;
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return std::fabs(a - b) > 1e-3;
    default:
      return true;
  }
}

inline Recipe make_recipe(std::uint64_t seed, int symbols, int operations) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::uniform_real_distribution<double> real(-2, 2);
  Recipe r;
  const auto push = [&](const Step& step, double value, double error) {
    r.steps.push_back(step);
    r.value.push_back(value);
    r.error.push_back(error);
  };
  for (int i = 0; i < symbols; ++i) {
    r.point.push_back(real(random));
    push({Op::symbol, static_cast<std::size_t>(i), 0, 0, 0}, r.point.back(), 0);
  }
  for (const double c : {0.0, 1.0, -1.0, 2.0, 0.5, 3.0, real(random), real(random)})
    push({Op::constant, 0, 0, 0, c}, c, 0);

  const double eps = std::numeric_limits<double>::epsilon();
  for (int made = 0; made < operations;) {
    Step s{kOperations[pick(std::size(kOperations))], pick(r.steps.size()), pick(r.steps.size()),
           pick(r.steps.size()), 0};
    const int count = operand_count(s.op);
    if (count < 2) s.b = s.a;
    if (count < 3) s.c = s.a;
    const double a = r.value[s.a], b = r.value[s.b], c = r.value[s.c];
    // the condition of a select must not be the rounding error of a zero
    if (s.op == Op::select && std::fabs(a) < 1e-3 && a != 0) continue;
    if (!is_in_domain(s.op, a, b)) continue;
    const double value = apply(s.op, a, b, c);
    if (!std::isfinite(value) || std::fabs(value) > 30) continue;
    double error = 0;
    if (s.op == Op::select) {
      error = std::max(r.error[s.b], r.error[s.c]);
    } else {
      const Slopes slope = find_slopes(s.op, a, b, value);
      // one unit in the last place for the operation, one more for a constant merged into it
      error = slope.a * (r.error[s.a] + eps * std::fabs(a)) +
              slope.b * (r.error[s.b] + eps * std::fabs(b)) + 2 * eps * std::fabs(value);
    }
    if (error > 1e-9) continue;
    push(s, value, error);
    ++made;
  }
  return r;
}

// The recipe as graph nodes, one Expr per step; symbol i is element i of array 0.
inline std::vector<Expr> build(Graph& graph, const Recipe& recipe) {
  std::vector<Expr> e;
  for (const Step& s : recipe.steps) {
    switch (operand_count(s.op)) {
      case 0:
        e.push_back(s.op == Op::symbol ? graph.symbol(0, static_cast<int>(s.a))
                                       : graph.number(s.value));
        break;
      case 1:
        e.push_back(graph.make(s.op, e[s.a]));
        break;
      case 2:
        e.push_back(graph.make(s.op, e[s.a], e[s.b]));
        break;
      default:
        e.push_back(graph.make(s.op, e[s.a], e[s.b], e[s.c]));
        break;
    }
  }
  return e;
}

}  // namespace mechfmu::testing
