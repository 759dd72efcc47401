// The elements of a mechanism file as data (elements.def), and the attributes of <start>, which
// follow from the joint's coordinates. Reader and schema are made from these tables.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/catalogue.hpp"

namespace mechfmu {

struct ElementType {
  std::string_view name;
  std::string_view parents;  // "ground|body"; "" for the root
  bool repeats;              // may stand more than once in its parent
  std::string_view help;
  std::vector<Attribute> attributes;
};

const std::vector<ElementType>& element_types();              // the root first
const ElementType& find_element_type(std::string_view name);  // asserts that it is in the table

// Names of the elements that may stand in `parent`, those of solids.def included.
std::vector<std::string_view> child_elements(std::string_view parent);
// Names of the elements in which `name` may stand; empty if there is no such element.
std::vector<std::string_view> parent_elements(std::string_view name);

// Attributes of <start> in a joint of this type. XML names hold no brackets: the coordinate
// angle[1] is written angle1, its rate angle_velocity[1] angle1_velocity.
struct StartAttributes {
  std::vector<Attribute> attributes;    // as written
  std::vector<std::string_view> names;  // as the joint's table calls them: "angle[1]"
};
const StartAttributes& start_attributes(const JointType& type);

}  // namespace mechfmu
