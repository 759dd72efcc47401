// The functions of model exchange.
#pragma once
#include <cstddef>

#include "fmi/instance.hpp"

namespace mechfmu::fmi {

fmi2Status enter_event_mode(Instance& instance);
fmi2Status new_discrete_states(Instance& instance, fmi2EventInfo* info);
fmi2Status enter_continuous_time_mode(Instance& instance);
fmi2Status completed_integrator_step(Instance& instance, fmi2Boolean* enter_event_mode,
                                     fmi2Boolean* terminate_simulation);
fmi2Status set_time(Instance& instance, double time);
fmi2Status set_states(Instance& instance, const fmi2Real x[], std::size_t count);
fmi2Status get_states(Instance& instance, fmi2Real x[], std::size_t count);
fmi2Status get_nominals(Instance& instance, fmi2Real x[], std::size_t count);
fmi2Status get_derivatives(Instance& instance, fmi2Real derivatives[], std::size_t count);
fmi2Status get_event_indicators(Instance& instance, fmi2Real indicators[], std::size_t count);

}  // namespace mechfmu::fmi
