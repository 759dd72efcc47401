// XML text to a tree of elements in which every name and value knows its place in the file.
//
// A parser of our own because messages need the column inside an attribute's value, which no DOM
// keeps, and because what a mechanism never needs is refused instead of supported: document types,
// entities other than the five of XML, encodings other than UTF-8. Sizes are limited, so that a
// hostile file ends in a message and not in an exhausted machine. The first violation of XML's
// grammar ends the parse: what follows would be guesswork.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "readers/value_text.hpp"
#include "support/diagnostic.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

inline constexpr std::size_t kMaxXmlDepth = 64;
inline constexpr std::size_t kMaxXmlElements = 200000;
inline constexpr std::size_t kMaxXmlAttributes = 256;      // of one element
inline constexpr std::size_t kMaxAttributeLength = 65536;  // bytes

struct XmlAttribute {
  std::string name;
  Span name_span;
  ValueText value;
};

struct XmlElement {
  std::string name;
  Span span;  // "<name" of the start tag: what a message about the element as a whole underlines
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::optional<Span> text;  // first text between the tags that is not blank

  [[nodiscard]] const XmlAttribute* find(std::string_view attribute) const;  // nullptr if absent
};

// The root element; nothing (and an error) if the text is not well-formed.
std::optional<XmlElement> parse_xml(const SourceText& source, Diagnostics& diagnostics);

}  // namespace mechfmu
