// What the Runge-Kutta methods share: tableaux, stages, a step.
#pragma once
#include <utility>

#include "integrators/integrator.hpp"

namespace mechfmu::runtime {

template <int stages>
struct Tableau {
  double a[stages][stages];
  double b[stages];
  double c[stages];
};

inline constexpr Tableau<4> kClassical = {
    {{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}},
    {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
    {0, 0.5, 0.5, 1}};

// to = from + h sum over j of weight(j) rate_j; weights are known when this is compiled, and those
// that are zero cost nothing.
template <int used, class Weight>
inline void add_rates(Weight weight, double h, const double* rate, int n, const double* from,
                      double* to) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    const auto add = [&]<int j>() {
      if constexpr (weight(j) != 0) sum += weight(j) * rate[j * n + i];
    };
    [&]<int... j>(std::integer_sequence<int, j...>) { (add.template operator()<j>(), ...); }
    (std::make_integer_sequence<int, used>());
    to[i] = from[i] + h * sum;
  }
}

// Fills the rates of stages `first` and after from (q, v), which are kept.
template <int stages, const Tableau<stages>& tableau, int first = 0>
bool evaluate_stages(StepContext& context, const Scheme& scheme, const StageMemory& memory,
                     double t, double h, const double* q, const double* v) {
  static_assert(stages <= kMaxStages);
  if constexpr (first < stages) {
    const int nq = context.system.nq;
    const int nv = context.system.nv;
    constexpr auto weight = [](int j) { return tableau.a[first][j]; };
    add_rates<first>(weight, h, memory.q_rate, nq, q, memory.q);
    add_rates<first>(weight, h, memory.v_rate, nv, v, memory.v);
    if (!evaluate_rates(context, scheme, t + tableau.c[first] * h, memory.q, memory.v, memory.w,
                        memory.q_rate + first * nq, memory.v_rate + first * nv))
      return false;
    return evaluate_stages<stages, tableau, first + 1>(context, scheme, memory, t, h, q, v);
  }
  return true;
}

template <int stages, const Tableau<stages>& tableau>
bool runge_kutta_step(StepContext& context, const Scheme& scheme, const StageMemory& memory,
                      double t, double h, double* q, double* v) {
  if (!evaluate_stages<stages, tableau>(context, scheme, memory, t, h, q, v)) return false;
  constexpr auto weight = [](int j) { return tableau.b[j]; };
  add_rates<stages>(weight, h, memory.q_rate, context.system.nq, q, q);
  add_rates<stages>(weight, h, memory.v_rate, context.system.nv, v, v);
  context.system.normalise(q);
  return true;
}

}  // namespace mechfmu::runtime
