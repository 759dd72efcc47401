#include "harness/validate/schema_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/validate/model_facts.hpp"
#include "readers/utf8.hpp"
#include "support/did_you_mean.hpp"
#include "support/number_text.hpp"

namespace mechfmu::fmu_check {
namespace {

// "2026-03-01T12:00:00Z", with a fraction of the seconds and a zone or without.
bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  const auto matches = [](std::string_view given, std::string_view form) {
    if (given.size() != form.size()) return false;
    for (std::size_t i = 0; i < form.size(); ++i) {
      const bool is_digit = given[i] >= '0' && given[i] <= '9';
      if (form[i] == 'd' ? !is_digit : given[i] != form[i]) return false;
    }
    return true;
  };
  const auto value = [&](std::size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; };
  if (!matches(text.substr(0, kForm.size()), kForm)) return false;
  if (value(5) < 1 || value(5) > 12 || value(8) < 1 || value(8) > 31 || value(11) > 24 ||
      value(14) > 59 || value(17) > 59)
    return false;
  text.remove_prefix(kForm.size());
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (end == 1) return false;
    text.remove_prefix(end);
  }
  return text.empty() || text == "Z" || matches(text, "+dd:dd") || matches(text, "-dd:dd");
}

bool is_word_of(std::string_view word, std::string_view words) {
  const std::vector<std::string_view> list = split_list(words);
  return std::find(list.begin(), list.end(), word) != list.end();
}

struct TypeFault {
  Rule rule;
  std::string expected;
};

std::optional<TypeFault> find_type_fault(const AttributeSchema& schema, std::string_view raw) {
  const std::string_view value = trim_blanks(raw);
  const auto wrong_type = [](bool is_right, const char* expected) {
    return is_right ? std::nullopt
                    : std::optional(TypeFault{Rule::schema_attribute_type, expected});
  };
  switch (schema.type) {
    case ValueType::text:
      return std::nullopt;
    case ValueType::boolean:
      return wrong_type(parse_boolean(value).has_value(), "true or false");
    case ValueType::real:
      if (value == "NaN" || value == "INF" || value == "-INF" || value == "+INF")
        return TypeFault{Rule::schema_not_finite, "a finite number"};
      return wrong_type(parse_number(value).has_value(), "a number");
    case ValueType::whole:
      return wrong_type(parse_int(value).has_value(), "a whole number of 32 bits");
    case ValueType::count:
      return wrong_type(parse_unsigned_int(value).has_value(), "a count of 32 bits");
    case ValueType::date:
      return wrong_type(is_date(value), "a date of the form YYYY-MM-DDThh:mm:ssZ");
    case ValueType::count_list:
      for (const std::string_view word : split_list(value))
        if (!parse_unsigned_int(word)) return wrong_type(false, "a list of counts");
      return std::nullopt;
    case ValueType::word:
      if (is_word_of(value, schema.words)) return std::nullopt;
      return TypeFault{Rule::schema_attribute_word, fmt::format("one of: {}", schema.words)};
    case ValueType::word_list:
      for (const std::string_view word : split_list(value))
        if (!is_word_of(word, schema.words))
          return TypeFault{Rule::schema_attribute_word,
                           fmt::format("a list of words out of: {}", schema.words)};
      return std::nullopt;
  }
  return std::nullopt;
}

class SchemaChecker {
 public:
  SchemaChecker(const SourceText& source, Findings& findings)
      : source_(source), findings_(findings) {}

  void check(const pugi::xml_node& node, const ElementSchema& schema, std::string variable) {
    if (std::string_view(node.name()) == "ScalarVariable")
      variable = node.attribute("name").value();
    variable_ = variable;
    check_attributes(node, schema);
    if (schema.has_any_content) return;
    check_children(node, schema, variable);
  }

