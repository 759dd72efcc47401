// fmi2DoStep and what can be asked about it afterwards.
//
// Clocks. The host's communication point leads: a step ends exactly on currentCommunicationPoint +
// communicationStepSize. It may differ from the FMU's own time by rounding (1e-9 relative, P18). A
// larger difference is refused, with one exception: right after fmi2SetFMUstate the restored state
// says what time it is, and the step is made from there with the length that was asked for, with a
// warning. MasterSim needs that: after a failed error test it restores the state at t and calls
// fmi2DoStep with t + h/2, meaning t.
//
// Short steps. A step that the clock can hardly resolve (h <= 2.2e-16 t) only moves the clock; the
// motion is made up for by the next step, which always starts at the time that the physics has
// reached.
//
// Outcome. fmi2OK also if a warning was logged: hosts exist that stop at fmi2Warning. A step that
// cannot be completed leaves the instance at the last communication point and returns fmi2Discard;
// it may be tried again, shorter or with other inputs. A step past the stop time is an error by the
// standard and changes nothing.
#pragma once
#include "fmi/instance.hpp"

namespace mechfmu::fmi {

fmi2Status do_step(Instance& instance, double communication_point, double step_size);

// fmi2DoStepStatus: outcome of the last step. fmi2LastSuccessfulTime: last communication point.
// fmi2Terminated: never. fmi2PendingStatus: fmi2Discard, nothing is ever pending. Any other pairing
// of kind and type is an error.
fmi2Status get_status(Instance& instance, fmi2StatusKind kind, fmi2Status* value);
fmi2Status get_real_status(Instance& instance, fmi2StatusKind kind, fmi2Real* value);
fmi2Status get_integer_status(Instance& instance, fmi2StatusKind kind, fmi2Integer* value);
fmi2Status get_boolean_status(Instance& instance, fmi2StatusKind kind, fmi2Boolean* value);
fmi2Status get_string_status(Instance& instance, fmi2StatusKind kind, fmi2String* value);

}  // namespace mechfmu::fmi
