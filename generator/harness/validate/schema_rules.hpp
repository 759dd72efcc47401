// The text of modelDescription.xml and the rules of its schema: elements, their order, attributes
// and the types of their values. The schema itself is the table in schema_tables.cpp.
#pragma once
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "harness/validate/findings.hpp"
#include "support/source_text.hpp"

namespace mechfmu::fmu_check {

// Type of an attribute's value.
enum class ValueType {
  text,
  boolean,
  real,
  whole,       // xs:int
  count,       // xs:unsignedInt
  date,        // xs:dateTime
  count_list,  // numbers of variables
  word,        // one of a list
  word_list,
};

struct AttributeSchema {
  std::string_view name;
  ValueType type = ValueType::text;
  bool is_required = false;
  std::string_view words = {};  // of word and word_list, separated by blanks
};

struct ElementSchema;

// Elements that stand at one place of the sequence.
struct PlaceSchema {
  std::vector<std::pair<std::string_view, const ElementSchema*>> elements;
  std::size_t least = 0;     // of all together
  std::size_t most = 1;      // of all together
  bool is_each_once = true;  // a name only once; false for lists
};

struct ElementSchema {
  std::vector<AttributeSchema> attributes;
  std::vector<PlaceSchema> places;
  bool has_any_content = false;  // vendor annotations
};

const ElementSchema& root_schema();

// Encoding, declaration, well-formedness. False: there is no document to go on with.
bool parse_description(const SourceText& source, pugi::xml_document& document, Findings& findings);

void check_schema(const SourceText& source, const pugi::xml_node& root, Findings& findings);

}  // namespace mechfmu::fmu_check
