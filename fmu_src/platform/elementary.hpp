// Sine and cosine of one angle together: the same bits on every machine, each within one unit in
// the last place. The C library's differ from version to version and from processor to processor.
// Two angles at a time take little longer than one.
//
// x = k pi/2 + r + e, |r| <= pi/4: pi/2 is split into three parts of which k times the first two is
// exact for |k| < 2^20 (Cody and Waite); what rounding leaves is kept in e. Then Taylor's series in
// z = r^2, to r^17 and r^16: the first terms left out are 1.2e-19 and 2.9e-18 of the value. Longer
// angles, infinities and NaN are the C library's.
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
inline void reduce_and_sum(Real x, Real& sine, Real& cosine) {
  // adding 1.5 * 2^52 rounds to an integer, which is then in the last bits
  constexpr double kRound = 0x1.8p52;
  const Real shifted = x * 0x1.45f306dc9c883p-1 + kRound;
  const Real k = shifted - kRound;
  const Words quadrant = same_bits_as<Words>(shifted);
  const Real first = x - k * 0x1.921fb544p+0;
  const Real second = k * 0x1.0b4611a6p-34;
  // first - second and what is rounded off (Knuth), then the third part (Dekker)
  const Real r1 = first - second;
  const Real part = r1 - first;
  const Real e1 = (first - (r1 - part)) - (second + part);
  const Real third = e1 - k * 0x1.3198a2e037073p-69;
  const Real r = r1 + third;
  const Real e = third - (r - r1);

  const Real z = r * r, z2 = z * z, z4 = z2 * z2;
  const Real s = (z * (1.0 / 120) - 1.0 / 6) + z2 * (z * (1.0 / 362880) - 1.0 / 5040) +
                 z4 * ((z * (1.0 / 6227020800.0) - 1.0 / 39916800) +
                       z2 * (z * (1.0 / 355687428096000.0) - 1.0 / 1307674368000.0));
  const Real c =
      (1.0 / 24 - z * (1.0 / 720)) + z2 * (1.0 / 40320 - z * (1.0 / 3628800)) +
      z4 * ((1.0 / 479001600 - z * (1.0 / 87178291200.0)) + z2 * (1.0 / 20922789888000.0));
  const Real half = 0.5 * z, rest = 1.0 - half;
  const Words sine_bits = same_bits_as<Words>(r + (r * z * s + e * rest));
  const Words cosine_bits = same_bits_as<Words>(rest + ((1.0 - rest - half) + (z2 * c - r * e)));

  // quadrants 0, 1, 2, 3: (s, c), (c, -s), (-s, -c), (-c, s)
  const Words swap = Words{} - (quadrant & 1);
  const Words change = (sine_bits ^ cosine_bits) & swap;
  sine = same_bits_as<Real>((sine_bits ^ change) ^ ((quadrant & 2) << 62));
  cosine = same_bits_as<Real>((cosine_bits ^ change) ^ (((quadrant + 1) & 2) << 62));
}

inline void sine_cosine(double x, double* sine, double* cosine) {
  if (!(__builtin_fabs(x) < kLongAngle)) {
    ::sincos(x, sine, cosine);
    return;
  }
  reduce_and_sum<double, std::uint64_t>(x, *sine, *cosine);
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
  reduce_and_sum<TwoReals, TwoWords>(TwoReals{x, y}, s, c);
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

// The same, compiled with the flags of an FMU: for the generator, which computes what kernels will.
double calc_sine(double x);
double calc_cosine(double x);

}  // namespace mechfmu::runtime
