// What a constraint-enforcement scheme is: how it finds accelerations in the stages of an
// integrator and what it does before and after a step, or a step of its own. One file per scheme,
// one row in schemes.def.
#pragma once
#include "system/system.hpp"

namespace mechfmu::runtime {

// Why a step could not be completed, in words for the log.
struct Failure {
  char text[256] = "";
  [[gnu::format(printf, 2, 3)]] bool set(const char* format, ...);  // returns false
};

// Room for a scheme's own vectors; nothing in it outlives a step.
struct SchemeScratch {
  static constexpr int kVectors = 6;  // the last three belong to the integrator
  double* q[kVectors];                // [nq]
  double* v[kVectors];                // [nv]
  double* constraint[kVectors];       // [nc]
  double* matrix;                     // [nc * nv + nc * nc]
};

struct StepContext {
  System& system;
  const double* parameters;  // the scheme's own, in the order of schemes.def
  const double* values;      // all variables, for parameters of single rows
  double gain;               // [1/s] that automatic gains may have; 0 with an adaptive integrator
  double* force_side;        // [nv] scratch
  double* constraint_side;   // [nc] scratch
  double* lambda;            // [nc] multipliers of the last evaluation
  double* change;            // [nv] scratch
  SchemeScratch scratch;
  double* memory;       // [scheme_memory(model)] what a scheme keeps from step to step
  double* multiplier;   // [nc + 1] the scheme's own multipliers, then their time
  double start_energy;  // [J] for schemes that keep it
  Failure& failure;
  bool adaptive;  // steps follow an error estimate
  int stage = 0;  // for schemes that count what they prepare
};

// A parameter that is a choice of no and yes, numbered from 1.
inline bool is_yes(double choice) { return choice > 1.5; }

// The multipliers as the scheme found them, for scheme.multiplier[i]; `scale` makes forces of
// impulses.
void note_multiplier(StepContext& context, double t, const double* lambda, double scale = 1);

// `what` at time t has no finite value: names the constraint that is to blame, if one is. Returns
// false.
bool fail_not_finite(StepContext& context, double t, const char* what);

struct Scheme {
  const char* id;

  // Accelerations at (t, q, v) for the stages of the integrator; null if `step` is set.
  bool (*accelerate)(StepContext& context, double t, const double* q, const double* v,
                     double* a) = nullptr;

  // After a step, at its end; null if there is nothing to do.
  bool (*complete_step)(StepContext& context, double t, double* q, double* v) = nullptr;

  // Before a step of length h.
  bool (*begin_step)(StepContext& context, double t, double h, const double* q,
                     const double* v) = nullptr;

  // Makes the state of a stage consistent before it is evaluated.
  bool (*prepare_stage)(StepContext& context, double t, double* q, double* v) = nullptr;

  // The velocity w with which positions move where it is not v itself; after accelerate() at the
  // same state.
  bool (*move_positions)(StepContext& context, double t, const double* q, const double* v,
                         double* w) = nullptr;

  // Takes out of (dq, dv), the error estimated for the end (q, v) of an adaptive step, what
  // complete_step() takes out anyway. `size`: how large it is.
  void (*reduce_error)(StepContext& context, double t, const double* q, const double* v,
                       double size, double* dq, double* dv) = nullptr;

  // A step of its own, instead of an integrator's.
  bool (*step)(StepContext& context, double t, double h, double* q, double* v) = nullptr;

  bool needs_matrix = false;  // SchemeScratch::matrix
};

#define SCHEME(id, title, equations, traits, parameters) extern const Scheme scheme_##id;
#include "schemes/schemes.def"
#undef SCHEME

const Scheme* find_scheme(const char* id);  // nullptr if unknown

// M a + J^T lambda = f, J a = -gamma: the equations of motion as they are. Shared by several
// schemes and by the outputs, which solve them whatever the scheme.
bool accelerate_unstabilised(StepContext& context, double t, const double* q, const double* v,
                             double* a);

// Numbers that a scheme may keep in StepContext::memory, part of the saved state.
inline int scheme_memory(const Model& model) { return 4 * model.nc + 4; }

}  // namespace mechfmu::runtime
