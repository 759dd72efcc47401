// Numbers as text, independent of the locale: the shortest decimal that reads back as the same
// double. Everything the program writes (XML, CSV, messages, generated code) goes through here, so
// a value is spelled the same everywhere.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mechfmu {

// "0.12", "1e-05", "-3"; "inf", "-inf", "nan" for what is not a number.
std::string number_text(double value);

// The whole text must be one finite decimal number ("-1.5e3", ".5", "5."); a leading '+' is
// accepted.
std::optional<double> parse_number(std::string_view text);

struct NumberPrefix {
  double value = 0;
  std::size_t length = 0;     // of the literal; 0 if the text does not begin with one
  bool out_of_range = false;  // the literal is too large or too small for a double
};
// The unsigned decimal literal at the beginning of `text`.
NumberPrefix find_number_prefix(std::string_view text);

}  // namespace mechfmu
