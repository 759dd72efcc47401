// What an integrator is: one step from (t, q, v) to t + h with the accelerations of a scheme. One
// file per family, one row in integrators.def each.
#pragma once
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

inline constexpr int kMaxStages = 7;
inline constexpr int kMaxHistory = 4;

// Rates of steps before this one, part of the saved state: [age][nq + nv], newest first.
struct History {
  double* numbers;  // count of the rates, step length [s] they belong to, proposed step [s]
  double* rates;
  enum Number : int { kCount, kStep, kProposed, kNumbers };
};
inline int history_size(const Model& model) {
  return History::kNumbers + kMaxHistory * (model.nq + model.nv);
}

struct StageMemory {
  double* q_rate;   // [kMaxStages * nq]
  double* v_rate;   // [kMaxStages * nv]
  double* q;        // [nq] stage position
  double* v;        // [nv] stage velocity
  double* q_new;    // [nq] where an adaptive step ends
  double* v_new;    // [nv]
  double* w;        // [nv] velocity of the positions
  double* dense;    // [(nq + nv)^2] matrix of an implicit method
  double* order;    // [nq + nv] its row exchanges
  double* work;     // [4 (nq + nv)]
  double* entries;  // what the kernel `linearise` fills
  History history;
};

struct StepSettings {
  double tolerance;  // of adaptive methods
  int corrections;   // of P(EC)^m
};

struct Integrator {
  const char* id;
  int order;

  // With a fixed step: (q, v) to t + h.
  bool (*step)(StepContext& context, const Scheme& scheme, const StageMemory& memory,
               const StepSettings& settings, double t, double h, double* q, double* v) = nullptr;

  // Adaptive: tries a step of length h from (q, v), which stay as they are; leaves the end in
  // q_new, v_new and the error estimate divided by what is allowed in `error` (accepted up to 1).
  // May shorten h. Null for methods with a fixed step.
  bool (*attempt)(StepContext& context, const Scheme& scheme, const StageMemory& memory,
                  const StepSettings& settings, double t, double& h, const double* q,
                  const double* v, double& error) = nullptr;

  // h alpha that automatic gains may have: well inside the stability region on the negative axis.
  double stable_gain = 1;

  bool needs_matrix = false;       // StageMemory::dense
  bool needs_derivatives = false;  // the kernel `linearise`
  bool has_corrections = false;    // P(EC)^m
};

#define INTEGRATOR(id, title, order, stages) extern const Integrator integrator_##id;
#include "integrators/integrators.def"
#undef INTEGRATOR

const Integrator* find_integrator(const char* id);  // nullptr if unknown

// Rates of (q, v) at a stage; q and v are made consistent first where the scheme wants it.
bool evaluate_rates(StepContext& context, const Scheme& scheme, double t, double* q, double* v,
                    double* w, double* q_rate, double* v_rate);

// |e| relative to tolerance * (1 + |y|), the largest component; q and v together.
double scaled_error(const double* e, const double* y, const double* y_new, int n, double tolerance);

}  // namespace mechfmu::runtime
