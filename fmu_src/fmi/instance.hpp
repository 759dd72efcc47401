// One instance of the FMU: the simulated mechanism, where it stands in the FMI state machine, its
// log, its saved states. Everything lives in one block of memory taken at instantiation; only saved
// states are allocated later.
//
// Status policy (design.md §6): an illegal or malformed call returns fmi2Error, logs why and
// changes nothing; it does not enter the error state. Only a failure that cannot be undone does.
#pragma once
#include <cstddef>
#include <cstdint>

#include "fmi/call_order.hpp"
#include "fmi/log.hpp"
#include "system/simulation.hpp"

namespace mechfmu::fmi {

struct SavedState;

// What belongs to the FMU state besides the physics. No padding: its bytes are serialised.
struct Progress {
  double start_time = 0;  // [s]
  double stop_time = 0;   // [s], if stop_time_defined
  double time = 0;        // [s] communication point that was reached last
  std::uint32_t state = kInstantiated;
  std::int32_t stop_time_defined = 0;
  std::int32_t assembled = 0;      // positions and velocities fit the values set so far
  std::int32_t tolerance_set = 0;  // the host set solver.tolerance: fmi2SetupExperiment must not
  std::int32_t last_step_status = fmi2OK;
  std::int32_t exchange = 0;           // model exchange
  double tolerance = 1e-6;             // of the experiment
  std::int32_t projection_wanted = 0;  // at the next event
  std::int32_t jumped = 0;             // something was set in event mode: derivatives may jump
};
static_assert(sizeof(Progress) == 4 * 8 + 8 * 4, "padding would make serialised states differ");

struct Instance {
  Instance(const runtime::Model& model, void* memory) : simulation(model, memory) {}
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  Log log;
  Progress progress;
  runtime::Simulation simulation;
  SavedState* saved_states = nullptr;  // newest first
  std::size_t real_count = 0;          // value references below this exist
  std::size_t first_computed = 0;      // and from this one on are computed
  int tolerance_reference = -1;        // of solver.tolerance, -1 if there is none
  bool just_restored = false;          // no call of DoStep since fmi2SetFMUstate
  bool said_clock_differs = false;

  [[nodiscard]] State state() const { return static_cast<State>(progress.state); }
  [[nodiscard]] const runtime::Model& model() const { return simulation.model(); }
};

// Null if an argument is unacceptable or memory is short; the logger has been told why.
Instance* instantiate(const runtime::Model& model, fmi2String name, fmi2Type type, fmi2String guid,
                      const fmi2CallbackFunctions* callbacks, bool logging_on);
void free_instance(Instance* instance);  // with all states that the host did not free

fmi2Status setup_experiment(Instance& instance, bool tolerance_defined, double tolerance,
                            double start_time, bool stop_time_defined, double stop_time);
fmi2Status enter_initialization_mode(Instance& instance);
fmi2Status exit_initialization_mode(Instance& instance);
fmi2Status terminate(Instance& instance);
fmi2Status reset(Instance& instance);

// Assembles the mechanism if a value was set since the last time (P17). False: logged, nothing
// changed.
bool check_assembled(Instance& instance, const char* function);

// Passes on what the simulation wants the user to know. Never under ScopedFloatEnvironment: the
// host is called.
void log_notice(Instance& instance, const char* function);

}  // namespace mechfmu::fmi
