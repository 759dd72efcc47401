// mechfmu completion SHELL, mechfmu man: what the commands declare, for shells and for man(1).
#include <memory>

#include "cli/command.hpp"
#include "cli/completion_text.hpp"
#include "cli/options.hpp"
#include "support/did_you_mean.hpp"

namespace mechfmu {

void add_completion_commands(CLI::App& app, Session& session) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& completion =
      add_command(app, "completion", "a script that completes command lines of mechfmu",
                  "source <(mechfmu completion bash)\n"
                  "mechfmu completion fish > ~/.config/fish/completions/mechfmu.fish",
                  [shell, &app, &session] {
                    const std::vector<CommandFacts> facts = list_facts(app);
                    if (*shell == "bash")
                      session.result(make_bash_completion(facts));
                    else if (*shell == "zsh")
                      session.result(make_zsh_completion(facts));
                    else if (*shell == "fish")
                      session.result(make_fish_completion(facts));
                    else
                      session.usage_error("completion: unknown shell '" + *shell + "'",
                                          did_you_mean(*shell, {"bash", "zsh", "fish"}, "shells"));
                  });
  add_argument(completion, "SHELL", *shell, "bash, zsh or fish", true);
  add_command(app, "man", "the manual page, as text for man",
              "mechfmu man > mechfmu.1\nmechfmu man | man -l -",
              [&app, &session] { session.result(make_manual(list_facts(app), MECHFMU_VERSION)); });
}

}  // namespace mechfmu
