// Tables of numbers over time as CSV: results and inputs of a simulation.
//
// The first column is `time`; the others carry the exact names of FMU variables, without units.
// Numbers are the shortest that read back as the same double, so that a result can serve as an
// input or a reference without loss. Reading accepts what spreadsheets write: a byte order mark,
// CRLF, quoted fields, blanks round a field.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

struct CsvTable {
  std::vector<std::string> names;  // names[0] is "time"
  std::vector<Span> name_spans;    // where they stand in the text
  std::vector<double> cells;       // row after row

  [[nodiscard]] std::size_t columns() const { return names.size(); }
  [[nodiscard]] std::size_t rows() const { return names.empty() ? 0 : cells.size() / names.size(); }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return cells[row * names.size() + column];
  }
  [[nodiscard]] std::optional<std::size_t> find_column(std::string_view name) const;
};

// Every fault is reported with line and column; nothing is returned then. Time must not go back;
// two rows at one time are a jump. true and false count as 1 and 0.
std::optional<CsvTable> parse_csv(const SourceText& source, Diagnostics& diagnostics);

// A field as it must be written: quoted if it holds a comma, a quote or a line end.
std::string make_csv_field(std::string_view text);

// "time,a,b\n"
std::string make_csv_header(const std::vector<std::string>& names);

// Input signals: a column of a table as a function of time. Before the first and after the last row
// the end values hold; at a jump the value after it counts. Times that differ by less than
// `tolerance` are the same: a communication point start + k * step is seldom the very double that
// the file has.
enum class Interpolation { linear, hold };
double calc_signal(const CsvTable& table, std::size_t column, double time, Interpolation how,
                   double tolerance = 0);
// The same, but at a jump the value before it.
double calc_signal_before(const CsvTable& table, std::size_t column, double time, Interpolation how,
                          double tolerance = 0);

}  // namespace mechfmu
