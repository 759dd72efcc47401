// The program mechfmu: options common to all commands, and what happens when the words on the
// command line, the memory, the disk or we ourselves are wrong. The commands are in files of their
// own.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "cli/command.hpp"
#include "package/file_io.hpp"
#include "support/did_you_mean.hpp"

namespace mechfmu {

namespace {

// Examples come before everything else: most users copy one. CLI11 has no place for them, so they
// travel as the footer.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    std::string text = app->get_description() + "\n\n";
    const std::string examples = app->get_footer();
    std::string_view rest = examples;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      text += fmt::format("  {}\n", rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return text + '\n';
  }
  std::string make_footer(const CLI::App*) const override { return {}; }
};

// A reader that goes away (mechfmu ... | head) or a file size limit must be an error of write(),
// not the end of the program. Handlers, not SIG_IGN, which the compiler would inherit.
void ignore_write_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
}

// fmusim writes "--start-value name value", we "--start-value name=value"; "help build" is "build
// --help".
std::vector<std::string> make_arguments(int count, char** values) {
  std::vector<std::string> given(values + 1, values + count);
  if (!given.empty() && given.front() == "help") {
    given.erase(given.begin());
    given.emplace_back("--help");
  }
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == "--") {
      arguments.insert(arguments.end(), given.begin() + static_cast<std::ptrdiff_t>(i),
                       given.end());
      break;
    }
    arguments.push_back(given[i]);
    const bool is_pair =
        given[i] == "--start-value" || given[i] == "--set" || given[i] == "--input";
    if (!is_pair || i + 1 >= given.size()) continue;
    std::string assignment = given[++i];
    if (assignment.find('=') == std::string::npos && i + 1 < given.size())
      assignment += '=' + given[++i];
    arguments.push_back(std::move(assignment));
  }
  return arguments;
}

std::vector<std::string_view> list_commands(const CLI::App& program) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// Long options of the command and of the program.
std::vector<std::string> list_options(const CLI::App& program) {
  std::vector<std::string> names;
  const auto add = [&](const CLI::App& app) {
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  };
  add(program);
  for (const CLI::App* command : program.get_subcommands()) add(*command);
  return names;
}

// Words nobody asked for: an unknown command, an unknown option, an argument too many.
void report_extra_words(const CLI::App& program, Session& session) {
  const std::vector<CLI::App*> chosen = program.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name();
  const std::vector<std::string> extra = program.remaining(true);
  const std::string word = extra.empty() ? "" : extra.front();
  if (!word.empty() && word.front() == '-') {
    const std::string name = word.substr(0, word.find('='));
    const std::vector<std::string> known = list_options(program);
    const std::string_view similar = find_similar(name, {known.begin(), known.end()});
    session.usage_error(
        fmt::format("{}{}unknown option '{}'", command, command.empty() ? "" : ": ", name),
        similar.empty() ? fmt::format("see mechfmu {}{}--help", command, command.empty() ? "" : " ")
                        : fmt::format("did you mean '{}'?", similar));
  } else if (chosen.empty()) {
    session.usage_error(fmt::format("unknown command '{}'", word),
                        did_you_mean(word, list_commands(program), "commands"));
  } else {
    session.usage_error(fmt::format("{}: unexpected argument '{}'", command, word),
                        fmt::format("see mechfmu {} --help", command));
  }
}

void parse_and_run(CLI::App& program, std::vector<std::string> arguments, Session& session) {
  if (arguments.empty()) {
    session.usage_error("no command",
                        "one of: " + fmt::format("{}", fmt::join(list_commands(program), ", ")));
    return;
  }
  // CLI11 takes the words from the back
  std::reverse(arguments.begin(), arguments.end());
  try {
    program.parse(std::move(arguments));
    if (program.get_subcommands().empty() && session.exit_code == kExitDone)
      session.usage_error("no command", "see mechfmu --help");
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    session.result(chosen.empty() ? program.help() : chosen.front()->help("mechfmu"));
  } catch (const CLI::CallForVersion&) {
    session.result("mechfmu " MECHFMU_VERSION);
  } catch (const CLI::ExtrasError&) {
    report_extra_words(program, session);
  } catch (const CLI::ParseError& error) {
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    const std::string command = chosen.empty() ? "" : chosen.front()->get_name();
    // a misspelt option explains a missing argument better than the missing argument itself
    if (!program.remaining(true).empty() && program.remaining(true).front().front() == '-')
      report_extra_words(program, session);
    else
      session.usage_error(
          command.empty() ? error.what() : fmt::format("{}: {}", command, error.what()),
          fmt::format("see mechfmu {}{}--help", command, command.empty() ? "" : " "));
  }
}

void run(int count, char** values, Session& session) {
  CLI::App program("mechfmu compiles mechanisms into FMI 2.0 co-simulation FMUs", "mechfmu");
  program.formatter(std::make_shared<ExamplesFirst>());
  program.footer("mechfmu new\nmechfmu build four_bar/four_bar.xml\nmechfmu simulate FourBar.fmu");
  program.set_help_flag("-h,--help", "show this help");
  program.set_version_flag("--version", "mechfmu " MECHFMU_VERSION, "show the version");
  program.require_subcommand(0, 1);
  bool no_color = false;
  const auto set_color = [&] {
    session.color = !no_color && std::getenv("NO_COLOR") == nullptr && isatty(STDERR_FILENO) == 1;
  };
  program.add_flag("-q,--quiet", session.quiet, "errors only");
  program.add_flag("-v,--verbose", session.verbose, "say more");
  program.add_flag("--no-color", no_color, "no colour");
  program.parse_complete_callback(set_color);

  add_new_command(program, session);
  add_check_command(program, session);
  add_info_command(program, session);
  add_build_command(program, session);
  add_simulate_command(program, session);
  add_couple_command(program, session);
  add_report_command(program, session);
  add_linearize_command(program, session);
  add_equilibrium_command(program, session);
  add_convert_command(program, session);
  add_validate_command(program, session);
  add_list_commands(program, session);
  add_explain_command(program, session);
  add_schema_command(program, session);
  add_compare_command(program, session);
  add_doctor_command(program, session);
  add_completion_commands(program, session);

  parse_and_run(program, make_arguments(count, values), session);
}

// Results that did not reach their reader are no results. If the reader has gone, there is nobody
// to tell.
void finish_output(Session& session) {
  errno = 0;
  if (std::fflush(stdout) != 0 && session.output_error == 0) session.output_error = errno;
  if (session.output_error == 0 && std::ferror(stdout) == 0) return;
  // simulate has spoken about its own lines already
  if (session.exit_code == kExitEnvironment) return;
  if (session.output_error != EPIPE)
    fmt::print(stderr, "error S633: cannot write the standard output: {}\n",
               session.output_error == 0 ? "unknown reason" : error_text(session.output_error));
  if (session.exit_code == kExitDone) session.exit_code = kExitEnvironment;
}

}  // namespace

}  // namespace mechfmu

int main(int count, char** values) {
  using namespace mechfmu;
  ignore_write_signals();
  Session session;
  try {
    run(count, values, session);
  } catch (const std::bad_alloc&) {
    std::fputs("error S650: out of memory\n", stderr);
    session.exit_code = kExitEnvironment;
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "error S651: {}\n", error.what());
    session.exit_code = kExitEnvironment;
  } catch (const std::exception& error) {
    fmt::print(stderr,
               "mechfmu: this is a bug in mechfmu: {}\n   hint: please report it with the file "
               "that caused it\n",
               error.what());
    session.exit_code = kExitBug;
  }
  finish_output(session);
  return session.exit_code;
}
