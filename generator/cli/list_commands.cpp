// mechfmu joints, forces, schemes, integrators [NAME]: reference cards, made from the tables that
// the reader and the runtime are made from.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "mechanism/catalogue.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

using Rows = std::vector<std::vector<std::string>>;

// Columns as wide as their longest cell; the last one is free.
std::string make_table(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format(" {:<{}} ", row[i], i + 1 < row.size() ? widths[i] : 0);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string_view describe(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::scalar:
      return "number";
    case AttributeKind::signal:
      return "expression";
    case AttributeKind::vector:
      return "3 numbers";
    case AttributeKind::signals:
      return "3 expressions";
    case AttributeKind::inertia:
      return "3 or 6 numbers";
    case AttributeKind::axis:
      return "axis, 3 numbers";
    case AttributeKind::frame:
      return "body[.frame] or ground[.frame]";
    case AttributeKind::joint:
      return "name of a joint";
    case AttributeKind::choice:
      return "word";
    case AttributeKind::boolean:
      return "true or false";
    case AttributeKind::identifier:
      return "new name";
    case AttributeKind::text:
      return "text";
    case AttributeKind::words:
      return "words";
    case AttributeKind::unit:
      return "unit";
    case AttributeKind::constant:
      return "number without names";
    case AttributeKind::numbers:
      return "numbers";
    case AttributeKind::coordinate:
      return "name of a coordinate";
  }
  return "";
}

// A value that could stand in a file.
std::string_view sample(const Attribute& attribute) {
  if (attribute.fallback != kRequired && attribute.fallback != kOptional) return attribute.fallback;
  switch (attribute.kind) {
    case AttributeKind::scalar:
    case AttributeKind::constant:
      return "0.1";
    case AttributeKind::signal:
      return "u";
    case AttributeKind::vector:
    case AttributeKind::inertia:
      return "0 0 0";
    case AttributeKind::signals:
      return "0 0 u";
    case AttributeKind::axis:
      return "0 0 1";
    case AttributeKind::frame:
      if (attribute.name == "child") return "link";
      return attribute.name == "from" || attribute.name == "parent" ? "ground" : "link.tip";
    case AttributeKind::joint:
      return attribute.name == "joint2" || attribute.name == "pinion" ? "B" : "A";
    case AttributeKind::choice:
      return choice_words(attribute.choices).front();
    case AttributeKind::boolean:
      return "true";
    case AttributeKind::identifier:
    case AttributeKind::text:
      return "name";
    case AttributeKind::words:
      return "position";
    case AttributeKind::unit:
      return "m";
    case AttributeKind::numbers:
      return "0 1 2";
    case AttributeKind::coordinate:
      return "x";
  }
  return "";
}

std::string make_attribute_table(const std::vector<Attribute>& attributes) {
  Rows rows;
  for (const Attribute& a : attributes) {
    const std::string presence = a.fallback == kRequired   ? "required"
                                 : a.fallback == kOptional ? "optional"
                                                           : fmt::format("default {}", a.fallback);
    std::string help(a.help);
    if (!a.choices.empty())
      help += fmt::format(" (one of: {})", fmt::join(choice_words(a.choices), ", "));
    rows.push_back({std::string(a.name), std::string(describe(a.kind)), std::string(a.unit),
                    presence, std::move(help)});
  }
  return make_table(rows);
}

// Attributes that must or usually do stand there.
std::string make_snippet_attributes(const std::vector<Attribute>& attributes) {
  std::string text;
  for (const Attribute& a : attributes)
    if (a.fallback != kOptional) text += fmt::format(" {}=\"{}\"", a.name, sample(a));
  return text;
}

std::string make_joint_card(const JointType& type) {
  std::string text =
      fmt::format("{}: {}\nleaves {} of 6 degrees of freedom{}\n", type.id, type.title,
                  type.freedom, type.holds_tree ? "" : "; always a constraint");
  if (!type.attributes.empty())
    text += "\nattributes (besides name, type)\n" + make_attribute_table(type.attributes);
  std::string start;
  if (!type.coordinates.empty()) {
    text += "\ncoordinates: in <start> and as sensors\n";
    Rows rows;
    for (const Coordinate& c : type.coordinates) {
      rows.push_back({std::string(c.name), std::string(c.unit), std::string(c.rate_name),
                      std::string(c.rate_unit)});
      start += fmt::format(" {}=\"0\"", c.name);
    }
    text += make_table(rows);
    // angle[1] is a sensor; XML attributes cannot hold brackets
    if (start.find('[') != std::string::npos) start.clear();
  }
  if (!type.start_vectors.empty()) {
    text += "\nvectors of <start>\n" + make_attribute_table(type.start_vectors);
    start = fmt::format(" {}=\"0 0 0\"", type.start_vectors.front().name);
  }
  text += fmt::format("\n<joint name=\"{}\" type=\"{}\"{}", type.connects_frames() ? "A" : "mesh",
                      type.id, make_snippet_attributes(type.attributes));
  return text + (start.empty() ? "/>\n" : fmt::format(">\n  <start{}/>\n</joint>\n", start));
}

