// What every scheme promises, over the tables: each scheme with each integrator that it takes, each
// formulation and each solver, on an open chain, a planar loop, a redundant spatial loop, a
// rheonomic and a nonholonomic system and equations. All schemes and integrators are in one model,
// chosen by its parameters as in an FMU. What is not compatible is refused with the reason.
#include <algorithm>
#include <cmath>

#include "schemes/contract_mechanisms.hpp"

namespace mechfmu::testing {
namespace {

struct Combination {
  Mechanism6 mechanism;
  std::string coordinates;  // "": those of the equations
  std::string solver;
};
void PrintTo(const Combination& c, std::ostream* out) {
  *out << c.mechanism.name << " " << c.coordinates << " " << c.solver;
}

SystemOptions base_options(const Combination& c) {
  SystemOptions options;
  if (!c.coordinates.empty()) options.coordinates = c.coordinates;
  options.solver = c.solver;
  options.step = 2e-3;
  return options;
}

bool is_redundant(const Combination& c) {
  SystemOptions options = base_options(c);
  options.solver = "auto";
  const MechanismRun run(c.mechanism.text, options);
  return run.system().analysis.rank < run.system().analysis.equations;
}

std::vector<Combination> combinations() {
  std::vector<Combination> list;
  for (const Mechanism6& mechanism : mechanisms())
    for (const char* coordinates : {"joint", "absolute", "absolute_spatial"})
      for (const SolverType& solver : solver_types()) {
        const bool own = mechanism.text.find("<equations") != std::string::npos;
        if (own && coordinates != std::string("joint")) continue;
        list.push_back({mechanism, own ? "" : coordinates, std::string(solver.id)});
      }
  return list;
}

class Contract : public ::testing::TestWithParam<Combination> {
 protected:
  // The model with every scheme that is declared and every integrator.
  Contract() {
    const Combination& c = GetParam();
    const bool redundant = is_redundant(c);
    SystemOptions options = base_options(c);
    for (const SchemeType& scheme : scheme_types()) {
      if (is_declared(scheme, c.mechanism.rows, c.coordinates, c.solver, redundant)) {
        options.schemes.push_back({std::string(scheme.id), {}, std::nullopt});
        schemes_.push_back(&scheme);
        continue;
      }
      SystemOptions refused = base_options(c);
      refused.scheme = SchemeChoice{std::string(scheme.id), {}, std::nullopt};
      std::string errors;
      EXPECT_FALSE(make_test_system(c.mechanism.text, refused, errors)) << scheme.id;
      EXPECT_TRUE(errors.find("E506") != std::string::npos ||
                  errors.find("E509") != std::string::npos ||
                  errors.find("E511") != std::string::npos)
          << scheme.id << ": " << errors;
    }
    for (const IntegratorType& type : integrator_types()) options.integrators.emplace_back(type.id);
    if (!schemes_.empty()) run_ = std::make_unique<MechanismRun>(c.mechanism.text, options);
  }
  void choose(const SchemeType& scheme, const IntegratorType& integrator, double step) {
    run_->simulation().reset();
    const auto number = [](const auto& list, const auto& item) {
      return static_cast<double>(std::find(list.begin(), list.end(), item) - list.begin() + 1);
    };
    std::vector<std::string_view> integrators;
    for (const IntegratorType& type : integrator_types()) integrators.push_back(type.id);
    set("scheme.name", number(schemes_, &scheme));
    set("solver.integrator", number(integrators, integrator.id));
    set("solver.step", step);
    set("solver.tolerance", 1e-9);
    // gains that grow with 1/h cost an order
    for (const char* gain : {"scheme.alpha", "scheme.beta"})
      if (scheme.id == "baumgarte") set(gain, 20);
    run_->simulation().mark_changed(runtime::VariableKind::setting);
    run_->initialize();
  }
  void set(const std::string& name, double value) {
    const runtime::Model& model = run_->simulation().model();
    int setting = -1;
    for (int i = 0; i < model.n_integers; ++i)
      if (name == model.integers[i].name) setting = model.integers[i].setting;
    for (int i = 0; i < model.n_parameters + model.n_starts + model.n_settings; ++i)
      if (name == model.reals[i].name) setting = i;
    if (setting < 0) throw std::runtime_error("no setting " + name);
    run_->simulation().values()[setting] = value;
  }
  // Positions and velocities at two times, and the largest residual on the way.
  std::vector<double> motion(const SchemeType& scheme, const IntegratorType& integrator,
                             double step, double* residual = nullptr) {
    choose(scheme, integrator, step);
    std::vector<double> states;
    for (int i = 0; i < 2; ++i) {
      run_->advance(0.05);
      append_state(states);
      if (residual != nullptr) *residual = std::max(*residual, run_->get("constraint.residual"));
    }
    return states;
  }
  void append_state(std::vector<double>& states) {
    const runtime::Simulation& simulation = run_->simulation();
    const auto all = {std::pair(run_->simulation().position(), simulation.model().nq),
                      std::pair(run_->simulation().velocity(), simulation.model().nv)};
    for (const auto& [values, count] : all) states.insert(states.end(), values, values + count);
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
  std::vector<const SchemeType*> schemes_;
  std::unique_ptr<MechanismRun> run_;
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(square);
}

// Reference: projection (or what there is) with rk4 at 0.1 ms. Halving the step shows the order;
// more than that is welcome, and below 1e-10 rounding speaks.
TEST_P(Contract, EveryPairHasItsOrderAndBoundedResiduals) {
  if (schemes_.empty()) return;
  const SchemeType& best = *schemes_.back();  // augmented_lagrangian_projection is always there
  ASSERT_EQ(best.id, "augmented_lagrangian_projection");
  const std::vector<double> exact = motion(best, integrator_types()[0], 1e-4);
  for_each_pair([&](const SchemeType& scheme, const IntegratorType& integrator) {
    const int order = !scheme.steps_itself() ? integrator.order : scheme.id == "taylor2" ? 2 : 1;
    double residual = 0;
    const double coarse = distance(motion(scheme, integrator, 2e-3, &residual), exact);
    const double size = 1 + distance(exact, std::vector<double>(exact.size(), 0));
    const bool adaptive = !scheme.steps_itself() && integrator.is_adaptive();
    if (adaptive) {
      EXPECT_LT(coarse, tol(2e-6) * size);
    } else if (coarse > 1e-8 * size) {
      const double fine = distance(motion(scheme, integrator, 1e-3), exact);
      EXPECT_GT(std::log2(coarse / fine), order >= 3 ? order - 0.6 : order - 0.3)
          << coarse << " " << fine;
    }
    EXPECT_LT(coarse, tol(order == 1 ? 3e-2 : order == 2 ? 2e-3 : 1e-4) * size);
    const std::string_view id = scheme.id;
    EXPECT_LT(residual, tol(id == "velocity"        ? 2e-2
                            : scheme.steps_itself() ? 1e-3
                            : order == 1            ? 1e-3
                            : id == "none" || id == "baumgarte" || id == "augmented_lagrangian"
                                ? (order == 2 ? 1e-4 : 1e-5)
                                : 1e-9));
  });
}

// The same bits after a reset, and after a state was restored in the middle.
TEST_P(Contract, ResetAndRestoreAreBitExact) {
  for_each_pair([&](const SchemeType& scheme, const IntegratorType& integrator) {
    const auto begin = [&] {
      choose(scheme, integrator, 5e-3);
      run_->advance(0.03);
    };
    const auto end = [&] {
      run_->advance(0.03);
      std::vector<double> state;
      append_state(state);
      return state;
    };
    begin();
    const std::vector<double> first = end();
    begin();
    std::vector<char> state(run_->simulation().state_bytes());
    run_->simulation().save(state.data());
    EXPECT_EQ(end(), first) << "after a reset";
    run_->advance(0.02);
    run_->simulation().restore(state.data());
    EXPECT_EQ(end(), first) << "after a restore";
  });
}

INSTANTIATE_TEST_SUITE_P(All, Contract, ::testing::ValuesIn(combinations()), [](const auto& test) {
  return std::string(test.param.mechanism.name) + "_" +
         (test.param.coordinates.empty() ? "own" : test.param.coordinates) + "_" +
         test.param.solver;
});

TEST(SchemeTable, WhatIsNotCompatibleIsRefusedWithTheReason) {
  for (const SchemeType& scheme : scheme_types()) {
    std::string errors;
    const bool made =
        make_test_system(kSled, to_system_options({std::string(scheme.id)}), errors).has_value();
    EXPECT_EQ(made, can_hold(scheme, SchemeTraits::Rows::velocities)) << scheme.id << errors;
    if (!made) {
      EXPECT_NE(errors.find("E509"), std::string::npos) << errors;
      EXPECT_NE(errors.find("constraint 'edge'"), std::string::npos) << errors;
    }
    SchemeOptions with_integrator{std::string(scheme.id)};
    with_integrator.integrator = "heun";
    const bool taken =
        make_test_system(kEquations, to_system_options(with_integrator), errors).has_value();
    EXPECT_EQ(taken, !scheme.steps_itself()) << scheme.id << errors;
    if (!taken) {
      EXPECT_NE(errors.find("E508"), std::string::npos) << errors;
    }
  }
}

TEST(SchemeTable, EnergyIsKeptOnlyWhereItIsConstant) {
  const auto is_made = [](const std::string& text, std::string& errors) {
    return make_test_system(text, to_system_options({"pseudoinverse", 1e-3, {{"energy", "yes"}}}),
                            errors)
        .has_value();
  };
  std::string errors;
  for (const char* conservative : {"double_pendulum", "five_bar", "bricard", "ball_in_bowl"})
    EXPECT_TRUE(is_made(example_text(conservative), errors)) << conservative << errors;
  EXPECT_FALSE(is_made(example_text("four_bar"), errors));  // a motor and a damper
  EXPECT_NE(errors.find("E510"), std::string::npos) << errors;
  EXPECT_FALSE(is_made(kRheonomic, errors));
  EXPECT_FALSE(is_made(kSled, errors));
  EXPECT_FALSE(is_made(R"xml(<mechanism name="D" gravity="0 -9.81 0">
    <body name="b"><inertial mass="1" com="0.5 0 0" inertia="0.1 0.1 0.1"/></body>
    <joint name="A" type="revolute" parent="ground" child="b"/>
    <force name="f" type="friction" joint="A" viscous="0.1"/></mechanism>)xml",
                       errors));
  EXPECT_NE(errors.find("take energy out"), std::string::npos) << errors;
}

// Partitioning: |phi| < 1e-13 and the integrator's order, through full turns of the crank.
TEST(Partitioning, HoldsTheConstraintsToRoundingThroughFullTurns) {
  for (const char* repivot : {"each_step", "when_needed"}) {
    SchemeRun run(example_text("slider_crank"), {"partitioning", 1e-3, {{"repivot", repivot}}});
    SchemeRun other(example_text("slider_crank"), {"projection", 1e-3});
    double residual = 0;
    for (int i = 0; i < 20; ++i) {
      run.advance(0.1);
      other.advance(0.1);
      residual = std::max(residual, run.get("constraint.residual"));
    }
    EXPECT_LT(residual, tol(1e-13)) << repivot;
    for (const InterfaceVariable& v : run.system().interface.variables)
      if (v.causality == Causality::output && v.name.find("angle") != std::string::npos) {
        EXPECT_NEAR(run.get(v.name), other.get(v.name), tol(1e-6)) << v.name;
        EXPECT_GT(std::fabs(run.get(v.name)), 6.3) << "a full turn";
      }
  }
}

TEST(Partitioning, KeepsTheOrderOfItsIntegratorOnTheSqueezer) {
  const auto error = [](double step) {
    SchemeRun run(example_text("squeezer_equations"), {"partitioning", step});
    run.advance(0.03);
    EXPECT_LT(run.get("constraint.residual"), tol(1e-13));
    return std::fabs(run.get("beta") - 15.810771195153707);
  };
  EXPECT_GT(std::log2(error(6e-5) / error(3e-5)), 3.5);
}

}  // namespace
}  // namespace mechfmu::testing
