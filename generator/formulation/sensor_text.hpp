// A sensor in words, as the description of a variable.
#pragma once
#include <string>

#include "mechanism/mechanism.hpp"
#include "validation/sensors.hpp"

namespace mechfmu {

// "angular velocity of frame 'coupler.tip', world axes"
std::string describe_sensor(const Mechanism& mechanism, const Sensor& sensor);

}  // namespace mechfmu
