// Suggestions for misspelt words. Reference: Damerau (1964), distances counted by hand.
#include "support/did_you_mean.hpp"

#include <gtest/gtest.h>

namespace mechfmu {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsChangesAndSwaps) {
  EXPECT_EQ(calc_edit_distance("", ""), 0U);
  EXPECT_EQ(calc_edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(calc_edit_distance("", "abc"), 3U);
  EXPECT_EQ(calc_edit_distance("abc", ""), 3U);
  EXPECT_EQ(calc_edit_distance("abc", "abxc"), 1U);
  EXPECT_EQ(calc_edit_distance("abc", "ac"), 1U);
  EXPECT_EQ(calc_edit_distance("abc", "axc"), 1U);
  EXPECT_EQ(calc_edit_distance("abc", "acb"), 1U);
  EXPECT_EQ(calc_edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(calc_edit_distance("abcd", "badc"), 2U);
}

TEST(FindSimilar, TakesTheNearestWord) {
  EXPECT_EQ(find_similar("revolut", {"prismatic", "revolute", "free"}), "revolute");
  EXPECT_EQ(find_similar("baumgrate", {"projection", "baumgarte"}), "baumgarte");
  EXPECT_EQ(find_similar("Mass", {"mass", "mast"}), "mass");
  EXPECT_EQ(find_similar("bot", {"cot", "bob"}), "cot");  // equally near: the first
}

TEST(FindSimilar, FindsNothingWhereNoTypingMistakeExplainsTheWord) {
  EXPECT_EQ(find_similar("ball", {"spherical", "free"}), "");
  EXPECT_EQ(find_similar("a", {"b"}), "");
  EXPECT_EQ(find_similar("", {"a"}), "");
  EXPECT_EQ(find_similar("x", {}), "");
  EXPECT_EQ(find_similar(std::string(65, 'a'), {std::string_view("aaaa")}), "");
}

TEST(DidYouMean, ListsTheWordsIfNoneIsNear) {
  EXPECT_EQ(did_you_mean("revolut", {"revolute", "free"}, "types"), "did you mean 'revolute'?");
  EXPECT_EQ(did_you_mean("ball", {"revolute", "free"}, "types"), "known types: revolute, free");
  EXPECT_EQ(did_you_mean("ball", {}, "types"), "");
  const std::vector<std::string_view> many(13, "word");
  EXPECT_EQ(
      did_you_mean("zzzzzz", many, "words"),
      "known words: word, word, word, word, word, word, word, word, word, word, word, word, ...");
}

}  // namespace
}  // namespace mechfmu