 private:
  void find(Rule rule, const pugi::xml_node& node, std::string message) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
    findings_.add(rule, {kDescriptionFile, source_.find_place(offset).line, variable_},
                  std::move(message));
  }

  void check_attributes(const pugi::xml_node& node, const ElementSchema& schema) {
    std::set<std::string_view> seen;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (!seen.insert(name).second) {
        find(Rule::xml_duplicate_attribute, node,
             fmt::format("<{}> has the attribute '{}' twice", node.name(), printable(name)));
        continue;
      }
      // where the schema is to be found may be said in every XML document
      if (name == "xmlns:xsi" || name.starts_with("xsi:")) continue;
      const auto it = std::find_if(schema.attributes.begin(), schema.attributes.end(),
                                   [&](const AttributeSchema& a) { return a.name == name; });
      if (it == schema.attributes.end()) {
        std::vector<std::string_view> known;
        for (const AttributeSchema& a : schema.attributes) known.push_back(a.name);
        const std::string_view similar = find_similar(name, known);
        find(Rule::schema_unknown_attribute, node,
             fmt::format("<{}> has no attribute '{}'{}", node.name(), printable(name),
                         similar.empty() ? "" : fmt::format("; is '{}' meant?", similar)));
      } else if (const auto fault = find_type_fault(*it, attribute.value())) {
        find(fault->rule, node,
             fmt::format("<{}>: {}=\"{}\" is not {}", node.name(), name,
                         printable(attribute.value()), fault->expected));
      }
    }
    for (const AttributeSchema& a : schema.attributes)
      if (a.is_required && !seen.contains(a.name))
        find(Rule::schema_attribute_missing, node,
             fmt::format("<{}> has no attribute '{}'", node.name(), a.name));
  }

  struct Match {
    std::size_t place = 0;
    const ElementSchema* schema = nullptr;
  };
  static Match find_child(const ElementSchema& schema, std::string_view name) {
    for (std::size_t i = 0; i < schema.places.size(); ++i)
      for (const auto& [known, element] : schema.places[i].elements)
        if (known == name) return {i, element};
    return {};
  }

  void check_children(const pugi::xml_node& node, const ElementSchema& schema,
                      const std::string& variable) {
    std::vector<std::size_t> counts(schema.places.size(), 0);
    std::set<std::string_view> names;
    std::size_t furthest = 0;
    std::size_t children = 0;
    for (const pugi::xml_node& child : node.children()) {
      variable_ = variable;
      if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
        find(Rule::xml_text, node, fmt::format("<{}> holds text", node.name()));
      if (child.type() != pugi::node_element) continue;
      ++children;
      const Match match = find_child(schema, child.name());
      if (match.schema == nullptr) {
        find(Rule::schema_unknown_element, child,
             fmt::format("<{}> cannot stand in <{}>", printable(child.name()), node.name()));
        continue;
      }
      const PlaceSchema& place = schema.places[match.place];
      const bool is_repeated = !names.insert(child.name()).second && place.is_each_once;
      if (is_repeated || ++counts[match.place] > place.most)
        find(Rule::schema_element_repeated, child,
             fmt::format("there is one <{}> too many in <{}>", child.name(), node.name()));
      if (match.place < furthest)
        find(Rule::schema_element_order, child,
             fmt::format("<{}> stands behind elements that must follow it", child.name()));
      furthest = std::max(furthest, match.place);
      check(child, *match.schema, variable);
    }
    variable_ = variable;
    for (std::size_t i = 0; i < schema.places.size(); ++i) {
      const PlaceSchema& place = schema.places[i];
      if (counts[i] >= place.least) continue;
      std::string wanted;
      for (const auto& [name, element] : place.elements)
        wanted += fmt::format("{}<{}>", wanted.empty() ? "" : " or ", name);
      if (!place.is_each_once && children == 0)
        find(Rule::schema_empty_list, node, fmt::format("<{}> is empty", node.name()));
      else
        find(Rule::schema_element_missing, node,
             fmt::format("<{}> has no {}", node.name(), wanted));
    }
  }

  const SourceText& source_;
  Findings& findings_;
  std::string variable_;
};

// The value of a pseudo-attribute of the XML declaration; "" if it is not there.
std::string_view find_pseudo(std::string_view declaration, std::string_view name) {
  const std::size_t at = declaration.find(name);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = declaration.find_first_of("\"'", at);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = declaration.find(declaration[begin], begin + 1);
  if (end == std::string_view::npos) return {};
  return declaration.substr(begin + 1, end - begin - 1);
}

}  // namespace

bool parse_description(const SourceText& source, pugi::xml_document& document, Findings& findings) {
  std::string_view text = source.content();
  const auto find = [&](Rule rule, std::size_t offset, std::string message) {
    findings.add(rule, {kDescriptionFile, source.find_place(offset).line, ""}, std::move(message));
  };
  if (const std::optional<std::size_t> offset = find_invalid_utf8(text)) {
    find(Rule::xml_not_utf8, *offset,
         fmt::format("byte {} of the file is not part of a UTF-8 character", *offset + 1));
    return false;
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string_view declaration =
      text.starts_with("<?xml ") ? text.substr(0, text.find("?>")) : std::string_view();
  const std::string_view encoding = find_pseudo(declaration, "encoding");
  const bool is_utf8 = encoding == "UTF-8" || encoding == "utf-8";
  if (declaration.empty() || !is_utf8 || find_pseudo(declaration, "version") != "1.0")
    find(
        Rule::xml_declaration, 0,
        declaration.empty()
            ? std::string("the file does not begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?>")
            : fmt::format("the declaration is '{}?>'", printable(declaration)));
  const pugi::xml_parse_result parsed = document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!parsed) {
    find(Rule::xml_malformed, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset)),
         fmt::format("the XML cannot be read: {}", parsed.description()));
    return false;
  }
  int roots = 0;
  for (const pugi::xml_node& child : document.children()) {
    if (child.type() == pugi::node_doctype) find(Rule::xml_doctype, 0, "there is a <!DOCTYPE>");
    if (child.type() == pugi::node_element && ++roots == 2)
      find(Rule::xml_malformed,
           static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, child.offset_debug())),
           "there is a second root element");
  }
  const pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) == "fmiModelDescription") return true;
  find(Rule::xml_root, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, root.offset_debug())),
       fmt::format("the root element is <{}>", printable(root.name())));
  return false;
}

void check_schema(const SourceText& source, const pugi::xml_node& root, Findings& findings) {
  SchemaChecker(source, findings).check(root, root_schema(), "");
}

}  // namespace mechfmu::fmu_check
