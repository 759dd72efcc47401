// Turns about a point: origins coincide (3 rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_spherical;
const JointPhysics joint_spherical = {
    "spherical",
    [](const JointGeometry& g) {
      return std::vector<Motion>{{MotionKind::ball, g.axis}};
    },
    [](const JointGeometry&, const FramePair& f) { return residual::same_point(f); },
    no_functions,
};

}  // namespace mechfmu
