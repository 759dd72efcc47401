// The checks that run an FMU. Each runs in a child process of its own with a freshly loaded
// library, so a crash in one does not hide the others.
#pragma once
#include <string>
#include <vector>

#include "harness/validate/tested_fmu.hpp"

namespace mechfmu::fmu_check {

struct RunCheck {
  const char* title;  // "state": what was checked, for notes
  void (*run)(TestedLibrary& library);
  bool (*applies)(const TestedModel& model);  // nullptr = always
  Rule crash_rule = Rule::run_crash;          // what the end of the process means
};

const std::vector<RunCheck>& instance_checks();
const std::vector<RunCheck>& value_checks();
const std::vector<RunCheck>& capability_checks();

}  // namespace mechfmu::fmu_check
