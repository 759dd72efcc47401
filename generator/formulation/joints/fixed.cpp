// Welds two frames together (6 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_fixed;
const JointPhysics joint_fixed = {
    "fixed",
    [](const JointGeometry& g) {
      return std::vector<Motion>{{MotionKind::weld, g.axis}};
    },
    [](const JointGeometry&, const FramePair& f) {
      return residual::join(residual::same_point(f), residual::same_orientation(f));
    },
    no_functions,
};

}  // namespace mechfmu
