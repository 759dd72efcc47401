#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formulation/analyse.hpp"
#include "formulation/initial_dependencies.hpp"
#include "formulation/plane.hpp"
#include "formulation/system_kernels.hpp"
#include "formulation/system_model.hpp"
#include "formulation/variable_plan.hpp"
#include "graph/program.hpp"
#include "readers/value_parser.hpp"
#include "scene/make_scene.hpp"
#include "support/did_you_mean.hpp"
#include "validation/validate.hpp"

namespace mechfmu {

namespace {

constexpr double kDefaultStep = 1e-3;  // [s]
constexpr double kDefaultTolerance = 1e-6;

// --set and the scheme's parameters: "name", "value" pairs as text.
bool apply_settings(Mechanism& mechanism, const SystemOptions& options, Diagnostics& diagnostics) {
  for (const auto& [name, text] : options.set) {
    const auto found =
        std::find_if(mechanism.parameters.begin(), mechanism.parameters.end(),
                     [&, &key = name](const Parameter& p) { return p.name.text == key; });
    if (found == mechanism.parameters.end()) {
      std::vector<std::string_view> known;
      for (const Parameter& p : mechanism.parameters) known.push_back(p.name.text);
      diagnostics.error("E501", std::nullopt,
                        fmt::format("--set: there is no parameter '{}'", name),
                        did_you_mean(name, known, "parameters"));
      continue;
    }
    std::string problem;
    const std::optional<double> value = parse_constant(text, found->unit, problem);
    if (!value)
      diagnostics.error("E501", std::nullopt, fmt::format("--set {}: {}", name, problem));
    else
      found->value = Expression::number(*value, found->value.span);
  }
  // masses, lengths and bounds must make sense with the new values, too
  return !diagnostics.has_errors() && (options.set.empty() || validate(mechanism, diagnostics));
}

// A scheme's parameter: a number, or the word of a choice.
std::optional<double> parse_scheme_parameter(const SchemeParameter& parameter,
                                             const std::string& text, std::string& problem) {
  if (parameter.kind == SchemeParameter::Kind::choice) {
    double number = 1;
    std::string_view rest = parameter.choices;
    for (;; ++number) {
      const std::size_t bar = rest.find('|');
      if (rest.substr(0, bar) == text) return number;
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
    problem = fmt::format("'{}' is none of {}", text, parameter.choices);
    return std::nullopt;
  }
  const std::optional<double> value = parse_constant(text, parameter.unit, problem);
  if (!value) return std::nullopt;
  if (*value < parameter.min || *value > parameter.max) {
    problem = fmt::format("{} is outside [{}, {}]", *value, parameter.min, parameter.max);
    return std::nullopt;
  }
  if (parameter.kind == SchemeParameter::Kind::integer && *value != std::floor(*value)) {
    problem = fmt::format("{} is not a whole number", *value);
    return std::nullopt;
  }
  return value;
}

class ChoiceResolver {
 public:
  ChoiceResolver(const Mechanism& mechanism, const SystemOptions& options, Diagnostics& diagnostics)
      : mechanism_(mechanism), options_(options), diagnostics_(diagnostics) {}

  std::optional<ResolvedChoices> resolve() {
    ResolvedChoices choices;
    const Solve& solve = mechanism_.solve;
    const auto named = [](const std::optional<std::string>& option,
                          const std::optional<Name>& in_file, std::string_view fallback) {
      return option ? *option : in_file ? in_file->text : std::string(fallback);
    };
    choices.solver = find_solver_type(named(options_.solver, solve.solver, solver_types()[0].id));
    if (choices.solver == nullptr) refuse("solver", *options_.solver, ids(solver_types()));
    resolve_schemes(choices);
    std::vector<std::string> names = options_.integrators;
    if (names.empty())
      names = {named(options_.integrator, solve.integrator, integrator_types()[0].id)};
    for (const std::string& name : names) {
      choices.integrators.push_back(find_integrator_type(name));
      if (choices.integrators.back() == nullptr)
        refuse("integrator", name, ids(integrator_types()));
    }
    choices.step = options_.step.value_or(solve.step.value_or(kDefaultStep));
    if (!(choices.step >= 1e-9 && choices.step <= 1e3))
      diagnostics_.error("E503", std::nullopt,
                         fmt::format("step {} s is outside [1e-9, 1000]", choices.step));
    choices.tolerance =
        options_.tolerance.value_or(mechanism_.experiment.tolerance.value_or(kDefaultTolerance));
    if (diagnostics_.has_errors()) return std::nullopt;
    check_own_steps(choices);
    if (diagnostics_.has_errors()) return std::nullopt;
    return choices;
  }

 private:
  template <class T>
  static std::vector<std::string_view> ids(const std::vector<T>& rows) {
    std::vector<std::string_view> list;
    for (const T& row : rows) list.push_back(row.id);
    return list;
  }

  void refuse(const std::string& kind, const std::string& name,
              const std::vector<std::string_view>& known) {
    diagnostics_.error("E502", std::nullopt, fmt::format("there is no {} '{}'", kind, name),
                       did_you_mean(name, known, kind + "s"));
  }

  // The scheme of the file or of --scheme, or those of --schemes.
  void resolve_schemes(ResolvedChoices& choices) {
    if (options_.schemes.empty()) {
      const std::optional<SchemeChoice>& chosen =
          options_.scheme ? options_.scheme : mechanism_.solve.scheme;
      resolve_scheme(chosen.value_or(SchemeChoice{}), choices);
      return;
    }
    for (const SchemeChoice& chosen : options_.schemes) resolve_scheme(chosen, choices);
  }

  void resolve_scheme(const SchemeChoice& chosen, ResolvedChoices& choices) {
    const std::string name = !chosen.name.empty() ? chosen.name : std::string(scheme_types()[0].id);
    ResolvedScheme scheme{find_scheme_type(name), {}};
    if (scheme.type == nullptr) {
      refuse("scheme", name, ids(scheme_types()));
      return;
    }
    const auto& rows = scheme.type->parameters;
    for (const SchemeParameter& p : rows) scheme.parameters.push_back(p.fallback);
    for (const auto& [key, text] : chosen.parameters) {
      const auto row =
          std::find_if(rows.begin(), rows.end(),
                       [&, &k = key](const SchemeParameter& p) { return p.name == k; });
      std::string problem;
      std::optional<double> value;
      if (row == rows.end())
        problem = "there is no such parameter";
      else
        value = parse_scheme_parameter(*row, text, problem);
      if (value)
        scheme.parameters[static_cast<std::size_t>(row - rows.begin())] = *value;
      else
        diagnostics_.error("E504", chosen.span,
                           fmt::format("scheme '{}': {}: {}", name, key, problem));
    }
    choices.schemes.push_back(std::move(scheme));
  }

  // A scheme that steps itself has no use for an integrator.
  void check_own_steps(const ResolvedChoices& choices) {
    if (choices.schemes.size() > 1 || !choices.schemes[0].type->steps_itself()) return;
    const std::string_view scheme = choices.schemes[0].type->id;
    if (options_.integrator || !options_.integrators.empty())
      diagnostics_.error(
          "E508", std::nullopt,
          fmt::format("scheme '{}' steps itself: an integrator cannot be chosen", scheme),
          "leave --integrator out, or choose another scheme");
    else if (mechanism_.solve.integrator)
      diagnostics_.note("N501", mechanism_.solve.integrator->span,
                        fmt::format("scheme '{}' steps itself and ignores the integrator", scheme));
  }

  const Mechanism& mechanism_;
  const SystemOptions& options_;
  Diagnostics& diagnostics_;
};

struct FormulationChoice {
  FormulationKind kind = FormulationKind::joint;
  std::string name, reason;
};

bool is_coupled(const Mechanism& mechanism) {
  return !mechanism.drives.empty() || !mechanism.constraints.empty() ||
         std::any_of(mechanism.joints.begin(), mechanism.joints.end(),
                     [](const Joint& joint) { return !joint.connects_frames(); });
}

std::optional<FormulationChoice> choose_formulation(const Mechanism& mechanism,
                                                    const SpanningTree& tree,
                                                    const SystemOptions& options,
                                                    Diagnostics& diagnostics) {
  const std::optional<Name>& in_file = mechanism.solve.coordinates;
  const std::string wanted = options.coordinates ? *options.coordinates
                             : in_file           ? in_file->text
                                                 : "auto";
  if (wanted == "auto") {
    const int closing = static_cast<int>(tree.loops.size());
    return FormulationChoice{
        FormulationKind::joint, "joint",
        closing == 0
            ? (is_coupled(mechanism)
                   ? "no loop is closed; only couplings, drives and constraints are equations"
                   : "an open chain has no constraints at all in joint coordinates")
            : fmt::format("only {} closing {} left as constraints; the other joints cannot drift",
                          closing, closing == 1 ? "joint is" : "joints are")};
  }
  if (wanted == "joint") return FormulationChoice{FormulationKind::joint, "joint", "asked for"};
  if (wanted == "absolute_spatial")
    return FormulationChoice{FormulationKind::absolute_spatial, wanted, "asked for"};
  if (wanted == "absolute") {
    if (find_plane(mechanism, tree))
      return FormulationChoice{FormulationKind::absolute_planar, wanted,
                               "asked for; planar: x, y and angle per body"};
    return FormulationChoice{FormulationKind::absolute_spatial, wanted,
                             "asked for; spatial: position and Euler parameters per body"};
  }
  diagnostics.error("E505", std::nullopt, fmt::format("coordinates '{}' are unknown", wanted),
                    "auto, joint, absolute or absolute_spatial");
  return std::nullopt;
}

// Why the energy of the system is not constant; empty if nothing says so.
std::string find_energy_flow(const Formulated& system) {
  const Graph& g = *system.graph;
  if (system.potential_energy.graph() == nullptr) return "no <energy> is given";
  for (const Expr& force : system.force) {
    if (depends_on(g, force, runtime::kInput)) return "an input acts as a force";
    if (depends_on(g, force, runtime::kTime)) return "a force depends on time";
  }
  for (const ConstraintRow& row : system.rows)
    for (const int array : {int{runtime::kTime}, int{runtime::kReference}, int{runtime::kInput}})
      if (depends_on(g, row.acceleration, array) || depends_on(g, row.rate, array))
        return "a motion is prescribed";
  return {};
}

// pseudoinverse with energy=yes would give back what dampers take.
bool check_energy(const Formulated& system, const ResolvedChoices& choices, double power,
                  Diagnostics& diagnostics) {
  for (const ResolvedScheme& scheme : choices.schemes)
    for (std::size_t i = 0; i < scheme.parameters.size(); ++i) {
      if (scheme.type->parameters[i].name != "energy" || scheme.parameters[i] < 1.5) continue;
      std::string reason = find_energy_flow(system);
      if (reason.empty() && power > 0) reason = "forces take energy out or bring it in";
      if (reason.empty()) continue;
      diagnostics.error("E510", std::nullopt,
                        fmt::format("scheme '{}': energy=yes needs a conservative system: {}",
                                    scheme.type->id, reason),
                        "leave energy=yes out");
      return false;
    }
  return true;
}

// Constraints that a scheme cannot hold are refused with the reason.
bool check_schemes(const Formulated& system, const Mechanism& mechanism,
                   const ResolvedChoices& choices, Diagnostics& diagnostics) {
  using Rows = SchemeTraits::Rows;
  for (const ResolvedScheme& scheme : choices.schemes)
    for (const ConstraintRow& row : system.rows) {
      const Rows rows = scheme.type->traits.rows;
      const bool velocity = row.level == runtime::RowLevel::velocity;
      const bool acceleration = row.level == runtime::RowLevel::acceleration;
      if (!(rows == Rows::positions && velocity) && !(rows != Rows::any && acceleration)) continue;
      diagnostics.error("E509", std::nullopt,
                        fmt::format("scheme '{}' cannot hold {}, a constraint on {}",
                                    scheme.type->id, owner_label(mechanism, row.owner),
                                    velocity ? "velocities (nonholonomic)" : "accelerations"),
                        "projection, baumgarte, partitioning and pseudoinverse can");
      break;
    }
  return !diagnostics.has_errors();
}

std::optional<EliminationMethod> elimination_of(const SolverType& solver) {
  if (solver.id == "sparse") return EliminationMethod::sparse;
  if (solver.id == "divide_and_conquer") return EliminationMethod::divide_and_conquer;
  return std::nullopt;
}

// Solvers that cannot do what is asked for are refused with the reason.
bool check_solver(const ResolvedChoices& choices, FormulationKind kind, const Analysis& analysis,
                  Diagnostics& diagnostics) {
  const std::string_view id = choices.solver->id;
  const int redundant = analysis.equations - analysis.rank;
  if (redundant > 0 && id == "direct") {
    diagnostics.error(
        "E506", std::nullopt,
        fmt::format("solver 'direct' cannot be used: {} of {} constraint equations are redundant",
                    redundant, analysis.equations),
        "use solver=\"auto\" or solver=\"rank_revealing\"");
    return false;
  }
  if (id == "divide_and_conquer" && kind == FormulationKind::joint) {
    diagnostics.error("E511", std::nullopt,
                      "solver 'divide_and_conquer' cannot be used with joint coordinates, in "
                      "which the inertias of all bodies are coupled",
                      "use coordinates=\"absolute\" or \"absolute_spatial\"");
    return false;
  }
  if (redundant == 0 || !elimination_of(*choices.solver)) return true;
  for (const ResolvedScheme& scheme : choices.schemes) {
    if (scheme.type->traits.contact == SchemeTraits::Contact::soft) continue;
    diagnostics.error(
        "E511", std::nullopt,
        fmt::format("solver '{}' cannot be used with scheme '{}': {} of {} constraint equations "
                    "are redundant",
                    id, scheme.type->id, redundant, analysis.equations),
        "use solver=\"rank_revealing\", or scheme augmented_lagrangian_projection");
    return false;
  }
  return true;
}

std::optional<FormulationChoice> choose_own_coordinates(const Mechanism& mechanism,
                                                        const SystemOptions& options,
                                                        Diagnostics& diagnostics) {
  const std::optional<Name>& in_file = mechanism.solve.coordinates;
  const std::string wanted = options.coordinates ? *options.coordinates
                             : in_file           ? in_file->text
                                                 : "auto";
  if (wanted == "auto")
    return FormulationChoice{FormulationKind::equations, "equations", "as written"};
  diagnostics.error("E507",
                    options.coordinates || !in_file ? std::nullopt : std::optional(in_file->span),
                    fmt::format("coordinates '{}': equations have their own coordinates", wanted),
                    "leave coordinates out");
  return std::nullopt;
}

// Nothing is integrated or held in a controller.
bool check_no_methods(const SystemOptions& options, Diagnostics& diagnostics) {
  const char* given = options.scheme || !options.schemes.empty()           ? "a scheme"
                      : options.integrator || !options.integrators.empty() ? "an integrator"
                      : options.solver                                     ? "a solver"
                      : options.coordinates                                ? "coordinates"
                      : options.step                                       ? "a step"
                      : options.tolerance                                  ? "a tolerance"
                                                                           : nullptr;
  if (given == nullptr) return true;
  diagnostics.error(
      "E507", std::nullopt,
      fmt::format("{}: a sampled controller has none; it runs once per sample", given),
      "leave the option out");
  return false;
}

SystemModel make_controller(const Mechanism& mechanism, const SystemOptions& options,
                            const ResolvedChoices& choices) {
  const std::unique_ptr<Formulated> system = formulate_controller(mechanism);
  const VariablePlan plan = make_variable_plan(*system, mechanism, choices, options.expose);
  SystemModel model;
  model.name = mechanism.name.text;
  model.description = mechanism.description;
  model.experiment = mechanism.experiment;
  if (!model.experiment.step) model.experiment.step = mechanism.controller->sample;
  model.sampled = SampledController{mechanism.controller->sample,
                                    static_cast<int>(mechanism.controller->blocks.size()),
                                    system->discrete_states};
  model.step = mechanism.controller->sample;
  model.interface = plan.interface;
  model.analysis.formulation = "controller";
  model.kernels = std::make_shared<const SystemKernels>(
      make_kernels(*system, mechanism, plan, {.tangents = true}));
  model.options = options;
  for (const Table& table : mechanism.tables)
    if (table.file) model.carried_files.push_back(*table.file);
  return model;
}

}  // namespace

std::optional<SystemModel> make_system(const Mechanism& written, const SystemOptions& options,
                                       Diagnostics& diagnostics) {
  Mechanism mechanism = written;
  if (!apply_settings(mechanism, options, diagnostics)) return std::nullopt;
  if (mechanism.controller && !check_no_methods(options, diagnostics)) return std::nullopt;
  const std::optional<ResolvedChoices> choices =
      ChoiceResolver(mechanism, options, diagnostics).resolve();
  if (!choices) return std::nullopt;
  if (mechanism.controller) return make_controller(mechanism, options, *choices);
  const SpanningTree tree = make_spanning_tree(mechanism);
  const std::optional<FormulationChoice> formulation =
      mechanism.equations ? choose_own_coordinates(mechanism, options, diagnostics)
                          : choose_formulation(mechanism, tree, options, diagnostics);
  if (!formulation) return std::nullopt;

  const std::unique_ptr<Formulated> system =
      mechanism.equations ? formulate_equations(mechanism)
                          : formulate(mechanism, tree, formulation->kind,
                                      elimination_of(*choices->solver).has_value());
  if (!check_schemes(*system, mechanism, *choices, diagnostics)) return std::nullopt;
  const VariablePlan plan = make_variable_plan(*system, mechanism, *choices, options.expose);
  const auto name_choices = [&](SystemKernels kernels) {
    return std::make_shared<const SystemKernels>(std::move(kernels));
  };

  std::optional<NumericAnalysis> numeric =
      analyse(*system, mechanism, tree,
              name_choices(make_kernels(*system, mechanism, plan,
                                        {.elimination = EliminationMethod::sparse})),
              diagnostics);
  if (!numeric || !check_energy(*system, *choices, numeric->energy_flow, diagnostics))
    return std::nullopt;
  Analysis& analysis = numeric->report;
  analysis.formulation = formulation->name;
  analysis.formulation_reason = formulation->reason;
  const std::optional<std::array<double, 3>> plane =
      mechanism.equations ? std::nullopt : find_plane(mechanism, tree);
  analysis.planar = formulation->kind != FormulationKind::absolute_spatial && plane.has_value();

  if (!check_solver(*choices, formulation->kind, analysis, diagnostics)) return std::nullopt;
  const bool redundant = analysis.rank < analysis.equations;
  if (mechanism.solve.start_as_given && analysis.position_residual > 1e-12)
    diagnostics.warning(
        "W301", std::nullopt,
        fmt::format("start=\"as_given\": the start is not assembled, |phi| = {:.3g}",
                    analysis.position_residual));

  if (analysis.mobility == 0 && !analysis.moves_by_itself)
    diagnostics.warning("W302", std::nullopt,
                        "the mechanism has no degree of freedom: it is a structure");

  SystemModel model;
  model.name = mechanism.name.text;
  model.description = mechanism.description;
  model.experiment = mechanism.experiment;
  if (!model.experiment.step)
    model.experiment.step = (model.experiment.stop - model.experiment.start) / 500;
  model.scheme = choices->schemes[0].type->id;
  model.integrator = choices->schemes[0].type->steps_itself() ? "" : choices->integrators[0]->id;
  const bool asked = choices->solver->id == "rank_revealing";
  model.solver = elimination_of(*choices->solver) ? std::string(choices->solver->id)
                 : redundant || asked             ? "rank_revealing"
                                                  : "direct";
  model.step = choices->step;
  model.interface = plan.interface;
  model.analysis = analysis;
  model.kernels = name_choices(make_kernels(
      *system, mechanism, plan,
      {numeric->block_ranks, numeric->row_scales, asked, elimination_of(*choices->solver), true}));
  refine_initial_dependencies(*system, plan, model.kernels, model.experiment, model.interface);
  // what is seen and carried; after the kernels, whose text must not depend on it
  model.terminals = make_terminals(mechanism, plan.interface);
  model.scene = make_scene(*system, mechanism, plan.interface, numeric->start, plane);
  model.options = options;
  for (const Table& table : mechanism.tables)
    if (table.file) model.carried_files.push_back(*table.file);
  for (const CarriedFile& file : mechanism.imports) model.carried_files.push_back(file);
  return model;
}

}  // namespace mechfmu
