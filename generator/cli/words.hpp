// Small pieces of text for people.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");
std::string count_text(long long count, std::string_view noun);  // "1 loop", "2 loops", "3 bodies"
// As it must be typed in a shell: quoted if it holds anything but plain characters.
std::string shell_word(std::string_view text);

}  // namespace mechfmu
