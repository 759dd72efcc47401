// Variables of the FMU: what `expose` adds, orders of magnitude, units as they are written.
#include <gtest/gtest.h>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

SystemModel make(const std::string& xml, const std::string& expose = "outputs") {
  const SourceText source("test.xml", xml);
  Diagnostics diagnostics;
  SystemOptions options;
  options.expose = expose;
  std::optional<SystemModel> system;
  if (const std::optional<Mechanism> mechanism = load_mechanism(source, diagnostics))
    system = make_system(*mechanism, options, diagnostics);
  if (!system) throw std::runtime_error(render(diagnostics, source));
  return *system;
}

// Names that `with` has and `without` has not.
std::vector<std::string> added(const Interface& without, const Interface& with) {
  std::vector<std::string> names;
  for (const InterfaceVariable& v : with.variables)
    if (without.find(v.name) == nullptr) names.push_back(v.name);
  return names;
}

std::string pendulum(const std::string& body = "", const std::string& joint = "",
                     const std::string& more = "") {
  return R"xml(<mechanism name="P" gravity="0 -9.81 0">
    <parameter name="length" value="120 mm"/><parameter name="load" value="2 N.m"/>
    <parameter name="twice" value="2*length"/>
    <body name="bar")xml" +
         body + R"xml(><rod length="0.24" mass="20" axis="0 1 0" com="0 -length 0"/></body>
    <joint name="pin" type="revolute" parent="ground" child="bar" axis="0 0 1")xml" +
         joint + R"xml(><start position="30 deg" fixed="true"/></joint>
    <output name="l" value="twice" unit="m"/>)xml" +
         more + "</mechanism>";
}

TEST(Expose, AddsTheSensorsOfAnElement) {
  const Interface plain = make(pendulum()).interface;
  EXPECT_EQ(added(plain, make(pendulum(" expose=\"velocity position[2]\"")).interface),
            (std::vector<std::string>{"bar.velocity[1]", "bar.velocity[2]", "bar.velocity[3]",
                                      "bar.position[2]"}));
  EXPECT_EQ(added(plain, make(pendulum("", " expose=\"all\"")).interface),
            (std::vector<std::string>{"pin.position", "pin.velocity", "pin.acceleration",
                                      "pin.force[1]", "pin.force[2]", "pin.force[3]",
                                      "pin.torque[1]", "pin.torque[2]", "pin.torque[3]"}));
  EXPECT_EQ(
      added(plain, make(pendulum("", "",
                                 "<ground><frame name=\"D\" expose=\"quaternion\"/></ground>"
                                 "<drive name=\"m\" joint=\"pin\" acceleration=\"0\" "
                                 "expose=\"effort\"/>"))
                       .interface),
      (std::vector<std::string>{"ground.D.quaternion[1]", "ground.D.quaternion[2]",
                                "ground.D.quaternion[3]", "ground.D.quaternion[4]", "m.effort"}));
}

// What --expose shows anyway is not there twice.
TEST(Expose, AddsNothingTwice) {
  const Interface states = make(pendulum(), "states").interface;
  EXPECT_EQ(added(states,
                  make(pendulum("", " expose=\"position velocity position\""), "states").interface),
            std::vector<std::string>{});
  std::set<std::string> names;
  for (const InterfaceVariable& v :
       make(pendulum(" expose=\"all\"", " expose=\"all\""), "all").interface.variables)
    EXPECT_TRUE(names.insert(v.name).second) << v.name;
}

// Reference: the pendulum's closed forms at 30 degrees and rest, half a length off the pin.
TEST(Expose, GivesTheNumbersOfTheSensor) {
  MechanismRun run(pendulum(" expose=\"position acceleration\""));
  run.initialize();
  EXPECT_NEAR(run.get("bar.position[1]"), 0, tol(1e-15));
  MechanismRun tip(pendulum(">  <frame name=\"tip\" xyz=\"0 -0.24 0\" expose=\"all\"/"));
  tip.initialize();
  EXPECT_NEAR(tip.get("bar.tip.position[1]"), 0.24 * 0.5, tol(1e-14));
  // alpha = -m g s sin(a) / I about the pin, I = m (2 s)^2 / 3
  const double alpha = -9.81 * 0.12 * 0.5 / (0.24 * 0.24 / 3);
  EXPECT_NEAR(tip.get("bar.tip.acceleration[1]"), 0.24 * std::sqrt(0.75) * alpha, tol(1e-12));
}

// 0.24 m, 20 kg, g: 0.16 s to fall so far. Powers of ten of these.
TEST(Nominal, IsTheOrderOfMagnitudeOfTheMechanism) {
  const Interface variables = make(pendulum(" expose=\"all\"", " expose=\"all\"")).interface;
  const auto nominal = [&](const char* name) { return variables.find(name)->nominal.value_or(0); };
  EXPECT_EQ(nominal("pin.position"), 1);
  EXPECT_EQ(nominal("pin.velocity"), 10);         // 1 / 0.156
  EXPECT_EQ(nominal("bar.position[1]"), 0.1);     // 0.24
  EXPECT_EQ(nominal("bar.velocity[1]"), 1);       // 1.5
  EXPECT_EQ(nominal("bar.acceleration[1]"), 10);  // 9.81
  EXPECT_EQ(nominal("pin.force[1]"), 100);        // 196
  EXPECT_EQ(nominal("pin.torque[1]"), 100);       // 47
  EXPECT_EQ(nominal("energy.total"), 100);
  EXPECT_EQ(nominal("constraint.residual"), 0);  // none: 1 by the standard
  EXPECT_EQ(variables.find("constraint.residual")->min, 0.0);
  EXPECT_EQ(nominal("state.pin.velocity"), 10);
  // without gravity time has no scale
  std::string weightless = pendulum();
  weightless.replace(weightless.find("0 -9.81 0"), 9, "0 0 0");
  EXPECT_EQ(make(weightless).interface.find("state.pin.velocity")->nominal, 1.0);
}

TEST(Nominal, OfStatesIsWhatTheRuntimeKnows) {
  for (const std::string& name : example_names()) {
    const MechanismRun run(example_text(name));
    const SystemKernels& kernels = *run.system().kernels;
    int states = 0;
    for (const InterfaceVariable& v : run.system().interface.variables) {
      if (!v.is_state) continue;
      ++states;
      EXPECT_EQ(kernels.reals[v.value_reference].start, v.nominal.value_or(1)) << name << v.name;
    }
    EXPECT_GT(states, 0) << name;
  }
}

TEST(DisplayUnit, IsTheOneOfTheFile) {
  const Interface variables = make(pendulum()).interface;
  EXPECT_EQ(variables.find("length")->display_unit, "mm");
  EXPECT_EQ(variables.find("length")->unit, "m");
  EXPECT_EQ(variables.find("twice")->display_unit, "");
}

TEST(Description, EveryVariableHasOneButThoseWhoseNameTheFileGives) {
  const SystemModel system = make(example_text("four_bar"), "all");
  for (const InterfaceVariable& v : system.interface.variables)
    if (v.name.find('.') != std::string::npos) {
      EXPECT_NE(v.description, "") << v.name;
    }
  EXPECT_EQ(system.interface.find("A.force[1]")->description,
            "constraint force on the child at its frame's origin, parent axes, of joint 'A'");
}

}  // namespace
}  // namespace mechfmu::testing
