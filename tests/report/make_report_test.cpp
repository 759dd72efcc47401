// What a report shows of a run. Reference for poses: the FMU's own outputs X.position and
// X.quaternion, which compiled kernels compute; for reactions: weight.
#include <regex>

#include "recorded_fmu.hpp"

namespace mechfmu::testing {
namespace {

// The example with outputs for the pose of every body: "pose_0_0" ... "pose_0_6".
std::string with_pose_outputs(const std::string& example) {
  std::string text = read_project_file("resources/examples/" + example + "/" + example + ".xml");
  Diagnostics diagnostics;
  const auto mechanism = load_mechanism(SourceText("example", text), diagnostics);
  std::string outputs;
  for (std::size_t b = 0; b < mechanism->bodies.size(); ++b)
    for (int k = 0; k < 7; ++k)
      outputs +=
          "<output name=\"pose_" + std::to_string(b) + "_" + std::to_string(k) + "\" value=\"" +
          mechanism->bodies[b].name.text +
          (k < 3 ? ".position[" + std::to_string(k + 1) : ".quaternion[" + std::to_string(k - 2)) +
          "]\"/>\n";
  const std::size_t end = text.rfind("</mechanism>");
  return text.insert(end, outputs);
}

void expect_poses_of_outputs(const std::string& example, const std::string& coordinates,
                             std::vector<std::pair<std::string, std::string>> start_values = {}) {
  SCOPED_TRACE(example + " " + coordinates);
  SystemOptions options;
  options.coordinates = coordinates;
  const BuiltFmu built(with_pose_outputs(example), options);
  const Recording recording = record(built.fmu(), 0.4, 0.02, std::move(start_values));
  const Report report = report_of(built.fmu(), recording);
  ASSERT_FALSE(report.poses.empty());
  double largest = 0, moved = 0;
  for (std::size_t b = 0; b < report.poses.size(); ++b)
    for (std::size_t k = 0; k < 7; ++k) {
      const auto* output = recording.find("pose_" + std::to_string(b) + "_" + std::to_string(k));
      ASSERT_NE(output, nullptr);
      ASSERT_EQ(output->size(), report.poses[b][k].size());
      for (std::size_t row = 0; row < output->size(); ++row) {
        largest = std::max(largest, std::fabs((*output)[row] - report.poses[b][k][row]));
        moved = std::max(moved, std::fabs((*output)[row] - (*output)[0]));
      }
    }
  EXPECT_LT(largest, 1e-12);
  EXPECT_GT(moved, 1e-3) << "nothing moves: the test proves nothing";
}

TEST(MakeReport, PosesAreThoseOfTheOutputs) {
  expect_poses_of_outputs("four_bar", "joint");
  expect_poses_of_outputs("four_bar", "absolute");
  expect_poses_of_outputs("spatial_loop", "joint");
  expect_poses_of_outputs("spatial_loop", "absolute_spatial");
}

TEST(MakeReport, PosesFollowParametersThatTheRunSets) {
  expect_poses_of_outputs("four_bar", "joint", {{"crank", "0.1"}, {"rocker_length", "0.27"}});
}

// The drawing too: the crank is as long as the run had it.
TEST(MakeReport, SceneIsThatOfTheRun) {
  const BuiltFmu built(read_project_file("resources/examples/four_bar/four_bar.xml"));
  const Report report = report_of(built.fmu(), record(built.fmu(), 0.1, 0.05, {{"crank", "0.1"}}));
  EXPECT_TRUE(report.is_planar);
  EXPECT_NE(report.scene.find("\"point\": [0.1, 0, 0]"), std::string::npos) << report.scene;
}

// Hangs at rest from a hinge whose frame is turned by 90 degrees: the hinge carries the weight, up.
TEST(MakeReport, ReactionsAreInWorldAxes) {
  SystemOptions options;
  options.expose = "all";
  const BuiltFmu built(R"(<mechanism name="Hanging" gravity="0 -10 0">
    <ground><frame name="hook" rpy="0 0 90 deg"/></ground>
    <body name="bar"><point mass="3" xyz="0.5 0 0"/></body>
    <joint name="A" type="revolute" parent="ground.hook" child="bar" axis="0 0 1">
      <start position="180 deg" fixed="true"/></joint>
  </mechanism>)",
                       options);
  const Report report = report_of(built.fmu(), record(built.fmu(), 0.1, 0.1));
  ASSERT_EQ(report.reactions.size(), 1u);
  EXPECT_EQ(report.reactions[0].joint, "A");
  EXPECT_NEAR(report.reactions[0].force[0].back(), 0, 1e-9);
  EXPECT_NEAR(report.reactions[0].force[1].back(), 30, 1e-9);
  EXPECT_NEAR(report.reactions[0].force[2].back(), 0, 1e-9);
}

TEST(MakeReport, ShowsOutputsNotStates) {
  const BuiltFmu built(read_project_file("resources/examples/four_bar/four_bar.xml"));
  const Report report = report_of(built.fmu(), record(built.fmu(), 0.1, 0.05));
  std::string shown, all;
  for (const ReportVariable& v : report.variables) {
    all += v.name + " ";
    if (v.shown) shown += v.name + " ";
  }
  EXPECT_EQ(shown,
            "crank_angle crank_speed rocker_angle pen_x pen_y pin_load total_energy "
            "closure_error ");
  EXPECT_NE(all.find("constraint.residual"), std::string::npos);
  EXPECT_EQ(all.find("state."), std::string::npos);
  EXPECT_EQ(all.find("crank "), std::string::npos) << "a parameter is in its table";
  EXPECT_EQ(report.parameters.front().name, "crank");
  EXPECT_EQ(report.parameters.front().value, "0.12");
  EXPECT_EQ(report.parameters.front().unit, "m");
}

std::string find_version(const Report& report, const std::string& label) {
  for (const auto& [name, text] : report.versions)
    if (name == label) return text;
  return "none";
}

// The FMU does not say it in its description: the scheme comes from the command that built it.
TEST(MakeReport, TellsSchemeAndIntegrator) {
  const std::string text = read_project_file("resources/examples/four_bar/four_bar.xml");
  SystemOptions options;
  options.scheme = SchemeChoice{"baumgarte", {{"alpha", "20"}}, std::nullopt};
  options.integrator = "heun";
  const BuiltFmu chosen(text, options);
  const Report one = report_of(chosen.fmu(), record(chosen.fmu(), 0.1, 0.1));
  EXPECT_EQ(find_version(one, "scheme"), "baumgarte");
  EXPECT_EQ(find_version(one, "integrator"), "heun");
  EXPECT_EQ(find_version(one, "internal step"), "0.001 s");
  EXPECT_EQ(find_version(one, "FMU guid"), chosen.description().guid);

  options = {};
  options.scheme = SchemeChoice{"taylor2", {}, std::nullopt};
  const BuiltFmu own(text, options);
  const Report two = report_of(own.fmu(), record(own.fmu(), 0.1, 0.1));
  EXPECT_EQ(find_version(two, "scheme"), "taylor2");
  EXPECT_EQ(find_version(two, "integrator"), "none") << "taylor2 is its own stepper";
}

// Without the mechanism in the FMU the scene names variables; equations have nothing to draw.
TEST(MakeReport, FallsBack) {
  const std::string text = read_project_file("resources/examples/four_bar/four_bar.xml");
  const SourceText source("four_bar.xml", text);
  Diagnostics diagnostics;
  SystemOptions options;
  options.expose = "all";
  const auto system = make_system(*load_mechanism(source, diagnostics), options, diagnostics);
  const test::TestFolder folder;
  BuildOptions build;
  build.output = folder / "bare.fmu";
  build.carry_source = false;
  ASSERT_TRUE(build_fmu(*system, source, build, diagnostics));
  const auto fmu = Fmu::open(build.output, diagnostics);
  ASSERT_TRUE(fmu->load(diagnostics));
  const Report bare = report_of(*fmu, record(*fmu, 0.1, 0.05));
  EXPECT_TRUE(bare.poses.empty());
  EXPECT_TRUE(bare.is_planar);
  EXPECT_NE(bare.scene.find("\"position\": ["), std::string::npos);
  EXPECT_NE(bare.scene.find("crank_link.position[1]"), std::string::npos);

  const BuiltFmu equations(
      R"(<equations name="Skate"><coordinate name="x" velocity="1" mass="2"/></equations>)");
  const Report flat = report_of(equations.fmu(), record(equations.fmu(), 0.1, 0.05));
  EXPECT_TRUE(flat.scene.empty());
  EXPECT_EQ(flat.variables.front().name, "x");
  EXPECT_TRUE(flat.variables.front().shown);
}

TEST(MakeReport, RunsAreLaidOverEachOther) {
  ReportSources sources;
  sources.recordings.push_back({"a.csv", {"x", "y"}, {0, 1}, {{1, 2}, {3, 4}}, 2});
  sources.recordings.push_back({"b.csv", {"z", "y"}, {0, 2}, {{5, 6}, {7, 8}}, 2});
  const Report report = make_report(std::move(sources));
  ASSERT_EQ(report.variables.size(), 3u);
  ASSERT_EQ(report.runs.size(), 2u);
  EXPECT_EQ(report.runs[1].columns[1], (std::vector<double>{7, 8}));  // y
  EXPECT_TRUE(report.runs[1].columns[0].empty());                     // x
  EXPECT_TRUE(report.runs[0].columns[2].empty());                     // z
}

// Local variables beyond the room of a page are left out and counted; outputs never are.
TEST(MakeReport, LeavesOutWhatDoesNotFit) {
  ModelDescription description;
  description.generation_tool = "another tool";
  for (int i = 0; i < 500; ++i) {
    FmuVariable v;
    v.name = "v" + std::to_string(i);
    v.causality = i < 20 ? FmuVariable::Causality::output : FmuVariable::Causality::local;
    description.variables.push_back(v);
  }
  EXPECT_EQ(choose_observed(description, {}, 100).left_out, 0u);
  const Observed observed = choose_observed(description, {"v499"}, 1000);
  EXPECT_GT(observed.left_out, 0u);
  EXPECT_EQ(observed.variables.size() + observed.left_out, 500u);
  EXPECT_EQ(observed.variables.back()->name, "v499") << "asked for by name";
}

}  // namespace
}  // namespace mechfmu::testing
