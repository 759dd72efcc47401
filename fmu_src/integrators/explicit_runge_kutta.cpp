// Explicit Runge-Kutta methods with a fixed step (document 003, single-step methods):
//
//     k_i = F(t + c_i h, y + h sum_j<i a_ij k_j)        y+ = y + h sum_i b_i k_i        y = (q, v)
//
// Quaternions are integrated as four numbers and normalised at the end of the step; their length is
// an invariant of the differential equation, so this does not lower the order.
//
//   euler  0 |            heun  0 |               rk4  0   |
//          --+--                1 | 1                  1/2 | 1/2
//            | 1                --+-------             1/2 |  0  1/2
//                                 | 1/2 1/2            1   |  0   0   1
//                                                      ----+-----------------
//                                                          | 1/6 1/3 1/3 1/6
#include "integrators/integrator.hpp"

namespace mechfmu::runtime {
namespace {

template <int stages>
struct Tableau {
  double a[stages][stages];
  double b[stages];
  double c[stages];
};

constexpr Tableau<1> kEuler = {{{0}}, {1}, {0}};
constexpr Tableau<2> kHeun = {{{0, 0}, {1, 0}}, {0.5, 0.5}, {0, 1}};
constexpr Tableau<4> kClassical = {{{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}},
                                   {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                                   {0, 0.5, 0.5, 1}};

template <int stages>
void add_rates(const double (&weight)[stages], int used, double h, const double* rate, int n,
               const double* from, double* to) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < used; ++j)
      if (weight[j] != 0) sum += weight[j] * rate[j * n + i];
    to[i] = from[i] + h * sum;
  }
}

template <int stages, const Tableau<stages>& tableau>
bool step(StepContext& context, const Scheme& scheme, const StageMemory& memory, double t, double h,
          double* q, double* v) {
  static_assert(stages <= kMaxStages);
  System& system = context.system;
  const int nq = system.nq;
  const int nv = system.nv;
  for (int i = 0; i < stages; ++i) {
    add_rates(tableau.a[i], i, h, memory.q_rate, nq, q, memory.q);
    add_rates(tableau.a[i], i, h, memory.v_rate, nv, v, memory.v);
    if (!scheme.accelerate(context, t + tableau.c[i] * h, memory.q, memory.v,
                           memory.v_rate + i * nv))
      return false;
    system.position_rate(memory.q, memory.v, memory.q_rate + i * nq);
  }
  add_rates(tableau.b, stages, h, memory.q_rate, nq, q, q);
  add_rates(tableau.b, stages, h, memory.v_rate, nv, v, v);
  system.normalise(q);
  return true;
}

}  // namespace

const Integrator integrator_euler = {"euler", 1, step<1, kEuler>};
const Integrator integrator_heun = {"heun", 2, step<2, kHeun>};
const Integrator integrator_rk4 = {"rk4", 4, step<4, kClassical>};

}  // namespace mechfmu::runtime
