// Several schemes and integrators in one FMU, chosen by its enumeration parameters. Reference: an
// FMU that was built with that one alone, bit for bit.
#include "fmu/built_fmu.hpp"

namespace mechfmu::testing {
namespace {

const char* const kSchemes[] = {"projection", "taylor2", "partitioning", "compliant"};
const char* const kIntegrators[] = {"rk4", "ab3", "dopri5", "rosenbrock"};

std::vector<double> run_built(BuiltFmu& built, const std::string& scheme, int scheme_choice,
                              int integrator_choice) {
  const auto instance = built.instantiate(scheme);
  if (scheme_choice > 0) {
    EXPECT_EQ(instance->set_integer({built.reference("scheme.name")}, {scheme_choice}), fmi2OK);
    EXPECT_EQ(instance->set_integer({built.reference("solver.integrator")}, {integrator_choice}),
              fmi2OK);
  }
  EXPECT_EQ(instance->setup_experiment({}, 0, {}), fmi2OK);
  EXPECT_EQ(instance->enter_initialization_mode(), fmi2OK);
  EXPECT_EQ(instance->exit_initialization_mode(), fmi2OK);
  BuiltFmu::run(*instance, 0, 0.01, 20);
  std::vector<double> values;
  for (const char* name : {"crank_angle", "crank_speed", "pin_load"}) {
    std::vector<double> value;
    EXPECT_EQ(instance->get_real({built.reference(name)}, value), fmi2OK);
    values.push_back(value[0]);
  }
  return values;
}

std::string four_bar_without_integrator() {
  std::string text = example_text("four_bar");
  const std::size_t at = text.find(" integrator=\"rk4\"");
  return at == std::string::npos ? text : text.erase(at, 17);
}

TEST(MethodsInOneFmu, AreThoseOfTheirOwnFmus) {
  SystemOptions options;
  for (const char* scheme : kSchemes) options.schemes.push_back({scheme, {}, std::nullopt});
  for (const char* integrator : kIntegrators) options.integrators.emplace_back(integrator);
  BuiltFmu all(four_bar_without_integrator(), options);
  for (int s = 0; s < 4; ++s)
    for (int k = 0; k < 4; ++k) {
      const bool steps_itself = find_scheme_type(kSchemes[s])->steps_itself();
      if (steps_itself && k > 0) continue;
      SystemOptions one;
      one.scheme = SchemeChoice{kSchemes[s], {}, std::nullopt};
      // schemes that share a parameter take the default of the first one, here of projection
      if (std::string(kSchemes[s]) == "partitioning")
        one.scheme->parameters = {{"tolerance", "1e-12"}};
      if (!steps_itself) one.integrator = kIntegrators[k];
      BuiltFmu alone(four_bar_without_integrator(), one);
      EXPECT_EQ(run_built(all, kSchemes[s], s + 1, k + 1), run_built(alone, kSchemes[s], 0, 0))
          << kSchemes[s] << " " << kIntegrators[k];
    }
}

TEST(MethodsInOneFmu, RefuseANumberThatIsNoChoice) {
  SystemOptions options;
  options.schemes = {{"projection", {}, std::nullopt}, {"baumgarte", {}, std::nullopt}};
  BuiltFmu built(example_text("pendulum"), options);
  const auto instance = built.instantiate();
  EXPECT_EQ(instance->set_integer({built.reference("scheme.name")}, {3}), fmi2Error);
  EXPECT_EQ(instance->set_integer({built.reference("scheme.name")}, {0}), fmi2Error);
  EXPECT_EQ(instance->set_integer({built.reference("scheme.name")}, {2}), fmi2OK);
}

}  // namespace
}  // namespace mechfmu::testing
