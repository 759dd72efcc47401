// The dependencies that modelDescription.xml declares against what perturbation shows: every known
// is changed alone, at twenty random sets of parameters and places of the motion. Nothing may move
// that is not declared, and each declared dependency must be seen at least once.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;  // unknown, known

class Dependencies : public ::testing::TestWithParam<std::string> {
 protected:
  Dependencies() : run_(example_text(GetParam())), model_(run_.simulation().model()) {}

  runtime::Simulation& simulation() { return run_.simulation(); }
  [[nodiscard]] const std::vector<InterfaceVariable>& variables() const {
    return run_.system().interface.variables;
  }

  // Random parameters, starts, inputs and start time; false if the mechanism cannot be assembled
  // with them. Velocities of three sizes: what they do must show beside gravity and stiff springs.
  // Fixed starts may fit each other only as they are, or only at the time of the example.
  bool start_somewhere(double fastest) {
    enum Fitting { nothing, starts, all };
    for (const Fitting keep : {nothing, starts, all})
      if (start_beside(keep == nothing ? 0.05 : 0, fastest, keep != all)) return true;
    return false;
  }
  bool start_beside(double start_spread, double fastest, bool with_parameters) {
    const double speeds[] = {0.05, 0.01 * fastest, fastest};
    const double speed = speeds[attempts_++ % 3];
    simulation().reset();
    double* values = simulation().values();
    for (int i = 0; i < model_.n_parameters + model_.n_starts; ++i) {
      const bool is_velocity =
          std::string(model_.reals[i].name).find("velocity") != std::string::npos;
      double size = is_velocity ? start_spread * speed / 0.05 : start_spread;
      if (i < model_.n_parameters)
        size = !with_parameters ? 0 : 0.05 * (values[i] != 0 ? std::fabs(values[i]) : 1);
      values[i] = std::clamp(values[i] + size * uniform_(random_), model_.reals[i].min,
                             model_.reals[i].max);
    }
    for (int i = 0; i < model_.nu; ++i)
      values[simulation().first_computed() - model_.nu + i] += 0.05 * uniform_(random_);
    simulation().mark_changed(runtime::VariableKind::parameter);
    simulation().mark_changed(runtime::VariableKind::input);
    const Experiment& experiment = run_.system().experiment;
    start_time_ = experiment.start;
    if (with_parameters)
      start_time_ += (experiment.stop - experiment.start) * std::fabs(uniform_(random_));
    return simulation().initialize(start_time_);
  }
  std::vector<double> computed() {
    EXPECT_TRUE(simulation().update_outputs(true)) << simulation().failure();
    const double* first = simulation().values() + simulation().first_computed();
    return {first, first + model_.n_computed};
  }
  // How far each unknown that `is_unknown` says moved with each known, relative to its size; the
  // most that was seen anywhere.
  using Shown = std::map<std::pair<std::string, std::string>, double>;
  template <class IsUnknown>
  void note_moved(const std::vector<double>& before, const std::vector<double>& after,
                  const std::string& known, IsUnknown is_unknown, Shown& shown) {
    for (const InterfaceVariable& v : variables()) {
      if (!is_unknown(v)) continue;
      const std::size_t i =
          v.value_reference - static_cast<unsigned>(simulation().first_computed());
      const double size = 1e-3 + std::fabs(before[i]);
      double& most = shown[{v.name, known}];
      most = std::max(most, std::fabs(after[i] - before[i]) / size);
    }
  }
  // Every input and state alone, at the present point.
  template <class IsUnknown>
  void perturb_all(IsUnknown is_unknown, Shown& shown) {
    const std::vector<double> before = computed();
    for (const InterfaceVariable& known : variables()) {
      const bool is_input = known.causality == Causality::input;
      if (!is_input && !known.is_state) continue;
      const unsigned reference = known.value_reference;
      const double value = simulation().values()[reference];
      const double d = 1e-4 * (1 + std::fabs(value));
      const auto set = [&](double to) {
        if (is_input)
          run_.set(known.name, to);
        else
          simulation().set_state(static_cast<int>(reference) - model_.first_state, to);
      };
      set(value + d);
      note_moved(before, computed(), known.name, is_unknown, shown);
      set(value);
      computed();
    }
  }
  // A residual is rounding unless it is made to be more.
  static bool is_residual(const InterfaceVariable& v) {
    return v.name.find("error") != std::string::npos ||
           v.name.find("residual") != std::string::npos;
  }
  // What moves by more than `rounding` is declared, and what is declared moves by more than `seen`,
  // unless it is declared for its structure only: then it does not.
  void expect_same(const Pairs& declared, const Shown& shown, const Shown& beside, double rounding,
                   double seen) {
    for (const auto& [pair, moved] : shown)
      if (moved > rounding) {
        EXPECT_TRUE(declared.contains(pair)) << pair.first << " moves with " << pair.second
                                             << " by " << moved << ", which is not declared";
      }
    for (const auto& pair : declared) {
      if (fixed_.contains(pair.second)) continue;
      double moved = 0;
      for (const Shown* places : {&shown, &beside})
        if (const auto found = places->find(pair); found != places->end())
          moved = std::max(moved, found->second);
      EXPECT_EQ(moved > seen, !is_structure_only(pair.first, pair.second))
          << pair.first << " is declared to depend on " << pair.second << " and moves by " << moved;
    }
  }

