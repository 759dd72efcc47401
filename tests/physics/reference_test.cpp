// Examples against solutions that were computed without mechfmu (tests/data, each file says how),
// in every formulation.
//
// All runs use RK4 with the example's own step. Errors are relative to the largest value of the
// column; each tolerance is three to five times the error that RK4 leaves at this step, so that a
// wrong sign, a lost term or a lower order cannot hide: those cost orders of magnitude.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "physics/reference_data.hpp"
#include "support/probes.hpp"

namespace mechfmu::testing {
namespace {

// Tolerances relative to the largest value of a column, per formulation; 0: the formulation does
// not apply.
struct Case {
  const char* data;     // tests/data/DATA.csv
  const char* example;  // resources/examples/EXAMPLE
  double stop;          // [s] rows after it are not compared
  double joint, absolute, spatial;
  double own = 0;  // <equations>
  [[nodiscard]] bool is_equations() const { return own > 0; }
};
// <equations> have their own coordinates.
Case equations(const char* example, double stop, double tolerance) {
  return {example, example, stop, 0, 0, 0, tolerance};
}
void PrintTo(const Case& c, std::ostream* out) { *out << c.data; }

// Thin rods have no inertia about themselves: pendulum, double_pendulum and n_four_bar are refused
// in absolute_spatial.
//
// heavy_top and tumbling_body are the hard ones: the top turns 0.075 rad in each of its steps of
// 0.5 ms, and the error of the slow precession grows with time; the handle leaves its unstable axis
// exponentially.
const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"pendulum", "pendulum", 10, 2e-10, 6e-10, 0},
      {"double_pendulum", "double_pendulum", 5, 4e-9, 1.2e-8, 0},
      {"four_bar", "four_bar", 10, 8e-9, 1.5e-8, 2.5e-8},
      {"four_bar_constant", "four_bar", 10, 7e-9, 4e-8, 1.5e-8},
      {"four_bar_driven", "four_bar", 10, 1.6e-8, 1.1e-8, 3e-8},
      {"four_bar_held", "four_bar", 10, 1.5e-8, 8e-9, 3e-8},
      {"four_bar_linear", "four_bar", 10, 1.6e-8, 1.1e-8, 3e-8},
      {"slider_crank", "slider_crank", 2, 1.6e-8, 2e-8, 3.5e-8},
      {"five_bar", "five_bar", 10, 2e-9, 1e-10, 1e-10},
      {"double_loop", "double_loop", 4, 2e-9, 3e-9, 3e-9},
      {"spatial_loop", "spatial_loop", 5, 1.5e-7, 3e-7, 3e-7},
      {"bricard", "bricard", 10, 5e-11, 2e-10, 2e-10},
      {"n_four_bar", "n_four_bar", 10, 1e-9, 5e-9, 0},
      {"heavy_top", "heavy_top", 3, 8e-5, 2e-5, 2e-5},
      {"arm_6r", "arm_6r", 2, 1e-7, 8e-8, 8e-8},
      {"cardan_shaft", "cardan_shaft", 5, 6e-9, 2.6e-7, 2.6e-7},
      {"coupling_rod", "coupling_rod", 5, 5e-11, 5e-8, 2e-8},
      {"scara", "scara", 2, 1e-10, 1e-10, 1e-10},
      {"tumbling_body", "tumbling_body", 10, 2.4e-8, 2.4e-8, 2.4e-8},
      equations("squeezer_equations", 0.03, 4e-9),
      equations("ball_in_bowl", 10, 4e-5),
      equations("welch_double_pendulum", 10, 4e-8),
      equations("welch_slider_crank", 10, 5e-8),
      equations("biped", 100, 5e-9),
      {"squeezer", "squeezer", 0.03, 4e-9, 4e-9, 4e-9},
      {"towed_ship", "towed_ship", 10, 3e-9, 3e-9, 3e-9},
      {"towed_ship_driven", "towed_ship", 10, 3e-9, 3e-9, 3e-9},
      {"towed_ship_step", "towed_ship", 10, 4e-9, 4e-9, 4e-9},
      {"rolling_disc", "rolling_disc", 20, 1e-9, 1e-9, 1e-9},
      {"rolling_disc_general", "rolling_disc", 20, 2e-9, 2e-9, 2e-9},
      {"sled", "sled", 20, 5e-11, 4e-11, 4e-11},
      {"gear_train", "gear_train", 2, 1e-13, 2e-9, 2e-6},
      {"cam_follower", "cam_follower", 20, 5e-13, 1e-10, 1e-10},
      {"stewart", "stewart", 20, 2e-12, 2e-12, 0},
      {"stewart_moving", "stewart", 20, 3e-12, 3e-12, 0},
      {"double_wishbone", "double_wishbone", 20, 1.6e-6, 1.6e-6, 1.6e-6},
      {"double_wishbone_road", "double_wishbone", 20, 1.4e-6, 1.4e-6, 1.4e-6},
      {"scissor_lift", "scissor_lift", 20, 2e-11, 5e-11, 5e-11},
  };
  return list;
}

