#include "formulation/initial_dependencies.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <random>
#include <set>
#include <string_view>

#include "formulation/interpreted_model.hpp"
#include "system/simulation.hpp"

namespace mechfmu {

namespace {

constexpr int kPoints = 6;        // the nominal one included
constexpr int kManyPoints = 30;   // where there are branches and bends
constexpr double kSpread = 0.05;  // relative, of parameters; absolute, of starts, inputs and zeros
constexpr double kSpeeds[] = {1, 100, 1e4};  // times it, of velocities: beside gravity and springs
constexpr double kRounding = 1e-13;          // relative: of what is not solved for
constexpr double kNothing = 1e-10;           // relative: what solving makes of zero, mostly
constexpr double kCertain = 1e-7;            // relative: what it never makes of zero
constexpr double kBeside = 1e-9;   // far enough for other rounding, too near for another slope
constexpr double kSame = 1e-4;     // relative, of slopes at places beside each other
constexpr double kGuard = 1e-9;    // max(1e-12, length) divides safely and is no branch
constexpr double kMostWork = 4e8;  // instructions; beyond it the structure has to do

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

bool reads_state(const Graph& graph, Expr value) {
  for (const int array : {int{runtime::kPosition}, int{runtime::kVelocity},
                          int{runtime::kAcceleration}, int{runtime::kMultiplier}})
    if (depends_on(graph, value, array)) return true;
  return false;
}

class Refiner {
 public:
  Refiner(const std::shared_ptr<const SystemKernels>& kernels, const Experiment& experiment,
          Interface& interface)
      : interpreted_(kernels),
        memory_(runtime::Simulation::bytes(interpreted_.model()) / sizeof(double) + 2),
        simulation_(interpreted_.model(), memory_.data()),
        model_(interpreted_.model()),
        experiment_(experiment),
        interface_(interface) {
    for (const InterfaceVariable& v : interface.variables)
      for (const int known : v.initially_depends_on) knowns_.insert(known);
    for (std::size_t v = 0; v < interface.variables.size(); ++v)
      if (interface.variables[v].is_state || interface.variables[v].causality == Causality::input)
        running_.insert(static_cast<int>(v));
    // the derivatives that hosts integrate hold the constraints weakly: they read the residuals
    simulation_.begin_exchange();
  }

  // Instructions at a place.
  [[nodiscard]] double work(const SystemKernels& kernels) const {
    double instructions = 0;
    for (const int k : {kDynamics, kTangentRows, kTangentConditions, kTangentOutputs})
      instructions += static_cast<double>(kernels.programs[at(k)].instructions.size());
    return instructions * static_cast<double>(knowns_.size() + running_.size());
  }

