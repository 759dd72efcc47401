// documentation/index.html. Reference: what design.md 6 and hosts.md P16, P30, P32 ask of it.
#include "emit/documentation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "emit/sample_system.hpp"

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
