#include "support/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace mechfmu {

namespace {
bool is_digit(char c) { return c >= '0' && c <= '9'; }
}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";  // to_chars may print "-nan"
  std::array<char, 40> buffer{};
  const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return status == std::errc() ? std::string(buffer.data(), end) : std::string("nan");
}

NumberPrefix find_number_prefix(std::string_view text) {
  // the shape is scanned by hand because from_chars also takes "inf", "nan" and a sign
  std::size_t i = 0;
  std::size_t digits = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) ++digits;
  if (i < text.size() && text[i] == '.')
    for (++i; i < text.size() && is_digit(text[i]); ++i) ++digits;
  if (digits == 0) return {};

  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t k = i + 1;
    if (k < text.size() && (text[k] == '+' || text[k] == '-')) ++k;
    if (k < text.size() && is_digit(text[k])) {
      while (k < text.size() && is_digit(text[k])) ++k;
      i = k;
    }
  }

  NumberPrefix result;
  result.length = i;
  const auto [end, status] = std::from_chars(text.data(), text.data() + i, result.value);
  result.out_of_range = status == std::errc::result_out_of_range;
  if (status == std::errc::invalid_argument) result.length = 0;
  return result;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  const NumberPrefix number = find_number_prefix(text);
  if (number.length == 0 || number.length != text.size() || number.out_of_range)
    return std::nullopt;
  return negative ? -number.value : number.value;
}

}  // namespace mechfmu
