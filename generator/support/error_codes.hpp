// Every diagnostic code with its title and the paragraph behind `mechfmu explain CODE`. The table
// is error_codes.def; resources/docs/errors.md is made from it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

struct ErrorCode {
  std::string_view code;       // "E203"
  std::string_view title;      // "mass is not positive"
  std::string_view paragraph;  // why it is refused and what to do
};

const std::vector<ErrorCode>& error_codes();  // in the order of the table
const ErrorCode* find_error_code(
    std::string_view code);  // nullptr if unknown; the case does not matter

// The text of resources/docs/errors.md.
std::string make_error_page();

}  // namespace mechfmu
