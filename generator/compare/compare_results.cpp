#include "compare/compare_results.hpp"

#include <algorithm>
#include <cmath>

namespace mechfmu {

namespace {

constexpr double kSameTime = 1e-9;  // of the span: two clocks that count differently

}  // namespace

bool ResultComparison::agrees() const {
  return covers_all && only_first.empty() && only_second.empty() &&
         std::all_of(columns.begin(), columns.end(),
                     [](const ColumnDifference& c) { return c.is_within(); });
}

ResultComparison compare_results(const CsvTable& first, const CsvTable& second,
                                 const ResultTolerance& tolerance) {
  ResultComparison result;
  for (const std::string& name : second.names)
    if (!first.find_column(name)) result.only_second.push_back(name);
  if (first.rows() == 0 || second.rows() == 0) {
    result.covers_all = first.rows() == second.rows();
    return result;
  }
  const double first_end = first.at(first.rows() - 1, 0);
  const double second_end = second.at(second.rows() - 1, 0);
  result.start = std::max(first.at(0, 0), second.at(0, 0));
  result.stop = std::min(first_end, second_end);
  const double near = kSameTime * std::max(1e-300, first_end - first.at(0, 0));
  result.covers_all = std::fabs(first.at(0, 0) - second.at(0, 0)) <= near &&
                      std::fabs(first_end - second_end) <= near;
  for (std::size_t c = 1; c < first.columns(); ++c) {
    const auto other = second.find_column(first.names[c]);
    if (!other) {
      result.only_first.push_back(first.names[c]);
      continue;
    }
    ColumnDifference column{first.names[c], 0, result.start, 0, 0, 0};
    double size = 0;
    for (std::size_t row = 0; row < first.rows(); ++row)
      size = std::max(size, std::fabs(first.at(row, c)));
    column.allowed = tolerance.absolute + tolerance.relative * size;
    for (std::size_t row = 0; row < first.rows(); ++row) {
      const double time = first.at(row, 0);
      if (time < result.start - near || time > result.stop + near) continue;
      const double value = first.at(row, c);
      // at a jump both values are there; the nearer one counts
      const double after = calc_signal(second, *other, time, Interpolation::linear, near);
      const double before = calc_signal_before(second, *other, time, Interpolation::linear, near);
      const double match = std::fabs(value - after) <= std::fabs(value - before) ? after : before;
      const double difference = std::fabs(value - match);
      if (difference <= column.difference) continue;
      column.difference = difference;
      column.at = time;
      column.first = value;
      column.second = match;
      if (difference != difference) break;
    }
    result.columns.push_back(column);
  }
  return result;
}

}  // namespace mechfmu
