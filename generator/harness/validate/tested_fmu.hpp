// An FMU under test, inside a child process: the library, and instances that watch every status and
// every message. Unlike FmuInstance, which is a host's view of a good FMU, this one expects the
// worst and knows both interfaces: `advance` is a communication step of co-simulation or one Euler
// step of model exchange.
#pragma once
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmi2FunctionTypes.h"
#include "harness/fmu_library.hpp"
#include "harness/model_description.hpp"
#include "harness/validate/child.hpp"

namespace mechfmu::fmu_check {

struct ModelExchangeFunctions {
#define FUNCTION(name) fmi2##name##TYPE* name = nullptr;
#include "harness/validate/model_exchange_functions.def"
#undef FUNCTION
};

// What is tested, known before the child starts.
struct TestedModel {
  const ModelDescription* description = nullptr;
  fmi2Type type = fmi2CoSimulation;
  const FmuCapabilities* capabilities = nullptr;  // of that interface
  std::string library;                            // path of the file
  std::string resources;                          // absolute path of the folder
  std::string resources_with_blank;               // the same folder by a name with a blank
  std::size_t event_indicators = 0;
  bool completed_step_not_needed = false;
  bool strict = false;
  double seconds_allowed = 30;

  [[nodiscard]] double start_time() const;
  [[nodiscard]] double step_size() const;
  [[nodiscard]] int step_count(int wanted) const;  // not beyond the stop time, at least 1
  [[nodiscard]] bool is_model_exchange() const { return type == fmi2ModelExchange; }
};

inline bool is_good(fmi2Status status) { return status == fmi2OK || status == fmi2Warning; }
std::string_view status_name(fmi2Status status);

class TestedLibrary {
 public:
  TestedLibrary(const TestedModel& model, Reporter& reporter);
  ~TestedLibrary();
  TestedLibrary(const TestedLibrary&) = delete;
  TestedLibrary& operator=(const TestedLibrary&) = delete;

  [[nodiscard]] bool is_loaded() const { return is_loaded_; }
  void unload();  // no function may be called afterwards

  const TestedModel& model;
  Reporter& reporter;
  FmuFunctions functions;
  ModelExchangeFunctions exchange;

 private:
  void* handle_ = nullptr;
  bool is_loaded_ = false;
};

enum class MemoryCallbacks { plain, counted, absent };

struct InstanceSetup {
  std::string name = "instance";
  std::string guid;          // "" = the right one
  std::string resource_uri;  // "" = the usual one
  bool logging_on = false;
  MemoryCallbacks memory = MemoryCallbacks::plain;
};

class TestedInstance {
 public:
  TestedInstance(TestedLibrary& library, InstanceSetup setup = {});
  ~TestedInstance();
  TestedInstance(const TestedInstance&) = delete;
  TestedInstance& operator=(const TestedInstance&) = delete;

  [[nodiscard]] bool is_made() const { return component_ != nullptr; }
  void free();

  // Notes the call, makes it, and looks at its status. `arguments` is for messages only.
  template <class Function, class... Arguments>
  fmi2Status call(std::string_view name, const std::string& arguments, Function* function,
                  Arguments... values) {
    library_.reporter.note_action(fmt::format("{}({})", name, arguments));
    return check_status(name, function(component_, values...));
  }

  // Each reports run_call_failed and returns false if it fails.
  bool enter_initialization();
  bool exit_initialization();
  bool initialize() { return enter_initialization() && exit_initialization(); }
  bool reset();
  bool terminate();

  // One step; no finding, the caller decides.
  fmi2Status advance(double time, double step, bool may_roll_back = false);
  // Steps number first, first + 1, ...; a row of all numbers after each. Stops at a failure.
  std::vector<std::vector<double>> trace(int first, int count, bool may_roll_back = false);
  // All numbers of the FMU. False: a getter failed.
  bool get_numbers(std::vector<double>& values);

  bool get_indicators(std::vector<double>& indicators, fmi2Status& status);

  fmi2Status get(const FmuVariable& v, double& value);  // not for strings
  fmi2Status get_string(const FmuVariable& v, std::string& value);
  fmi2Status set_to(const FmuVariable& v, const std::string& text);

  [[nodiscard]] const FmuFunctions& functions() const { return library_.functions; }
  [[nodiscard]] const std::vector<fmi2Status>& message_statuses() const { return statuses_; }
  void forget_messages() { statuses_.clear(); }
  [[nodiscard]] const std::string& last_message() const { return last_message_; }
  [[nodiscard]] std::string said() const;  // ": what the FMU said last", or ""
  [[nodiscard]] int memory_calls() const { return memory_calls_; }
  [[nodiscard]] fmi2Component component() const { return component_; }
  // The next time event is what the host keeps beside a saved state (model exchange).
  [[nodiscard]] std::optional<double> next_event() const { return next_event_; }
  void set_next_event(std::optional<double> time) { next_event_ = time; }
  // Event mode until nothing changes, then continuous-time mode (model exchange).
  bool leave_event_mode();

 private:
  fmi2Status check_status(std::string_view name, fmi2Status status);
  bool expect(std::string_view name, fmi2Status status);
  fmi2Status advance_states(double time, double step, bool may_roll_back);
  static void log_message(fmi2ComponentEnvironment environment, fmi2String instance,
                          fmi2Status status, fmi2String category, fmi2String message, ...);
  void check_message(const char* instance, fmi2Status status, const char* category,
                     const std::string& text);

  TestedLibrary& library_;
  InstanceSetup setup_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
  bool is_fatal_ = false;
  int memory_calls_ = 0;
  std::optional<double> next_event_;
  std::vector<fmi2Status> statuses_;
  std::string last_message_;
};

// Pieces of memory that FMUs got from the counted callbacks and have not given back.
std::size_t count_memory_held();

}  // namespace mechfmu::fmu_check
