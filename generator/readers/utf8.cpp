#include "readers/utf8.hpp"

#include <charconv>
#include <system_error>

namespace mechfmu {

namespace {

bool is_surrogate(unsigned long code) { return code >= 0xD800U && code <= 0xDFFFU; }

// Length of the well-formed code point at the beginning, 0 if there is none.
std::size_t code_point_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80U) return 1;
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : first >= 0xC0U ? 2 : 0;
  if (length == 0 || first > 0xF4U || text.size() < length) return 0;
  unsigned long code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (next & 0x3FU);
  }
  constexpr unsigned long kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return code < kLeast[length] || code > 0x10FFFFU || is_surrogate(code) ? 0 : length;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = code_point_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::optional<std::string> decode_character_reference(std::string_view digits) {
  const bool hexadecimal = !digits.empty() && digits.front() == 'x';
  if (hexadecimal) digits.remove_prefix(1);
  unsigned long code = 0;
  const auto [end, status] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  if (digits.empty() || status != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  const bool is_control = code < 0x20U && code != 0x9U && code != 0xAU && code != 0xDU;
  if (is_control || code > 0x10FFFFU || is_surrogate(code) || code == 0xFFFEU || code == 0xFFFFU)
    return std::nullopt;

  std::string text;
  const auto tail = [&](unsigned shift) {
    text += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80U) {
    text += static_cast<char>(code);
  } else if (code < 0x800U) {
    text += static_cast<char>(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000U) {
    text += static_cast<char>(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
  return text;
}

}  // namespace mechfmu
