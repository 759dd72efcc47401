#include "readers/canonical.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "readers/attribute_reader.hpp"
#include "readers/element_types.hpp"
#include "readers/expression_text.hpp"
#include "readers/units.hpp"
#include "readers/value_parser.hpp"
#include "support/number_text.hpp"

namespace mechfmu {

namespace {

std::string escape(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
      case '\r':
      case '\t':
        result += fmt::format("&#{};", static_cast<int>(c));
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

bool ends_with_unit(const std::string& text) {
  const std::string value = trimmed(text);
  const std::size_t blank = value.find_last_of(" \t\r\n");
  if (blank == std::string::npos) return false;
  const std::string last = value.substr(blank + 1);
  return !parse_number(last) && find_unit(last).has_value() &&
         last.find_first_of("(+") == std::string::npos;
}

class CanonicalWriter {
 public:
  explicit CanonicalWriter(const Mechanism& mechanism) : mechanism_(mechanism) {}

  std::string write(const XmlElement& root) {
    text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    write_element(root, nullptr, 0);
    return std::move(text_);
  }

 private:
  // Tables of the attributes of an element, in the order in which they are written.
  static std::vector<Attribute> list_attributes(const XmlElement& element,
                                                const XmlElement* parent) {
    const auto word = [](const XmlElement& e) {
      const XmlAttribute* type = e.find("type");
      return type == nullptr ? std::string() : trimmed(type->value.text);
    };
    if (const SolidType* solid = find_solid_type(element.name)) return solid->attributes;
    const bool of_equations = parent != nullptr && parent->name == "equations";
    std::vector<Attribute> list =
        find_element_type(element.name == "force" && of_equations ? "generalised_force"
                                                                  : element.name)
            .attributes;
    const auto add = [&](const std::vector<Attribute>& more) {
      list.insert(list.end(), more.begin(), more.end());
    };
    if (element.name == "joint")
      if (const JointType* type = find_joint_type(word(element))) add(type->attributes);
    if (element.name == "force" && !of_equations)
      if (const ForceType* type = find_force_type(word(element))) add(type->attributes);
    if (element.name == "start" && parent != nullptr)
      if (const JointType* type = find_joint_type(word(*parent)))
        add(start_attributes(*type).attributes);
    return list;
  }

  static std::string components_text(const std::vector<Expression>& values) {
    std::string text;
    for (const Expression& e : values) text += (text.empty() ? "" : " ") + expression_text(e);
    return text;
  }

  static std::string value_text(const Attribute& attribute, const ValueText& value) {
    Diagnostics ignored;  // the file has been read without errors
    const bool any = attribute.unit.empty();
    const Quantity quantity{"", attribute.unit, any};
    switch (attribute.kind) {
      case AttributeKind::scalar:
      case AttributeKind::signal:
      case AttributeKind::constant: {
        WrittenUnit unit;
        const Expression e = parse_scalar(value, quantity, ignored, &unit);
        if (ignored.has_errors()) return trimmed(value.text);
        return expression_text(e) + (unit.si_name.empty() ? "" : " " + unit.si_name);
      }
      case AttributeKind::vector:
      case AttributeKind::signals:
      case AttributeKind::axis:
      case AttributeKind::inertia: {
        const std::vector<Expression> values = parse_vector(
            value, {"", attribute.unit, false}, attribute.kind == AttributeKind::inertia, ignored);
        if (ignored.has_errors()) return trimmed(value.text);
        return components_text(values) +
               (ends_with_unit(value.text) ? " " + std::string(attribute.unit) : "");
      }
      case AttributeKind::numbers: {
        const std::vector<Expression> values = parse_numbers(value, quantity, ignored);
        return ignored.has_errors() ? trimmed(value.text) : components_text(values);
      }
      case AttributeKind::text:
        return value.text;
      default:
        return trimmed(value.text);
    }
  }

  void write_attribute(const std::string& name, const std::string& value) {
    text_ += fmt::format(" {}=\"{}\"", name, escape(value));
  }

  void write_attributes(const XmlElement& element, const XmlElement* parent) {
    const std::vector<Attribute> table = list_attributes(element, parent);
    std::vector<std::string_view> written;
    for (const Attribute& attribute : table) {
      const XmlAttribute* given = element.find(attribute.name);
      if (given == nullptr) continue;
      written.push_back(attribute.name);
      if (element.name == "table" && attribute.name != "name" &&
          attribute.name != "interpolation" && attribute.name != "extrapolation")
        continue;
      write_attribute(given->name, value_text(attribute, given->value));
    }
    if (element.name == "table") write_points(element);
    // parameters of the scheme
    if (element.name == "solve")
      for (const XmlAttribute& a : element.attributes)
        if (std::find(written.begin(), written.end(), a.name) == written.end())
          write_attribute(a.name, trimmed(a.value.text));
  }

  void write_points(const XmlElement& element) {
    const XmlAttribute* name = element.find("name");
    for (const Table& table : mechanism_.tables) {
      if (name == nullptr || table.name.text != name->value.text) continue;
      const auto list = [](const std::vector<double>& values) {
        std::string text;
        for (const double v : values) text += (text.empty() ? "" : " ") + number_text(v);
        return text;
      };
      write_attribute("x", list(table.x));
      write_attribute("y", list(table.y));
    }
  }

  // Elements of one kind stay in their order; kinds are in the order of the tables, and what makes
  // the mass of a body comes first.
  static std::vector<const XmlElement*> sort_children(const XmlElement& element) {
    std::vector<const XmlElement*> children;
    for (const XmlElement& child : element.children) children.push_back(&child);
    const std::vector<std::string_view> order = child_elements(element.name);
    const auto rank = [&](const XmlElement* e) {
      return find_solid_type(e->name) != nullptr
                 ? -1
                 : std::find(order.begin(), order.end(), e->name) - order.begin();
    };
    std::stable_sort(children.begin(), children.end(),
                     [&](const XmlElement* a, const XmlElement* b) { return rank(a) < rank(b); });
    return children;
  }

  void write_element(const XmlElement& element, const XmlElement* parent, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    text_ += indent + "<" + element.name;
    write_attributes(element, parent);
    if (element.children.empty()) {
      text_ += "/>\n";
      return;
    }
    text_ += ">\n";
    for (const XmlElement* child : sort_children(element))
      write_element(*child, &element, depth + 1);
    text_ += indent + "</" + element.name + ">\n";
  }

  const Mechanism& mechanism_;
  std::string text_;
};

}  // namespace

std::string write_canonical(const XmlElement& root, const Mechanism& mechanism) {
  return CanonicalWriter(mechanism).write(root);
}

}  // namespace mechfmu
