// A ball rolls on a plane without slipping: the centre keeps its height (1 row), and the material
// points that touch have the same velocity along the plane (2 nonholonomic rows).
#include "formulation/joint_physics.hpp"

namespace mechfmu {

extern const JointPhysics joint_rolling_ball;
const JointPhysics joint_rolling_ball = {
    "rolling_ball",
    no_motions,
    [](const JointGeometry& g, const FramePair& f) {
      return std::vector<Expr>{dot(g.normal, residual::relative_position(f)) - g.radius};
    },
    no_functions,
    [](const JointGeometry& g, const MotionPair& f) {
      return residual::no_slip(g, f, -(g.radius * (f.parent.pose.R * g.normal)));
    },
};

}  // namespace mechfmu
