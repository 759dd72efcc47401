// Model exchange of built FMUs by a host that finds events: closed forms, and co-simulation of the
// same FMU.
#include "fmu/exchange_host.hpp"
#include "harness/validate/validate_fmu.hpp"

namespace mechfmu::testing {
namespace {

// A mass flies to a stop at x = 1 with a spring of 100 rad/s and comes back.
const char* const kStop = R"xml(<mechanism name="Stop" gravity="0 0 0">
  <body name="b"><inertial mass="1" inertia="1 1 1"/></body>
  <joint name="A" type="prismatic" parent="ground" child="b" axis="1 0 0">
    <start position="0" velocity="1" fixed="true"/></joint>
  <force name="stop" type="joint_limit" joint="A" upper="1" stiffness="10000" damping="0"/>
  <output name="x" value="A.position"/><output name="v" value="A.velocity"/>
  <solve integrator="dopri5"/><experiment stop="1.5"/>
  </mechanism>)xml";

// A crank with a motor that is switched at an angle, a slider with stops at both ends, friction.
const char* const kSwitched = R"xml(<mechanism name="Switched" gravity="0 -9.81 0">
  <parameter name="k" value="3000 N/m"/>
  <body name="crank"><rod length="0.1" mass="0.5" axis="1 0 0" com="0.05 0 0"/><frame name="tip" xyz="0.1 0 0"/></body>
  <body name="rod"><rod length="0.3" mass="0.8" axis="1 0 0" com="0.15 0 0"/><frame name="tip" xyz="0.3 0 0"/></body>
  <body name="slider"><inertial mass="1" inertia="1e-3 1e-3 1e-3"/></body>
  <joint name="A" type="revolute" parent="ground" child="crank" axis="0 0 1"><start position="40 deg" velocity="3" fixed="true"/></joint>
  <joint name="B" type="revolute" parent="crank.tip" child="rod" axis="0 0 1"><start position="-50 deg"/></joint>
  <joint name="C" type="revolute" parent="rod.tip" child="slider" axis="0 0 1"/>
  <joint name="S" type="prismatic" parent="ground" child="slider" axis="1 0 0"/>
  <force name="motor" type="joint_torque" joint="A" value="if(sin(A.position) &gt; 0.2, 2, -0.5)"/>
  <force name="stops" type="joint_limit" joint="S" lower="0.25" upper="0.37" stiffness="k" damping="20" transition="0.002"/>
  <force name="friction" type="friction" joint="S" coulomb="2" viscous="1" velocity="0.05"/>
  <output name="angle" value="A.position"/><output name="x" value="S.position"/><output name="speed" value="S.velocity"/>
  <solve integrator="dopri5"/><experiment stop="2"/>
  </mechanism>)xml";

TEST(BuiltExchange, AStopIsFoundByAHostThatLooksForEvents) {
  const BuiltFmu built(kStop);
  EXPECT_GT(ExchangeHost::count_indicators(built), 0U);
  ExchangeHost host(built);
  host.initialize();
  host.advance(0.9);
  EXPECT_EQ(host.events, 0);
  host.advance(1.5);
  EXPECT_GE(host.events, 2);  // touched and left
  const double back = 1.5 - 1 - M_PI / 100;
  EXPECT_NEAR(host.get("x"), 1 - back, tol(1e-7));
  EXPECT_NEAR(host.get("v"), -1, tol(1e-6));
}

TEST(BuiltExchange, AgreesWithCoSimulationThroughStopsAndSwitches) {
  BuiltFmu built(kSwitched);
  ExchangeHost host(built);
  host.initialize();
  const auto instance = built.instantiate();
  ASSERT_EQ(instance->set_real({built.reference("solver.tolerance")}, {1e-10}), fmi2OK);
  ASSERT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
  ASSERT_EQ(instance->enter_initialization_mode(), fmi2OK);
  ASSERT_EQ(instance->exit_initialization_mode(), fmi2OK);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(instance->do_step(0.1 * i, 0.1), fmi2OK) << instance->last_message();
    host.advance(0.1 * (i + 1));
    for (const char* name : {"angle", "x", "speed"}) {
      std::vector<double> value;
      ASSERT_EQ(instance->get_real({built.reference(name)}, value), fmi2OK);
      EXPECT_NEAR(host.get(name), value[0], tol(1e-6) * (1 + std::fabs(value[0]))) << name << i;
    }
  }
  EXPECT_GT(host.events, 5);
}

TEST(BuiltExchange, OfMechanismsWithEventsHasNoFinding) {
  for (const char* xml : {kStop, kSwitched}) {
    const BuiltFmu built(xml);
    ValidateOptions options;
    options.is_strict = true;
    Diagnostics diagnostics;
    const auto report = validate_fmu(built.path(), options, diagnostics);
    ASSERT_TRUE(report);
    for (const fmu_check::Finding& finding : report->findings.all())
      ADD_FAILURE() << fmu_check::rule_text(finding.rule).id << " at "
                    << fmu_check::place_text(finding.place) << ": " << finding.message;
  }
}

}  // namespace
}  // namespace mechfmu::testing
