#include "readers/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "readers/attribute_reader.hpp"
#include "readers/beside_file.hpp"
#include "readers/element_types.hpp"
#include "readers/value_parser.hpp"
#include "readers/xml_reader.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// Fields of a line. A quoted one may hold commas, and quotes written twice.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    std::size_t comma = 0;
    for (bool quoted = false; comma < line.size() && (quoted || line[comma] != ','); ++comma)
      if (line[comma] == '"') quoted = !quoted;
    std::string field(trim(line.substr(0, comma)));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') {
      field = field.substr(1, field.size() - 2);
      for (std::size_t i = field.find("\"\""); i != std::string::npos;
           i = field.find("\"\"", i + 1))
        field.erase(i, 1);
    }
    fields.push_back(std::move(field));
    if (comma >= line.size()) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

// Rows of numbers under a line of names; lines that are empty or begin with # do not count.
class CsvPoints {
 public:
  CsvPoints(const Argument& file, const std::string& label, Diagnostics& diagnostics)
      : file_(file), label_(label), diagnostics_(diagnostics) {}

  void read(const std::string& content, const Argument* x_column, const Argument* y_column,
            Table& table) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::size_t number = 0;
    std::size_t begin = content.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (begin < content.size()) {
      const std::size_t end = std::min(content.find('\n', begin), content.size());
      const std::string_view line = trim(std::string_view(content).substr(begin, end - begin));
      begin = end + 1;
      ++number;
      if (line.empty() || line.front() == '#') continue;
      if (x_ == kNone) {
        if (!find_columns(split(line), x_column, y_column)) return;
      } else if (!read_row(split(line), number, table)) {
        table.x.clear();
        table.y.clear();
        return;
      }
    }
    if (x_ == kNone)
      fail("the file has no line of names");
    else if (table.x.empty())
      fail("there are no rows of numbers under the names");
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  bool fail(const std::string& message, std::string hint = {}) {
    diagnostics_.error("E142", file_.span,
                       fmt::format("{}: {}: {}", label_, shown_text(file_.text), message),
                       std::move(hint));
    return false;
  }

  bool find_columns(const std::vector<std::string>& fields, const Argument* x_column,
                    const Argument* y_column) {
    const std::vector<std::string_view> names(fields.begin(), fields.end());
    if (names.size() < 2)
      return fail("two columns are needed", names[0].find_first_of(";\t") != std::string_view::npos
                                                ? "columns are separated by commas"
                                                : "a line of names comes first: x,y");
    if (parse_number(names[0]))
      return fail("the first line must hold the names of the columns", "for example: angle,lift");
    const auto find = [&](const Argument* wanted, std::size_t fallback) {
      if (wanted == nullptr) return fallback;
      const auto it = std::find(names.begin(), names.end(), wanted->text);
      if (it != names.end()) return static_cast<std::size_t>(it - names.begin());
      diagnostics_.error("E142", wanted->span,
                         fmt::format("{}: '{}' has no column '{}'", label_, shown_text(file_.text),
                                     shown_text(wanted->text)),
                         did_you_mean(wanted->text, names, "columns"));
      return kNone;
    };
    x_ = find(x_column, 0);
    y_ = find(y_column, 1);
    return x_ != kNone && y_ != kNone;
  }

  bool read_row(const std::vector<std::string>& fields, std::size_t line, Table& table) {
    for (const bool is_x : {true, false}) {
      const std::size_t column = is_x ? x_ : y_;
      if (column >= fields.size())
        return fail(fmt::format("line {} has no field number {}", line, column + 1),
                    "every row has one field per column, separated by commas");
      const std::optional<double> value = parse_number(fields[column]);
      if (!value)
        return fail(
            fmt::format("line {}: '{}' is not a number", line, shown_text(fields[column], 40)));
      (is_x ? table.x : table.y).push_back(*value);
    }
    if (table.x.size() <= kMaxTablePoints) return true;
    return fail(fmt::format("more than {} points", kMaxTablePoints));
  }

  const Argument& file_;
  const std::string& label_;
  Diagnostics& diagnostics_;
  std::size_t x_ = kNone, y_ = kNone;
};

