// Scripts that complete command lines, and the manual page, from what the commands declare.
#pragma once
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace mechfmu {

std::string make_bash_completion(const std::vector<CommandFacts>& commands);
std::string make_zsh_completion(const std::vector<CommandFacts>& commands);
std::string make_fish_completion(const std::vector<CommandFacts>& commands);
std::string make_manual(const std::vector<CommandFacts>& commands, const std::string& version);

}  // namespace mechfmu
