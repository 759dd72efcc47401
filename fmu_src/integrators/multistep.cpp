// Linear multistep methods with a fixed step (document 003, Adams methods):
//
//     explicit  y+ = y + h sum_j b_j f_(n-j)                          ab2 ab3 ab4
//     implicit  y+ = y + h (c_0 f_(n+1) + sum_j c_(j+1) f_(n-j))      am2 am4 (iterated until it
//     holds) P(EC)^m   explicit predictor, m implicit corrections            pece2 pece3 pece4
//
// Rates of the steps before are kept in the state as long as step length and inputs are unchanged;
// without them a Runge-Kutta step of the same order or higher is taken.
#include <cmath>

#include "integrators/runge_kutta.hpp"

namespace mechfmu::runtime {
namespace {

constexpr double kSameStep = 1e-9;  // relative
constexpr int kMostIterations = 100;

struct Adams {
  int steps;            // rates used, the present one included
  double explicit_[4];  // of f_n, f_(n-1), ...
  double implicit_[5];  // of f_(n+1), f_n, f_(n-1), ...
  bool iterated;        // until the corrector holds
};

// AB2 with the trapezoid rule; AB3 with 5, 8, -1 / 12; AB4 with 9, 19, -5, 1 / 24 and with 251,
// 646, -264, 106, -19 / 720. All checked with exact fractions.
constexpr Adams kAb2 = {2, {3.0 / 2, -1.0 / 2}, {}, false};
constexpr Adams kAb3 = {3, {23.0 / 12, -16.0 / 12, 5.0 / 12}, {}, false};
constexpr Adams kAb4 = {4, {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24}, {}, false};
constexpr Adams kAm2 = {2, {3.0 / 2, -1.0 / 2}, {5.0 / 12, 8.0 / 12, -1.0 / 12}, true};
constexpr Adams kAm4 = {4,
                        {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24},
                        {251.0 / 720, 646.0 / 720, -264.0 / 720, 106.0 / 720, -19.0 / 720},
                        true};
constexpr Adams kPece2 = {2, {3.0 / 2, -1.0 / 2}, {1.0 / 2, 1.0 / 2}, false};
constexpr Adams kPece3 = {
    3, {23.0 / 12, -16.0 / 12, 5.0 / 12}, {5.0 / 12, 8.0 / 12, -1.0 / 12}, false};
constexpr Adams kPece4 = {4,
                          {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24},
                          {9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24},
                          false};

// Puts the present rates in front of the older ones.
void remember(const StageMemory& m, int nq, int nv, double h) {
  const int n = nq + nv;
  double* rates = m.history.rates;
  for (int i = (kMaxHistory - 1) * n - 1; i >= 0; --i) rates[n + i] = rates[i];
  for (int i = 0; i < nq; ++i) rates[i] = m.q_rate[i];
  for (int i = 0; i < nv; ++i) rates[nq + i] = m.v_rate[i];
  double* numbers = m.history.numbers;
  if (numbers[History::kCount] < kMaxHistory) numbers[History::kCount] += 1;
  numbers[History::kStep] = h;
}

// y + h sum of the remembered rates, `first` of the present one
void add_history(const StageMemory& m, const double* weights, int count, double h, int n,
                 int offset, int stride, const double* from, double* to) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < count; ++j) sum += weights[j] * m.history.rates[j * stride + offset + i];
    to[i] = from[i] + h * sum;
  }
}

template <const Adams& method>
bool step(StepContext& context, const Scheme& scheme, const StageMemory& m,
          const StepSettings& settings, double t, double h, double* q, double* v) {
  const int nq = context.system.nq;
  const int nv = context.system.nv;
  const int n = nq + nv;
  double* numbers = m.history.numbers;
  if (!(std::fabs(numbers[History::kStep] - h) <= kSameStep * h)) numbers[History::kCount] = 0;

  if (numbers[History::kCount] + 1 < method.steps) {
    // the first stage is the rate of this point, which runge_kutta_step leaves in its first place
    if (!runge_kutta_step<4, kClassical>(context, scheme, m, t, h, q, v)) return false;
    remember(m, nq, nv, h);
    return true;
  }
  for (int i = 0; i < nq; ++i) m.q[i] = q[i];
  for (int i = 0; i < nv; ++i) m.v[i] = v[i];
  if (!evaluate_rates(context, scheme, t, m.q, m.v, m.w, m.q_rate, m.v_rate)) return false;
  remember(m, nq, nv, h);
  add_history(m, method.explicit_, method.steps, h, nq, 0, n, q, m.q_new);
  add_history(m, method.explicit_, method.steps, h, nv, nq, n, v, m.v_new);

  const bool corrects = method.implicit_[0] != 0;
  const int corrections = !corrects ? 0 : method.iterated ? kMostIterations : settings.corrections;
  for (int k = 0; k < corrections; ++k) {
    for (int i = 0; i < nq; ++i) m.q[i] = m.q_new[i];
    for (int i = 0; i < nv; ++i) m.v[i] = m.v_new[i];
    if (!evaluate_rates(context, scheme, t + h, m.q, m.v, m.w, m.q_rate, m.v_rate)) return false;
    double change = 0;
    const auto correct = [&](const double* from, double* to, const double* rate, int size,
                             int offset) {
      for (int i = 0; i < size; ++i) {
        double sum = method.implicit_[0] * rate[i];
        for (int j = 0; j < method.steps; ++j)
          sum += method.implicit_[j + 1] * m.history.rates[j * n + offset + i];
        const double end = from[i] + h * sum;
        const double d = std::fabs(end - to[i]) / (1 + std::fabs(end));
        if (!(d <= change)) change = d;
        to[i] = end;
      }
    };
    correct(q, m.q_new, m.q_rate, nq, 0);
    correct(v, m.v_new, m.v_rate, nv, nq);
    if (!method.iterated) continue;
    if (change < 1e-14) break;
    if (k + 1 == corrections && !(change < 1e-9))
      return context.failure.set(
          "t=%.9g: the iteration of the implicit method does not settle%s%s; try a smaller "
          "solver.step",
          t + h, context.system.nc > 0 ? ", the largest residual is that of " : "",
          context.system.worst_constraint(context.system.phi()));
  }
  for (int i = 0; i < nq; ++i) q[i] = m.q_new[i];
  for (int i = 0; i < nv; ++i) v[i] = m.v_new[i];
  context.system.normalise(q);
  return true;
}

}  // namespace

// the negative axis is stable to 1, 6/11 and 3/10
const Integrator integrator_ab2 = {"ab2", 2, step<kAb2>, nullptr, 0.4};
const Integrator integrator_ab3 = {"ab3", 3, step<kAb3>, nullptr, 0.2};
const Integrator integrator_ab4 = {"ab4", 4, step<kAb4>, nullptr, 0.1};
const Integrator integrator_am2 = {"am2", 3, step<kAm2>};
const Integrator integrator_am4 = {"am4", 5, step<kAm4>};
const Integrator integrator_pece2 = {
    .id = "pece2", .order = 2, .step = step<kPece2>, .stable_gain = 0.5, .has_corrections = true};
const Integrator integrator_pece3 = {
    .id = "pece3", .order = 3, .step = step<kPece3>, .stable_gain = 0.5, .has_corrections = true};
const Integrator integrator_pece4 = {
    .id = "pece4", .order = 4, .step = step<kPece4>, .stable_gain = 0.5, .has_corrections = true};

}  // namespace mechfmu::runtime
