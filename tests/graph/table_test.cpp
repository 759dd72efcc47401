// Tables as nodes of the graph. References: straight lines and Akima's method, both written down
// here a second time (Akima, "A new method of interpolation and smooth curve fitting based on local
// procedures", J. ACM 17, 1970), finite differences, and the compiled kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "graph/compiled_kernels.hpp"
#include "graph/derivative.hpp"

namespace mechfmu {
namespace {

using runtime::Extrapolation;
using testing::interpreted;
using testing::Library;
using testing::same_bits;
using Numbers = std::vector<double>;

constexpr TableInterpolation kBoth[] = {TableInterpolation::linear, TableInterpolation::akima};
constexpr Extrapolation kAll[] = {Extrapolation::linear, Extrapolation::hold,
                                  Extrapolation::periodic};

// Uneven places, a flat piece, a jump of slope; begins and ends with the same value.
const Numbers kX = {-1.5, -1, 0.25, 1, 1.125, 3, 4.5};
const Numbers kY = {0.5, 2, 2, 2, -1, 0.75, 0.5};

// The slope of segment k counts from the left; `x` and `y` may be longer than a table.
double chord(const Numbers& x, const Numbers& y, std::size_t k) {
  return (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
}

// Two more points behind the last one, as in the paper: x5 - x3 = x4 - x2 = x3 - x1, on the
// parabola through the last three.
void extend(Numbers& x, Numbers& y) {
  for (int k = 0; k < 2; ++k) {
    const std::size_t n = x.size();
    const double next = x[n - 1] + (k == 0 ? x[n - 1] - x[n - 2] : x[n - 2] - x[n - 3]);
    const double m1 = chord(x, y, n - 3), m2 = chord(x, y, n - 2);
    y.push_back(y[n - 1] + (2 * m2 - m1) * (next - x[n - 1]));
    x.push_back(next);
  }
}

// Akima's curve through the points at `at`, in Hermite's form; `derivative` 0 or 1.
double akima(Numbers x, Numbers y, double at, int derivative = 0) {
  for (int side = 0; side < 2; ++side) {
    extend(x, y);
    // once more from the other end
    std::reverse(x.begin(), x.end());
    std::reverse(y.begin(), y.end());
  }
  const auto slope = [&](std::size_t i) {
    const double m1 = chord(x, y, i - 2), m2 = chord(x, y, i - 1);
    const double m3 = chord(x, y, i), m4 = chord(x, y, i + 1);
    const double w2 = std::abs(m4 - m3), w3 = std::abs(m2 - m1);
    return w2 == 0 && w3 == 0 ? (m2 + m3) / 2 : (w2 * m2 + w3 * m3) / (w2 + w3);
  };
  std::size_t i = 2;
  while (i + 4 < x.size() && at >= x[i + 1]) ++i;
  const double h = x[i + 1] - x[i], u = (at - x[i]) / h;
  const double t1 = h * slope(i), t2 = h * slope(i + 1);
  if (derivative == 1)
    return (6 * u * (u - 1) * (y[i] - y[i + 1]) + (3 * u - 1) * (u - 1) * t1 +
            (3 * u - 2) * u * t2) /
           h;
  return (1 + 2 * u) * (1 - u) * (1 - u) * y[i] + u * (1 - u) * (1 - u) * t1 +
         u * u * (3 - 2 * u) * y[i + 1] + u * u * (u - 1) * t2;
}

double straight(const Numbers& x, const Numbers& y, double at) {
  std::size_t i = 0;
  while (i + 2 < x.size() && at >= x[i + 1]) ++i;
  const double u = (at - x[i]) / (x[i + 1] - x[i]);
  return (1 - u) * y[i] + u * y[i + 1];
}

double evaluate(const TableFunction& table, double x, int order = 0) {
  return runtime::evaluate_table(table.view(), order, x);
}

TableFunction make_sample(TableInterpolation interpolation, Extrapolation extrapolation) {
  return make_table(kX, kY, interpolation, extrapolation);
}

// A hundred places in every segment, ends included.
Numbers sample_places(const Numbers& x) {
  Numbers places;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    for (int k = 0; k < 100; ++k) places.push_back(x[i] + (x[i + 1] - x[i]) * k / 100);
  places.push_back(x.back());
  return places;
}

// Values are below 10 and slopes below 30: 1e-13 is hundreds of roundings, a wrong weight is off in
// the first digits.
constexpr double kRounding = 1e-13;

TEST(Table, InterpolatesAsAkimaDid) {
  const TableFunction table = make_sample(TableInterpolation::akima, Extrapolation::linear);
  for (const double x : sample_places(kX)) {
    EXPECT_NEAR(evaluate(table, x), akima(kX, kY, x), kRounding) << x;
    EXPECT_NEAR(evaluate(table, x, 1), akima(kX, kY, x, 1), 10 * kRounding) << x;
  }
}

TEST(Table, InterpolatesRandomPointsAsAkimaDid) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> step(0.2, 2), value(-3, 3);
  for (int trial = 0; trial < 200; ++trial) {
    Numbers x = {value(random)}, y = {value(random)};
    for (int k = 0; k < 3 + trial % 10; ++k) {
      x.push_back(x.back() + step(random));
      y.push_back(trial % 3 == 0 ? std::round(value(random)) : value(random));  // equal slopes, too
    }
    const TableFunction table = make_table(x, y, TableInterpolation::akima, Extrapolation::linear);
    for (const double at : sample_places(x))
      ASSERT_NEAR(evaluate(table, at), akima(x, y, at), kRounding) << trial << " " << at;
  }
}

// The paper's first example: no wiggle before the rise, where polynomials and splines swing.
TEST(Table, StaysFlatWhereAkimasExampleIsFlat) {
  const TableFunction table =
      make_table({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {10, 10, 10, 10, 10, 10, 10.5, 15, 50, 60, 85},
                 TableInterpolation::akima, Extrapolation::linear);
  for (double x = 0; x <= 5; x += 1.0 / 16) EXPECT_EQ(evaluate(table, x), 10) << x;
  for (double x = 5; x < 10; x += 1.0 / 16)
    EXPECT_LT(evaluate(table, x), evaluate(table, x + 1.0 / 16)) << x;
}

TEST(Table, InterpolatesStraight) {
  const TableFunction table = make_sample(TableInterpolation::linear, Extrapolation::linear);
  for (const double x : sample_places(kX)) {
    EXPECT_NEAR(evaluate(table, x), straight(kX, kY, x), kRounding) << x;
    EXPECT_NEAR(evaluate(table, x, 2), 0, 10 * kRounding) << x;  // chords cancel but for rounding
  }
  EXPECT_NEAR(evaluate(table, 2, 1), 1.75 / 1.875, kRounding);
}

TEST(Table, PassesThroughItsPoints) {
  for (const TableInterpolation interpolation : kBoth)
    for (const Extrapolation extrapolation : kAll) {
      const TableFunction table = make_sample(interpolation, extrapolation);
      for (std::size_t i = 0; i < kX.size(); ++i)
        EXPECT_NEAR(evaluate(table, kX[i]), kY[i], kRounding) << i;
    }
}

TEST(Table, OfTwoPointsIsALine) {
  for (const TableInterpolation interpolation : kBoth) {
    const TableFunction table = make_table({1, 3}, {2, 6}, interpolation, Extrapolation::linear);
    for (const double x : {-10.0, 1.0, 1.5, 3.0, 40.0}) {
      EXPECT_NEAR(evaluate(table, x), 2 * x, kRounding) << x;
      EXPECT_EQ(evaluate(table, x, 1), 2) << x;
    }
  }
}

// Central differences over 2h: of a cubic's value they are off by h^2 c3, of its derivatives by
// nothing, and of a number n by n 2^-52 / h. With |c3| < 5000, n below 200 times the derivative's
// size and h = 1e-6 both are below 1e-7 of it; a wrong derivative is off by its own size.
TEST(Table, DerivativesAreThoseOfTheValues) {
  const double h = 1e-6;
  for (const TableInterpolation interpolation : kBoth)
    for (const Extrapolation extrapolation : kAll) {
      const TableFunction table = make_sample(interpolation, extrapolation);
      Numbers places;  // no corner between x - h and x + h
      for (double x = -9.03; x < 12; x += 0.0371) places.push_back(x);
      for (const double x : places)
        for (const int order : {1, 2, 3}) {
          const double difference =
              (evaluate(table, x + h, order - 1) - evaluate(table, x - h, order - 1)) / (2 * h);
          EXPECT_NEAR(evaluate(table, x, order), difference, 1e-6 * (1 + std::abs(difference)))
              << x << " order " << order;
        }
    }
}

// Slope before and after a point, one rounding away: equal but for the second derivative (below
// 1000) times that, and roundings.
double slope_jump(const TableFunction& table, double x) {
  return evaluate(table, x, 1) - evaluate(table, std::nextafter(x, -1e9), 1);
}

TEST(Table, SlopeOfAkimaIsContinuous) {
  for (const Extrapolation extrapolation : {Extrapolation::linear, Extrapolation::periodic}) {
    const TableFunction table = make_sample(TableInterpolation::akima, extrapolation);
    for (const double x : kX)
      for (const double way : {-1e9, 1e9})
        EXPECT_NEAR(evaluate(table, x, 1), evaluate(table, std::nextafter(x, way), 1), 1e-11)
            << x << " " << way;
  }
  // the same check sees the corner of a line
  const TableFunction corner = make_sample(TableInterpolation::linear, Extrapolation::linear);
  EXPECT_NEAR(slope_jump(corner, 1), -24, kRounding);
}

TEST(Table, GoesOnStraightBeyondItsEnds) {
  const TableFunction table = make_sample(TableInterpolation::akima, Extrapolation::linear);
  for (const double beyond : {1e-9, 0.5, 7.0, 1e6}) {
    const double before = kX.front() - beyond, after = kX.back() + beyond;
    const double first = akima(kX, kY, kX.front(), 1), last = akima(kX, kY, kX.back(), 1);
    EXPECT_NEAR(evaluate(table, before), kY.front() - first * beyond,
                kRounding * (1 + 10 * beyond));
    EXPECT_NEAR(evaluate(table, after), kY.back() + last * beyond, kRounding * (1 + 10 * beyond));
    EXPECT_NEAR(evaluate(table, before, 1), first, kRounding);
    EXPECT_NEAR(evaluate(table, after, 1), last, kRounding);
    EXPECT_EQ(evaluate(table, before, 2), 0);
    EXPECT_EQ(evaluate(table, after, 3), 0);
  }
}

TEST(Table, HoldsItsEnds) {
  for (const TableInterpolation interpolation : kBoth) {
    const TableFunction table = make_sample(interpolation, Extrapolation::hold);
    for (const double beyond : {1e-9, 0.5, 1e300}) {
      EXPECT_NEAR(evaluate(table, kX.front() - beyond), kY.front(), kRounding);
      EXPECT_NEAR(evaluate(table, kX.back() + beyond), kY.back(), kRounding);
      for (const int order : {1, 2, 3}) {
        EXPECT_EQ(evaluate(table, kX.front() - beyond, order), 0);
        EXPECT_EQ(evaluate(table, kX.back() + beyond, order), 0);
      }
    }
  }
}

// Reference: three periods written out, of which the middle one has neighbours on both sides.
TEST(Table, PeriodicSlopesComeFromTheOtherEnd) {
  Numbers x, y;
  const double period = kX.back() - kX.front();
  for (int k = -1; k <= 1; ++k)
    for (std::size_t i = k == -1 ? 0 : 1; i < kX.size(); ++i) {
      x.push_back(kX[i] + k * period);
      y.push_back(kY[i]);
    }
  const TableFunction table = make_sample(TableInterpolation::akima, Extrapolation::periodic);
  for (const double at : sample_places(kX)) {
    EXPECT_NEAR(evaluate(table, at), akima(x, y, at), kRounding) << at;
    EXPECT_NEAR(evaluate(table, at, 1), akima(x, y, at, 1), 10 * kRounding) << at;
  }
}

// x + k T is rounded to 2^-53 of itself, and so is the way back: with slopes below 30 the value is
// off by 60 |k T| 2^-53 at most.
TEST(Table, RepeatsAfterAnyNumberOfPeriods) {
  const double period = kX.back() - kX.front();
  for (const TableInterpolation interpolation : kBoth) {
    const TableFunction table = make_sample(interpolation, Extrapolation::periodic);
    for (const double turns : {-1e9, -1000003.0, -7.0, -1.0, 1.0, 2.0, 12345.0, 1e9})
      for (double x = kX.front() + 0.01; x < kX.back(); x += 0.0137) {
        const double tolerance = kRounding + 60 * std::abs(turns) * period * 0x1p-53;
        ASSERT_NEAR(evaluate(table, x + turns * period), evaluate(table, x), tolerance)
            << x << " " << turns;
      }
  }
}

// The seam, where rounding may put x on either side: no gap in the value.
TEST(Table, HasNoGapWhereAPeriodEnds) {
  const TableFunction table = make_sample(TableInterpolation::akima, Extrapolation::periodic);
  const double period = kX.back() - kX.front();
  for (int k = -1000; k <= 1000; ++k) {
    const double seam = kX.front() + k * period;
    for (double x = std::nextafter(seam, -1e9), n = 0; n < 3; x = std::nextafter(x, 1e9), ++n)
      ASSERT_NEAR(evaluate(table, x), kY.front(), 1e-10) << k;
  }
}

double value_of(Graph& g, Expr e, const Numbers& q, const Numbers& v = {}) {
  const Program program = make_program(g, std::span(&e, 1));
  const double* in[] = {q.data(), v.data()};
  return interpreted(program, in)[0];
}

TEST(TableNode, HasTheValueOfItsTable) {
  Graph g;
  const int first = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::hold));
  const int second = g.add_table(make_sample(TableInterpolation::linear, Extrapolation::periodic));
  const Expr q = g.symbol(0, 0);
  for (const double x : {-20.0, -1.5, 0.3, 1.05, 4.5, 33.0})
    for (const int order : {0, 1}) {
      EXPECT_TRUE(same_bits(value_of(g, g.look_up(first, order, q), {x}),
                            evaluate(g.tables()[0], x, order)));
      EXPECT_TRUE(same_bits(value_of(g, g.look_up(second, order, q), {x}),
                            evaluate(g.tables()[1], x, order)));
    }
}

TEST(TableNode, IsOneNodeForOneTableOrderAndArgument) {
  Graph g;
  const int a = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::hold));
  const int b = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::linear));
  const Expr q = g.symbol(0, 0), p = g.symbol(0, 1);
  EXPECT_EQ(g.look_up(a, 0, q), g.look_up(a, 0, q));
  EXPECT_FALSE(g.look_up(a, 0, q) == g.look_up(b, 0, q));
  EXPECT_FALSE(g.look_up(a, 0, q) == g.look_up(a, 1, q));
  EXPECT_FALSE(g.look_up(a, 0, q) == g.look_up(a, 0, p));
  EXPECT_TRUE((g.look_up(a, 0, q + p) - g.look_up(a, 0, p + q)).is_zero());
}

