// The mechanism that the FMI layer is tested with, written by hand instead of generated: a point
// mass on a massless rod in the plane, in Cartesian coordinates, pushed by a horizontal force u,
// and by a wind of kWind more where x < -0.9.
//
//     q = (x, y)      m x'' + x lambda = u      m y'' + y lambda = -m g      phi = (x^2 + y^2 -
//     L^2) / 2 = 0
//
// It can fail in every way that matters: it cannot be assembled with |start.x| > L, and a force of
// 1e300 N makes a step fail.
#pragma once
#include "fmi2Functions.h"

namespace mechfmu::test {

inline constexpr const char* kGuid = "{00000000-1111-2222-3333-444444444444}";

inline constexpr double kWind = 5;  // [N]

enum Real : fmi2ValueReference {
  kLength,
  kMass,
  kGravity,
  kStartX,
  kStartVx,
  kNorm,  // an enumeration: not visible as a Real
  kProjectionTolerance,
  kIterations,  // likewise
  kStep,
  kTolerance,
  kForce,
  kX,
  kY,
  kVx,
  kVy,
  kElementary,  // a bit of every function of libm that kernels may call
  kAx,
  kTension,  // rod force [N]
  kStateX,   // states and their derivatives
  kStateY,
  kStateVx,
  kStateVy,
  kDerX,
  kDerY,
  kDerVx,
  kDerVy,
  kRealCount
};

enum Integer : fmi2ValueReference { kNormChoice, kIterationCount, kIntegerCount };

inline constexpr fmi2ValueReference kFirstComputed = kX;

}  // namespace mechfmu::test