double tolerance_of(const Case& c, const std::string& coordinates) {
  if (c.is_equations()) return coordinates == "joint" ? c.own : 0;
  if (coordinates == "joint") return c.joint;
  return coordinates == "absolute" ? c.absolute : c.spatial;
}

// Every pair that applies.
std::vector<std::tuple<Case, const char*>> runs() {
  std::vector<std::tuple<Case, const char*>> list;
  for (const Case& c : cases())
    for (const char* coordinates : {"joint", "absolute", "absolute_spatial"})
      if (tolerance_of(c, coordinates) > 0) list.emplace_back(c, coordinates);
  return list;
}

// Inputs that are not constant: a signal in the file, exact inside every step, or (four_bar) set at
// samples.
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

// The input's name is replaced by the expression wherever it is used in a value.
std::string with_signals(std::string text, const ReferenceData& data) {
  for (const auto& [name, expression] : data.signals) {
    int found = 0;
    const auto is_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
      const std::size_t tag = text.rfind('<', at), quote = text.rfind('"', at);
      const bool is_value =
          text.compare(quote - 6, 6, "value=") == 0 || text.compare(quote - 9, 9, "position=") == 0;
      if (quote < tag || !is_value || is_word(text[at - 1]) || is_word(text[at + name.size()])) {
        at += name.size();
        continue;
      }
      text.replace(at, name.size(), "(" + expression + ")");
      at += expression.size() + 2;
      ++found;
    }
    EXPECT_GT(found, 0) << name;
  }
  return text;
}

std::string driven_text(const Case& c, const ReferenceData& data) {
  const std::string text = example_text(c.example);
  switch (drive_of(data)) {
    case Drive::expression:
      return with_signals(text, data);
    case Drive::linear:
      return replaced(replaced(text, "value=\"tau\"", "value=\"tau+slope*(time-since)\""),
                      "<force name=\"motor\"",
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
double quaternion_sign(MechanismRun& run, const ReferenceData& data,
                       const std::vector<double>& row) {
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
        worst = {error, name + " at t = " + std::to_string(data.times[r]) + ": " +
                            std::to_string(value) + ", reference " +
                            std::to_string(data.rows[r][i])};
    }
  }
  return worst;
}

// A start that the file writes as an expression of parameters is not a variable: it follows the
// parameters.
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
  if (!c.is_equations()) options.coordinates = coordinates;
  MechanismRun run(driven_text(c, data), options);
  ASSERT_EQ(run.system().analysis.formulation, c.is_equations() ? "equations" : coordinates);
  set_values(run, data.values);
  run.initialize();
  for (const auto& [name, value] : data.steps) run.set(name, value);
  const Drive drive = drive_of(data);
  if (drive == Drive::held || drive == Drive::linear) set_sample(run, drive);
  const Error error = largest_error(run, data, c.stop, drive);
  EXPECT_LE(error.size, tol(tolerance_of(c, coordinates))) << error.where;
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<Case, const char*>>& info) {
  return std::string(std::get<0>(info.param).data) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(Examples, Reference, ::testing::ValuesIn(runs()), name_of);

// Every file of reference data is used: a new one without a row above would test nothing.
TEST(ReferenceData, HasATestForEveryFile) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(MECHFMU_PROJECT_DIR) + "/tests/data")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".csv" || name.find("_state") != std::string::npos) continue;
    if (name.find("iftomm_") == 0) continue;  // its own mechanism, below
    if (name == "welch_table1") continue;     // a printed table, schemes/welch_test
    EXPECT_TRUE(std::any_of(cases().begin(), cases().end(), [&](const Case& c) {
      return name == c.data;
    })) << name;
  }
}

// IFToMM A01: the simple pendulum of the benchmark library, a point mass on a massless rod.
TEST(ReferenceData, IftommPendulumIsReproduced) {
  const ReferenceData data = read_reference("iftomm_A01_pendulum");
  MechanismRun run(read_project_file("tests/data/iftomm_A01_pendulum.xml"));
  set_values(run, data.values);
  run.initialize();
  const Error error = largest_error(run, data, 10, Drive::constant);
  EXPECT_LE(error.size, tol(1e-9)) << error.where;
}

// Accelerations and reactions at one moving state with a force applied: no integration, so rounding
// is all that is between the two. The references are good to 1e-12.
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

std::string state_name_of(
    const ::testing::TestParamInfo<std::tuple<const char*, const char*>>& info) {
  return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, ReferenceStateOf,
    ::testing::Combine(::testing::Values("four_bar", "slider_crank", "spatial_loop", "arm_6r"),
                       ::testing::Values("joint", "absolute", "absolute_spatial")),
    state_name_of);

}  // namespace
}  // namespace mechfmu::testing
