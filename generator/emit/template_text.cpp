#include "emit/template_text.hpp"

#include <array>

#include "support/assert.hpp"

namespace mechfmu {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kEach = "#each ";
constexpr std::string_view kEnd = "/each";

struct Tag {
  std::size_t
      begin;  // of the text the tag replaces: the whole line for a block tag that stands alone
  std::size_t end;
  std::string_view content;
};

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A block tag alone on its line takes the line with it.
void widen_to_line(std::string_view text, Tag& tag) {
  const std::size_t newline = text.rfind('\n', tag.begin);
  const std::size_t line_begin =
      tag.begin == 0 || newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t line_end = text.find('\n', tag.end);
  if (line_end == std::string_view::npos) return;
  if (!is_blank(text.substr(line_begin, tag.begin - line_begin))) return;
  if (!is_blank(text.substr(tag.end, line_end - tag.end))) return;
  tag.begin = line_begin;
  tag.end = line_end + 1;
}

bool find_tag(std::string_view text, std::size_t from, Tag& tag) {
  const std::size_t open = text.find(kOpen, from);
  if (open == std::string_view::npos) return false;
  const std::size_t close = text.find(kClose, open);
  MECHFMU_ASSERT(close != std::string_view::npos, "a template has an unclosed {{");
  tag = {open, close + kClose.size(), trim(text.substr(open + 2, close - open - 2))};
  if (tag.content.starts_with(kEach) || tag.content == kEnd) widen_to_line(text, tag);
  return true;
}

// The {{/each}} that belongs to the {{#each}} which ends at `from`.
Tag find_end(std::string_view text, std::size_t from, std::string_view name) {
  int depth = 1;
  Tag tag{};
  for (std::size_t at = from; find_tag(text, at, tag); at = tag.end) {
    if (tag.content.starts_with(kEach)) ++depth;
    if (tag.content == kEnd && --depth == 0) return tag;
  }
  fail_assertion(__FILE__, __LINE__,
                 "a template's {{#each " + std::string(name) + "}} is not closed");
}

using Scopes = std::vector<const TemplateValues*>;  // innermost last

template <class Map>
const typename Map::mapped_type& find_name(const Scopes& scopes, Map TemplateValues::*member,
                                           std::string_view name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    const Map& map = (*scope)->*member;
    if (const auto found = map.find(name); found != map.end()) return found->second;
  }
  fail_assertion(__FILE__, __LINE__,
                 "a template asks for '" + std::string(name) + "', which is not given");
}

void fill(std::string_view text, Scopes& scopes, std::string& result) {
  std::size_t at = 0;
  for (Tag tag{}; find_tag(text, at, tag);) {
    result += text.substr(at, tag.begin - at);
    at = tag.end;
    MECHFMU_ASSERT(tag.content != kEnd, "a template has {{/each}} without {{#each}}");
    if (!tag.content.starts_with(kEach)) {
      result += find_name(scopes, &TemplateValues::values, tag.content);
      continue;
    }
    const std::string_view name = trim(tag.content.substr(kEach.size()));
    const Tag end = find_end(text, at, name);
    const std::string_view body = text.substr(at, end.begin - at);
    for (const TemplateValues& element : find_name(scopes, &TemplateValues::lists, name)) {
      scopes.push_back(&element);
      fill(body, scopes, result);
      scopes.pop_back();
    }
    at = end.end;
  }
  result += text.substr(at);
}

// Length of the UTF-8 character at the beginning of `text` if XML 1.0 may hold it, else 0.
std::size_t find_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0  // a continuation byte, or an overlong form
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  unsigned code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<unsigned, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || code > 0x10FFFF || is_surrogate) return 0;
  return code == 0xFFFE || code == 0xFFFF || code < 0x20 || code == 0x7F ? 0 : length;
}

}  // namespace

std::string fill_template(std::string_view text, const TemplateValues& values) {
  std::string result;
  result.reserve(text.size() * 2);
  Scopes scopes{&values};
  fill(text, scopes, result);
  return result;
}

std::string escape_xml(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t length = 1;
    switch (text.front()) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\t':
        result += "&#9;";
        break;
      case '\n':
        result += "&#10;";
        break;
      case '\r':
        result += "&#13;";
        break;
      default:
        if (const std::size_t found = find_character(text); found > 0)
          result += text.substr(0, length = found);
        else
          result += '?';
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace mechfmu
