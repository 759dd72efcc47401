#include "package/guid.hpp"

#include "package/sha256.hpp"

namespace mechfmu {

std::string make_guid(const std::vector<std::string_view>& parts) {
  Sha256 hash;
  for (const std::string_view part : parts) {
    hash.add(std::to_string(part.size()));
    hash.add(":");
    hash.add(part);
  }
  const auto digest = hash.finish();
  std::string guid = "{";
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) guid += '-';
    guid += "0123456789abcdef"[digest[i] >> 4];
    guid += "0123456789abcdef"[digest[i] & 15];
  }
  return guid + "}";
}

}  // namespace mechfmu
