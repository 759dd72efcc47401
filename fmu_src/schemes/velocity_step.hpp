// The velocity-level step that several schemes share (document 001, section 3, corrected):
//
//     v* = v + h M^-1 f                                        unconstrained
//     M dv + J^T lambda' = 0,   J dv = -(J v* + phi_t + phi / tau)
//     v+ = v* + dv,   q+ = q + h N v+
//
// J at the beginning of the step, phi_t at its end, phi / tau only with Baumgarte's term. lambda'
// is an impulse. With a better predictor (trapezoid rule, Runge-Kutta) of the unconstrained motion,
// positions move with the mean of what the constraint adds, h/2 dv.
#pragma once
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

enum class Predictor : int { euler = 1, trapezoid = 2, rk4 = 3 };

// The unconstrained motion: v_end, and q_end where the predictor is better than Euler's (else q).
// At return the system is evaluated at (t, q, v), phi included.
bool predict(StepContext& context, Predictor predictor, double t, double h, const double* q,
             const double* v, double* q_end, double* v_end);

// `decay` = 1 / tau, 0 for none.
bool velocity_step(StepContext& context, Predictor predictor, double decay, double t, double h,
                   double* q, double* v);

// q along the mean or the end velocity, as the predictor asks for.
void move_after(const System& system, Predictor predictor, double h, const double* q_end,
                const double* v_end, const double* dv, double* q, double* v, double* scratch);

}  // namespace mechfmu::runtime
