// mechfmu explain CODE: the paragraph behind a code of a message.
#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "support/did_you_mean.hpp"
#include "support/error_codes.hpp"

namespace mechfmu {

namespace {

void run_explain(const std::string& code, Session& session) {
  if (code.empty()) {
    for (const ErrorCode& known : error_codes())
      session.result(fmt::format("{}  {}", known.code, known.title));
    session.message("next: mechfmu explain CODE");
    return;
  }
  const ErrorCode* known = find_error_code(code);
  if (known == nullptr) {
    std::vector<std::string_view> codes;
    for (const ErrorCode& each : error_codes()) codes.push_back(each.code);
    session.usage_error(fmt::format("explain: no code '{}'", code),
                        did_you_mean(code, codes, "codes"));
    return;
  }
  session.result(fmt::format("{}: {}\n\n{}", known->code, known->title, known->paragraph));
}

}  // namespace

void add_explain_command(CLI::App& app, Session& session) {
  const auto code = std::make_shared<std::string>();
  CLI::App& command = add_command(app, "explain", "the paragraph behind an error code",
                                  "mechfmu explain E203\nmechfmu explain",
                                  [code, &session] { run_explain(*code, session); });
  add_argument(command, "CODE", *code, "such as E203; without it all codes are listed", false);
}

}  // namespace mechfmu
