// Steps that cannot be completed: whatever the scheme and the integrator, the step is refused, the
// state is bit for bit what it was, the reason names the constraint and the time, and a step that
// ends before the trouble is made as if nothing had happened.
#include <cmath>

#include "formulation/four_bar_text.hpp"
#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

// What is asked of x has no value after 0.1 s.
const char* const kEndsInNothing = R"xml(<equations name="N">
  <coordinate name="x" start="0.3162" mass="1"/><coordinate name="y" mass="1"/><force on="y" value="-9.81"/>
  <holonomic name="root" value="x - sqrt(0.1 - time)"/></equations>)xml";

// A crank is driven beyond what the coupler can reach, at 0.2 s: the loop cannot be closed.
const char* const kOutOfReach = R"xml(<mechanism name="R" gravity="0 -9.81 0">
  <ground><frame name="D" xyz="1.5 0 0"/></ground>
  <body name="slide"><inertial mass="1" com="0 0 0" inertia="0.1 0.1 0.1"/></body>
  <body name="bar"><inertial mass="1" com="0.5 0 0" inertia="0.1 0.1 0.1"/><frame name="tip" xyz="1 0 0"/></body>
  <joint name="P" type="prismatic" parent="ground" child="slide" axis="1 0 0"/>
  <joint name="A" type="revolute" parent="slide" child="bar" axis="0 0 1"><start position="-0.5"/></joint>
  <joint name="L" type="point_on_plane" parent="ground.D" child="bar.tip" axis="1 0 0"/>
  <drive name="push" joint="P" position="0.6 - time"/></mechanism>)xml";

// A force that is not a number after 0.1 s, on a mechanism with a loop.
const char* const kForceEnds = R"xml(<equations name="F">
  <coordinate name="x" start="0.6" mass="2"/><coordinate name="y" start="-0.8" mass="2"/>
  <force on="x" value="log(0.1 - time)"/><holonomic name="rod" value="(x^2 + y^2 - 1)/2"/></equations>)xml";

struct Trouble {
  const char* name;
  const char* text;
  double safe, fatal;       // step lengths: before and across it
  const char* blamed;       // part of the reason
  const char* or_blamed;    // where two constraints contradict each other, either is right
  bool by_projection_only;  // others may go on, with a residual
};

class Failure : public ::testing::TestWithParam<Trouble> {};

void expect_refusal(SchemeRun& run, const std::string& id) {
  const Trouble& trouble = Failure::GetParam();
  run.advance(trouble.safe);
  runtime::Simulation& simulation = run.simulation();
  std::vector<char> before(simulation.state_bytes()), after(before.size());
  simulation.save(before.data());
  const bool done = simulation.advance(simulation.time(), trouble.fatal);
  if (done && trouble.by_projection_only) return;
  ASSERT_FALSE(done) << id;
  const std::string reason = simulation.failure();
  EXPECT_TRUE(reason.find(trouble.blamed) != std::string::npos ||
              reason.find(trouble.or_blamed) != std::string::npos)
      << id << ": " << reason;
  EXPECT_NE(reason.find("t=0."), std::string::npos) << id << ": " << reason;
  simulation.save(after.data());
  EXPECT_EQ(before, after) << id;
  // a shorter step is made, with the bits of an instance that never failed
  run.advance(0.01);
  std::vector<char> once_failed(before.size()), never(before.size());
  simulation.save(once_failed.data());
  simulation.restore(before.data());
  run.advance(0.01);
  simulation.save(never.data());
  EXPECT_EQ(once_failed, never) << id;
}

TEST_P(Failure, IsRefusedWithTheReasonAndChangesNothing) {
  for (const SchemeType& scheme : scheme_types()) {
    SchemeRun run(GetParam().text, {std::string(scheme.id), 1e-3});
    expect_refusal(run, std::string(scheme.id));
  }
  for (const IntegratorType& integrator : integrator_types()) {
    SchemeRun run(GetParam().text, {"projection", 1e-3, {}, std::string(integrator.id)});
    expect_refusal(run, "projection with " + std::string(integrator.id));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Failure,
                         ::testing::Values(Trouble{"a_constraint_without_value", kEndsInNothing,
                                                   0.05, 0.1, "constraint 'root'",
                                                   "constraint 'root'", false},
                                           Trouble{"a_loop_out_of_reach", kOutOfReach, 0.02, 0.3,
                                                   "joint 'L'", "drive 'push'", true},
                                           Trouble{"a_force_without_value", kForceEnds, 0.05, 0.1,
                                                   "a force", "a force", false}),
                         [](const auto& test) { return std::string(test.param.name); });

// What holds positions by projection must refuse; the others may not be silent about it either:
// their residual says it.
TEST(OutOfReach, IsSeenByEveryScheme) {
  for (const SchemeType& scheme : scheme_types()) {
    SchemeRun run(kOutOfReach, {std::string(scheme.id), 1e-3});
    const bool done = run.simulation().advance(0, 0.3);
    if (done) {
      EXPECT_GT(run.get("constraint.residual"), 1e-3) << scheme.id;
    }
    const bool projects = std::string(scheme.id).find("projection") != std::string::npos ||
                          scheme.id == "partitioning" || scheme.id == "pseudoinverse";
    if (projects) {
      EXPECT_FALSE(done) << scheme.id;
    }
  }
}

// A singular pose does not stop a mechanism; the first one is told, with loop and time.
TEST(LostRank, IsToldOnceWithLoopAndTime) {
  FourBarText text;  // a parallelogram, folded
  text.crank = text.coupler = text.rocker = text.base = "1";
  text.start_a = R"(<start position="0" velocity="2" fixed="true"/>)";
  text.start_b = R"(<start position="0" velocity="-2" fixed="true"/>)";
  text.start_d = R"(<start position="0" velocity="2" fixed="true"/>)";
  SchemeRun run(text.text(), {"projection", 1e-3, {}, "rk4", "joint"});
  EXPECT_EQ(run.simulation().take_notice(), nullptr);
  run.advance(0.01);
  const char* notice = run.simulation().take_notice();
  ASSERT_NE(notice, nullptr);
  EXPECT_NE(std::string(notice).find("t=0: the equations of joint 'C' lost rank"),
            std::string::npos)
      << notice;
  run.advance(2);
  EXPECT_EQ(run.simulation().take_notice(), nullptr);
}

}  // namespace
}  // namespace mechfmu::testing
