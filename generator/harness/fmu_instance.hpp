// One instance of a co-simulation FMU: instantiated on construction, freed at the end of its life,
// whatever happens in between. Thin: every function is one FMI call, logged if a call log is given;
// no call order is enforced, so that tests can also do what a host must not.
//
// The FMU gets real callbacks: a printf-style logger, and calloc/free for FMUs that allocate
// through the host.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmi2FunctionTypes.h"
#include "harness/call_log.hpp"
#include "harness/fmu_library.hpp"
#include "harness/model_description.hpp"

namespace mechfmu {

// What the FMU says through its logger.
struct FmuMessage {
  fmi2Status status = fmi2OK;
  std::string category;
  std::string text;
};
using FmuMessageSink = std::function<void(const FmuMessage&)>;

// "file:///tmp/a%20b/resources": the URI of an absolute path (RFC 3986).
std::string make_file_uri(const std::string& absolute_path);

// #r12# in a message stands for the name of the Real variable with value reference 12 (i, b, s: the
// other types), ## for #. Anything else is left as it is.
std::string expand_references(std::string_view text, const std::vector<FmuVariable>& variables);

struct FmuInstanceOptions {
  std::string name = "instance";
  std::string guid;
  std::string resource_uri;
  bool logging_on = false;  // debug messages of the FMU
  FmuMessageSink messages;  // may be empty
  CallLog log;
  const ModelDescription* description = nullptr;  // names in messages; may be null
};

class FmuInstance {
 public:
  // nullptr: the FMU refused; it has said why through options.messages. `library` must outlive the
  // instance.
  static std::unique_ptr<FmuInstance> make(const FmuLibrary& library, FmuInstanceOptions options);

  FmuInstance(const FmuInstance&) = delete;
  FmuInstance& operator=(const FmuInstance&) = delete;
  ~FmuInstance();  // after fmi2Fatal the instance must not be touched any more, so it is not freed

  fmi2Status set_debug_logging(bool on, const std::vector<std::string>& categories);
  fmi2Status setup_experiment(std::optional<double> tolerance, double start,
                              std::optional<double> stop);
  fmi2Status enter_initialization_mode();
  fmi2Status exit_initialization_mode();
  fmi2Status terminate();
  fmi2Status reset();

  using References = std::vector<fmi2ValueReference>;
  fmi2Status get_real(const References& references, std::vector<double>& values);
  fmi2Status get_integer(const References& references, std::vector<int>& values);
  fmi2Status get_boolean(const References& references, std::vector<int>& values);
  fmi2Status get_string(const References& references, std::vector<std::string>& values);
  fmi2Status set_real(const References& references, const std::vector<double>& values);
  fmi2Status set_integer(const References& references, const std::vector<int>& values);
  fmi2Status set_boolean(const References& references, const std::vector<int>& values);
  fmi2Status set_string(const References& references, const std::vector<std::string>& values);

  fmi2Status set_real_input_derivatives(const References& references,
                                        const std::vector<int>& orders,
                                        const std::vector<double>& values);
  fmi2Status do_step(double time, double step, bool no_set_state_prior = true);
  fmi2Status get_real_status(fmi2StatusKind kind, double& value);
  fmi2Status get_boolean_status(fmi2StatusKind kind, bool& value);
  fmi2Status get_string_status(fmi2StatusKind kind, std::string& value);

  // Saves into `state` (made if it is null), which must be freed before the instance goes.
  fmi2Status get_state(fmi2FMUstate& state);
  fmi2Status set_state(fmi2FMUstate state);
  fmi2Status free_state(fmi2FMUstate& state);

  [[nodiscard]] const FmuFunctions& functions() const { return functions_; }
  [[nodiscard]] fmi2Component component() const { return component_; }
  [[nodiscard]] const std::string& last_message() const { return last_message_; }

 private:
  FmuInstance(const FmuLibrary& library, FmuInstanceOptions options);
  fmi2Status note(std::string_view function, fmi2Status status, const std::string& arguments);
  static void log_message(fmi2ComponentEnvironment environment, fmi2String instance,
                          fmi2Status status, fmi2String category, fmi2String message, ...);

  const FmuFunctions& functions_;
  FmuInstanceOptions options_;
  fmi2CallbackFunctions callbacks_{};  // by the standard it must live as long as the instance
  fmi2Component component_ = nullptr;
  bool fatal_ = false;
  std::string last_message_;  // of the FMU, with a status worse than OK
};

}  // namespace mechfmu
