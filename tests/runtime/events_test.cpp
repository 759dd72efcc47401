// Conditions of the motion: located by adaptive integrators, followed by the others, event
// indicators of model exchange. References are closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

SystemOptions adaptive(const char* integrator = "dopri5") {
  SystemOptions options;
  options.integrator = integrator;
  options.step = 0.01;
  return options;
}

std::string mass_with_force(const std::string& force, const char* start = "0",
                            const char* velocity = "1") {
  return "<equations name=\"M\"><coordinate name=\"x\" start=\"" + std::string(start) +
         "\" velocity=\"" + velocity +
         "\" mass=\"1\"/><input name=\"u\"/><force on=\"x\" value=\"" + force + "\"/></equations>";
}

// Flies freely to x = 1, is thrown back by a constant force -9 there, leaves with the opposite
// velocity after 2/9 s.
const char* const kThrown = "if(x &gt; 1, -9, 0)";
double thrown(double t) {
  const double s = t - 1;
  if (s <= 0) return t;
  return s < 2.0 / 9 ? 1 + s - 4.5 * s * s : 1 - (s - 2.0 / 9);
}

TEST(Events, AJumpOfTheForceIsLocatedByEveryAdaptiveIntegrator) {
  for (const char* integrator : {"dopri5", "rkf23", "cash_karp", "rk4_doubling", "rosenbrock"}) {
    MechanismRun run(mass_with_force(kThrown), adaptive(integrator));
    run.set("solver.tolerance", 1e-6);
    run.initialize();
    for (int i = 1; i <= 16; ++i) {
      run.advance(0.1);
      // polynomials of second order: exact but for rounding and the place of the change
      EXPECT_NEAR(run.get("x"), thrown(0.1 * i), tol(1e-9)) << integrator << " " << 0.1 * i;
    }
    EXPECT_NEAR(run.get("der(x)"), -1, tol(1e-9)) << integrator;
    // a step that is not located is halved about twenty times on each side of each change
    EXPECT_LT(run.get("solver.evaluations"), 1000) << integrator;
  }
}

TEST(Events, AnInstantOfTimeIsLocated) {
  MechanismRun run(mass_with_force("if(time &lt;= 0.3, 2, -2)", "0", "0"), adaptive());
  run.initialize();
  run.advance(1);
  const double v = 0.6 - 2 * 0.7;
  EXPECT_NEAR(run.get("der(x)"), v, tol(1e-10));
  EXPECT_NEAR(run.get("x"), 0.09 + 0.6 * 0.7 - 0.49, tol(1e-10));
}

// Fixed steps follow the conditions: first order at a jump.
TEST(Events, FixedStepsFollowTheConditions) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    SystemOptions options;
    options.integrator = "rk4";
    options.step = k == 0 ? 0.0123 : 0.00123;
    MechanismRun run(mass_with_force(kThrown), options);
    run.initialize();
    run.advance(1.6);
    error[k] = std::fabs(run.get("x") - thrown(1.6));
  }
  EXPECT_LT(error[0], 0.05);
  EXPECT_LT(error[1], 0.005);
  EXPECT_GT(error[0], 1e-6);
}

// Half an oscillation on the spring of a stop, then back: no condition is written by the user.
TEST(Events, AStopIsABendThatIsLocated) {
  MechanismRun run(R"xml(<mechanism name="S" gravity="0 0 0">
    <body name="b"><inertial mass="1" inertia="1 1 1"/></body>
    <joint name="A" type="prismatic" parent="ground" child="b" axis="1 0 0"><start velocity="1" fixed="true"/></joint>
    <force name="stop" type="joint_limit" joint="A" upper="1" stiffness="10000" damping="0"/>
    </mechanism>)xml",
                   adaptive());
  EXPECT_GT(run.simulation().model().n_indicators, 0);
  run.set("solver.tolerance", 1e-8);
  run.initialize();
  run.advance(0.9);
  run.advance(0.6);
  // pi / w on the spring, w = 100 rad/s
  const double back = 1.5 - 1 - M_PI / 100;
  EXPECT_NEAR(run.get("A.position"), 1 - back, tol(1e-7));
  EXPECT_NEAR(run.get("A.velocity"), -1, tol(1e-6));
}

