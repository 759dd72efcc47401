#include <fmt/format.h>

#include <cerrno>
#include <cstdio>

#include "cli/command.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

namespace {
void write_line(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  if (text.empty() || text.back() != '\n') std::fputc('\n', stream);
}
}  // namespace

void Session::result(std::string_view text) const {
  errno = 0;
  write_line(stdout, text);
  if (std::ferror(stdout) != 0 && output_error == 0) output_error = errno;
}

void Session::message(std::string_view text) const {
  if (!quiet) write_line(stderr, text);
}

void Session::detail(std::string_view text) const {
  if (verbose > 0 && !quiet) write_line(stderr, text);
}

void Session::usage_error(std::string_view text, std::string_view hint) {
  write_line(stderr, fmt::format("mechfmu: {}", text));
  if (!hint.empty()) write_line(stderr, fmt::format("   hint: {}", hint));
  exit_code = kExitUsage;
}

int Session::report(const Diagnostics& diagnostics, const SourceText* source) const {
  Diagnostics shown;
  bool world = false;
  for (const Diagnostic& d : diagnostics.all()) {
    world = world || (d.severity == Severity::error && !d.code.empty() && d.code.front() == 'S');
    if (d.severity == Severity::error)
      shown.error(d.code, d.span, d.message, d.hint);
    else if (quiet)
      continue;
    else if (d.severity == Severity::warning)
      shown.warning(d.code, d.span, d.message, d.hint);
    else
      shown.note(d.code, d.span, d.message, d.hint);
  }
  std::string text;
  if (source != nullptr)
    text = render(shown, *source, color);
  else
    for (const Diagnostic& d : shown.all()) text += render(d, std::string_view(), color);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (!diagnostics.has_errors()) return kExitDone;
  return world ? kExitEnvironment : kExitModelErrors;
}

}  // namespace mechfmu
