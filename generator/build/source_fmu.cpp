#include "build/source_fmu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "build/compiler.hpp"
#include "emit/template_text.hpp"
#include "formulation/system_kernels.hpp"
#include "support/assert.hpp"
#include "support/embedded.hpp"

namespace mechfmu {

namespace {

constexpr std::string_view kHeaders = "include/", kSources = "source/", kFmi = "fmi/headers/";

std::string fill_embedded(const char* name, const TemplateValues& values) {
  const std::string_view text = find_embedded(embedded_templates(), name);
  MECHFMU_ASSERT(!text.empty(), std::string("the template ") + name + " is embedded");
  return fill_template(text, values);
}

bool has_header(const std::string& name) {
  return !find_embedded(embedded_runtime(), std::string(kHeaders) + name).empty();
}

// Files move from their folders to the top: what they include from beside them is named in full.
std::string move_includes(std::string_view content, const std::string& folder) {
  constexpr std::string_view kInclude = "#include \"";
  std::string result;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size() - 1) + 1;
    const std::string_view line = content.substr(0, end);
    content.remove_prefix(end);
    if (line.starts_with(kInclude)) {
      const std::string name(
          line.substr(kInclude.size(), line.find('"', kInclude.size()) - kInclude.size()));
      if (!has_header(name) && has_header(folder + name)) {
        result += fmt::format("#include \"{}{}\"\n", folder, name);
        continue;
      }
    }
    result += line;
  }
  return result;
}

class SourceFolder {
 public:
  explicit SourceFolder(const std::string& model) : model_(model) {}

  void add_compiled(const std::string& name, std::string_view content) {
    result_.compiled.push_back(model_ + "_" + name);
    result_.files.push_back(
        {result_.compiled.back(), fmt::format("#include \"{}_names.hpp\"\n{}", model_, content)});
  }

  void add_runtime() {
    for (const EmbeddedFile& file : embedded_runtime()) {
      if (file.name.starts_with(kHeaders)) {
        std::string_view name = file.name.substr(kHeaders.size());
        if (name.starts_with(kFmi)) name.remove_prefix(kFmi.size());
        result_.files.push_back({std::string(name), std::string(file.content)});
      }
      if (!file.name.starts_with(kSources)) continue;
      std::string name(file.name.substr(kSources.size()));
      const std::string folder = name.substr(0, name.rfind('/') + 1);
      std::replace(name.begin(), name.end(), '/', '_');
      add_compiled(name, move_includes(file.content, folder));
    }
  }

  // Every symbol gets the model's name in front.
  void add_names() {
    TemplateValues values;
    values.values["name"] = model_;
    std::vector<std::string> symbols = {"mechfmu", "mechfmu_model"};
    for (int i = 0; i < kKernelCount; ++i)
      symbols.push_back("mechfmu_" + std::string(kernel_name(i)));
    for (const std::string& symbol : symbols)
      values.lists["symbols"].push_back({{{"symbol", symbol}}, {}});
    result_.files.push_back(
        {model_ + "_names.hpp", fill_embedded("source_fmu/names.hpp.in", values)});
  }

  void add_build_description() {
    TemplateValues values;
    values.values = {{"name", model_}, {"options", escape_xml(fmu_compiler_flags())}};
    std::sort(result_.compiled.begin(), result_.compiled.end());
    for (const std::string& name : result_.compiled)
      values.lists["files"].push_back({{{"file", escape_xml(name)}}, {}});
    result_.files.push_back(
        {"buildDescription.xml", fill_embedded("source_fmu/buildDescription.xml.in", values)});
  }

  void add(SourceFile file) { result_.files.push_back(std::move(file)); }

  SourceFmu finish() {
    std::sort(result_.files.begin(), result_.files.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
    return std::move(result_);
  }

 private:
  std::string model_;
  SourceFmu result_;
};

}  // namespace

SourceFmu make_source_fmu(const SystemModel& system, const std::vector<SourceFile>& generated) {
  SourceFolder folder(system.name);
  for (const SourceFile& source : generated) {
    if (source.name.ends_with(".cpp"))
      folder.add_compiled(source.name, source.content);
    else
      folder.add(source);
  }
  folder.add_runtime();
  folder.add_names();
  folder.add_build_description();
  return folder.finish();
}

std::string add_source_files(std::string description, const std::vector<std::string>& names) {
  std::string list = "    <SourceFiles>\n";
  for (const std::string& name : names)
    list += fmt::format("      <File name=\"{}\"/>\n", escape_xml(name));
  list += "    </SourceFiles>\n";
  for (const std::string type : {"ModelExchange", "CoSimulation"}) {
    const std::size_t begin = description.find("<" + type);
    if (begin == std::string::npos) continue;
    const std::size_t end = description.find("/>", begin);
    MECHFMU_ASSERT(end != std::string::npos && end + 1 == description.find('>', begin),
                   "the element has attributes only");
    description.replace(end, 2, ">\n" + list + "  </" + type + ">");
  }
  return description;
}

}  // namespace mechfmu
