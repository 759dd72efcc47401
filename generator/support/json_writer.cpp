#include "support/json_writer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support/number_text.hpp"

namespace mechfmu {

std::string make_json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20U)
          result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
          result += c;
    }
  }
  return result + '"';
}

void JsonWriter::break_line() { text_ += '\n' + std::string(2 * is_empty_.size(), ' '); }

// A comma and a new line where the place asks for them, then the token.
JsonWriter& JsonWriter::put(std::string_view token) {
  if (!after_key_ && !is_empty_.empty()) {
    if (!is_empty_.back()) text_ += ',';
    is_empty_.back() = false;
    break_line();
  }
  after_key_ = false;
  text_ += token;
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  put(std::string_view(&bracket, 1));
  is_empty_.push_back(true);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const bool was_empty = is_empty_.back();
  is_empty_.pop_back();
  if (!was_empty) break_line();
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  put(make_json_string(name) + ": ");
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return put(make_json_string(text)); }
JsonWriter& JsonWriter::value(double number) {
  return std::isfinite(number) ? put(number_text(number)) : null();
}
JsonWriter& JsonWriter::value(std::int64_t number) { return put(std::to_string(number)); }
JsonWriter& JsonWriter::value(bool truth) { return put(truth ? "true" : "false"); }
JsonWriter& JsonWriter::null() { return put("null"); }

JsonWriter& JsonWriter::list(std::string_view name, const std::vector<std::string>& texts) {
  key(name).begin_array();
  for (const std::string& text : texts) value(text);
  return end_array();
}

JsonWriter& JsonWriter::numbers(std::span<const double> values) {
  std::string text;
  for (const double x : values)
    text += (text.empty() ? "" : ", ") + (std::isfinite(x) ? number_text(x) : "null");
  return put("[" + text + "]");
}

}  // namespace mechfmu
