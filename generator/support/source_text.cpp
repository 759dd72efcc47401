#include "support/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mechfmu {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kShownColumns =
    110;  // longer source lines are shown as a window round the caret

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t count_code_points(std::string_view text) {
  if (text.substr(0, 3) == kByteOrderMark) text.remove_prefix(3);
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

struct Palette {
  std::string_view severity, bold, accent, reset;
};

Palette make_palette(Severity severity, bool color) {
  if (!color) return {};
  const std::string_view shade = severity == Severity::error     ? "\x1b[1;31m"
                                 : severity == Severity::warning ? "\x1b[1;35m"
                                                                 : "\x1b[1;36m";
  return {shade, "\x1b[1m", "\x1b[1;32m", "\x1b[0m"};
}

std::string_view severity_word(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

std::string headline(const Diagnostic& diagnostic, std::string_view where, bool color) {
  const Palette p = make_palette(diagnostic.severity, color);
  std::string text;
  if (!where.empty()) text += fmt::format("{}{}:{} ", p.bold, where, p.reset);
  text += fmt::format("{}{} {}:{} {}\n", p.severity, severity_word(diagnostic.severity),
                      diagnostic.code, p.reset, diagnostic.message);
  return text;
}

std::string hint_line(const Diagnostic& diagnostic) {
  return diagnostic.hint.empty() ? std::string() : fmt::format("   hint: {}\n", diagnostic.hint);
}

// The line split into code points, each as it can be shown on a terminal: control characters (a
// file may hold escape sequences) become blanks.
std::vector<std::string> shown_characters(std::string_view line) {
  if (line.substr(0, 3) == kByteOrderMark) line.remove_prefix(3);
  std::vector<std::string> characters;
  for (const char c : line) {
    if (is_continuation(c) && !characters.empty())
      characters.back() += c;
    else if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F)
      characters.emplace_back(" ");
    else
      characters.emplace_back(1, c);
  }
  return characters;
}

// Source line and caret. Columns are 0-based here.
std::string excerpt(const SourceText& source, const Span& span, const Palette& p) {
  const Place begin = source.find_place(span.begin);
  const Place end = source.find_place(std::max(span.begin, span.end));
  const std::vector<std::string> characters = shown_characters(source.find_line(begin.line));

  const std::size_t caret = std::min(begin.column - 1, characters.size());
  std::size_t caret_end = end.line == begin.line ? end.column - 1 : characters.size();
  caret_end = std::max(caret_end, caret + 1);

  std::size_t first = 0;
  std::size_t last = characters.size();
  if (last > kShownColumns) {
    first = caret > kShownColumns / 2 ? caret - kShownColumns / 2 : 0;
    last = std::min(last, first + kShownColumns);
  }
  caret_end = std::min(caret_end, std::max(last, caret + 1));

  std::string shown = first > 0 ? "..." : "";
  const std::size_t indent = shown.size() + caret - first;
  for (std::size_t i = first; i < last; ++i) shown += characters[i];
  if (last < characters.size()) shown += "...";
  while (!shown.empty() && shown.back() == ' ') shown.pop_back();

  return fmt::format("{:5} | {}\n      | {}{}^{}{}\n", begin.line, shown, std::string(indent, ' '),
                     p.accent, std::string(caret_end - caret - 1, '~'), p.reset);
}

}  // namespace

SourceText::SourceText(std::string path, std::string content)
    : path_(std::move(path)), content_(std::move(content)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < content_.size(); ++i)
    if (content_[i] == '\n') line_starts_.push_back(i + 1);
}

Place SourceText::find_place(std::size_t offset) const {
  offset = std::min(offset, content_.size());
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::size_t>(next - line_starts_.begin());
  const std::size_t start = line_starts_[line - 1];
  const std::string_view before = std::string_view(content_).substr(start, offset - start);
  return {line, count_code_points(before) + 1};
}

std::string_view SourceText::find_line(std::size_t line) const {
  if (line == 0 || line > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[line - 1];
  std::size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : content_.size();
  if (end > begin && content_[end - 1] == '\r') --end;
  return std::string_view(content_).substr(begin, end - begin);
}

std::string render(const Diagnostic& diagnostic, const SourceText& source, bool color) {
  if (!diagnostic.span) return render(diagnostic, source.path(), color);
  const Place place = source.find_place(diagnostic.span->begin);
  return headline(diagnostic, fmt::format("{}:{}:{}", source.path(), place.line, place.column),
                  color) +
         excerpt(source, *diagnostic.span, make_palette(diagnostic.severity, color)) +
         hint_line(diagnostic);
}

std::string render(const Diagnostic& diagnostic, std::string_view path, bool color) {
  return headline(diagnostic, path, color) + hint_line(diagnostic);
}

std::string render(const Diagnostics& diagnostics, const SourceText& source, bool color,
                   std::size_t limit) {
  std::vector<const Diagnostic*> shown;
  for (const Diagnostic& d : diagnostics.all()) shown.push_back(&d);

  // what is dropped must be the least important: keep errors first, then put all in the order of
  // the file
  const auto drop_begin = [&] {
    std::stable_sort(shown.begin(), shown.end(), [](const Diagnostic* a, const Diagnostic* b) {
      return static_cast<int>(a->severity) > static_cast<int>(b->severity);
    });
    return std::min(limit, shown.size());
  };
  const auto by_position = [](const Diagnostic* a, const Diagnostic* b) {
    if (a->span.has_value() != b->span.has_value()) return !a->span.has_value();
    return a->span && a->span->begin < b->span->begin;
  };
  std::stable_sort(shown.begin(), shown.end(), by_position);
  const std::size_t dropped = shown.size() > limit ? shown.size() - limit : 0;
  if (dropped > 0) shown.resize(drop_begin());
  std::stable_sort(shown.begin(), shown.end(), by_position);

  std::string text;
  for (const Diagnostic* d : shown) text += render(*d, source, color);
  if (dropped > 0) text += fmt::format("... and {} more\n", dropped);
  return text;
}

}  // namespace mechfmu