void read_points_file(const Argument& file, const Arguments& arguments, const std::string& folder,
                      const std::string& label, Table& table, Diagnostics& diagnostics) {
  if (!is_beside(file.text)) {
    diagnostics.error("E142", file.span,
                      fmt::format("{}: '{}' is not a file beside the mechanism file", label,
                                  shown_text(file.text)),
                      "give its name, or a path into a folder below");
    return;
  }
  Diagnostics trouble;
  const std::string path = (folder.empty() ? "." : folder) + "/" + file.text;  // never "-", stdin
  const std::optional<SourceText> text = read_file(path, trouble);
  if (!text) {
    diagnostics.error(
        "E142", file.span,
        fmt::format("{}: {}: {}", label, shown_text(file.text), trouble.all().front().message));
    return;
  }
  table.file = CarriedFile{file.text, text->content()};
  CsvPoints(file, label, diagnostics)
      .read(text->content(), arguments.find("x_column"), arguments.find("y_column"), table);
}

std::vector<double> numbers_of(const Argument& argument) {
  std::vector<double> numbers;
  for (const Expression& e : argument.values) {
    if (is_poisoned(e)) return {};
    numbers.push_back(e.value);
  }
  return numbers;
}

// Clears the points of a table that cannot be a function.
void check_points(Table& table, const Span& span, const std::string& label,
                  Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& message, const std::string& hint) {
    diagnostics.error("E141", span, fmt::format("{}: {}", label, message), hint);
    table.x.clear();
    table.y.clear();
  };
  if (table.x.empty() || table.y.empty()) return;  // reported
  if (table.x.size() != table.y.size())
    return fail(
        fmt::format("there are {} places x and {} values y", table.x.size(), table.y.size()),
        "every x has its y");
  if (table.x.size() < 2) return fail("two points are needed at least", "");
  for (std::size_t i = 1; i < table.x.size(); ++i) {
    const double width = table.x[i] - table.x[i - 1];
    if (!(width > 0))
      return fail(fmt::format("x must ascend, but point {} is at {} and the one before at {}",
                              i + 1, number_text(table.x[i]), number_text(table.x[i - 1])),
                  "sort the points; every x stands once");
    // the largest number that a cubic through the points is made of
    if (!std::isfinite(8 * (table.y[i] - table.y[i - 1]) / width / width / width) ||
        !std::isfinite(width))
      return fail(
          fmt::format("from point {} to point {} the slope is beyond all numbers", i, i + 1),
          "look for a missing or misplaced exponent");
  }
  const double size =
      std::abs(*std::max_element(table.y.begin(), table.y.end(),
                                 [](double a, double b) { return std::abs(a) < std::abs(b); }));
  if (table.extrapolation == "periodic" && std::abs(table.y.back() - table.y.front()) > 1e-9 * size)
    return fail(fmt::format("periodic, but y begins with {} and ends with {}",
                            number_text(table.y.front()), number_text(table.y.back())),
                "the last point is the first one a period later");
}

}  // namespace

Table read_table(const XmlElement& element, const std::string& folder, Diagnostics& diagnostics) {
  const Owner owner = make_owner(element);
  const Arguments arguments =
      read_arguments(element, owner, {find_element_type("table").attributes}, diagnostics);
  Table table;
  table.name = name_of(arguments, "name");
  table.span = element.span;
  table.interpolation = text_of(arguments, "interpolation");
  table.extrapolation = text_of(arguments, "extrapolation");
  const Argument* x = arguments.find("x");
  const Argument* y = arguments.find("y");
  const Argument* file = arguments.find("file");
  if ((file != nullptr) == (x != nullptr || y != nullptr) || (x == nullptr) != (y == nullptr)) {
    diagnostics.error("E141", element.span,
                      fmt::format("{}: points come from x and y, or from a file", owner.label),
                      "write x=\"0 1 2\" y=\"0 1 4\", or file=\"points.csv\"");
    return table;
  }
  if (file != nullptr) {
    read_points_file(*file, arguments, folder, owner.label, table, diagnostics);
  } else {
    table.x = numbers_of(*x);
    table.y = numbers_of(*y);
    if (table.x.empty() || table.y.empty()) {
      table.x.clear();
      table.y.clear();
    }
  }
  check_points(table, file != nullptr ? file->span : x->span, owner.label, diagnostics);
  return table;
}

}  // namespace mechfmu
