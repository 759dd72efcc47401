// What a constraint-enforcement scheme is: how it finds accelerations in the stages of an
// integrator, and what it does when a step is complete. One file per scheme, one row in
// schemes.def.
#pragma once
#include "system/system.hpp"

namespace mechfmu::runtime {

// Why a step could not be completed, in words for the log.
struct Failure {
  char text[256] = "";
  [[gnu::format(printf, 2, 3)]] bool set(const char* format, ...);  // returns false
};

struct StepContext {
  System& system;
  const double* parameters;  // the scheme's own, in the order of schemes.def
  double step;               // nominal step length [s]: what automatic gains scale with
  double* force_side;        // [nv] scratch
  double* constraint_side;   // [nc] scratch
  double* lambda;            // [nc] multipliers of the last evaluation
  double* change;            // [nv] scratch
  Failure& failure;
};

struct Scheme {
  const char* id;

  // Accelerations at (t, q, v) for the stages of the integrator.
  bool (*accelerate)(StepContext& context, double t, const double* q, const double* v, double* a);

  // After a step, at its end; null if there is nothing to do.
  bool (*complete_step)(StepContext& context, double t, double* q, double* v);
};

#define SCHEME(id, title, equations, parameters) extern const Scheme scheme_##id;
#include "schemes/schemes.def"
#undef SCHEME

const Scheme* find_scheme(const char* id);  // nullptr if unknown

// M a + J^T lambda = f, J a = -gamma: the equations of motion as they are. Shared by several
// schemes and by the outputs, which solve them whatever the scheme.
bool accelerate_unstabilised(StepContext& context, double t, const double* q, const double* v,
                             double* a);

}  // namespace mechfmu::runtime
