// The iterations of document 004 that its two variants share. Each is one solution of
//
//     (M + alpha J^T J) x = f - J^T (lambda + alpha b),      lambda += alpha (J x + b)
//
// in the form M x + J^T lambda+ = f, J x - lambda+ / alpha = -b - lambda / alpha, whose matrix is
// regular whatever the rank of J: redundant rows and singular poses need no other treatment.
#pragma once
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

// The parameters of both variants, in the order of schemes.def.
enum AugmentedParameter : int {
  kPenalty,
  kOmega,
  kMu,
  kMostIterations,
  kAccelerationTolerance,
  kProjectionTolerance
};

// 1 / alpha for every row.
const double* fill_compliance(StepContext& context);

// x and lambda (which begins as it is) with J x = -b to the relative tolerance.
bool solve_augmented(StepContext& context, const double* force, const double* b, double tolerance,
                     double* x, double* lambda);

// Accelerations with J a = -gamma - 2 omega mu phi_dot - omega^2 phi (equations 8 and 9).
bool accelerate_augmented(StepContext& context, double t, const double* q, const double* v,
                          double* a);

}  // namespace mechfmu::runtime
