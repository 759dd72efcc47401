// What every scheme promises, over the tables: each scheme with each integrator that it takes, on
// an open chain, a planar loop, a redundant spatial loop, a rheonomic and a nonholonomic system and
// equations. All schemes and integrators of a mechanism are in one model, chosen by its parameters
// as in an FMU.
#include <cmath>

#include "schemes/scheme_run.hpp"

namespace mechfmu::testing {
namespace {

struct Mechanism6 {
  const char* name;
  std::string text;
  const char* coordinates;
  const char* watched;  // an output that moves smoothly
  SchemeTraits::Rows rows;
};

const char* const kRheonomic = R"xml(<mechanism name="R" gravity="0 -9.81 0">
  <body name="arm"><inertial mass="1" com="0.3 0 0" inertia="0.02 0.02 0.02"/><frame name="tip" xyz="0.6 0 0"/></body>
  <body name="bob"><inertial mass="0.5" com="0.2 0 0" inertia="0.01 0.01 0.01"/></body>
  <joint name="A" type="revolute" parent="ground" child="arm"/>
  <joint name="B" type="revolute" parent="arm.tip" child="bob"><start position="-0.4"/></joint>
  <drive name="d" joint="A" position="0.5*sin(3*time)"/><output name="y" value="B.position"/></mechanism>)xml";

const char* const kSled = R"xml(<equations name="S"><coordinate name="x" velocity="1" mass="2"/>
  <coordinate name="z" mass="2"/><coordinate name="a" velocity="0.5" fixed="true" mass="0.1"/>
  <force on="x" value="0.3"/><nonholonomic name="edge" value="der(z)*cos(a) - der(x)*sin(a)"/>
  <output name="y" value="x"/></equations>)xml";

const char* const kEquations = R"xml(<equations name="E"><coordinate name="x" start="0.6" mass="2"/>
  <coordinate name="z" start="-0.8" velocity="0" mass="2"/><force on="z" value="-19.62"/>
  <holonomic name="rod" value="(x^2 + z^2 - 1)/2"/><output name="y" value="x"/></equations>)xml";

std::string without_solve(std::string text) {
  const std::size_t begin = text.find("<solve"), end = text.find("/>", begin);
  return begin == std::string::npos ? text : text.erase(begin, end + 2 - begin);
}

std::vector<Mechanism6> mechanisms() {
  using Rows = SchemeTraits::Rows;
  return {{"open_chain", without_solve(example_text("double_pendulum")), "joint", "energy.kinetic",
           Rows::positions},
          {"planar_loop", without_solve(example_text("four_bar")), "joint", "crank_angle",
           Rows::positions},
          {"redundant_loop", without_solve(example_text("bricard")), "joint", "energy.kinetic",
           Rows::positions},
          {"rheonomic", kRheonomic, "absolute", "y", Rows::positions},
          {"nonholonomic", kSled, "", "y", Rows::velocities},
          {"equations", kEquations, "", "y", Rows::positions}};
}

bool can_hold(const SchemeType& scheme, SchemeTraits::Rows rows) {
  return rows == SchemeTraits::Rows::positions ||
         scheme.traits.rows != SchemeTraits::Rows::positions;
}

