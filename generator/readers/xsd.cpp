#include "readers/xsd.hpp"

#include <algorithm>

#include "readers/element_types.hpp"

namespace mechfmu {

namespace {

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

// Text of the schema, indented.
class SchemaWriter {
 public:
  void open(const std::string& tag) {
    line("<" + tag + ">");
    ++depth_;
  }
  void close(std::string_view tag) {
    --depth_;
    line("</" + std::string(tag) + ">");
  }
  void line(const std::string& content) {
    text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + content + "\n";
  }
  void document(const std::string& help) {
    line("<xs:annotation><xs:documentation>" + escape(help) +
         "</xs:documentation></xs:annotation>");
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  int depth_ = 0;
};

// One attribute as the schema sees it. XSD 1.0 cannot make attributes depend on the value of
// `type`, so an element has those of all its types, each with the types it belongs to in its
// documentation.
struct SchemaAttribute {
  std::string name;
  std::string type;  // "value", or "" if `words` holds the choices
  std::vector<std::string_view> words;
  bool required = false;
  std::vector<std::string> notes;
};

std::string_view schema_type(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::identifier:
      return "name";
    case AttributeKind::frame:
      return "frame_reference";
    case AttributeKind::joint:
    case AttributeKind::coordinate:
      return "name";
    case AttributeKind::boolean:
      return "boolean";
    case AttributeKind::unit:
    case AttributeKind::text:
    case AttributeKind::words:
      return "xs:string";
    case AttributeKind::choice:
      return "";
    default:
      return "value";
  }
}

SchemaAttribute make_attribute(const Attribute& attribute, std::string_view types) {
  SchemaAttribute result;
  result.name = std::string(attribute.name);
  result.type = std::string(schema_type(attribute.kind));
  if (attribute.kind == AttributeKind::choice) result.words = choice_words(attribute.choices);
  result.required = attribute.fallback == kRequired;
  std::string note = types.empty() ? "" : std::string(types) + ": ";
  note += attribute.help;
  if (!attribute.unit.empty() && attribute.unit != "1")
    note += " [" + std::string(attribute.unit) + "]";
  if (attribute.fallback != kRequired && attribute.fallback != kOptional &&
      !attribute.fallback.empty())
    note += "; default " + std::string(attribute.fallback);
  result.notes.push_back(std::move(note));
  return result;
}

class AttributeSet {
 public:
  void add(const std::vector<Attribute>& attributes, std::string_view owner = {}) {
    for (const Attribute& attribute : attributes) {
      SchemaAttribute given = make_attribute(attribute, owner);
      if (!owner.empty()) given.required = false;
      const auto it = std::find_if(all_.begin(), all_.end(),
                                   [&](const SchemaAttribute& a) { return a.name == given.name; });
      if (it == all_.end()) {
        all_.push_back(std::move(given));
        continue;
      }
      it->notes.push_back(given.notes.front());
      if (it->type != given.type || it->words != given.words) it->type = "value";
      if (it->type == "value") it->words.clear();
    }
  }

  void write(SchemaWriter& writer) const {
    for (const SchemaAttribute& attribute : all_) {
      std::string tag = "xs:attribute name=\"" + attribute.name + "\"";
      if (attribute.words.empty()) tag += " type=\"" + attribute.type + "\"";
      if (attribute.required) tag += " use=\"required\"";
      writer.open(tag);
      std::string notes;
      for (const std::string& note : attribute.notes) notes += (notes.empty() ? "" : "; ") + note;
      writer.document(notes);
      if (!attribute.words.empty()) write_words(attribute.words, writer);
      writer.close("xs:attribute");
    }
  }

 private:
  static void write_words(const std::vector<std::string_view>& words, SchemaWriter& writer) {
    writer.open("xs:simpleType");
    writer.open("xs:restriction base=\"xs:token\"");
    for (const std::string_view word : words)
      writer.line("<xs:enumeration value=\"" + escape(word) + "\"/>");
    writer.close("xs:restriction");
    writer.close("xs:simpleType");
  }

  std::vector<SchemaAttribute> all_;
};

std::vector<Attribute> make_scheme_attributes(const SchemeType& scheme) {
  std::vector<Attribute> attributes;
  for (const SchemeParameter& p : scheme.parameters) {
    const bool is_choice = p.kind == SchemeParameter::Kind::choice;
    attributes.push_back({p.name, is_choice ? AttributeKind::choice : AttributeKind::constant,
                          p.unit, kOptional, p.choices, p.help});
  }
  return attributes;
}

AttributeSet make_attribute_set(const ElementType& type) {
  AttributeSet set;
  if (type.name == "force") {
    set.add(type.attributes, "in a mechanism");
    set.add(find_element_type("generalised_force").attributes, "in equations");
  } else {
    set.add(type.attributes);
  }
  if (type.name == "joint")
    for (const JointType& joint : joint_types()) set.add(joint.attributes, joint.id);
  if (type.name == "start")
    for (const JointType& joint : joint_types())
      set.add(start_attributes(joint).attributes, joint.id);
  if (type.name == "force")
    for (const ForceType& force : force_types()) set.add(force.attributes, force.id);
  if (type.name == "solve")
    for (const SchemeType& scheme : scheme_types())
      set.add(make_scheme_attributes(scheme), scheme.id);
  return set;
}

void write_element(std::string_view name, std::string_view help, const AttributeSet& attributes,
                   SchemaWriter& writer) {
  writer.open("xs:element name=\"" + std::string(name) + "\"");
  writer.document(std::string(help));
  writer.open("xs:complexType");
  const std::vector<std::string_view> children = child_elements(name);
  if (!children.empty()) {
    writer.open("xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\"");
    for (const std::string_view child : children)
      writer.line("<xs:element ref=\"" + std::string(child) + "\"/>");
    writer.close("xs:choice");
  }
  attributes.write(writer);
  writer.close("xs:complexType");
  writer.close("xs:element");
}

void write_simple_type(std::string_view name, std::string_view pattern, std::string_view help,
                       SchemaWriter& writer) {
  writer.open("xs:simpleType name=\"" + std::string(name) + "\"");
  writer.document(std::string(help));
  writer.open("xs:restriction base=\"xs:token\"");
  writer.line("<xs:pattern value=\"" + escape(pattern) + "\"/>");
  writer.close("xs:restriction");
  writer.close("xs:simpleType");
}

}  // namespace

std::string make_schema() {
  SchemaWriter writer;
  writer.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
  writer.line(
      "<!-- Mechanism files of mechfmu. Made by `mechfmu schema` from the tables of the program. "
      "-->");
  writer.open(
      "xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" elementFormDefault=\"qualified\"");
  write_simple_type("name", "[A-Za-z_][A-Za-z0-9_]{0,63}", "letters, digits and _, no digit first",
                    writer);
  write_simple_type("frame_reference", "[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?",
                    "ground, BODY, ground.FRAME or BODY.FRAME", writer);
  write_simple_type("value", ".+",
                    "a number with or without unit (0.12 m), an expression (crank/2), or several "
                    "separated by blanks",
                    writer);
  write_simple_type("boolean", "true|false", "true or false", writer);
  for (const ElementType& type : element_types())
    if (type.name != "generalised_force")
      write_element(type.name, type.help, make_attribute_set(type), writer);
  for (const SolidType& type : solid_types()) {
    AttributeSet attributes;
    attributes.add(type.attributes);
    write_element(type.id, type.title, attributes, writer);
  }
  writer.close("xs:schema");
  return writer.text();
}

}  // namespace mechfmu
