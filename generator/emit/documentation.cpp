#include "emit/documentation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emit/build_command_text.hpp"
#include "emit/equation_text.hpp"
#include "emit/model_description.hpp"
#include "emit/template_text.hpp"
#include "interface/unit_definitions.hpp"
#include "mechanism/catalogue.hpp"
#include "scene/drawing.hpp"
#include "scene/svg.hpp"
#include "support/embedded.hpp"
#include "support/number_text.hpp"

namespace mechfmu {
namespace {

std::string count_text(int count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Title of a row of schemes.def or integrators.def; the id itself if there is none.
std::string find_scheme_title(std::string_view id) {
  const SchemeType* type = find_scheme_type(id);
  return std::string(type != nullptr ? type->title : id);
}

std::string find_integrator_title(std::string_view id) {
  const IntegratorType* type = find_integrator_type(id);
  if (type == nullptr) return std::string(id);
  return fmt::format("{}, order {}", type->title, type->order);
}

std::string range_text(const InterfaceVariable& variable) {
  if (variable.type == ValueType::enumeration) return join(variable.items);
  if (!variable.min && !variable.max) return {};
  return fmt::format("{} ... {}", variable.min ? number_text(*variable.min) : "",
                     variable.max ? number_text(*variable.max) : "");
}

std::string start_text(const InterfaceVariable& variable) {
  if (!variable.start) return {};
  const auto item = static_cast<std::size_t>(*variable.start) - 1;
  if (variable.type == ValueType::enumeration && item < variable.items.size())
    return variable.items[item];
  return number_text(*variable.start);
}

TemplateValues make_row(const InterfaceVariable& variable) {
  TemplateValues row;
  row.values = {{"name", escape_xml(variable.name)},
                {"variability", std::string(variability_text(variable.variability))},
                {"unit", escape_xml(variable.unit)},
                {"start", escape_xml(start_text(variable))},
                {"range", escape_xml(range_text(variable))},
                {"description", escape_xml(variable.description)}};
  return row;
}

struct Group {
  Causality causality;
  const char* title;
  const char* text;
};

constexpr std::array<Group, 5> kGroups = {{
    {Causality::input, "Inputs", "Held constant during a communication step."},
    {Causality::output, "Outputs", "Values at the communication point that was reached last."},
    {Causality::parameter, "Parameters",
     "Tunable ones may be changed between steps, fixed ones until initialization is left. A start "
     "value or a length that is changed before that moves the mechanism: it is assembled again."},
    {Causality::calculated_parameter, "Calculated parameters", "Known after initialization."},
    {Causality::local, "Internal variables", "For looking into; nothing needs to be connected."},
}};

std::vector<TemplateValues> make_groups(const Interface& interface) {
  std::vector<TemplateValues> groups;
  for (const Group& group : kGroups) {
    TemplateValues values;
    values.values = {{"title", group.title}, {"text", group.text}};
    for (const InterfaceVariable& variable : interface.variables)
      if (variable.causality == group.causality)
        values.lists["variables"].push_back(make_row(variable));
    if (values.lists.contains("variables")) groups.push_back(std::move(values));
  }
  return groups;
}

constexpr double kTextSize = 13;

// A line for each part.
std::string join_lines(std::string_view equations) {
  std::string html;
  while (!equations.empty()) {
    const std::size_t end = std::min(equations.find("; "), equations.size());
    html += (html.empty() ? "" : "<br>\n") + typeset_equation(equations.substr(0, end));
    equations.remove_prefix(std::min(end + 2, equations.size()));
  }
  return html;
}

TemplateValues text_row(std::string text) { return {{{"text", std::move(text)}}, {}}; }

class Page {
 public:
  Page(const SystemModel& system, const std::string& guid, const DocumentationContext& context)
      : system_(system), context_(context) {
    const Experiment& experiment = system.experiment;
    values_.values = {
        {"name", escape_xml(system.name)},
        {"guid", escape_xml(guid)},
        {"tool", "mechfmu " MECHFMU_VERSION},
        {"kinds",
         context.has_model_exchange ? "co-simulation and model-exchange" : "co-simulation"},
        {"start_time", number_text(experiment.start)},
        {"stop_time", number_text(experiment.stop)},
        {"step_size",
         number_text(experiment.step.value_or((experiment.stop - experiment.start) / 500))},
        {"build_command", escape_xml(make_build_command(system))}};
    if (!system.description.empty())
      values_.lists["descriptions"] = {text_row(escape_xml(system.description))};
    else
      values_.lists["descriptions"];
    for (const std::string& sentence : describe(system))
      values_.lists["sentences"].push_back(text_row(escape_xml(sentence)));
    std::vector<TemplateValues>& steps = values_.lists["internal_steps"];
    std::vector<TemplateValues>& symbols = values_.lists["symbols"];
    if (!system.sampled) {
      steps.push_back({{{"step", number_text(system.step)}}, {}});
      symbols.emplace_back();
    }
    values_.values["failures"] =
        system.sampled ? "a block is not finite" : "a dead point, a loop that tears";
    values_.values["reason"] = system.sampled ? "the time" : "which joint is concerned";
    values_.lists["groups"] = make_groups(system.interface);
    add_picture();
    add_methods();
    add_terminals();
    add_imports();
    add_origin();
  }

  [[nodiscard]] const TemplateValues& values() const { return values_; }

 private:
  static std::vector<std::string> describe(const SystemModel& system) {
    if (!system.sampled) return describe_analysis(system.analysis);
    return {
        fmt::format("A sampled controller: {}, {}, a sample every {} s. Sample k is taken when a "
                    "communication step reaches k times this time after the start, with the "
                    "inputs as they are then; outputs are held in between.",
                    count_text(system.sampled->blocks, "block", "blocks"),
                    count_text(system.sampled->states, "discrete state", "discrete states"),
                    number_text(system.sampled->sample))};
  }

  void add_picture() {
    std::vector<TemplateValues>& pictures = values_.lists["pictures"];
    if (system_.scene.bodies.empty()) return;
    DrawingStyle style;
    style.text = kTextSize;
    const std::string title = fmt::format("{} at its start", system_.name);
    pictures.push_back(
        {{{"svg", make_svg(draw_scene(system_.scene, style), title, kTextSize)},
          {"caption",
           escape_xml(fmt::format(
               "{} at its {} start, {}. Circles turn, boxes slide, hatched is the ground.",
               system_.name, system_.analysis.start_as_given ? "given" : "assembled",
               system_.scene.planar ? "seen across its plane" : "seen from the side and above"))}},
         {}});
  }

  void add_methods() {
    const auto add = [&](const char* kind, const std::string& id, const std::string& text) {
      values_.lists["methods"].push_back(
          {{{"kind", kind}, {"id", escape_xml(id)}, {"text", escape_xml(text)}}, {}});
    };
    if (system_.sampled) return add_sampling();
    std::vector<std::string> schemes, integrators = system_.options.integrators;
    for (const SchemeChoice& scheme : system_.options.schemes) schemes.push_back(scheme.name);
    if (schemes.empty()) schemes.push_back(system_.scheme);
    if (integrators.empty() && !system_.integrator.empty())
      integrators.push_back(system_.integrator);
    for (const char* equation : {"q' = N(q) v", "M a + J^T lambda = f", "phi(t, q) = 0"})
      values_.lists["system_equations"].push_back(text_row(typeset_equation(equation)));
    std::vector<TemplateValues>& equations = values_.lists["schemes"];
    for (const std::string& id : schemes) {
      add(&id == &schemes.front() ? "Constraints" : "", id, find_scheme_title(id));
      const SchemeType* type = find_scheme_type(id);
      if (type == nullptr) continue;
      equations.push_back(
          {{{"lead", schemes.size() > 1 ? "<code>" + escape_xml(id) + "</code>: " : ""},
            {"equations", join_lines(type->equations)}},
           {}});
    }
    for (const std::string& id : integrators)
      add(&id == &integrators.front() ? "Integrator" : "", id, find_integrator_title(id));
    const SolverType* solver = find_solver_type(system_.solver);
    add("Linear solver", system_.solver, solver != nullptr ? std::string(solver->title) : "");
  }

  void add_sampling() {
    values_.lists["schemes"];
    values_.lists["methods"].push_back(
        {{{"kind", "Sample"}, {"id", "x, y"}, {"text", "discrete states, held outputs"}}, {}});
    for (const char* equation : {"x_new = f(x, u)", "y = g(x, u)"})
      values_.lists["system_equations"].push_back(text_row(typeset_equation(equation)));
  }

  void add_terminals() {
    std::vector<TemplateValues>& lists = values_.lists["terminal_lists"];
    if (system_.terminals.empty()) return;
    lists.emplace_back();
    for (const Terminal& terminal : system_.terminals) {
      std::string members;
      for (const TerminalMember& member : terminal.members)
        members += fmt::format("{}{}: <code>{}</code>", members.empty() ? "" : ", ",
                               escape_xml(member.name), escape_xml(member.variable));
      lists.back().lists["terminals"].push_back(
          {{{"name", escape_xml(terminal.name)}, {"members", members}}, {}});
    }
  }

  // Steps for each tool; an input and a parameter serve as examples.
  void add_imports() {
    std::string starts;
    std::vector<TemplateValues>& script = values_.lists["script_starts"];
    for (const Causality causality : {Causality::input, Causality::parameter})
      for (const InterfaceVariable& variable : system_.interface.variables) {
        if (variable.causality != causality || variable.type != ValueType::real || !variable.start)
          continue;
        const std::string value = number_text(*variable.start);
        starts += fmt::format("{}\"{}\": {}", starts.empty() ? "" : ", ", variable.name, value);
        script.push_back({{{"variable", escape_xml(variable.name)}, {"value", value}}, {}});
        break;
      }
    values_.values["python_starts"] =
        starts.empty() ? "" : escape_xml(",\n                      start_values={" + starts + "}");

    const std::string name = escape_xml(system_.name);
    std::vector<TemplateValues>& omedit = values_.lists["omedit_steps"];
    std::vector<TemplateValues>& omc = values_.lists["omc_scripts"];
    std::vector<TemplateValues>& simulink = values_.lists["simulink_choices"];
    if (context_.has_model_exchange) {
      omedit.push_back(text_row(fmt::format(
          "As a component of a Modelica model (model exchange): File, Import, FMU, choose {}.fmu; "
          "drag the class {}_me_FMU into the model.",
          name, name)));
      omc.emplace_back();
      simulink.push_back(text_row("Choose co-simulation or model exchange when asked."));
    }
    omedit.push_back(text_row(fmt::format(
        "{}File, New, SSP Model; the root system is \"Weakly Coupled - Connected Co-Simulation "
        "FMUs System\".",
        context_.has_model_exchange ? "Or for co-simulation: " : "")));
    omedit.push_back(text_row(fmt::format(
        "SSP, Add SubModel: choose {}.fmu.{}", name,
        context_.has_model_exchange ? "" : " (\"Import FMU\" takes model-exchange FMUs only.)")));
    omedit.push_back(
        text_row(fmt::format("Connect inputs and outputs, set the step size to {} s, simulate.",
                             values_.values["step_size"])));
  }

  void add_origin() {
    values_.values["source_text"] =
        context_.has_mechanism
            ? "The mechanism file is in this FMU: <code>resources/mechanism.xml</code>."
            : "The mechanism file is not in this FMU.";
    std::vector<TemplateValues>& commands = values_.lists["compile_commands"];
    if (!context_.compile_command.empty())
      commands.push_back({{{"command", escape_xml(context_.compile_command)}}, {}});
  }

  const SystemModel& system_;
  const DocumentationContext& context_;
  TemplateValues values_;
};

}  // namespace

std::vector<std::string> describe_analysis(const Analysis& analysis) {
  std::vector<std::string> sentences;
  if (analysis.formulation == "equations")
    sentences.push_back(
        fmt::format("{}, {}: {}.", count_text(analysis.coordinates, "coordinate", "coordinates"),
                    count_text(analysis.equations, "constraint", "constraints"),
                    count_text(analysis.mobility, "degree of freedom", "degrees of freedom")));
  else
    sentences.push_back(
        fmt::format("{}, {}, {}: {}.", count_text(analysis.bodies, "body", "bodies"),
                    count_text(analysis.joints, "joint", "joints"),
                    count_text(static_cast<int>(analysis.loops.size()), "loop", "loops"),
                    count_text(analysis.mobility, "degree of freedom", "degrees of freedom")));
  if (analysis.mobility_at_start > analysis.mobility)
    sentences.push_back(fmt::format(
        "The start pose is singular: there the mechanism has {}.",
        count_text(analysis.mobility_at_start, "degree of freedom", "degrees of freedom")));
  for (const LoopReport& loop : analysis.loops)
    if (!loop.explanation.empty())
      sentences.push_back(fmt::format("Loop {}: {}.", loop.name, loop.explanation));
  if (!analysis.formulation.empty())
    sentences.push_back(fmt::format(
        "Formulation '{}'{}: {}, {} of rank {}.", analysis.formulation,
        analysis.formulation_reason.empty() ? "" : " (" + analysis.formulation_reason + ")",
        count_text(analysis.coordinates, "coordinate", "coordinates"),
        count_text(analysis.equations, "constraint equation", "constraint equations"),
        analysis.rank));
  if (!analysis.cut_joints.empty())
    sentences.push_back(fmt::format("Loops are closed at {}.", join(analysis.cut_joints)));
  if (!analysis.indeterminate_joints.empty())
    sentences.push_back(fmt::format(
        "The reactions of {} are not unique for rigid bodies; the smallest ones are given.",
        join(analysis.indeterminate_joints)));
  sentences.push_back(fmt::format("Assembled with |phi| = {:.2g}, |phi_dot| = {:.2g}.",
                                  analysis.position_residual, analysis.velocity_residual));
  return sentences;
}

std::string emit_documentation(const SystemModel& system, const std::string& guid,
                               const DocumentationContext& context) {
  return fill_template(find_embedded(embedded_templates(), "documentation.html.in"),
                       Page(system, guid, context).values());
}

}  // namespace mechfmu
