// A smooth signal over one communication step [t, t+h]: a polynomial through what is known of it.
//
//   extrapolation   order 0: u(t)         order 1: u(t), u(t-h1)       order 2: and u(t-h1-h2)
//   interpolation   order 0: u(t+h)       order 1: u(t), u(t+h)        order 2: and u(t-h1)
//
// An FMU that interpolates inputs gets value and derivatives at t; another one the mean over the
// step, which keeps second order (order 0: the value itself).
#pragma once
#include <array>
#include <cstddef>

namespace mechfmu {

struct SignalPoint {
  double time = 0;  // relative to the beginning of the step [s]
  double value = 0;
};

struct SignalPolynomial {
  std::array<double, 3> c{};  // u(t + s) = c0 + c1 s + c2 s²

  // Through one to three points; the times differ.
  static SignalPolynomial through(const SignalPoint* points, std::size_t count) {
    const SignalPoint& a = points[0];
    if (count == 1) return {{a.value, 0, 0}};
    const SignalPoint& b = points[1];
    const double slope = (b.value - a.value) / (b.time - a.time);
    double curve = 0;
    if (count > 2) {
      const SignalPoint& d = points[2];
      curve = ((d.value - a.value) / (d.time - a.time) - slope) / (d.time - b.time);
    }
    // Newton's form a + slope (s - ta) + curve (s - ta)(s - tb), expanded
    return {{a.value - slope * a.time + curve * a.time * b.time, slope - curve * (a.time + b.time),
             curve}};
  }

  [[nodiscard]] double mean(double h) const { return c[0] + h * (c[1] / 2 + h * c[2] / 3); }
};

}  // namespace mechfmu
