// The dialect <equations>: M(q) a + J^T lambda = f in the user's own coordinates, or the equations
// of Lagrange, d/dt dT/dv - dT/dq + J^T lambda = f, from a kinetic energy T(t, q, v):
//
//     M = d2T/dv2        f - (d2T/dv dq v + d2T/dv dt) + dT/dq
#include "formulation/formulated.hpp"
#include "formulation/sensor_expressions.hpp"
#include "formulation/signal_rows.hpp"

namespace mechfmu {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class EquationBuilder {
 public:
  explicit EquationBuilder(const Mechanism& mechanism)
      : mechanism_(mechanism),
        equations_(*mechanism.equations),
        system_(std::make_unique<Formulated>()),
        g_(*system_->graph) {}

  std::unique_ptr<Formulated> build() {
    Formulated& s = *system_;
    s.kind = FormulationKind::equations;
    s.constraint_row.assign(mechanism_.constraints.size(), -1);
    add_parameters(s, mechanism_);
    add_coordinates();
    add_starts();
    for (int i = 0; i < s.nv; ++i) s.force.push_back(g_.number(0));
    for (const EquationForce& force : equations_.forces) {
      const std::size_t row = at(equations_.find(force.on.text));
      s.force[row] = s.force[row] + signal(force.value);
    }
    if (equations_.kinetic_energy)
      add_lagrangian(signal(*equations_.kinetic_energy));
    else
      add_masses();
    if (equations_.energy) s.potential_energy = signal(*equations_.energy) - s.kinetic_energy;
    add_expression_constraints(s, mechanism_);
    finish_rows(s);
    return std::move(system_);
  }

 private:
  [[nodiscard]] Expr q(int i) const { return g_.symbol(runtime::kPosition, i); }
  [[nodiscard]] Expr v(int i) const { return g_.symbol(runtime::kVelocity, i); }

  Expr signal(const Expression& e) {
    return resolve(g_, e, system_->tables, make_meaning(*system_, mechanism_));
  }

  void add_coordinates() {
    Formulated& s = *system_;
    for (const EquationCoordinate& c : equations_.coordinates) {
      s.position_of_velocity.push_back(s.nq);
      s.coordinate_names.push_back(c.name.text);
      ++s.nq;
      ++s.nv;
    }
  }

  // A start that follows from parameters follows them; a number is a parameter of its own.
  Expr start_value(const Expression& value, const std::string& name, const std::string& unit,
                   const std::string& description) {
    Formulated& s = *system_;
    const Expr e = resolve(g_, value, s.parameters_only(mechanism_));
    if (!e.is_constant()) return e;
    const Expr symbol = g_.symbol(runtime::kStart, static_cast<int>(s.start_values.size()));
    s.start_values.push_back({name, unit, e.constant(), description});
    return symbol;
  }

  void add_starts() {
    Formulated& s = *system_;
    for (int i = 0; i < s.nv; ++i) {
      const EquationCoordinate& c = equations_.coordinates[at(i)];
      const std::string& name = c.name.text;
      const auto what = [](bool fixed) {
        return std::string(fixed ? "start value of " : "guess for ");
      };
      const Expr position =
          start_value(c.start, "start." + name, c.unit, what(c.start_fixed) + name);
      const Expr velocity = start_value(c.velocity, "start." + name + "_velocity",
                                        c.unit.empty() ? "" : c.unit + "/s",
                                        what(c.velocity_fixed) + "der(" + name + ")");
      s.start_rows.push_back({name, false, c.start_fixed, q(i) - position, v(i)});
      s.start_rows.push_back({"der(" + name + ")", true, c.velocity_fixed, v(i) - velocity, v(i)});
      s.guess.push_back(position);
    }
  }

  void add_masses() {
    Formulated& s = *system_;
    std::map<std::pair<int, int>, Expr> entries;
    for (int i = 0; i < s.nv; ++i)
      if (const std::optional<Expression>& mass = equations_.coordinates[at(i)].mass)
        entries[{i, i}] = signal(*mass);
    for (const MassEntry& entry : equations_.masses) {
      const int i = equations_.find(entry.row.text), j = equations_.find(entry.column.text);
      entries[{std::max(i, j), std::min(i, j)}] = signal(entry.value);
    }
    s.kinetic_energy = g_.number(0);
    for (const auto& [place, value] : entries) {
      const auto& [i, j] = place;
      if (value.is_zero()) continue;
      s.mass.push_back({i, j, value});
      s.kinetic_energy = s.kinetic_energy + (i == j ? 0.5 : 1.0) * (value * (v(i) * v(j)));
    }
  }

  void add_lagrangian(Expr energy) {
    Formulated& s = *system_;
    s.kinetic_energy = energy;
    std::vector<Expr> velocities;
    Direction motion(g_);  // along q_dot = v at fixed v
    motion.seed(time_symbol(g_), g_.number(1));
    for (int i = 0; i < s.nv; ++i) {
      velocities.push_back(v(i));
      motion.seed(q(i), v(i));
    }
    std::vector<Expr> momenta(at(s.nv), g_.number(0));
    for (const SparseEntry& e : jacobian(g_, std::span(&energy, 1), velocities))
      momenta[at(e.column)] = e.value;
    for (const SparseEntry& e : jacobian(g_, momenta, velocities))
      if (e.column <= e.row) s.mass.push_back(e);
    for (int i = 0; i < s.nv; ++i) {
      Direction along(g_);
      along.seed(q(i), g_.number(1));
      s.force[at(i)] =
          s.force[at(i)] - motion.derivative(momenta[at(i)]) + along.derivative(energy);
    }
  }

  const Mechanism& mechanism_;
  const Equations& equations_;
  std::unique_ptr<Formulated> system_;
  Graph& g_;
};

}  // namespace

std::unique_ptr<Formulated> formulate_equations(const Mechanism& mechanism) {
  return EquationBuilder(mechanism).build();
}

}  // namespace mechfmu
