#include "report/recording.hpp"

#include <gtest/gtest.h>

#include <array>

namespace mechfmu {
namespace {

Recording record_rows(std::int64_t rows) {
  RecordingMaker maker("run", {"x"}, rows);
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::array<double, 1> value = {static_cast<double>(-i)};
    maker.add(static_cast<double>(i), value);
  }
  return maker.finish();
}

TEST(Recording, ShortRunsAreKeptWhole) {
  const Recording recording = record_rows(1001);
  EXPECT_EQ(recording.time.size(), 1001u);
  EXPECT_EQ(recording.rows, 1001);
  EXPECT_EQ(recording.columns[0][500], -500);
}

TEST(Recording, LongRunsAreThinnedEvenlyWithBothEnds) {
  for (const std::int64_t rows : {20'001, 100'000, 123'457}) {
    const Recording recording = record_rows(rows);
    EXPECT_EQ(recording.rows, rows);
    EXPECT_LE(recording.time.size(), 20'001u);
    EXPECT_GT(recording.time.size(), 9'000u);
    EXPECT_EQ(recording.time.front(), 0);
    EXPECT_EQ(recording.time.back(), static_cast<double>(rows - 1));
    const double stride = recording.time[1];
    for (std::size_t i = 1; i + 1 < recording.time.size(); ++i)
      ASSERT_EQ(recording.time[i] - recording.time[i - 1], stride);
    EXPECT_EQ(recording.columns[0].back(), -recording.time.back());
  }
}

TEST(Recording, WideRunsKeepFewerRows) {
  EXPECT_EQ(most_rows(1), 20'000);
  EXPECT_EQ(most_rows(1000), 3'000);
  EXPECT_EQ(most_rows(100'000), 2'000);
}

TEST(Recording, ComesFromCsv) {
  CsvTable table;
  table.names = {"time", "a", "b"};
  table.cells = {0, 1, 2, 0.5, 3, 4};
  const Recording recording = make_recording(table, "file");
  EXPECT_EQ(recording.time, (std::vector<double>{0, 0.5}));
  ASSERT_NE(recording.find("b"), nullptr);
  EXPECT_EQ(*recording.find("b"), (std::vector<double>{2, 4}));
  EXPECT_EQ(recording.find("time"), nullptr);
}

}  // namespace
}  // namespace mechfmu
