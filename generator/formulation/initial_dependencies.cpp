#include "formulation/initial_dependencies.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "formulation/interpreted_model.hpp"
#include "system/simulation.hpp"

namespace mechfmu {

namespace {

constexpr int kPoints = 5;          // the nominal one included
constexpr double kSpread = 0.05;    // relative, of parameters; absolute, of starts
constexpr double kNothing = 1e-11;  // relative: what rounding makes of zero
constexpr double kMostWork = 4e8;   // instructions; beyond it the structure has to do

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Branches and bends: what a derivative at some points does not show may be there at others.
bool bends(const Graph& graph, const std::vector<Expr>& expressions) {
  const Program program = make_program(graph, expressions);
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [](const Instruction& i) {
                       return i.op == Op::select || i.op == Op::min || i.op == Op::max ||
                              i.op == Op::abs || i.op == Op::table;
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
  }

  [[nodiscard]] double work(const SystemKernels& kernels) const {
    double instructions = 0;
    for (const int k : {kDynamics, kTangentRows, kTangentConditions, kTangentOutputs})
      instructions += static_cast<double>(kernels.programs[at(k)].instructions.size());
    return kPoints * instructions * static_cast<double>(knowns_.size());
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
      look();
    }
    return any;
  }

  [[nodiscard]] bool is_shown(int variable, int known) const {
    return shown_.contains({variable, known});
  }

 private:
  void look() {
    const int first = simulation_.first_computed();
    std::vector<double> rates(at(model_.n_computed));
    for (const int known : knowns_) {
      const unsigned reference = interface_.variables[at(known)].value_reference;
      const double one = 1;
      if (!simulation_.calc_directional(true, 1, &reference, &one, rates.data())) continue;
      const double step = std::max(1e-3, std::fabs(simulation_.values()[reference]));
      for (std::size_t v = 0; v < interface_.variables.size(); ++v) {
        const InterfaceVariable& variable = interface_.variables[v];
        const int i = static_cast<int>(variable.value_reference) - first;
        if (variable.type != ValueType::real || i < 0) continue;
        const double size = 1e-3 + std::fabs(simulation_.values()[variable.value_reference]);
        if (std::fabs(rates[at(i)]) * step > kNothing * size)
          shown_.insert({static_cast<int>(v), known});
      }
    }
  }

  InterpretedModel interpreted_;
  std::vector<double> memory_;
  runtime::Simulation simulation_;
  const runtime::Model& model_;
  double start_time_;
  Interface& interface_;
  std::set<int> knowns_;
  std::set<std::pair<int, int>> shown_;  // variable, known
};

}  // namespace

void refine_initial_dependencies(const Formulated& system, const VariablePlan& plan,
                                 const std::shared_ptr<const SystemKernels>& kernels,
                                 double start_time, Interface& interface) {
  Refiner refiner(kernels, start_time, interface);
  if (refiner.work(*kernels) > kMostWork || !refiner.run()) return;
  std::vector<Expr> forces = system.force;
  for (const ConstraintRow& row : system.rows) forces.push_back(row.acceleration);
  const bool forces_bend = bends(*system.graph, forces);
  const auto first = interface.variables.size() > 0 ? plan.reals.size() - plan.computed.size() : 0;
  for (std::size_t v = 0; v < interface.variables.size(); ++v) {
    InterfaceVariable& variable = interface.variables[v];
    if (variable.causality == Causality::calculated_parameter ||
        variable.initially_depends_on.empty())
      continue;
    const Expr value = plan.computed[variable.value_reference - first];
    if ((variable.needs_acceleration && forces_bend) || bends(*system.graph, {value})) continue;
    std::erase_if(variable.initially_depends_on,
                  [&](int known) { return !refiner.is_shown(static_cast<int>(v), known); });
  }
}

}  // namespace mechfmu
