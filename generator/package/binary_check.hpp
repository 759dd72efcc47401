// What a shared library asks of its host and shows to it, read from the ELF file itself. A library
// that loads here but not at the user's is the commonest complaint about FMUs (P1, P2), so every
// build is checked against:
//
//   NEEDED   only libm.so.6, libc.so.6 and the dynamic loader
//   GLIBC    no symbol version above 2.17 (RHEL 7, 2012; the first version for 64-bit ARM)
//   exports  exactly the functions of exports.map
#pragma once
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"

namespace mechfmu {

struct GlibcVersion {
  int major = 0, minor = 0, patch = 0;
  auto operator<=>(const GlibcVersion&) const = default;
};
std::string version_text(const GlibcVersion& version);  // "2.17", "2.2.5"

inline constexpr GlibcVersion kNewestGlibc = {2, 17, 0};

struct BinaryReport {
  std::string machine;              // "x86-64", "aarch64", else the number
  std::vector<std::string> needed;  // in the order of the file
  GlibcVersion glibc;               // newest that any symbol asks for; 0.0 if none
  std::string glibc_symbol;         // one that asks for it: "exp"
  std::vector<std::string>
      odd_versions;                  // of glibc, without a number: GLIBC_PRIVATE, GLIBC_ABI_DT_RELR
  std::vector<std::string> exports;  // sorted
  std::vector<std::string> imports;  // sorted
};

// Any bytes: a file that is not a sound 64-bit shared library gives nothing and E605.
std::optional<BinaryReport> read_binary(std::string_view bytes, Diagnostics& diagnostics);

// The names between "global:" and "local:" of a version script, sorted.
std::vector<std::string> find_export_names(std::string_view version_script);

// S603 foreign libraries, S604 glibc too new, S605 exports; true if none.
bool check_binary(const BinaryReport& report, const std::vector<std::string>& expected_exports,
                  Diagnostics& diagnostics);

}  // namespace mechfmu
