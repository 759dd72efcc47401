// One mechanism, three formulations, the same motion: each formulation is the other's independent
// check.
#include <algorithm>

#include "support/mechanism_run.hpp"

namespace mechfmu::testing {
namespace {

class FormulationsOfExample : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, FormulationsOfExample, ::testing::ValuesIn(example_names()),
                         [](const auto& test) { return test.param; });

// Reference: joint coordinates. The start is a regular pose of every example; accelerations of all
// bodies there follow from quite different equations.
TEST_P(FormulationsOfExample, GiveTheSameAccelerations) {
  MechanismRun joint(example_text(GetParam()));
  if (joint.system().analysis.formulation == "equations") return;  // there is but one
  joint.initialize();
  int compared = 0;
  for (const char* coordinates : {"absolute", "absolute_spatial"}) {
    SystemOptions options;
    options.coordinates = coordinates;
    std::string errors;
    if (!make_test_system(example_text(GetParam()), options, errors)) {
      // thin rods and point masses have no inertia about their axis: refused by design, with that
      // reason
      EXPECT_NE(errors.find("E303"), std::string::npos) << errors;
      continue;
    }
    MechanismRun absolute(example_text(GetParam()), options);
    absolute.initialize();
    double scale = 0;
    for (const InterfaceVariable& v : joint.system().interface.variables)
      if (v.name.find("acceleration[") != std::string::npos)
        scale = std::max(scale, std::fabs(joint.get(v.name)));
    // something accelerates, unless everything is held
    if (joint.system().analysis.drives.empty()) {
      ASSERT_GT(scale, 1e-3);
    }
    scale = std::max(scale, 1e-3);
    for (const InterfaceVariable& v : joint.system().interface.variables)
      if (v.name.find("acceleration[") != std::string::npos) {
        EXPECT_NEAR(absolute.get(v.name), joint.get(v.name), tol(1e-9) * scale)
            << coordinates << " " << v.name;
        ++compared;
      }
  }
  EXPECT_TRUE(compared > 0) << "nothing was compared";
}

}  // namespace
}  // namespace mechfmu::testing
