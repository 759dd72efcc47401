// Sensors and the other names of the expression language as graph expressions.
#pragma once
#include "formulation/formulated.hpp"
#include "validation/sensors.hpp"

namespace mechfmu {

// The components of a sensor (all of a vector, or the one that its index names).
std::vector<Expr> sensor_expression(const Formulated& system, const Mechanism& mechanism,
                                    const Sensor& sensor);

// "angle_velocity[1]" -> "angle_acceleration[1]"
std::string acceleration_name(std::string_view rate_name);

// Parameters, inputs, time and sensors. Valid as long as both arguments are.
NameMeaning make_meaning(const Formulated& system, const Mechanism& mechanism);

}  // namespace mechfmu
