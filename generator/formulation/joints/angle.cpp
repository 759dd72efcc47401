// Keeps an axis of the child at an angle to one of the parent (1 row): a . b = cos(angle).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_angle;
const JointPhysics joint_angle = {
    "angle",
    no_motions,
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{dot(f.parent.R * g.axis, f.child.R * g.axis2) - cos(g.angle)};
    },
    no_functions,
    nullptr,
    nullptr,
    true,
};

}  // namespace mechfmu
