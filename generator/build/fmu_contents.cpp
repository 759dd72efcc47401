#include "build/fmu_contents.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "build/compiler.hpp"
#include "emit/documentation.hpp"
#include "emit/template_text.hpp"
#include "emit/terminals.hpp"
#include "package/archive_name.hpp"
#include "scene/icon.hpp"
#include "scene/png.hpp"
#include "scene/scene_json.hpp"
#include "support/embedded.hpp"

namespace mechfmu {

namespace {

std::string make_license(const SystemModel& system) {
  TemplateValues values;
  values.values["name"] = system.name;
  return fill_template(find_embedded(embedded_templates(), "license.txt.in"), values);
}

// "./a//b.csv" is "a/b.csv"
std::string clean_path(const std::string& path) {
  std::string clean;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (!part.empty() && part != ".") clean += (clean.empty() ? "" : "/") + part;
    begin = end + 1;
  }
  return clean;
}

// The mechanism file with the files it refers to where it looks for them. A name that is taken, or
// that no archive should hold, is left out: the tables are compiled in anyway.
void add_mechanism(const SystemModel& system, const std::string& text,
                   std::vector<ArchiveFile>& files) {
  files.push_back({"resources/mechanism.xml", text});
  for (const CarriedFile& carried : system.carried_files) {
    const std::string name = "resources/" + clean_path(carried.name);
    const bool is_taken = std::any_of(files.begin(), files.end(), [&](const ArchiveFile& file) {
      return file.name == name || name.starts_with(file.name + "/");
    });
    if (!is_taken && find_name_fault(name).empty()) files.push_back({name, carried.content});
  }
}

}  // namespace

std::string make_compile_command(const std::string& model_name) {
  return fmt::format(
      "g++ -std=c++20 {} -DFMI2_OVERRIDE_FUNCTION_PREFIX -Isources -shared sources/*.cpp -lm -o "
      "{}.so",
      fmu_compiler_flags(), model_name);
}

std::vector<ArchiveFile> list_files(const SystemModel& system, FmuContents contents) {
  const std::string icon = make_png(draw_icon(system.name, system.scene));
  DocumentationContext context;
  context.has_mechanism = contents.mechanism != nullptr;
  context.has_model_exchange = contents.description.find("<ModelExchange") != std::string::npos;
  if (contents.sources) context.compile_command = make_compile_command(system.name);

  std::vector<ArchiveFile> files;
  files.push_back({"modelDescription.xml", std::move(contents.description)});
  files.push_back({"model.png", icon});
  files.push_back({std::move(contents.library_name), std::move(contents.library), true});
  files.push_back({"documentation/index.html", emit_documentation(system, contents.guid, context)});
  files.push_back({"documentation/licenses/license.txt", make_license(system)});
  if (!system.scene.bodies.empty())
    files.push_back({"resources/scene.json", make_scene_json(system.name, system.scene)});
  if (contents.mechanism != nullptr) add_mechanism(system, *contents.mechanism, files);
  if (!system.terminals.empty()) {
    files.push_back({"terminalsAndIcons/terminalsAndIcons.xml", emit_terminals(system.terminals)});
    files.push_back({"terminalsAndIcons/icon.png", icon});
  }
  if (contents.sources)
    for (SourceFile& file : contents.sources->files)
      files.push_back({"sources/" + file.name, std::move(file.content)});
  return files;
}

}  // namespace mechfmu
