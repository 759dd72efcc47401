// From a mechanism to an FMU on disk. References: design.md 6 (content, GUID, reproducibility), the
// rules of FMI in description_rules, and the file system before and after.
#include "build/build.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "emit/description_rules.hpp"
#include "package/archive.hpp"
#include "package/file_io.hpp"
#include "package/temporary_folder.hpp"
#include "validation/validate.hpp"

namespace mechfmu {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPendulum = R"xml(<mechanism name="Swing" gravity="0 -9.81 0">
  <parameter name="length" value="0.7 m"/>
  <body name="bob"><inertial mass="0.4" com="length 0 0" inertia="1e-3 1e-3 1e-3"/></body>
  <joint name="A" type="revolute" parent="ground" child="bob" axis="0 0 1">
    <start position="30 deg" velocity="0" fixed="true"/>
  </joint>
  <input name="tau" unit="N.m"/>
  <force name="motor" type="joint_torque" joint="A" value="tau"/>
  <output name="angle" value="A.position"/>
  <output name="load" value="norm(A.force)"/>
  <experiment stop="2 s" step="10 ms"/>
</mechanism>
)xml";

class BuildFmu : public testing::Test {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    folder_ = TemporaryFolder::make(diagnostics);
    ASSERT_TRUE(folder_);
    output_ = folder_->path() + "/Swing.fmu";
  }

  // Builds from text; the path is what the user would have given for the file.
  std::optional<BuildResult> build(const std::string& text, const BuildOptions& options,
                                   const std::string& path = "swing.xml") {
    const SourceText source(path, text);
    const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics_);
    if (!mechanism) return std::nullopt;
    const std::optional<SystemModel> system =
        make_system(*mechanism, system_options_, diagnostics_);
    if (!system) return std::nullopt;
    return build_fmu(*system, source, options, diagnostics_);
  }
  [[nodiscard]] BuildOptions make_options() const {
    BuildOptions options;
    options.output = output_;
    return options;
  }
  [[nodiscard]] std::string messages() const {
    std::string text;
    for (const Diagnostic& d : diagnostics_.all()) text += d.code + " " + d.message + "\n";
    return text;
  }
  [[nodiscard]] std::string bytes_of(const std::string& path) const {
    std::string bytes;
    EXPECT_EQ(read_file(path, std::uint64_t{1} << 28, bytes), "");
    return bytes;
  }
  [[nodiscard]] std::size_t count_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_->path()), {}));
  }
  static std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, from.size(), to);
  }

  std::unique_ptr<TemporaryFolder> folder_;
  std::string output_;
  Diagnostics diagnostics_;
  SystemOptions system_options_;
};

