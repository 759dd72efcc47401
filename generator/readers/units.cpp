#include "readers/units.hpp"

#include <cmath>
#include <limits>

#include "support/assert.hpp"

namespace mechfmu {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr std::size_t kLongestUnit = 64;
constexpr int kLargestExponent = 9;
constexpr int kDeepestParentheses = 4;

struct Symbol {
  std::string_view text;
  double multiplier, divisor;
  std::string_view si_name;
  std::string_view prefixes;
  UnitExponents exponents;
};

const std::vector<Symbol>& symbols() {
  static const std::vector<Symbol> table = {
#define UNIT(text, multiplier, divisor, si, prefixes, kg, m, s, A, K, mol, cd, rad) \
  Symbol{text, multiplier, divisor, si, prefixes, {kg, m, s, A, K, mol, cd, rad}},
#include "readers/units.def"
#undef UNIT
  };
  return table;
}

struct Prefix {
  std::string_view text;
  char letter;  // as in units.def
  double multiplier, divisor;
};

constexpr std::array<Prefix, 13> kPrefixes = {{{"p", 'p', 1, 1e12},
                                               {"n", 'n', 1, 1e9},
                                               {"u", 'u', 1, 1e6},
                                               {"\xC2\xB5", 'u', 1, 1e6},  // micro sign
                                               {"\xCE\xBC", 'u', 1, 1e6},  // Greek mu
                                               {"m", 'm', 1, 1e3},
                                               {"c", 'c', 1, 1e2},
                                               {"d", 'd', 1, 1e1},
                                               {"h", 'h', 1e2, 1},
                                               {"k", 'k', 1e3, 1},
                                               {"M", 'M', 1e6, 1},
                                               {"G", 'G', 1e9, 1},
                                               {"T", 'T', 1e12, 1}}};

Unit make_unit(const Symbol& symbol, double multiplier, double divisor) {
  return {symbol.multiplier * multiplier, symbol.divisor * divisor, 0, symbol.exponents,
          std::string(symbol.si_name)};
}

std::optional<Unit> find_symbol(std::string_view text) {
  // the bare symbol wins over prefix + symbol: "min" is a minute, "cd" a candela
  for (const Symbol& symbol : symbols())
    if (symbol.text == text) return make_unit(symbol, 1, 1);
  for (const Prefix& prefix : kPrefixes) {
    if (text.substr(0, prefix.text.size()) != prefix.text) continue;
    const std::string_view rest = text.substr(prefix.text.size());
    for (const Symbol& symbol : symbols())
      if (symbol.text == rest && symbol.prefixes.find(prefix.letter) != std::string_view::npos)
        return make_unit(symbol, prefix.multiplier, prefix.divisor);
  }
  return std::nullopt;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool ends_symbol(char c) {
  return is_digit(c) || c == '.' || c == '*' || c == '/' || c == '^' || c == '-' || c == '(' ||
         c == ')' || c == ' ';
}

// A symbol whose SI name is itself composed ("rad/s" of rpm, "m3" of l) cannot take an exponent by
// text.
bool is_atomic(std::string_view si_name) {
  for (const char c : si_name)
    if (ends_symbol(c)) return false;
  return true;
}

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::optional<Unit> parse() {
    std::optional<Unit> unit = parse_quotient(0);
    if (!unit || position_ != text_.size()) return std::nullopt;
    const double factor = unit->factor();
    if (!std::isfinite(factor) || factor < std::numeric_limits<double>::min()) return std::nullopt;
    return unit;
  }

 private:
  bool accept(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  std::optional<Unit> parse_quotient(int depth) {
    if (depth > kDeepestParentheses) return std::nullopt;
    std::optional<Unit> unit = parse_factor();
    if (!unit) return std::nullopt;
    while (accept('.') || accept('*')) {
      const std::optional<Unit> factor = parse_factor();
      if (!factor) return std::nullopt;
      // "rpm.s" is fine as a number, but its SI name would need parentheses
      if (factor->si_name.find('/') != std::string::npos) return std::nullopt;
      combine(*unit, *factor, 1, "." + factor->si_name);
    }
    while (accept('/')) {
      const bool grouped = accept('(');
      const std::optional<Unit> factor = grouped ? parse_quotient(depth + 1) : parse_factor();
      if (!factor || (grouped && !accept(')'))) return std::nullopt;
      const bool compound = factor->si_name.find_first_of("./") != std::string::npos;
      combine(*unit, *factor, -1, compound ? "/(" + factor->si_name + ")" : "/" + factor->si_name);
    }
    return unit;
  }

  std::optional<Unit> parse_factor() {
    const std::size_t begin = position_;
    if (accept('1')) return find_symbol("1");
    while (position_ < text_.size() && !ends_symbol(text_[position_])) ++position_;
    std::optional<Unit> unit = find_symbol(text_.substr(begin, position_ - begin));
    if (!unit) return std::nullopt;

    const bool caret = accept('^');
    const bool negative = accept('-');
    if (position_ >= text_.size() || !is_digit(text_[position_]))
      return caret || negative ? std::nullopt : unit;
    const int exponent = (text_[position_++] - '0') * (negative ? -1 : 1);
    if (exponent == 0 || !is_atomic(unit->si_name)) return std::nullopt;
    Unit power;
    power.si_name = unit->si_name + (exponent == 1 ? "" : std::to_string(exponent));
    for (int i = 0; i < std::abs(exponent); ++i) combine(power, *unit, negative ? -1 : 1, "");
    for (const int e : power.exponents)
      if (std::abs(e) > kLargestExponent * 4) return std::nullopt;
    return power;
  }

  static void combine(Unit& unit, const Unit& factor, int sign, const std::string& name) {
    unit.multiplier *= sign > 0 ? factor.multiplier : factor.divisor;
    unit.divisor *= sign > 0 ? factor.divisor : factor.multiplier;
    for (std::size_t i = 0; i < unit.exponents.size(); ++i)
      unit.exponents[i] += sign * factor.exponents[i];
    unit.si_name += name;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

std::optional<Unit> find_unit(std::string_view text) {
  if (text.empty() || text.size() > kLongestUnit) return std::nullopt;
  return UnitParser(text).parse();
}

UnitExponents unit_exponents(std::string_view name) {
  if (name.empty()) return {};
  const std::optional<Unit> unit = find_unit(name);
  MECHFMU_ASSERT(unit.has_value(), "'" + std::string(name) + "' is in a table and must be a unit");
  return unit->exponents;
}

bool is_compatible(const Unit& given, const Unit& expected) {
  constexpr std::size_t kRad = 7;
  constexpr std::size_t kSecond = 2;
  bool is_angular = expected.exponents[kRad] != 0;
  for (std::size_t i = 0; i < kRad; ++i) {
    if (given.exponents[i] != expected.exponents[i]) return false;
    if (i != kSecond && expected.exponents[i] != 0) is_angular = false;
  }
  if (given.exponents[kRad] == expected.exponents[kRad]) return true;
  return !is_angular && given.exponents[kRad] == 0;
}

const std::vector<std::string_view>& unit_symbols() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list = {"mm", "cm", "km", "ms", "us", "kN", "mN", "N.m", "N/m"};
    for (const Symbol& symbol : symbols())
      if (static_cast<unsigned char>(symbol.text.front()) < 0x80U) list.push_back(symbol.text);
    return list;
  }();
  return names;
}

}  // namespace mechfmu
