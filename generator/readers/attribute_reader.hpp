// The attributes of one element, read by the rows of its tables: unknown and missing ones are
// reported, each value is parsed as its kind asks.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mechanism/mechanism.hpp"
#include "readers/xml_document.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

// Who an element belongs to, for messages.
struct Owner {
  std::string label;  // "joint 'A'"
  std::string lead;   // put before an attribute's name: "joint 'A': " or "joint 'A': start "
  std::string
      thing;  // what has the attributes, where it is more than the element: "a spherical joint"
};
// The owner that an element with a name attribute is: "body 'coupler'"; "body" if it has no name.
Owner make_owner(const XmlElement& element);
// What a user wrote, as it can stand in a message: one line, not too long.
std::string shown_text(std::string_view text, std::size_t limit = 80);

// Arguments in the order of the tables. A misspelt attribute is read as the one that was probably
// meant; a value that is missing or cannot be read is poisoned (numbers) or empty (text); absent
// optional attributes are left out.
using AttributeTables = std::vector<std::span<const Attribute>>;
Arguments read_arguments(const XmlElement& element, const Owner& owner,
                         const AttributeTables& tables, Diagnostics& diagnostics);

// The word of a choice attribute that selects further attributes (type, scheme). A misspelt word is
// read as the one that was probably meant, without a message: read_arguments() reports it. Empty if
// there is none.
std::string_view find_choice(const XmlElement& element, const Attribute& attribute);

// Parts of Arguments, as the structs of the mechanism want them.
Name name_of(const Arguments& arguments, std::string_view attribute);
const std::string& text_of(const Arguments& arguments, std::string_view attribute);
VectorExpression vector_of(const Arguments& arguments, std::string_view attribute);

}  // namespace mechfmu