// sqrt(x - 1) has no value where the branch ends: x'' = -6 sqrt(x - 1) beyond x = 1. Energy:
// v^2 / 2 + 4 (x - 1)^1.5 = 1/2, so it turns at x = 1 + (1/8)^(2/3) = 1.25 and leaves with v = -1.
TEST(Events, ABranchMayHaveNoValueBeyondItsEnd) {
  MechanismRun run(mass_with_force("if(x &gt; 1, -6*sqrt(x - 1), 0)"), adaptive());
  run.set("solver.tolerance", 1e-8);
  run.initialize();
  double largest = 0;
  for (int i = 0; i < 400; ++i) {
    run.advance(0.005);
    largest = std::max(largest, run.get("x"));
  }
  EXPECT_NEAR(largest, 1.25, tol(1e-4));
  EXPECT_LT(run.get("x"), 1);
  EXPECT_NEAR(run.get("der(x)"), -1, tol(1e-6));
}

// A switch that slides along its condition: dry friction without smoothing stops the mass after
// 0.5 s and then holds it in small steps.
TEST(Events, ASlidingSwitchDoesNotStopTheRun) {
  MechanismRun run(mass_with_force("if(der(x) &gt; 0, -2, 2)"), adaptive());
  run.set("solver.tolerance", 1e-5);
  run.initialize();
  for (int i = 0; i < 60; ++i) run.advance(0.01);
  EXPECT_NEAR(run.get("x"), 0.25, tol(1e-4));
  EXPECT_NEAR(run.get("der(x)"), 0, tol(1e-3));
}

// Outside of a stop its force is zero all over, not only at the touch: no place for regula falsi.
TEST(Events, AnIndicatorThatLeavesZeroIsLocatedInFewSteps) {
  MechanismRun run(R"xml(<mechanism name="S" gravity="0 0 0">
    <body name="b"><inertial mass="1" inertia="1 1 1"/></body>
    <joint name="A" type="prismatic" parent="ground" child="b" axis="1 0 0"><start velocity="1" fixed="true"/></joint>
    <force name="stop" type="joint_limit" joint="A" upper="1" stiffness="3000" damping="20" transition="0.002"/>
    </mechanism>)xml",
                   adaptive());
  run.initialize();
  run.advance(0.99);
  const double before = run.get("solver.evaluations");
  run.advance(0.2);
  EXPECT_LT(run.get("A.velocity"), -0.5);
  EXPECT_LT(run.get("solver.evaluations") - before, 4000);
}

TEST(Events, AnInputThatJumpsBetweenStepsChangesTheBranch) {
  MechanismRun run(mass_with_force("if(u &gt; 0.5, 3, 0)", "0", "0"), adaptive());
  run.initialize();
  run.advance(0.5);
  EXPECT_EQ(run.get("x"), 0);
  run.set("u", 1);
  run.advance(0.5);
  EXPECT_NEAR(run.get("x"), 0.375, tol(1e-12));
}

TEST(Events, AreNotMadeOfParametersOrGuards) {
  const MechanismRun parameter(
      R"xml(<equations name="M"><parameter name="p" value="1"/><coordinate name="x" mass="1"/>
      <force on="x" value="if(p &gt; 0, 1, 2) + max(p, 3)"/></equations>)xml");
  EXPECT_EQ(parameter.system().kernels->n_indicators, 0);
  for (const std::string& name : example_names()) {
    const MechanismRun example(example_text(name));
    // the length of the follower's spring in its straight guide is |gap - z|: it would jump at 0
    const int expected = name == "cam_follower" ? 1 : 0;
    EXPECT_EQ(example.system().kernels->n_indicators, expected) << name;
  }
}

