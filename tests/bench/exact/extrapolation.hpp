// Gragg's modified midpoint rule with extrapolation (Hairer, Norsett, Wanner I, II.9): a high order
// for references. Equal large steps, no error control; the error is seen by halving them.
#pragma once
#include <Eigen/Dense>
#include <vector>

namespace mechfmu::bench {

template <class F>
Eigen::VectorXd extrapolated_step(F&& rates, const Eigen::VectorXd& y, double h, int columns) {
  std::vector<Eigen::VectorXd> row, previous;
  const Eigen::VectorXd first = rates(y);
  for (int j = 0; j < columns; ++j) {
    const int n = 2 * (j + 1);
    const double step = h / n;
    Eigen::VectorXd before = y, now = y + step * first;
    for (int i = 1; i < n; ++i) {
      const Eigen::VectorXd next = before + 2 * step * rates(now);
      before = now;
      now = next;
    }
    row.assign(1, 0.5 * (before + now + step * rates(now)));  // Gragg's smoothing
    for (int k = 1; k <= j; ++k) {
      const double ratio = static_cast<double>(n) / (2 * (j - k + 1));
      const auto i = static_cast<std::size_t>(k - 1);
      row.push_back(row[i] + (row[i] - previous[i]) / (ratio * ratio - 1));
    }
    previous = row;
  }
  return row.back();
}

}  // namespace mechfmu::bench
