// Sine and cosine of the runtime. Reference: the C library's in long double, 11 bits more.
#include "platform/elementary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace mechfmu::runtime {
namespace {

double error_in_last_places(double value, long double exact) {
  const double size = std::fabs(static_cast<double>(exact));
  const double place = std::nextafter(size, INFINITY) - size;
  return static_cast<double>(std::fabs((static_cast<long double>(value) - exact) / place));
}

// Angles of all sizes, and those next to multiples of pi/2, where everything cancels.
std::vector<double> angles() {
  std::mt19937_64 random(20241118);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> list = {0, -0.0, 1e-300, M_PI, M_PI_2, M_PI_4, 1048575.999};
  for (int i = 0; i < 200000; ++i) {
    list.push_back(4 * uniform(random));
    list.push_back(1e6 * uniform(random));
    list.push_back(std::pow(10, -12 * std::fabs(uniform(random))));
    double near = std::round(6e5 * uniform(random)) * M_PI_2;
    for (int k = 0; k < i % 4; ++k) near = std::nextafter(near, 0);
    list.push_back(near);
  }
  return list;
}

TEST(SineCosine, AreWithinOneUnitInTheLastPlace) {
  double worst_sine = 0, worst_cosine = 0;
  for (const double x : angles()) {
    double s, c;
    sine_cosine(x, &s, &c);
    worst_sine =
        std::max(worst_sine, error_in_last_places(s, std::sin(static_cast<long double>(x))));
    worst_cosine =
        std::max(worst_cosine, error_in_last_places(c, std::cos(static_cast<long double>(x))));
  }
  EXPECT_LT(worst_sine, 1);
  EXPECT_LT(worst_cosine, 1);
  EXPECT_GT(worst_sine, 0.5);  // rounding cannot be better: the comparison works
}

TEST(SineCosine, OfTwoAnglesHaveTheBitsOfEach) {
  const std::vector<double> list = angles();
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (std::size_t i = 1; i < list.size(); i += 7) {
    double s, c, sx, cx, sy, cy;
    sine_cosine(list[i - 1], &sx, &cx, list[i], &sy, &cy);
    sine_cosine(list[i - 1], &s, &c);
    ASSERT_EQ(bits(s), bits(sx)) << list[i - 1];
    ASSERT_EQ(bits(c), bits(cx)) << list[i - 1];
    ASSERT_EQ(bits(sine(list[i])), bits(sy)) << list[i];
    ASSERT_EQ(bits(cosine(list[i])), bits(cy)) << list[i];
    ASSERT_EQ(bits(calc_sine(list[i])), bits(sy)) << list[i];
    ASSERT_EQ(bits(calc_cosine(list[i])), bits(cy)) << list[i];
  }
}

TEST(SineCosine, OfLongAnglesAreTheLibrarys) {
  for (const double x : {0x1p20, -0x1p20, 1e22, -3e300}) {
    double s, c, sx, cx, sy, cy;
    sine_cosine(x, &s, &c);
    EXPECT_LE(error_in_last_places(s, std::sin(static_cast<long double>(x))), 1) << x;
    EXPECT_LE(error_in_last_places(c, std::cos(static_cast<long double>(x))), 1) << x;
    sine_cosine(1, &sx, &cx, x, &sy, &cy);
    EXPECT_EQ(s, sy);
    EXPECT_EQ(c, cy);
    EXPECT_EQ(sx, sine(1));
  }
  for (const double x : {HUGE_VAL, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sine(x)));
    EXPECT_TRUE(std::isnan(cosine(x)));
  }
}

TEST(InverseRoot, EqualsThePower) {
  for (const int n : {2, 3, 4, 5})
    for (double x = 1e-12; x < 1e12; x *= 1.7)
      EXPECT_NEAR(inverse_root(x, n) / std::pow(x, -1.0 / n), 1, 1e-10) << x << " " << n;
}

}  // namespace
}  // namespace mechfmu::runtime