TEST(TableNode, FoldsAtConstantsAndAboveItsDegree) {
  Graph g;
  const int cubic = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::hold));
  const int line = g.add_table(make_sample(TableInterpolation::linear, Extrapolation::hold));
  const Expr q = g.symbol(0, 0);
  EXPECT_TRUE(g.look_up(cubic, 0, g.number(2)).is_constant(evaluate(g.tables()[0], 2)));
  EXPECT_TRUE(g.look_up(line, 1, g.number(2)).is_constant(evaluate(g.tables()[1], 2, 1)));
  EXPECT_TRUE(g.look_up(line, 2, q).is_zero());
  EXPECT_FALSE(g.look_up(cubic, 3, q).is_zero());
  EXPECT_TRUE(g.look_up(cubic, 4, q).is_zero());
}

// f = sin(p) T(q^2 p): first and second derivative along (q', p') = (1, 2), against central
// differences with h = 1e-4, off by h^2/6 times the third derivative, here below 1e4.
TEST(TableNode, DifferentiatesByTheChainRule) {
  Graph g;
  const int table = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::periodic));
  const Expr q = g.symbol(0, 0), p = g.symbol(0, 1);
  const Expr f = sin(p) * g.look_up(table, 0, q * q * p);
  Direction along(g);
  along.seed(q, g.number(1));
  along.seed(p, g.number(2));
  const Expr df = along.derivative(f);
  const Expr ddf = along.derivative(df);
  const double h = 1e-4;
  for (const Numbers& point : {Numbers{0.7, 1.3}, {1.1, 0.4}, {-1.6, 0.9}, {2.2, -1.7}}) {
    const auto at = [&](Expr e, double s) {
      return value_of(g, e, {point[0] + s, point[1] + 2 * s});
    };
    EXPECT_NEAR(at(df, 0), (at(f, h) - at(f, -h)) / (2 * h), 2e-5) << point[0];
    EXPECT_NEAR(at(ddf, 0), (at(df, h) - at(df, -h)) / (2 * h), 2e-3) << point[0];
  }
}

