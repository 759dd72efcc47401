// Rules about bodies: check_bodies_exist, check_masses, check_inertias.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "support/number_text.hpp"
#include "validation/rules.hpp"

namespace mechfmu {

namespace {

// Published inertias have three or four digits; a flat plate fulfils the triangle inequality as an
// equation and may miss it by that much.
constexpr double kTriangleTolerance = 1e-3;
constexpr double kDefiniteTolerance =
    1e-9;  // rounding of the eigenvalues; more would make the mass matrix indefinite

bool must_be_positive(std::string_view attribute) {
  return attribute == "mass" || attribute == "density" || attribute == "size" ||
         attribute == "radius" || attribute == "length";
}

std::string_view positive_hint(std::string_view attribute) {
  if (attribute == "mass")
    return "masses are in kg; to model a massless link weld it to its neighbour";
  if (attribute == "density") return "densities are in kg/m3";
  return "sizes are in m";
}

void check_positive(const Argument& argument, const std::string& label, RuleContext& context) {
  const std::string_view name = argument.attribute->name;
  if (!must_be_positive(name)) return;
  for (const Expression& e : argument.values) {
    const std::optional<double> value = context.find_value(e);
    if (!value || *value > 0) continue;
    context.diagnostics.error(
        name == "mass" || name == "density" ? "E203" : "E206", e.span,
        fmt::format("{}: {} must be > 0, got {}", label, name, number_text(*value)),
        std::string(positive_hint(name)));
  }
}

void check_mass_or_density(const Solid& solid, const std::string& label, RuleContext& context) {
  const auto& attributes = solid.type->attributes;
  const bool has_choice = std::any_of(attributes.begin(), attributes.end(),
                                      [](const Attribute& a) { return a.name == "density"; });
  if (!has_choice) return;
  const Argument* mass = solid.arguments.find("mass");
  const Argument* density = solid.arguments.find("density");
  if (mass != nullptr && density != nullptr)
    context.diagnostics.error(
        "E204", density->span,
        fmt::format("{}: <{}> has both mass and density", label, solid.type->id),
        "give one of them; the other follows from the size");
  if (mass == nullptr && density == nullptr)
    context.diagnostics.error(
        "E204", solid.span,
        fmt::format("{}: <{}> has neither mass nor density", label, solid.type->id),
        "add mass=\"...\" or density=\"...\"");
}

void check_inertia(const Argument& inertia, const std::string& label, RuleContext& context) {
  const std::optional<std::vector<double>> v = context.find_values(inertia.values);
  if (!v) return;
  const bool full = v->size() == 6;
  const double xy = full ? (*v)[3] : 0;
  const double xz = full ? (*v)[4] : 0;
  const double yz = full ? (*v)[5] : 0;
  Eigen::Matrix3d tensor;
  tensor << (*v)[0], xy, xz, xy, (*v)[1], yz, xz, yz, (*v)[2];
  const Eigen::Vector3d principal =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(tensor, Eigen::EigenvaluesOnly).eigenvalues();
  const double scale = principal.cwiseAbs().maxCoeff();
  const std::string values =
      fmt::format("{:.6g} {:.6g} {:.6g}", principal[0], principal[1], principal[2]);
  if (principal[0] < -kDefiniteTolerance * scale)
    context.diagnostics.error(
        "E205", inertia.span,
        fmt::format("{}: inertia is negative about some axis (principal values {})", label, values),
        full ? "the order is ixx iyy izz ixy ixz iyz, products of inertia with their sign in the "
               "tensor"
             : "");
  else if (principal[2] > principal[0] + principal[1] + kTriangleTolerance * scale)
    context.diagnostics.error(
        "E205", inertia.span,
        fmt::format("{}: no body has this inertia (principal values {})", label, values),
        "the largest principal value cannot exceed the sum of the other two");
}

}  // namespace

void check_bodies_exist(RuleContext& context) {
  if (context.mechanism.equations || context.mechanism.controller) return;
  if (!context.mechanism.bodies.empty()) return;
  const auto& all = context.diagnostics.all();
  if (std::any_of(all.begin(), all.end(), [](const Diagnostic& d) { return d.code == "E111"; }))
    return;  // a misspelt <body> is the likely reason
  context.diagnostics.error("E201", context.mechanism.name.span, "the mechanism has no body",
                            "add <body name=\"...\"> with a solid in it");
}

void check_masses(RuleContext& context) {
  const auto& all = context.diagnostics.all();
  const bool solids_may_be_missing = std::any_of(all.begin(), all.end(), [](const Diagnostic& d) {
    return d.code == "E111" || d.code == "E112";
  });
  for (const Body& body : context.mechanism.bodies) {
    const std::string label = fmt::format("body '{}'", body.name.text);
    if (body.solids.empty() && !solids_may_be_missing)
      context.diagnostics.error("E202", body.span, fmt::format("{} has no mass", label),
                                "add <inertial>, <box>, <cylinder>, <rod>, <sphere> or <point>; to "
                                "model a massless link weld it to its neighbour");
    for (const Solid& solid : body.solids) {
      check_mass_or_density(solid, label, context);
      for (const Argument& argument : solid.arguments.list)
        check_positive(argument, label, context);
    }
  }
}

void check_inertias(RuleContext& context) {
  for (const Body& body : context.mechanism.bodies)
    for (const Solid& solid : body.solids)
      if (const Argument* inertia = solid.arguments.find("inertia"))
        check_inertia(*inertia, fmt::format("body '{}'", body.name.text), context);
}

}  // namespace mechfmu
