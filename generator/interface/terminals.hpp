// Terminals: variables of the FMU that belong to one shaft or rod of the mechanism, so that a host
// connects them together (terminalsAndIcons.xml, FMI 3.0 and 2.0.4).
#pragma once
#include <string>
#include <vector>

#include "interface/variables.hpp"
#include "mechanism/mechanism.hpp"

namespace mechfmu {

struct TerminalMember {
  std::string variable;  // of the FMU
  std::string name;      // "angle", "position", "torque", ...
  std::string kind;      // "signal" or "inflow"
};

struct Terminal {
  std::string name;  // of the joint, with ".angle" and the like where the joint has several motions
  bool turns = false;  // rotational, else translational
  std::string description;
  std::vector<TerminalMember> members;
};

// One for every motion of a joint that an input drives or that an input pushes as a force.
std::vector<Terminal> make_terminals(const Mechanism& mechanism, const Interface& interface);

}  // namespace mechfmu
