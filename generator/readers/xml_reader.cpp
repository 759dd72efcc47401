#include "readers/xml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "readers/attribute_reader.hpp"
#include "readers/element_types.hpp"
#include "readers/solve_reader.hpp"
#include "readers/table_reader.hpp"
#include "readers/units.hpp"
#include "readers/urdf.hpp"
#include "readers/value_parser.hpp"
#include "readers/xml_document.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

// [s] time constants of reference filters, the bounds of the FMU's parameter filter.NAME
constexpr double kShortestFilter = 1e-6, kLongestFilter = 1e6;
constexpr double kShortestSample = 1e-9, kLongestSample = 1e6;  // [s] of controllers

class MechanismReader {
 public:
  MechanismReader(Mechanism& mechanism, std::string folder, Diagnostics& diagnostics)
      : mechanism_(mechanism), folder_(std::move(folder)), diagnostics_(diagnostics) {}

  void read(const XmlElement& root) {
    const Arguments arguments = read_by_table(root);
    mechanism_.name = name_of(arguments, "name");
    mechanism_.description = text_of(arguments, "description");
    const bool is_mechanism = root.name == "mechanism";
    if (is_mechanism)
      mechanism_.gravity = vector_of(arguments, "gravity");
    else if (root.name == "equations")
      mechanism_.equations.emplace();
    else
      begin_controller(arguments);
    for_each_child(root, root.name, [&](const XmlElement& child, std::string_view name) {
      if (is_mechanism)
        read_part(child, name);
      else if (mechanism_.equations)
        read_equation(child, name);
      else
        read_block(child, name);
      if (name == "parameter") read_parameter(child);
      if (name == "input") read_input(child);
      if (name == "output") read_output(child);
      if (name == "table") mechanism_.tables.push_back(read_table(child, folder_, diagnostics_));
      if (name == "holonomic" || name == "nonholonomic") read_constraint(child, name);
      if (name == "compliance") read_compliance(child);
      if (name == "solve") mechanism_.solve = read_solve(child, diagnostics_);
      if (name == "experiment") mechanism_.experiment = read_experiment(child, diagnostics_);
      if (name == "solve" || name == "experiment" || name == "table")
        expect_no_children(child, name);
    });
  }

 private:
  void read_part(const XmlElement& child, std::string_view name) {
    if (name == "ground") read_ground(child);
    if (name == "body") read_body(child);
    if (name == "joint") read_joint(child);
    if (name == "force") read_force(child);
    if (name == "drive") read_drive(child);
  }

  void read_equation(const XmlElement& child, std::string_view name) {
    Equations& equations = *mechanism_.equations;
    if (name == "coordinate") read_coordinate(child);
    if (name == "mass") read_mass(child);
    if (name == "force") read_generalised_force(child);
    if (name == "kinetic_energy") equations.kinetic_energy = read_value(child, name);
    if (name == "energy") equations.energy = read_value(child, name);
  }

  void begin_controller(const Arguments& arguments) {
    Controller& controller = mechanism_.controller.emplace();
    const Argument& sample = arguments["sample"];
    controller.sample_span = sample.span;
    controller.sample = sample.values[0].value;
    if (is_poisoned(sample.values[0])) return;
    if (!(controller.sample >= kShortestSample && controller.sample <= kLongestSample))
      diagnostics_.error("E132", sample.span,
                         fmt::format("controller: sample must be between {} and {} s, got {}",
                                     number_text(kShortestSample), number_text(kLongestSample),
                                     number_text(controller.sample)));
  }

  void read_block(const XmlElement& element, std::string_view name) {
    const std::vector<std::string_view> places = parent_elements(name);
    if (places != std::vector<std::string_view>{"controller"}) return;
    Block block;
    block.span = element.span;
    block.type = std::string(name);
    block.arguments = read_by_table(element, name);
    expect_no_children(element, name);
    block.name = name_of(block.arguments, "name");
    if (const Argument* outputs = block.arguments.find("outputs")) block.outputs = outputs->words;
    if (block.outputs.empty()) block.outputs.push_back(block.name);
    mechanism_.controller->blocks.push_back(std::move(block));
  }