// The interpreter's complex step uses the next derivative as slope.
TEST(TableNode, ComplexStepGivesTheDerivative) {
  Graph g;
  const int table = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::linear));
  const Expr f = g.look_up(table, 0, 2.0 * g.symbol(0, 0));
  const Program program = make_program(g, std::span(&f, 1));
  const std::complex<double> q[] = {{0.3, 1e-30}};
  const std::complex<double>* in[] = {q};
  std::complex<double> out;
  std::vector<std::complex<double>> scratch;
  interpret(program, in, &out, scratch);
  EXPECT_EQ(out.real(), evaluate(g.tables()[0], 0.6));
  EXPECT_DOUBLE_EQ(out.imag() / 1e-30, 2 * evaluate(g.tables()[0], 0.6, 1));
}

TEST(TableNode, SurvivesSubstitution) {
  Graph g;
  g.add_table(make_sample(TableInterpolation::linear, Extrapolation::hold));
  const int table = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::hold));
  const Expr q = g.symbol(0, 0), p = g.symbol(0, 1);
  const Expr f = 3.0 * g.look_up(table, 1, q) + p;
  Substitution moved(g);
  moved.replace(q, p * p);
  EXPECT_EQ(moved.apply(f), 3.0 * g.look_up(table, 1, p * p) + p);
  Substitution fixed(g);
  fixed.replace(q, g.number(2));
  fixed.replace(p, g.number(0));
  EXPECT_TRUE(fixed.apply(f).is_constant(3 * evaluate(g.tables()[1], 2, 1)));
}

