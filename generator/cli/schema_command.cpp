// mechfmu schema: the XML schema of mechanism files, for editors.
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "readers/xsd.hpp"

namespace mechfmu {

void add_schema_command(CLI::App& app, Session& session) {
  add_command(app, "schema", "the XML schema of mechanism files",
              "mechfmu schema > mechanism.xsd\n"
              "xmllint --noout --schema mechanism.xsd four_bar.xml",
              [&session] { session.result(make_schema()); });
}

}  // namespace mechfmu
