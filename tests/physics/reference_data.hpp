// A file of tests/data: a reference solution that was computed without mechfmu. The comments at its
// top say how, with which parameters, starts and inputs:
//
//     # parameter crank 0.12         # start A.position 1.04         # input tau 0.3
//
// so that a test sets the very values of the reference, whatever the example file says today.
#pragma once
#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {

struct ReferenceData {
  std::vector<std::pair<std::string, double>> values;  // to set before initialization, by FMU name
  std::vector<std::pair<std::string, std::string>>
      signals;                                        // inputs that are not constant: name, text
  std::vector<std::pair<std::string, double>> steps;  // inputs to set right after initialization
  std::vector<std::string> columns;                   // without time
  std::vector<double> times;
  std::vector<std::vector<double>> rows;

  // The largest value of a column: what its errors are compared with.
  [[nodiscard]] double scale(std::size_t column) const {
    double largest = 0;
    for (const std::vector<double>& row : rows) largest = std::max(largest, std::fabs(row[column]));
    return largest;
  }
};

inline std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> words;
  std::stringstream stream(line);
  for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
  return words;
}

inline void read_comment(const std::string& line, ReferenceData& data) {
  std::istringstream stream(line);
  std::string mark, kind, name, value;
  stream >> mark >> kind >> name;
  std::getline(stream >> std::ws, value);
  if (kind == "step") data.steps.emplace_back(name, std::stod(value));
  if (kind != "parameter" && kind != "start" && kind != "input") return;
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (*end != '\0')
    data.signals.emplace_back(name, value);
  else if (name.find("..") != std::string::npos)  // "tau1..tau6 0": the start value of inputs
    EXPECT_EQ(number, 0.0);
  else
    data.values.emplace_back(kind == "start" ? "start." + name : name, number);
}

inline std::vector<std::string> read_lines(const std::string& path) {
  const std::string text = read_project_file(path);
  if (text.empty()) throw std::runtime_error("cannot read " + path);
  return split(text, '\n');
}

inline ReferenceData read_reference(const std::string& name) {
  ReferenceData data;
  for (const std::string& line : read_lines("tests/data/" + name + ".csv")) {
    if (line[0] == '#') {
      read_comment(line, data);
    } else if (data.columns.empty()) {
      data.columns = split(line, ',');
      data.columns.erase(data.columns.begin());
    } else {
      std::vector<double> row;
      for (const std::string& word : split(line, ',')) row.push_back(std::stod(word));
      data.times.push_back(row.front());
      row.erase(row.begin());
      data.rows.push_back(row);
    }
  }
  return data;
}

// NAME_state.csv: quantities at one state, "A.acceleration,2.06".
struct ReferenceState {
  std::vector<std::pair<std::string, double>> values;
  std::vector<std::pair<std::string, double>> quantities;
};

inline ReferenceState read_reference_state(const std::string& name) {
  ReferenceData header;
  ReferenceState state;
  for (const std::string& line : read_lines("tests/data/" + name + "_state.csv")) {
    if (line[0] == '#') {
      read_comment(line, header);
    } else if (const auto words = split(line, ','); words[0] != "quantity") {
      state.quantities.emplace_back(words[0], std::stod(words[1]));
    }
  }
  state.values = header.values;
  return state;
}

}  // namespace mechfmu::testing
