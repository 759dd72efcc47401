#include "report/recording.hpp"

#include <algorithm>

namespace mechfmu {

namespace {
constexpr std::int64_t kMostNumbers = 3'000'000;  // 16 MB of page
constexpr std::int64_t kMostRows = 20'000;
constexpr std::int64_t kLeastRows = 2'000;
}  // namespace

const std::vector<double>* Recording::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &columns[i];
  return nullptr;
}

std::int64_t most_rows(std::size_t columns) {
  const auto width = static_cast<std::int64_t>(std::max<std::size_t>(columns, 1));
  return std::clamp(kMostNumbers / width, kLeastRows, kMostRows);
}

RecordingMaker::RecordingMaker(std::string label, std::vector<std::string> names,
                               std::int64_t expected_rows) {
  recording_.label = std::move(label);
  recording_.names = std::move(names);
  recording_.columns.resize(recording_.names.size());
  const std::int64_t most = most_rows(recording_.names.size());
  stride_ = std::max<std::int64_t>(1, (expected_rows + most - 1) / most);
}

void RecordingMaker::keep(double time, std::span<const double> values) {
  recording_.time.push_back(time);
  for (std::size_t i = 0; i < values.size(); ++i) recording_.columns[i].push_back(values[i]);
}

void RecordingMaker::add(double time, std::span<const double> values) {
  last_.clear();
  if (recording_.rows++ % stride_ == 0) {
    keep(time, values);
    return;
  }
  last_time_ = time;
  last_.assign(values.begin(), values.end());
}

Recording RecordingMaker::finish() {
  if (!last_.empty()) keep(last_time_, last_);
  return std::move(recording_);
}

Recording make_recording(const CsvTable& table, std::string label) {
  RecordingMaker maker(std::move(label), {table.names.begin() + 1, table.names.end()},
                       static_cast<std::int64_t>(table.rows()));
  for (std::size_t row = 0; row < table.rows(); ++row)
    maker.add(table.at(row, 0),
              std::span(table.cells).subspan(row * table.columns() + 1, table.columns() - 1));
  return maker.finish();
}

}  // namespace mechfmu