// A host: the classical method with a fixed step, shortened where an indicator changes its sign.
class EventHost {
 public:
  explicit EventHost(MechanismRun& run) : simulation_(run.simulation()) {
    simulation_.begin_exchange();
    run.initialize();
    n_ = static_cast<std::size_t>(simulation_.model().n_states());
    x_.resize(n_);
    simulation_.get_states(x_.data());
  }
  void advance(double end, double h) {
    while (t_ < end - 1e-14) {
      double step = std::min(h, end - t_);
      const std::vector<double> before = indicators();
      if (changes(before, try_step(step))) {
        double low = 0;
        while (step - low > 1e-14) {
          const double middle = 0.5 * (low + step);
          (changes(before, try_step(middle)) ? step : low) = middle;
        }
      }
      x_ = try_step(step);
      t_ += step;
      place(t_, x_);
      if (changes(before, x_)) {
        ++events;
        EXPECT_TRUE(simulation_.update_conditions());
        for (const double z : indicators()) EXPECT_NE(z, 0);
      }
    }
  }
  int events = 0;
  std::vector<double> indicators() {
    std::vector<double> z(static_cast<std::size_t>(simulation_.model().n_indicators));
    simulation_.get_indicators(z.data());
    return z;
  }

 private:
  void place(double t, const std::vector<double>& x) {
    simulation_.set_time(t);
    simulation_.set_states(x.data());
  }
  bool changes(const std::vector<double>& before, const std::vector<double>& x) {
    place(t_, x);
    const std::vector<double> after = indicators();
    for (std::size_t i = 0; i < after.size(); ++i)
      if ((before[i] < 0) != (after[i] < 0)) return true;
    return false;
  }
  std::vector<double> rates(double t, const std::vector<double>& x) {
    place(t, x);
    std::vector<double> k(n_);
    EXPECT_TRUE(simulation_.calc_state_rates(k.data())) << simulation_.failure();
    return k;
  }
  std::vector<double> plus(const std::vector<double>& k, double h) const {
    std::vector<double> sum = x_;
    for (std::size_t i = 0; i < n_; ++i) sum[i] += h * k[i];
    return sum;
  }
  std::vector<double> try_step(double h) {
    const auto k1 = rates(t_, x_), k2 = rates(t_ + h / 2, plus(k1, h / 2)),
               k3 = rates(t_ + h / 2, plus(k2, h / 2)), k4 = rates(t_ + h, plus(k3, h));
    std::vector<double> end = x_;
    for (std::size_t i = 0; i < n_; ++i) end[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return end;
  }
  runtime::Simulation& simulation_;
  std::size_t n_ = 0;
  double t_ = 0;
  std::vector<double> x_;
};

TEST(Events, AHostThatStopsAtThemFollowsTheJumpExactly) {
  MechanismRun run(mass_with_force(kThrown));
  EventHost host(run);
  host.advance(1.6, 0.0371);
  EXPECT_EQ(host.events, 2);
  EXPECT_NEAR(run.get("x"), thrown(1.6), tol(2e-9));  // the indicators are shifted by 1e-10
  EXPECT_NEAR(run.get("der(x)"), -1, tol(2e-9));
}

// Between events a host sees the branch that it is on, wherever it tries.
TEST(Events, ConditionsAreHeldBetweenEvents) {
  MechanismRun run(mass_with_force(kThrown));
  run.simulation().begin_exchange();
  run.initialize();
  const double beyond[2] = {1.5, 1};
  run.simulation().set_states(beyond);
  double rates[2];
  ASSERT_TRUE(run.simulation().calc_state_rates(rates));
  EXPECT_EQ(rates[1], 0);
  EXPECT_TRUE(run.simulation().update_conditions());
  ASSERT_TRUE(run.simulation().calc_state_rates(rates));
  EXPECT_EQ(rates[1], -9);
  EXPECT_FALSE(run.simulation().update_conditions());
  // conditions are part of the state
  std::vector<char> state(run.simulation().state_bytes());
  run.simulation().save(state.data());
  const double back[2] = {0.5, 1};
  run.simulation().set_states(back);
  EXPECT_TRUE(run.simulation().update_conditions());
  run.simulation().restore(state.data());
  run.simulation().set_states(back);
  ASSERT_TRUE(run.simulation().calc_state_rates(rates));
  EXPECT_EQ(rates[1], -9);
}

}  // namespace
}  // namespace mechfmu::testing