  // The cam reads a table, which may be flat wherever one looks: accelerations and reactions then
  // declare all that the equations of motion read. Shaft and follower are both led, by the drive
  // and by the cam: forces and masses have no say in how they move, nor has the follower in how the
  // shaft turns, which turns steadily, so that its own inertia is never felt.
  static bool is_structure_only(const std::string& unknown, const std::string& known) {
    if (GetParam() != "cam_follower") return false;
    const bool led = unknown == "der(state.shaft.velocity)" ||
                     unknown == "der(state.guide.velocity)" || unknown == "follower_acceleration";
    const bool reaction = unknown == "contact_force" || unknown == "drive_torque";
    const std::set<std::string> efforts = {"damping", "follower_mass", "gap", "slack_length",
                                           "stiffness"};
    return ((led || reaction) && known == "cam_inertia") || (led && efforts.contains(known)) ||
           (unknown == "der(state.shaft.velocity)" &&
            (known == "speed" || known.find("state.guide") == 0));
  }

  // Fixed starts that fit each other only as they are: none can be changed alone.
  static bool has_starts_that_fit() {
    return GetParam() == "rolling_disc" || GetParam() == "sled" || GetParam() == "biped";
  }

  MechanismRun run_;
  const runtime::Model& model_;
  std::set<std::string> fixed_;  // knowns that could not be changed alone anywhere
  int attempts_ = 0;
  double start_time_ = 0;
  std::mt19937 random_{20241118};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST_P(Dependencies, OfOutputsAndDerivativesAreThoseThatPerturbationShows) {
  const auto is_unknown = [](const InterfaceVariable& v) {
    return (v.causality == Causality::output || v.derivative_of >= 0) && !is_residual(v);
  };
  Pairs declared;
  Shown shown, beside;
  for (const InterfaceVariable& v : variables())
    if (is_unknown(v))
      for (const Dependency& d : v.depends_on)
        declared.insert({v.name, variables()[static_cast<std::size_t>(d.index)].name});
  simulation().begin_exchange();
  const double stop = run_.system().experiment.stop;
  int points = 0;
  for (int attempt = 0; attempt < 60 && points < 20; ++attempt) {
    if (!start_somewhere(100)) continue;
    const double h = 0.02 * stop * (1.5 + uniform_(random_));
    if (!simulation().advance(simulation().time(), h)) continue;
    ++points;
    perturb_all(is_unknown, shown);
    // hosts that integrate the states themselves leave the constraints a little: what is declared
    // may be seen there only
    for (int i = 0; i < model_.nq; ++i) simulation().position()[i] += 0.1 * uniform_(random_);
    for (int i = 0; i < model_.nv; ++i) simulation().velocity()[i] += uniform_(random_);
    simulation().mark_moved();
    if (simulation().update_outputs(true)) perturb_all(is_unknown, beside);
  }
  ASSERT_EQ(points, 20);
  // rounding was 3e-11 at most, the least that was seen 4e-10
  expect_same(declared, shown, beside, 2e-10, 2e-10);
}

TEST_P(Dependencies, OfInitialUnknownsAreThoseThatPerturbationShows) {
  const auto is_unknown = [](const InterfaceVariable& v) {
    return v.type == ValueType::real && !v.start && !is_residual(v) &&
           (v.causality == Causality::output || v.causality == Causality::calculated_parameter ||
            v.is_state || v.derivative_of >= 0);
  };
  Pairs declared;
  Shown shown;
  for (const InterfaceVariable& v : variables())
    if (is_unknown(v))
      for (const int known : v.initially_depends_on)
        declared.insert({v.name, variables()[static_cast<std::size_t>(known)].name});
  for (const InterfaceVariable& known : variables())
    if (known.type == ValueType::real && known.start) fixed_.insert(known.name);
  int points = 0;
  for (int attempt = 0; attempt < 60 && points < 20; ++attempt) {
    if (!start_somewhere(1000)) continue;
    ++points;
    const std::vector<double> before = computed();
    for (const InterfaceVariable& known : variables()) {
      if (known.type != ValueType::real || !known.start) continue;
      const double value = simulation().values()[known.value_reference];
      const double d = 1e-2 * (value == 0 ? 1 : std::fabs(value));
      run_.set(known.name, value + d);
      if (simulation().initialize(start_time_)) {
        note_moved(before, computed(), known.name, is_unknown, shown);
        fixed_.erase(known.name);
      }
      run_.set(known.name, value);
      ASSERT_TRUE(simulation().initialize(start_time_));
    }
  }
  ASSERT_EQ(points, 20);
  // the assembly ends within 1e-12 of the constraints, from wherever it came: accelerations that
  // have nothing to do with it moved by 6e-8; the least that was seen is 2e-8
  expect_same(declared, shown, {}, 1e-7, 1e-8);
  EXPECT_EQ(!fixed_.empty(), has_starts_that_fit()) << (fixed_.empty() ? "" : *fixed_.begin());
}

INSTANTIATE_TEST_SUITE_P(Examples, Dependencies, ::testing::ValuesIn(example_names()),
                         [](const auto& test) { return test.param; });

// What vanishes at the values of the file is there with others: a product of inputs that are both
// zero, a stiffness of zero, a speed at time zero. Reference: the laws as they are written.
TEST(DeclaredDependencies, AreThoseOfAnyValuesNotOfTheNominalOnes) {
  const MechanismRun run(R"xml(<mechanism name="M" gravity="0 0 0">
    <parameter name="k" value="0"/><parameter name="rest" value="0.3"/><parameter name="speed" value="2"/>
    <body name="a"><inertial mass="1" inertia="1 1 1"/></body><body name="b"><inertial mass="1" inertia="1 1 1"/></body>
    <joint name="A" type="prismatic" parent="ground" child="a" axis="1 0 0"><start position="0" velocity="0" fixed="true"/></joint>
    <joint name="B" type="prismatic" parent="ground" child="b" axis="0 1 0"/>
    <input name="u"/><input name="w"/>
    <force name="f" type="joint_force" joint="A" value="u*w - k*(A.position - rest)"/>
    <drive name="d" joint="B" position="speed*time"/>
    <output name="product" value="u*w"/><output name="stretch" value="k*A.position"/>
    <output name="way" value="B.position"/></mechanism>)xml");
  const Interface& interface = run.system().interface;
  const auto names = [&](const std::string& unknown, bool initially) {
    std::set<std::string> list;
    const InterfaceVariable* v = interface.find(unknown);
    if (initially) {
      for (const int i : v->initially_depends_on)
        list.insert(interface.variables[static_cast<std::size_t>(i)].name);
      return list;
    }
    for (const Dependency& d : v->depends_on)
      list.insert(interface.variables[static_cast<std::size_t>(d.index)].name);
    return list;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(names("product", false), (Names{"u", "w"}));
  EXPECT_EQ(names("product", true), (Names{"u", "w"}));
  EXPECT_EQ(names("stretch", false), (Names{"state.A.position"}));
  EXPECT_EQ(names("stretch", true), (Names{"k", "start.A.position"}));
  EXPECT_EQ(names("way", true), (Names{"speed"}));
  EXPECT_EQ(names("der(state.A.velocity)", false), (Names{"u", "w", "state.A.position"}));
  EXPECT_EQ(names("der(state.A.velocity)", true),
            (Names{"u", "w", "k", "rest", "start.A.position"}));
}

}  // namespace
}  // namespace mechfmu::testing
