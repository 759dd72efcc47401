#include "fmi/instance.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "fmi/saved_state.hpp"
#include "fmi/variable_access.hpp"
#include "platform/float_environment.hpp"

namespace mechfmu::fmi {
namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

bool is_blank(const char* text) { return text[std::strspn(text, " \t\r\n\v\f")] == '\0'; }

void reset_simulation(Instance& instance) {
  ScopedFloatEnvironment environment;
  instance.simulation.reset();
}

bool initialize_simulation(Instance& instance) {
  ScopedFloatEnvironment environment;
  return instance.simulation.initialize(instance.progress.start_time);
}

}  // namespace

Instance* instantiate(const runtime::Model& model, fmi2String name, fmi2Type type, fmi2String guid,
                      const fmi2CallbackFunctions* callbacks, bool logging_on) {
  Log log;  // there is no instance yet to log through
  log.attach(callbacks, name ? name : "", logging_on);
  if (!name || is_blank(name)) {
    log.error("fmi2Instantiate: the instance name is missing or blank");
    return nullptr;
  }
  if (type != fmi2CoSimulation && type != fmi2ModelExchange) {
    log.error("fmi2Instantiate: %d is neither co-simulation nor model exchange",
              static_cast<int>(type));
    return nullptr;
  }
  if (type == fmi2ModelExchange && model.sample > 0) {
    log.error("fmi2Instantiate: a sampled controller is for co-simulation only");
    return nullptr;
  }
  if (!guid || std::strcmp(guid, model.guid) != 0) {
    log.error("fmi2Instantiate: the GUID of modelDescription.xml is '%s', the library has '%s'",
              guid ? guid : "(null)", model.guid);
    return nullptr;
  }

  // one block: Instance, memory of the simulation, copy of the name
  const std::size_t simulation_at = round_up(sizeof(Instance));
  const std::size_t name_at = simulation_at + round_up(runtime::Simulation::bytes(model));
  const std::size_t name_size = std::strlen(name) + 1;
  auto* block = static_cast<unsigned char*>(std::calloc(1, name_at + name_size));
  if (!block) {
    log.error("fmi2Instantiate: out of memory (%zu bytes)", name_at + name_size);
    return nullptr;
  }
  std::memcpy(block + name_at, name, name_size);
  auto* instance = new (block) Instance(model, block + simulation_at);
  instance->log.attach(callbacks, reinterpret_cast<const char*>(block + name_at), logging_on);
  find_variables(*instance);
  reset_simulation(*instance);
  if (type == fmi2ModelExchange) {
    instance->simulation.begin_exchange();
    instance->progress.exchange = 1;
  }
  instance->log.write(Category::logEvents, "instantiated mechanism '%s'", model.name);
  return instance;
}

void free_instance(Instance* instance) {
  if (!instance) return;
  free_all_states(*instance);
  instance->~Instance();
  std::free(instance);
}

fmi2Status setup_experiment(Instance& instance, bool tolerance_defined, double tolerance,
                            double start_time, bool stop_time_defined, double stop_time) {
  if (!std::isfinite(start_time))
    return instance.log.error("fmi2SetupExperiment: the start time is not finite");
  if (stop_time_defined && !(std::isfinite(stop_time) && stop_time >= start_time))
    return instance.log.error(
        "fmi2SetupExperiment: the stop time %.17g is not after the start time %.17g", stop_time,
        start_time);

  Progress& progress = instance.progress;
  progress.start_time = start_time;
  progress.time = start_time;
  progress.stop_time_defined = stop_time_defined;
  progress.stop_time = stop_time_defined ? stop_time : 0;
  progress.assembled = 0;
  if (tolerance_defined) set_tolerance(instance, tolerance);
  if (tolerance_defined && tolerance > 0 && tolerance < 1) progress.tolerance = tolerance;
  return fmi2OK;
}

fmi2Status enter_initialization_mode(Instance& instance) {
  instance.progress.state = kInitializationMode;
  return fmi2OK;
}

bool check_assembled(Instance& instance, const char* function) {
  if (instance.progress.assembled) return true;
  if (!initialize_simulation(instance)) {
    instance.log.error("%s: %s", function, instance.simulation.failure());
    return false;
  }
  instance.progress.assembled = 1;
  log_notice(instance, function);
  return true;
}

void log_notice(Instance& instance, const char* function) {
  if (const char* notice = instance.simulation.take_notice())
    instance.log.write(Category::logStatusWarning, "%s: %s", function, notice);
}

// A mechanism that cannot be assembled stays in initialization mode: the host may correct values,
// reset or free.
fmi2Status exit_initialization_mode(Instance& instance) {
  if (!check_assembled(instance, "fmi2ExitInitializationMode")) return fmi2Error;
  instance.progress.state = instance.progress.exchange ? kEventMode : kStepComplete;
  instance.progress.time = instance.progress.start_time;
  instance.log.write(Category::logEvents, "initialized at time %.17g", instance.progress.time);
  return fmi2OK;
}

fmi2Status terminate(Instance& instance) {
  instance.progress.state = kTerminated;
  instance.log.write(Category::logEvents, "terminated at time %.17g", instance.progress.time);
  return fmi2OK;
}

// Back to the fresh instance (P20). Saved states and the log's settings are not part of it.
fmi2Status reset(Instance& instance) {
  reset_simulation(instance);
  const std::int32_t exchange = instance.progress.exchange;
  instance.progress = Progress{};
  instance.progress.exchange = exchange;
  instance.just_restored = false;
  instance.log.write(Category::logEvents, "reset");
  return fmi2OK;
}

}  // namespace mechfmu::fmi
