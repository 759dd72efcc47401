// Keeps an axis of the child parallel to one of the parent (2 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_parallel;
const JointPhysics joint_parallel = {
    "parallel",
    [](const JointGeometry&) { return std::vector<Motion>{}; },
    [](const JointGeometry& g, const FramePair& f) { return residual::same_axis(g, f); },
    [](const JointGeometry&, const FramePair&) { return std::vector<Expr>{}; },
};

}  // namespace mechfmu
