#include "formulation/initial_dependencies.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "formulation/interpreted_model.hpp"
#include "system/simulation.hpp"

namespace mechfmu {

namespace {

constexpr int kPoints = 6;          // the nominal one included
constexpr double kSpread = 0.05;    // relative, of parameters; absolute, of starts
constexpr double kNothing = 1e-11;  // relative: what solving makes of zero
constexpr double kGuard = 1e-9;     // max(1e-12, length) divides safely and is no branch
constexpr double kMostWork = 4e8;   // instructions; beyond it the structure has to do

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Branches and bends: what a derivative at some points does not show may be there at others.
bool bends(const Graph& graph, const std::vector<Expr>& expressions) {
  const Program program = make_program(graph, expressions);
  const auto is_guard = [&](std::uint32_t slot) {
    const Instruction& i = program.instructions[slot];
    return i.op == Op::constant && std::fabs(i.value) <= kGuard;
  };
  return std::any_of(
      program.instructions.begin(), program.instructions.end(), [&](const Instruction& i) {
        if (i.op == Op::select || i.op == Op::table) return true;
        return (i.op == Op::min || i.op == Op::max) && !is_guard(i.a) && !is_guard(i.b);
      });
}

class Refiner {
 public:
  Refiner(const std::shared_ptr<const SystemKernels>& kernels, double start_time,
          Interface& interface)
      : interpreted_(kernels),
        memory_(runtime::Simulation::bytes(interpreted_.model()) / sizeof(double) + 2),
        simulation_(interpreted_.model(), memory_.data()),
        model_(interpreted_.model()),
        start_time_(start_time),
        interface_(interface) {
    for (const InterfaceVariable& v : interface.variables)
      for (const int known : v.initially_depends_on) knowns_.insert(known);
    for (std::size_t v = 0; v < interface.variables.size(); ++v)
      if (interface.variables[v].is_state || interface.variables[v].causality == Causality::input)
        running_.insert(static_cast<int>(v));
    // the derivatives that hosts integrate hold the constraints weakly: they read the residuals
    simulation_.begin_exchange();
  }

  [[nodiscard]] double work(const SystemKernels& kernels) const {
    double instructions = 0;
    for (const int k : {kDynamics, kTangentRows, kTangentConditions, kTangentOutputs})
      instructions += static_cast<double>(kernels.programs[at(k)].instructions.size());
    return kPoints * instructions * static_cast<double>(knowns_.size() + running_.size());
  }

  // Every pair (variable, known) that some point shows; false if no point could be assembled.
  bool run() {
    std::mt19937 random(20241107);
    std::uniform_real_distribution<double> uniform(-1, 1);
    bool any = false;
    for (int point = 0; point < kPoints; ++point) {
      simulation_.reset();
      double* values = simulation_.values();
      for (int i = 0; i < model_.n_parameters + model_.n_starts && point > 0; ++i) {
        const double spread =
            kSpread * uniform(random) * (i < model_.n_parameters ? std::fabs(values[i]) : 1);
        values[i] = std::clamp(values[i] + spread, model_.reals[i].min, model_.reals[i].max);
      }
      simulation_.mark_changed(runtime::VariableKind::parameter);
      if (!simulation_.initialize(start_time_) || !simulation_.update_outputs(true)) continue;
      any = true;
      look(true, knowns_);
      shake(random);
      if (simulation_.update_outputs(true)) look(false, running_);
    }
    return any;
  }

  [[nodiscard]] bool is_shown(int variable, int known) const {
    return shown_.contains({variable, known});
  }
  [[nodiscard]] bool is_shown_initially(int variable, int known) const {
    return initially_.contains({variable, known});
  }

 private:
  // Away from the start and from the constraints: the start may be a special pose, and hosts that
  // integrate the states themselves leave the constraints a little.
  void shake(std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < model_.nq; ++i) simulation_.position()[i] += 0.3 * uniform(random);
    for (int i = 0; i < model_.nv; ++i) simulation_.velocity()[i] += uniform(random);
    simulation_.system().normalise(simulation_.position());
    simulation_.mark_moved();
  }

