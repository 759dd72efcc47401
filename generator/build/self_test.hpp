// The built library is loaded and stepped once before anybody gets it. In a child process: a crash,
// an endless loop or a corrupted heap there is a message here.
//
// Checked: it loads, takes its GUID and no other, has the start values of modelDescription.xml to
// the last bit (P10), initializes, makes three steps with finite values everywhere, and repeats a
// step bit by bit after a state was restored, both directly and through its serialised form (P21,
// P22).
#pragma once
#include <string>

#include "formulation/system_model.hpp"
#include "support/diagnostic.hpp"

namespace mechfmu {

// `library` is the path of the shared library. False: E606 with the failed call and what the FMU
// logged.
bool check_library(const std::string& library, const SystemModel& system, const std::string& guid,
                   Diagnostics& diagnostics);

}  // namespace mechfmu
