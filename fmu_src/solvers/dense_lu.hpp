// Small dense systems A x = b, not symmetric: elimination with row pivots. No allocation.
#pragma once

namespace mechfmu::runtime {

// `a` [n * n] row major is overwritten by its factors; order [n] receives the row exchanges.
void factor_lu(int n, double* a, double* order);
void solve_lu(int n, const double* a, const double* order, const double* b, double* x);

}  // namespace mechfmu::runtime
