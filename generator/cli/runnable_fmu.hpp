// An FMU to run: as it is, or built from a mechanism file into a private folder that is gone with
// it.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "cli/system_options.hpp"
#include "harness/fmu.hpp"

namespace mechfmu {

struct RunnableFmu {
  std::unique_ptr<TemporaryFolder> folder;
  std::unique_ptr<Fmu> fmu;
};

// What a built FMU exposes where --expose was not given: a report shows reactions and motions that
// nobody asked for by name, unless there are very many.
enum class ExposeByDefault { outputs, for_report };

// Loaded and ready to run. Nothing and an exit code if that could not be; all has been said then.
std::optional<RunnableFmu> open_runnable(const std::string& file, const SystemArguments& arguments,
                                         ExposeByDefault expose, Session& session);

}  // namespace mechfmu
