// What is inside an FMU, on real ones: files that a mechanism refers to, a build from what is
// carried, and a library compiled from the carried sources alone. References: the shipped binary,
// bit for bit; the official schemas where they are at hand.
#include <algorithm>
#include <filesystem>

#include "build/compiler.hpp"
#include "build/fmu_contents.hpp"
#include "build/process.hpp"
#include "fmu/built_fmu.hpp"

namespace mechfmu::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTableMechanism = R"xml(<mechanism name="Cam" gravity="0 -9.81 0">
  <table name="profile" file="./data/profile.csv"/>
  <body name="bar"><rod length="1" mass="1" axis="1 0 0" com="0.5 0 0"/></body>
  <joint name="J" type="revolute" parent="ground" child="bar" axis="0 0 1"/>
  <force name="motor" type="joint_torque" joint="J" value="profile(time)"/>
  <output name="angle" value="J.position"/>
</mechanism>)xml";
constexpr const char* kProfile = "t,value\n0,0\n1,2\n3,1\n";

struct Built {
  std::optional<BuildResult> result;
  std::vector<ArchiveFile> files;

  [[nodiscard]] const ArchiveFile* find(const std::string& name) const {
    const auto found = std::find_if(files.begin(), files.end(),
                                    [&](const ArchiveFile& f) { return f.name == name; });
    return found == files.end() ? nullptr : &*found;
  }
};

Built build(const test::TestFolder& folder, const std::string& path, const std::string& xml,
            const SystemOptions& system_options, BuildOptions options) {
  const SourceText source(path, xml);
  Diagnostics diagnostics;
  Built built;
  std::optional<SystemModel> system;
  if (const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics))
    system = make_system(*mechanism, system_options, diagnostics);
  options.output = folder / "out.fmu";
  if (system) built.result = build_fmu(*system, source, options, diagnostics);
  EXPECT_TRUE(built.result.has_value()) << render(diagnostics, source);
  if (auto files = read_archive(options.output, diagnostics)) built.files = std::move(*files);
  return built;
}

TEST(Contents, TablesAreCarriedWhereTheMechanismLooksForThem) {
  const test::TestFolder folder;
  folder.write("data/profile.csv", kProfile);
  const Built built = build(folder, folder / "cam.xml", kTableMechanism, {}, {});
  ASSERT_NE(built.find("resources/data/profile.csv"), nullptr);
  EXPECT_EQ(built.find("resources/data/profile.csv")->content, kProfile);

  // from the carried files alone, the same FMU
  const test::TestFolder second;
  for (const ArchiveFile& file : built.files)
    if (file.name.starts_with("resources/")) second.write(file.name, file.content);
  const Built again = build(second, second / "resources/mechanism.xml",
                            built.find("resources/mechanism.xml")->content, {}, {});
  EXPECT_EQ(again.result->guid, built.result->guid);

  BuildOptions secret;
  secret.carry_source = false;
  const Built without = build(folder, folder / "cam.xml", kTableMechanism, {}, secret);
  EXPECT_EQ(without.find("resources/data/profile.csv"), nullptr);
  EXPECT_EQ(without.find("resources/mechanism.xml"), nullptr);
  EXPECT_NE(without.find("resources/scene.json"), nullptr);
}

TEST(Contents, EquationsHaveAnIconButNoSceneAndNoTerminals) {
  const test::TestFolder folder;
  const Built built = build(folder, "m.xml", example_text("welch_slider_crank"), {}, {});
  std::vector<std::string> names;
  for (const ArchiveFile& file : built.files)
    if (!file.name.starts_with("binaries/")) names.push_back(file.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "modelDescription.xml", "model.png", "documentation/index.html",
                       "documentation/licenses/license.txt", "resources/mechanism.xml"}));
}

class SourceFmuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    BuildOptions options;
    options.with_sources = true;
    built_ = build(folder_, "four_bar.xml", example_text("four_bar"), {}, options);
    fs::create_directory(folder_ / "unpacked");
    for (const ArchiveFile& file : built_.files)
      folder_.write("unpacked/" + file.name, file.content);
  }

  // Runs what a user would type in the unpacked FMU.
  [[nodiscard]] ProcessResult run(const std::string& command) const {
    ProcessRequest request;
    request.command = {"/bin/sh", "-c", command};
    request.folder = folder_ / "unpacked";
    return run_process(request);
  }

  // All that the FMU computes after half a second with a torque.
  static std::vector<double> simulate(const std::string& path) {
    Diagnostics diagnostics;
    const std::unique_ptr<Fmu> fmu = Fmu::open(path, diagnostics);
    if (!fmu || !fmu->load(diagnostics)) throw std::runtime_error("cannot be loaded: " + path);
    const auto instance = fmu->instantiate(
        "i", [](const FmuMessage&) {}, CallLog(), false, diagnostics);
    EXPECT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
    EXPECT_EQ(instance->enter_initialization_mode(), fmi2OK);
    EXPECT_EQ(instance->exit_initialization_mode(), fmi2OK);
    EXPECT_EQ(instance->set_real({fmu->description().find("tau")->value_reference}, {0.3}), fmi2OK);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(instance->do_step(i * 0.01, 0.01), fmi2OK);
    std::vector<fmi2ValueReference> references;
    for (const FmuVariable& v : fmu->description().variables)
      if (v.causality == FmuVariable::Causality::output) references.push_back(v.value_reference);
    std::vector<double> values;
    EXPECT_EQ(instance->get_real(references, values), fmi2OK);
    return values;
  }

  test::TestFolder folder_;
  Built built_;
};

