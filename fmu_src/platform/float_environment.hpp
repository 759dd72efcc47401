// The floating-point environment of the host stays the host's: whatever computes runs under the
// default one (round to nearest, subnormal numbers kept, no traps), so that results do not depend
// on the host, and what the host had is back before the call returns or a callback is made (P26).
//
// Cheap when nothing differs: reading the control register twice. Arithmetic may be moved across
// the switch by the compiler; what must be protected belongs into a function of its own that is
// called inside the scope.
#pragma once
#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace mechfmu {

#if defined(__x86_64__) || defined(_M_X64)

// All arithmetic on x86-64 is SSE; the x87 control word has no say in double precision.
class ScopedFloatEnvironment {
 public:
  ScopedFloatEnvironment() : saved_(_mm_getcsr()) {
    if ((saved_ & kControlBits) != kDefault) _mm_setcsr(kDefault);
  }
  ~ScopedFloatEnvironment() {
    if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
  }
  ScopedFloatEnvironment(const ScopedFloatEnvironment&) = delete;
  ScopedFloatEnvironment& operator=(const ScopedFloatEnvironment&) = delete;

 private:
  static constexpr unsigned kControlBits =
      0xffc0;  // traps, rounding, flush to zero, subnormals are zero
  static constexpr unsigned kDefault = 0x1f80;  // all traps masked, nothing else set
  unsigned saved_;
};

#else

class ScopedFloatEnvironment {
 public:
  ScopedFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ScopedFloatEnvironment() { std::fesetenv(&saved_); }
  ScopedFloatEnvironment(const ScopedFloatEnvironment&) = delete;
  ScopedFloatEnvironment& operator=(const ScopedFloatEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};

#endif

}  // namespace mechfmu
