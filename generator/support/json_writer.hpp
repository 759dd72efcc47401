// JSON for scripts (--json) and for files in an FMU: written in order, indented, numbers as
// everywhere else; nan and inf become null.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(std::int64_t{number}); }
  JsonWriter& value(bool truth);
  JsonWriter& null();

  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }
  JsonWriter& list(std::string_view name, const std::vector<std::string>& texts);
  JsonWriter& numbers(std::span<const double> values);  // an array on one line

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& put(std::string_view token);
  void break_line();

  std::string text_;
  std::vector<bool> is_empty_;  // per open bracket
  bool after_key_ = false;
};

std::string make_json_string(std::string_view text);  // with quotes

}  // namespace mechfmu
