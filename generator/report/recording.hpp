// Numbers over time as a report keeps them: from a run while it goes on, or from a CSV file. A
// report of a long run keeps every n-th row and the last one, so that the page stays one that a
// telephone can open.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/csv.hpp"

namespace mechfmu {

struct Recording {
  std::string label;  // file it came from
  std::vector<std::string> names;
  std::vector<double> time;                  // [s]
  std::vector<std::vector<double>> columns;  // one per name
  std::int64_t rows = 0;                     // before any were left out

  [[nodiscard]] const std::vector<double>* find(std::string_view name) const;
};

// Rows that a report of so many columns keeps at most.
std::int64_t most_rows(std::size_t columns);

class RecordingMaker {
 public:
  RecordingMaker(std::string label, std::vector<std::string> names, std::int64_t expected_rows);

  void add(double time, std::span<const double> values);  // one value per name
  Recording finish();                                     // the maker is used up

 private:
  void keep(double time, std::span<const double> values);

  Recording recording_;
  std::int64_t stride_ = 1;
  double last_time_ = 0;
  std::vector<double> last_;  // the newest row, if it was left out
};

Recording make_recording(const CsvTable& table, std::string label);

}  // namespace mechfmu
