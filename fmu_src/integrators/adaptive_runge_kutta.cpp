// Explicit Runge-Kutta methods that choose their step (document 003, adaptive methods): two results
// of different order from the same stages, their difference is the error of the lower one. The
// higher one is kept.
//
//   rkf23         Runge-Kutta-Fehlberg 2(3), four stages; the last stage is the first of the next
//   step dopri5        Dormand and Prince 1980, 5(4), seven stages rk4_doubling  one step of the
//   classical method against two of half its length: (y2 - y1) / 15,
//                 added to the result for fifth order
//   cash_karp     Cash and Karp 1990, 5(4) of variable order: where the high orders do not agree
//                 because something is not smooth, a step of lower order is taken to a fraction of
//                 h
#include <algorithm>

#include "integrators/runge_kutta.hpp"

namespace mechfmu::runtime {
namespace {

// Document 003: checked with exact fractions.
constexpr Tableau<4> kFehlberg23 = {{{0, 0, 0, 0},
                                     {1.0 / 4, 0, 0, 0},
                                     {-189.0 / 800, 729.0 / 800, 0, 0},
                                     {214.0 / 891, 1.0 / 33, 650.0 / 891, 0}},
                                    {533.0 / 2106, 0, 800.0 / 1053, -1.0 / 78},  // third order
                                    {0, 1.0 / 4, 27.0 / 40, 1}};
constexpr double kFehlberg2[4] = {214.0 / 891, 1.0 / 33, 650.0 / 891, 0};

constexpr Tableau<7> kDormandPrince = {
    {{0, 0, 0, 0, 0, 0, 0},
     {1.0 / 5, 0, 0, 0, 0, 0, 0},
     {3.0 / 40, 9.0 / 40, 0, 0, 0, 0, 0},
     {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0, 0},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0, 0},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0, 0},
     {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
    {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1}};
constexpr double kDormandPrince4[7] = {
    5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40};

constexpr Tableau<6> kCashKarp = {
    {{0, 0, 0, 0, 0, 0},
     {1.0 / 5, 0, 0, 0, 0, 0},
     {3.0 / 40, 9.0 / 40, 0, 0, 0, 0},
     {3.0 / 10, -9.0 / 10, 6.0 / 5, 0, 0, 0},
     {-11.0 / 54, 5.0 / 2, -70.0 / 27, 35.0 / 27, 0, 0},
     {1631.0 / 55296, 175.0 / 512, 575.0 / 13824, 44275.0 / 110592, 253.0 / 4096, 0}},
    {37.0 / 378, 0, 250.0 / 621, 125.0 / 594, 0, 512.0 / 1771},
    {0, 1.0 / 5, 3.0 / 10, 3.0 / 5, 1, 7.0 / 8}};
constexpr double kCashKarp4[6] = {2825.0 / 27648, 0,      18575.0 / 48384, 13525.0 / 55296,
                                  277.0 / 14336,  1.0 / 4};

struct Attempt {
  StepContext& context;
  const Scheme& scheme;
  const StageMemory& memory;
  double tolerance;
  double end;  // [s]
  const double* q;
  const double* v;
};

// The scaled error of the end in q_new, v_new; (dq, dv) is what was estimated.
double judge(const Attempt& a, double* dq, double* dv) {
  const System& system = a.context.system;
  const StageMemory& m = a.memory;
  const auto scaled = [&] {
    const double of_q = scaled_error(dq, a.q, m.q_new, system.nq, a.tolerance);
    const double of_v = scaled_error(dv, a.v, m.v_new, system.nv, a.tolerance);
    return of_q >= of_v || of_q != of_q ? of_q : of_v;  // a nan stays
  };
  const double error = scaled();
  if (error <= 1 || a.scheme.reduce_error == nullptr) return error;
  a.scheme.reduce_error(a.context, a.end, m.q_new, m.v_new, error * a.tolerance, dq, dv);
  return scaled();
}

// The end by `weights` into q_new, v_new, and the scaled difference to the end by `other`.
template <int stages, class Weight, class Other>
double take_end(const Attempt& a, Weight weight, Other, double h) {
  const StageMemory& m = a.memory;
  const System& system = a.context.system;
  double* parts[2][2] = {{m.q_new, m.q}, {m.v_new, m.v}};
  const double* from[2] = {a.q, a.v};
  const double* rates[2] = {m.q_rate, m.v_rate};
  const int sizes[2] = {system.nq, system.nv};
  for (int p = 0; p < 2; ++p) {
    double* difference = parts[p][1];
    for (int i = 0; i < sizes[p]; ++i) difference[i] = 0;
    add_rates<stages>(weight, h, rates[p], sizes[p], from[p], parts[p][0]);
    constexpr auto less = [](int j) { return Weight()(j) - Other()(j); };
    add_rates<stages>(less, h, rates[p], sizes[p], difference, difference);
  }
  return judge(a, m.q, m.v);
}

template <int stages, const Tableau<stages>& tableau, const double (&lower)[stages]>
bool attempt_embedded(StepContext& context, const Scheme& scheme, const StageMemory& memory,
                      const StepSettings& settings, double t, double& h, const double* q,
                      const double* v, double& error) {
  if (!evaluate_stages<stages, tableau>(context, scheme, memory, t, h, q, v)) return false;
  constexpr auto weight = [](int j) { return tableau.b[j]; };
  constexpr auto other = [](int j) { return lower[j]; };
  const Attempt attempt = {context, scheme, memory, settings.tolerance, t + h, q, v};
  error = take_end<stages>(attempt, weight, other, h);
  context.system.normalise(memory.q_new);
  return true;
}

bool attempt_doubling(StepContext& context, const Scheme& scheme, const StageMemory& memory,
                      const StepSettings& settings, double t, double& h, const double* q,
                      const double* v, double& error) {
  const int nq = context.system.nq;
  const int nv = context.system.nv;
  double* q_whole = context.scratch.q[5];
  double* v_whole = context.scratch.v[5];
  for (int i = 0; i < nq; ++i) q_whole[i] = memory.q_new[i] = q[i];
  for (int i = 0; i < nv; ++i) v_whole[i] = memory.v_new[i] = v[i];
  if (!runge_kutta_step<4, kClassical>(context, scheme, memory, t, h, q_whole, v_whole))
    return false;
  for (int half = 0; half < 2; ++half)
    if (!runge_kutta_step<4, kClassical>(context, scheme, memory, t + half * h / 2, h / 2,
                                         memory.q_new, memory.v_new))
      return false;
  for (int i = 0; i < nq; ++i) q_whole[i] = (memory.q_new[i] - q_whole[i]) / 15;
  for (int i = 0; i < nv; ++i) v_whole[i] = (memory.v_new[i] - v_whole[i]) / 15;
  for (int i = 0; i < nq; ++i) memory.q_new[i] += q_whole[i];
  for (int i = 0; i < nv; ++i) memory.v_new[i] += v_whole[i];
  error = judge({context, scheme, memory, settings.tolerance, t + h, q, v}, q_whole, v_whole);
  context.system.normalise(memory.q_new);
  return true;
}

// To 3/5 h and to 1/5 h, from the stages of Cash and Karp.
constexpr double kSimpson[6] = {1.0 / 10, 0, 2.0 / 5, 1.0 / 10, 0, 0};
constexpr double kMidpoint[6] = {0, 0, 3.0 / 5, 0, 0, 0};
constexpr double kTrapezoid[6] = {1.0 / 10, 1.0 / 10, 0, 0, 0, 0};
constexpr double kEuler[6] = {1.0 / 5, 0, 0, 0, 0, 0};

// Document 003 (variable order): where the full step is not good enough, the stages are not lost: a
// shorter step of lower order, which ends before what made the high orders fail, may be.
bool attempt_cash_karp(StepContext& context, const Scheme& scheme, const StageMemory& memory,
                       const StepSettings& settings, double t, double& h, const double* q,
                       const double* v, double& error) {
  if (!evaluate_stages<6, kCashKarp>(context, scheme, memory, t, h, q, v)) return false;
  const Attempt attempt = {context, scheme, memory, settings.tolerance, t + h, q, v};
  const auto take = [&](auto weight, auto other) { return take_end<6>(attempt, weight, other, h); };
  constexpr auto fifth = [](int j) { return kCashKarp.b[j]; };
  constexpr auto fourth = [](int j) { return kCashKarp4[j]; };
  constexpr auto simpson = [](int j) { return kSimpson[j]; };
  constexpr auto midpoint = [](int j) { return kMidpoint[j]; };
  constexpr auto trapezoid = [](int j) { return kTrapezoid[j]; };
  constexpr auto euler = [](int j) { return kEuler[j]; };
  error = take(fifth, fourth);
  if (!(error <= 1)) {
    const double part = take(simpson, midpoint) <= 1 ? 0.6 : take(trapezoid, euler) <= 1 ? 0.2 : 0;
    if (part > 0) {
      h *= part;
      error = 1;  // good enough, no reason for a longer one
    }
  }
  context.system.normalise(memory.q_new);
  return true;
}

}  // namespace

const Integrator integrator_rkf23 = {"rkf23", 3, nullptr,
                                     attempt_embedded<4, kFehlberg23, kFehlberg2>};
const Integrator integrator_dopri5 = {"dopri5", 5, nullptr,
                                      attempt_embedded<7, kDormandPrince, kDormandPrince4>};
const Integrator integrator_rk4_doubling = {"rk4_doubling", 5, nullptr, attempt_doubling};
const Integrator integrator_cash_karp = {"cash_karp", 5, nullptr, attempt_cash_karp};

}  // namespace mechfmu::runtime
