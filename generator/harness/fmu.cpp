#include "harness/fmu.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "package/archive.hpp"
#include "package/file_io.hpp"
#include "support/assert.hpp"

namespace mechfmu {

namespace fs = std::filesystem;

namespace {
constexpr std::uint64_t kLargestDescription = std::uint64_t{256} << 20U;
constexpr std::string_view kDescriptionName = "modelDescription.xml";
}  // namespace

std::unique_ptr<Fmu> Fmu::open(const std::string& path, Diagnostics& diagnostics,
                               std::optional<SourceText>* text) {
  std::unique_ptr<Fmu> fmu(new Fmu);
  fmu->path_ = path;
  fmu->folder_ = TemporaryFolder::make(diagnostics);
  if (!fmu->folder_) return nullptr;
  if (!extract_archive(path, fmu->folder_->path(), diagnostics)) return nullptr;

  const fs::path file = fs::path(fmu->folder_->path()) / kDescriptionName;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    diagnostics.error("E611", std::nullopt,
                      fmt::format("{}: a zip file without {}: not an FMU", path, kDescriptionName));
    return nullptr;
  }
  std::string content;
  if (const std::string reason = read_file(file.string(), kLargestDescription, content);
      !reason.empty()) {
    diagnostics.error("S631", std::nullopt,
                      fmt::format("{}: cannot read {}: {}", path, kDescriptionName, reason));
    return nullptr;
  }
  SourceText source(fmt::format("{}/{}", path, kDescriptionName), std::move(content));
  std::optional<ModelDescription> description = read_model_description(source, diagnostics);
  if (text != nullptr) *text = std::move(source);
  if (!description) return nullptr;
  fmu->description_ = std::move(*description);
  return fmu;
}

bool Fmu::load(Diagnostics& diagnostics) {
  if (library_) return true;
  if (!description_.co_simulation) {
    diagnostics.error(
        "E615", std::nullopt,
        fmt::format("{}: only model exchange; mechfmu runs co-simulation FMUs", path_),
        "export it again as a co-simulation FMU");
    return false;
  }
  if (description_.co_simulation->needs_execution_tool)
    diagnostics.warning("W612", std::nullopt,
                        fmt::format("{}: says that it needs the tool that made it", path_));
  library_ =
      FmuLibrary::load(folder(), description_.co_simulation->model_identifier, path_, diagnostics);
  return library_ != nullptr;
}

std::unique_ptr<FmuInstance> Fmu::instantiate(const std::string& name, FmuMessageSink messages,
                                              const CallLog& log, bool logging_on,
                                              Diagnostics& diagnostics) const {
  MECHFMU_ASSERT(library_ != nullptr, "instantiate() comes after load()");
  FmuInstanceOptions options;
  options.name = name;
  options.guid = description_.guid;
  options.resource_uri = make_file_uri((fs::path(folder()) / "resources").string());
  options.logging_on = logging_on;
  options.log = log;
  options.description = &description_;
  // what the FMU says is passed on, and the last of it explains a refusal
  const auto last = std::make_shared<std::string>();
  options.messages = [last, messages = std::move(messages)](const FmuMessage& message) {
    *last = message.text;
    if (messages) messages(message);
  };
  std::unique_ptr<FmuInstance> instance = FmuInstance::make(*library_, std::move(options));
  if (!instance) {
    diagnostics.error("E619", std::nullopt,
                      fmt::format("{}: the FMU refused to be instantiated{}{}", path_,
                                  last->empty() ? "" : ": ", *last));
    return nullptr;
  }
  return instance;
}

bool is_archive(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> magic{};
  file.read(magic.data(), magic.size());
  return file && magic[0] == 'P' && magic[1] == 'K' &&
         ((magic[2] == 3 && magic[3] == 4) || (magic[2] == 5 && magic[3] == 6));
}

}  // namespace mechfmu
