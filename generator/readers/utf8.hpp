// UTF-8, as far as reading XML needs it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mechfmu {

// Offset of the first byte that is not part of a well-formed code point (overlong forms, surrogates
// and values above U+10FFFF included); nothing if the text is UTF-8.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// "60" or "x3C" (the inside of &#60; and &#x3C;) as UTF-8; nothing if XML 1.0 has no such
// character.
std::optional<std::string> decode_character_reference(std::string_view digits);

}  // namespace mechfmu
