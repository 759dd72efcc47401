// Declaring the options of a command. A thin face of CLI11, which is slow to compile: only
// options.cpp and main.cpp include it, the commands see plain functions. Values are kept as text;
// what they mean is the command's business, which can then say what is wrong in our own words.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mechfmu {

// `examples` are shown at the top of the help, one per line.
CLI::App& add_command(CLI::App& program, const std::string& name, const std::string& help,
                      const std::string& examples, std::function<void()> run);

// The variables must live as long as the program runs its command: commands keep them in a
// shared_ptr.
void add_argument(CLI::App& command, const std::string& name, std::string& value,
                  const std::string& help, bool required);
// One or more.
void add_list_argument(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                       const std::string& help);
void add_flag(CLI::App& command, const std::string& names, bool& value, const std::string& help);
void add_option(CLI::App& command, const std::string& names, const std::string& placeholder,
                std::string& value, const std::string& help);
void add_option(CLI::App& command, const std::string& names, const std::string& placeholder,
                std::optional<std::string>& value, const std::string& help);
// May be given several times, one value each.
void add_list_option(CLI::App& command, const std::string& names, const std::string& placeholder,
                     std::vector<std::string>& values, const std::string& help);

// What the program can be told, for shells and the manual: read back from what the commands
// declared.
struct OptionFacts {
  std::vector<std::string> names;  // "-o", "--output"; an argument has its name only, "FILE"
  std::string placeholder;         // "" for a flag
  std::string help;
  bool is_argument = false;
};
struct CommandFacts {
  std::string name, help, examples;
  std::vector<OptionFacts> options;  // arguments first
};
// The program's own options under the name "", then the commands in the order of the help.
std::vector<CommandFacts> list_facts(const CLI::App& program);

}  // namespace mechfmu
