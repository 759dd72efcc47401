// The normal form says the same mechanism: same variables, same motion to the last bit.
#include "readers/canonical.hpp"

#include <gtest/gtest.h>

#include <random>

#include "readers/expression_parser.hpp"
#include "readers/expression_text.hpp"
#include "readers/functions.hpp"
#include "readers/messages.hpp"
#include "readers/value_parser.hpp"
#include "readers/xml_reader.hpp"
#include "support/mechanism_run.hpp"

namespace mechfmu {
namespace {

std::string canonical(const std::string& text, const std::string& path = "model.xml") {
  const SourceText source(path, text);
  Diagnostics diagnostics;
  const auto root = parse_xml(source, diagnostics);
  auto mechanism = root ? read_mechanism(*root, folder_of(source), diagnostics) : std::nullopt;
  if (!mechanism || !validate(*mechanism, diagnostics))
    throw std::runtime_error(render(diagnostics, source));
  return write_canonical(*root, *mechanism);
}

Expression parse(const std::string& text) {
  ValueText value;
  value.text = text;
  value.span = {0, text.size()};
  Diagnostics diagnostics;
  const Expression e = parse_scalar(value, {"x", "", true}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << text;
  return e;
}

TEST(ExpressionText, ReadsBackAsTheSameTree) {
  for (const auto& [text, expected] :
       {std::pair{" 2 * ( a + b ) ", "2*(a+b)"},
        {"a - (b - c)", "a-(b-c)"},
        {"(a - b) - c", "a-b-c"},
        {"a / (b * c) / d", "a/(b*c)/d"},
        {"-a ^ 2", "-a^2"},
        {"(-a) ^ 2", "(-a)^2"},
        {"a ^ b ^ c", "a^b^c"},
        {"(a ^ b) ^ c", "(a^b)^c"},
        {"a ^ -b", "a^-b"},
        {"a * -b", "a*-b"},
        {"-(a * b)", "-(a*b)"},
        {"- - a", "--a"},
        {"if(a < b + 1, sin(c), max(1, 2e-3))", "if(a<b+1,sin(c),max(1,0.002))"},
        {"30 deg", "0.5235987755982988"},
        {"-0.1", "-0.1"}}) {
    const std::string written = expression_text(parse(text));
    EXPECT_EQ(expected, written);
    EXPECT_EQ(written, expression_text(parse(written)));
  }
}

TEST(Canonical, TextOfAMechanism) {
  EXPECT_EQ(R"xml(<?xml version="1.0" encoding="UTF-8"?>
<mechanism name="M" gravity="0 -9.81 0">
  <parameter name="l" value="0.12 m" description="a &lt; b &amp; &quot;c&quot;"/>
  <ground>
    <frame name="D" xyz="0.3 0 0"/>
  </ground>
  <body name="b">
    <box size="0.3 0.02 0.01 m" density="7800 kg/m3" com="l/2 0 0"/>
    <frame name="tip" xyz="l*(1+1) 0 -l"/>
  </body>
  <joint name="A" type="revolute" parent="ground.D" child="b" axis="0 0 1">
    <start fixed="true" position="1.0471975511965976 rad" velocity="0"/>
  </joint>
  <output name="angle" value="A.position-l*if(time&lt;1,1,2)" unit="rad"/>
  <solve scheme="baumgarte" step="0.001 s" alpha="50"/>
</mechanism>
)xml",
            canonical(R"xml(<!-- gone --><mechanism gravity=" 0 -9.81  0" name="M">
  <output unit="rad" name="angle" value="A.position - l * if(time &lt; 1, 1, 2)"/>
  <joint type="revolute" name="A" child=" b" parent="ground.D" axis="0 0 1"><start velocity="0" position="60 deg" fixed="true"/></joint>
  <body name="b"><frame name="tip" xyz="l*( 1 + 1 ) 0 -l"/><box com="l/2 0 0" size="300 20 10 mm" density="7.8 g/cm3"/></body>
  <ground><frame name="D" xyz="0.3 0 0"/></ground>
  <solve alpha="50" scheme="baumgarte" step="1 ms"/>
  <parameter name="l" value="120 mm" description="a &lt; b &amp; &quot;c&quot;"/>
</mechanism>)xml"));
}

// Every example: the form of the form is itself, and both move alike, bit by bit.
TEST(Canonical, ExamplesMoveAsBefore) {
  for (const std::string& name : testing::example_names()) {
    const std::string path =
        std::string(MECHFMU_PROJECT_DIR) + "/resources/examples/" + name + "/" + name + ".xml";
    const std::string text = testing::example_text(name);
    const std::string normal = canonical(text, path);
    EXPECT_EQ(normal, canonical(normal)) << name;
    const auto run = [&](const std::string& xml) {
      const SourceText source(path, xml);
      Diagnostics diagnostics;
      const auto mechanism = load_mechanism(source, diagnostics);
      EXPECT_TRUE(mechanism) << name << render(diagnostics, source);
      const auto system = make_system(*mechanism, {}, diagnostics);
      EXPECT_TRUE(system) << name << render(diagnostics, source);
      std::vector<std::string> names;
      for (const InterfaceVariable& v : system->interface.variables)
        names.push_back(v.name + " [" + v.unit + "] " + v.description);
      InterpretedModel model(system->kernels);
      std::vector<double> memory(runtime::Simulation::bytes(model.model()) / sizeof(double) + 2);
      runtime::Simulation simulation(model.model(), memory.data());
      EXPECT_TRUE(simulation.initialize(0)) << name << simulation.failure();
      EXPECT_TRUE(simulation.advance(0, 3 * system->step)) << name << simulation.failure();
      EXPECT_TRUE(simulation.update_outputs(true));
      const int count = simulation.first_computed() + model.model().n_computed;
      return std::pair{names,
                       std::vector<double>(simulation.values(), simulation.values() + count)};
    };
    const auto before = run(text), after = run(normal);
    EXPECT_EQ(before.first, after.first) << name;
    EXPECT_EQ(before.second, after.second) << name;
  }
}

}  // namespace
}  // namespace mechfmu
