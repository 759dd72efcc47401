#include "graph/table_function.hpp"

#include <cmath>

#include "support/assert.hpp"

namespace mechfmu {

namespace {

// Slopes of the segments with two more on either side: those of the other end where the table is
// periodic, else continued with the second difference of the end (Akima's parabola).
std::vector<double> extended_slopes(const std::vector<double>& x, const std::vector<double>& y,
                                    bool periodic) {
  const std::size_t n = x.size() - 1;  // segments
  std::vector<double> m(n + 4);
  for (std::size_t i = 0; i < n; ++i) m[i + 2] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  if (periodic) {
    m[1] = m[n + 1];
    m[0] = m[n > 1 ? n : n + 1];
    m[n + 2] = m[2];
    m[n + 3] = m[n > 1 ? 3 : 2];
  } else {
    const double first = n > 1 ? m[2] - m[3] : 0;
    const double last = n > 1 ? m[n + 1] - m[n] : 0;
    m[1] = m[2] + first;
    m[0] = m[1] + first;
    m[n + 2] = m[n + 1] + last;
    m[n + 3] = m[n + 2] + last;
  }
  return m;
}

// Slope at a point from those of the two segments before and the two after it.
double akima_slope(double m1, double m2, double m3, double m4) {
  const double before = std::fabs(m4 - m3);
  const double after = std::fabs(m2 - m1);
  const double sum = before + after;
  return sum > 0 ? (before * m2 + after * m3) / sum : 0.5 * (m2 + m3);
}

}  // namespace

TableFunction make_table(const std::vector<double>& x, const std::vector<double>& y,
                         TableInterpolation interpolation, runtime::Extrapolation extrapolation) {
  MECHFMU_ASSERT(x.size() >= 2 && x.size() == y.size(), "a table has two points at least");
  TableFunction table{x, {}, extrapolation, interpolation == TableInterpolation::linear ? 1 : 3};
  const std::vector<double> m =
      extended_slopes(x, y, extrapolation == runtime::Extrapolation::periodic);
  const auto slope = [&](std::size_t i) { return akima_slope(m[i], m[i + 1], m[i + 2], m[i + 3]); };
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double h = x[i + 1] - x[i];
    const double chord = m[i + 2];
    double c[4] = {y[i], chord, 0, 0};
    if (interpolation == TableInterpolation::akima) {
      const double begin = slope(i), end = slope(i + 1);
      c[1] = begin;
      c[2] = (3 * chord - 2 * begin - end) / h;
      c[3] = (begin + end - 2 * chord) / (h * h);
    }
    table.coefficients.insert(table.coefficients.end(), c, c + 4);
  }
  return table;
}

}  // namespace mechfmu
