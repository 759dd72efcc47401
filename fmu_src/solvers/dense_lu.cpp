#include "solvers/dense_lu.hpp"

#include <cmath>

namespace mechfmu::runtime {

void factor_lu(int n, double* a, double* order) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k])) pivot = i;
    order[k] = pivot;
    if (pivot != k)
      for (int j = 0; j < n; ++j) {
        const double x = a[k * n + j];
        a[k * n + j] = a[pivot * n + j];
        a[pivot * n + j] = x;
      }
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
  }
}

void solve_lu(int n, const double* a, const double* order, const double* b, double* x) {
  for (int i = 0; i < n; ++i) x[i] = b[i];
  for (int k = 0; k < n; ++k) {
    const int pivot = static_cast<int>(order[k]);
    const double y = x[k];
    x[k] = x[pivot];
    x[pivot] = y;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) x[i] -= a[i * n + j] * x[j];
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
}

}  // namespace mechfmu::runtime
