#include "support/error_codes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mechfmu {

const std::vector<ErrorCode>& error_codes() {
  static const std::vector<ErrorCode> codes = {
#define CODE(code, title, paragraph) ErrorCode{#code, title, paragraph},
#include "support/error_codes.def"
#undef CODE
  };
  return codes;
}

const ErrorCode* find_error_code(std::string_view code) {
  std::string upper(code);
  if (!upper.empty() && upper.front() >= 'a' && upper.front() <= 'z')
    upper.front() = static_cast<char>(upper.front() - 'a' + 'A');
  const std::vector<ErrorCode>& codes = error_codes();
  const auto it =
      std::find_if(codes.begin(), codes.end(), [&](const ErrorCode& c) { return c.code == upper; });
  return it == codes.end() ? nullptr : &*it;
}

std::string make_error_page() {
  std::string page =
      "# Error codes\n\n"
      "Made from generator/support/error_codes.def; `mechfmu explain CODE` prints the same "
      "paragraphs.\n"
      "E1xx reading, E2xx bodies and joints, E3xx assembly and analysis, E4xx expressions, E5xx "
      "options and schemes,\n"
      "E6xx FMUs, E7xx simulation, E8xx coupled systems, W... warnings, S... the world (disk, "
      "compiler, archive).\n";
  for (const ErrorCode& code : error_codes())
    page += fmt::format("\n## {}: {}\n\n{}\n", code.code, code.title, code.paragraph);
  return page;
}

}  // namespace mechfmu
