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

}  // namespace mechfmu::runtime
