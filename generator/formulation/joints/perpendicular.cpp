// Keeps an axis of the child square to one of the parent (1 row).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_perpendicular;
const JointPhysics joint_perpendicular = {
    "perpendicular",
    no_motions,
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{dot(f.parent.R * g.axis, f.child.R * g.axis2)};
    },
    no_functions,
    nullptr,
    nullptr,
    true,
};

}  // namespace mechfmu
