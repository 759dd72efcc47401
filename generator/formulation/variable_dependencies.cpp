#include "formulation/variable_dependencies.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class DependencyLinker {
 public:
  DependencyLinker(const Formulated& system, const Mechanism& mechanism,
                   const DependencyPlaces& places, VariablePlan& plan)
      : s_(system), mechanism_(mechanism), places_(places), plan_(plan) {}

  void run() {
    find_knowns_of_components();
    std::vector<InterfaceVariable>& all = plan_.interface.variables;
    const int np = plan_.n_parameters;
    std::vector<int> initial;  // parameters and starts
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].causality == Causality::parameter && all[i].type == ValueType::real &&
          static_cast<int>(all[i].value_reference) < np + plan_.n_starts)
        initial.push_back(static_cast<int>(i));
    for (InterfaceVariable& v : all) {
      if (v.type != ValueType::real || v.value_reference < places_.computed_first || v.start)
        continue;
      const Expr value = plan_.computed[v.value_reference - places_.computed_first];
      if (v.causality == Causality::calculated_parameter) {
        const std::vector<bool> mask = dependency_mask(*s_.graph, value, runtime::kParameter, np);
        for (const int i : initial)
          if (const auto reference = all[at(i)].value_reference;
              static_cast<int>(reference) < np && mask[reference])
            v.initially_depends_on.push_back(i);
        continue;
      }
      if (v.causality == Causality::output || v.derivative_of >= 0) link_running(v, value);
      if (initial.size() > kMostListed) {
        v.initially_depends_on_all = true;
        continue;
      }
      // at the start constraints and so all positions follow their inputs
      std::set<int> known(initial.begin(), initial.end());
      for (const Dependency& d : v.depends_on)
        if (all[at(d.index)].causality == Causality::input) known.insert(d.index);
      for (const int i : s_.followed_inputs) known.insert(places_.input_index[at(i)]);
      v.initially_depends_on.assign(known.begin(), known.end());
    }
  }

 private:
  // What can be changed alone while the FMU runs: inputs, then states.
  struct Knowns {
    std::set<int> inputs, positions, velocities;  // of the graph's arrays
    std::set<int> references;                     // 3 input + order
    void add(const Knowns& other) {
      inputs.insert(other.inputs.begin(), other.inputs.end());
      positions.insert(other.positions.begin(), other.positions.end());
      velocities.insert(other.velocities.begin(), other.velocities.end());
      references.insert(other.references.begin(), other.references.end());
    }
  };

  [[nodiscard]] Knowns find_direct(std::span<const Expr> of) const {
    Knowns knowns;
    for_each_symbol(*s_.graph, of, [&](int array, std::uint32_t symbol) {
      const int i = static_cast<int>(symbol);
      if (array == runtime::kInput) knowns.inputs.insert(i);
      if (array == runtime::kPosition) knowns.positions.insert(i);
      if (array == runtime::kVelocity) knowns.velocities.insert(i);
      if (array == runtime::kReference) knowns.references.insert(i);
      if (array != runtime::kReferenceThird) return;
      knowns.inputs.insert(i);
      for (int k = 0; k < 3; ++k) knowns.references.insert(3 * i + k);
    });
    return knowns;
  }

  // What reaches the accelerations of a component of the equations of motion.
  void find_knowns_of_components() {
    std::map<int, std::vector<Expr>> equations;
    const auto note = [&](int component, Expr e) { equations[component].push_back(e); };
    for (std::size_t i = 0; i < s_.force.size(); ++i) note(s_.component[i], s_.force[i]);
    for (const SparseEntry& e : s_.mass) note(s_.component[at(e.row)], e.value);
    for (std::size_t i = 0; i < s_.mass_times_acceleration.size(); ++i)
      note(s_.component[i], s_.mass_times_acceleration[i]);
    for (const SparseEntry& e : s_.jacobian) note(s_.row_component[at(e.row)], e.value);
    for (std::size_t r = 0; r < s_.rows.size(); ++r) {
      note(s_.row_component[r], s_.gamma[r]);
      // weak stabilisation reads the residuals
      note(s_.row_component[r], s_.rows[r].value);
      note(s_.row_component[r], s_.rows[r].rate);
    }
    for (const auto& [component, list] : equations)
      component_knowns_[component].add(find_direct(list));
  }

  [[nodiscard]] Knowns find_knowns(Expr e, bool& direct) const {
    Graph& g = *s_.graph;
    Knowns knowns = find_direct(std::span(&e, 1));
    direct = true;
    std::set<int> components;
    const auto through = [&](int array, const std::vector<int>& component) {
      const std::vector<bool> mask =
          dependency_mask(g, e, array, static_cast<int>(component.size()));
      for (std::size_t i = 0; i < mask.size(); ++i) {
        if (!mask[i]) continue;
        direct = false;
        components.insert(component[i]);
      }
    };
    through(runtime::kAcceleration, s_.component);
    through(runtime::kMultiplier, s_.row_component);
    for (const int component : components)
      if (const auto found = component_knowns_.find(component); found != component_knowns_.end())
        knowns.add(found->second);
    return knowns;
  }

  // The derivative of a direct dependence: a number, something of parameters, or more.
  [[nodiscard]] Dependency::Kind find_kind(Expr e, int array, int index, bool direct) const {
    if (!direct) return Dependency::Kind::dependent;
    Graph& g = *s_.graph;
    Direction along(g);
    along.seed(g.symbol(array, index), g.number(1));
    const Expr slope = along.derivative(e);
    if (slope.is_constant()) return Dependency::Kind::constant;
    for (const int moving : {int{runtime::kTime}, int{runtime::kPosition}, int{runtime::kVelocity},
                             int{runtime::kInput}, int{runtime::kReference}, int{runtime::kMemory}})
      if (depends_on(g, slope, moving)) return Dependency::Kind::dependent;
    return Dependency::Kind::fixed;
  }

  void link_running(InterfaceVariable& v, Expr value) {
    bool direct = true;
    const Knowns knowns = find_knowns(value, direct);
    if (knowns.positions.size() + knowns.velocities.size() > kMostListed) {
      v.depends_on_all = true;
      return;
    }
    const auto add_one = [&](int index, int array, int symbol) {
      v.depends_on.push_back({index, find_kind(value, array, symbol, direct)});
    };
    for (const int i : knowns.inputs) add_one(places_.input_index[at(i)], runtime::kInput, i);
    for (const int i : knowns.positions) add_one(places_.state_index + i, runtime::kPosition, i);
    for (const int i : knowns.velocities)
      add_one(places_.state_index + s_.nq + i, runtime::kVelocity, i);
    for (const int i : knowns.references) {
      const auto place = std::find(plan_.followed.begin(), plan_.followed.end(), i / 3);
      if (place == plan_.followed.end()) continue;
      const int k = static_cast<int>(place - plan_.followed.begin());
      add_one(places_.state_index + s_.nq + s_.nv + 3 * k + i % 3, runtime::kReference, i);
    }
  }

  const Formulated& s_;
  const Mechanism& mechanism_;
  const DependencyPlaces& places_;
  VariablePlan& plan_;
  std::map<int, Knowns> component_knowns_;
};

}  // namespace

