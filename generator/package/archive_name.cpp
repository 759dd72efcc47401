#include "package/archive_name.hpp"

#include <cstddef>

namespace mechfmu {
namespace {

constexpr std::size_t kLongestName = 1000;
constexpr std::size_t kLongestPart = 255;  // NAME_MAX of every usual file system

}  // namespace

std::string_view find_name_fault(std::string_view name) {
  if (name.empty()) return "the name is empty";
  if (name.size() > kLongestName) return "the name is too long";
  if (name.front() == '/') return "the name is absolute";
  if (name.size() > 1 && name[1] == ':') return "the name has a drive letter";
  for (const char c : name) {
    if (c == '\\') return "the name has a backslash";
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F)
      return "the name has a control character";
  }
  if (name.back() == '/') name.remove_suffix(1);
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty()) return "the name has an empty part";
    if (part == "." || part == "..") return "the name has a part '.' or '..'";
    if (part.size() > kLongestPart) return "a part of the name is too long";
    if (slash == std::string_view::npos) return {};
    name.remove_prefix(slash + 1);
  }
}

}  // namespace mechfmu
