// What the Runge-Kutta methods share: tableaux, stages, a step.
#pragma once
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

// to = from + h sum of the first `used` rates by weight
inline void add_rates(const double* weight, int used, double h, const double* rate, int n,
                      const double* from, double* to) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < used; ++j)
      if (weight[j] != 0) sum += weight[j] * rate[j * n + i];
    to[i] = from[i] + h * sum;
  }
}

// Fills the rates of stages `first` and after from (q, v), which are kept.
template <int stages>
bool evaluate_stages(const Tableau<stages>& tableau, int first, StepContext& context,
                     const Scheme& scheme, const StageMemory& memory, double t, double h,
                     const double* q, const double* v) {
  static_assert(stages <= kMaxStages);
  const int nq = context.system.nq;
  const int nv = context.system.nv;
  for (int i = first; i < stages; ++i) {
    add_rates(tableau.a[i], i, h, memory.q_rate, nq, q, memory.q);
    add_rates(tableau.a[i], i, h, memory.v_rate, nv, v, memory.v);
    if (!evaluate_rates(context, scheme, t + tableau.c[i] * h, memory.q, memory.v, memory.w,
                        memory.q_rate + i * nq, memory.v_rate + i * nv))
      return false;
  }
  return true;
}

template <int stages>
bool runge_kutta_step(const Tableau<stages>& tableau, StepContext& context, const Scheme& scheme,
                      const StageMemory& memory, double t, double h, double* q, double* v) {
  if (!evaluate_stages(tableau, 0, context, scheme, memory, t, h, q, v)) return false;
  add_rates(tableau.b, stages, h, memory.q_rate, context.system.nq, q, q);
  add_rates(tableau.b, stages, h, memory.v_rate, context.system.nv, v, v);
  context.system.normalise(q);
  return true;
}

}  // namespace mechfmu::runtime
