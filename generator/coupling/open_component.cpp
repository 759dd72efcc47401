#include "coupling/open_component.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "support/did_you_mean.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

const Fmu* open_component(const SystemElement& element, const std::string& name,
                          const SourceFolder& folder, std::vector<std::unique_ptr<Fmu>>& fmus,
                          Diagnostics& diagnostics) {
  const std::string path = folder.resolve(element.source, element.source_span, diagnostics);
  if (path.empty()) return nullptr;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    std::vector<std::string> there;
    for (const auto& entry : fs::directory_iterator(fs::path(path).parent_path(), ignored))
      if (entry.path().extension() == ".fmu") there.push_back(entry.path().filename().string());
    const std::string_view similar =
        find_similar(fs::path(path).filename().string(), {there.begin(), there.end()});
    diagnostics.error("E809", element.source_span,
                      fmt::format("component '{}': there is no file '{}'", name, element.source),
                      similar.empty() ? "sources are relative to the .ssd file"
                                      : fmt::format("did you mean '{}'?", similar));
    return nullptr;
  }
  for (const auto& fmu : fmus)
    if (fmu->path() == path) {
      if (!fmu->description().co_simulation->only_one_instance) return fmu.get();
      diagnostics.error(
          "E813", element.source_span,
          fmt::format("component '{}': '{}' can be instantiated only once", name, element.source),
          "use the FMU in one component only");
      return nullptr;
    }
  Diagnostics found;
  std::unique_ptr<Fmu> fmu = Fmu::open(path, found);
  const bool is_loaded = fmu && fmu->load(found);
  for (const Diagnostic& d : found.all()) {
    const std::string message = fmt::format("component '{}': {}", name, d.message);
    if (d.severity == Severity::error)
      diagnostics.error(d.code, element.source_span, message, d.hint);
    else
      diagnostics.warning(d.code, element.source_span, message, d.hint);
  }
  if (!is_loaded) return nullptr;
  return fmus.emplace_back(std::move(fmu)).get();
}

}  // namespace mechfmu
