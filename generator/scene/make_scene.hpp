// Mechanism and assembled coordinates -> Scene.
#pragma once
#include <vector>

#include "formulation/formulated.hpp"
#include "interface/variables.hpp"
#include "scene/scene.hpp"

namespace mechfmu {

// `q` are the coordinates of the formulation at the assembled start; `normal` is that of the plane,
// if the mechanism moves in one. Empty for <equations>.
Scene make_scene(const Formulated& system, const Mechanism& mechanism, const Interface& interface,
                 const std::vector<double>& q, const std::optional<Point3>& normal);

// The FMU variable whose value is this sensor: itself, if it is exposed, or the output that is
// nothing else. Empty if there is none.
std::string find_sensor_variable(const Mechanism& mechanism, const Interface& interface,
                                 const std::string& sensor);

}  // namespace mechfmu