void link_dependencies(const Formulated& system, const Mechanism& mechanism,
                       const DependencyPlaces& places, VariablePlan& plan) {
  DependencyLinker(system, mechanism, places, plan).run();
}

// What is held is read where it is computed; at the start the states are those of the guess.
void link_sampled(const Formulated& s, const DependencyPlaces& places, VariablePlan& plan) {
  Graph& g = *s.graph;
  Substitution begin(g);
  for (int i = 0; i < s.discrete_states; ++i)
    begin.replace(g.symbol(runtime::kMemory, i), s.memory_guess[at(i)]);
  std::vector<InterfaceVariable>& all = plan.interface.variables;
  for (InterfaceVariable& v : all) {
    if (v.type != ValueType::real || v.value_reference < places.computed_first) continue;
    Expr value = plan.computed[v.value_reference - places.computed_first];
    if (value.node().op == Op::symbol && value.node().a == runtime::kMemory)
      value = s.memory[value.node().b];
    const auto read = [&](Expr e, int array, int count) {
      return dependency_mask(g, e, array, count);
    };
    const Expr first = begin.apply(value);
    const int nu = static_cast<int>(places.input_index.size());
    const std::vector<bool> now = read(value, runtime::kInput, nu);
    const std::vector<bool> then = read(first, runtime::kInput, nu);
    const std::vector<bool> parameters = read(first, runtime::kParameter, plan.n_parameters);
    for (int i = 0; i < nu; ++i) {
      const int input = places.input_index[at(i)];
      if (now[at(i)]) v.depends_on.push_back({input, Dependency::Kind::dependent});
      if (then[at(i)]) v.initially_depends_on.push_back(input);
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].causality == Causality::parameter &&
          static_cast<int>(all[i].value_reference) < plan.n_parameters &&
          parameters[all[i].value_reference])
        v.initially_depends_on.push_back(static_cast<int>(i));
  }
}

}  // namespace mechfmu
