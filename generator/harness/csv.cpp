#include "harness/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/number_text.hpp"

namespace mechfmu {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr int kShownErrors = 20;  // a wrong separator makes every line wrong

struct Field {
  std::string text;
  Span span;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

class CsvReader {
 public:
  CsvReader(const SourceText& source, Diagnostics& diagnostics)
      : text_(source.content()), diagnostics_(diagnostics) {
    if (text_.substr(0, 3) == kByteOrderMark) at_ = 3;
  }

  std::optional<CsvTable> read() {
    skip_empty_lines();
    if (at_ >= text_.size()) {
      diagnostics_.error("E701", std::nullopt, "the file holds no table",
                         "the first line names the columns: time,input_1,...");
      return std::nullopt;
    }
    read_header();
    while (errors_ < kShownErrors) {
      skip_empty_lines();
      if (at_ >= text_.size()) break;
      read_row();
    }
    if (errors_ == 0 && table_.cells.empty()) error("E701", std::nullopt, "the table has no rows");
    if (errors_ > 0) return std::nullopt;
    return std::move(table_);
  }

 private:
  void error(const char* code, std::optional<Span> span, std::string message,
             std::string hint = {}) {
    diagnostics_.error(code, span, std::move(message), std::move(hint));
    ++errors_;
  }

  void skip_empty_lines() {
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '\n')
        at_ = i + 1;
      else if (text_[i] != '\r' && !is_blank(text_[i]))
        return;
    }
    at_ = text_.size();
  }

  // One line as fields; a quoted field may hold commas, doubled quotes and line ends.
  std::vector<Field> read_line() {
    std::vector<Field> fields;
    while (true) {
      fields.push_back(read_field());
      if (at_ >= text_.size()) return fields;
      const char end = text_[at_++];
      if (end == '\n') return fields;
    }
  }

  // Leaves `at_` on the comma or line feed behind the field, or at the end of the text.
  Field read_field() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    Field field;
    field.span.begin = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] != '"')
          field.text += text_[at_];
        else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"')
          field.text += text_[++at_];
        else
          break;
      }
      if (at_ >= text_.size())
        error("E701", Span{field.span.begin, field.span.begin + 1}, "the quote is not closed");
      else
        ++at_;
      field.span.end = at_;
      const std::size_t rest = at_;
      while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') ++at_;
      for (std::size_t i = rest; i < at_; ++i)
        if (!is_blank(text_[i]) && text_[i] != '\r') {
          error("E701", Span{i, i + 1}, "text behind a closing quote",
                "a quote inside a quoted field is written twice");
          break;
        }
      return field;
    }
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') ++at_;
    field.span.end = at_;
    while (field.span.end > field.span.begin &&
           (is_blank(text_[field.span.end - 1]) || text_[field.span.end - 1] == '\r'))
      --field.span.end;
    field.text = text_.substr(field.span.begin, field.span.end - field.span.begin);
    return field;
  }

  void read_header() {
    const std::vector<Field> fields = read_line();
    for (const Field& field : fields) {
      if (field.text.empty())
        error("E702", field.span, "a column has no name");
      else if (table_.find_column(field.text))
        error("E702", field.span, fmt::format("column '{}' is there twice", field.text));
      table_.names.push_back(field.text);
      table_.name_spans.push_back(field.span);
    }
    if (table_.names.front() != "time") {
      const bool other_separator =
          fields.size() == 1 && table_.names.front().find_first_of(";\t") != std::string::npos;
      error("E702", fields.front().span,
            fmt::format("the first column is '{}', not 'time'", table_.names.front()),
            other_separator ? "columns are separated by commas" : "times are in seconds");
    }
  }

  void read_row() {
    const std::size_t begin = at_;
    const std::vector<Field> fields = read_line();
    if (fields.size() != table_.names.size()) {
      error("E703", Span{begin, fields.back().span.end},
            fmt::format("{} field{} in a table of {} column{}", fields.size(),
                        fields.size() == 1 ? "" : "s", table_.names.size(),
                        table_.names.size() == 1 ? "" : "s"));
      return;
    }
    for (std::size_t column = 0; column < fields.size(); ++column)
      table_.cells.push_back(read_number(fields[column], column));

    const std::size_t row = table_.rows() - 1;
    if (row > 0 && table_.at(row, 0) < table_.at(row - 1, 0))
      error("E705", fields.front().span,
            fmt::format("time goes back from {} to {}", number_text(table_.at(row - 1, 0)),
                        number_text(table_.at(row, 0))));
  }

  double read_number(const Field& field, std::size_t column) {
    if (const std::optional<double> value = parse_number(field.text)) return *value;
    if (column > 0 && field.text == "true") return 1;
    if (column > 0 && field.text == "false") return 0;
    error("E704", field.span,
          fmt::format("column '{}': '{}' is not a number", table_.names[column], field.text),
          field.text.empty() ? "every row has a value in every column" : "");
    return std::nan("");
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  CsvTable table_;
  int errors_ = 0;
};

}  // namespace

std::optional<std::size_t> CsvTable::find_column(std::string_view name) const {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return std::nullopt;
  return static_cast<std::size_t>(it - names.begin());
}

std::optional<CsvTable> parse_csv(const SourceText& source, Diagnostics& diagnostics) {
  return CsvReader(source, diagnostics).read();
}

std::string make_csv_field(std::string_view text) {
  const bool has_blank_end = !text.empty() && (is_blank(text.front()) || is_blank(text.back()));
  if (!has_blank_end && text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string make_csv_header(const std::vector<std::string>& names) {
  std::string line = "time";
  for (const std::string& name : names) line += ',' + make_csv_field(name);
  return line + '\n';
}

namespace {

// The signal if the first `passed` rows lie behind `time`.
double interpolate(const CsvTable& table, std::size_t column, double time, Interpolation how,
                   std::size_t passed) {
  if (passed == 0) return table.at(0, column);
  const double value = table.at(passed - 1, column);
  if (passed == table.rows() || how == Interpolation::hold) return value;
  const double t0 = table.at(passed - 1, 0);
  const double t1 = table.at(passed, 0);
  // t1 > t0 unless the tolerance has put `time` between two rows of a jump
  const double part = t1 > t0 ? std::clamp((time - t0) / (t1 - t0), 0.0, 1.0) : 0.0;
  return value + (table.at(passed, column) - value) * part;
}

// How many rows from the beginning fulfil `is_passed`, which holds up to some time and not later.
template <class Condition>
std::size_t count_rows(const CsvTable& table, Condition is_passed) {
  std::size_t low = 0;
  std::size_t high = table.rows();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (is_passed(table.at(middle, 0)))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

double calc_signal(const CsvTable& table, std::size_t column, double time, Interpolation how,
                   double tolerance) {
  return interpolate(table, column, time, how,
                     count_rows(table, [&](double t) { return t <= time + tolerance; }));
}

double calc_signal_before(const CsvTable& table, std::size_t column, double time, Interpolation how,
                          double tolerance) {
  return interpolate(table, column, time, how,
                     count_rows(table, [&](double t) { return t < time - tolerance; }));
}

}  // namespace mechfmu
