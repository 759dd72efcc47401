// mechfmu equilibrium: where a mechanism rests, or what holds it where it is; as a file that starts
// there.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "analysis/equilibrium.hpp"
#include "analysis/linear_text.hpp"
#include "analysis/trimmed_file.hpp"
#include "build/output_file.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/system_options.hpp"
#include "cli/words.hpp"

namespace mechfmu {

namespace {

constexpr std::size_t kMostBodiesExposed = 40;

struct EquilibriumArguments {
  std::string file, output;
  std::vector<std::string> start_values;
  std::optional<std::string> solve_for, hold;
  bool stable = false, json = false;
  SystemArguments system;
};

struct RestingCoordinate {
  std::string name, unit;
  double start = 0, rest = 0;
};

struct Reaction {
  std::string joint;
  std::vector<double> force, torque;  // three numbers each, or none
};

std::vector<std::string> split_names(const std::optional<std::string>& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; text && begin <= text->size();) {
    const std::size_t end = std::min(text->find(',', begin), text->size());
    if (end > begin) names.push_back(text->substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// Coordinates of all joints, or of the equations; of bodies without them what the states are.
std::vector<RestingCoordinate> list_coordinates(const Mechanism& mechanism,
                                                const OperatingPoint& point) {
  std::vector<RestingCoordinate> list;
  const auto add = [&](const std::string& name) {
    if (const InterfaceVariable* v = point.system().interface.find(name))
      list.push_back({name, v->unit, point.value(*v), 0});
  };
  for (const Joint& joint : mechanism.joints) {
    for (const Coordinate& c : joint.type->coordinates)
      add(joint.name.text + "." + std::string(c.name));
    if (joint.type->start_vectors.empty() || joint.child.body == kGround) continue;
    const std::string& body =
        mechanism.bodies[static_cast<std::size_t>(joint.child.body)].name.text;
    for (const char* quantity : {".position", ".rpy"})
      for (const char* component : {"[1]", "[2]", "[3]"})
        if (joint.type->id == "free" || quantity[1] == 'r') add(body + quantity + component);
  }
  if (mechanism.equations)
    for (const EquationCoordinate& c : mechanism.equations->coordinates) add(c.name.text);
  return list;
}

std::vector<Reaction> list_reactions(const Mechanism& mechanism, const OperatingPoint& point) {
  std::vector<Reaction> list;
  for (const Joint& joint : mechanism.joints) {
    if (joint.type->id == "free") continue;
    Reaction reaction{joint.name.text, {}, {}};
    for (const char* component : {"[1]", "[2]", "[3]"}) {
      const auto take = [&](const char* quantity, std::vector<double>& to) {
        if (const auto* v = point.system().interface.find(joint.name.text + quantity + component))
          to.push_back(point.value(*v));
      };
      take(".force", reaction.force);
      take(".torque", reaction.torque);
    }
    if (!reaction.force.empty() || !reaction.torque.empty()) list.push_back(std::move(reaction));
  }
  return list;
}

double length_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

// What rounding left of zero is only in the JSON.
std::string position_text(double value) {
  return short_number(std::fabs(value) < 1e-14 ? 0 : value);
}

// Whether it stays: asymptotically, or as a minimum of energy would without damping.
std::string describe_stability(const Equilibrium& e) {
  const Poles& poles = e.linear.poles;
  if (poles.list.empty()) return "no freedom is left: it rests in every pose";
  if (poles.stability != Stability::neutral) return stability_sentence(poles);
  if (e.indifferent)
    return fmt::format("indifferent, it can be moved without force ({})",
                       stability_sentence(poles));
  return "stable, undamped: it swings about it for ever";
}

std::string make_text(const Equilibrium& e, const std::vector<RestingCoordinate>& coordinates,
                      const std::vector<Reaction>& reactions) {
  std::string text = fmt::format(
      "{} rests at t = {} s{}: found in {} iterations{}, largest acceleration {:.2g}\n{}\n",
      e.linear.name, short_number(e.linear.time), e.solved.empty() ? "" : " where it is held",
      e.iterations, e.followed_path ? " by letting it go slowly" : "", e.largest_acceleration,
      describe_stability(e));
  if (e.depends_on_time)
    text += "note: forces or motions depend on time, it does not rest at other times\n";
  std::size_t width = 12;
  for (const RestingCoordinate& c : coordinates) width = std::max(width, c.name.size());
  for (const Equilibrium::Solved& s : e.solved) width = std::max(width, s.name.size());
  for (const LinearSignal& s : e.linear.outputs) width = std::max(width, s.name.size());
  for (const Reaction& r : reactions) width = std::max(width, r.joint.size());
  const auto line = [&](const std::string& name, const std::string& a, const std::string& b,
                        const std::string& c) {
    std::string row = fmt::format("  {:<{}}  {:>14}  {:>14}  {}", name, width, a, b, c);
    row.erase(row.find_last_not_of(' ') + 1);
    return row + "\n";
  };
  if (!e.solved.empty()) {
    text += line("solved for", "value", "", "");
    for (const Equilibrium::Solved& s : e.solved)
      text += line(s.name, short_number(s.value), "", s.unit);
  }
  if (!coordinates.empty()) text += line("coordinate", "at the start", "at rest", "");
  for (const RestingCoordinate& c : coordinates)
    text += line(c.name, position_text(c.start), position_text(c.rest), c.unit);
  if (!e.linear.outputs.empty()) text += line("output", "", "at rest", "");
  for (const LinearSignal& s : e.linear.outputs)
    text += line(s.name, "", short_number(s.value), s.unit);
  if (!reactions.empty()) text += line("reaction", "|force| [N]", "|torque| [N.m]", "");
  for (const Reaction& r : reactions)
    text += line(r.joint, r.force.empty() ? "" : short_number(length_of(r.force)),
                 r.torque.empty() ? "" : short_number(length_of(r.torque)), "");
  if (!e.linear.poles.list.empty()) {
    text += "poles [1/s]: ";
    std::string list;
    for (const Pole& p : e.linear.poles.list) list += (list.empty() ? "" : ", ") + pole_text(p);
    text += list + "\n";
  }
  return text;
}

std::string make_json(const std::string& file, const Equilibrium& e,
                      const std::vector<RestingCoordinate>& coordinates,
                      const std::vector<Reaction>& reactions) {
  JsonWriter json;
  json.begin_object()
      .member("file", file)
      .member("found", true)
      .member("time", e.linear.time)
      .member("iterations", e.iterations)
      .member("largest_acceleration", e.largest_acceleration)
      .member("constraint_residual", e.linear.constraint_residual)
      .member("indifferent", e.indifferent)
      .member("depends_on_time", e.depends_on_time)
      .list("held", e.held);
  json.key("solved").begin_array();
  for (const Equilibrium::Solved& s : e.solved)
    json.begin_object()
        .member("name", s.name)
        .member("unit", s.unit)
        .member("value", s.value)
        .end_object();
  json.end_array().key("coordinates").begin_array();
  for (const RestingCoordinate& c : coordinates)
    json.begin_object()
        .member("name", c.name)
        .member("unit", c.unit)
        .member("start", c.start)
        .member("value", c.rest)
        .end_object();
  json.end_array();
  for (const auto& [name, signals] :
       {std::pair{"inputs", &e.linear.inputs}, {"outputs", &e.linear.outputs}}) {
    json.key(name).begin_array();
    for (const LinearSignal& s : *signals)
      json.begin_object()
          .member("name", s.name)
          .member("unit", s.unit)
          .member("value", s.value)
          .end_object();
    json.end_array();
  }
  json.key("reactions").begin_array();
  for (const Reaction& r : reactions) {
    json.begin_object().member("joint", r.joint);
    if (!r.force.empty()) json.key("force").numbers(r.force);
    if (!r.torque.empty()) json.key("torque").numbers(r.torque);
    json.end_object();
  }
  json.end_array();
  write_poles(json, e.linear);
  return json.end_object().text();
}

// Values of options are wrong usage, what does not rest is a stop.
void report_stop(const Diagnostics& diagnostics, Session& session) {
  session.exit_code = session.report(diagnostics, nullptr);
  if (session.exit_code != kExitModelErrors) return;
  session.exit_code = kExitStopped;
  for (const Diagnostic& d : diagnostics.all())
    if (d.code.starts_with("E71") || d.code == "E312" || d.message.starts_with("--"))
      session.exit_code = kExitUsage;
}

void run_equilibrium(const EquilibriumArguments& arguments, Session& session) {
  std::optional<SystemOptions> options = make_system_options(arguments.system, session);
  if (!options) return;
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& text : arguments.start_values) {
    const auto assignment = split_assignment("--start-value", text, session);
    if (!assignment) return;
    values.push_back(*assignment);
  }
  Diagnostics disk;
  if (!arguments.output.empty() && !check_output(arguments.output, disk)) {
    session.exit_code = session.report(disk, nullptr);
    return;
  }
  LoadedSystem loaded = load_system(arguments.file, *options, LoadUntil::mechanism, session);
  if (session.exit_code == kExitUsage) return;
  if (loaded.mechanism) {
    // joint coordinates and reactions are shown
    options->expose = loaded.mechanism->bodies.size() <= kMostBodiesExposed ? "all" : "states";
    loaded.system = make_system(*loaded.mechanism, *options, loaded.diagnostics);
  }
  session.exit_code = report_loaded(loaded, session);
  if (!loaded.system) return;

  Diagnostics diagnostics;
  OperatingPoint point(*loaded.system);
  std::vector<RestingCoordinate> coordinates;
  std::optional<Equilibrium> found;
  if (point.set(values, diagnostics)) {
    point.follow_inputs_directly();
    if (!point.initialize(loaded.system->experiment.start)) {
      diagnostics.error("E301", std::nullopt, "mechanism cannot be assembled: " + point.failure());
    } else {
      point.update();
      coordinates = list_coordinates(*loaded.mechanism, point);
      found = find_equilibrium(
          point, {split_names(arguments.solve_for), split_names(arguments.hold), arguments.stable},
          diagnostics);
    }
  }
  std::optional<std::string> text;
  if (found) {
    for (RestingCoordinate& c : coordinates)
      c.rest = point.value(*loaded.system->interface.find(c.name));
    if (!arguments.output.empty())
      text = write_trimmed(loaded.source, *loaded.mechanism, point, diagnostics);
  }
  report_stop(diagnostics, session);
  if (!found) {
    if (arguments.json && session.exit_code == kExitStopped) {
      JsonWriter json;
      json.begin_object().member("file", arguments.file).member("found", false);
      session.result(json.member("reason", diagnostics.all().back().message).end_object().text());
    }
    return;
  }
  if (text && !write_output(arguments.output, *text, disk)) {
    session.exit_code = session.report(disk, nullptr);
    return;
  }
  const std::vector<Reaction> reactions = list_reactions(*loaded.mechanism, point);
  session.result(arguments.json ? make_json(arguments.file, *found, coordinates, reactions)
                                : make_text(*found, coordinates, reactions));
  if (found->linear.poles.stability == Stability::unstable && found->solved.empty())
    session.message("note: it would not stay there; --stable goes on to one where it would");
  if (text)
    session.message(fmt::format("wrote {}; next: mechfmu linearize {}", arguments.output,
                                shell_word(arguments.output)));
  else if (session.exit_code == kExitDone)
    session.message(
        fmt::format("next: mechfmu equilibrium {} -o at_rest.xml", shell_word(arguments.file)));
}

}  // namespace

void add_equilibrium_command(CLI::App& app, Session& session) {
  const auto arguments = std::make_shared<EquilibriumArguments>();
  CLI::App& command =
      add_command(app, "equilibrium", "where a mechanism rests, or what holds it where it is",
                  "mechfmu equilibrium four_bar.xml --input tau=0.1 -o at_rest.xml\n"
                  "mechfmu equilibrium arm.xml --solve-for tau1,tau2",
                  [arguments, &session] { run_equilibrium(*arguments, session); });
  EquilibriumArguments& a = *arguments;
  add_argument(command, "FILE", a.file, "mechanism file; - is the standard input", true);
  add_list_option(command, "--start-value,--input", "NAME=VALUE", a.start_values,
                  "value of an input, parameter or start; the start is where the search begins; "
                  "may be repeated");
  add_option(command, "--solve-for", "A,B,...", a.solve_for,
             "find these inputs or parameters, such that it rests in the pose of its fixed starts");
  add_option(command, "--hold", "A,B,...", a.hold,
             "coordinates that keep their start (default with --solve-for: the fixed ones)");
  add_flag(command, "--stable", a.stable,
           "let it go down to a stable one instead of taking the nearest");
  add_option(command, "-o,--output", "FILE", a.output,
             "the mechanism file with the starts, inputs and parameters at rest");
  add_flag(command, "--json", a.json, "as JSON");
  add_system_options(command, a.system);
}

}  // namespace mechfmu
