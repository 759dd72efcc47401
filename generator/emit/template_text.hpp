// Text with holes. Templates are files shaped like their result; all decisions are taken in C++, so
// there are only two things in them:
//
//   {{name}}                         the value called name, inserted as it is (escape it before)
//   {{#each list}} ... {{/each}}     the text between, once per element; names are looked up in the
//   element first,
//                                    then outside. An {{#each}} over none or one element is how a
//                                    part is optional.
//
// A line that holds nothing but {{#each}} or {{/each}} leaves no line behind. A name that is not
// there, or an unmatched {{#each}}, is a mistake of ours: std::logic_error.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mechfmu {

struct TemplateValues {
  std::map<std::string, std::string, std::less<>> values;
  std::map<std::string, std::vector<TemplateValues>, std::less<>> lists;
};

std::string fill_template(std::string_view text, const TemplateValues& values);

// For text and attribute values in XML and HTML. Characters that XML cannot hold, and bytes that
// are not UTF-8, become '?'.
std::string escape_xml(std::string_view text);

}  // namespace mechfmu