TEST_F(BuildFmu, MakesAnFmuWithEverythingThatBelongsIn) {
  const auto result = build(kPendulum, make_options());
  ASSERT_TRUE(result) << messages();
  EXPECT_EQ(result->fmu_bytes, fs::file_size(output_));
  EXPECT_LT(result->fmu_bytes, 100'000u);
  EXPECT_EQ(result->needed, "libm.so.6 libc.so.6");
  EXPECT_GT(result->cpu_seconds, 0);
  const auto files = read_archive(output_, diagnostics_);
  ASSERT_TRUE(files) << messages();
  std::vector<std::string> names;
  for (const ArchiveFile& file : *files) names.push_back(file.name);
  ASSERT_EQ(names.size(), 9u);
  EXPECT_EQ(names[0], "modelDescription.xml");
  EXPECT_EQ(names[1], "model.png");
  EXPECT_TRUE(names[2].starts_with("binaries/") && names[2].ends_with("/Swing.so")) << names[2];
  EXPECT_EQ(names[3], "documentation/index.html");
  EXPECT_EQ(names[4], "documentation/licenses/license.txt");
  EXPECT_EQ(names[5], "resources/scene.json");
  EXPECT_EQ(names[6], "resources/mechanism.xml");
  EXPECT_EQ(names[7], "terminalsAndIcons/terminalsAndIcons.xml");
  EXPECT_EQ(names[8], "terminalsAndIcons/icon.png");
  EXPECT_EQ((*files)[8].content, (*files)[1].content);
  EXPECT_EQ((*files)[2].content.size(), result->library_bytes);
  EXPECT_EQ((*files)[6].content, kPendulum);
  EXPECT_EQ(test::find_description_faults((*files)[0].content), std::vector<std::string>{});
  EXPECT_NE((*files)[0].content.find("guid=\"" + result->guid + "\""), std::string::npos);
  EXPECT_NE((*files)[2].content.find(result->guid), std::string::npos);
}

TEST_F(BuildFmu, NothingInItDependsOnPlaces) {
  const auto first = build(kPendulum, make_options());
  ASSERT_TRUE(first) << messages();
  const std::string expected = bytes_of(output_);

  ASSERT_EQ(make_folders(folder_->path() + "/elsewhere/tmp"), "");
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before != nullptr ? before : "/tmp";
  setenv("TMPDIR", (folder_->path() + "/elsewhere/tmp").c_str(), 1);
  BuildOptions options;
  options.output = folder_->path() + "/elsewhere/other_name.fmu";
  const auto second = build(kPendulum, options, "/some/other/file.xml");
  setenv("TMPDIR", saved.c_str(), 1);
  ASSERT_TRUE(second) << messages();
  EXPECT_EQ(second->guid, first->guid);
  EXPECT_EQ(bytes_of(options.output), expected);
  EXPECT_TRUE(fs::is_empty(folder_->path() + "/elsewhere/tmp"));
}

TEST_F(BuildFmu, GuidChangesWithWhateverChangesResults) {
  const auto original = build(kPendulum, make_options());
  ASSERT_TRUE(original) << messages();
  const auto longer = build(with(kPendulum, "0.7 m", "0.8 m"), make_options());
  ASSERT_TRUE(longer) << messages();
  EXPECT_NE(longer->guid, original->guid);
  const auto reworded = build(std::string(kPendulum) + "<!-- a remark -->\n", make_options());
  ASSERT_TRUE(reworded) << messages();
  EXPECT_EQ(reworded->guid, original->guid);
  system_options_.step = 5e-4;
  const auto finer = build(kPendulum, make_options());
  ASSERT_TRUE(finer) << messages();
  EXPECT_NE(finer->guid, original->guid);
}

TEST_F(BuildFmu, SourceStaysOutsideIfTheUserWantsIt) {
  BuildOptions options = make_options();
  options.carry_source = false;
  ASSERT_TRUE(build(kPendulum, options)) << messages();
  const auto files = read_archive(output_, diagnostics_);
  ASSERT_TRUE(files);
  for (const ArchiveFile& file : *files) {
    EXPECT_NE(file.name, "resources/mechanism.xml");
    if (file.name != "documentation/index.html") continue;
    EXPECT_NE(file.content.find("The mechanism file is not in this FMU"), std::string::npos);
  }
}

TEST_F(BuildFmu, KeepLeavesSourcesAndDescription) {
  BuildOptions options = make_options();
  options.keep = folder_->path() + "/kept/here";
  ASSERT_TRUE(build(kPendulum, options)) << messages();
  for (const char* name : {"kernels.cpp", "tables.cpp", "modelDescription.xml"})
    EXPECT_TRUE(fs::exists(options.keep + "/" + name)) << name;
}

TEST_F(BuildFmu, MachineWithoutCompilerGetsAMessageAndNoFile) {
  setenv("CXX", "/nowhere/g++", 1);
  EXPECT_FALSE(build(kPendulum, make_options()));
  unsetenv("CXX");
  ASSERT_EQ(diagnostics_.error_count(), 1) << messages();
  EXPECT_EQ(diagnostics_.all().back().code, "S601");
  EXPECT_EQ(count_files(), 0u);
}

TEST_F(BuildFmu, CompilerThatFailsLeavesTheOldFile) {
  ASSERT_EQ(write_file(output_, "old", IfExists::fail), "");
  setenv("CXX", "false", 1);
  EXPECT_FALSE(build(kPendulum, make_options()));
  unsetenv("CXX");
  EXPECT_TRUE(diagnostics_.has_errors());
  EXPECT_EQ(bytes_of(output_), "old");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(BuildFmu, OutputThatCannotBeWrittenIsSaidBeforeTheWork) {
  setenv("CXX", "/nowhere/g++", 1);  // would be an error of its own if it were looked for
  BuildOptions options = make_options();
  options.output = folder_->path() + "/none/Swing.fmu";
  EXPECT_FALSE(build(kPendulum, options));
  unsetenv("CXX");
  ASSERT_EQ(diagnostics_.error_count(), 1) << messages();
  EXPECT_EQ(diagnostics_.all().back().code, "S610");
}

}  // namespace
}  // namespace mechfmu
