// Examples against solutions that were computed without mechfmu (tests/data, each file says how), in every formulation.
//
// All runs use RK4 with the example's own step. Errors are relative to the largest value of the column; each tolerance
// is three to five times the error that RK4 leaves at this step, so that a wrong sign, a lost term or a lower order
// cannot hide: those cost orders of magnitude.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "physics/reference_data.hpp"
#include "support/probes.hpp"

namespace mechfmu::testing {
namespace {

struct Case {
  const char* data;     // tests/data/DATA.csv
  const char* example;  // resources/examples/EXAMPLE
  double stop;          // [s] rows after it are not compared
  double tolerance;     // relative to the largest value of the column
};

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"pendulum", "pendulum", 10, 1e-9},
      {"double_pendulum", "double_pendulum", 5, 1e-9},
      {"four_bar", "four_bar", 10, 1e-9},
      {"four_bar_constant", "four_bar", 10, 1e-9},
      {"four_bar_driven", "four_bar", 10, 1e-9},
      {"four_bar_held", "four_bar", 10, 1e-9},
      {"four_bar_linear", "four_bar", 10, 1e-9},
      {"slider_crank", "slider_crank", 2, 1e-9},
      {"five_bar", "five_bar", 10, 1e-9},
      {"double_loop", "double_loop", 10, 1e-9},
      {"spatial_loop", "spatial_loop", 10, 1e-9},
      {"bricard", "bricard", 10, 1e-9},
      {"n_four_bar", "n_four_bar", 10, 1e-9},
      {"heavy_top", "heavy_top", 3, 1e-9},
      {"arm_6r", "arm_6r", 2, 1e-9},
      {"cardan_shaft", "cardan_shaft", 5, 1e-9},
      {"coupling_rod", "coupling_rod", 5, 1e-9},
      {"scara", "scara", 2, 1e-9},
      {"tumbling_body", "tumbling_body", 10, 1e-9},
  };
  return list;
}

// The input of four_bar where it is not constant: a signal in the file, exact inside every step, or set at samples.
enum class Drive { constant, expression, held, linear };
constexpr double kSample = 0.01;  // [s]

Drive drive_of(const ReferenceData& data) {
  if (data.signals.empty()) return Drive::constant;
  const std::string& text = data.signals.front().second;
  if (text.find("held") != std::string::npos) return Drive::held;
  if (text.find("linear") != std::string::npos) return Drive::linear;
  return Drive::expression;
}

double sampled_torque(double t) { return 0.3 * std::sin(2 * t); }

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return place == std::string::npos ? text : text.replace(place, old.size(), with);
}

std::string driven_text(const Case& c, const ReferenceData& data) {
  const std::string text = example_text(c.example);
  switch (drive_of(data)) {
    case Drive::expression:
      return replaced(text, "value=\"tau\"", "value=\"" + data.signals.front().second + "\"");
    case Drive::linear:
      return replaced(replaced(text, "value=\"tau\"", "value=\"tau+slope*(time-since)\""), "<force name=\"motor\"",
                      "<input name=\"slope\"/> <input name=\"since\"/> <force name=\"motor\"");
    case Drive::constant:
    case Drive::held:
      break;
  }
  return text;
}

void set_sample(MechanismRun& run, Drive drive) {
  const double t = run.simulation().time();
  run.set("tau", sampled_torque(t));
  if (drive == Drive::held) return;
  run.set("since", t);
  run.set("slope", (sampled_torque(t + kSample) - sampled_torque(t)) / kSample);
}

void advance_to(MechanismRun& run, double t, Drive drive) {
  if (drive == Drive::constant || drive == Drive::expression) {
    if (t > run.simulation().time()) run.advance(t - run.simulation().time());
    return;
  }
  while (run.simulation().time() < t - 1e-9) {
    run.advance(kSample);
    set_sample(run, drive);  // a row of the file belongs to the sample that begins there
  }
}

