// Runs other programs: no shell between (arguments are what they are), output captured, time
// limited, the whole process group killed at the limit or when mechfmu is interrupted.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace mechfmu {

struct ProcessRequest {
  std::vector<std::string>
      command;         // the program (searched in PATH if it has no '/') and its arguments
  std::string folder;  // to run in; "" = here
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  double seconds_allowed = 300;
};

struct ProcessResult {
  enum class End { exited, signalled, timed_out, not_started };
  End end = End::not_started;
  int code = 0;            // exit status, signal number, or errno if it could not be started
  std::string output;      // stdout and stderr together, the first 64 kB
  double cpu_seconds = 0;  // of the program and the programs it waited for

  [[nodiscard]] bool is_success() const { return end == End::exited && code == 0; }
};

ProcessResult run_process(const ProcessRequest& request);

// All at the same time.
std::vector<ProcessResult> run_processes(const std::vector<ProcessRequest>& requests);

// "exited with 1", "was killed by signal 9 (Killed)", "did not end within 300 s"
std::string describe_end(const ProcessResult& result);

// Full path of a program, as the shell would find it; "" if there is none.
std::string find_program(const std::string& name);

}  // namespace mechfmu
