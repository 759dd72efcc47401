// Whether two tables of results say the same: every column of both, at the times of the first, the
// second interpolated where its rows are at other times.
#pragma once
#include <string>
#include <vector>

#include "harness/csv.hpp"

namespace mechfmu {

struct ResultTolerance {
  double relative = 1e-6;  // of the largest |value| of the column in the first table
  double absolute = 1e-9;
};

struct ColumnDifference {
  std::string name;
  double difference = 0;  // the largest
  double at = 0;          // [s] where it is
  double first = 0, second = 0;
  double allowed = 0;
  [[nodiscard]] bool is_within() const { return difference <= allowed; }  // a nan is not
};

struct ResultComparison {
  std::vector<ColumnDifference> columns;             // of both, in the order of the first
  std::vector<std::string> only_first, only_second;  // names
  double start = 0, stop = 0;                        // [s] what both cover
  bool covers_all = true;                            // both have the same first and last time
  [[nodiscard]] bool agrees() const;
};

ResultComparison compare_results(const CsvTable& first, const CsvTable& second,
                                 const ResultTolerance& tolerance);

}  // namespace mechfmu
