// Reads JSON strictly and gives it as a flat list of paths: {"a": [{"b": 1}]} is {"a.0.b": "1"}.
// Texts come without their quotes. Enough to look at what --json wrote; malformed text is an
// exception.
#pragma once
#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mechfmu::test {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  std::map<std::string, std::string> read() {
    read_value("");
    skip_blanks();
    if (at_ != text_.size()) fail("text behind the value");
    return values_;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error("JSON, byte " + std::to_string(at_) + ": " + why);
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string::npos)
      ++at_;
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(char c) {
    if (peek() != c) fail(std::string("expected ") + c);
    ++at_;
  }

  void read_value(const std::string& path) {
    const char c = peek();
    if (c == '{') return read_members(path, '}');
    if (c == '[') return read_members(path, ']');
    if (c == '"') {
      values_[path] = read_string();
      return;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  std::string_view("+-.").find(text_[at_]) != std::string::npos))
      ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    const bool is_number =
        !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) != 0 || word[0] == '-');
    if (!is_number && word != "true" && word != "false" && word != "null")
      fail("no value: " + word);
    values_[path] = word;
  }

  void read_members(const std::string& path, char end) {
    ++at_;
    const std::string prefix = path.empty() ? "" : path + ".";
    for (int index = 0; peek() != end; ++index) {
      if (index > 0) expect(',');
      std::string name = std::to_string(index);
      if (end == '}') {
        if (peek() != '"') fail("expected a name");
        name = read_string();
        expect(':');
      }
      read_value(prefix + name);
    }
    ++at_;
  }

  std::string read_string() {
    std::string result;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20U) fail("control character in a text");
      if (text_[at_] == '\\' && ++at_ < text_.size() &&
          std::string_view("\"\\/bfnrtu").find(text_[at_]) == std::string::npos)
        fail("unknown escape");
      result += text_[at_];
    }
    if (at_ >= text_.size()) fail("text without end");
    ++at_;
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::map<std::string, std::string> values_;
};

inline std::map<std::string, std::string> read_json(std::string_view text) {
  return JsonReader(text).read();
}

}  // namespace mechfmu::test
