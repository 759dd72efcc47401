// The checks that run an FMU. Each runs in a child process of its own with a freshly loaded
// library, so a crash in one does not hide the others.
#pragma once
#include <string>
#include <vector>

#include "harness/validate/tested_fmu.hpp"

namespace mechfmu::fmu_check {

// Whether the checks that follow have a meaning if this one fails. Those that can stop the others
// are run first.
enum class StopsOthers { never, if_it_crashes, if_it_finds_errors };

struct RunCheck {
  const char* title;  // "state": what was checked, for notes
  void (*run)(TestedLibrary& library);
  bool (*applies)(const TestedModel& model);  // nullptr = always
  Rule crash_rule = Rule::run_crash;          // what the end of the process means
  StopsOthers stops = StopsOthers::never;
};

const std::vector<RunCheck>& instance_checks();
const std::vector<RunCheck>& value_checks();
const std::vector<RunCheck>& capability_checks();

}  // namespace mechfmu::fmu_check
