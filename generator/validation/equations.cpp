// Rules about equations and tables: check_equations, check_tables.
#include <fmt/format.h>

#include <map>
#include <set>

#include "support/did_you_mean.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

namespace {

bool check_coordinate_name(const Name& name, const std::string& subject, RuleContext& context) {
  const Equations& equations = *context.mechanism.equations;
  if (name.text.empty()) return false;  // reported
  if (equations.find(name.text) >= 0) return true;
  std::vector<std::string_view> known;
  for (const EquationCoordinate& c : equations.coordinates) known.push_back(c.name.text);
  context.diagnostics.error("E241", name.span,
                            fmt::format("{}: there is no coordinate '{}'", subject, name.text),
                            did_you_mean(name.text, known, "coordinates"));
  return false;
}

void check_inertia(RuleContext& context) {
  const Equations& equations = *context.mechanism.equations;
  std::map<std::pair<int, int>, Span> seen;
  const auto add = [&](int i, int j, const Span& span, const std::string& label) {
    if (!seen.emplace(std::pair(std::min(i, j), std::max(i, j)), span).second)
      context.diagnostics.error("E242", span, fmt::format("{} is given twice", label),
                                i == j ? "one of the two is enough"
                                       : "the matrix is symmetric: one of (a, b) and (b, a) is "
                                         "enough");
  };
  for (std::size_t i = 0; i < equations.coordinates.size(); ++i)
    if (const EquationCoordinate& c = equations.coordinates[i]; c.mass)
      add(static_cast<int>(i), static_cast<int>(i), c.mass->span,
          fmt::format("mass of '{}'", c.name.text));
  for (const MassEntry& mass : equations.masses) {
    const bool row = check_coordinate_name(mass.row, "mass: row", context);
    const bool column = check_coordinate_name(mass.column, "mass: column", context);
    if (row && column)
      add(equations.find(mass.row.text), equations.find(mass.column.text), mass.span,
          fmt::format("mass '{}', '{}'", mass.row.text, mass.column.text));
  }
  if (equations.kinetic_energy) {
    if (!seen.empty())
      context.diagnostics.error("E242", seen.begin()->second,
                                "masses and a kinetic energy are both given",
                                "the kinetic energy holds the masses: give one of the two");
    return;
  }
  for (std::size_t i = 0; i < equations.coordinates.size(); ++i) {
    const EquationCoordinate& c = equations.coordinates[i];
    const int k = static_cast<int>(i);
    if (seen.count({k, k}) == 0)
      context.diagnostics.error(
          "E242", c.name.span, fmt::format("coordinate '{}' has no mass", c.name.text),
          "add mass=\"...\", a <mass row column value/>, or describe all by <kinetic_energy>");
  }
}

void collect_tables(const Expression& e, std::set<std::string>& names) {
  if (e.kind == Expression::Kind::call) names.insert(e.text);
  for (const Expression& argument : e.arguments) collect_tables(argument, names);
}

}  // namespace

void check_equations(RuleContext& context) {
  const Mechanism& m = context.mechanism;
  if (!m.equations) return;
  if (m.equations->coordinates.empty()) {
    context.diagnostics.error("E241", m.name.span, "the equations have no coordinate",
                              "add <coordinate name=\"x\" start=\"0\" mass=\"1\"/>");
    return;
  }
  for (const EquationForce& force : m.equations->forces)
    check_coordinate_name(force.on, "force: on", context);
  check_inertia(context);
}

// Straight lines have corners: a follower on them would need an infinite force there.
void check_tables(RuleContext& context) {
  std::set<std::string> followed;
  for (const ExpressionConstraint& c : context.mechanism.constraints)
    if (c.holonomic) collect_tables(c.value, followed);
  for (const Drive& drive : context.mechanism.drives)
    if (const Argument* position = drive.arguments.find("position"))
      collect_tables(position->values[0], followed);
  for (const Table& table : context.mechanism.tables)
    if (table.interpolation == "linear" && followed.count(table.name.text) > 0)
      context.diagnostics.warning(
          "W202", table.name.span,
          fmt::format("table '{}': a constraint follows its corners, velocities jump there",
                      table.name.text),
          "use interpolation=\"akima\", whose slope is continuous");
}

}  // namespace mechfmu