  // Calls `read(child, name)` for the children that may stand in this element; `name` is the
  // element that was meant.
  template <class Read>
  void for_each_child(const XmlElement& element, std::string_view type, Read read) {
    if (element.text)
      diagnostics_.error("E114", element.text,
                         fmt::format("text has no meaning in <{}>", element.name),
                         "a comment is written <!-- ... -->");
    const std::vector<std::string_view> known = child_elements(type);
    std::set<std::string_view> seen;
    for (const XmlElement& child : element.children) {
      std::string_view name = child.name;
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        name = report_unknown(child, element, known);
        if (name.empty()) continue;
      }
      const bool repeats = find_solid_type(name) != nullptr || find_element_type(name).repeats;
      if (!seen.insert(name).second && !repeats) {
        diagnostics_.error(
            "E113", child.span, fmt::format("<{}> stands here a second time", name),
            fmt::format("{} <{}> has at most one <{}>", element.name == "equations" ? "an" : "a",
                        element.name, name));
        continue;
      }
      read(child, name);
    }
  }

  void expect_no_children(const XmlElement& element, std::string_view type) {
    for_each_child(element, type, [](const XmlElement&, std::string_view) {});
  }

  // The element that was probably meant, empty if there is no telling.
  std::string_view report_unknown(const XmlElement& child, const XmlElement& parent,
                                  const std::vector<std::string_view>& known) {
    const std::vector<std::string_view> places = parent_elements(child.name);
    if (!places.empty() || child.name == "mechanism") {
      std::string list;
      for (const std::string_view place : places)
        list += fmt::format("{}<{}>", list.empty() ? "" : " or ", place);
      diagnostics_.error("E112", child.span,
                         fmt::format("<{}> cannot stand in <{}>", child.name, parent.name),
                         list.empty() ? "" : fmt::format("it belongs in {}", list));
      return {};
    }
    diagnostics_.error(
        "E111", child.span, fmt::format("<{}> has no element <{}>", parent.name, child.name),
        known.empty() ? "it has attributes only" : did_you_mean(child.name, known, "elements"));
    return find_similar(child.name, known);
  }

  Arguments read_by_table(const XmlElement& element, std::string_view type = {}) {
    return read_arguments(element, make_owner(element),
                          {find_element_type(type.empty() ? element.name : type).attributes},
                          diagnostics_);
  }

  // Values that hosts see are in SI units; another unit here would be a silent change of scale.
  std::string read_si_unit(const Arguments& arguments, const Owner& owner, std::string_view hint) {
    const Argument& argument = arguments["unit"];
    const std::optional<Unit> unit = find_unit(argument.text);
    if (!unit) return {};
    if (!unit->is_si())
      diagnostics_.error("E120", argument.span,
                         fmt::format("{}unit: '{}' is not an SI unit, '{}' is", owner.lead,
                                     argument.text, unit->si_name),
                         std::string(hint));
    return unit->si_name;
  }

  void read_parameter(const XmlElement& element) {
    const Owner owner = make_owner(element);
    const Arguments arguments = read_by_table(element, "parameter");
    expect_no_children(element, "parameter");
    const Argument& value = arguments["value"];
    Parameter parameter;
    parameter.name = name_of(arguments, "name");
    parameter.description = text_of(arguments, "description");
    parameter.value = value.values[0];
    parameter.unit = read_si_unit(arguments, owner, "write the unit after the number of the value");
    if (parameter.unit.empty()) parameter.unit = value.unit;
    parameter.unit_text = value.unit_text;
    for (const std::string_view name : {"value", "min", "max"}) {
      const Argument* argument = arguments.find(name);
      if (argument == nullptr) continue;
      check_same_unit(parameter.unit, *argument, owner);
      if (name == "min") parameter.min = argument->values[0];
      if (name == "max") parameter.max = argument->values[0];
    }
    mechanism_.parameters.push_back(std::move(parameter));
  }

  void check_same_unit(const std::string& unit, const Argument& argument, const Owner& owner) {
    if (argument.unit.empty() || unit.empty()) return;
    const std::optional<Unit> expected = find_unit(unit);
    if (!expected || is_compatible(*find_unit(argument.unit), *expected)) return;
    diagnostics_.error("E408", argument.span,
                       fmt::format("{}{}: '{}' does not convert to {}", owner.lead,
                                   argument.attribute->name, argument.unit, unit));
  }

  void read_input(const XmlElement& element) {
    const Owner owner = make_owner(element);
    const Arguments arguments = read_by_table(element, "input");
    expect_no_children(element, "input");
    Input input;
    input.name = name_of(arguments, "name");
    input.description = text_of(arguments, "description");
    input.unit = read_si_unit(arguments, owner, "hosts give inputs in SI units");
    input.start = arguments["start"].values[0];
    const Argument& filter = arguments["filter"];
    if (!is_poisoned(filter.values[0])) {
      input.time_constant = filter.values[0].value;
      if (!(input.time_constant >= kShortestFilter && input.time_constant <= kLongestFilter))
        diagnostics_.error("E132", filter.span,
                           fmt::format("{}filter must be between {} and {} s, got {}", owner.lead,
                                       number_text(kShortestFilter), number_text(kLongestFilter),
                                       number_text(input.time_constant)));
    }
    check_same_unit(input.unit, arguments["start"], owner);
    mechanism_.inputs.push_back(std::move(input));
  }

  void read_output(const XmlElement& element) {
    const Arguments arguments = read_by_table(element, "output");
    expect_no_children(element, "output");
    Output output;
    output.name = name_of(arguments, "name");
    output.description = text_of(arguments, "description");
    output.value = arguments["value"].values[0];
    output.unit = text_of(arguments, "unit");
    if (const std::optional<Unit> unit = find_unit(output.unit); unit && unit->is_si())
      output.unit = unit->si_name;
    mechanism_.outputs.push_back(std::move(output));
  }

  void note_exposures(const Arguments& arguments, const std::string& owner) {
    for (const Name& quantity : arguments["expose"].words)
      mechanism_.exposures.push_back({owner, quantity});
  }

  void read_ground(const XmlElement& element) {
    read_by_table(element, "ground");
    for_each_child(element, "ground", [&](const XmlElement& child, std::string_view name) {
      if (name == "frame") mechanism_.ground_frames.push_back(read_frame(child, "ground"));
      if (name == "visual")
        mechanism_.ground_visuals.push_back(read_visual(child, {"ground", "ground: visual ", {}}));
    });
  }

  void read_body(const XmlElement& element) {
    const Owner owner = make_owner(element);
    const Arguments arguments = read_by_table(element, "body");
    Body body;
    body.name = name_of(arguments, "name");
    body.span = element.span;
    body.description = text_of(arguments, "description");
    note_exposures(arguments, body.name.text);
    for_each_child(element, "body", [&](const XmlElement& child, std::string_view name) {
      if (name == "frame") body.frames.push_back(read_frame(child, body.name.text));
      if (name == "visual")
        body.visuals.push_back(read_visual(child, {owner.label, owner.lead + "visual ", {}}));
      if (name == "pose") body.pose = read_pose(child, owner);
      if (const SolidType* type = find_solid_type(name)) {
        body.solids.push_back(
            {type, child.span, read_arguments(child, owner, {type->attributes}, diagnostics_)});
        expect_no_children(child, name);
      }
    });
    mechanism_.bodies.push_back(std::move(body));
  }

  Expression read_value(const XmlElement& element, std::string_view type) {
    const Arguments arguments = read_by_table(element, type);
    expect_no_children(element, type);
    return arguments["value"].values[0];
  }

  void read_constraint(const XmlElement& element, std::string_view type) {
    const Arguments arguments = read_by_table(element, type);
    expect_no_children(element, type);
    note_exposures(arguments, text_of(arguments, "name"));
    mechanism_.constraints.push_back({name_of(arguments, "name"), element.span, type == "holonomic",
                                      arguments["value"].values[0],
                                      text_of(arguments, "description")});
  }

  void read_compliance(const XmlElement& element) {
    const Arguments arguments = read_by_table(element, "compliance");
    expect_no_children(element, "compliance");
    const Argument& stiffness = arguments["stiffness"];
    const Argument& damping = arguments["damping"];
    mechanism_.compliances.push_back({name_of(arguments, "on"), stiffness.values[0].value,
                                      damping.values[0].value, stiffness.span, damping.span});
  }

  void read_drive(const XmlElement& element) {
    Drive drive;
    drive.span = element.span;
    drive.arguments = read_by_table(element, "drive");
    expect_no_children(element, "drive");
    drive.name = name_of(drive.arguments, "name");
    drive.description = text_of(drive.arguments, "description");
    note_exposures(drive.arguments, drive.name.text);
    mechanism_.drives.push_back(std::move(drive));
  }

  void read_coordinate(const XmlElement& element) {
    const Owner owner = make_owner(element);
    const Arguments arguments = read_by_table(element, "coordinate");
    expect_no_children(element, "coordinate");
    EquationCoordinate c;
    c.name = name_of(arguments, "name");
    c.span = element.span;
    if (const Argument* mass = arguments.find("mass")) c.mass = mass->values[0];
    c.start = arguments["start"].values[0];
    c.velocity = arguments["velocity"].values[0];
    // covers what is given here, as in a joint's <start>
    const bool fixed = text_of(arguments, "fixed") == "true";
    c.start_fixed = fixed && arguments["start"].given;
    c.velocity_fixed = fixed && arguments["velocity"].given;
    c.unit = read_si_unit(arguments, owner, "hosts see coordinates in SI units");
    if (c.unit.empty()) c.unit = arguments["start"].unit;
    check_same_unit(c.unit, arguments["start"], owner);
    if (!c.unit.empty()) check_same_unit(c.unit + "/s", arguments["velocity"], owner);
    c.description = text_of(arguments, "description");
    mechanism_.equations->coordinates.push_back(std::move(c));
  }

  void read_mass(const XmlElement& element) {
    const Arguments arguments = read_by_table(element, "mass");
    expect_no_children(element, "mass");
    mechanism_.equations->masses.push_back({name_of(arguments, "row"), name_of(arguments, "column"),
                                            element.span, arguments["value"].values[0]});
  }

  void read_generalised_force(const XmlElement& element) {
    Owner owner = make_owner(element);
    owner.thing = "a <force> of <equations>";
    const Arguments arguments = read_arguments(
        element, owner, {find_element_type("generalised_force").attributes}, diagnostics_);
    expect_no_children(element, "force");
    mechanism_.equations->forces.push_back(
        {name_of(arguments, "on"), arguments["value"].values[0]});
  }

  Frame read_frame(const XmlElement& element, const std::string& body) {
    Owner owner = make_owner(element);
    if (const XmlAttribute* name = element.find("name"); name != nullptr)
      owner.label = fmt::format("frame '{}.{}'", body, name->value.text);
    const Arguments arguments =
        read_arguments(element, {owner.label, owner.label + ": ", {}},
                       {find_element_type("frame").attributes}, diagnostics_);
    expect_no_children(element, "frame");
    note_exposures(arguments, body + "." + text_of(arguments, "name"));
    return {name_of(arguments, "name"), vector_of(arguments, "xyz"), vector_of(arguments, "rpy")};
  }

  Body::Pose read_pose(const XmlElement& element, const Owner& owner) {
    const Arguments arguments =
        read_arguments(element, {owner.label, owner.lead + "pose ", {}},
                       {find_element_type("pose").attributes}, diagnostics_);
    expect_no_children(element, "pose");
    return {vector_of(arguments, "xyz"), vector_of(arguments, "rpy")};
  }

  Visual read_visual(const XmlElement& element, const Owner& owner) {
    const Arguments arguments =
        read_arguments(element, owner, {find_element_type("visual").attributes}, diagnostics_);
    expect_no_children(element, "visual");
    return {text_of(arguments, "shape"), vector_of(arguments, "size"), vector_of(arguments, "xyz"),
            vector_of(arguments, "rpy"), text_of(arguments, "color")};
  }

  // Common and type-dependent attributes of a joint or force. Without a type that is known only the
  // common ones can be judged.
  template <class Type>
  Arguments read_typed(const XmlElement& element, std::string_view name, const Type* type) {
    const std::vector<Attribute>& common = find_element_type(name).attributes;
    Owner owner = make_owner(element);
    if (type != nullptr) {
      owner.thing = fmt::format("<{} type=\"{}\">", name, type->id);
      return read_arguments(element, owner, {common, type->attributes}, diagnostics_);
    }
    XmlElement reduced = element;
    std::erase_if(reduced.attributes, [&](const XmlAttribute& given) {
      return std::none_of(common.begin(), common.end(),
                          [&](const Attribute& a) { return a.name == given.name; });
    });
    return read_arguments(reduced, owner, {common}, diagnostics_);
  }

  // The arguments that belong to the type itself; those of the element come first and none of them
  // is optional.
  static Arguments keep_type_arguments(Arguments all, std::string_view element) {
    const auto common = static_cast<std::ptrdiff_t>(find_element_type(element).attributes.size());
    all.list.erase(all.list.begin(), all.list.begin() + common);
    return all;
  }

  static const Attribute& type_attribute(std::string_view element) {
    return find_element_type(element).attributes[1];
  }

  void read_joint(const XmlElement& element) {
    Joint joint;
    joint.span = element.span;
    joint.type = find_joint_type(find_choice(element, type_attribute("joint")));
    Arguments arguments = read_typed(element, "joint", joint.type);
    joint.name = name_of(arguments, "name");
    joint.description = text_of(arguments, "description");
    note_exposures(arguments, joint.name.text);
    if (const Argument* parent = arguments.find("parent")) joint.parent = parent->frame;
    if (const Argument* child = arguments.find("child")) joint.child = child->frame;
    joint.cut = text_of(arguments, "cut") == "true";
    joint.arguments = keep_type_arguments(std::move(arguments), "joint");
    for_each_child(element, "joint", [&](const XmlElement& child, std::string_view) {
      if (joint.type != nullptr) read_start(child, joint);
    });
    mechanism_.joints.push_back(std::move(joint));
  }

  void read_start(const XmlElement& element, Joint& joint) {
    expect_no_children(element, "start");
    const StartAttributes& table = start_attributes(*joint.type);
    const std::string label = fmt::format("joint '{}'", joint.name.text);
    if (table.attributes.empty()) {
      diagnostics_.error(
          "E112", element.span,
          fmt::format("{}: a {} joint has nothing to start with", label, joint.type->id),
          "remove the <start>");
      return;
    }
    const Arguments arguments = read_arguments(
        element,
        {label, label + ": start ", fmt::format("the <start> of a {} joint", joint.type->id)},
        {find_element_type("start").attributes, table.attributes}, diagnostics_);
    const bool fixed = text_of(arguments, "fixed") == "true";
    for (std::size_t i = 0; i < table.names.size(); ++i)
      if (const Argument* argument = arguments.find(table.attributes[i].name))
        joint.starts.push_back(
            {std::string(table.names[i]), argument->values, fixed, argument->span});
  }

  void read_force(const XmlElement& element) {
    Force force;
    force.span = element.span;
    force.type = find_force_type(find_choice(element, type_attribute("force")));
    Arguments arguments = read_typed(element, "force", force.type);
    expect_no_children(element, "force");
    force.name = name_of(arguments, "name");
    force.description = text_of(arguments, "description");
    force.arguments = keep_type_arguments(std::move(arguments), "force");
    mechanism_.forces.push_back(std::move(force));
  }

  Mechanism& mechanism_;
  std::string folder_;
  Diagnostics& diagnostics_;
};

