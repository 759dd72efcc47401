// The word the user probably meant. Typing mistakes are letters left out, doubled, wrong or
// swapped, which is what the Damerau-Levenshtein distance counts.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

std::size_t calc_edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, or an empty view if none is near enough to be a typing mistake.
std::string_view find_similar(std::string_view word,
                              const std::vector<std::string_view>& candidates);

// The hint for an unknown word: "did you mean 'revolute'?", else "known KIND: a, b, c" (shortened
// if there are many).
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates,
                         std::string_view kind);

}  // namespace mechfmu
