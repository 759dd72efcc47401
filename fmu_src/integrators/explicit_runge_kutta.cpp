// Explicit Runge-Kutta methods with a fixed step (document 003, single-step methods):
//
//     k_i = F(t + c_i h, y + h sum_j<i a_ij k_j)        y+ = y + h sum_i b_i k_i        y = (q, v)
//
// Quaternions are integrated as four numbers and normalised at the end of the step; their length is
// an invariant of the differential equation, so this does not lower the order.
//
//   euler   0 |          midpoint   0  |             heun   0 |             ralston  0  |
//           --+--                   1/2| 1/2                1 | 1                    2/3| 2/3
//             | 1                   ---+--------            --+-------               ---+--------
//                                      |  0   1               | 1/2 1/2                 | 1/4 3/4
//   rk4     0   |
//           1/2 | 1/2
//           1/2 |  0  1/2
//           1   |  0   0   1
//           ----+-----------------
//               | 1/6 1/3 1/3 1/6
#include "integrators/runge_kutta.hpp"

namespace mechfmu::runtime {
namespace {

constexpr Tableau<1> kEuler = {{{0}}, {1}, {0}};
constexpr Tableau<2> kMidpoint = {{{0, 0}, {0.5, 0}}, {0, 1}, {0, 0.5}};
constexpr Tableau<2> kHeun = {{{0, 0}, {1, 0}}, {0.5, 0.5}, {0, 1}};
constexpr Tableau<2> kRalston = {{{0, 0}, {2.0 / 3, 0}}, {0.25, 0.75}, {0, 2.0 / 3}};

template <int stages, const Tableau<stages>& tableau>
bool step(StepContext& context, const Scheme& scheme, const StageMemory& memory,
          const StepSettings&, double t, double h, double* q, double* v) {
  return runge_kutta_step<stages, tableau>(context, scheme, memory, t, h, q, v);
}

}  // namespace

const Integrator integrator_euler = {"euler", 1, step<1, kEuler>};
const Integrator integrator_midpoint = {"midpoint", 2, step<2, kMidpoint>};
const Integrator integrator_heun = {"heun", 2, step<2, kHeun>};
const Integrator integrator_ralston = {"ralston", 2, step<2, kRalston>};
const Integrator integrator_rk4 = {"rk4", 4, step<4, kClassical>};

}  // namespace mechfmu::runtime
