#include "validation/validate.hpp"

#include <string>

#include "readers/xml_reader.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

namespace {

// What a user wrote is quoted in messages, and it may be anything: several lines, thousands of
// characters. A message is one line that can be read.
std::string make_readable(std::string text) {
  constexpr std::size_t kLongest = 360, kBegin = 260, kEnd = 80;
  const auto find_character = [&](std::size_t at) {
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
    return at;
  };
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = ' ';
  if (text.size() <= kLongest) return text;
  const std::size_t from = find_character(kBegin), to = find_character(text.size() - kEnd);
  return text.substr(0, from) + "..." + text.substr(to);
}

}  // namespace

bool validate(Mechanism& mechanism, Diagnostics& diagnostics) {
  RuleContext context{mechanism, diagnostics, {}, {}};
#define RULE(function, sentence) function(context);
#include "validation/rules.def"
#undef RULE
  return !diagnostics.has_errors();
}

std::optional<Mechanism> load_mechanism(const SourceText& source, Diagnostics& diagnostics) {
  Diagnostics found;
  std::optional<Mechanism> mechanism = read_mechanism(source, found);
  if (mechanism && !validate(*mechanism, found)) mechanism.reset();
  for (const Diagnostic& d : found.all()) {
    const auto add = d.severity == Severity::error     ? &Diagnostics::error
                     : d.severity == Severity::warning ? &Diagnostics::warning
                                                       : &Diagnostics::note;
    (diagnostics.*add)(d.code, d.span, make_readable(d.message), make_readable(d.hint));
  }
  if (diagnostics.has_errors()) mechanism.reset();
  return mechanism;
}

}  // namespace mechfmu
