// Units: factors, dimensions and the SI names that go into the FMU. References: the SI brochure
// (9th edition), and the exact definitions of inch, pound and standard gravity.
#include "readers/units.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mechfmu {
namespace {

TEST(Units, HaveTheFactorsOfTheSi) {
  struct Row {
    const char* unit;
    double factor;
    const char* si;
  };
  for (const Row& row : {Row{"m", 1, "m"},
                         {"mm", 1e-3, "m"},
                         {"km", 1e3, "m"},
                         {"in", 0.0254, "m"},
                         {"g", 1e-3, "kg"},
                         {"t", 1e3, "kg"},
                         {"lb", 0.45359237, "kg"},
                         {"min", 60, "s"},
                         {"h", 3600, "s"},
                         {"Hz", 1, "Hz"},
                         {"kN", 1e3, "N"},
                         {"N.m", 1, "N.m"},
                         {"Nm", 1, "N.m"},
                         {"Nmm", 1e-3, "N.m"},
                         {"N*m", 1, "N.m"},
                         {"kN/mm", 1e6, "N/m"},
                         {"N.m/rad", 1, "N.m/rad"},
                         {"g/cm3", 1e3, "kg/m3"},
                         {"g/cm^3", 1e3, "kg/m3"},
                         {"m/s2", 1, "m/s2"},
                         {"m/s^2", 1, "m/s2"},
                         {"m.s-2", 1, "m.s-2"},
                         {"kg.m2", 1, "kg.m2"},
                         {"1/s", 1, "1/s"},
                         {"1/min", 1.0 / 60, "1/s"},
                         {"W/(m.K)", 1, "W/(m.K)"},
                         {"%", 0.01, "1"}}) {
    const std::optional<Unit> unit = find_unit(row.unit);
    ASSERT_TRUE(unit) << row.unit;
    EXPECT_DOUBLE_EQ(unit->factor(), row.factor) << row.unit;
    EXPECT_EQ(unit->si_name, row.si) << row.unit;
  }
}

// Multiplier and divisor are exact, so a value is rounded once: the same double as the decimal
// literal.
TEST(Units, RoundOnce) {
  const Unit mm = *find_unit("mm");
  for (const int i : {1, 3, 7, 12, 120, 999, 1001, 123457})
    EXPECT_EQ(mm.to_si(i), std::stod(std::to_string(i) + "e-3")) << i;
  EXPECT_EQ(find_unit("deg")->to_si(180), 3.14159265358979323846);
  EXPECT_EQ(find_unit("deg")->to_si(90), 1.5707963267948966);
  EXPECT_DOUBLE_EQ(find_unit("rpm")->to_si(60), 6.283185307179586);  // pi is not exact
}

TEST(Units, CarryTheirDimension) {
  EXPECT_EQ(find_unit("N")->exponents, (UnitExponents{1, 1, -2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(find_unit("N.m/rad")->exponents, (UnitExponents{1, 2, -2, 0, 0, 0, 0, -1}));
  EXPECT_EQ(find_unit("kN/mm")->exponents, (UnitExponents{1, 0, -2, 0, 0, 0, 0, 0}));
  EXPECT_EQ(find_unit("rpm")->exponents, (UnitExponents{0, 0, -1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(unit_exponents(""), UnitExponents{});
}

TEST(Units, RefuseWhatIsNone) {
  for (const char* text :
       {"",   " ", "mmm", "kkg",  "m/",     "/s",  "m//s", "m..s", "m^",    "m^-",
        "m0", "2", "m s", "N.(m", "W/(m.K", "(m)", "degC", "mdeg", "metre", "m/s/"})
    EXPECT_FALSE(find_unit(text)) << text;
  EXPECT_FALSE(find_unit(std::string(100, 'm')));
}

// Radians count for angles and rates; where a torque per angle is asked for they may be left out.
TEST(Units, AreCompatibleWhenTheyMeasureTheSame) {
  const auto fits = [](const char* given, const char* expected) {
    return is_compatible(*find_unit(given), *find_unit(expected));
  };
  EXPECT_TRUE(fits("mm", "m"));
  EXPECT_TRUE(fits("J", "N.m"));
  EXPECT_TRUE(fits("N.m", "N.m/rad"));
  EXPECT_TRUE(fits("deg", "rad"));
  EXPECT_TRUE(fits("rpm", "rad/s"));
  EXPECT_FALSE(fits("1", "rad"));
  EXPECT_FALSE(fits("1/s", "rad/s"));
  EXPECT_FALSE(fits("rad", "1"));
  EXPECT_FALSE(fits("N.m/rad", "N.m"));
  EXPECT_FALSE(fits("kg", "m"));
}

TEST(Units, OfferedAsSuggestionsExist) {
  for (const std::string_view symbol : unit_symbols()) EXPECT_TRUE(find_unit(symbol)) << symbol;
}

}  // namespace
}  // namespace mechfmu
