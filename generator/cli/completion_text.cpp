#include "cli/completion_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cli/words.hpp"
#include "mechanism/catalogue.hpp"

namespace mechfmu {

namespace {

// What an option's value can be; empty: a file or anything.
std::vector<std::string> values_of(const std::string& option) {
  std::vector<std::string> words;
  const auto take = [&](const char* list) {
    for (const std::string_view word : choice_words(list)) words.emplace_back(word);
  };
  if (option == "--scheme" || option == "--schemes") take("@schemes");
  if (option == "--integrator" || option == "--integrators") take("@integrators");
  if (option == "--solver") take("@solvers");
  if (option == "--coordinates") take("@coordinates");
  if (option == "--expose") words = {"outputs", "states", "all"};
  return words;
}

// Words that stand for the argument of some commands.
std::vector<std::string> arguments_of(const std::string& command) {
  std::vector<std::string> words;
  const auto take = [&](const auto& types) {
    for (const auto& type : types) words.emplace_back(type.id);
  };
  if (command == "schemes") take(scheme_types());
  if (command == "integrators") take(integrator_types());
  if (command == "completion") words = {"bash", "zsh", "fish"};
  return words;
}

std::vector<std::string> long_names(const CommandFacts& command) {
  std::vector<std::string> names;
  for (const OptionFacts& option : command.options)
    for (const std::string& name : option.names)
      if (name.starts_with("--")) names.push_back(name);
  return names;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::string in_single_quotes(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

// A backslash, a hyphen and a leading dot mean something to troff.
std::string for_troff(std::string text) {
  text = replaced(std::move(text), "\\", "\\e");
  text = replaced(std::move(text), "-", "\\-");
  text = replaced(std::move(text), "\n.", "\n\\&.");
  text = replaced(std::move(text), "\n'", "\n\\&'");
  if (text.starts_with('.') || text.starts_with('\'')) text.insert(0, "\\&");
  return text;
}

}  // namespace

std::string make_bash_completion(const std::vector<CommandFacts>& commands) {
  std::vector<std::string> names;
  std::string options, arguments, values;
  for (const CommandFacts& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
    options += fmt::format("    {}) words=\"{}\" ;;\n", command.name.empty() ? "''" : command.name,
                           join(long_names(command), " "));
    if (const auto words = arguments_of(command.name); !words.empty())
      arguments += fmt::format("    {}) words=\"{}\" ;;\n", command.name, join(words, " "));
  }
  for (const char* option : {"--scheme", "--schemes", "--integrator", "--integrators", "--solver",
                             "--coordinates", "--expose"})
    values += fmt::format("    {}) words=\"{}\" ;;\n", option, join(values_of(option), " "));
  return fmt::format(
      R"(# Completion of mechfmu for bash. For this shell:  source <(mechfmu completion bash)
# For all to come:  mechfmu completion bash > ~/.local/share/bash-completion/completions/mechfmu
_mechfmu() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= words= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${{COMP_WORDS[i]}} != -* ]]; then
      command=${{COMP_WORDS[i]}}
      break
    fi
  done
  case $previous in
{values}  esac
  if [[ -n $words ]]; then
    local before=
    if [[ $current == *,* ]]; then
      before=${{current%,*}},
      current=${{current##*,}}
    fi
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$current")
    return
  fi
  if [[ $current == -* ]]; then
    case $command in
{options}    esac
  elif [[ -z $command ]]; then
    words="{names}"
  else
    case $command in
{arguments}    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _mechfmu mechfmu
)",
      fmt::arg("values", values), fmt::arg("options", options), fmt::arg("names", join(names, " ")),
      fmt::arg("arguments", arguments));
}

std::string make_zsh_completion(const std::vector<CommandFacts>& commands) {
  const auto escape = [](std::string text) {
    for (const char* special : {"[", "]", ":"})
      text = replaced(std::move(text), special, std::string("\\") + special);
    return text;
  };
  std::string names, cases;
  for (const CommandFacts& command : commands) {
    if (command.name.empty()) continue;
    names += fmt::format("    {}\n", in_single_quotes(command.name + ":" + escape(command.help)));
    std::string arguments;
    for (const OptionFacts& option : command.options) {
      if (option.is_argument) continue;
      for (const std::string& name : option.names) {
        if (!name.starts_with("--")) continue;
        std::string word = fmt::format("{}[{}]", name, escape(option.help));
        if (!option.placeholder.empty()) {
          const auto values = values_of(name);
          word += fmt::format(":{}:{}", escape(option.placeholder),
                              values.empty() ? "_files" : "(" + join(values, " ") + ")");
        }
        arguments += " \\\n        " + in_single_quotes(word);
      }
    }
    const auto words = arguments_of(command.name);
    arguments +=
        " \\\n        " + in_single_quotes(words.empty() ? std::string("*:file:_files")
                                                         : "*:name:(" + join(words, " ") + ")");
    cases += fmt::format("    {})\n      _arguments{}\n      ;;\n", command.name, arguments);
  }
  return fmt::format(R"(#compdef mechfmu
# Completion of mechfmu for zsh:  mechfmu completion zsh > "${{fpath[1]}}/_mechfmu"
_mechfmu() {{
  local -a commands=(
{names}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{cases}  esac
}}
compdef _mechfmu mechfmu
)",
                     fmt::arg("names", names), fmt::arg("cases", cases));
}

std::string make_fish_completion(const std::vector<CommandFacts>& commands) {
  std::string text =
      "# Completion of mechfmu for fish:\n"
      "#   mechfmu completion fish > ~/.config/fish/completions/mechfmu.fish\n";
  for (const CommandFacts& command : commands) {
    if (!command.name.empty())
      text += fmt::format("complete -c mechfmu -n __fish_use_subcommand -f -a {} -d {}\n",
                          command.name, in_single_quotes(command.help));
    const std::string where =
        command.name.empty() ? std::string()
                             : fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
    for (const OptionFacts& option : command.options) {
      if (option.is_argument) continue;
      std::string words;
      for (const std::string& name : option.names) {
        words += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (const auto values = values_of(name); !values.empty())
          words += " -x -a " + in_single_quotes(join(values, " "));
        else if (name.starts_with("--") && !option.placeholder.empty())
          words += " -r";
      }
      text += fmt::format("complete -c mechfmu{}{} -d {}\n", where, words,
                          in_single_quotes(option.help));
    }
    if (const auto words = arguments_of(command.name); !words.empty())
      text += fmt::format("complete -c mechfmu{} -f -a {}\n", where,
                          in_single_quotes(join(words, " ")));
  }
  return text;
}

std::string make_manual(const std::vector<CommandFacts>& commands, const std::string& version) {
  std::string text = fmt::format(
      ".TH MECHFMU 1 \"\" \"mechfmu {}\" \"mechfmu\"\n.SH NAME\n"
      "mechfmu \\- compiles mechanisms into FMI 2.0 FMUs\n.SH SYNOPSIS\n"
      ".B mechfmu\n.I COMMAND\n[ARGUMENT ...] [OPTION ...]\n.SH DESCRIPTION\n"
      "A mechanism of rigid bodies, joints, closed loops, forces and drives, or plain equations, "
      "in "
      "an XML file becomes an FMU for co\\-simulation and model exchange.\n"
      "Results go to the standard output, everything else to the standard error; nothing is ever "
      "asked.\n",
      for_troff(version));
  const auto write_options = [&](const CommandFacts& command) {
    for (const OptionFacts& option : command.options) {
      text += ".TP\n";
      if (option.is_argument)
        text += ".I " + for_troff(option.names.front()) + "\n";
      else
        text +=
            fmt::format(".BR {}{}\n", for_troff(join(option.names, " \", \" ")),
                        option.placeholder.empty() ? std::string()
                                                   : " \" " + for_troff(option.placeholder) + "\"");
      text += for_troff(option.help) + "\n";
    }
  };
  for (const CommandFacts& command : commands) {
    text += command.name.empty()
                ? ".SH OPTIONS\nOf all commands:\n"
                : fmt::format(".SH {}\n{}.\n", for_troff(command.name), for_troff(command.help));
    if (!command.name.empty() && !command.examples.empty())
      text += ".PP\n.nf\n" + for_troff(command.examples) + "\n.fi\n";
    write_options(command);
  }
  text += ".SH EXIT STATUS\n";
  for (const char* row :
       {"0\ndone", "1\nthe model or FMU has errors", "2\nwrong usage", "3\na simulation stopped",
        "4\na comparison is out of tolerance", "5\nthe environment: compiler, disk, target missing",
        "70\na mistake of mechfmu"})
    text += std::string(".TP\n") + row + "\n";
  return text;
}

}  // namespace mechfmu