std::string make_force_card(const ForceType& type) {
  return fmt::format(
      "{}: {}\n\nattributes (besides name, type)\n{}\n<force name=\"f\" type=\"{}\"{}/>\n", type.id,
      type.title, make_attribute_table(type.attributes), type.id,
      make_snippet_attributes(type.attributes));
}

std::string make_scheme_card(const SchemeType& type) {
  std::string text = fmt::format("{}: {}\n\n  {}\n", type.id, type.title, type.equations);
  std::string example;
  if (!type.parameters.empty()) {
    text += "\nparameters: --scheme NAME:parameter=value; in the FMU scheme.PARAMETER\n";
    Rows rows;
    for (const SchemeParameter& p : type.parameters) {
      std::string value = number_text(p.fallback);
      std::string range = fmt::format("{} .. {}", number_text(p.min), number_text(p.max));
      if (p.kind == SchemeParameter::Kind::choice) {
        range = p.choices;
        value = choice_words(p.choices)[static_cast<std::size_t>(p.fallback) - 1];
      }
      if (example.empty()) example = fmt::format(":{}={}", p.name, value);
      rows.push_back({std::string(p.name), std::string(p.unit), "default " + value,
                      std::move(range), std::string(p.help)});
    }
    text += make_table(rows);
  }
  return text + fmt::format("\n<solve scheme=\"{}\"/>\nmechfmu build FILE --scheme {}{}\n", type.id,
                            type.id, example);
}

std::string make_integrator_card(const IntegratorType& type) {
  const std::string count = type.stages == 0   ? "as many evaluations"
                            : type.stages == 1 ? "1 evaluation"
                                               : fmt::format("{} evaluations", type.stages);
  return fmt::format(
      "{}: {}\norder {}, {} of the equations of motion per step{}\n\n"
      "<solve integrator=\"{}\" step=\"1 ms\"/>\nmechfmu build FILE --integrator {}\n",
      type.id, type.title, type.order, count, type.stages == 0 ? " as it takes" : "", type.id,
      type.id);
}

template <class T>
void add_list(CLI::App& app, Session& session, const std::string& name, const std::string& help,
              const std::vector<T>& (*types)(), std::string (*make_card)(const T&)) {
  const auto wanted = std::make_shared<std::string>();
  const auto run = [=, &session] {
    std::vector<std::string_view> ids;
    Rows rows;
    for (const T& type : types()) {
      if (type.id == *wanted) {
        session.result(make_card(type));
        return;
      }
      ids.push_back(type.id);
      rows.push_back({std::string(type.id), std::string(type.title)});
    }
    if (wanted->empty()) {
      session.result(make_table(rows));
      session.message(fmt::format("next: mechfmu {} {}", name, ids.front()));
    } else {
      session.usage_error(fmt::format("{}: there is no '{}'", name, *wanted),
                          did_you_mean(*wanted, ids, name));
    }
  };
  CLI::App& command =
      add_command(app, name, help,
                  fmt::format("mechfmu {}\nmechfmu {} {}", name, name, types().front().id), run);
  add_argument(command, "NAME", *wanted, "show this one in detail", false);
}

}  // namespace

void add_list_commands(CLI::App& app, Session& session) {
  add_list<SchemeType>(app, session, "schemes", "how constraints can be enforced", scheme_types,
                       make_scheme_card);
  add_list<IntegratorType>(app, session, "integrators", "integrators", integrator_types,
                           make_integrator_card);
  add_list<JointType>(app, session, "joints", "joints and constraints", joint_types,
                      make_joint_card);
  add_list<ForceType>(app, session, "forces", "forces", force_types, make_force_card);
}

}  // namespace mechfmu
