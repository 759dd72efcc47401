// What is said about a mechanism before it runs: coordinates, equations, rank, mobility, loops; and
// what is refused. The numbers are counted by hand: a revolute leaves 1 of 6 motions, a planar body
// has 3, a loop in a plane 3 equations too many.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "formulation/four_bar_text.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

struct Count {
  const char* example;
  const char* coordinates;
  int velocities, equations, rank, mobility;
};
void PrintTo(const Count& c, std::ostream* out) { *out << c.example; }

const Count kCounts[] = {
    {"pendulum", "joint", 1, 0, 0, 1},
    {"pendulum", "absolute", 3, 2, 2, 1},
    {"double_pendulum", "absolute", 6, 4, 4, 2},
    {"four_bar", "joint", 3, 2, 2, 1},
    {"four_bar", "absolute", 9, 8, 8, 1},
    {"four_bar", "absolute_spatial", 18, 20, 17, 1},
    {"slider_crank", "joint", 3, 2, 2, 1},
    {"slider_crank", "absolute", 9, 8, 8, 1},
    {"five_bar", "joint", 4, 2, 2, 2},
    {"five_bar", "absolute", 12, 10, 10, 2},
    {"five_bar", "absolute_spatial", 24, 25, 22, 2},
    {"double_loop", "joint", 8, 4, 4, 4},
    {"double_loop", "absolute", 24, 20, 20, 4},
    {"double_loop", "absolute_spatial", 48, 50, 44, 4},
    {"bricard", "joint", 5, 5, 4, 1},
    {"bricard", "absolute", 30, 30, 29, 1},
    {"n_four_bar", "joint", 3, 2, 2, 1},
    {"n_four_bar", "absolute", 9, 8, 8, 1},
    {"coupling_rod", "joint", 4, 4, 3, 1},  // the third wheel is one too many
    {"coupling_rod", "absolute", 12, 12, 11, 1},
    {"coupling_rod", "absolute_spatial", 24, 30, 23, 1},
    {"spatial_loop", "joint", 4, 3, 3, 1},
    {"spatial_loop", "absolute", 18, 17, 17, 1},
    {"cardan_shaft", "joint", 5, 4, 4, 1},
    {"cardan_shaft", "absolute", 24, 23, 23, 1},
    {"scara", "joint", 4, 0, 0, 4},
    {"scara", "absolute", 18, 14, 14, 4},
    {"arm_6r", "joint", 6, 0, 0, 6},
    {"arm_6r", "absolute", 36, 30, 30, 6},
    {"heavy_top", "joint", 3, 0, 0, 3},
    {"heavy_top", "absolute", 6, 3, 3, 3},
    {"tumbling_body", "joint", 6, 0, 0, 6},
    {"tumbling_body", "absolute", 6, 0, 0, 6},
};

class AnalysisOfExample : public ::testing::TestWithParam<Count> {};

TEST_P(AnalysisOfExample, CountsAsByHand) {
  const Count& count = GetParam();
  SystemOptions options;
  options.coordinates = count.coordinates;
  const MechanismRun run(example_text(count.example), options);
  const Analysis& a = run.system().analysis;
  EXPECT_EQ(a.coordinates, count.velocities);
  EXPECT_EQ(a.equations, count.equations);
  EXPECT_EQ(a.rank, count.rank);
  EXPECT_EQ(a.mobility, count.mobility);
  EXPECT_EQ(a.mobility_at_start, count.mobility);
  EXPECT_LE(a.position_residual, tol(1e-11));
  EXPECT_LE(a.velocity_residual, tol(1e-11));
}

INSTANTIATE_TEST_SUITE_P(Examples, AnalysisOfExample, ::testing::ValuesIn(kCounts),
                         [](const ::testing::TestParamInfo<Count>& c) {
                           return std::string(c.param.example) + "_" + c.param.coordinates;
                         });

Analysis analysis_of(const std::string& text, const char* coordinates = "joint") {
  SystemOptions options;
  options.coordinates = coordinates;
  return MechanismRun(text, options).system().analysis;
}

TEST(Analysis, NamesTheLoopByTheJointsRoundIt) {
  const Analysis a = analysis_of(example_text("four_bar"));
  ASSERT_EQ(a.loops.size(), 1u);
  std::vector<std::string> joints = a.loops[0].joints;
  // round the loop neighbours stay neighbours: A and C are opposite
  const auto place = [&](const char* name) {
    return static_cast<int>(std::find(joints.begin(), joints.end(), name) - joints.begin());
  };
  ASSERT_EQ(joints.size(), 4u);
  EXPECT_EQ((place("A") + 2) % 4, place("C"));
  EXPECT_EQ((place("B") + 2) % 4, place("D"));
  EXPECT_EQ(a.loops[0].equations, 5);
  EXPECT_EQ(a.loops[0].redundant, 3);
  EXPECT_FALSE(a.loops[0].explanation.empty());
}

