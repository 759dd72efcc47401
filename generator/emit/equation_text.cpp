#include "emit/equation_text.hpp"

#include <utility>

#include "emit/template_text.hpp"

namespace mechfmu {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string typeset_name(std::string_view name) {
  static constexpr std::pair<std::string_view, const char*> kGreek[] = {
      {"alpha", "\u03b1"}, {"beta", "\u03b2"},  {"gamma", "\u03b3"}, {"lambda", "\u03bb"},
      {"mu", "\u03bc"},    {"omega", "\u03c9"}, {"phi", "\u03c6"},   {"tau", "\u03c4"},
      {"psi", "\u03c8"},   {"dphi", "d\u03c6"}};
  for (const auto& [word, letter] : kGreek)
    if (name == word) return letter;
  // one letter, or d and a letter, is a symbol; anything longer is a word
  const bool is_symbol = name.size() == 1 || (name.size() == 2 && name[0] == 'd');
  return is_symbol ? "<i>" + std::string(name) + "</i>" : std::string(name);
}

}  // namespace

std::string typeset_equation(std::string_view text) {
  std::string html;
  std::size_t i = 0;
  const auto take = [&](auto accepts) {
    const std::size_t begin = i;
    while (i < text.size() && accepts(text[i])) ++i;
    return text.substr(begin, i - begin);
  };
  while (i < text.size()) {
    if (is_letter(text[i])) {
      html += typeset_name(take(is_letter));
      if (i + 1 < text.size() && text[i] == '_' && is_letter(text[i + 1])) {
        ++i;
        const std::string_view index = take(is_letter);
        html += index == "dot" ? std::string("\u0307") : "<sub>" + std::string(index) + "</sub>";
      }
    } else if (text[i] == '^' && i + 1 < text.size()) {
      ++i;
      std::string raised;
      if (text[i] == '-') {
        raised = "\u2212";
        ++i;
      }
      raised += is_digit(i < text.size() ? text[i] : ' ') ? take(is_digit) : take(is_letter);
      html += "<sup>" + raised + "</sup>";
    } else if (text[i] == '-') {
      html += "\u2212";
      ++i;
    } else {
      html += escape_xml(text.substr(i++, 1));
    }
  }
  return html;
}

}  // namespace mechfmu
