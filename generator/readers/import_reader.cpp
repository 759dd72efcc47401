// <import file="arm.urdf"/>: the elements of the file take its place, and all of them stand, for
// messages, where the import stands.
#include <fmt/format.h>

#include <cctype>

#include "readers/attribute_reader.hpp"
#include "readers/beside_file.hpp"
#include "readers/element_types.hpp"
#include "readers/urdf.hpp"
#include "readers/xml_reader.hpp"

namespace mechfmu {

namespace {

void move_to(XmlElement& element, Span place) {
  element.span = place;
  for (XmlAttribute& a : element.attributes) {
    a.name_span = a.value.span = place;
    a.value.offsets.assign(a.value.text.size(), place.begin);
  }
  for (XmlElement& child : element.children) move_to(child, place);
}

bool is_prefix(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x80U || (std::isalnum(c) == 0 && c != '_') || (i == 0 && std::isdigit(c) != 0))
      return false;
  }
  return true;
}

std::optional<XmlElement> read_import(const XmlElement& element, const std::string& folder,
                                      std::vector<ImportedFile>& files, Diagnostics& diagnostics) {
  const std::string label = "import";
  const Arguments a = read_arguments(element, {label, label + ": ", {}},
                                     {find_element_type("import").attributes}, diagnostics);
  const Argument& file = a["file"];
  const auto fail = [&](const std::string& message, const std::string& hint = {}) {
    diagnostics.error("E143", file.span,
                      fmt::format("import: {}: {}", shown_text(file.text), message), hint);
    return std::nullopt;
  };
  if (file.text.empty()) {
    if (file.given) diagnostics.error("E116", element.span, "import: file is empty");
    return std::nullopt;
  }
  if (!is_beside(file.text))
    return fail("this is not a file beside the mechanism file",
                "give its name, or a path into a folder below");
  if (!is_prefix(a["prefix"].text)) {
    diagnostics.error(
        "E121", a["prefix"].span,
        fmt::format("import: prefix: '{}' cannot begin names", shown_text(a["prefix"].text)),
        "letters, digits and _; no digit first");
    return std::nullopt;
  }
  Diagnostics trouble;
  const std::optional<SourceText> text =
      read_file((folder.empty() ? "." : folder) + "/" + file.text, trouble);
  if (!text) return fail(trouble.all().front().message);
  Diagnostics found;
  std::optional<XmlElement> result;
  if (const std::optional<XmlElement> root = parse_xml(*text, found))
    result = translate_urdf(
        *root,
        {a["prefix"].text, a["parent"].text, a["base"].text, a["limits"].text == "true", false},
        found);
  // with the line of the file itself
  for (const Diagnostic& d : found.all()) {
    const std::string place =
        d.span ? fmt::format("{}:{}: ", shown_text(file.text), text->find_place(d.span->begin).line)
               : shown_text(file.text) + ": ";
    if (d.severity == Severity::error)
      diagnostics.error(d.code, file.span, place + d.message, d.hint);
    else
      diagnostics.warning(d.code, file.span, place + d.message, d.hint);
  }
  if (!result) return std::nullopt;
  files.push_back({file.text, text->content()});
  move_to(*result, file.span);
  return result;
}

}  // namespace

bool expand_imports(XmlElement& root, const std::string& folder, std::vector<ImportedFile>& files,
                    Diagnostics& diagnostics) {
  bool good = true;
  std::vector<XmlElement> expanded;
  XmlElement* ground = nullptr;
  std::vector<XmlElement> grounds;  // of imported files
  for (XmlElement& child : root.children) {
    if (child.name != "import") {
      expanded.push_back(std::move(child));
      continue;
    }
    std::optional<XmlElement> imported = read_import(child, folder, files, diagnostics);
    good = good && imported.has_value();
    if (!imported) continue;
    for (XmlElement& part : imported->children)
      (part.name == "ground" ? grounds : expanded).push_back(std::move(part));
  }
  for (XmlElement& child : expanded)
    if (child.name == "ground") ground = &child;
  for (XmlElement& other : grounds) {
    if (ground == nullptr) {
      expanded.push_back(std::move(other));
      ground = &expanded.back();
    } else {
      for (XmlElement& child : other.children) ground->children.push_back(std::move(child));
    }
  }
  root.children = std::move(expanded);
  return good;
}

}  // namespace mechfmu
