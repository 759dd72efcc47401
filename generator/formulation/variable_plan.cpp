#include "formulation/variable_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "formulation/scales.hpp"
#include "formulation/sensor_expressions.hpp"
#include "formulation/sensor_text.hpp"
#include "formulation/state_names.hpp"
#include "formulation/variable_dependencies.hpp"
#include "readers/units.hpp"
#include "support/assert.hpp"
#include "validation/parameter_values.hpp"

namespace mechfmu {

namespace {

using runtime::VariableKind;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<std::string> split_choices(std::string_view text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    items.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

class Planner {
 public:
  Planner(const Formulated& system, const Mechanism& mechanism, const ResolvedChoices& choices)
      : s_(system),
        mechanism_(mechanism),
        choices_(choices),
        values_(calc_parameter_values(mechanism)),
        scales_(find_scales(system, mechanism, values_)) {}

  VariablePlan make(const std::string& expose) {
    add_parameters_and_starts();
    if (mechanism_.controller)
      add_no_settings();
    else
      add_settings();
    add_inputs();
    computed_first_ = static_cast<unsigned>(plan_.reals.size());
    add_calculated_parameters();
    add_coordinate_outputs();
    if (mechanism_.controller) return make_sampled();
    for (const Output& output : mechanism_.outputs) add_output(output);
    for (const std::string& name : local_names(expose)) add_local(name);
    if (expose == "all") add_scheme_multipliers();
    for (const Exposure& exposure : mechanism_.exposures) add_exposed(exposure);
    add_states();
    link_dependencies(s_, mechanism_, {input_index_, state_index_, computed_first_}, plan_);
    return std::move(plan_);
  }

 private:
  // A controller: what it holds between samples.
  VariablePlan make_sampled() {
    int held = s_.discrete_states;
    const auto add_held = [&](const std::string& name, Causality causality, const std::string& unit,
                              const std::string& description) {
      add_computed(name, s_.graph->symbol(runtime::kMemory, held++), causality,
                   Variability::discrete, unit, description);
    };
    // outputs stand after the blocks in memory, and before them among the variables
    int blocks = 0;
    for (const Block& block : mechanism_.controller->blocks)
      blocks += static_cast<int>(block.outputs.size());
    held += blocks;
    for (const Output& output : mechanism_.outputs)
      add_held(output.name.text, Causality::output, output.unit, output.description);
    held = s_.discrete_states;
    for (const Block& block : mechanism_.controller->blocks)
      for (const Name& name : block.outputs)
        add_held(name.text, Causality::local, "",
                 block.arguments["description"].text.empty() ? "output of the block " + block.type
                                                             : block.arguments["description"].text);
    plan_.first_state = plan_.first_derivative = static_cast<int>(plan_.reals.size());
    link_sampled(s_, {input_index_, 0, computed_first_}, plan_);
    return std::move(plan_);
  }

  // The runtime's tables are there, but no step of theirs is ever made.
  void add_no_settings() {
    plan_.step_setting = -1;
    plan_.integrators = {std::string(choices_.integrators[0]->id)};
    plan_.schemes = {{std::string(choices_.schemes[0].type->id), {}}};
    plan_.filter_setting.assign(mechanism_.inputs.size(), -1);
  }

  InterfaceVariable& add(InterfaceVariable variable) {
    plan_.interface.variables.push_back(std::move(variable));
    return plan_.interface.variables.back();
  }

  [[nodiscard]] double bound(const std::optional<Expression>& e, double fallback) const {
    return e ? evaluate_at(*e, mechanism_, values_) : fallback;
  }

  void add_parameters_and_starts() {
    const std::vector<bool> geometry = find_geometry();
    for (const int i : s_.independent_parameters) {
      const Parameter& p = mechanism_.parameters[at(i)];
      RealRow row{p.name.text, values_[at(i)]};
      row.min = bound(p.min, row.min);
      row.max = bound(p.max, row.max);
      row.kind = VariableKind::parameter;
      InterfaceVariable v = make_parameter(row, p.unit, p.description);
      v.display_unit = p.unit_text;
      if (p.min) v.min = row.min;
      if (p.max) v.max = row.max;
      if (!geometry[plan_.reals.size()]) make_tunable(v, row);
      plan_.reals.push_back(row);
      add(v);
    }
    plan_.n_parameters = static_cast<int>(plan_.reals.size());
    for (const StartValue& start : s_.start_values) {
      RealRow row{start.name, start.value};
      row.kind = VariableKind::start;
      add(make_parameter(row, start.unit, start.description));
      plan_.reals.push_back(row);
    }
    plan_.n_starts = static_cast<int>(plan_.reals.size()) - plan_.n_parameters;
  }

  [[nodiscard]] InterfaceVariable make_parameter(const RealRow& row, const std::string& unit,
                                                 const std::string& description) const {
    InterfaceVariable v;
    v.name = row.name;
    v.value_reference = static_cast<unsigned>(plan_.reals.size());
    v.causality = Causality::parameter;
    v.variability = Variability::fixed;
    v.unit = unit;
    v.description = description;
    v.start = row.start;
    return v;
  }

  void add_settings() {
    const int first = static_cast<int>(plan_.reals.size());
    plan_.step_setting = first;
    RealRow step{"solver.step", choices_.step, 1e-9, 1e3};
    step.kind = VariableKind::setting;
    InterfaceVariable v =
        make_parameter(step, "s", "internal step; every communication step is divided evenly");
    v.min = step.min;
    v.max = step.max;
    make_tunable(v, step);
    add(v);
    plan_.reals.push_back(step);
    add_solver_settings();
    add_schemes();
    add_compliances();
    add_filters();
    plan_.n_settings = static_cast<int>(plan_.reals.size()) - first;
  }

  // Inputs that constraints follow.
  void add_filters() {
    plan_.filter_setting.assign(mechanism_.inputs.size(), -1);
    for (const int i : s_.followed_inputs) {
      const Input& input = mechanism_.inputs[at(i)];
      RealRow row{"filter." + input.name.text, input.time_constant, 1e-6, 1e6};
      row.kind = VariableKind::setting;
      InterfaceVariable v =
          make_parameter(row, "s",
                         "time constant of the reference filter of input " + input.name.text +
                             ", unused where the host gives input derivatives");
      v.min = row.min;
      v.max = row.max;
      add(v);
      plan_.filter_setting[at(i)] = static_cast<int>(plan_.reals.size());
      plan_.reals.push_back(row);
    }
  }

  // Which integrator, and what only some of them need.
  void add_solver_settings() {
    std::vector<std::string> names;
    bool adaptive = false, corrections = false;
    for (const IntegratorType* type : choices_.integrators) {
      names.emplace_back(type->id);
      adaptive |= type->is_adaptive();
      corrections |= type->has_corrections();
    }
    plan_.integrators = names;
    if (names.size() > 1)
      plan_.integrator_choice = add_choice("solver.integrator", names, "integrator in use");
    if (adaptive) {
      RealRow row{"solver.tolerance", choices_.tolerance, kLeastTolerance, kMostTolerance};
      row.kind = VariableKind::setting;
      InterfaceVariable v = make_parameter(
          row, "", "error allowed in a step of an adaptive integrator, relative to 1 + |value|");
      v.min = row.min;
      v.max = row.max;
      make_tunable(v, row);
      plan_.tolerance_setting = static_cast<int>(plan_.reals.size());
      add(v);
      plan_.reals.push_back(row);
    }
    if (corrections)
      plan_.corrections_setting =
          add_integer("solver.corrections", 1, 1, 100, "m of the predictor-corrector P(EC)^m");
  }

  int add_integer(const std::string& name, double value, int min, int max,
                  const std::string& description) {
    RealRow row{name, value, static_cast<double>(min), static_cast<double>(max)};
    row.kind = VariableKind::setting;
    InterfaceVariable v = make_parameter(row, "", description);
    v.value_reference = static_cast<unsigned>(plan_.integers.size());
    v.type = ValueType::integer;
    v.min = row.min;
    v.max = row.max;
    const int setting = static_cast<int>(plan_.reals.size());
    plan_.integers.push_back({row.name, setting, min, max});
    plan_.reals.push_back(row);
    add(v);
    return setting;
  }

  int add_choice(const std::string& name, const std::vector<std::string>& items,
                 const std::string& description, double value = 1) {
    const int setting = add_integer(name, value, 1, static_cast<int>(items.size()), description);
    plan_.interface.variables.back().type = ValueType::enumeration;
    plan_.interface.variables.back().items = items;
    return setting;
  }

  // One variable per distinct name; schemes that share a name share the variable.
  void add_schemes() {
    std::vector<std::string> names;
    for (const ResolvedScheme& scheme : choices_.schemes) names.emplace_back(scheme.type->id);
    if (names.size() > 1)
      plan_.scheme_choice = add_choice("scheme.name", names, "how constraints are enforced");
    for (const ResolvedScheme& scheme : choices_.schemes) {
      SchemeRow row{std::string(scheme.type->id), {}};
      for (std::size_t i = 0; i < scheme.type->parameters.size(); ++i)
        row.parameters.push_back(
            find_or_add_parameter(scheme.type->parameters[i], scheme.parameters[i]));
      plan_.schemes.push_back(std::move(row));
    }
  }

  // Where only some constraints have a compliance of their own, those have parameters of their own.
  void add_compliances() {
    if (std::none_of(choices_.schemes.begin(), choices_.schemes.end(),
                     [](const ResolvedScheme& s) { return s.type->id == "compliant"; }))
      return;
    for (const Compliance& c : mechanism_.compliances) {
      const auto add_one = [&](const std::string& name, double value, double min,
                               const std::string& help) {
        RealRow row{"scheme." + c.on.text + "." + name, value, min, 1e18};
        row.kind = VariableKind::setting;
        InterfaceVariable v = make_parameter(row, "", help + " '" + c.on.text + "'");
        v.min = row.min;
        v.max = row.max;
        add(v);
        plan_.reals.push_back(row);
        return static_cast<int>(plan_.reals.size()) - 1;
      };
      const int stiffness = add_one("stiffness", c.stiffness, 1e-3, "force per residual of");
      const int damping = add_one("damping", c.damping, 0, "force per rate of the residual of");
      plan_.compliance[c.on.text] = {stiffness, damping};
    }
  }

  int find_or_add_parameter(const SchemeParameter& parameter, double value) {
    const std::string name = "scheme." + std::string(parameter.name);
    for (std::size_t i = 0; i < plan_.reals.size(); ++i) {
      if (plan_.reals[i].name != name) continue;
      plan_.reals[i].min = std::min(plan_.reals[i].min, parameter.min);
      plan_.reals[i].max = std::max(plan_.reals[i].max, parameter.max);
      for (InterfaceVariable& v : plan_.interface.variables)
        if (v.name == name && v.min) {
          v.min = plan_.reals[i].min;
          v.max = plan_.reals[i].max;
        }
      for (IntegerRow& row : plan_.integers)
        if (row.name == name) {
          row.min = static_cast<int>(plan_.reals[i].min);
          row.max = static_cast<int>(plan_.reals[i].max);
        }
      return static_cast<int>(i);
    }
    const int setting = static_cast<int>(plan_.reals.size());
    if (parameter.kind == SchemeParameter::Kind::choice)
      return add_choice(name, split_choices(parameter.choices), std::string(parameter.help), value);
    if (parameter.kind == SchemeParameter::Kind::integer)
      return add_integer(name, value, static_cast<int>(parameter.min),
                         static_cast<int>(parameter.max), std::string(parameter.help));
    RealRow row{name, value, parameter.min, parameter.max};
    row.kind = VariableKind::setting;
    InterfaceVariable v = make_parameter(
        row, parameter.unit == "1" ? "" : std::string(parameter.unit), std::string(parameter.help));
    v.min = row.min;
    v.max = row.max;
    make_tunable(v, row);
    plan_.reals.push_back(row);
    add(v);
    return setting;
  }

  static void make_tunable(InterfaceVariable& variable, RealRow& row) {
    variable.variability = Variability::tunable;
    row.tunable = true;
  }

  // Geometry is fixed: with it, bodies would jump. Masses, stiffnesses and gains are not.
  [[nodiscard]] std::vector<bool> find_geometry() const {
    Graph& g = *s_.graph;
    const int np = static_cast<int>(s_.parameter_symbols.size());
    std::vector<bool> geometry(at(np), false);
    const auto note = [&](Expr e) {
      if (e.graph() == nullptr) return;
      const std::vector<bool> mask = dependency_mask(g, e, runtime::kParameter, np);
      for (int i = 0; i < np; ++i) geometry[at(i)] = geometry[at(i)] || mask[at(i)];
    };
    const auto note_pose = [&](const Pose& pose) {
      for (std::size_t i = 0; i < 3; ++i) {
        note(pose.p[i]);
        for (std::size_t k = 0; k < 3; ++k) note(pose.R[i][k]);
      }
    };
    for (const ConstraintRow& row : s_.rows) {
      note(row.value);
      note(row.rate);
    }
    for (const StartRow& row : s_.start_rows) note(row.error);
    for (const Expr& guess : s_.guess) note(guess);
    if (mechanism_.controller)
      for (const Expr& start : s_.memory_guess) note(start);
    if (s_.tree)
      for (const TreeNode& node : s_.tree->nodes()) note_pose(node.pose_W);
    for (const Pose& pose : s_.body_pose) note_pose(pose);
    for (const FormulatedJoint& joint : s_.joints) {
      note_pose(joint.parent_in_node);
      note_pose(joint.child_in_node);
    }
    return geometry;
  }

  void add_inputs() {
    for (const Input& input : mechanism_.inputs) {
      RealRow row{input.name.text, evaluate_at(input.start, mechanism_, values_)};
      row.kind = VariableKind::input;
      InterfaceVariable v = make_parameter(row, input.unit, input.description);
      v.causality = Causality::input;
      v.variability = Variability::continuous;
      v.nominal = find_nominal(scales_, input.unit);
      input_index_.push_back(static_cast<int>(plan_.interface.variables.size()));
      add(v);
      plan_.reals.push_back(row);
    }
  }

  InterfaceVariable& add_computed(const std::string& name, Expr value, Causality causality,
                                  Variability variability, const std::string& unit,
                                  const std::string& description) {
    RealRow row{name};
    Graph& g = *s_.graph;
    row.needs_acceleration =
        depends_on(g, value, runtime::kAcceleration) || depends_on(g, value, runtime::kMultiplier);
    InterfaceVariable v;
    v.name = name;
    v.value_reference = static_cast<unsigned>(plan_.reals.size());
    v.causality = causality;
    v.variability = variability;
    v.unit = unit;
    v.description = description;
    v.needs_acceleration = row.needs_acceleration;
    if (variability == Variability::continuous) v.nominal = find_nominal(scales_, unit);
    plan_.reals.push_back(row);
    plan_.computed.push_back(value);
    return add(v);
  }

  void add_calculated_parameters() {
    for (std::size_t i = 0; i < mechanism_.parameters.size(); ++i) {
      const int index = static_cast<int>(i);
      if (std::find(s_.independent_parameters.begin(), s_.independent_parameters.end(), index) !=
          s_.independent_parameters.end())
        continue;
      const Parameter& p = mechanism_.parameters[i];
      add_computed(p.name.text, s_.parameter_values[i], Causality::calculated_parameter,
                   Variability::fixed, p.unit, p.description)
          .display_unit = p.unit_text;
    }
  }

  // In <equations> every coordinate and its velocity is an output.
  void add_coordinate_outputs() {
    if (!mechanism_.equations) return;
    Graph& g = *s_.graph;
    for (int i = 0; i < s_.nv; ++i) {
      const EquationCoordinate& c = mechanism_.equations->coordinates[at(i)];
      const std::string& name = c.name.text;
      add_computed(name, g.symbol(runtime::kPosition, i), Causality::output,
                   Variability::continuous, c.unit, c.description);
      add_computed("der(" + name + ")", g.symbol(runtime::kVelocity, i), Causality::output,
                   Variability::continuous, c.unit.empty() ? "" : c.unit + "/s",
                   "velocity of " + name);
    }
  }

  void add_output(const Output& output) {
    const NameMeaning meaning = make_meaning(s_, mechanism_);
    std::string unit = output.unit;
    if (unit.empty() && output.value.kind == Expression::Kind::name)
      if (const std::optional<Sensor> sensor = find_sensor(mechanism_, output.value.text))
        unit = sensor->unit;
    add_computed(output.name.text, resolve(*s_.graph, output.value, s_.tables, meaning),
                 Causality::output, Variability::continuous, unit, output.description);
  }

  void add_local(const std::string& name) {
    const std::optional<Sensor> sensor = find_sensor(mechanism_, name);
    MECHFMU_ASSERT(sensor.has_value(), "local_names() lists sensors only, not '" + name + "'");
    const std::vector<Expr> value = sensor_expression(s_, mechanism_, *sensor);
    const std::string description = describe_sensor(mechanism_, *sensor);
    // sizes and counters
    const bool positive = sensor->level == SensorLevel::report &&
                          sensor->owner == Sensor::Owner::system &&
                          (sensor->unit.empty() || sensor->quantity == "energy.kinetic");
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string full = value.size() == 1 ? name : name + "[" + std::to_string(i + 1) + "]";
      if (plan_.interface.find(full) != nullptr) continue;
      InterfaceVariable& v = add_computed(full, value[i], Causality::local, Variability::continuous,
                                          sensor->unit, description);
      if (positive) v.min = 0;
    }
  }

  // Beyond what --expose asks for.
  void add_exposed(const Exposure& exposure) {
    const std::string& word = exposure.quantity.text;
    if (word != "all") return add_local(exposure.owner + "." + word);
    for (const std::string& name : list_sensors(mechanism_, exposure.owner)) add_local(name);
  }

  // What the scheme itself found, at its own time.
  void add_scheme_multipliers() {
    Graph& g = *s_.graph;
    const int nc = static_cast<int>(s_.rows.size());
    for (int i = 0; i < nc; ++i)
      add_computed("scheme.multiplier[" + std::to_string(i + 1) + "]",
                   g.symbol(runtime::kSchemeMultiplier, i), Causality::local,
                   Variability::continuous, "",
                   "multiplier of " + owner_label(mechanism_, s_.rows[at(i)].owner) +
                       " as the scheme found it");
    if (nc > 0)
      add_computed("scheme.multiplier_time", g.symbol(runtime::kSchemeMultiplier, nc),
                   Causality::local, Variability::continuous, "s",
                   "time that scheme.multiplier belongs to");
  }

  [[nodiscard]] std::vector<std::string> local_names(const std::string& expose) const {
    std::vector<std::string> names = {"energy.total", "constraint.residual"};
    if (!s_.potential_energy.graph()) names[0] = "energy.kinetic";
    for (const ExpressionConstraint& c : mechanism_.constraints)
      for (const char* quantity : {".multiplier", ".residual"})
        names.push_back(c.name.text + quantity);
    if (expose == "outputs") return names;
    for (const Joint& joint : mechanism_.joints)
      for (const Coordinate& c : joint.type->coordinates) {
        names.push_back(joint.name.text + "." + std::string(c.name));
        names.push_back(joint.name.text + "." + std::string(c.rate_name));
      }
    if (expose == "states") return names;
    if (s_.potential_energy.graph())
      for (const char* name : {"energy.kinetic", "energy.potential"}) names.emplace_back(name);
    for (const char* name :
         {"constraint.residual_velocity", "constraint.residual_acceleration", "solver.steps",
          "solver.evaluations", "solver.projections", "solver.rank_losses"})
      names.emplace_back(name);
    for (const Joint& joint : mechanism_.joints)
      for (const Coordinate& c : joint.type->coordinates)
        names.push_back(joint.name.text + "." + acceleration_name(c.rate_name));
    for (const Joint& joint : mechanism_.joints)
      for (const char* quantity : {".force", ".torque", ".effort"})
        if (find_sensor(mechanism_, joint.name.text + quantity))
          names.push_back(joint.name.text + quantity);
    for (const Drive& drive : mechanism_.drives) names.push_back(drive.name.text + ".effort");
    for (const ExpressionConstraint& c : mechanism_.constraints)
      names.push_back(c.name.text + ".residual_velocity");
    for (const Body& body : mechanism_.bodies)
      for (const char* quantity : {".position", ".rpy", ".velocity", ".angular_velocity",
                                   ".acceleration", ".angular_acceleration"})
        names.push_back(body.name.text + quantity);
    return names;
  }

  // States for model exchange and linearisation, and their derivatives.
  void add_states() {
    Graph& g = *s_.graph;
    plan_.followed.assign(s_.followed_inputs.begin(), s_.followed_inputs.end());
    plan_.first_state = static_cast<int>(plan_.reals.size());
    state_index_ = static_cast<int>(plan_.interface.variables.size());
    const std::vector<StateName> names = make_state_names(s_, mechanism_);
    for (int i = 0; i < s_.nq; ++i) add_state(names[at(i)], g.symbol(runtime::kPosition, i));
    for (int i = 0; i < s_.nv; ++i)
      add_state(names[at(s_.nq + i)], g.symbol(runtime::kVelocity, i));
    for (const int input : plan_.followed)
      for (int k = 0; k < 3; ++k)
        add_state(filter_state(input, k), g.symbol(runtime::kReference, 3 * input + k));

    plan_.first_derivative = static_cast<int>(plan_.reals.size());
    for (const Expr& rate : position_rates(s_)) add_derivative(rate);
    for (int i = 0; i < s_.nv; ++i) add_derivative(g.symbol(runtime::kAcceleration, i));
    for (const int input : plan_.followed)
      for (int k = 0; k < 3; ++k)
        add_derivative(k < 2 ? g.symbol(runtime::kReference, 3 * input + k + 1)
                             : g.symbol(runtime::kReferenceThird, input));
  }

  [[nodiscard]] StateName filter_state(int input, int order) const {
    const Input& i = mechanism_.inputs[at(input)];
    static constexpr const char* kSuffix[] = {"", "_rate", "_second_rate"};
    static constexpr const char* kUnit[] = {"", "/s", "/s2"};
    return {"state.filter." + i.name.text + kSuffix[order],
            i.unit.empty() ? "" : i.unit + kUnit[order],
            i.unit.empty() ? ""
                           : i.unit + (order == 0   ? "/s"
                                       : order == 1 ? "/s2"
                                                    : "/s3"),
            "input " + i.name.text + " as the drive follows it"};
  }

  void add_state(const StateName& name, Expr value) {
    state_names_.push_back(name);
    InterfaceVariable& v = add_computed(name.name, value, Causality::local, Variability::continuous,
                                        known_unit(name.unit), name.description);
    v.is_state = true;
    // what fmi2GetNominalsOfContinuousStates returns
    plan_.reals.back().start = v.nominal.value_or(1);
  }

  void add_derivative(Expr value) {
    const auto k = static_cast<int>(plan_.reals.size()) - plan_.first_derivative;
    const StateName& state = state_names_[at(k)];
    add_computed("der(" + state.name + ")", value, Causality::local, Variability::continuous,
                 known_unit(state.rate_unit), "derivative of " + state.name)
        .derivative_of = state_index_ + k;
  }

  static std::string known_unit(const std::string& unit) {
    return !unit.empty() && find_unit(unit) ? unit : std::string();
  }

  const Formulated& s_;
  const Mechanism& mechanism_;
  const ResolvedChoices& choices_;
  const std::vector<double> values_;
  const Scales scales_;
  VariablePlan plan_;
  std::vector<int> input_index_;
  unsigned computed_first_ = 0;
  std::vector<StateName> state_names_;
  int state_index_ = 0;  // of the first state among the variables
};

}  // namespace

VariablePlan make_variable_plan(const Formulated& system, const Mechanism& mechanism,
                                const ResolvedChoices& choices, const std::string& expose) {
  return Planner(system, mechanism, choices).make(expose);
}

const InterfaceVariable* Interface::find(const std::string& name) const {
  for (const InterfaceVariable& v : variables)
    if (v.name == name) return &v;
  return nullptr;
}

}  // namespace mechfmu
