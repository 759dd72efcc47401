// What every scheme promises, of compiled FMUs: one FMU per mechanism and way to solve it, in which
// scheme and integrator are chosen by the enumeration parameters; all that are compatible are in
// it. (The interpreted contract goes over all formulations and solvers: schemes/contract_test.cpp.)
#include <cmath>
#include <map>

#include "fmu/built_fmu.hpp"
#include "schemes/contract_mechanisms.hpp"

namespace mechfmu::testing {
namespace {

constexpr int kSamples = 10;

struct Subject {
  const char* mechanism;
  const char* coordinates;  // "": the mechanism's own
  const char* solver;
  double span;      // [s] of a motion, communication steps are a tenth of it
  double steps[5];  // [s] coarse steps for methods of order 1 to 5, in the asymptotic range
};
void PrintTo(const Subject& s, std::ostream* out) {
  *out << s.mechanism << " " << s.coordinates << " " << s.solver;
}

// Positions and velocities at ten times: at a single one the leading error may happen to vanish.
struct Motion {
  std::vector<double> states;
  double residual = 0, residual_velocity = 0;  // the largest
};

double distance(const Motion& a, const Motion& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.states.size(); ++i)
    square += (a.states[i] - b.states[i]) * (a.states[i] - b.states[i]);
  return std::sqrt(square);
}

class CompiledContract : public ::testing::TestWithParam<Subject> {
 protected:
  CompiledContract() {
    const Subject& subject = GetParam();
    for (const Mechanism6& m : mechanisms())
      if (m.name == std::string(subject.mechanism)) mechanism_ = m;
    options_.expose = "all";
    options_.solver = subject.solver;
    if (*subject.coordinates != '\0') options_.coordinates = subject.coordinates;
    SystemOptions plain = options_;
    plain.solver = "auto";
    const MechanismRun run(mechanism_.text, plain);
    const bool redundant = run.system().analysis.rank < run.system().analysis.equations;
    for (const SchemeType& scheme : scheme_types())
      if (is_declared(scheme, mechanism_.rows, subject.coordinates, subject.solver, redundant)) {
        options_.schemes.push_back({std::string(scheme.id), {}, std::nullopt});
        schemes_.push_back(&scheme);
      }
    for (const IntegratorType& type : integrator_types())
      options_.integrators.emplace_back(type.id);
    built_ = std::make_unique<BuiltFmu>(mechanism_.text, options_);
    for (const FmuVariable& v : built_->description().variables)
      if (v.name.find("state.") == 0) states_.push_back(v.value_reference);
    instance_ = built_->instantiate();
  }

  // What is set to choose them, by name.
  struct Choice {
    std::vector<std::pair<std::string, int>> integers;
    std::vector<std::pair<std::string, double>> reals;
  };
  Choice choose(const SchemeType& scheme, const IntegratorType& integrator, double step,
                double tolerance) const {
    int s = 1, k = 1;
    while (schemes_[static_cast<std::size_t>(s - 1)] != &scheme) ++s;
    while (integrator_types()[static_cast<std::size_t>(k - 1)].id != integrator.id) ++k;
    Choice choice{{{"scheme.name", s}, {"solver.integrator", k}},
                  {{"solver.step", step}, {"solver.tolerance", tolerance}}};
    // gains that grow with 1/h cost an order; springs that give way would be seen beside it
    if (scheme.id == "baumgarte")
      choice.reals.insert(choice.reals.end(), {{"scheme.alpha", 20}, {"scheme.beta", 20}});
    if (scheme.id == "compliant")
      choice.reals.insert(choice.reals.end(), {{"scheme.stiffness", 1e13}, {"scheme.damping", 1e9}});
    return choice;
  }
  // From the beginning, also of an instance that has run before.
  void begin(FmuInstance& instance, const Choice& choice) {
    ASSERT_EQ(instance.reset(), fmi2OK);
    for (const auto& [name, value] : choice.integers)
      ASSERT_EQ(instance.set_integer({built_->reference(name)}, {value}), fmi2OK) << name;
    for (const auto& [name, value] : choice.reals)
      ASSERT_EQ(instance.set_real({built_->reference(name)}, {value}), fmi2OK) << name;
    ASSERT_EQ(instance.setup_experiment({}, 0, {}), fmi2OK);
    ASSERT_EQ(instance.enter_initialization_mode(), fmi2OK);
    ASSERT_EQ(instance.exit_initialization_mode(), fmi2OK);
  }
  Motion motion(const SchemeType& scheme, const IntegratorType& integrator, double step,
                double tolerance = 1e-9) {
    Motion motion;
    begin(*instance_, choose(scheme, integrator, step, tolerance));
    const double h = GetParam().span / kSamples;
    std::vector<double> values;
    for (int i = 0; i < kSamples; ++i) {
      BuiltFmu::run(*instance_, i, h, 1);
      EXPECT_EQ(instance_->get_real(states_, values), fmi2OK);
      motion.states.insert(motion.states.end(), values.begin(), values.end());
      EXPECT_EQ(instance_->get_real({built_->reference("constraint.residual"),
                                     built_->reference("constraint.residual_velocity")},
                                    values),
                fmi2OK);
      motion.residual = std::max(motion.residual, values[0]);
      motion.residual_velocity = std::max(motion.residual_velocity, values[1]);
    }
    return motion;
  }
  // Reference: the default scheme, or the last one, with rk4 at the finest step there is.
  Motion exact() {
    const SchemeType* best = schemes_.back();
    for (const SchemeType* scheme : schemes_)
      if (scheme->id == "projection") best = scheme;
    return motion(*best, integrator_types()[0], 0.05 * GetParam().steps[3]);
  }
  // Schemes that step themselves once, the others with every integrator.
  template <class Check>
  void for_each_pair(Check check) {
    for (const SchemeType* scheme : schemes_)
      for (const IntegratorType& integrator : integrator_types())
        if (!scheme->steps_itself() || &integrator == &integrator_types()[0]) {
          SCOPED_TRACE(std::string(scheme->id) + " " + std::string(integrator.id));
          check(*scheme, integrator);
        }
  }

