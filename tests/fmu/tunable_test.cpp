// Masses, stiffnesses and gains that a host changes between steps: they take effect in the next
// step, and the mechanism does not jump. Reference: the same equations integrated in this file.
#include <cmath>

#include "fmu/built_fmu.hpp"

namespace mechfmu::testing {
namespace {

constexpr double kStep = 0.01;

// x'' = -(k x + d x') / m on a rail.
constexpr const char* kOscillator = R"xml(<mechanism name="Oscillator" gravity="0 0 0">
  <parameter name="m" value="2 kg"/> <parameter name="k" value="50 N/m"/> <parameter name="d" value="0.4 N.s/m"/>
  <body name="cart"><inertial mass="m"/></body>
  <joint name="rail" type="prismatic" parent="ground" child="cart" axis="1 0 0">
    <start position="0.3" velocity="0" fixed="true"/></joint>
  <force name="pull" type="joint_force" joint="rail" value="-k*rail.position - d*rail.velocity"/>
  <output name="x" value="rail.position"/> <output name="v" value="rail.velocity"/>
  <output name="a" value="rail.acceleration"/>
</mechanism>)xml";

struct Oscillator {
  double m = 2, k = 50, d = 0.4, x = 0.3, v = 0;
  [[nodiscard]] double acceleration(double at, double speed) const {
    return -(k * at + d * speed) / m;
  }
  void advance(double time) {
    constexpr int kParts = 100;
    const double h = time / kParts;
    for (int i = 0; i < kParts; ++i) {
      const double k1 = v, l1 = acceleration(x, v);
      const double k2 = v + h / 2 * l1, l2 = acceleration(x + h / 2 * k1, v + h / 2 * l1);
      const double k3 = v + h / 2 * l2, l3 = acceleration(x + h / 2 * k2, v + h / 2 * l2);
      const double k4 = v + h * l3, l4 = acceleration(x + h * k3, v + h * l3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
  }
};

TEST(Tunable, MassesStiffnessesAndGainsActFromTheNextStepOn) {
  for (const char* integrator : {"rk4", "dopri5", "ab4"}) {
    SystemOptions options;
    options.integrator = integrator;
    BuiltFmu built(kOscillator, options);
    const auto instance = built.start();
    Oscillator reference;
    const std::vector<fmi2ValueReference> outputs = {built.reference("x"), built.reference("v"),
                                                     built.reference("a")};
    struct Change {
      int step;
      const char* name;
      double value;
      double Oscillator::*member;
    };
    const Change changes[] = {{20, "m", 5, &Oscillator::m},
                              {45, "k", 400, &Oscillator::k},
                              {70, "d", 9, &Oscillator::d},
                              {90, "m", 0.5, &Oscillator::m}};
    for (int i = 0; i < 120; ++i) {
      for (const Change& change : changes) {
        if (change.step != i) continue;
        std::vector<double> before, after;
        ASSERT_EQ(instance->get_real(outputs, before), fmi2OK);
        ASSERT_EQ(instance->set_real({built.reference(change.name)}, {change.value}), fmi2OK);
        reference.*change.member = change.value;
        ASSERT_EQ(instance->get_real(outputs, after), fmi2OK);
        EXPECT_EQ(after[0], before[0]) << "positions do not jump";
        EXPECT_EQ(after[1], before[1]) << "nor do velocities";
        EXPECT_NEAR(after[2], reference.acceleration(after[0], after[1]), tol(1e-10));
      }
      ASSERT_EQ(instance->do_step(i * kStep, kStep), fmi2OK);
      reference.advance(kStep);
      std::vector<double> values;
      ASSERT_EQ(instance->get_real(outputs, values), fmi2OK);
      EXPECT_NEAR(values[0], reference.x, tol(2e-6)) << integrator << " " << i;
      EXPECT_NEAR(values[1], reference.v, tol(2e-5)) << integrator << " " << i;
    }
  }
}

// In a closed loop, where the change goes through the constraint forces: equal to a run that was
// brought to the same state with the new value from the beginning.
TEST(Tunable, AClosedLoopGoesOnWithTheNewValue) {
  BuiltFmu built(example_text("four_bar"));
  const fmi2ValueReference damping = built.reference("damping");
  const fmi2ValueReference states[] = {built.reference("crank_angle"),
                                       built.reference("crank_speed"),
                                       built.reference("rocker_angle")};
  const auto changed = built.start(), kept = built.start();
  BuiltFmu::run(*changed, 0, kStep, 50);
  BuiltFmu::run(*kept, 0, kStep, 50);
  const std::vector<double> before = built.values(*changed);
  const auto read = [&](FmuInstance& instance) {
    std::vector<double> values;
    EXPECT_EQ(instance.get_real({std::begin(states), std::end(states)}, values), fmi2OK);
    return values;
  };
  const std::vector<double> there = read(*changed);
  ASSERT_EQ(changed->set_real({damping}, {6}), fmi2OK);
  EXPECT_EQ(read(*changed), there);
  ASSERT_EQ(changed->do_step(0.5, kStep), fmi2OK);
  ASSERT_EQ(kept->do_step(0.5, kStep), fmi2OK);
  const std::vector<double> x = read(*changed), y = read(*kept);
  EXPECT_NE(x[1], y[1]) << "it acts at once";
  EXPECT_NEAR(x[0], y[0], 1e-2) << "and does not jump";
  // taken back before the step, nothing has happened
  const auto undone = built.start();
  BuiltFmu::run(*undone, 0, kStep, 50);
  std::vector<double> old;
  ASSERT_EQ(undone->get_real({damping}, old), fmi2OK);
  ASSERT_EQ(undone->set_real({damping}, {6}), fmi2OK);
  ASSERT_EQ(undone->set_real({damping}, old), fmi2OK);
  ASSERT_EQ(undone->do_step(0.5, kStep), fmi2OK);
  const std::vector<double> z = read(*undone);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(z[i], y[i], tol(1e-12));
}

// A length is not tunable: the mechanism would have to be assembled again.
TEST(Tunable, AGeometryIsRefusedInAStep) {
  BuiltFmu built(example_text("four_bar"));
  const auto instance = built.start();
  BuiltFmu::run(*instance, 0, kStep, 3);
  const FmuVariable* crank = built.description().find("crank");
  ASSERT_NE(crank, nullptr);
  const std::vector<double> before = built.values(*instance);
  EXPECT_EQ(instance->set_real({crank->value_reference}, {0.2}), fmi2Error);
  EXPECT_EQ(built.values(*instance), before);
  EXPECT_EQ(instance->do_step(3 * kStep, kStep), fmi2OK);
}

}  // namespace
}  // namespace mechfmu::testing
