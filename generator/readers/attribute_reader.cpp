#include "readers/attribute_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "readers/expression_parser.hpp"
#include "readers/functions.hpp"
#include "readers/units.hpp"
#include "readers/value_parser.hpp"
#include "support/did_you_mean.hpp"

namespace mechfmu {

namespace {

// Namespace declarations and hints for XML editors on the root element are none of our business.
bool is_ignored(const XmlElement& element, std::string_view attribute) {
  return (element.name == "mechanism" || element.name == "equations" ||
          element.name == "controller") &&
         (attribute == "xmlns" || attribute.substr(0, 6) == "xmlns:" ||
          attribute.substr(0, 4) == "xsi:");
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

std::size_t expected_size(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::vector:
    case AttributeKind::signals:
    case AttributeKind::inertia:
    case AttributeKind::axis:
      return 3;
    case AttributeKind::scalar:
    case AttributeKind::signal:
    case AttributeKind::constant:
      return 1;
    default:
      return 0;
  }
}

// What a list of words is called in messages: "there is no joint type 'revolut'".
std::string_view choice_kind(std::string_view choices) {
  if (choices == "@joints") return "joint type";
  if (choices == "@forces") return "force type";
  if (choices == "@schemes") return "scheme";
  if (choices == "@integrators") return "integrator";
  if (choices == "@solvers") return "solver";
  return "choice";
}

std::string make_list(const std::vector<std::string_view>& words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

class ArgumentReader {
 public:
  ArgumentReader(const Attribute& attribute, const ValueText& value, const Owner& owner,
                 Diagnostics& diagnostics)
      : attribute_(attribute),
        value_(value),
        subject_(owner.lead + std::string(attribute.name)),
        diagnostics_(diagnostics) {}

  void read(Argument& argument) {
    switch (attribute_.kind) {
      case AttributeKind::scalar:
      case AttributeKind::signal:
        argument.values = {parse_scalar(value_, make_quantity(), diagnostics_, &unit_)};
        note_unit(argument);
        return;
      case AttributeKind::constant:
        argument.values = {read_constant()};
        note_unit(argument);
        return;
      case AttributeKind::vector:
      case AttributeKind::signals:
      case AttributeKind::axis:
      case AttributeKind::inertia:
        argument.values = parse_vector(value_, make_quantity(),
                                       attribute_.kind == AttributeKind::inertia, diagnostics_);
        return;
      case AttributeKind::numbers:
        argument.values = parse_numbers(value_, make_quantity(), diagnostics_);
        return;
      case AttributeKind::choice:
        argument.text = read_choice();
        return;
      case AttributeKind::boolean:
        argument.text = read_boolean();
        return;
      case AttributeKind::unit:
        argument.text = read_unit();
        return;
      case AttributeKind::frame:
        argument.text = trimmed(value_.text);
        argument.frame.name = {argument.text, value_.span};
        if (argument.text.empty()) report_empty();
        return;
      case AttributeKind::joint:
      case AttributeKind::coordinate:
        argument.text = trimmed(value_.text);
        if (argument.text.empty()) report_empty();
        return;
      case AttributeKind::identifier:
        argument.text = value_.text;
        if (argument.text.empty()) report_empty();
        return;
      case AttributeKind::text:
        argument.text = value_.text;
        return;
      case AttributeKind::words:
        argument.words = split_words();
        return;
    }
  }

 private:
  Quantity make_quantity() const {
    const bool any =
        (expected_size(attribute_.kind) == 1 || attribute_.kind == AttributeKind::numbers) &&
        attribute_.unit.empty();
    return {subject_, attribute_.unit, any};
  }

  void note_unit(Argument& argument) const {
    argument.unit = unit_.si_name;
    argument.unit_text = unit_.text;
  }

  Expression read_constant() {
    Expression e = parse_scalar(value_, make_quantity(), diagnostics_, &unit_);
    if (is_poisoned(e)) return e;
    if (const Expression* call = find_unknown_call(e)) {
      std::vector<std::string_view> known;
      for (const FunctionType& type : function_types()) known.push_back(type.name);
      diagnostics_.error("E410", Span{call->span.begin, call->span.begin + call->text.size()},
                         fmt::format("{}: there is no function '{}'", subject_, call->text),
                         did_you_mean(call->text, known, "functions"));
      return make_poison(e.span);
    }
    std::string_view name;
    const double result = evaluate(e, [&](std::string_view text) {
      name = text;
      return 0.0;
    });
    if (!name.empty())
      diagnostics_.error("E418", e.span,
                         fmt::format("{}: '{}' cannot be used here", subject_, name),
                         "a plain number is expected");
    else if (!std::isfinite(result))
      diagnostics_.error("E409", e.span, fmt::format("{}: this has no finite value", subject_));
    else
      return Expression::number(result, e.span);
    return make_poison(e.span);
  }

  std::string read_choice() {
    const std::string word = trimmed(value_.text);
    const std::vector<std::string_view> words = choice_words(attribute_.choices);
    if (std::find(words.begin(), words.end(), word) != words.end()) return word;
    if (word.empty()) {
      report_empty();
      return {};
    }
    const std::string_view kind = choice_kind(attribute_.choices);
    const std::string_view similar = find_similar(word, words);
    diagnostics_.error("E117", value_.span,
                       kind == "choice"
                           ? fmt::format("{}: '{}' is not one of the choices", subject_, word)
                           : fmt::format("{}: there is no {} '{}'", subject_, kind, word),
                       similar.empty() ? fmt::format("one of: {}", make_list(words))
                                       : fmt::format("did you mean '{}'?", similar));
    return std::string(similar);
  }

  std::string read_boolean() {
    const std::string word = trimmed(value_.text);
    if (word == "true" || word == "false") return word;
    diagnostics_.error("E117", value_.span,
                       fmt::format("{}: '{}' is neither true nor false", subject_, word));
    return "false";
  }

  std::string read_unit() {
    const std::string text = trimmed(value_.text);
    if (text.empty() || find_unit(text)) return text;
    diagnostics_.error("E405", value_.span, fmt::format("{}: '{}' is not a unit", subject_, text),
                       did_you_mean(text, unit_symbols(), "units"));
    return {};
  }

  std::vector<Name> split_words() const {
    const std::string_view blanks = " \t\r\n", text = value_.text;
    std::vector<Name> words;
    for (std::size_t from = text.find_first_not_of(blanks); from != std::string_view::npos;) {
      const std::size_t to = std::min(text.find_first_of(blanks, from), text.size());
      words.push_back({std::string(text.substr(from, to - from)), value_.part(from, to)});
      from = text.find_first_not_of(blanks, to);
    }
    return words;
  }

  void report_empty() {
    const Span quotes{value_.span.begin > 0 ? value_.span.begin - 1 : 0, value_.span.end + 1};
    diagnostics_.error("E116", quotes, fmt::format("{} is empty", subject_));
  }

  const Attribute& attribute_;
  const ValueText& value_;
  std::string subject_;
  Diagnostics& diagnostics_;
  WrittenUnit unit_;
};

// The attributes as they were meant: by name, misspelt ones (reported) by the name they come
// nearest to.
using GivenAttributes = std::map<std::string_view, const XmlAttribute*>;

GivenAttributes find_given(const XmlElement& element, const Owner& owner,
                           const AttributeTables& tables, Diagnostics& diagnostics) {
  std::vector<std::string_view> absent;  // only what is not there can have been meant
  GivenAttributes given;
  std::set<std::string_view> known;
  for (const auto& table : tables) {
    for (const Attribute& attribute : table) {
      known.insert(attribute.name);
      if (const XmlAttribute* a = element.find(attribute.name))
        given[attribute.name] = a;
      else
        absent.push_back(attribute.name);
    }
  }
  for (const XmlAttribute& attribute : element.attributes) {
    if (known.count(attribute.name) > 0 || is_ignored(element, attribute.name)) continue;
    diagnostics.error(
        "E115", attribute.name_span,
        fmt::format("{}: {} has no attribute '{}'", owner.label,
                    owner.thing.empty() ? "<" + element.name + ">" : owner.thing, attribute.name),
        did_you_mean(attribute.name, absent, "attributes"));
    if (const std::string_view meant = find_similar(attribute.name, absent); !meant.empty())
      given.emplace(meant, &attribute);
  }
  return given;
}

}  // namespace

Owner make_owner(const XmlElement& element) {
  const XmlAttribute* name = element.find("name");
  std::string label = element.name;
  if (name != nullptr && !name->value.text.empty()) {
    label += " '" + shown_text(name->value.text) + "'";  // it may be anything yet
  }
  return {label, label + ": ", {}};
}

std::string shown_text(std::string_view text, std::size_t limit) {
  const auto is_inside_character = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  std::size_t end = std::min(limit, text.size());
  while (end < text.size() && end > 0 && is_inside_character(end)) --end;
  std::string shown(text.substr(0, end));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = ' ';
  return end < text.size() ? shown + "..." : shown;
}

Arguments read_arguments(const XmlElement& element, const Owner& owner,
                         const AttributeTables& tables, Diagnostics& diagnostics) {
  const GivenAttributes all_given = find_given(element, owner, tables, diagnostics);
  Arguments arguments;
  for (const auto& table : tables) {
    for (const Attribute& attribute : table) {
      const auto it = all_given.find(attribute.name);
      const XmlAttribute* given = it == all_given.end() ? nullptr : it->second;
      if (given == nullptr && attribute.fallback == kOptional) continue;
      Argument argument;
      argument.attribute = &attribute;
      argument.given = given != nullptr;
      argument.span = given != nullptr ? given->value.span : element.span;
      if (given == nullptr && attribute.fallback == kRequired) {
        diagnostics.error("E116", element.span,
                          fmt::format("{}: <{}> needs the attribute '{}'", owner.label,
                                      element.name, attribute.name),
                          std::string(attribute.name) + ": " + std::string(attribute.help));
        argument.values.assign(expected_size(attribute.kind), make_poison(element.span));
      } else {
        ValueText fallback;
        fallback.text = std::string(attribute.fallback);
        fallback.span = element.span;
        ArgumentReader(attribute, given != nullptr ? given->value : fallback, owner, diagnostics)
            .read(argument);
      }
      arguments.list.push_back(std::move(argument));
    }
  }
  return arguments;
}

std::string_view find_choice(const XmlElement& element, const Attribute& attribute) {
  const XmlAttribute* given = element.find(attribute.name);
  if (given == nullptr) return {};
  const std::string word = trimmed(given->value.text);
  for (const std::string_view choice : choice_words(attribute.choices))
    if (choice == word) return choice;
  return find_similar(word, choice_words(attribute.choices));
}

Name name_of(const Arguments& arguments, std::string_view attribute) {
  const Argument& argument = arguments[attribute];
  return {argument.text, argument.span};
}

const std::string& text_of(const Arguments& arguments, std::string_view attribute) {
  return arguments[attribute].text;
}

VectorExpression vector_of(const Arguments& arguments, std::string_view attribute) {
  const std::vector<Expression>& values = arguments[attribute].values;
  return {values[0], values[1], values[2]};
}

}  // namespace mechfmu
