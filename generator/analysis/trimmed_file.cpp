#include "analysis/trimmed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "readers/element_types.hpp"
#include "readers/units.hpp"
#include "readers/xml_document.hpp"
#include "support/number_text.hpp"
#include "validation/parameter_values.hpp"
#include "validation/validate.hpp"

namespace mechfmu {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr double kSame = 1e-12;  // values that need no other text
constexpr double kThere = 1e-6;  // [rad, m] of a coordinate that is assembled where it should be

Matrix3d rotation_of(const Vector3d& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) *
          Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

Vector3d rpy_of(const Matrix3d& R) {
  const double cosine = std::hypot(R(0, 0), R(1, 0));
  if (cosine < 1e-12) return {0, std::atan2(-R(2, 0), cosine), std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), std::atan2(-R(2, 0), cosine), std::atan2(R(1, 0), R(0, 0))};
}

struct FramePlace {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();
};

// The mechanism with the parameters of the point.
Mechanism with_present_parameters(const Mechanism& mechanism, const OperatingPoint& point) {
  Mechanism present = mechanism;
  for (Parameter& parameter : present.parameters)
    if (const InterfaceVariable* v = point.system().interface.find(parameter.name.text);
        v != nullptr && v->causality == Causality::parameter)
      parameter.value = Expression::number(point.value(*v), parameter.value.span);
  return present;
}

std::optional<FramePlace> find_frame(const OperatingPoint& point, const Mechanism& mechanism,
                                     const std::vector<double>& parameters,
                                     const FrameReference& reference) {
  FramePlace place;
  if (reference.body != kGround) {
    const Body& body = mechanism.bodies[static_cast<std::size_t>(reference.body)];
    Vector3d rpy;
    for (int i = 0; i < 3; ++i) {
      const std::string component = "[" + std::to_string(i + 1) + "]";
      const InterfaceVariable* p =
          point.system().interface.find(body.name.text + ".position" + component);
      const InterfaceVariable* r =
          point.system().interface.find(body.name.text + ".rpy" + component);
      if (p == nullptr || r == nullptr) return std::nullopt;
      place.p(i) = point.value(*p);
      rpy(i) = point.value(*r);
    }
    place.R = rotation_of(rpy);
  }
  if (reference.frame == kOriginFrame) return place;
  const Frame& frame = reference.body == kGround
                           ? mechanism.ground_frames[static_cast<std::size_t>(reference.frame)]
                           : mechanism.bodies[static_cast<std::size_t>(reference.body)]
                                 .frames[static_cast<std::size_t>(reference.frame)];
  Vector3d xyz, rpy;
  for (std::size_t i = 0; i < 3; ++i) {
    xyz(static_cast<int>(i)) = evaluate_at(frame.xyz[i], mechanism, parameters);
    rpy(static_cast<int>(i)) = evaluate_at(frame.rpy[i], mechanism, parameters);
  }
  place.p += place.R * xyz;
  place.R = place.R * rotation_of(rpy);
  return place;
}

// Without the last digits, which are rounding: -90 and not -90.00000000000001.
std::string round_text(double value) {
  return number_text(parse_number(fmt::format("{:.14g}", value)).value_or(value));
}

// "0 0 90 deg" with other numbers: the unit stays.
std::string make_value_text(const std::vector<double>& values, const std::string& old) {
  double factor = 1;
  std::string unit_text;
  const std::size_t blank = old.find_last_of(" \t\n");
  if (blank != std::string::npos)
    if (const std::optional<Unit> unit = find_unit(old.substr(blank + 1));
        unit && !parse_number(old.substr(blank + 1))) {
      factor = unit->factor();
      unit_text = old.substr(blank);
    }
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : " ") + round_text(value == 0 ? 0.0 : value / factor);
  return text + unit_text;
}

bool is_same(double a, double b) {
  return std::fabs(a - b) <= kSame * std::max({1.0, std::fabs(a), std::fabs(b)});
}

class Editor {
 public:
  Editor(const SourceText& source, const Mechanism& mechanism, OperatingPoint& point,
         bool adds_starts)
      : text_(source.content()),
        mechanism_(mechanism),
        present_(with_present_parameters(mechanism, point)),
        old_values_(calc_parameter_values(mechanism)),
        point_(point),
        adds_starts_(adds_starts) {}