TEST_F(SourceFmuTest, CompiledByTheDocumentedCommandGivesTheSameBits) {
  if (find_program("g++").empty()) GTEST_SKIP() << "g++ is not installed";
  const ProcessResult compiled = run(make_compile_command("FourBar"));
  ASSERT_TRUE(compiled.is_success()) << compiled.output;
  std::vector<ArchiveFile> files = built_.files;
  const std::string library = test::read_text(folder_ / "unpacked/FourBar.so");
  for (ArchiveFile& file : files)
    if (file.name.starts_with("binaries/")) {
      ASSERT_NE(file.content, library);
      file.content = library;
    }
  folder_.write("copy.fmu", make_archive(files));
  EXPECT_EQ(simulate(folder_ / "copy.fmu"), simulate(folder_ / "out.fmu"));
}

// Reference: FMI 2.0.4 on FMI2_FUNCTION_PREFIX; two models in one program must not meet.
TEST_F(SourceFmuTest, WithoutOverrideEverySymbolHasTheModelsName) {
  if (find_program("g++").empty()) GTEST_SKIP() << "g++ is not installed";
  if (find_program("nm").empty()) GTEST_SKIP() << "nm is not installed";
  const ProcessResult compiled =
      run("g++ -std=c++20 -O0 -fPIC -fno-exceptions -fno-rtti -Isources -shared sources/*.cpp -lm "
          "-Wl,-z,defs -o prefixed.so");
  ASSERT_TRUE(compiled.is_success()) << compiled.output;
  const ProcessResult names = run("nm -D --defined-only prefixed.so | grep -v FourBar_ || true");
  // templates of the C++ library have weak symbols with its own names
  const ProcessResult own =
      run("nm -D --defined-only prefixed.so | grep -v FourBar_ | "
          "grep -v ' [WuV] ' || true");
  EXPECT_EQ(own.output, "") << names.output;
  const ProcessResult prefixed = run("nm -D --defined-only prefixed.so | grep -c ' FourBar_fmi2'");
  EXPECT_GE(std::stoi(prefixed.output), 34) << prefixed.output;
}

TEST_F(SourceFmuTest, ListsExactlyTheFilesThatAreCompiled) {
  const ArchiveFile* description = built_.find("modelDescription.xml");
  const ArchiveFile* build_description = built_.find("sources/buildDescription.xml");
  ASSERT_TRUE(description != nullptr && build_description != nullptr);
  int compiled = 0;
  for (const ArchiveFile& file : built_.files) {
    if (!file.name.starts_with("sources/") || !file.name.ends_with(".cpp")) continue;
    ++compiled;
    const std::string name = file.name.substr(8);
    EXPECT_TRUE(name.starts_with("FourBar_")) << name;
    EXPECT_NE(description->content.find("<File name=\"" + name + "\"/>"), std::string::npos);
    EXPECT_NE(build_description->content.find("<SourceFile name=\"" + name + "\"/>"),
              std::string::npos);
  }
  EXPECT_GT(compiled, 20);
  // the same model, with or without its sources
  const test::TestFolder other;
  EXPECT_EQ(build(other, "x.xml", example_text("four_bar"), {}, {}).result->guid,
            built_.result->guid);
}

TEST_F(SourceFmuTest, DescriptionsMeetTheOfficialSchemas) {
  const std::string schemas = std::string(MECHFMU_PROJECT_DIR) + "/../shared/xsd/";
  if (!fs::exists(schemas)) GTEST_SKIP() << "the official schemas are not here";
  if (find_program("xmllint").empty()) GTEST_SKIP() << "xmllint is not installed";
  for (const auto& [schema, file] :
       {std::pair{"fmi2/fmi2ModelDescription.xsd", "modelDescription.xml"},
        std::pair{"fmi3/fmi3BuildDescription.xsd", "sources/buildDescription.xml"},
        std::pair{"fmi3/fmi3TerminalsAndIcons.xsd", "terminalsAndIcons/terminalsAndIcons.xml"}}) {
    const ProcessResult result = run("xmllint --noout --schema " + schemas + schema + " " + file);
    EXPECT_TRUE(result.is_success()) << result.output;
  }
}

}  // namespace
}  // namespace mechfmu::testing
