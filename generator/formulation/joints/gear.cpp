// Couples the angles of two joints: first = ratio second + offset (1 row). Angles count turns.
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_gear;
const JointPhysics joint_gear = {
    "gear", no_motions, no_functions, no_functions, nullptr, residual::in_proportion,
};

}  // namespace mechfmu
