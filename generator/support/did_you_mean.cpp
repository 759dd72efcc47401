#include "support/did_you_mean.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mechfmu {

namespace {

constexpr std::size_t kListedWords = 12;
constexpr std::size_t kLongestWord = 64;  // beyond it nothing is a typing mistake of anything

std::string make_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// How far off a word of this length may be: one letter in short words, a third in longer ones.
std::size_t tolerated_distance(std::size_t length) {
  return length <= 2 ? (length == 2 ? 1 : 0) : std::max<std::size_t>(1, length / 3);
}

}  // namespace

std::size_t calc_edit_distance(std::string_view a, std::string_view b) {
  // three rows suffice: a swap of neighbours looks two rows back
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string_view find_similar(std::string_view word,
                              const std::vector<std::string_view>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string lower = make_lower(word);
  const std::size_t tolerated = tolerated_distance(word.size());
  std::string_view best;
  std::size_t best_distance = tolerated + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t difference = candidate.size() > word.size() ? candidate.size() - word.size()
                                                                  : word.size() - candidate.size();
    if (difference > tolerated) continue;
    const std::size_t distance = calc_edit_distance(lower, make_lower(candidate));
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates,
                         std::string_view kind) {
  if (const std::string_view similar = find_similar(word, candidates); !similar.empty())
    return fmt::format("did you mean '{}'?", similar);
  if (candidates.empty()) return {};
  std::string list = fmt::format("known {}: ", kind);
  for (std::size_t i = 0; i < candidates.size() && i < kListedWords; ++i) {
    if (i > 0) list += ", ";
    list += candidates[i];
  }
  if (candidates.size() > kListedWords) list += ", ...";
  return list;
}

}  // namespace mechfmu
