#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "schemes/scheme.hpp"

namespace mechfmu::runtime {

bool Failure::set(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return false;
}

void note_multiplier(StepContext& context, double t, const double* lambda, double scale) {
  const int nc = context.system.nc;
  for (int i = 0; i < nc; ++i) context.multiplier[i] = scale * lambda[i];
  context.multiplier[nc] = t;
}

bool fail_not_finite(StepContext& context, double t, const char* what) {
  const char* const constraint = context.system.find_culprit();
  if (constraint == nullptr)
    return context.failure.set("t=%.9g: no finite value for %s; a force or a mass is to blame", t,
                               what);
  return context.failure.set("t=%.9g: no finite value for %s; %s is to blame", t, what, constraint);
}

const Scheme* find_scheme(const char* id) {
  static constexpr const Scheme* kSchemes[] = {
#define SCHEME(id, title, equations, traits, parameters) &scheme_##id,
#include "schemes/schemes.def"
#undef SCHEME
  };
  for (const Scheme* scheme : kSchemes)
    if (std::strcmp(scheme->id, id) == 0) return scheme;
  return nullptr;
}

}  // namespace mechfmu::runtime
