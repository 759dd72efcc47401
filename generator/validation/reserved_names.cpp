#include "validation/reserved_names.hpp"

#include <string>
#include <unordered_set>

#include "readers/functions.hpp"

namespace mechfmu {

namespace {

using Words = std::unordered_set<std::string_view>;

const Words& own_words() {
  static const Words words = {"ground",     "pi",     "time",   "der",   "if",     "energy",
                              "constraint", "solver", "scheme", "start", "filter", "state"};
  return words;
}

// Modelica 3.6, section 2.3.3, and the predefined types.
const Words& modelica_words() {
  static const Words words = {"algorithm",   "and",
                              "annotation",  "block",
                              "break",       "class",
                              "connect",     "connector",
                              "constant",    "constrainedby",
                              "discrete",    "each",
                              "else",        "elseif",
                              "elsewhen",    "encapsulated",
                              "end",         "enumeration",
                              "equation",    "expandable",
                              "extends",     "external",
                              "false",       "final",
                              "flow",        "for",
                              "function",    "import",
                              "impure",      "in",
                              "initial",     "inner",
                              "input",       "loop",
                              "model",       "not",
                              "operator",    "or",
                              "outer",       "output",
                              "package",     "parameter",
                              "partial",     "protected",
                              "public",      "pure",
                              "record",      "redeclare",
                              "replaceable", "return",
                              "stream",      "then",
                              "true",        "type",
                              "when",        "while",
                              "within",      "Real",
                              "Integer",     "Boolean",
                              "String",      "Clock",
                              "real",        "integer",
                              "boolean",     "string",
                              "StateSelect", "AssertionLevel"};
  return words;
}

// C23 and C++23.
const Words& c_words() {
  static const Words words = {"alignas",     "alignof",
                              "and",         "and_eq",
                              "asm",         "auto",
                              "bitand",      "bitor",
                              "bool",        "break",
                              "case",        "catch",
                              "char",        "char8_t",
                              "char16_t",    "char32_t",
                              "class",       "compl",
                              "concept",     "const",
                              "consteval",   "constexpr",
                              "constinit",   "const_cast",
                              "continue",    "co_await",
                              "co_return",   "co_yield",
                              "decltype",    "default",
                              "delete",      "do",
                              "double",      "dynamic_cast",
                              "else",        "enum",
                              "explicit",    "export",
                              "extern",      "false",
                              "float",       "for",
                              "friend",      "goto",
                              "if",          "inline",
                              "int",         "long",
                              "main",        "mutable",
                              "namespace",   "new",
                              "noexcept",    "not",
                              "not_eq",      "nullptr",
                              "operator",    "or",
                              "or_eq",       "private",
                              "protected",   "public",
                              "register",    "reinterpret_cast",
                              "requires",    "restrict",
                              "return",      "short",
                              "signed",      "sizeof",
                              "static",      "static_assert",
                              "static_cast", "struct",
                              "switch",      "template",
                              "this",        "thread_local",
                              "throw",       "true",
                              "try",         "typedef",
                              "typeid",      "typename",
                              "typeof",      "typeof_unqual",
                              "union",       "unsigned",
                              "using",       "virtual",
                              "void",        "volatile",
                              "wchar_t",     "while",
                              "xor",         "xor_eq"};
  return words;
}

// CON.dll and the like cannot be opened on Windows, in whatever case.
bool is_windows_device(std::string_view name) {
  std::string upper(name);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  if (upper == "CON" || upper == "PRN" || upper == "AUX" || upper == "NUL") return true;
  return upper.size() == 4 && (upper.substr(0, 3) == "COM" || upper.substr(0, 3) == "LPT") &&
         upper[3] >= '1' && upper[3] <= '9';
}

}  // namespace

std::string_view find_reserved_use(std::string_view name) {
  if (own_words().count(name) > 0) return "a word of the mechanism language";
  if (find_function_type(name) != nullptr) return "a function";
  if (modelica_words().count(name) > 0) return "a keyword of Modelica";
  return {};
}

std::string_view find_library_name_problem(std::string_view name) {
  if (c_words().count(name) > 0) return "a keyword of C or C++";
  if (modelica_words().count(name) > 0) return "a keyword of Modelica";
  if (is_windows_device(name)) return "a device of Windows";
  return {};
}

}  // namespace mechfmu