  Mechanism6 mechanism_;
  SystemOptions options_;
  std::vector<const SchemeType*> schemes_;
  std::unique_ptr<BuiltFmu> built_;
  std::unique_ptr<FmuInstance> instance_;
  std::vector<fmi2ValueReference> states_;
};

// Halving the step divides the error by 2^order and the residual by 2^(its order) at least. The
// steps are such that neither higher terms nor rounding are seen.
TEST_P(CompiledContract, EveryPairHasItsOrderAndBoundedResiduals) {
  const Motion reference = exact();
  for_each_pair([&](const SchemeType& scheme, const IntegratorType& integrator) {
    if (!scheme.steps_itself() && integrator.is_adaptive()) return;
    const int order = theoretical_order(scheme, integrator);
    const double step = GetParam().steps[order - 1];
    const Motion coarse = motion(scheme, integrator, step);
    const Motion fine = motion(scheme, integrator, step / 2);
    const double e1 = distance(coarse, reference), e2 = distance(fine, reference);
    std::printf("%s %s %s %s: %.2e %.2e slope %.2f res %.1e %.1e slope %.2f rv %.1e %.1e\n", GetParam().mechanism, GetParam().coordinates, scheme.id.data(), scheme.steps_itself() ? "-" : integrator.id.data(), e1, e2, std::log2(e1/e2), coarse.residual, fine.residual, std::log2(coarse.residual/fine.residual), coarse.residual_velocity, fine.residual_velocity);
    EXPECT_NEAR(std::log2(e1 / e2), order, tol(0.2)) << e1 << " " << e2;
    EXPECT_GT(e2, 1e-10) << "an error of rounding says nothing";
  });
}

TEST_P(CompiledContract, AdaptiveErrorsFollowTheTolerance) {
  const Motion reference = exact();
  for_each_pair([&](const SchemeType& scheme, const IntegratorType& integrator) {
    if (scheme.steps_itself() || !integrator.is_adaptive()) return;
    const double e1 = distance(motion(scheme, integrator, 1e-2, 1e-5), reference);
    const double e2 = distance(motion(scheme, integrator, 1e-2, 1e-8), reference);
    const double slope = std::log10(e1 / e2) / 3, p = integrator.order;
    std::printf("%s %s %s %s: adaptive %.2e %.2e slope %.2f\n", GetParam().mechanism, GetParam().coordinates, scheme.id.data(), integrator.id.data(), e1, e2, slope);
    EXPECT_GE(slope, 0.8 * p / (p + 1)) << e1 << " " << e2;
    EXPECT_LE(slope, 1.2) << e1 << " " << e2;
  });
}

INSTANTIATE_TEST_SUITE_P(
    All, CompiledContract,
    ::testing::Values(
        Subject{"open_chain", "absolute", "divide_and_conquer", 1, {5e-4, 1e-3, 2e-3, 1e-3, 2e-3}},
        Subject{"planar_loop", "joint", "auto", 1, {5e-4, 1e-3, 1e-3, 1e-3, 1e-3}},
        Subject{"planar_loop", "absolute", "sparse", 1, {5e-4, 1e-3, 1e-3, 1e-3, 1e-3}},
        Subject{"redundant_loop", "absolute_spatial", "auto", 1, {5e-4, 1e-3, 2e-3, 4e-3, 4e-3}},
        Subject{"rheonomic", "joint", "direct", 1, {5e-4, 1e-3, 2e-3, 4e-3, 4e-3}},
        Subject{"nonholonomic", "", "rank_revealing", 1, {5e-4, 1e-3, 2e-3, 4e-3, 4e-3}},
        Subject{"equations", "", "auto", 1, {5e-4, 1e-3, 2e-3, 4e-3, 4e-3}}),
    [](const auto& test) {
      return std::string(test.param.mechanism) + "_" +
             (*test.param.coordinates != '\0' ? test.param.coordinates : "own") + "_" +
             test.param.solver;
    });

}  // namespace
}  // namespace mechfmu::testing
