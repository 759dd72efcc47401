// What every command of the program shares: where text goes, what the options common to all
// commands say, and the exit code. A command is one file with one function add_NAME_command() that
// declares its options and a callback; the callback does the work and leaves the exit code in the
// session.
//
// Results go to stdout, everything else to stderr. Nothing is ever asked.
#pragma once
#include <string>
#include <string_view>

#include "support/diagnostic.hpp"

namespace CLI {
class App;
}

namespace mechfmu {

class SourceText;

enum ExitCode : int {
  kExitDone = 0,
  kExitModelErrors = 1,  // the mechanism or the FMU has errors
  kExitUsage = 2,        // wrong options or arguments
  kExitStopped = 3,      // a simulation could not go on
  kExitOutOfTolerance = 4,
  kExitEnvironment = 5,  // compiler, disk, target missing
  kExitBug = 70,         // a mistake of ours
};

class Session {
 public:
  bool quiet = false;  // --quiet: errors only
  int verbose = 0;     // -v
  bool color = false;  // set by main from the terminal, NO_COLOR and --no-color
  int exit_code = kExitDone;
  mutable int output_error = 0;  // errno of the first write to stdout that failed

  void result(std::string_view text) const;   // a line to stdout
  void message(std::string_view text) const;  // a line to stderr unless --quiet
  void detail(std::string_view text) const;   // a line to stderr with -v

  // Wrong usage found after parsing: "mechfmu: <text>" on stderr, exit code 2.
  void usage_error(std::string_view text, std::string_view hint = {});

  // Prints diagnostics (errors even with --quiet; `source` gives places their line and may be null)
  // and turns them into an exit code: 5 if an error comes from the world (S...), else 1; 0 without
  // errors.
  int report(const Diagnostics& diagnostics, const SourceText* source) const;
};

void add_build_command(CLI::App& app, Session& session);
void add_check_command(CLI::App& app, Session& session);
void add_compare_command(CLI::App& app, Session& session);
void add_completion_commands(CLI::App& app, Session& session);  // completion, man
void add_convert_command(CLI::App& app, Session& session);
void add_couple_command(CLI::App& app, Session& session);
void add_doctor_command(CLI::App& app, Session& session);
void add_equilibrium_command(CLI::App& app, Session& session);
void add_explain_command(CLI::App& app, Session& session);
void add_info_command(CLI::App& app, Session& session);
void add_linearize_command(CLI::App& app, Session& session);
void add_list_commands(CLI::App& app, Session& session);  // schemes, integrators, joints, forces
void add_new_command(CLI::App& app, Session& session);
void add_report_command(CLI::App& app, Session& session);
void add_schema_command(CLI::App& app, Session& session);
void add_simulate_command(CLI::App& app, Session& session);
void add_validate_command(CLI::App& app, Session& session);

}  // namespace mechfmu
