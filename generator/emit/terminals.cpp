#include "emit/terminals.hpp"

#include "emit/template_text.hpp"
#include "support/embedded.hpp"

namespace mechfmu {

std::string emit_terminals(const std::vector<Terminal>& terminals) {
  TemplateValues values;
  for (const Terminal& terminal : terminals) {
    TemplateValues row;
    row.values = {
        {"name", escape_xml(terminal.name)},
        {"kind", terminal.turns ? "rotational" : "translational"},
        {"description", terminal.description.empty()
                            ? ""
                            : " description=\"" + escape_xml(terminal.description) + "\""}};
    for (const TerminalMember& member : terminal.members)
      row.lists["members"].push_back({{{"variable", escape_xml(member.variable)},
                                       {"member", escape_xml(member.name)},
                                       {"variable_kind", member.kind}},
                                      {}});
    values.lists["terminals"].push_back(std::move(row));
  }
  return fill_template(find_embedded(embedded_templates(), "terminalsAndIcons.xml.in"), values);
}

}  // namespace mechfmu