  std::string edit(const XmlElement& root) {
    for (const XmlElement& child : root.children) {
      const XmlAttribute* name = child.find("name");
      if (name == nullptr) continue;
      if (child.name == "parameter") edit_parameter(child, name->value.text);
      if (child.name == "input") edit_input(child, name->value.text);
      if (child.name == "joint") edit_joint(child, name->value.text);
      if (child.name == "coordinate") edit_coordinate(child, name->value.text);
    }
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.span.begin > b.span.begin; });
    std::string result = text_;
    for (const Edit& e : edits_) result.replace(e.span.begin, e.span.end - e.span.begin, e.text);
    return result;
  }

 private:
  struct Edit {
    Span span;
    std::string text;
  };

  static std::size_t end_of_attributes(const XmlElement& element) {
    return element.attributes.empty() ? element.span.end
                                      : element.attributes.back().value.span.end + 1;
  }

  void set_attribute(const XmlElement& element, const std::string& name,
                     const std::vector<double>& values) {
    if (const XmlAttribute* old = element.find(name)) {
      edits_.push_back({old->value.span, make_value_text(values, old->value.text)});
      return;
    }
    const std::size_t end = end_of_attributes(element);
    edits_.push_back({{end, end}, fmt::format(" {}=\"{}\"", name, make_value_text(values, ""))});
  }

  // Values of expressions as the text has them, with its own parameters.
  [[nodiscard]] double old_value(const Expression& e) const {
    return evaluate_at(e, mechanism_, old_values_);
  }

  void edit_parameter(const XmlElement& element, const std::string& name) {
    for (std::size_t i = 0; i < mechanism_.parameters.size(); ++i) {
      if (mechanism_.parameters[i].name.text != name) continue;
      const InterfaceVariable* v = point_.system().interface.find(name);
      if (v != nullptr && !is_same(point_.value(*v), old_values_[i]))
        set_attribute(element, "value", {point_.value(*v)});
    }
  }

  void edit_input(const XmlElement& element, const std::string& name) {
    for (const Input& input : mechanism_.inputs) {
      if (input.name.text != name) continue;
      const InterfaceVariable* v = point_.system().interface.find(name);
      if (v != nullptr && !is_same(point_.value(*v), old_value(input.start)))
        set_attribute(element, "start", {point_.value(*v)});
    }
  }

  void edit_coordinate(const XmlElement& element, const std::string& name) {
    if (!mechanism_.equations) return;
    const int i = mechanism_.equations->find(name);
    const InterfaceVariable* v = point_.system().interface.find(name);
    if (i < 0 || v == nullptr) return;
    const EquationCoordinate& c = mechanism_.equations->coordinates[static_cast<std::size_t>(i)];
    if (!is_same(point_.value(*v), old_value(c.start)))
      set_attribute(element, "start", {point_.value(*v)});
    if (!is_same(0, old_value(c.velocity))) set_attribute(element, "velocity", {0});
  }

  void edit_joint(const XmlElement& element, const std::string& name) {
    const auto joint = std::find_if(mechanism_.joints.begin(), mechanism_.joints.end(),
                                    [&](const Joint& j) { return j.name.text == name; });
    if (joint == mechanism_.joints.end() || joint->type == nullptr) return;
    const XmlElement* start = nullptr;
    for (const XmlElement& child : element.children)
      if (child.name == "start") start = &child;
    for (const Start& s : joint->starts) {
      std::vector<double> values = find_start_value(point_, present_, *joint, s.name);
      if (values.empty()) continue;
      bool same = true;
      for (std::size_t i = 0; i < values.size(); ++i)
        same = same && is_same(values[i], evaluate_present(s.values[i]));
      if (!same && start != nullptr) set_attribute(*start, attribute_of(*start, s), values);
    }
    if (adds_starts_) add_starts(element, start, *joint);
  }

  // With the parameters as they will be.
  [[nodiscard]] double evaluate_present(const Expression& e) const {
    return evaluate_at(e, present_, calc_parameter_values(present_));
  }

  // The table's name of a start is that of its attribute, but for the components of a universal
  // joint ("angle[2]" is written angle2): by its place.
  static std::string attribute_of(const XmlElement& element, const Start& start) {
    for (const XmlAttribute& a : element.attributes)
      if (a.value.span.begin <= start.span.begin && start.span.end <= a.value.span.end)
        return a.name;
    return start.name;
  }

  void add_starts(const XmlElement& element, const XmlElement* start, const Joint& joint) {
    std::string attributes;
    const StartAttributes& table = start_attributes(*joint.type);
    for (const Coordinate& c : joint.type->coordinates)
      for (std::size_t i = 0; i < table.names.size(); ++i) {
        if (table.names[i] != c.name || joint.find_start(c.name) != nullptr) continue;
        const std::vector<double> value =
            find_start_value(point_, present_, joint, std::string(c.name));
        if (value.empty()) continue;
        const std::string name(table.attributes[i].name);
        if (start != nullptr)
          set_attribute(*start, name, value);
        else
          attributes += fmt::format(" {}=\"{}\"", name, make_value_text(value, ""));
      }
    if (attributes.empty()) return;
    const std::size_t end = end_of_attributes(element);
    const std::size_t close = text_.find_first_not_of(" \t\r\n", end);
    const std::size_t line = text_.rfind('\n', element.span.begin);
    const std::size_t begin = line == std::string::npos ? 0 : line + 1;
    const std::string indent = text_.substr(begin, text_.find_first_not_of(" \t", begin) - begin);
    const std::string child = fmt::format("\n{}  <start{}/>", indent, attributes);
    if (text_.compare(close, 2, "/>") == 0)
      edits_.push_back({{end, close + 2}, fmt::format(">{}\n{}</joint>", child, indent)});
    else
      edits_.push_back({{close + 1, close + 1}, child});
  }

  const std::string& text_;
  const Mechanism& mechanism_;
  Mechanism present_;
  std::vector<double> old_values_;
  OperatingPoint& point_;
  bool adds_starts_;
  std::vector<Edit> edits_;
};