class Contract : public ::testing::TestWithParam<Mechanism6> {
 protected:
  // The model with every scheme that can hold its constraints and every integrator.
  Contract() {
    SystemOptions options;
    if (GetParam().coordinates[0] != '\0') options.coordinates = GetParam().coordinates;
    options.step = 2e-3;
    for (const SchemeType& scheme : scheme_types())
      if (can_hold(scheme, GetParam().rows)) {
        options.schemes.push_back({std::string(scheme.id), {}, std::nullopt});
        schemes_.push_back(&scheme);
      }
    for (const IntegratorType& type : integrator_types()) options.integrators.emplace_back(type.id);
    run_ = std::make_unique<MechanismRun>(GetParam().text, options);
  }
  void choose(std::size_t scheme, std::size_t integrator, double step) {
    run_->simulation().reset();
    const auto set = [&](const std::string& name, double value) {
      run_->simulation().values()[setting(name)] = value;
    };
    set("scheme.name", static_cast<double>(scheme + 1));
    set("solver.integrator", static_cast<double>(integrator + 1));
    set("solver.step", step);
    run_->simulation().mark_changed(runtime::VariableKind::setting);
    run_->initialize();
  }
  int setting(const std::string& name) {
    const runtime::Model& model = run_->simulation().model();
    for (int i = 0; i < model.n_integers; ++i)
      if (name == model.integers[i].name) return model.integers[i].setting;
    for (int i = 0; i < model.n_parameters + model.n_starts + model.n_settings; ++i)
      if (name == model.reals[i].name) return i;
    throw std::runtime_error("no setting " + name);
  }
  double end_of(std::size_t scheme, std::size_t integrator, double step) {
    choose(scheme, integrator, step);
    run_->advance(0.2);
    return run_->get(GetParam().watched);
  }
  std::vector<const SchemeType*> schemes_;
  std::unique_ptr<MechanismRun> run_;
};

// Reference: projection with rk4 at 0.1 ms. Every pair comes near it, first-order ones less.
TEST_P(Contract, EveryPairFollowsTheMotion) {
  const double exact = end_of(0, 0, 1e-4);
  for (std::size_t s = 0; s < schemes_.size(); ++s)
    for (std::size_t k = 0; k < integrator_types().size(); ++k) {
      if (schemes_[s]->steps_itself() && k > 0) continue;
      const int order = schemes_[s]->steps_itself() ? 1 : integrator_types()[k].order;
      const double error = std::fabs(end_of(s, k, 1e-3) - exact);
      const double allowed = order == 1 ? 3e-2 : order == 2 ? 2e-3 : 5e-4;
      EXPECT_LT(error, tol(allowed) * (1 + std::fabs(exact)))
          << schemes_[s]->id << " " << integrator_types()[k].id;
    }
}

TEST_P(Contract, ResidualsStayBounded) {
  for (std::size_t s = 0; s < schemes_.size(); ++s) {
    choose(s, 0, 1e-3);
    double residual = 0;
    for (int i = 0; i < 10; ++i) {
      run_->advance(0.05);
      residual = std::max(residual, run_->get("constraint.residual"));
    }
    const std::string_view id = schemes_[s]->id;
    const double allowed = id == "velocity"                                   ? 2e-2
                           : id == "none"                                     ? 1e-5
                           : schemes_[s]->steps_itself() || id == "baumgarte" ? 1e-4
                                                                              : 1e-6;
    EXPECT_LT(residual, tol(allowed)) << id;
  }
}

// The same bits after a reset, and after a state was restored in the middle.
TEST_P(Contract, ResetAndRestoreAreBitExact) {
  for (std::size_t s = 0; s < schemes_.size(); ++s)
    for (std::size_t k = 0; k < integrator_types().size(); ++k) {
      if (schemes_[s]->steps_itself() && k > 0) continue;
      if (integrator_types()[k].id == "implicit_euler" && s > 0)
        continue;  // slow, nothing of its own
      const auto run = [&] {
        choose(s, k, 5e-3);
        run_->advance(0.03);
        run_->advance(0.03);
        return run_->get(GetParam().watched);
      };
      const double first = run();
      EXPECT_EQ(run(), first) << schemes_[s]->id << " " << integrator_types()[k].id;
      choose(s, k, 5e-3);
      run_->advance(0.03);
      std::vector<char> state(run_->simulation().state_bytes());
      run_->simulation().save(state.data());
      run_->advance(0.02);
      run_->simulation().restore(state.data());
      run_->advance(0.03);
      EXPECT_EQ(run_->get(GetParam().watched), first)
          << schemes_[s]->id << " " << integrator_types()[k].id;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Contract, ::testing::ValuesIn(mechanisms()),
                         [](const auto& test) { return std::string(test.param.name); });

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
