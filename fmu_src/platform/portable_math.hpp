// What compiled code inside an FMU may call of libm, bound to the oldest version of each symbol.
//
// glibc gives a function a new symbol version when its error handling changes (exp, log, pow
// in 2.29, hypot in 2.35, fmod in 2.38, memcpy in 2.14). A library that is linked on a new machine
// asks for the newest ones and cannot be loaded on an older one, although the old versions are all
// still there (P1). On x86-64 every function below has a version 2.2.5; naming it here makes that
// the floor.
//
// The binding is per translation unit: generated kernels include this file, and so must a file of
// the runtime that calls any of these (sin, cos and memcpy are harmless so far). A name that a unit
// does not use costs nothing. Not with -flto: the directives would be lost. Under the address
// sanitizer its own memcpy must be found, so nothing is bound.
#pragma once
#include <math.h>
#include <string.h>

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(__ILP32__) && \
    !defined(__SANITIZE_ADDRESS__)

#define MECHFMU_OLDEST_VERSION(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5")

MECHFMU_OLDEST_VERSION(sin);
MECHFMU_OLDEST_VERSION(cos);
MECHFMU_OLDEST_VERSION(sincos);
MECHFMU_OLDEST_VERSION(tan);
MECHFMU_OLDEST_VERSION(asin);
MECHFMU_OLDEST_VERSION(acos);
MECHFMU_OLDEST_VERSION(atan);
MECHFMU_OLDEST_VERSION(atan2);
MECHFMU_OLDEST_VERSION(sinh);
MECHFMU_OLDEST_VERSION(cosh);
MECHFMU_OLDEST_VERSION(tanh);
MECHFMU_OLDEST_VERSION(exp);
MECHFMU_OLDEST_VERSION(exp2);
MECHFMU_OLDEST_VERSION(log);
MECHFMU_OLDEST_VERSION(log2);
MECHFMU_OLDEST_VERSION(log10);
MECHFMU_OLDEST_VERSION(pow);
MECHFMU_OLDEST_VERSION(sqrt);
MECHFMU_OLDEST_VERSION(cbrt);
MECHFMU_OLDEST_VERSION(hypot);
MECHFMU_OLDEST_VERSION(fmod);
MECHFMU_OLDEST_VERSION(floor);
MECHFMU_OLDEST_VERSION(ceil);
MECHFMU_OLDEST_VERSION(round);
MECHFMU_OLDEST_VERSION(nearbyint);
MECHFMU_OLDEST_VERSION(memcpy);

#undef MECHFMU_OLDEST_VERSION

#endif

// Outside the GNU library there is no sincos; compilers join the two calls where they can.
#if !defined(__GLIBC__) && !defined(__MINGW32__)
static inline void sincos(double x, double* sine, double* cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
#endif