TEST(Analysis, FindsTwoLoopsInTheDoublePentagon) {
  const Analysis a = analysis_of(example_text("double_loop"));
  ASSERT_EQ(a.loops.size(), 2u);
  EXPECT_EQ(a.loops[0].joints.size(), 5u);
  EXPECT_EQ(a.loops[1].joints.size(), 5u);
  EXPECT_EQ(a.cut_joints.size(), 2u);
  EXPECT_EQ(a.tree_joints.size(), 8u);
}

TEST(Analysis, CutsTheJointThatTheUserAsksFor) {
  std::string text = FourBarText().text();
  text.replace(text.find("name=\"B\" type"), 8, "name=\"B\" cut=\"true\"");
  EXPECT_EQ(analysis_of(text).cut_joints, std::vector<std::string>{"B"});
}

// Redundant and kept equations of all loops add up: what is kept is the rank.
TEST(Analysis, KeepsAsManyEquationsAsTheRank) {
  for (const char* example :
       {"four_bar", "five_bar", "double_loop", "bricard", "coupling_rod", "spatial_loop"}) {
    const Analysis a = analysis_of(example_text(example));
    int kept = 0;
    for (const LoopReport& loop : a.loops) kept += loop.equations - loop.redundant;
    EXPECT_EQ(kept, a.rank) << example;
  }
}

TEST(Analysis, SaysWhoseReactionsAreNotUnique) {
  EXPECT_EQ(analysis_of(example_text("five_bar")).indeterminate_joints.size(), 5u);
  EXPECT_TRUE(analysis_of(example_text("spatial_loop")).indeterminate_joints.empty());
}

// Folded parallelogram: all rods on one line, it can leave as a parallelogram or as an
// anti-parallelogram.
TEST(Analysis, RecognisesASingularStart) {
  FourBarText folded;
  folded.crank = folded.coupler = folded.rocker = folded.base = "1";
  folded.start_a = folded.start_b = folded.start_d = R"(<start position="0" fixed="true"/>)";
  for (const char* coordinates : {"joint", "absolute", "absolute_spatial"}) {
    const Analysis a = analysis_of(folded.text(), coordinates);
    EXPECT_EQ(a.mobility, 1) << coordinates;
    EXPECT_EQ(a.mobility_at_start, 2) << coordinates;
  }
}

TEST(Analysis, SeesThatAMechanismMovesInAPlane) {
  EXPECT_TRUE(analysis_of(FourBarText().text(), "absolute").planar);
  EXPECT_FALSE(analysis_of(example_text("spatial_loop"), "absolute").planar);
}

// What cannot be simulated is refused by name.

std::string errors_of(const std::string& text, const char* coordinates = "joint") {
  SystemOptions options;
  options.coordinates = coordinates;
  std::string errors;
  EXPECT_FALSE(make_test_system(text, options, errors).has_value());
  return errors;
}

TEST(Analysis, RefusesALoopThatCannotClose) {
  FourBarText open;
  open.coupler = "2";  // the others reach 0.67 m
  const std::string errors = errors_of(open.text());
  EXPECT_NE(errors.find("E301"), std::string::npos) << errors;
  EXPECT_NE(errors.find("'C'"), std::string::npos) << errors;
}

TEST(Analysis, RefusesFixedStartsThatContradictEachOther) {
  FourBarText contradiction;
  contradiction.start_d = R"(<start position="10 deg" fixed="true"/>)";
  for (const char* coordinates : {"joint", "absolute"}) {
    const std::string errors = errors_of(contradiction.text(), coordinates);
    EXPECT_NE(errors.find("E302"), std::string::npos) << errors;
    EXPECT_NE(errors.find(".position'"), std::string::npos) << errors;
  }
}

TEST(Analysis, RefusesStartVelocitiesThatContradictTheLoop) {
  FourBarText contradiction;
  contradiction.start_d = R"(<start velocity="3" fixed="true"/>)";  // A is at rest
  const std::string errors = errors_of(contradiction.text());
  EXPECT_NE(errors.find("E302"), std::string::npos) << errors;
  EXPECT_NE(errors.find(".velocity'"), std::string::npos) << errors;
}

TEST(Analysis, RefusesACoordinateThatMovesNoInertia) {
  const std::string text = R"(<mechanism name="M">
    <body name="bead"><point mass="1"/></body>
    <joint name="pin" type="revolute" parent="ground" child="bead"/></mechanism>)";
  const std::string errors = errors_of(text);
  EXPECT_NE(errors.find("E303"), std::string::npos) << errors;
  EXPECT_NE(errors.find("pin.position"), std::string::npos) << errors;
}

TEST(Analysis, RefusesAThinRodInSpatialCoordinatesAndNamesTheBody) {
  const std::string errors = errors_of(example_text("pendulum"), "absolute_spatial");
  EXPECT_NE(errors.find("E303"), std::string::npos) << errors;
  EXPECT_NE(errors.find("'bar'"), std::string::npos) << errors;
}

TEST(Analysis, TakesJointCoordinatesByItselfWhereAbsoluteOnesHaveNoInertia) {
  EXPECT_EQ(
      analysis_of(read_project_file("tests/data/iftomm_A01_pendulum.xml"), "auto").formulation,
      "joint");
}

}  // namespace
}  // namespace mechfmu::testing
