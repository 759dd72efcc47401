// Rules about names: check_names, check_frame_names, check_mechanism_name.
#include <fmt/format.h>

#include <set>

#include "validation/reserved_names.hpp"
#include "validation/rules.hpp"
#include "validation/sensors.hpp"

namespace mechfmu {

namespace {

constexpr std::size_t kLongestName = 64;

bool is_identifier(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return !text.empty();
}

// "crank-link 2" -> "crank_link_2"
std::string make_identifier(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool usable = is_identifier(std::string(1, c)) || (c >= '0' && c <= '9');
    if (result.empty() && c >= '0' && c <= '9') result += '_';
    if (usable)
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  return result;
}

// True if the name is an identifier of acceptable length.
bool check_form(const Name& name, std::string_view label, Diagnostics& diagnostics) {
  if (name.text.empty()) return false;  // the reader has said so
  if (name.text.size() > kLongestName) {
    diagnostics.error("E122", name.span,
                      fmt::format("{}: the name has {} characters, the limit is {}", label,
                                  name.text.size(), kLongestName));
    return false;
  }
  if (is_identifier(name.text)) return true;
  const std::string proposal = make_identifier(name.text);
  diagnostics.error("E121", name.span, fmt::format("{}: '{}' is not a name", label, name.text),
                    proposal.empty() || proposal == "_"
                        ? std::string("a name has letters, digits and _, and no digit first")
                        : fmt::format("a name has letters, digits and _: write '{}'", proposal));
  return false;
}

void add_name(const Name& name, NamedThing thing, RuleContext& context) {
  const std::string_view label = kind_word(thing.kind);
  if (!check_form(name, label, context.diagnostics)) return;
  if (const std::string_view use = find_reserved_use(name.text); !use.empty()) {
    context.diagnostics.error("E123", name.span,
                              fmt::format("{}: '{}' is {}", label, name.text, use),
                              fmt::format("choose another name, for example '{}_1'", name.text));
    context.names.emplace(name.text, thing);  // what refers to it is not wrong, too
    return;
  }
  const auto [it, is_new] = context.names.emplace(name.text, thing);
  if (!is_new)
    context.diagnostics.error(
        "E124", name.span,
        fmt::format("{}: '{}' is already the name of a{} {}", label, name.text,
                    it->second.kind == NamedThing::Kind::input ||
                            it->second.kind == NamedThing::Kind::output
                        ? "n"
                        : "",
                    kind_word(it->second.kind)),
        context.mechanism.controller
            ? "blocks, tables, parameters, inputs and outputs share one set of names"
        : context.mechanism.equations
            ? "coordinates, constraints, tables, parameters, inputs and outputs share one set of "
              "names"
            : "bodies, joints, forces, drives, constraints, tables, parameters, inputs and outputs "
              "share one set of names");
}

template <class T>
void add_names(const std::vector<T>& things, NamedThing::Kind kind, RuleContext& context) {
  for (std::size_t i = 0; i < things.size(); ++i) add_name(things[i].name, {kind, i}, context);
}

// start.x_velocity is the start of der(x): a coordinate x_velocity beside x would claim it, too
void check_velocity_names(RuleContext& context) {
  const Equations& equations = *context.mechanism.equations;
  for (const EquationCoordinate& c : equations.coordinates)
    if (equations.find(c.name.text + "_velocity") >= 0)
      context.diagnostics.error(
          "E124",
          equations.coordinates[static_cast<std::size_t>(equations.find(c.name.text + "_velocity"))]
              .name.span,
          fmt::format("coordinate: '{0}_velocity' is already the name of the start of der({0})",
                      c.name.text),
          "choose another name");
}

void check_frames(const std::vector<Frame>& frames, const std::string& body,
                  Diagnostics& diagnostics) {
  std::set<std::string_view> seen;
  for (const Frame& frame : frames) {
    const std::string label = fmt::format("frame of {}", body);
    if (!check_form(frame.name, label, diagnostics)) continue;
    if (is_quantity_name(frame.name.text))
      diagnostics.error("E123", frame.name.span,
                        fmt::format("{}: '{}' is a sensor", label, frame.name.text),
                        fmt::format("choose another name, for example '{}_1'", frame.name.text));
    else if (!seen.insert(frame.name.text).second)
      diagnostics.error("E124", frame.name.span,
                        fmt::format("{}: there are two frames '{}'", body, frame.name.text));
  }
}

}  // namespace

std::string_view kind_word(NamedThing::Kind kind) {
  switch (kind) {
    case NamedThing::Kind::parameter:
      return "parameter";
    case NamedThing::Kind::input:
      return "input";
    case NamedThing::Kind::output:
      return "output";
    case NamedThing::Kind::body:
      return "body";
    case NamedThing::Kind::joint:
      return "joint";
    case NamedThing::Kind::drive:
      return "drive";
    case NamedThing::Kind::constraint:
      return "constraint";
    case NamedThing::Kind::table:
      return "table";
    case NamedThing::Kind::coordinate:
      return "coordinate";
    case NamedThing::Kind::block:
      return "block";
    case NamedThing::Kind::force:
      break;
  }
  return "force";
}

void check_names(RuleContext& context) {
  const Mechanism& m = context.mechanism;
  add_names(m.bodies, NamedThing::Kind::body, context);
  add_names(m.joints, NamedThing::Kind::joint, context);
  add_names(m.parameters, NamedThing::Kind::parameter, context);
  add_names(m.inputs, NamedThing::Kind::input, context);
  add_names(m.forces, NamedThing::Kind::force, context);
  add_names(m.drives, NamedThing::Kind::drive, context);
  add_names(m.constraints, NamedThing::Kind::constraint, context);
  add_names(m.tables, NamedThing::Kind::table, context);
  if (m.equations) {
    add_names(m.equations->coordinates, NamedThing::Kind::coordinate, context);
    check_velocity_names(context);
  }
  if (m.controller)
    for (std::size_t i = 0; i < m.controller->blocks.size(); ++i)
      for (const Name& name : m.controller->blocks[i].outputs)
        add_name(name, {NamedThing::Kind::block, i}, context);
  add_names(m.outputs, NamedThing::Kind::output, context);
}

void check_frame_names(RuleContext& context) {
  check_frames(context.mechanism.ground_frames, "ground", context.diagnostics);
  for (const Body& body : context.mechanism.bodies)
    check_frames(body.frames, fmt::format("body '{}'", body.name.text), context.diagnostics);
}

void check_mechanism_name(RuleContext& context) {
  const Name& name = context.mechanism.name;
  if (!check_form(name, "mechanism", context.diagnostics)) return;
  if (const std::string_view problem = find_library_name_problem(name.text); !problem.empty())
    context.diagnostics.error("E125", name.span,
                              fmt::format("mechanism: '{}' is {}", name.text, problem),
                              "the FMU's library is called so; choose another name");
}

}  // namespace mechfmu