// Euler parameters e and -e are the same attitude: the row is taken with the sign of the reference.
double quaternion_sign(MechanismRun& run, const ReferenceData& data, const std::vector<double>& row) {
  double product = 0;
  for (std::size_t i = 0; i < data.columns.size(); ++i)
    if (const std::string& name = data.columns[i]; name.size() == 2 && name[0] == 'q')
      product += run.get(name) * row[i];
  return product < 0 ? -1 : 1;
}

struct Error {
  double size = 0;
  std::string where;
};

Error largest_error(MechanismRun& run, const ReferenceData& data, double stop, Drive drive) {
  Error worst;
  for (std::size_t r = 0; r < data.rows.size() && data.times[r] <= stop; ++r) {
    advance_to(run, data.times[r], drive);
    if (::testing::Test::HasFailure()) break;
    const double sign = quaternion_sign(run, data, data.rows[r]);
    for (std::size_t i = 0; i < data.columns.size(); ++i) {
      const std::string& name = data.columns[i];
      const bool is_quaternion = name.size() == 2 && name[0] == 'q';
      const double value = run.get(name) * (is_quaternion ? sign : 1);
      const double error = std::fabs(value - data.rows[r][i]) / data.scale(i);
      if (!(error <= worst.size))
        worst = {error, name + " at t = " + std::to_string(data.times[r]) + ": " + std::to_string(value) +
                            ", reference " + std::to_string(data.rows[r][i])};
    }
  }
  return worst;
}

// A start that the file writes as an expression of parameters is not a variable: it follows the parameters.
void set_values(MechanismRun& run, const std::vector<std::pair<std::string, double>>& values) {
  for (const auto& [name, value] : values)
    if (run.system().interface.find(name) != nullptr) {
      run.set(name, value);
    } else {
      ASSERT_EQ(name.find("start."), 0u) << name;
      run.initialize();
      EXPECT_NEAR(run.get(name.substr(6)), value, 1e-14) << name;
    }
}

class Reference : public ::testing::TestWithParam<std::tuple<Case, const char*>> {};

TEST_P(Reference, IsReproduced) {
  const auto& [c, coordinates] = GetParam();
  const ReferenceData data = read_reference(c.data);
  ASSERT_GT(data.rows.size(), 5u);
  SystemOptions options;
  options.coordinates = coordinates;
  MechanismRun run(driven_text(c, data), options);
  ASSERT_EQ(run.system().analysis.formulation, coordinates);
  set_values(run, data.values);
  run.initialize();
  const Drive drive = drive_of(data);
  if (drive == Drive::held || drive == Drive::linear) set_sample(run, drive);
  const Error error = largest_error(run, data, c.stop, drive);
  EXPECT_LE(error.size, tol(c.tolerance)) << error.where;
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<Case, const char*>>& info) {
  return std::string(std::get<0>(info.param).data) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(Examples, Reference,
                         ::testing::Combine(::testing::ValuesIn(cases()),
                                            ::testing::Values("joint", "absolute", "absolute_spatial")),
                         name_of);

// Accelerations and reactions at one moving state with a force applied: no integration, so rounding is all that is
// between the two. The references are good to 1e-12.
class ReferenceStateOf : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(ReferenceStateOf, IsReproduced) {
  const auto& [example, coordinates] = GetParam();
  const ReferenceState state = read_reference_state(example);
  ASSERT_GT(state.quantities.size(), 10u);
  SystemOptions options;
  options.coordinates = coordinates;
  std::vector<std::string> sensors;
  for (const auto& quantity : state.quantities) sensors.push_back(quantity.first);
  MechanismRun run(with_probes(example_text(example), sensors), options);
  set_values(run, state.values);
  run.initialize();
  for (const auto& [name, value] : state.quantities)
    EXPECT_NEAR(run.get(probe(name)), value, tol(1e-9) * std::max(1.0, std::fabs(value))) << name;
}

std::string state_name_of(const ::testing::TestParamInfo<std::tuple<const char*, const char*>>& info) {
  return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(Examples, ReferenceStateOf,
                         ::testing::Combine(::testing::Values("four_bar", "slider_crank", "spatial_loop", "arm_6r"),
                                            ::testing::Values("joint", "absolute", "absolute_spatial")),
                         state_name_of);

}  // namespace
}  // namespace mechfmu::testing
