// documentation/index.html. Reference: what design.md 6 and hosts.md P16, P30, P32 ask of it.
#include "emit/documentation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "emit/build_command_text.hpp"
#include "emit/equation_text.hpp"
#include "emit/sample_system.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu {
namespace {

using test::make_sample_system;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Documentation, NamesEveryVariableSchemeAndHost) {
  const SystemModel system = make_sample_system();
  const std::string html = emit_documentation(system, "{guid}");
  for (const InterfaceVariable& variable : system.interface.variables)
    EXPECT_TRUE(contains(html, "<code>" + variable.name + "</code>")) << variable.name;
  for (const char* part : {"<title>Sample</title>", "projection", "rk4", "FMPy", "OMSimulator",
                           "OpenModelica", "Simulink", "{guid}", "prefers-color-scheme: dark"})
    EXPECT_TRUE(contains(html, part)) << part;
}

TEST(Documentation, LoadsNothingFromElsewhere) {
  const std::string html = emit_documentation(make_sample_system(), "{guid}");
  for (const char* part : {"<script", "http:", "https:", "src=", "@import", "url("})
    EXPECT_FALSE(contains(html, part)) << part;
}

TEST(Documentation, HostileDescriptionsAreNotMarkup) {
  SystemModel system = make_sample_system();
  system.description = "<script>alert(1)</script>";
  system.interface.variables[test::kCrank].description = "<img onerror=x>";
  const std::string html = emit_documentation(system, "{guid}");
  EXPECT_FALSE(contains(html, "<script"));
  EXPECT_FALSE(contains(html, "<img"));
}

// A hole that was not filled would be a std::logic_error; what must not be left are braces of
// values that hold holes themselves.
TEST(Documentation, IsCompleteForEveryExample) {
  for (const std::string& name : testing::example_names()) {
    std::string errors;
    const std::optional<SystemModel> system =
        testing::make_test_system(testing::example_text(name), {}, errors);
    ASSERT_TRUE(system) << errors;
    const std::string html = emit_documentation(*system, "guid");
    EXPECT_FALSE(contains(html, "{{")) << name;
    EXPECT_FALSE(contains(html, "<script")) << name;
    EXPECT_EQ(contains(html, "<svg"), !system->scene.bodies.empty()) << name;
    EXPECT_TRUE(contains(html, "mechfmu build mechanism.xml -o " + system->name + ".fmu")) << name;
    EXPECT_EQ(html, emit_documentation(*system, "guid")) << name;
  }
}

TEST(Documentation, ImportStepsFollowWhatIsInTheFmu) {
  const SystemModel system = make_sample_system();
  const std::string plain = emit_documentation(system, "guid");
  EXPECT_TRUE(contains(plain, "takes model-exchange FMUs only"));
  EXPECT_FALSE(contains(plain, "importFMU"));
  EXPECT_TRUE(contains(plain, "oms_addSubModel(&quot;model.root.Sample&quot;") ||
              contains(plain, "oms_addSubModel(\"model.root.Sample\""));
  EXPECT_TRUE(contains(plain, "resources/mechanism.xml"));
  DocumentationContext context;
  context.has_mechanism = false;
  context.has_model_exchange = true;
  context.compile_command = "g++ -c a<b.cpp";
  const std::string other = emit_documentation(system, "guid", context);
  EXPECT_TRUE(contains(other, "importFMU"));
  EXPECT_TRUE(contains(other, "is not in this FMU"));
  EXPECT_TRUE(contains(other, "g++ -c a&lt;b.cpp"));
}

TEST(TypesetEquation, HasGreekLettersAndRaisedSigns) {
  EXPECT_EQ(typeset_equation("M a + J^T lambda = f"),
            "<i>M</i> <i>a</i> + <i>J</i><sup>T</sup> \u03bb = <i>f</i>");
  EXPECT_EQ(typeset_equation("-gamma - beta^2 phi_dot"),
            "\u2212\u03b3 \u2212 \u03b2<sup>2</sup> \u03c6\u0307");
  EXPECT_EQ(typeset_equation("phi_t < M^-1 in the stages"),
            "\u03c6<sub>t</sub> &lt; <i>M</i><sup>\u22121</sup> in the stages");
}

TEST(BuildCommand, RepeatsTheOptionsThatWereGiven) {
  SystemModel system = make_sample_system();
  EXPECT_EQ(make_build_command(system), "mechfmu build mechanism.xml -o Sample.fmu");
  system.options.scheme = SchemeChoice{"baumgarte", {{"alpha", "50"}, {"beta", "5 1/s"}}, {}};
  system.options.integrator = "heun";
  system.options.step = 5e-4;
  system.options.set = {{"crank", "0.1"}};
  system.options.expose = "all";
  EXPECT_EQ(make_build_command(system),
            "mechfmu build mechanism.xml -o Sample.fmu --scheme 'baumgarte:alpha=50,beta=5 1/s' "
            "--integrator heun --step 5e-04 --set crank=0.1 --expose all");
}

TEST(DescribeAnalysis, EquationsHaveCoordinatesInsteadOfBodies) {
  Analysis analysis = make_sample_system().analysis;
  analysis.formulation = "equations";
  EXPECT_EQ(describe_analysis(analysis)[0], "3 coordinates, 2 constraints: 1 degree of freedom.");
}

TEST(DescribeAnalysis, TellsLoopsFreedomAndRedundancyInWords) {
  const std::vector<std::string> sentences = describe_analysis(make_sample_system().analysis);
  ASSERT_GE(sentences.size(), 3u);
  EXPECT_EQ(sentences[0], "3 bodies, 4 joints, 1 loop: 1 degree of freedom.");
  EXPECT_EQ(sentences[1], "Loop A-B-C-D: planar: 3 of 5 closure equations are redundant.");
}

TEST(DescribeAnalysis, SaysWhenTheStartPoseIsSingular) {
  Analysis analysis = make_sample_system().analysis;
  const auto says_so = [&] {
    const auto all = describe_analysis(analysis);
    return std::any_of(all.begin(), all.end(),
                       [](const std::string& s) { return contains(s, "singular"); });
  };
  EXPECT_FALSE(says_so());
  analysis.mobility_at_start = 2;
  EXPECT_TRUE(says_so());
}

}  // namespace
}  // namespace mechfmu
