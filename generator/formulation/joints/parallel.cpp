// Keeps an axis of the child parallel to one of the parent (2 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_parallel;
const JointPhysics joint_parallel = {
    "parallel",
    no_motions,
    [](const JointGeometry& g, const FramePair& f) { return residual::same_axis(g, f); },
    no_functions,
};

}  // namespace mechfmu