TEST(TableNode, IsHoistedWithItsArgumentAndStaysWhereItMoves) {
  Graph g;
  g.add_table(make_sample(TableInterpolation::linear, Extrapolation::hold));
  const int table = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::periodic));
  const Expr q = g.symbol(0, 0), p = g.symbol(1, 0);
  const Expr f = g.look_up(table, 0, p) * q + g.look_up(table, 1, q * sin(p));
  Expr rest = f;
  std::vector<Expr> constants = hoist(g, std::span(&rest, 1), 1, 2);
  ASSERT_EQ(constants.size(), 2U);  // T(p) and sin(p)
  EXPECT_FALSE(depends_on(g, rest, 1));
  EXPECT_TRUE(depends_on(g, rest, 0));
  for (const Expr& constant : constants) EXPECT_FALSE(depends_on(g, constant, 0));

  const double at_q[] = {0.8}, at_p[] = {1.9};
  const double* in[] = {at_q, at_p, nullptr};
  const Numbers c = interpreted(make_program(g, constants), in);
  in[2] = c.data();
  EXPECT_TRUE(same_bits(interpreted(make_program(g, std::span(&rest, 1)), in)[0],
                        interpreted(make_program(g, std::span(&f, 1)), in)[0]));
}

TEST(TableNode, DependsOnItsArgument) {
  Graph g;
  const int table = g.add_table(make_sample(TableInterpolation::akima, Extrapolation::hold));
  const Expr f = g.look_up(table, 0, g.symbol(0, 2) + g.symbol(0, 0));
  EXPECT_TRUE(depends_on(g, f, 0));
  EXPECT_FALSE(depends_on(g, f, 1));  // tables and orders are numbers, not nodes
  EXPECT_EQ(dependency_mask(g, f, 0, 4), (std::vector<bool>{true, false, true, false}));
}