// What tells one pose from another, whatever the tree: joint coordinates, places of bodies.
std::vector<std::string> list_coordinates(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const Joint& joint : mechanism.joints)
    for (const Coordinate& c : joint.type->coordinates)
      names.push_back(joint.name.text + "." + std::string(c.name));
  for (const Body& body : mechanism.bodies)
    for (const char* component : {".position[1]", ".position[2]", ".position[3]"})
      names.push_back(body.name.text + component);
  if (mechanism.equations)
    for (const EquationCoordinate& c : mechanism.equations->coordinates)
      names.push_back(c.name.text);
  return names;
}

struct Distance {
  double size = 0;
  std::string of;
};

// How far the assembled text is from where the point stands, and in which coordinate most.
Distance measure_distance(const SourceText& source, OperatingPoint& point) {
  const Distance nowhere{HUGE_VAL, "everything"};
  Diagnostics ignored;
  const std::optional<Mechanism> mechanism = load_mechanism(source, ignored);
  if (!mechanism) return nowhere;
  SystemOptions options = point.system().options;
  options.set.clear();
  const std::optional<SystemModel> system = make_system(*mechanism, options, ignored);
  if (!system) return nowhere;
  OperatingPoint other(*system);
  if (!other.initialize(system->experiment.start) || !other.update()) return nowhere;
  Distance distance;
  for (const std::string& name : list_coordinates(*mechanism)) {
    const InterfaceVariable* here = point.system().interface.find(name);
    const InterfaceVariable* there = system->interface.find(name);
    if (here == nullptr || there == nullptr) continue;
    const double size = std::fabs(point.value(*here) - other.value(*there));
    if (!(size <= distance.size)) distance = {size, name};
  }
  return distance;
}

}  // namespace

std::vector<double> find_start_value(const OperatingPoint& point, const Mechanism& mechanism,
                                     const Joint& joint, const std::string& name) {
  for (const Coordinate& c : joint.type->coordinates) {
    if (c.rate_name == name) return {0};
    if (c.name != name) continue;
    const InterfaceVariable* v = point.system().interface.find(joint.name.text + "." + name);
    if (v == nullptr) return {};
    return {point.value(*v)};
  }
  if (name == "velocity" || name == "angular_velocity") return {0, 0, 0};
  if (name != "xyz" && name != "rpy") return {};
  const std::vector<double> parameters = calc_parameter_values(mechanism);
  const std::optional<FramePlace> parent = find_frame(point, mechanism, parameters, joint.parent);
  const std::optional<FramePlace> child = find_frame(point, mechanism, parameters, joint.child);
  if (!parent || !child) return {};
  const Vector3d value = name == "xyz" ? Vector3d(parent->R.transpose() * (child->p - parent->p))
                                       : rpy_of(parent->R.transpose() * child->R);
  return {value(0), value(1), value(2)};
}

std::optional<std::string> write_trimmed(const SourceText& source, const Mechanism& mechanism,
                                         OperatingPoint& point, Diagnostics& diagnostics) {
  const std::optional<XmlElement> root = parse_xml(source, diagnostics);
  if (!root) return std::nullopt;
  Distance distance;
  for (const bool adds_starts : {false, true}) {
    std::string text = Editor(source, mechanism, point, adds_starts).edit(*root);
    distance = measure_distance(SourceText(source.path(), text), point);
    if (distance.size <= kThere) return text;
  }
  diagnostics.error(
      "E319", std::nullopt,
      fmt::format("the file with the new starts assembles elsewhere: {} is {:.3g} away",
                  distance.of, distance.size),
      mechanism.imports.empty() ? "give the joints that say where the mechanism is a <start>"
                                : "joints of imported files have no place for a start here: "
                                  "mechfmu convert writes one file "
                                  "of all");
  return std::nullopt;
}

}  // namespace mechfmu
