// One component of a coupled run: its instance, the values on its connections, its saved states.
//
// What goes wrong is kept as a failure with the words of the FMU; the master decides whether it can
// go on (a discarded step can be repeated with a shorter one).
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coupling/coupled_system.hpp"

namespace mechfmu {

// The value that a connection carries, after its transformation.
struct SignalValue {
  double real = 0;
  int whole = 0;
  std::string text;
};

struct CouplingFailure {
  std::string code;  // "E622"
  std::string message;
  bool can_retry = false;  // the FMU discarded the step
};

// Gets every FMI call as a line that begins with the component's name; may be empty.
using CallSink = std::function<void(const std::string& line)>;

class ComponentRun {
 public:
  ComponentRun(const CoupledSystem& system, std::size_t index) : system_(system), index_(index) {}
  ComponentRun(const ComponentRun&) = delete;
  ComponentRun& operator=(const ComponentRun&) = delete;
  ~ComponentRun();

  bool instantiate(const FmuMessageSink& messages, const CallSink& calls, Diagnostics& diagnostics);
  bool begin_initialization(double start, double stop);
  bool end_initialization();
  bool step(double time, double length, bool may_go_back);
  bool terminate();

  // Values of links that leave or enter here, one call per type.
  bool read(const std::vector<std::size_t>& links, std::vector<SignalValue>& values);
  bool write(const std::vector<std::size_t>& links, const std::vector<SignalValue>& values);
  bool write_derivatives(const FmuInstance::References& references, const std::vector<int>& orders,
                         const std::vector<double>& values);
  bool read_reals(const FmuInstance::References& references, std::vector<double>& values);

  // Two places: 0 for the step control, 1 for iterations inside a step.
  bool save(std::size_t place);
  bool restore(std::size_t place);

  [[nodiscard]] const CoupledComponent& component() const { return system_.components[index_]; }
  [[nodiscard]] const FmuCapabilities& capabilities() const {
    return *component().fmu->description().co_simulation;
  }
  [[nodiscard]] FmuInstance& instance() { return *instance_; }
  [[nodiscard]] const CouplingFailure& failure() const { return failure_; }

 private:
  bool check(fmi2Status status, const char* what);
  bool fail(const char* code, const std::string& reason, bool can_retry = false);

  const CoupledSystem& system_;
  std::size_t index_;
  std::unique_ptr<FmuInstance> instance_;
  std::array<fmi2FMUstate, 2> saved_{};
  CouplingFailure failure_;
  std::string at_;  // "at t = 0.1 s"
};

}  // namespace mechfmu
