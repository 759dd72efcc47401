#include "readers/xml_document.hpp"

#include <fmt/format.h>

#include <utility>

#include "readers/utf8.hpp"

namespace mechfmu {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80U;
}
bool is_name_character(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

class XmlParser {
 public:
  XmlParser(const SourceText& source, Diagnostics& diagnostics)
      : source_(source), text_(source.content()), diagnostics_(diagnostics) {}

  std::optional<XmlElement> parse() {
    if (text_.substr(0, 3) == kByteOrderMark) position_ = 3;
    parse_declaration();
    while (!failed_ && position_ < text_.size()) parse_item();
    if (failed_) return std::nullopt;
    if (!open_.empty()) {
      fail("E105", open_.back().span, fmt::format("<{}> is never closed", open_.back().name),
           fmt::format("add </{}>", open_.back().name));
      return std::nullopt;
    }
    if (!root_) fail("E105", {0, 0}, "the file holds no element", "it should hold <mechanism>");
    return std::move(root_);
  }

 private:
  bool looking_at(std::string_view what) const {
    return text_.substr(position_, what.size()) == what;
  }
  void skip_blanks() {
    while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
  }
  void fail(std::string_view code, Span span, std::string message, std::string hint = {}) {
    if (!failed_) diagnostics_.error(std::string(code), span, std::move(message), std::move(hint));
    failed_ = true;
  }
  Span character_span() const {
    std::size_t end = position_ < text_.size() ? position_ + 1 : position_;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    return {position_, end};
  }
  std::string line_of(const Span& span) const {
    return std::to_string(source_.find_place(span.begin).line);
  }

  // <?xml version="1.0" encoding="UTF-8"?>
  void parse_declaration() {
    if (!looking_at("<?xml") ||
        !is_blank(text_.substr(position_ + 5, 1).empty() ? 'x' : text_[position_ + 5]))
      return;
    const std::size_t end = text_.find("?>", position_);
    if (end == std::string_view::npos)
      return fail("E105", {position_, position_ + 5}, "the XML declaration is never closed",
                  "it ends with ?>");
    const std::string_view declaration = text_.substr(position_, end - position_);
    if (const std::size_t key = declaration.find("encoding"); key != std::string_view::npos) {
      const std::size_t open = declaration.find_first_of("\"'", key);
      const std::size_t close = open == std::string_view::npos
                                    ? std::string_view::npos
                                    : declaration.find(declaration[open], open + 1);
      if (close != std::string_view::npos) check_encoding(position_ + open + 1, position_ + close);
    }
    position_ = end + 2;
  }

  void check_encoding(std::size_t from, std::size_t to) {
    std::string encoding(text_.substr(from, to - from));
    for (char& c : encoding)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (encoding != "UTF-8" && encoding != "UTF8" && encoding != "US-ASCII" && encoding != "ASCII")
      fail("E104", {from, to},
           fmt::format("the encoding {} is not supported", text_.substr(from, to - from)),
           "save the file as UTF-8 and write encoding=\"UTF-8\"");
  }

  void parse_item() {
    if (text_[position_] != '<') return parse_text();
    if (looking_at("<!--")) return skip_past("-->", "the comment is never closed", 4);
    if (looking_at("<?")) return skip_past("?>", "the processing instruction is never closed", 2);
    if (looking_at("<![CDATA[")) {
      const std::size_t begin = position_;
      skip_past("]]>", "the CDATA section is never closed", 9);
      return note_text({begin, position_});
    }
    if (looking_at("<!"))
      return fail("E107", {position_, position_ + 2},
                  "document types and entity definitions are not accepted",
                  "remove the <!DOCTYPE ...>");
    if (looking_at("</")) return parse_end_tag();
    parse_start_tag();
  }

  void skip_past(std::string_view end, std::string_view message, std::size_t opening) {
    const std::size_t found = text_.find(end, position_ + opening);
    if (found == std::string_view::npos)
      return fail("E105", {position_, position_ + opening}, std::string(message),
                  fmt::format("it ends with {}", end));
    position_ = found + end.size();
  }

  void parse_text() {
    const std::size_t end = std::min(text_.find('<', position_), text_.size());
    std::size_t first = position_;
    while (first < end && is_blank(text_[first])) ++first;
    std::size_t last = end;
    while (last > first && is_blank(text_[last - 1])) --last;
    if (first < last) {
      position_ = first;
      if (open_.empty())
        return fail("E105", character_span(),
                    root_ ? "there is text after the end of the root element"
                          : "the file does not begin with an element",
                    root_ ? "" : "a mechanism file begins with <mechanism ...>");
      note_text({first, last});
    }
    position_ = end;
  }

  void note_text(Span span) {
    if (!open_.empty() && !open_.back().text) open_.back().text = span;
  }

  std::string_view parse_name() {
    const std::size_t begin = position_;
    if (position_ < text_.size() && is_name_start(text_[position_]))
      while (position_ < text_.size() && is_name_character(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  void parse_end_tag() {
    const std::size_t begin = position_;
    position_ += 2;
    const std::string_view name = parse_name();
    const Span span{begin, position_};
    skip_blanks();
    if (position_ >= text_.size() || text_[position_] != '>')
      return fail("E105", span, fmt::format("the tag </{} has no '>'", name));
    ++position_;
    if (open_.empty())
      return fail("E105", span, fmt::format("</{}> closes nothing", name),
                  "remove it, or add its start tag");
    if (name != open_.back().name)
      return fail(
          "E105", span, fmt::format("</{}> where </{}> is expected", name, open_.back().name),
          fmt::format("<{}> was opened in line {}", open_.back().name, line_of(open_.back().span)));
    close_element();
  }

  void close_element() {
    XmlElement element = std::move(open_.back());
    open_.pop_back();
    if (open_.empty())
      root_ = std::move(element);
    else
      open_.back().children.push_back(std::move(element));
  }

  void parse_start_tag() {
    const std::size_t begin = position_;
    ++position_;
    XmlElement element;
    element.name = std::string(parse_name());
    element.span = {begin, position_};
    if (element.name.empty())
      return fail("E105", {begin, begin + 1}, "'<' is not followed by the name of an element",
                  "inside a value write &lt;");
    if (open_.empty() && root_)
      return fail("E105", element.span,
                  fmt::format("<{}> after the end of <{}>", element.name, root_->name),
                  "a file holds one root element");
    if (open_.size() >= kMaxXmlDepth)
      return fail("E108", element.span,
                  fmt::format("elements are nested deeper than {} levels", kMaxXmlDepth));
    if (++count_ > kMaxXmlElements)
      return fail("E108", element.span,
                  fmt::format("the file has more than {} elements", kMaxXmlElements));
    open_.push_back(std::move(element));
    while (!failed_) {
      const std::size_t before = position_;
      skip_blanks();
      if (looking_at("/>")) {
        position_ += 2;
        return close_element();
      }
      if (looking_at(">")) {
        ++position_;
        return;
      }
      if (position_ >= text_.size() || text_[position_] == '<')
        return fail("E105", open_.back().span,
                    fmt::format("the tag <{} has no '>'", open_.back().name));
      if (before == position_)
        return fail("E105", character_span(), "a blank is needed between attributes");
      parse_attribute();
    }
  }

  void parse_attribute() {
    XmlElement& element = open_.back();
    XmlAttribute attribute;
    const std::size_t begin = position_;
    attribute.name = std::string(parse_name());
    attribute.name_span = {begin, position_};
    if (attribute.name.empty())
      return fail("E105", character_span(),
                  fmt::format("<{}>: expected an attribute, '>' or '/>'", element.name));
    skip_blanks();
    if (!looking_at("="))
      return fail("E105", attribute.name_span,
                  fmt::format("attribute '{}' has no value", attribute.name),
                  fmt::format("write {}=\"...\"", attribute.name));
    ++position_;
    skip_blanks();
    if (!looking_at("\"") && !looking_at("'"))
      return fail("E105", attribute.name_span,
                  fmt::format("the value of '{}' is not in quotes", attribute.name),
                  fmt::format("write {}=\"...\"", attribute.name));
    parse_value(attribute);
    if (failed_) return;
    if (const XmlAttribute* first = element.find(attribute.name)) {
      // go on with the first one: this is no reason to leave the rest of the file unread
      diagnostics_.error(
          "E106", attribute.name_span,
          fmt::format("<{}> has the attribute '{}' twice", element.name, attribute.name),
          fmt::format("the first one is in line {}", line_of(first->name_span)));
      return;
    }
    if (element.attributes.size() >= kMaxXmlAttributes)
      return fail("E108", attribute.name_span,
                  fmt::format("<{}> has more than {} attributes", element.name, kMaxXmlAttributes));
    element.attributes.push_back(std::move(attribute));
  }

  void parse_value(XmlAttribute& attribute) {
    const char quote = text_[position_];
    const std::size_t begin = position_ + 1;
    const std::size_t end = text_.find(quote, begin);
    if (end == std::string_view::npos)
      return fail("E105", attribute.name_span,
                  fmt::format("the value of '{}' has no closing quote", attribute.name));
    if (const std::size_t less = text_.substr(begin, end - begin).find('<');
        less != std::string_view::npos)
      return fail("E105", {begin + less, begin + less + 1},
                  fmt::format("'<' in the value of '{}'", attribute.name),
                  "write &lt; for a comparison, or add the missing quote");
    if (end - begin > kMaxAttributeLength)
      return fail("E118", attribute.name_span,
                  fmt::format("the value of '{}' has {} characters, the limit is {}",
                              attribute.name, end - begin, kMaxAttributeLength));
    attribute.value.span = {begin, end};
    attribute.value.text = std::string(text_.substr(begin, end - begin));
    position_ = end + 1;
    if (attribute.value.text.find('&') != std::string::npos) decode(attribute.value);
  }

  void decode(ValueText& value) {
    std::string decoded;
    std::size_t at = value.span.begin;
    while (at < value.span.end && !failed_) {
      std::string character(1, text_[at]);
      std::size_t length = 1;
      if (text_[at] == '&') {
        const std::size_t semicolon = text_.find(';', at);
        if (semicolon == std::string_view::npos || semicolon >= value.span.end ||
            semicolon - at > 32)
          return fail("E105", {at, at + 1}, "'&' begins no entity", "write &amp; for a single '&'");
        length = semicolon + 1 - at;
        character = find_entity(at, text_.substr(at + 1, length - 2));
      }
      for (std::size_t i = 0; i < character.size(); ++i) value.offsets.push_back(at);
      decoded += character;
      at += length;
    }
    value.text = std::move(decoded);
  }

  std::string find_entity(std::size_t at, std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
        {"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}};
    for (const auto& [entity, character] : kEntities)
      if (name == entity) return std::string(character);
    const Span span{at, at + name.size() + 2};
    if (name.empty() || name.front() != '#') {
      fail("E107", span, fmt::format("the entity &{}; is not known", name),
           "XML has &lt; &gt; &amp; &quot; &apos;");
      return {};
    }
    const std::optional<std::string> character = decode_character_reference(name.substr(1));
    if (!character) fail("E105", span, fmt::format("&{}; is not a character of XML", name));
    return character.value_or("");
  }

  const SourceText& source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t position_ = 0;
  std::size_t count_ = 0;
  bool failed_ = false;
  std::vector<XmlElement> open_;  // from the root to the element being read
  std::optional<XmlElement> root_;
};

bool check_characters(const SourceText& source, Diagnostics& diagnostics) {
  const std::string_view text = source.content();
  if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") {
    diagnostics.error("E104", std::nullopt, "the file is UTF-16", "save it as UTF-8");
    return false;
  }
  if (const std::optional<std::size_t> bad = find_invalid_utf8(text)) {
    diagnostics.error(
        "E104", Span{*bad, *bad + 1},
        fmt::format("byte 0x{:02X} is not UTF-8", static_cast<unsigned char>(text[*bad])),
        "save the file as UTF-8");
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20U || is_blank(text[i])) continue;
    diagnostics.error("E105", Span{i, i + 1},
                      fmt::format("the control character 0x{:02X} is not allowed in XML", c));
    return false;
  }
  return true;
}

}  // namespace

const XmlAttribute* XmlElement::find(std::string_view attribute) const {
  for (const XmlAttribute& a : attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

std::optional<XmlElement> parse_xml(const SourceText& source, Diagnostics& diagnostics) {
  if (!check_characters(source, diagnostics)) return std::nullopt;
  return XmlParser(source, diagnostics).parse();
}

}  // namespace mechfmu
