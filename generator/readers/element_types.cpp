#include "readers/element_types.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "support/assert.hpp"

namespace mechfmu {

namespace {

// "angle_velocity[1]" -> "angle1_velocity"
std::string make_xml_name(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string_view::npos) return std::string(name);
  const std::string_view index = name.substr(bracket + 1, name.size() - bracket - 2);
  std::string base(name.substr(0, bracket));
  return base.insert(std::min(base.find('_'), base.size()), index);
}

StartAttributes make_start_attributes(const JointType& type, std::deque<std::string>& names) {
  StartAttributes result;
  const auto add = [&](std::string_view name, std::string_view unit, std::string_view help) {
    names.push_back(make_xml_name(name));
    result.attributes.push_back({names.back(), AttributeKind::scalar, unit, kOptional, "", help});
    result.names.push_back(name);
  };
  for (const Coordinate& c : type.coordinates) {
    add(c.name, c.unit, c.unit == "rad" ? "angle at the start" : "position at the start");
    add(c.rate_name, c.rate_unit, "rate of change at the start");
  }
  for (const Attribute& vector : type.start_vectors) {
    result.attributes.push_back(vector);
    result.names.push_back(vector.name);
  }
  return result;
}

bool is_listed(std::string_view word, std::string_view list) {
  const std::vector<std::string_view> words = choice_words(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

#define ATTRIBUTES(...) \
  std::vector<Attribute> { __VA_ARGS__ }
#define ATTRIBUTE(name, kind, unit, fallback, choices, help) \
  Attribute{name, AttributeKind::kind, unit, fallback, choices, help},

const std::vector<ElementType>& element_types() {
  static const std::vector<ElementType> types = {
#define ELEMENT(name, parents, repeats, help, attributes) \
  ElementType{#name, parents, repeats, help, attributes},
#include "readers/elements.def"
#undef ELEMENT
  };
  return types;
}

#undef ATTRIBUTE
#undef ATTRIBUTES

const ElementType& find_element_type(std::string_view name) {
  for (const ElementType& type : element_types())
    if (type.name == name) return type;
  fail_assertion(__FILE__, __LINE__, "'" + std::string(name) + "' must be in elements.def");
}

std::vector<std::string_view> child_elements(std::string_view parent) {
  std::vector<std::string_view> names;
  for (const ElementType& type : element_types())
    if (!type.parents.empty() && is_listed(parent, type.parents)) names.push_back(type.name);
  if (parent == "body")
    for (const SolidType& type : solid_types()) names.push_back(type.id);
  return names;
}

std::vector<std::string_view> parent_elements(std::string_view name) {
  for (const ElementType& type : element_types())
    if (type.name == name) return choice_words(type.parents);
  if (find_solid_type(name) != nullptr) return {"body"};
  return {};
}

const StartAttributes& start_attributes(const JointType& type) {
  static std::deque<std::string> names;  // attributes hold views of these
  static const std::map<std::string_view, StartAttributes> table = [] {
    std::map<std::string_view, StartAttributes> all;
    for (const JointType& joint : joint_types())
      all.emplace(joint.id, make_start_attributes(joint, names));
    return all;
  }();
  return table.at(type.id);
}

}  // namespace mechfmu
