// From a mechanism file and the options that change it to a formulated system: what `check`,
// `info`, `build` and `simulate` have in common. Names in options are checked here, before anything
// is read, so that a typing mistake is wrong usage (exit 2) and not an error of the model.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "formulation/system_model.hpp"
#include "mechanism/mechanism.hpp"
#include "support/source_text.hpp"

namespace mechfmu {

struct SystemArguments {
  std::optional<std::string> scheme, schemes, integrator, integrators, solver, coordinates, step,
      tolerance, expose;
  std::vector<std::string> set;

  // An option that was given, for "--scheme needs a mechanism file"; "" if none was.
  [[nodiscard]] std::string find_given() const;
};

void add_system_options(CLI::App& command, SystemArguments& arguments);

// Nothing and a usage error if an option names what does not exist.
std::optional<SystemOptions> make_system_options(const SystemArguments& arguments,
                                                 Session& session);

// "name=value" at the first '='; nothing and a usage error otherwise.
std::optional<std::pair<std::string, std::string>> split_assignment(const std::string& option,
                                                                    const std::string& text,
                                                                    Session& session);
// "0.5", "10 ms"; nothing and a usage error otherwise. No text: no value.
bool parse_seconds(const std::string& option, const std::optional<std::string>& text,
                   std::optional<double>& value, Session& session);

// A mechanism file on its way; what a stage could not make is not there, and the diagnostics say
// why.
struct LoadedSystem {
  SystemOptions options;
  SourceText source;
  std::optional<Mechanism> mechanism;
  std::optional<SystemModel> system;
  Diagnostics diagnostics;
};

enum class LoadUntil { mechanism, system };

// Prints no diagnostics. A parameter in --set that the mechanism does not have is wrong usage:
// session.exit_code is then set and there is no system.
LoadedSystem load_system(const std::string& path, const SystemOptions& options, LoadUntil until,
                         Session& session);

// Prints the diagnostics; the exit code, which is 2 if nothing is wrong but the values of options.
int report_loaded(const LoadedSystem& loaded, const Session& session);

}  // namespace mechfmu
