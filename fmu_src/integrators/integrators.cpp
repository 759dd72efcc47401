#include <cmath>
#include <cstring>

#include "integrators/integrator.hpp"

namespace mechfmu::runtime {

const Integrator* find_integrator(const char* id) {
  static constexpr const Integrator* kIntegrators[] = {
#define INTEGRATOR(id, title, order, stages) &integrator_##id,
#include "integrators/integrators.def"
#undef INTEGRATOR
  };
  for (const Integrator* integrator : kIntegrators)
    if (std::strcmp(integrator->id, id) == 0) return integrator;
  return nullptr;
}

bool evaluate_rates(StepContext& context, const Scheme& scheme, double t, double* q, double* v,
                    double* w, double* q_rate, double* v_rate) {
  if (context.system.model.n_quaternions > 0)
    context.system.normalise(q);  // off the unit sphere rotations would stretch
  if (scheme.prepare_stage && !scheme.prepare_stage(context, t, q, v)) return false;
  if (!scheme.accelerate(context, t, q, v, v_rate)) return false;
  if (!scheme.move_positions) {
    context.system.position_rate(q, v, q_rate);
    return true;
  }
  if (!scheme.move_positions(context, t, q, v, w)) return false;
  context.system.position_rate(q, w, q_rate);
  return true;
}

double scaled_error(const double* e, const double* y, const double* y_new, int n,
                    double tolerance) {
  double largest_error = 0;
  for (int i = 0; i < n; ++i) {
    const double before = std::fabs(y[i]), after = std::fabs(y_new[i]);
    const double size = before < after ? after : before;
    const double error = std::fabs(e[i]) / (tolerance * (1 + size));
    if (!(error <= largest_error)) largest_error = error;
  }
  return largest_error;
}

}  // namespace mechfmu::runtime
