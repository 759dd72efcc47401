// A function of one number given by points: piecewise polynomials, evaluated alike by generated
// kernels and by the interpreter of the generator.
#pragma once
#include <math.h>

namespace mechfmu::runtime {

enum class Extrapolation : int { linear, hold, periodic };

struct Table {
  int points;
  const double* x;             // [points] ascending
  const double* coefficients;  // [4 (points - 1)] of 1, s, s^2, s^3 with s = x - x_i
  Extrapolation extrapolation;
};

// The value (order 0) or derivative of order 1 to 3 of the cubic c at s.
inline double evaluate_cubic(const double* c, int order, double s) {
  switch (order) {
    case 0:
      return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    case 1:
      return c[1] + s * (2 * c[2] + s * (3 * c[3]));
    case 2:
      return 2 * c[2] + s * (6 * c[3]);
    default:
      return 6 * c[3];
  }
}

inline double evaluate_table(const Table& table, int order, double x) {
  const int last = table.points - 1;
  const double first_x = table.x[0];
  const double last_x = table.x[last];
  if (table.extrapolation == Extrapolation::periodic) {
    const double period = last_x - first_x;
    x -= period * floor((x - first_x) / period);
  } else if (x < first_x || x > last_x) {
    // the end of the table, and its slope there
    const bool before = x < first_x;
    const double* c = table.coefficients + (before ? 0 : 4 * (last - 1));
    const double s = before ? 0 : last_x - table.x[last - 1];
    const double beyond = x - (before ? first_x : last_x);
    const double slope = table.extrapolation == Extrapolation::hold ? 0 : evaluate_cubic(c, 1, s);
    if (order > 1) return 0;
    return order == 1 ? slope : evaluate_cubic(c, 0, s) + slope * beyond;
  }
  int low = 0;
  int high = last;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (x < table.x[middle])
      high = middle;
    else
      low = middle;
  }
  return evaluate_cubic(table.coefficients + 4 * low, order, x - table.x[low]);
}

}  // namespace mechfmu::runtime
