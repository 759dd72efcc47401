// --log-fmi-calls: one line per FMI call with its arguments and status, to see what a host does to
// an FMU.
//
//   fmi2DoStep(t=0.01, h=0.01, noSetFMUStatePriorToCurrentPoint=true) -> OK
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "fmi2FunctionTypes.h"

namespace mechfmu {

std::string_view word(fmi2Status status);  // "OK", "Discard", ...

class CallLog {
 public:
  CallLog() = default;  // logs nothing
  explicit CallLog(std::function<void(const std::string& line)> sink) : sink_(std::move(sink)) {}

  [[nodiscard]] bool enabled() const { return static_cast<bool>(sink_); }
  // Ask enabled() before making the text of the arguments: it is not free. An empty result is left
  // out.
  void add(std::string_view function, std::string_view arguments, std::string_view result) const;

  // "1, 2, 3", shortened if there are many
  static std::string list(const fmi2ValueReference* values, std::size_t count);
  static std::string list(const double* values, std::size_t count);
  static std::string list(const int* values, std::size_t count);
  static std::string list(const fmi2String* values, std::size_t count);

 private:
  std::function<void(const std::string&)> sink_;
};

}  // namespace mechfmu
