// A private folder for one build: nobody else can look in or put something in (mode 0700,
// unguessable name), and it is gone afterwards, whether the build succeeds, fails or is
// interrupted.
#pragma once
#include <memory>
#include <string>

#include "package/interrupt.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

class TemporaryFolder {
 public:
  // In $TMPDIR, else /tmp. Null if it cannot be made; the diagnostics say why (S611).
  static std::unique_ptr<TemporaryFolder> make(Diagnostics& diagnostics);

  [[nodiscard]] const std::string& path() const { return removed_.path(); }  // absolute

 private:
  explicit TemporaryFolder(std::string path) : removed_(std::move(path)) {}

  RemovedPath removed_;
};

}  // namespace mechfmu
