// fmi2Get/SetReal and fmi2Get/SetInteger: bounds check and plain copy by value reference. A setter
// changes nothing if any of its elements is unacceptable.
#pragma once
#include <cstddef>

#include "fmi/instance.hpp"

namespace mechfmu::fmi {

fmi2Status get_reals(Instance& instance, const fmi2ValueReference references[], std::size_t count,
                     fmi2Real values[]);
fmi2Status set_reals(Instance& instance, const fmi2ValueReference references[], std::size_t count,
                     const fmi2Real values[]);
// Orders 1 and 2 make the input a polynomial in the coming step; higher ones are accepted and not
// used.
fmi2Status set_input_derivatives(Instance& instance, const fmi2ValueReference references[],
                                 std::size_t count, const fmi2Integer orders[],
                                 const fmi2Real values[]);
fmi2Status get_integers(Instance& instance, const fmi2ValueReference references[],
                        std::size_t count, fmi2Integer values[]);
fmi2Status set_integers(Instance& instance, const fmi2ValueReference references[],
                        std::size_t count, const fmi2Integer values[]);

// Mechanisms have no variables of this base type: an empty list is fine, anything else is an
// unknown reference.
fmi2Status refuse_unless_empty(Instance& instance, const char* function, const char* base_type,
                               std::size_t count);

// Fills what the instance needs to know about the table of variables: looked up once, not in every
// call.
void find_variables(Instance& instance);

// The host's tolerance goes to `solver.tolerance`, unless the host has set that itself.
void set_tolerance(Instance& instance, double tolerance);

}  // namespace mechfmu::fmi