TEST(TableNode, CompiledEqualsInterpretedBitForBit) {
  REQUIRE_COMPILER();
  Graph g;
  std::vector<Expr> results;
  const Expr q = g.symbol(0, 0), v = g.symbol(1, 0);
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> step(0.01, 3), value(-1e3, 1e3);
  for (const TableInterpolation interpolation : kBoth)
    for (const Extrapolation extrapolation : kAll)
      for (const int points : {2, 3, 40}) {
        Numbers x = {value(random)}, y = {value(random)};
        for (int k = 1; k < points; ++k) {
          x.push_back(x.back() + step(random));
          y.push_back(value(random));
        }
        y.back() = y.front();
        const int table = g.add_table(make_table(x, y, interpolation, extrapolation));
        // an argument that runs through the table and far beyond
        const Expr at = (x.front() - 5.0) + q * (x.back() - x.front() + 10.0);
        for (const int order : {0, 1, 2, 3}) results.push_back(g.look_up(table, order, at));
        results.push_back(sin(g.look_up(table, 0, at)) * v);
      }
  const Program program = make_program(g, results);
  Library library;
  library.set_tables(g.tables());
  const std::size_t kernels[] = {library.add(program), library.add(program, 5)};
  ASSERT_EQ(library.build(), "");
  std::uniform_real_distribution<double> place(-3, 4);
  for (int trial = 0; trial < 2000; ++trial) {
    const double at_q[] = {trial % 100 == 0 ? place(random) * 1e9 : place(random)};
    const double at_v[] = {place(random)};
    const double* in[] = {at_q, at_v};
    const Numbers expected = interpreted(program, in);
    for (const std::size_t kernel : kernels) {
      Numbers out(expected.size(), 7);
      library.run(kernel, in, out.data());
      for (std::size_t k = 0; k < out.size(); ++k)
        ASSERT_TRUE(same_bits(out[k], expected[k])) << at_q[0] << " result " << k;
    }
  }
}

}  // namespace
}  // namespace mechfmu
