// What an integrator is: one step from (t, q, v) to t + h with the accelerations of a scheme.
#pragma once
#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

inline constexpr int kMaxStages = 4;

struct StageMemory {
  double* q_rate;  // [kMaxStages * nq]
  double* v_rate;  // [kMaxStages * nv]
  double* q;       // [nq] stage position
  double* v;       // [nv] stage velocity
};

struct Integrator {
  const char* id;
  int order;
  bool (*step)(StepContext& context, const Scheme& scheme, const StageMemory& memory, double t,
               double h, double* q, double* v);
};

#define INTEGRATOR(id, title, order, stages) extern const Integrator integrator_##id;
#include "integrators/integrators.def"
#undef INTEGRATOR

const Integrator* find_integrator(const char* id);  // nullptr if unknown

}  // namespace mechfmu::runtime
