// Parameters that are expressions of others: calculated parameters of the FMU, which follow them.
#include <gtest/gtest.h>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

TEST(DependentParameters, AreCalculatedAndFollowTheOthersInBothDialects) {
  for (
      const char* text :
      {R"xml(<mechanism name="M"><parameter name="b" value="2*a + 1"/><parameter name="a" value="2 m"/>
          <body name="rod"><inertial mass="b" com="a 0 0" inertia="1 1 1"/></body>
          <joint name="J" type="revolute" parent="ground" child="rod"/></mechanism>)xml",
       R"xml(<equations name="E"><parameter name="b" value="2*a + 1"/><parameter name="a" value="2 m"/>
          <coordinate name="x" mass="b"/></equations>)xml"}) {
    MechanismRun run(text);
    EXPECT_EQ(run.system().interface.find("a")->causality, Causality::parameter);
    EXPECT_EQ(run.system().interface.find("b")->causality, Causality::calculated_parameter);
    run.initialize();
    EXPECT_EQ(run.get("b"), 5);
    run.set("a", 3);
    run.initialize();
    EXPECT_EQ(run.get("b"), 7);
  }
}

}  // namespace
}  // namespace mechfmu::testing
