// An FMU opened for use: unpacked into a private temporary folder that is gone when this object
// goes.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "harness/fmu_instance.hpp"
#include "harness/fmu_library.hpp"
#include "harness/model_description.hpp"
#include "package/temporary_folder.hpp"
#include "support/diagnostic.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

class Fmu {
 public:
  // Unpacks and reads modelDescription.xml. Errors inside that file carry spans into
  // description_text(), which is kept for showing them even if nothing else could be opened: `text`
  // receives it.
  static std::unique_ptr<Fmu> open(const std::string& path, Diagnostics& diagnostics,
                                   std::optional<SourceText>* text = nullptr);

  // Loads the library of this machine's platform, once. False and errors if that cannot be.
  bool load(Diagnostics& diagnostics);

  // After load(). nullptr: refused; an error holds what the FMU said.
  std::unique_ptr<FmuInstance> instantiate(const std::string& name, FmuMessageSink messages,
                                           const CallLog& log, bool logging_on,
                                           Diagnostics& diagnostics) const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& folder() const { return folder_->path(); }
  [[nodiscard]] const ModelDescription& description() const { return description_; }
  [[nodiscard]] const FmuLibrary& library() const { return *library_; }

 private:
  Fmu() = default;

  std::string path_;
  std::unique_ptr<TemporaryFolder> folder_;
  ModelDescription description_;
  std::unique_ptr<FmuLibrary> library_;  // declared last: closed before the folder goes
};

// Whether the file begins like a zip archive: an FMU, not a mechanism.
bool is_archive(const std::string& path);

}  // namespace mechfmu
