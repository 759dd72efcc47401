// Sine and cosine of one angle together: the same bits on every machine, each within one unit in
// the last place. The C library's differ from version to version and from processor to processor.
// Two angles at a time take little longer than one.
//
// x = k pi/2 + r + e, |r| <= pi/4: pi/2 is split into three parts of which k times the first two is
// exact for |k| < 2^20 (Cody and Waite); what rounding leaves is kept in e. Then polynomials in z =
// r^2 that interpolate (sin r - r) / r^3 and (cos r - 1 + z/2) / z^2 at Chebyshev's points, with
// errors of 2^-55 and 2^-60 of the factors that they have in the sums. Longer angles, infinities
// and NaN are the C library's.
#pragma once
#include <cstdint>

#include "platform/portable_math.hpp"

namespace mechfmu::runtime {

inline constexpr double kLongAngle = 0x1p20;

typedef double TwoReals __attribute__((vector_size(16)));
typedef std::uint64_t TwoWords __attribute__((vector_size(16)));

template <class To, class From>
inline To same_bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}

// Real is double or TwoReals: the same operations in the same order, so the same bits.
template <class Real, class Words>
inline void sum_series(Real r, Real e, Words quadrant, Real& sine, Real& cosine) {
  const Real z = r * r, z2 = z * z, z4 = z2 * z2;
  const Real s = (z * 0.008333333333330948 - 0.16666666666666666) +
                 z2 * (z * 2.755731610255244e-06 - 0.00019841269836758574) +
                 z4 * (z * 1.5918129294866285e-10 - 2.505113184500362e-08);
  const Real c = (0.041666666666666664 - z * 0.0013888888888887398) +
                 z2 * (2.480158729876569e-05 - z * 2.7557317271729793e-07) +
                 z4 * (2.0876146268403195e-09 - z * 1.1382632425521515e-11);
  const Real half = 0.5 * z, rest = 1.0 - half;
  const Words sine_bits = same_bits_as<Words>(r + (r * z * s + e * rest));
  const Words cosine_bits = same_bits_as<Words>(rest + ((1.0 - rest - half) + (z2 * c - r * e)));

  // quadrants 0, 1, 2, 3: (s, c), (c, -s), (-s, -c), (-c, s)
  const Words swap = Words{} - (quadrant & 1);
  const Words change = (sine_bits ^ cosine_bits) & swap;
  sine = same_bits_as<Real>((sine_bits ^ change) ^ ((quadrant & 2) << 62));
  cosine = same_bits_as<Real>((cosine_bits ^ change) ^ (((quadrant + 1) & 2) << 62));
}

template <class Real, class Words>
inline void sine_cosine_of(Real x, Real& sine, Real& cosine) {
  // adding 1.5 * 2^52 rounds to an integer, which is then in the last bits
  constexpr double kRound = 0x1.8p52, kTwoByPi = 0x1.45f306dc9c883p-1;
  const Real shifted = x * kTwoByPi + kRound;
  const Real k = shifted - kRound;
  // Sums in which the second number is smaller, or the first a multiple of its last place, give
  // their rounding error in two operations (Dekker): all that are needed here.
  const Real first = x - k * 0x1.921fb544p+0;
  const Real second = k * 0x1.0b4611a6p-34;
  const Real r1 = first - second;
  const Real third = ((first - r1) - second) - k * 0x1.3198a2e037073p-69;
  const Real r = r1 + third;
  sum_series(r, Real(third - (r - r1)), same_bits_as<Words>(shifted), sine, cosine);
}

inline void sine_cosine(double x, double* sine, double* cosine) {
  if (__builtin_fabs(x) < kLongAngle)
    sine_cosine_of<double, std::uint64_t>(x, *sine, *cosine);
  else
    ::sincos(x, sine, cosine);
}

// Of two angles.
inline void sine_cosine(double x, double* sine, double* cosine, double y, double* sine_y,
                        double* cosine_y) {
  if (!(__builtin_fabs(x) < kLongAngle && __builtin_fabs(y) < kLongAngle)) {
    sine_cosine(x, sine, cosine);
    sine_cosine(y, sine_y, cosine_y);
    return;
  }
  TwoReals s, c;
  sine_cosine_of<TwoReals, TwoWords>(TwoReals{x, y}, s, c);
  *sine = s[0];
  *cosine = c[0];
  *sine_y = s[1];
  *cosine_y = c[1];
}

inline double sine(double x) {
  double s, c;
  sine_cosine(x, &s, &c);
  return s;
}
inline double cosine(double x) {
  double s, c;
  sine_cosine(x, &s, &c);
  return c;
}

// x^(-1/n), x > 0, to 1e-10: Newton's method for y^-n = x from what dividing the exponent gives.
inline double inverse_root(double x, int n) {
  const auto one = same_bits_as<std::int64_t>(1.0);
  double y = same_bits_as<double>(one + (one - same_bits_as<std::int64_t>(x)) / n);
  for (int iteration = 0; iteration < 4; ++iteration) {
    double power = x;
    for (int i = 0; i < n; ++i) power *= y;
    y += y * (1 - power) / n;
  }
  return y;
}

// Sine and cosine compiled with the flags of an FMU: for the generator, which computes what kernels
// will.
double calc_sine(double x);
double calc_cosine(double x);

}  // namespace mechfmu::runtime
