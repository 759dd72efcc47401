// fmi2Get/Set/FreeFMUstate and their serialised form. A saved state is everything that decides what
// happens next: the physics (values, positions, velocities, history) and the progress of the
// instance (state of the FMI state machine, times). Logging is not part of it.
//
// A handle that the host passes is looked up in the list of the instance's own states before it is
// used: a stale one, one of another instance or plain garbage is refused without being
// dereferenced.
#pragma once
#include <cstddef>

#include "fmi/instance.hpp"

namespace mechfmu::fmi {

// `*handle` null: a new state. Not null: that state is overwritten.
fmi2Status get_state(Instance& instance, fmi2FMUstate* handle);
fmi2Status set_state(Instance& instance, fmi2FMUstate handle);
fmi2Status free_state(Instance& instance, fmi2FMUstate* handle);
void free_all_states(Instance& instance);

// The bytes hold no pointer and can be read by another instance, another process or another machine
// of the same byte order. Anything that is not such a state of this very FMU (same GUID) is
// refused, with the reason.
fmi2Status get_serialized_size(Instance& instance, fmi2FMUstate handle, std::size_t* size);
fmi2Status serialize_state(Instance& instance, fmi2FMUstate handle, fmi2Byte bytes[],
                           std::size_t size);
fmi2Status deserialize_state(Instance& instance, const fmi2Byte bytes[], std::size_t size,
                             fmi2FMUstate* handle);

}  // namespace mechfmu::fmi
