// Work in a process of its own: an FMU that crashes, ends the process or never returns does that to
// the child, and what it did becomes a finding.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "harness/validate/findings.hpp"

namespace mechfmu::fmu_check {

// The child's side: findings go to the parent; the last action tells the parent where the child
// was when it ended.
class Reporter {
 public:
  Reporter(int pipe, char* action, std::size_t action_size)
      : pipe_(pipe), action_(action), action_size_(action_size) {}

  void find(Rule rule, const std::string& message, const std::string& variable = {});
  void note_action(std::string_view text);  // "fmi2DoStep(t=0.1, h=0.1)"
  void finish();

 private:
  int pipe_;
  char* action_;
  std::size_t action_size_;
};

struct ChildEnd {
  enum class Kind { finished, signalled, exited, timed_out, not_started };
  Kind kind = Kind::not_started;
  int code = 0;        // signal or exit code
  std::string action;  // the last one noted
};

// Findings of the child get `file` as their place. The child's own output is dropped.
ChildEnd run_in_child(const std::function<void(Reporter&)>& work, double seconds_allowed,
                      const std::string& file, Findings& findings);

// "the process was ended by signal 11 (Segmentation fault) in fmi2DoStep(...)"
std::string describe_end(const ChildEnd& end, double seconds_allowed);

}  // namespace mechfmu::fmu_check
