// Couples two motions of any kind: first = ratio second + offset (1 row). Angles count turns.
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_coupler;
const JointPhysics joint_coupler = {
    "coupler", no_motions, no_functions, no_functions, nullptr, residual::in_proportion,
};

}  // namespace mechfmu