  // Every pair (variable, known) that some place shows; false if nothing could be assembled.
  bool run(int points) {
    std::mt19937 random(20241107);
    bool any = false;
    for (int point = 0; point < points; ++point) {
      Place place = draw(random, point);
      doubtful_.clear();
      if (!visit(place, 0)) {
        // fixed starts that fit each other only as they are
        for (int i = 0; i < model_.n_starts; ++i) place.values[at(model_.n_parameters + i)] = 0;
        if (!visit(place, 0)) continue;
      }
      any = true;
      // what is small may be rounding, which is another one beside this place
      if (!doubtful_.empty()) visit(place, kBeside);
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
  // Where to look: what is added to the nominal values (parameters, starts, inputs) and to the
  // assembled state. Other start times, too: a host may choose one, and at time 0 much vanishes.
  struct Place {
    double time;
    std::vector<double> values, position, velocity;
  };
  struct Slope {
    bool initially;
    int variable, known;
    auto operator<=>(const Slope&) const = default;
  };

  Place draw(std::mt19937& random, int point) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto fill = [&](int count, double size) {
      std::vector<double> list(at(count));
      for (double& x : list) x = size * uniform(random);
      return list;
    };
    Place place{experiment_.start, fill(simulation_.first_computed(), 0), {}, {}};
    if (point > 0) {
      place.time += (experiment_.stop - experiment_.start) * std::fabs(uniform(random));
      place.values = fill(simulation_.first_computed(), kSpread);
      for (int i = model_.n_parameters; i < model_.n_parameters + model_.n_starts; ++i)
        if (std::string_view(model_.reals[i].name).find("velocity") != std::string_view::npos)
          place.values[at(i)] *= kSpeeds[point % 3];
    }
    place.position = fill(model_.nq, 0.3);
    place.velocity = fill(model_.nv, 1);
    return place;
  }

  // Looks at the start, then away from it and from the constraints: the start may be a special
  // pose, and hosts that integrate the states themselves leave the constraints a little. With
  // `beside` (relative) only the doubtful ones are looked at, anew.
  bool visit(const Place& place, double beside) {
    simulation_.reset();
    double* values = simulation_.values();
    const auto spread = [&](int first, int count, bool relative) {
      for (int i = first; i < first + count; ++i) {
        const double size = relative && values[i] != 0 ? std::fabs(values[i]) : 1;
        const double moved = values[i] + size * (place.values[at(i)] + beside * std::cos(i));
        values[i] = std::clamp(moved, model_.reals[i].min, model_.reals[i].max);
      }
    };
    spread(0, model_.n_parameters, true);
    spread(model_.n_parameters, model_.n_starts, false);
    spread(simulation_.first_computed() - model_.nu, model_.nu, false);
    simulation_.mark_changed(runtime::VariableKind::parameter);
    simulation_.mark_changed(runtime::VariableKind::input);
    if (!simulation_.initialize(place.time + beside) || !simulation_.update_outputs(true))
      return false;
    look(true, beside > 0);
    for (int i = 0; i < model_.nq; ++i)
      simulation_.position()[i] += place.position[at(i)] + beside * std::sin(i + 1);
    for (int i = 0; i < model_.nv; ++i)
      simulation_.velocity()[i] += place.velocity[at(i)] + beside * std::cos(i + 1);
    simulation_.system().normalise(simulation_.position());
    simulation_.mark_moved();
    if (simulation_.update_outputs(true)) look(false, beside > 0);
    return true;
  }

  void look(bool initially, bool again) {
    const int first = simulation_.first_computed();
    std::vector<double> rates(at(model_.n_computed));
    for (const int known : initially ? knowns_ : running_) {
      if (again && std::none_of(doubtful_.begin(), doubtful_.end(), [&](const auto& d) {
            return d.first.initially == initially && d.first.known == known;
          }))
        continue;
      const unsigned reference = interface_.variables[at(known)].value_reference;
      const double one = 1;
      if (!simulation_.calc_directional(initially, 1, &reference, &one, rates.data())) continue;
      const double step = std::max(1e-3, std::fabs(simulation_.values()[reference]));
      for (std::size_t v = 0; v < interface_.variables.size(); ++v) {
        const InterfaceVariable& variable = interface_.variables[v];
        const int i = static_cast<int>(variable.value_reference) - first;
        if (variable.type != ValueType::real || i < 0) continue;
        // what is not solved for has zeros that are nearly zero
        const double size = 1e-3 + std::fabs(simulation_.values()[variable.value_reference]);
        const bool solved = initially || variable.needs_acceleration;
        note({initially, static_cast<int>(v), known}, rates[at(i)], step / size, solved, again);
      }
    }
  }

  void note(const Slope& slope, double rate, double scale, bool solved, bool again) {
    std::set<std::pair<int, int>>& shown = slope.initially ? initially_ : shown_;
    const std::pair<int, int> pair{slope.variable, slope.known};
    const double seen = std::fabs(rate) * scale;
    if (again) {
      const auto before = doubtful_.find(slope);
      if (before != doubtful_.end() && std::fabs(rate - before->second) < kSame * std::fabs(rate))
        shown.insert(pair);
    } else if (seen > (solved ? kCertain : kRounding)) {
      shown.insert(pair);
    } else if (solved && seen > kNothing && !shown.contains(pair)) {
      doubtful_[slope] = rate;
    }
  }

  InterpretedModel interpreted_;
  std::vector<double> memory_;
  runtime::Simulation simulation_;
  const runtime::Model& model_;
  const Experiment& experiment_;
  Interface& interface_;
  std::set<int> knowns_, running_;
  std::set<std::pair<int, int>> shown_, initially_;  // variable, known
  std::map<Slope, double> doubtful_;                 // of the present place
};

}  // namespace

void refine_initial_dependencies(const Formulated& system, const VariablePlan& plan,
                                 const std::shared_ptr<const SystemKernels>& kernels,
                                 const Experiment& experiment, Interface& interface) {
  std::vector<Expr> motion = system.force, assembly;
  for (const ConstraintRow& row : system.rows) {
    motion.push_back(row.acceleration);
    assembly.insert(assembly.end(), {row.value, row.rate});
  }
  for (const SparseEntry& e : system.mass) motion.push_back(e.value);
  motion.insert(motion.end(), system.mass_times_acceleration.begin(),
                system.mass_times_acceleration.end());
  const bool motion_bends = bends(*system.graph, motion);
  const bool assembly_bends = bends(*system.graph, assembly);
  Refiner refiner(kernels, experiment, interface);
  const int points = motion_bends || assembly_bends ? kManyPoints : kPoints;
  if (refiner.work(*kernels) * points > kMostWork || !refiner.run(points)) return;
  const auto first = plan.reals.size() - plan.computed.size();

  for (std::size_t v = 0; v < interface.variables.size(); ++v) {
    InterfaceVariable& variable = interface.variables[v];
    if (variable.causality == Causality::calculated_parameter || variable.type != ValueType::real ||
        variable.value_reference < first)
      continue;
    const int index = static_cast<int>(v);
    const Expr value = plan.computed[variable.value_reference - first];
    const bool moving = variable.needs_acceleration;
    const bool has_branches = (moving && motion_bends) || bends(*system.graph, {value});
    if (!has_branches)
      std::erase_if(variable.depends_on,
                    [&](const Dependency& d) { return !refiner.is_shown(index, d.index); });
    if (!has_branches && !assembly_bends) {
      std::erase_if(variable.initially_depends_on,
                    [&](int known) { return !refiner.is_shown_initially(index, known); });
      continue;
    }
    // Where there are branches: what it reads by its structure, and what the states among that
    // depend on.
    std::vector<Expr> read = moving ? motion : std::vector<Expr>();
    if (assembly_bends && reads_state(*system.graph, value))
      read.insert(read.end(), assembly.begin(), assembly.end());
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
