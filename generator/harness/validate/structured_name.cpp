// The grammar of structured names:
//
//   name  = id | "der(" id [ "," number ] ")"        id = part [ index ] { "." part [ index ] }
//   part  = letter { letter | digit } | "'" { character | escape } "'"      index = "[" n {"," n}
//   "]"
#include <string_view>

#include "harness/validate/semantic_rules.hpp"

namespace mechfmu::fmu_check {
namespace {

class NameParser {
 public:
  explicit NameParser(std::string_view text) : rest_(text) {}

  bool parse() {
    if (rest_.starts_with("der(")) {
      rest_.remove_prefix(4);
      if (!parse_id()) return false;
      if (take(',') && !parse_number()) return false;
      return take(')') && rest_.empty();
    }
    return parse_id() && rest_.empty();
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool parse_number() {
    std::size_t length = 0;
    while (length < rest_.size() && is_digit(rest_[length])) ++length;
    rest_.remove_prefix(length);
    return length > 0;
  }

  bool parse_quoted() {
    constexpr std::string_view kPlain = "!#$%&()*+,-./:;<>=?@[]^{}|~ ";
    constexpr std::string_view kEscaped = "'\"?\\abfnrtv";
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\'') return true;
      if (c == '\\') {
        if (rest_.empty() || kEscaped.find(rest_.front()) == std::string_view::npos) return false;
        rest_.remove_prefix(1);
      } else if (!is_letter(c) && !is_digit(c) && kPlain.find(c) == std::string_view::npos) {
        return false;
      }
    }
    return false;
  }

  bool parse_part() {
    if (take('\'')) return parse_quoted();
    if (rest_.empty() || !is_letter(rest_.front())) return false;
    while (!rest_.empty() && (is_letter(rest_.front()) || is_digit(rest_.front())))
      rest_.remove_prefix(1);
    return true;
  }

  bool parse_id() {
    do {
      if (!parse_part()) return false;
      if (!take('[')) continue;
      do
        if (!parse_number()) return false;
      while (take(','));
      if (!take(']')) return false;
    } while (take('.'));
    return true;
  }

  std::string_view rest_;
};

}  // namespace

bool is_structured_name(std::string_view name) { return NameParser(name).parse(); }

}  // namespace mechfmu::fmu_check
