// The Taylor-series schemes of document 000 (equations 13 to 44). With x = (v+ - v) / h:
//
//   predictor   M x + J^T l = f,   J x = -phi / h^2 - (J v + phi_t) / h            at the beginning
//               v_p = v + h x,  q_p = q + h N v_p
//   corrector   M x + J^T l = f,   J x = -2 phi(q_p) / h^2 - 2 J (v - v_p) / h     J at the middle
//               v+ = v + h x,  q+ = q + h/2 N (v + v+)
//
// The predictor alone is of first order, both together of second. M and f that depend on q or v are
// taken at the middle, f with the mean of v and v_p; v_p lacks the normal acceleration, so the mean
// is wrong by O(h) there and the printed scheme (43) of first order only. Solving the corrector
// once more with the mean of v and v+ mends that with the same factor.
#pragma once
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

enum class TaylorOrder { first, second, printed };

bool taylor_step(StepContext& context, TaylorOrder order, double t, double h, double* q, double* v);

}  // namespace mechfmu::runtime
