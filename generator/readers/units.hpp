// Units of measurement as users write them: "mm", "deg", "N.m/rad", "kN/mm", "m/s2", "W/(m.K)",
// "rpm", "1/min".
//
//   unit        = product { "/" factor | "/(" unit ")" }      product = factor { ("." | "*") factor
//   } factor      = [prefix] symbol [["^"] ["-"] digit] | "1"
//
// The radian is a base unit here as it is in FMI 2.0, so that a torque and a torsional stiffness
// differ. There are no units with an offset (degC): a difference and a level could not be told
// apart.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

// Exponents of the base units, in the order of FMI's BaseUnit attributes.
inline constexpr std::array<std::string_view, 8> kBaseUnits = {"kg", "m",   "s",  "A",
                                                               "K",  "mol", "cd", "rad"};
using UnitExponents = std::array<int, 8>;

struct Unit {
  // SI value = value * multiplier / divisor. Kept apart because both are exact for decimal units,
  // and one rounding makes "120 mm" the same double as "0.12".
  double multiplier = 1;
  double divisor = 1;
  double offset = 0;
  UnitExponents exponents{};
  std::string si_name;  // the coherent SI unit in FMI spelling: "N/m" for "kN/mm", "rad/s" for
                        // "rpm", "1" for "%"

  [[nodiscard]] double factor() const { return multiplier / divisor; }
  [[nodiscard]] double to_si(double value) const { return value * multiplier / divisor; }
  [[nodiscard]] bool is_si() const { return multiplier == divisor; }
};

std::optional<Unit> find_unit(std::string_view text);  // nothing if it is not a unit

// All zero for "" and "1"; asserts that the name is a unit (names in tables and checked names in
// files are).
UnitExponents unit_exponents(std::string_view name);

// Whether a value given in `given` can stand where `expected` is asked for. Radians count strictly
// for angles and angular rates; elsewhere they may be left out ("N.m" for "N.m/rad"), never added.
bool is_compatible(const Unit& given, const Unit& expected);

// Symbols without prefixes, for "did you mean" and the documentation.
const std::vector<std::string_view>& unit_symbols();

}  // namespace mechfmu
