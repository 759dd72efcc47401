// References: FIPS 180-4 and the NIST example values ("abc", two blocks, a million times 'a').
#include "package/sha256.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "package/guid.hpp"

namespace mechfmu {
namespace {

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheTextIsCut) {
  const std::string text(200, 'q');
  for (const std::size_t cut :
       {std::size_t{1}, std::size_t{55}, std::size_t{64}, std::size_t{65}, std::size_t{199}}) {
    Sha256 pieces;
    pieces.add(text.substr(0, cut));
    pieces.add(text.substr(cut));
    Sha256 whole;
    whole.add(text);
    EXPECT_EQ(pieces.finish(), whole.finish()) << cut;
  }
}

TEST(Guid, HasTheUsualForm) {
  EXPECT_TRUE(std::regex_match(
      make_guid({"a"}),
      std::regex("\\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\}")));
}

TEST(Guid, ChangesWithEveryPartAndWithTheirBorders) {
  EXPECT_EQ(make_guid({"ab", "c"}), make_guid({"ab", "c"}));
  EXPECT_NE(make_guid({"ab", "c"}), make_guid({"a", "bc"}));
  EXPECT_NE(make_guid({"ab", "c"}), make_guid({"abc"}));
  EXPECT_NE(make_guid({"ab", "c"}), make_guid({"ab", "d"}));
  EXPECT_NE(make_guid({"ab", "c"}), make_guid({"c", "ab"}));
}

}  // namespace
}  // namespace mechfmu
