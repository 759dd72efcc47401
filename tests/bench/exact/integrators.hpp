// Integrators for second-order equations q'' = f(q, q') of fixed or run-time size, as one would
// write them for one's own program: rk4 with equal steps and Dormand-Prince 5(4) with error control
// and first-same-as-last.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace mechfmu::bench {

// Numbers of a fixed count without heap, else a vector.
template <int n>
struct Numbers {
  static std::array<double, static_cast<std::size_t>(n)> make(int /*size*/) { return {}; }
};
template <>
struct Numbers<-1> {
  static std::vector<double> make(int size) {
    return std::vector<double>(static_cast<std::size_t>(size));
  }
};

// f(q, v, a). State y = (q, v).
template <int kFixed, class F>
class SecondOrder {
 public:
  using State = decltype(Numbers<kFixed>::make(0));  // of 2 * size numbers if kFixed is that

  SecondOrder(int size, F f) : f_(std::move(f)), n_(size) {
    y = make();
    for (State& k : k_) k = make();
    trial_ = make();
  }

  void run_rk4(double h, int steps) {
    for (int i = 0; i < steps; ++i) {
      rates(y, k_[0]);
      combine(h, {0.5}, trial_);
      rates(trial_, k_[1]);
      combine(h, {0, 0.5}, trial_);
      rates(trial_, k_[2]);
      combine(h, {0, 0, 1}, trial_);
      rates(trial_, k_[3]);
      combine(h, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, y);
    }
  }

  // Over `length`, the last step ends there. Error below tolerance (1 + |y|) in each component.
  void run_dopri5(double length, double tolerance) {
    if (!(proposed_ > 0)) proposed_ = 1e-3 * length;
    if (!has_first_) rates(y, k_[0]);
    has_first_ = true;
    double done = 0;
    while (done < length) {
      const bool last = done + proposed_ * (1 + 1e-9) >= length;
      const double h = last ? length - done : proposed_;
      const double error = attempt(h) / tolerance;
      const double factor =
          std::min(5.0, std::max(0.2, 0.9 * std::pow(std::max(error, 1e-12), -0.2)));
      if (!(error <= 1)) {
        if (!(h > 1e-14 * length)) return;
        proposed_ = h * std::min(0.9, error == error ? factor : 0.2);
        continue;
      }
      std::swap(y, trial_);
      std::swap(k_[0], k_[6]);
      done = last ? length : done + h;
      if (!last || factor * h > proposed_) proposed_ = factor * h;
    }
  }

  State y;

 private:
  State make() const { return Numbers<kFixed>::make(2 * n_); }
  [[nodiscard]] int size() const { return kFixed > 0 ? kFixed / 2 : n_; }

  void rates(const State& state, State& rate) {
    const int n = size();
    for (int i = 0; i < n; ++i) rate[at(i)] = state[at(n + i)];
    f_(state.data(), state.data() + n, rate.data() + n);
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  template <std::size_t stages>
  void combine(double h, const double (&weight)[stages], State& result) {
    for (int i = 0; i < 2 * size(); ++i) {
      double sum = 0;
      for (std::size_t s = 0; s < stages; ++s)
        if (weight[s] != 0) sum += weight[s] * k_[s][at(i)];
      result[at(i)] = y[at(i)] + h * sum;
    }
  }

  // Dormand and Prince (1980): the new state into trial_, its rates into k_[6].
  double attempt(double h) {
    constexpr double a2[] = {1.0 / 5};
    constexpr double a3[] = {3.0 / 40, 9.0 / 40};
    constexpr double a4[] = {44.0 / 45, -56.0 / 15, 32.0 / 9};
    constexpr double a5[] = {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729};
    constexpr double a6[] = {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176,
                             -5103.0 / 18656};
    constexpr double b[] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
    constexpr double e[] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    combine(h, a2, trial_);
    rates(trial_, k_[1]);
    combine(h, a3, trial_);
    rates(trial_, k_[2]);
    combine(h, a4, trial_);
    rates(trial_, k_[3]);
    combine(h, a5, trial_);
    rates(trial_, k_[4]);
    combine(h, a6, trial_);
    rates(trial_, k_[5]);
    combine(h, b, trial_);
    rates(trial_, k_[6]);
    double largest = 0;
    for (int i = 0; i < 2 * size(); ++i) {
      double sum = 0;
      for (std::size_t s = 0; s < 7; ++s)
        if (e[s] != 0) sum += e[s] * k_[s][at(i)];
      const double scale = 1 + std::max(std::fabs(y[at(i)]), std::fabs(trial_[at(i)]));
      const double error = std::fabs(h * sum) / scale;
      if (!(error <= largest)) largest = error;
    }
    return largest;
  }

  F f_;
  int n_;
  std::array<State, 7> k_;
  State trial_;
  double proposed_ = 0;
  bool has_first_ = false;
};

}  // namespace mechfmu::bench
