#include "cli/analysis_text.hpp"

#include <fmt/format.h>

#include "cli/words.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

// Residuals of 1e-16 need no sixteen digits.
std::string short_number(double value) { return fmt::format("{:.2g}", value); }

std::string make_loop_line(const LoopReport& loop) {
  std::string line =
      fmt::format("loop {}: {}", loop.name, count_text(loop.equations, "closure equation"));
  if (loop.redundant == 0) return line + ", all independent\n";
  line += fmt::format(", {} redundant, {} kept", loop.redundant, loop.equations - loop.redundant);
  if (!loop.explanation.empty()) line += ": " + loop.explanation;
  return line + '\n';
}

}  // namespace

std::string make_headline(const SystemModel& system) {
  const Analysis& analysis = system.analysis;
  if (system.sampled)
    return fmt::format("{}, {}", count_text(system.sampled->blocks, "block"),
                       count_text(system.sampled->states, "discrete state"));
  const auto loops = static_cast<long long>(analysis.loops.size());
  const std::string freedom = analysis.mobility == 1
                                  ? std::string("1 degree of freedom")
                                  : fmt::format("{} degrees of freedom", analysis.mobility);
  if (analysis.formulation == "equations")
    return fmt::format("{}, {} -> {}", count_text(analysis.coordinates, "coordinate"),
                       count_text(analysis.equations, "constraint"), freedom);
  return fmt::format("{}, {}, {} -> {}", count_text(analysis.bodies, "body"),
                     count_text(analysis.joints, "joint"), count_text(loops, "loop"), freedom);
}

std::string make_method_line(const SystemModel& system) {
  if (system.sampled)
    return fmt::format("a sample every {} s, outputs are held in between",
                       number_text(system.sampled->sample));
  if (system.integrator.empty())
    return fmt::format("scheme {} with steps of its own, solver {}, internal step {} s",
                       system.scheme, system.solver, number_text(system.step));
  return fmt::format("scheme {}, integrator {}, solver {}, internal step {} s", system.scheme,
                     system.integrator, system.solver, number_text(system.step));
}

std::string make_analysis_text(const SystemModel& system) {
  const Analysis& a = system.analysis;
  std::string text = fmt::format("{}: {}\n", system.name, make_headline(system));
  if (system.sampled) return text + make_method_line(system) + '\n';
  if (a.mobility_at_start != a.mobility)
    text += fmt::format(
        "at the start pose it has {}: a singular pose, from which it can move on in more than one "
        "way\n",
        a.mobility_at_start == 1 ? "1 degree of freedom"
                                 : fmt::format("{} degrees of freedom", a.mobility_at_start));
  for (const LoopReport& loop : a.loops) text += make_loop_line(loop);
  if (!a.tree_joints.empty()) text += fmt::format("tree joints: {}\n", join(a.tree_joints));
  if (!a.cut_joints.empty()) text += fmt::format("cut joints: {}\n", join(a.cut_joints));
  if (!a.couplings.empty()) text += fmt::format("couplings: {}\n", join(a.couplings));
  if (!a.drives.empty()) text += fmt::format("drives: {}\n", join(a.drives));
  if (a.nonholonomic > 0)
    text += fmt::format("of the constraint equations {} {} nonholonomic (on velocities)\n",
                        a.nonholonomic, a.nonholonomic == 1 ? "is" : "are");
  text += fmt::format(
      "formulation {}{}: {}{}\n", a.formulation, a.planar ? " (planar)" : "",
      count_text(a.coordinates, "velocity coordinate"),
      a.equations == 0
          ? std::string(", no constraint equations")
          : fmt::format(", {} of rank {}", count_text(a.equations, "constraint equation"), a.rank));
  if (!a.formulation_reason.empty()) text += fmt::format("   why: {}\n", a.formulation_reason);
  if (!a.indeterminate_joints.empty())
    text += fmt::format(
        "reactions not unique at: {}; rigid bodies do not determine them, the smallest ones "
        "(minimum norm) are reported\n",
        join(a.indeterminate_joints));
  if (a.equations > 0 || !a.loops.empty())
    text += fmt::format("{} start: |phi| = {}, |phi_dot| = {}{}\n",
                        a.start_as_given ? "given" : "assembled", short_number(a.position_residual),
                        short_number(a.velocity_residual),
                        a.start_as_given ? std::string(", not assembled")
                                         : ", " + count_text(a.assembly_iterations, "iteration"));
  return text + make_method_line(system) + '\n';
}

void write_analysis(JsonWriter& json, const SystemModel& system) {
  const Analysis& a = system.analysis;
  if (system.sampled) {
    json.member("name", system.name)
        .member("blocks", system.sampled->blocks)
        .member("discrete_states", system.sampled->states)
        .member("sample", system.sampled->sample);
    return;
  }
  json.member("name", system.name)
      .member("bodies", a.bodies)
      .member("joints", a.joints)
      .member("mobility", a.mobility)
      .member("mobility_at_start", a.mobility_at_start)
      .member("planar", a.planar)
      .member("formulation", a.formulation)
      .member("formulation_reason", a.formulation_reason)
      .member("coordinates", a.coordinates)
      .member("equations", a.equations)
      .member("rank", a.rank);
  json.key("loops").begin_array();
  for (const LoopReport& loop : a.loops) {
    json.begin_object().member("name", loop.name).list("joints", loop.joints);
    json.member("equations", loop.equations)
        .member("redundant", loop.redundant)
        .member("explanation", loop.explanation)
        .end_object();
  }
  json.end_array();
  json.list("tree_joints", a.tree_joints)
      .list("cut_joints", a.cut_joints)
      .list("couplings", a.couplings)
      .list("drives", a.drives)
      .member("nonholonomic", a.nonholonomic)
      .list("indeterminate_joints", a.indeterminate_joints)
      .member("position_residual", a.position_residual)
      .member("velocity_residual", a.velocity_residual)
      .member("assembly_iterations", a.assembly_iterations)
      .member("scheme", system.scheme)
      .member("integrator", system.integrator)
      .member("solver", system.solver)
      .member("step", system.step);
}

void write_diagnostics(JsonWriter& json, const Diagnostics& diagnostics, const SourceText& source) {
  json.key("diagnostics").begin_array();
  for (const Diagnostic& d : diagnostics.all()) {
    json.begin_object()
        .member("severity", d.severity == Severity::error     ? "error"
                            : d.severity == Severity::warning ? "warning"
                                                              : "note")
        .member("code", d.code);
    if (d.span) {
      const Place place = source.find_place(d.span->begin);
      json.member("line", static_cast<std::int64_t>(place.line))
          .member("column", static_cast<std::int64_t>(place.column));
    }
    json.member("message", d.message).member("hint", d.hint).end_object();
  }
  json.end_array();
}

}  // namespace mechfmu
