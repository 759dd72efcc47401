#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <utility>

namespace mechfmu {

CLI::App& add_command(CLI::App& program, const std::string& name, const std::string& help,
                      const std::string& examples, std::function<void()> run) {
  CLI::App* command = program.add_subcommand(name, help);
  command->footer(examples);
  command->fallthrough();  // --quiet and its like may stand behind the command
  command->callback(std::move(run));
  return *command;
}

void add_argument(CLI::App& command, const std::string& name, std::string& value,
                  const std::string& help, bool required) {
  command.add_option(name, value, help)->required(required)->type_name("");
}

void add_list_argument(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                       const std::string& help) {
  command.add_option(name, values, help)->required()->type_name("");
}

void add_flag(CLI::App& command, const std::string& names, bool& value, const std::string& help) {
  command.add_flag(names, value, help);
}

void add_option(CLI::App& command, const std::string& names, const std::string& placeholder,
                std::string& value, const std::string& help) {
  command.add_option(names, value, help)->type_name(placeholder);
}

void add_option(CLI::App& command, const std::string& names, const std::string& placeholder,
                std::optional<std::string>& value, const std::string& help) {
  command
      .add_option_function<std::string>(
          names, [&value](const std::string& text) { value = text; }, help)
      ->type_name(placeholder);
}

void add_list_option(CLI::App& command, const std::string& names, const std::string& placeholder,
                     std::vector<std::string>& values, const std::string& help) {
  // one value per occurrence: a list must not swallow the arguments behind it
  command.add_option(names, values, help)->type_name(placeholder)->allow_extra_args(false);
}

namespace {

CommandFacts facts_of(const CLI::App& app, const std::string& name) {
  CommandFacts facts{name, app.get_description(), app.get_footer(), {}};
  for (const bool arguments : {true, false})
    for (const CLI::Option* option : app.get_options()) {
      if (option->nonpositional() == arguments) continue;
      OptionFacts o;
      o.is_argument = arguments;
      if (arguments) o.names.push_back(option->get_name(true));
      for (const std::string& n : option->get_snames()) o.names.push_back("-" + n);
      for (const std::string& n : option->get_lnames()) o.names.push_back("--" + n);
      o.placeholder = option->get_items_expected_max() == 0 ? "" : option->get_type_name();
      o.help = option->get_description();
      facts.options.push_back(std::move(o));
    }
  return facts;
}

}  // namespace

std::vector<CommandFacts> list_facts(const CLI::App& program) {
  std::vector<CommandFacts> list = {facts_of(program, "")};
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    list.push_back(facts_of(*command, command->get_name()));
  return list;
}

}  // namespace mechfmu