  void look(bool initializing, const std::set<int>& knowns) {
    const int first = simulation_.first_computed();
    std::vector<double> rates(at(model_.n_computed));
    for (const int known : knowns) {
      const unsigned reference = interface_.variables[at(known)].value_reference;
      const double one = 1;
      if (!simulation_.calc_directional(initializing, 1, &reference, &one, rates.data())) continue;
      const double step = std::max(1e-3, std::fabs(simulation_.values()[reference]));
      for (std::size_t v = 0; v < interface_.variables.size(); ++v) {
        const InterfaceVariable& variable = interface_.variables[v];
        const int i = static_cast<int>(variable.value_reference) - first;
        if (variable.type != ValueType::real || i < 0) continue;
        // what is not solved for has zeros that are nearly zero
        const double size = 1e-3 + std::fabs(simulation_.values()[variable.value_reference]);
        const bool solved = initializing || variable.needs_acceleration;
        if (std::fabs(rates[at(i)]) * step > (solved ? kNothing : 1e-13) * size)
          (initializing ? initially_ : shown_).insert({static_cast<int>(v), known});
      }
    }
  }

  InterpretedModel interpreted_;
  std::vector<double> memory_;
  runtime::Simulation simulation_;
  const runtime::Model& model_;
  double start_time_;
  Interface& interface_;
  std::set<int> knowns_, running_;
  std::set<std::pair<int, int>> shown_, initially_;  // variable, known
};

}  // namespace

void refine_initial_dependencies(const Formulated& system, const VariablePlan& plan,
                                 const std::shared_ptr<const SystemKernels>& kernels,
                                 double start_time, Interface& interface) {
  Refiner refiner(kernels, start_time, interface);
  if (refiner.work(*kernels) > kMostWork || !refiner.run()) return;
  std::vector<Expr> motion = system.force;
  for (const ConstraintRow& row : system.rows) motion.push_back(row.acceleration);
  for (const SparseEntry& e : system.mass) motion.push_back(e.value);
  motion.insert(motion.end(), system.mass_times_acceleration.begin(),
                system.mass_times_acceleration.end());
  const bool motion_bends = bends(*system.graph, motion);
  const auto first = plan.reals.size() - plan.computed.size();

  for (std::size_t v = 0; v < interface.variables.size(); ++v) {
    InterfaceVariable& variable = interface.variables[v];
    if (variable.causality == Causality::calculated_parameter || variable.type != ValueType::real ||
        variable.value_reference < first)
      continue;
    const int index = static_cast<int>(v);
    const Expr value = plan.computed[variable.value_reference - first];
    const bool moving = variable.needs_acceleration;
    if (!(moving && motion_bends) && !bends(*system.graph, {value})) {
      std::erase_if(variable.depends_on,
                    [&](const Dependency& d) { return !refiner.is_shown(index, d.index); });
      std::erase_if(variable.initially_depends_on,
                    [&](int known) { return !refiner.is_shown_initially(index, known); });
      continue;
    }
    // Where there are branches: what it reads by its structure, and what the states among that
    // depend on.
    std::vector<Expr> read = moving ? motion : std::vector<Expr>();
    read.push_back(value);
    std::vector<bool> parameters(at(plan.n_parameters), false);
    for (const Expr& e : read) {
      const std::vector<bool> mask =
          dependency_mask(*system.graph, e, runtime::kParameter, plan.n_parameters);
      for (std::size_t i = 0; i < mask.size(); ++i) parameters[i] = parameters[i] || mask[i];
    }
    std::erase_if(variable.initially_depends_on, [&](int known) {
      const InterfaceVariable& k = interface.variables[at(known)];
      if (refiner.is_shown_initially(index, known) || k.causality == Causality::input) return false;
      if (k.value_reference < parameters.size() && parameters[k.value_reference]) return false;
      return std::none_of(
          variable.depends_on.begin(), variable.depends_on.end(),
          [&](const Dependency& d) { return refiner.is_shown_initially(d.index, known); });
    });
  }
}

}  // namespace mechfmu