bool check_root(const XmlElement& root, Diagnostics& diagnostics) {
  if (root.name == "mechanism" || root.name == "equations" || root.name == "controller")
    return true;
  if (root.name == "robot")
    diagnostics.error(
        "E109", root.span, "this is a URDF file, not a mechanism file",
        "mechfmu convert makes one of it, <import file=\"...\"/> makes it part of one");
  else
    diagnostics.error("E109", root.span, fmt::format("<{}> is not a mechanism", root.name),
                      "a mechanism file begins with <mechanism name=\"...\">");
  return false;
}

}  // namespace

std::string folder_of(const SourceText& source) {
  const std::size_t slash = source.path().rfind('/');
  return slash == std::string::npos ? "" : source.path().substr(0, slash);
}

std::optional<Mechanism> read_mechanism(XmlElement root, const std::string& folder,
                                        Diagnostics& diagnostics) {
  if (!check_root(root, diagnostics)) return std::nullopt;
  Mechanism mechanism;
  std::vector<ImportedFile> files;
  if (root.name == "mechanism") expand_imports(root, folder, files, diagnostics);
  for (ImportedFile& file : files)
    mechanism.imports.push_back({std::move(file.name), std::move(file.content)});
  MechanismReader(mechanism, folder, diagnostics).read(root);
  return mechanism;
}

std::optional<Mechanism> read_mechanism(const SourceText& source, Diagnostics& diagnostics) {
  std::optional<XmlElement> root = parse_xml(source, diagnostics);
  if (!root) return std::nullopt;
  return read_mechanism(std::move(*root), folder_of(source), diagnostics);
}

}  // namespace mechfmu
