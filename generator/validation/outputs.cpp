// Rules about what goes in and out: check_outputs, check_inputs_used.
#include <fmt/format.h>

#include <set>

#include "readers/units.hpp"
#include "validation/rules.hpp"
#include "validation/sensors.hpp"

namespace mechfmu {

namespace {

void collect_names(const Expression& e, std::set<std::string_view>& names) {
  if (e.kind == Expression::Kind::name) names.insert(e.text);
  for (const Expression& argument : e.arguments) collect_names(argument, names);
}

// SI unit of a sensor or coordinate; "" if it has none or the name is something else.
std::string find_own_unit(const Mechanism& mechanism, std::string_view name) {
  if (mechanism.equations)
    if (const int i = mechanism.equations->find(name); i >= 0)
      return mechanism.equations->coordinates[static_cast<std::size_t>(i)].unit;
  const std::optional<Sensor> sensor = find_sensor(mechanism, name);
  return sensor ? sensor->unit : std::string();
}

}  // namespace

// A bare sensor or coordinate has its SI unit; another one would be a lie. Of other expressions the
// unit is the user's statement.
void check_outputs(RuleContext& context) {
  for (const Output& output : context.mechanism.outputs) {
    if (output.unit.empty() || output.value.kind != Expression::Kind::name) continue;
    const std::string unit = find_own_unit(context.mechanism, output.value.text);
    const std::optional<Unit> given = find_unit(output.unit);
    if (unit.empty() || !given) continue;
    if (given->is_si() && is_compatible(*given, *find_unit(unit))) continue;
    context.diagnostics.error(
        "E421", output.value.span,
        fmt::format("output '{}': '{}' is in {}, not in {}", output.name.text, output.value.text,
                    unit, output.unit),
        given->exponents == unit_exponents(unit)
            ? fmt::format("write the conversion into the value, or leave the unit out")
            : fmt::format("write unit=\"{}\", or leave the unit out", unit));
  }
}

void check_inputs_used(RuleContext& context) {
  // with errors about, an input may be used in what could not be read
  if (context.diagnostics.has_errors()) return;
  std::set<std::string_view> used;
  for (const Force& force : context.mechanism.forces)
    for (const Argument& argument : force.arguments.list)
      for (const Expression& e : argument.values) collect_names(e, used);
  for (const Output& output : context.mechanism.outputs) collect_names(output.value, used);
  for (const ExpressionConstraint& c : context.mechanism.constraints) collect_names(c.value, used);
  for (const Drive& drive : context.mechanism.drives)
    for (const Argument& argument : drive.arguments.list)
      for (const Expression& e : argument.values) collect_names(e, used);
  if (context.mechanism.equations)
    for (const EquationForce& force : context.mechanism.equations->forces)
      collect_names(force.value, used);
  if (context.mechanism.controller)
    for (const Block& block : context.mechanism.controller->blocks)
      for (const Argument& argument : block.arguments.list) {
        for (const Expression& e : argument.values) collect_names(e, used);
        for (const Name& name : argument.words) used.insert(name.text);
      }
  for (const Input& input : context.mechanism.inputs)
    if (used.count(input.name.text) == 0)
      context.diagnostics.warning(
          "W201", input.name.span, fmt::format("input '{}' is not used", input.name.text),
          context.mechanism.controller
              ? "use it in a block or an output"
              : "use it in the value of a force, drive, constraint or output");
}

}  // namespace mechfmu
